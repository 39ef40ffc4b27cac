"""How the assessors work, and where they disagree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit import Comparison
from comparekit.answers import grade_event, grade_ruling
from comparekit.assessors import (
    agreements,
    disputed_grades,
    disputed_pairs,
    grade_ratings,
    habits,
    hasty_answers,
    position_bias,
    preference_ratings,
)
from comparekit.events import NewEvent
from tests.judging import for_ranker, recorded, said

CHANGED = ("t01", "t02", "t04", "t07", "t08", "t10", "t11", "t13", "t14", "t16", "t17")


def graded(comparison: Comparison, name: str, grade: float | None, *, doc: str = "t00d4") -> NewEvent:
    return grade_event(
        comparison.experiment, event_id=f"{name}-{doc}", assessor=name, topic=doc[:3], doc=doc, grade=grade,
        elapsed_ms=5_000, guideline="v1",
    )  # fmt: skip


def test_position_bias_is_the_share_of_left_among_decided(judged: Comparison) -> None:
    answers = ("left", "left_much", "right", "same", "both_bad", "cannot_judge", "skip")
    found = position_bias(recorded([said(judged, t, answer) for t, answer in zip(CHANGED, answers, strict=False)]))
    assert (found.count, found.n) == (2, 3)
    assert found.low is not None
    assert found.low < 2 / 3 < (found.high or 0)


def test_nothing_decided_has_no_bias() -> None:
    assert position_bias(()).share.text() == "n/a (nothing decided)"


def test_a_swapped_repeat_is_consistent_when_the_same_ranker_is_preferred(judged: Comparison) -> None:
    news = [
        said(judged, "t01", "left", left="a"), said(judged, "t01", "right", left="b", repeat=1),
        said(judged, "t02", "left", left="a"), said(judged, "t02", "left", left="b", repeat=1),
        said(judged, "t04", "same", left="a"), said(judged, "t04", "both_bad", left="b", repeat=1),
        said(judged, "t07", "right", left="a"), said(judged, "t07", "cannot_judge", left="b", repeat=1),
        said(judged, "t08", "right", left="a"),
        said(judged, "t10", "right_much", left="b"), said(judged, "t10", "left", left="a", repeat=1),
    ]  # fmt: skip
    (found,) = habits(recorded(news))
    assert (found.consistent.count, found.consistent.n, found.followed) == (3, 4, 1)
    assert found.answers == 11


def test_habits_are_told_by_assessor_and_nobody_elses_answers_count(judged: Comparison) -> None:
    news = [said(judged, "t01", "left", assessor="ben"), said(judged, "t01", "right"), said(judged, "t02", "right")]
    assert [(each.assessor, each.left.share.value) for each in habits(recorded(news))] == [("ann", 0.0), ("ben", 1.0)]


def test_an_answer_in_under_a_second_is_hasty_and_a_skip_never_is(judged: Comparison) -> None:
    news = [
        said(judged, "t01", "left", elapsed_ms=999),
        said(judged, "t02", "left", elapsed_ms=1_000),
        said(judged, "t04", "skip", elapsed_ms=10),
    ]
    assert hasty_answers(recorded(news)) == (news[0].event_id,)


def test_with_ten_answers_a_fifth_of_the_own_middle_time_is_hasty(judged: Comparison) -> None:
    news = [said(judged, topic, "left", elapsed_ms=20_000) for topic in CHANGED[:9]]
    quick = said(judged, CHANGED[9], "left", elapsed_ms=3_999)
    assert hasty_answers(recorded([*news[:8], quick])) == ()
    assert hasty_answers(recorded([*news, quick])) == (quick.event_id,)


def test_ratings_are_mapped_to_rankers_and_leave_out_repeats_and_no_opinions(judged: Comparison) -> None:
    news = [
        said(judged, "t01", "left", left="b"), said(judged, "t01", "left", left="a", assessor="ben"),
        said(judged, "t01", "left", left="a", repeat=1), said(judged, "t02", "cannot_judge"),
        said(judged, "t04", "both_bad"),
    ]  # fmt: skip
    assert preference_ratings(judged, recorded(news)) == {"t01": {"ann": 1, "ben": -1}, "t04": {"ann": 0}}


def test_disputes_come_with_least_agreement_first_and_say_how_they_ended(judged: Comparison) -> None:
    news = [for_ranker(judged, "t01", "b", assessor=name) for name in ("ann", "ben", "cat")]
    news += [
        for_ranker(judged, "t02", ranker, assessor=name)
        for ranker, name in zip("bba", ("ann", "ben", "cat"), strict=True)
    ]
    news += [
        for_ranker(judged, "t04", ranker, assessor=name) for ranker, name in zip("ba", ("ann", "ben"), strict=True)
    ]
    news += [for_ranker(judged, "t07", "b")]
    found = disputed_pairs(judged, recorded(news))
    assert [(each.topic, each.outcome) for each in found] == [
        ("t04", "unresolved"), ("t02", "majority"), ("t01", "unanimous"),
    ]  # fmt: skip
    assert [each.agreement for each in found] == [0, pytest.approx(1 / 3), 1]
    assert found[0].answers == {"ann": 1, "ben": -1}


def test_grades_are_disputed_and_adjudicated_too(judged: Comparison) -> None:
    news = [graded(judged, "ann", 0), graded(judged, "ben", 2), graded(judged, "cat", None)]
    news += [graded(judged, name, 1, doc="t02d4") for name in ("ann", "ben")]
    assert grade_ratings(judged, recorded(news))[("t00", "t00d4")] == {"ann": 0, "ben": 2}
    assert [(each.doc, each.outcome) for each in disputed_grades(judged, recorded(news))] == [
        ("t00d4", "unresolved"), ("t02d4", "unanimous"),
    ]  # fmt: skip
    ruling = grade_ruling(judged.experiment, event_id="r", assessor="owner", topic="t00", doc="t00d4", grade=1)
    assert disputed_grades(judged, recorded([*news, ruling]))[0].outcome == "adjudicated"


def test_agreements_have_n_and_are_undefined_where_they_are(judged: Comparison) -> None:
    news = [for_ranker(judged, "t01", "b"), for_ranker(judged, "t01", "b", assessor="ben")]
    found = agreements(preference_ratings(judged, recorded(news)))
    assert [each.n for each in found] == [1, 1, 1, 1]
    assert [each.figure.text(".2f") for each in found] == ["1.00", *["n/a (one label)"] * 3]


@given(st.data())
def test_the_order_of_different_assessors_answers_changes_no_habit(judged: Comparison, data: st.DataObject) -> None:
    news = [
        said(
            judged, topic, data.draw(st.sampled_from(("left", "right", "same", "skip"))), assessor=name, elapsed_ms=time
        )
        for topic in CHANGED[:4]
        for name in ("ann", "ben")
        for time in (data.draw(st.integers(0, 3_000)),)
    ]
    turns = data.draw(st.permutations(["ann", "ben"] * 4))
    queues = {name: iter([each for each in news if each.assessor == name]) for name in ("ann", "ben")}
    mixed = recorded([next(queues[name]) for name in turns])
    assert habits(mixed) == habits(recorded(news))
    assert disputed_pairs(judged, mixed) == disputed_pairs(judged, recorded(news))
