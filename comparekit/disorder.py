"""What does a run file say otherwise than the order it was given?"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from comparekit.columns import Bools, Ints, take
from comparekit.ranked import Ranked, descending, marked, neighbours, position_at, single_precision, touched
from comparekit.repairs import Repair, repair

TOP = 10


def duplicates(ranked: Ranked, again: Ints, *, file: str) -> Iterator[Repair]:
    """The lines that name a document of their topic again; `again` are their rows."""
    if len(again):
        lines = f"{len(again)} of {len(ranked.scores)} lines"
        message = f"repeated documents on {lines} were dropped; the copy that ranks first stays"
        topics = ranked.named(marked(ranked.offsets, again))
        yield repair("duplicate-document", message, file=file, lines=np.sort(ranked.line(again)), topics=topics)


def disorder(found: Ranked, kept: Ranked, *, by_score: bool, precise: npt.NDArray[Any], file: str) -> Iterator[Repair]:
    """
    Everything else: `found` are the rows as in the file, `kept` as ranked.

    `precise` are the scores of `kept` in the precision of the order.
    """
    if by_score:
        yield from _unsorted(found, file)
        yield from _ties(kept, precise, file)
    if found.ranks is not None and kept.ranks is not None:
        yield from _disagreement(kept, kept.ranks, by_score, file)
        yield from _odd_ranks(found, found.ranks, file)


def _unsorted(found: Ranked, file: str) -> Iterator[Repair]:
    topics = touched(found.offsets, found.scores[1:] > found.scores[:-1])
    yield from _said(found, topics, "not-in-score-order", "lines of {} are not in score order and were sorted", file)


def _ties(kept: Ranked, precise: npt.NDArray[Any], file: str) -> Iterator[Repair]:
    same = precise[1:] == precise[:-1]
    single = single_precision(kept.scores)
    rounded = (single[1:] == single[:-1]) & (kept.scores[1:] != kept.scores[:-1])
    message = "scores of {} are equal in single precision and differ in double, so that older tools rank them otherwise"
    yield from _said(kept, touched(kept.offsets, rounded), "single-precision-ties", message, file)
    at = neighbours(kept.offsets, same)
    inside = marked(kept.offsets, at[position_at(kept.offsets, at) < TOP])
    top = f"inside the first ten of {inside.sum()}"
    message = f"scores of {{}} are tied ({top}); equal scores go by document id, downwards"
    yield from _said(kept, marked(kept.offsets, at), "tied-scores", message, file)


def _disagreement(kept: Ranked, ranks: Ints, by_score: bool, file: str) -> Iterator[Repair]:
    """Where ranks and scores tell two orders, and where one is the other upside down."""
    at = descending(kept.offsets, -ranks)
    scores = take(kept.scores, at)
    rises = touched(kept.offsets, scores[1:] > scores[:-1])
    moved = np.flatnonzero(at != np.arange(len(at))) if at is not None else np.zeros(0, np.int64)
    topics = marked(kept.offsets, moved) if by_score else rises
    inside = marked(kept.offsets, moved[position_at(kept.offsets, moved) < TOP]).sum()
    top = f" (inside the first ten of {inside})" if by_score else ""
    message = f"rank and score tell different orders in {{}} of {len(kept.topics)}{top}"
    yield from _said(kept, topics, "rank-disagrees", message, file)
    message = (
        f"scores rise with rank in {{}} of {len(kept.topics)}: rank and score go in opposite directions, "
        "as with distances; order by rank if lower is better"
    )
    falls = touched(kept.offsets, scores[1:] < scores[:-1]) if rises.any() else rises
    yield from _said(kept, rises & ~falls, "scores-rise-with-rank", message, file)


def _odd_ranks(found: Ranked, ranks: Ints, file: str) -> Iterator[Repair]:
    ascending = take(ranks, descending(found.offsets, -ranks))
    step = np.diff(ascending)
    later = ascending[found.offsets[:-1]] != 1
    yield from _said(found, later, "rank-does-not-start-at-1", "ranks of {} do not start at 1", file)
    yield from _said(found, touched(found.offsets, step > 1), "rank-gaps", "ranks of {} have gaps", file)
    yield from _said(found, touched(found.offsets, step == 0), "rank-repeats", "ranks of {} are given twice", file)


def _said(ranked: Ranked, topics: Bools, what: str, message: str, file: str) -> Iterator[Repair]:
    named = ranked.named(topics)
    if named:
        counted = f"{len(named)} topic" + "s" * (len(named) > 1)
        yield repair(what, message.format(counted), file=file, topics=named)
