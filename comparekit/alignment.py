"""
Two runs and one judgment set over the same pinned topics, as arrays that every number reads.

The pinned topics alone decide which rows count. A topic that only a run has, or that nobody judged, is named.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from comparekit.columns import Floats, Grades, Ints, Lists, grades_for, lists_for, topic_of
from comparekit.errors import InputError
from comparekit.matching import common
from comparekit.states import ANSWERED, EMPTY, MISSING, States


@dataclass(frozen=True, slots=True, eq=False)
class JudgedLists:
    """
    The judged results of one run, and everything that was judged: what a measure reads.

    `length` is the number of results of every topic. `topic`, `rank` (from 1) and `grade` describe the judged
    results, by topic, then rank. `pool_topic` and `pool_grade` are all judgments, by topic, then grade descending,
    retrieved or not. `top_grade` is the best grade of the declared scale, NaN where none is declared.
    """

    length: Ints
    topic: Ints
    rank: Ints
    grade: Floats
    pool_topic: Ints
    pool_grade: Floats
    top_grade: float

    @property
    def topics(self) -> int:
        """How many topics there are."""
        return len(self.length)

    def condensed(self) -> "JudgedLists":
        """The same lists without their unjudged results, the ranks closed up (`judged_only=True`)."""
        length = np.bincount(self.topic, minlength=self.topics)
        first = np.cumsum(length) - length
        rank = np.arange(len(self.topic)) - first[self.topic] + 1
        return JudgedLists(length, self.topic, rank, self.grade, self.pool_topic, self.pool_grade, self.top_grade)


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """
    Both sides over `topics`, the pinned topics in their order; every topic is its position in them.

    `state_a` and `state_b` are positions in `STATES`. `shared_topic`, `shared_rank_a` and `shared_rank_b` are the
    documents that both lists hold, ranks from 1, by topic, then rank in B. `unpinned` are the topics of a run
    that are not pinned and enter nothing, `unpinned_judged` the same of the judgments.
    """

    topics: tuple[str, ...]
    a: JudgedLists
    b: JudgedLists
    a_lists: Lists
    b_lists: Lists
    state_a: States
    state_b: States
    shared_topic: Ints
    shared_rank_a: Ints
    shared_rank_b: Ints
    grades: Grades
    topics_without_judgments: tuple[str, ...]
    unpinned: tuple[str, ...]
    unpinned_judged: tuple[str, ...]


def align(
    topics: Sequence[str],
    *,
    a: Lists,
    b: Lists,
    grades: Grades,
    state_a: States | None = None,
    state_b: States | None = None,
    top_grade: float | None = None,
) -> Alignment:
    """
    Lay two runs and the judgments over the pinned `topics`.

    The states are positions in `STATES`, one a topic; without them a topic with results is answered, one that the
    run lists without results is empty, and one that it does not list is missing. `top_grade` is the best grade of
    the declared scale, which only measures against a fixed ideal need.

    Raises `InputError` on a repeated topic, on states of another number, on a grade above the scale.
    """
    pinned = tuple(topics)
    _require(pinned, grades, top_grade)
    a_lists, b_lists, judged = lists_for(a, pinned), lists_for(b, pinned), grades_for(grades, pinned)
    topic, row_a, row_b = common(a_lists, b_lists)
    pool = _pool(judged)
    top = float("nan") if top_grade is None else float(top_grade)
    known = set(pinned)
    return Alignment(
        topics=pinned,
        a=_judged(a_lists, judged, pool, top),
        b=_judged(b_lists, judged, pool, top),
        a_lists=a_lists,
        b_lists=b_lists,
        state_a=_states(a, a_lists, state_a),
        state_b=_states(b, b_lists, state_b),
        shared_topic=topic,
        shared_rank_a=_rank(a_lists, topic, row_a),
        shared_rank_b=_rank(b_lists, topic, row_b),
        grades=judged,
        topics_without_judgments=tuple(pinned[at] for at in np.flatnonzero(np.diff(judged.offsets) == 0)),
        unpinned=tuple(sorted({*a.topics, *b.topics} - known)),
        unpinned_judged=tuple(sorted(set(grades.topics) - known)),
    )


def judged_lists(lists: Lists, *, grades: Grades, top_grade: float | None = None) -> JudgedLists:
    """One run under one judgment set; both must list the same topics in the same order."""
    top = float("nan") if top_grade is None else float(top_grade)
    return _judged(lists, grades, _pool(grades), top)


def _judged(lists: Lists, grades: Grades, pool: tuple[Ints, Floats], top: float) -> JudgedLists:
    topic, at, row = common(grades, lists)
    rank = _rank(lists, topic, row)
    return JudgedLists(np.diff(lists.offsets), topic, rank, grades.grades[at], *pool, top)


def _rank(lists: Lists, topic: Ints, row: Ints) -> Ints:
    """Ranks from 1; in place, because there are millions."""
    rank = (1 - lists.offsets)[topic]
    rank += row
    return rank


def _pool(grades: Grades) -> tuple[Ints, Floats]:
    """All judgments by topic, then grade descending."""
    topic = topic_of(grades.offsets)
    values = np.unique(grades.grades)
    # One integer a judgment sorts ten times as fast as two columns do.
    mixed = topic * len(values) + (len(values) - 1 - np.searchsorted(values, grades.grades))
    mixed.sort()
    return topic, values[::-1][mixed - topic * len(values)]


def _states(lists: Lists, aligned: Lists, given: States | None) -> States:
    if given is not None:
        if len(given) != len(aligned.topics):
            raise InputError("there is not one state a topic", expected=len(aligned.topics), got=len(given))
        return given
    listed = set(lists.topics)
    state = np.array([EMPTY if topic in listed else MISSING for topic in aligned.topics], np.int8)
    return np.where(np.diff(aligned.offsets) > 0, ANSWERED, state).astype(np.int8)


def _require(topics: tuple[str, ...], grades: Grades, top_grade: float | None) -> None:
    if len(set(topics)) < len(topics):
        twice = next(topic for at, topic in enumerate(topics) if topic in topics[:at])
        raise InputError(f"topic {twice} is pinned twice")
    if top_grade is not None and len(grades.grades) and grades.grades.max() > top_grade:
        raise InputError(
            "a grade lies above the declared scale",
            expected=f"at most {top_grade:g}",
            got=f"{grades.grades.max():g}",
            todo="Declare the best grade of the scale.",
        )
