"""What entered, left and moved in the top of a list, counted and told in one line."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from comparekit.alignment import Alignment, JudgedLists
from comparekit.columns import Bools, Ints
from comparekit.states import EMPTY, STATES, States


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """
    Counts of one change per topic, in the top `depth` of both lists; arrays of int64, one entry a topic.

    `entered` documents are in B's top and not in A's, `left` the other way round, `moved` in both at another rank.
    Each of the first two is also counted by what was judged of it.
    """

    depth: int
    entered: Ints
    left: Ints
    moved: Ints
    entered_relevant: Ints
    left_relevant: Ints
    entered_unjudged: Ints
    left_unjudged: Ints


def changes(alignment: Alignment, *, depth: int, relevant_from: float) -> Changes:
    """Count what changed in the top `depth`; a document is relevant from the grade `relevant_from` on."""
    n = len(alignment.topics)
    in_a, in_b = alignment.shared_rank_a <= depth, alignment.shared_rank_b <= depth
    both = in_a & in_b
    topic = alignment.shared_topic
    moved = both & (alignment.shared_rank_a != alignment.shared_rank_b)
    stayed = np.bincount(topic[both], minlength=n)
    entered = np.minimum(alignment.b.length, depth) - stayed
    left = np.minimum(alignment.a.length, depth) - stayed
    kept_b = _marks(topic[both], alignment.shared_rank_b[both], n, depth)
    kept_a = _marks(topic[both], alignment.shared_rank_a[both], n, depth)
    entered_relevant, entered_judged = _only(alignment.b, kept_b, depth=depth, relevant_from=relevant_from)
    left_relevant, left_judged = _only(alignment.a, kept_a, depth=depth, relevant_from=relevant_from)
    return Changes(
        depth,
        entered,
        left,
        np.bincount(topic[moved], minlength=n),
        entered_relevant,
        left_relevant,
        entered - entered_judged,
        left - left_judged,
    )


def stories(told: Changes, *, state_a: States, state_b: States) -> list[str]:
    """
    One plain line a topic, such as "2 entered (1 relevant, 1 unjudged), 2 left, 3 moved".

    A topic that a side did not answer says so instead.
    """
    columns = (
        told.entered,
        told.entered_relevant,
        told.entered_unjudged,
        told.left,
        told.left_relevant,
        told.left_unjudged,
        told.moved,
        state_a,
        state_b,
    )
    return [_story(told.depth, *row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _story(depth: int, entered: int, entered_relevant: int, entered_unjudged: int, left: int, left_relevant: int,
           left_unjudged: int, moved: int, a: int, b: int) -> str:  # fmt: skip
    for side, other, state in (("A", "B", a), ("B", "A", b)):
        if state > EMPTY:
            return f"{side} {STATES[state]}"
        if state == EMPTY:
            return "both found nothing" if a == b else f"{side} found nothing, {other} did"
    parts = []
    if entered:
        parts.append(f"{entered} entered{_of(entered_relevant, entered_unjudged)}")
    if left:
        parts.append(f"{left} left{_of(left_relevant, left_unjudged)}")
    if moved:
        parts.append(f"{moved} moved")
    return ", ".join(parts) if parts else f"same top {depth}"


def _of(relevant: int, unjudged: int) -> str:
    parts: Sequence[str] = [
        f"{count} {word}" for count, word in ((relevant, "relevant"), (unjudged, "unjudged")) if count
    ]
    return f" ({', '.join(parts)})" if parts else ""


def _marks(topic: Ints, rank: Ints, n: int, depth: int) -> Bools:
    marks = np.zeros(n * depth, dtype=np.bool_)
    marks[topic * depth + rank - 1] = True
    return marks


def _only(side: JudgedLists, kept: Bools, *, depth: int, relevant_from: float) -> tuple[Ints, Ints]:
    """How many relevant and how many judged documents of a side's top are not in the other's."""
    top = side.rank <= depth
    topic, rank, grade = side.topic[top], side.rank[top], side.grade[top]
    only = ~kept[topic * depth + rank - 1]
    relevant = only & (grade >= relevant_from)
    return np.bincount(topic[relevant], minlength=side.topics), np.bincount(topic[only], minlength=side.topics)
