"""What does a run file say otherwise than the order it was given?"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from comparekit.columns import Bools, Floats, Ints, Rows, take
from comparekit.ranked import Ranked, descending, marked, neighbours, position_at, single_precision, touched
from comparekit.repairs import Repair, repair

TOP = 10

MESSAGES = {
    "not-in-score-order": "lines of {topics} are not in score order and were sorted",
    "single-precision-ties": (
        "scores of {topics} are equal in single precision and differ in double, so that older tools rank them otherwise"
    ),
    "tied-scores": (
        "scores of {topics} are tied (inside the first ten of {top}); equal scores go by document id, downwards"
    ),
    "rank-disagrees": "rank and score tell different orders in {topics} of {all} (inside the first ten of {top})",
    "scores-rise-with-rank": (
        "scores rise with rank in {topics} of {all}: rank and score go in opposite directions, as with distances; "
        "order by rank if lower is better"
    ),
    "rank-does-not-start-at-1": "ranks of {topics} do not start at 1",
    "rank-gaps": "ranks of {topics} have gaps",
    "rank-repeats": "ranks of {topics} are given twice",
}

Marks = Mapping[str, Bools]
"""Which topics show each kind of disorder; where it reaches the first ten is under the kind's name and `IN_TOP`."""

IN_TOP = " in the first ten"


def passed_over(found: Ranked, kept: Ranked, *, precise: npt.NDArray[Any] | None) -> Marks:
    """
    What the order passes over: `found` are the rows as in the file, `kept` as ranked.

    `precise` are the scores of `kept` in the precision of an order by score; None is an order by rank.
    """
    marks: dict[str, Bools] = {}
    if precise is not None:
        marks |= _score_marks(found, kept, precise)
    if found.ranks is not None and kept.ranks is not None:
        marks |= _rank_marks(found.offsets, found.ranks)
        by_rank = None if precise is None else descending(kept.offsets, -kept.ranks)
        other = by_rank if precise is not None else descending(kept.offsets, kept.scores)
        marks |= _disagreement(kept.offsets, other, take(kept.scores, by_rank))
    return marks


def _score_marks(found: Ranked, kept: Ranked, precise: npt.NDArray[Any]) -> Marks:
    single = single_precision(kept.scores)
    rounded = (single[1:] == single[:-1]) & (kept.scores[1:] != kept.scores[:-1])
    ties = neighbours(kept.offsets, precise[1:] == precise[:-1])
    return {
        "not-in-score-order": touched(found.offsets, found.scores[1:] > found.scores[:-1]),
        "single-precision-ties": touched(kept.offsets, rounded),
        **_marks("tied-scores", kept.offsets, ties),
    }


def _rank_marks(offsets: Ints, ranks: Ints) -> Marks:
    ascending = take(ranks, descending(offsets, -ranks))
    step = np.diff(ascending)
    return {
        "rank-does-not-start-at-1": ascending[offsets[:-1]] != 1,
        "rank-gaps": touched(offsets, step > 1),
        "rank-repeats": touched(offsets, step == 0),
    }


def _disagreement(offsets: Ints, other: Rows, scores: Floats) -> Marks:
    """`other` are the rows in the order that was not chosen, `scores` those of the rows in order of rank."""
    moved = np.zeros(0, np.int64) if other is None else np.flatnonzero(other != np.arange(len(other)))
    rises = touched(offsets, scores[1:] > scores[:-1])
    # Nearly every row of a tidy run falls; nobody needs to know unless something rises.
    falls = touched(offsets, scores[1:] < scores[:-1]) if rises.any() else rises
    return {**_marks("rank-disagrees", offsets, moved), "scores-rise-with-rank": rises & ~falls}


def _marks(what: str, offsets: Ints, rows: Ints) -> Marks:
    first_ten = rows[position_at(offsets, rows) < TOP]
    return {what: marked(offsets, rows), what + IN_TOP: marked(offsets, first_ten)}


def told(parts: Sequence[Marks], *, topics: Sequence[str], file: str) -> Iterator[Repair]:
    """A `Repair` for every kind of disorder that any topic shows; `parts` follow each other in `topics`."""
    for what, message in MESSAGES.items():
        if not parts or what not in parts[0]:
            continue
        named = [topics[at] for at in np.flatnonzero(np.concatenate([part[what] for part in parts])).tolist()]
        if named:
            top = sum(int(part[what + IN_TOP].sum()) for part in parts) if what + IN_TOP in parts[0] else 0
            counted = f"{len(named)} topic" + "s" * (len(named) > 1)
            yield repair(what, message.format(topics=counted, top=top, all=len(topics)), file=file, topics=named)
