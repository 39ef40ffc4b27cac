"""What does a run file say otherwise than the order it was given?"""

from collections.abc import Iterator

import numpy as np

from comparekit.columns import Bools, Floats, Ints, topic_of
from comparekit.ranked import Ranked, descending, neighbours, position_of, single_precision, touched
from comparekit.repairs import Repair, repair

TOP = 10


def duplicates(ranked: Ranked, again: Ints, *, file: str) -> Iterator[Repair]:
    """The lines that name a document of their topic again; `again` are their rows."""
    if len(again):
        message = f"{len(again)} lines name a document of their topic again and were dropped; the copy that ranks first stays"
        topics = ranked.named(_marked(ranked, again))
        yield repair("duplicate-document", message, file=file, lines=np.sort(ranked.line[again]), topics=topics)


def disorder(found: Ranked, kept: Ranked, *, by_score: bool, precise: Floats, file: str) -> Iterator[Repair]:
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


def _ties(kept: Ranked, precise: Floats, file: str) -> Iterator[Repair]:
    same = precise[1:] == precise[:-1]
    single = single_precision(kept.scores)
    rounded = (single[1:] == single[:-1]) & (kept.scores[1:] != kept.scores[:-1])
    message = "scores of {} are equal in single precision and differ in double, so that older tools rank them otherwise"
    yield from _said(kept, touched(kept.offsets, rounded), "single-precision-ties", message, file)
    at = neighbours(kept.offsets, same)
    inside = _marked(kept, at[position_of(kept.offsets)[at] < TOP])
    message = f"scores of {{}} are tied (inside the first ten of {inside.sum()}); equal scores go by document id, downwards"
    yield from _said(kept, _marked(kept, at), "tied-scores", message, file)


def _disagreement(kept: Ranked, ranks: Ints, by_score: bool, file: str) -> Iterator[Repair]:
    """Where ranks and scores tell two orders, and where one is the other upside down."""
    at = descending(kept.offsets, -ranks.astype(np.float64))
    scores = kept.scores[at]
    rises, falls = touched(kept.offsets, scores[1:] > scores[:-1]), touched(kept.offsets, scores[1:] < scores[:-1])
    topics = _marked(kept, np.flatnonzero(at != np.arange(len(at)))) if by_score else rises
    moved = np.flatnonzero((at != np.arange(len(at))) & (position_of(kept.offsets) < TOP))
    inside = f" (inside the first ten of {_marked(kept, moved).sum()})" if by_score else ""
    message = f"rank and score tell different orders in {{}} of {len(kept.topics)}{inside}"
    yield from _said(kept, topics, "rank-disagrees", message, file)
    message = (
        f"scores rise with rank in {{}} of {len(kept.topics)}: rank and score go in opposite directions, "
        "as with distances; order by rank if lower is better"
    )
    yield from _said(kept, rises & ~falls, "scores-rise-with-rank", message, file)


def _odd_ranks(found: Ranked, ranks: Ints, file: str) -> Iterator[Repair]:
    ascending = ranks[descending(found.offsets, -ranks.astype(np.float64))]
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


def _marked(ranked: Ranked, rows: Ints) -> Bools:
    return np.bincount(topic_of(ranked.offsets)[rows], minlength=len(ranked.topics)) > 0
