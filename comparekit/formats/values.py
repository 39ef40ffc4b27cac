"""Single values as foreign files write them: strict about numbers, exact about ids."""

import re
from collections import defaultdict
from collections.abc import Iterable
from unicodedata import normalize

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.repairs import Repair, repair

# float() alone would also take "1_000", "١٢" and "nan".
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
WHOLE = re.compile(r"[+-]?\d{1,18}(\.0*)?", re.ASCII)
# C0, DEL and C1 controls, and halves of surrogate pairs.
UNUSABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def number(text: str) -> float | None:
    """A finite decimal number, or `None`."""
    if not NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if abs(value) != float("inf") else None


def whole_number(text: str) -> int | None:
    """A whole number such as a rank, `3` or `3.0`, or `None`."""
    return int(text.partition(".")[0]) if WHOLE.fullmatch(text) else None


def check_id(text: str, *, source: Source, line: int, what: str) -> str:
    """The id itself. Raises `FormatError` when it is empty or holds a control character or half a surrogate pair."""
    if not text:
        raise FormatError(f"the {what} id is empty", path=source.path, line=line, todo="Give it an id.")
    found = UNUSABLE.search(text)
    if found:
        got = f"U+{ord(found.group()):04X} in {text[:80]!r}"
        raise FormatError(f"a control character stands in the {what} id", path=source.path, line=line, got=got)
    return text


def similar_topics(ids: Iterable[str], *, file: str, by_text: bool = False) -> tuple[Repair, ...]:
    """The warning about topics; `by_text` when a topic without an id goes by its exact text."""
    return similar(ids, "topics", file=file, what="similar-topics" if by_text else "similar-ids")


def similar(ids: Iterable[str], of: str, *, file: str, what: str = "similar-ids") -> tuple[Repair, ...]:
    """A warning that lists the ids which differ only in case, outer blanks or Unicode form; they stay distinct."""
    groups: dict[str, list[str]] = defaultdict(list)
    for each in dict.fromkeys(ids):
        groups[normalize("NFC", each.casefold()).strip()].append(each)
    alike = [each for group in groups.values() if len(group) > 1 for each in group]
    if not alike:
        return ()
    message = f"These {of} differ only in case, outer blanks or Unicode form, and are kept apart: {alike[:6]!r}."
    return (repair(what, message, file=file, topics=alike),)


def unusable_score(text: str | None, *, source: Source, line: int) -> FormatError:
    """The error for a score that cannot order anything."""
    got = "nothing" if text is None else repr(text[:40])
    todo = "Correct it, or take the order from the ranks."
    return FormatError("the score is not a finite number", path=source.path, line=line, got=got, todo=todo)


def unusable_scores(lines: list[int], source: Source) -> tuple[Repair, ...]:
    """The repair for a caller who keeps going; nothing when every score was usable."""
    message = "Scores that are missing or not finite numbers were left out; only the ranks count."
    return (repair("unusable-scores", message, file=source.name, lines=lines),) if lines else ()
