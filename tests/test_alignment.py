"""Tests of `comparekit.alignment`."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit.alignment import align, judged_lists
from comparekit.errors import InputError
from comparekit.states import ANSWERED, EMPTY, FAILED, MISSING, STATES
from tests.building import aligned, case, grades, lists

DOCS = st.lists(st.sampled_from(["d1", "d2", "d3", "d4", "a rather long id"]), unique=True, max_size=5)
RANKINGS = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), DOCS, max_size=3)


@given(RANKINGS, RANKINGS)
def test_shared_documents_carry_their_rank_on_either_side(a: dict[str, list[str]], b: dict[str, list[str]]) -> None:
    found = aligned({}, a, b=b)
    expected = [
        (at, a[topic].index(doc) + 1, rank)
        for at, topic in enumerate(found.topics)
        for rank, doc in enumerate(b.get(topic, []), start=1)
        if doc in a.get(topic, [])
    ]
    shared = zip(found.shared_topic.tolist(), found.shared_rank_a.tolist(), found.shared_rank_b.tolist(), strict=True)
    assert expected == list(shared)


@given(RANKINGS, RANKINGS)
def test_swapping_the_sides_swaps_the_shared_ranks(a: dict[str, list[str]], b: dict[str, list[str]]) -> None:
    found, swapped = aligned({}, a, b=b), aligned({}, b, b=a)
    first = zip(found.shared_topic.tolist(), found.shared_rank_a.tolist(), found.shared_rank_b.tolist(), strict=True)
    b_ranks, a_ranks = swapped.shared_rank_a.tolist(), swapped.shared_rank_b.tolist()
    second = zip(swapped.shared_topic.tolist(), a_ranks, b_ranks, strict=True)
    assert sorted(first) == sorted(second)
    assert found.a.length.tolist() == swapped.b.length.tolist()


def test_judged_results_stand_by_topic_and_rank_with_their_grade() -> None:
    found = aligned({"q1": {"a": 2, "c": 0, "z": 1}, "q2": {"b": -1}}, {"q1": ["x", "a", "c"], "q2": ["b"]}).a
    assert [(0, 2, 2.0), (0, 3, 0.0), (1, 1, -1.0)] == list(
        zip(found.topic.tolist(), found.rank.tolist(), found.grade.tolist(), strict=True)
    )


def test_the_pool_holds_every_judgment_best_first() -> None:
    found = aligned({"q1": {"a": 0.5, "b": 3, "c": -1}, "q2": {"b": 1}}, {"q1": []}).a
    assert [0, 0, 0, 1] == found.pool_topic.tolist()
    assert [3.0, 0.5, -1.0, 1.0] == found.pool_grade.tolist()


def test_topics_stand_in_their_pinned_order() -> None:
    found = aligned({"q1": {"a": 1}, "q2": {"b": 2}}, {"q1": ["a"], "q2": ["x", "b"]}, topics=["q2", "q1"])
    assert ([0, 1], [2, 1]) == (found.a.topic.tolist(), found.a.rank.tolist())


def test_a_condensed_list_has_no_unjudged_results_and_no_gaps() -> None:
    found = aligned({"q1": {"a": 1, "c": 0}, "q2": {"z": 1}}, {"q1": ["x", "a", "y", "c"], "q2": ["x"]}).a.condensed()
    assert ([2, 0], [1, 2]) == (found.length.tolist(), found.rank.tolist())


def test_without_states_a_run_says_only_answered_empty_and_missing() -> None:
    found = aligned({}, {"q1": ["a"], "q2": []}, b={"q3": ["a"]}, topics=["q1", "q2", "q3"])
    assert [ANSWERED, EMPTY, MISSING] == found.state_a.tolist()
    assert [MISSING, MISSING, ANSWERED] == found.state_b.tolist()
    assert ("answered", "empty", "failed", "missing") == STATES


def test_given_states_are_kept() -> None:
    a = lists({"q1": ["a"]})
    found = align(["q1", "q2"], a=a, b=a, grades=grades({}), state_a=np.array([ANSWERED, FAILED], np.int8))
    assert [ANSWERED, FAILED] == found.state_a.tolist()


def test_topics_that_are_not_pinned_are_named_and_enter_nothing() -> None:
    found = aligned({"q1": {"a": 1}, "q8": {"a": 1}}, {"q1": ["a"], "q9": ["a"]}, b={"q0": ["a"]}, topics=["q1", "q2"])
    assert ("q0", "q9") == found.unpinned
    assert ("q8",) == found.unpinned_judged
    assert ("q2",) == found.topics_without_judgments
    assert 1 == len(found.a.grade)


def test_a_topic_pinned_twice_is_refused() -> None:
    with pytest.raises(InputError, match="topic q1 is pinned twice"):
        aligned({}, {"q1": ["a"]}, topics=["q1", "q2", "q1"])


def test_states_of_another_number_are_refused() -> None:
    with pytest.raises(InputError, match="there is not one state a topic: expected 1, got 2"):
        align(["q1"], a=lists({}), b=lists({}), grades=grades({}), state_b=np.zeros(2, np.int8))


def test_a_grade_above_the_scale_is_refused() -> None:
    with pytest.raises(InputError, match="a grade lies above the declared scale: expected at most 3, got 4"):
        aligned({"q1": {"a": 4}}, {"q1": ["a"]}, top_grade=3)


def test_one_run_alone_is_judged_as_in_an_alignment() -> None:
    said, ranking = {"q1": {"a": 1, "b": 0}}, {"q1": ["b", "a"]}
    alone = judged_lists(lists(ranking), grades=grades(said))
    assert aligned(said, ranking).a.rank.tolist() == alone.rank.tolist()


def test_case_r35_names_unjudged_topics_and_the_gaps_of_either_side(shared_cases: Path) -> None:
    found = case(shared_cases / "R35", topics=["q1", "q2", "q3", "q9"])
    assert ("q9",) == found.topics_without_judgments
    assert [ANSWERED, MISSING, ANSWERED, ANSWERED] == found.state_a.tolist()
    assert [ANSWERED, ANSWERED, MISSING, ANSWERED] == found.state_b.tolist()
