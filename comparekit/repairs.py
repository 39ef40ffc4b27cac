"""What a lenient reader set right on the way in, so that nothing is repaired in silence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Repair:
    """
    One kind of repair in one file.

    `what` is a short stable name (`duplicate-document`), `message` a sentence for people,
    `count` how many lines or topics it touched, `lines` the first `SHOWN` line numbers (from 1),
    `topics` the first `SHOWN` topics where the repair is about topics.
    """

    what: str
    message: str
    file: str
    count: int
    lines: tuple[int, ...] = ()
    topics: tuple[str, ...] = ()


def repair(
    what: str,
    message: str,
    *,
    file: str,
    lines: Iterable[int] = (),
    topics: Sequence[str] = (),
    count: int | None = None,
) -> Repair:
    """A `Repair` that keeps the first `SHOWN` lines and topics, and counts them all."""
    every = tuple(int(line) for line in lines)
    return Repair(
        what, message, file, len(every) or len(topics) if count is None else count, every[:SHOWN], tuple(topics[:SHOWN])
    )
