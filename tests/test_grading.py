"""Tests of `comparekit.grading`."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit.errors import FormatError
from comparekit.formats import read_judgments
from comparekit.formats.rows import JudgmentRows
from comparekit.grading import Conflict, grades_of
from comparekit.repairs import Repair
from tests.building import judgment_rows

Line = tuple[str, str, float]

DOCS, GRADES = st.sampled_from(["a", "b", "a rather long id"]), st.sampled_from([-1.0, 0.0, 0.5, 2.0])
LINES = st.lists(st.tuples(st.sampled_from(["q1", "q2"]), DOCS, GRADES), max_size=20)


def graded(rows: JudgmentRows, conflict: Conflict = "refuse") -> dict[tuple[str, str], float]:
    found, _ = grades_of(rows, conflict=conflict)
    topics = np.repeat(np.array(found.topics, dtype=object), np.diff(found.offsets))
    return dict(zip(zip(topics, found.docs.to_pylist(), strict=True), found.grades.tolist(), strict=True))


def told(rows: JudgmentRows, conflict: Conflict = "refuse") -> dict[str, Repair]:
    return {repair.what: repair for repair in grades_of(rows, conflict=conflict)[1]}


def said(lines: list[Line]) -> dict[tuple[str, str], list[float]]:
    every: dict[tuple[str, str], list[float]] = {}
    for topic, doc, grade in lines:
        every.setdefault((topic, doc), []).append(grade)
    return every


@given(LINES)
def test_the_highest_grade_holds_by_max(lines: list[Line]) -> None:
    assert {key: max(every) for key, every in said(lines).items()} == graded(judgment_rows(lines), "max")


@given(LINES)
def test_the_last_line_holds_by_last(lines: list[Line]) -> None:
    assert {key: every[-1] for key, every in said(lines).items()} == graded(judgment_rows(lines), "last")


@given(LINES)
def test_the_mean_of_what_was_said_holds_by_mean(lines: list[Line]) -> None:
    expected = {key: float(np.mean(sorted(set(every)))) for key, every in said(lines).items()}
    assert pytest.approx(expected, abs=1e-15) == graded(judgment_rows(lines), "mean")


@given(LINES)
def test_conflicts_are_refused_and_nothing_else_is(lines: list[Line]) -> None:
    every = said(lines)
    if any(len(set(grades)) > 1 for grades in every.values()):
        with pytest.raises(FormatError, match="is graded"):
            graded(judgment_rows(lines))
    else:
        assert {key: grades[0] for key, grades in every.items()} == graded(judgment_rows(lines))


def test_the_same_judgment_twice_counts_once_and_is_reported() -> None:
    rows = judgment_rows([("q1", "y", 2), ("q1", "x", 0), ("q1", "y", 2)])
    assert {("q1", "y"): 2.0, ("q1", "x"): 0.0} == graded(rows)
    assert (1, (3,)) == (told(rows)["repeated-judgment"].count, told(rows)["repeated-judgment"].lines)


def test_two_people_who_agree_are_two_opinions_of_a_mean() -> None:
    lines = [("q1", "x", 2.0), ("q1", "x", 2.0), ("q1", "x", 0.0), ("q1", "x", 0.0)]
    rows = judgment_rows(lines, assessors=["ann", "bob", "eve", "eve"])
    assert pytest.approx(4 / 3) == graded(rows, "mean")["q1", "x"]
    assert (4,) == told(rows, "mean")["repeated-judgment"].lines


def test_one_person_who_repeats_herself_is_one_opinion_of_a_mean() -> None:
    rows = judgment_rows([("q1", "x", 2), ("q1", "x", 2), ("q1", "x", 0)], assessors=["ann", "ann", None])
    assert 1.0 == graded(rows, "mean")["q1", "x"]


def test_a_conflict_names_lines_grades_topic_document_and_the_way_out() -> None:
    rows = judgment_rows([("q1", "y", 2), ("q1", "x", 0), ("q2", "x", 3), ("q1", "x", 1)])
    message = (
        r"qrels.txt:4: document x of topic q1 is graded 0 on line 2 and 1 on line 4\. "
        r'Remove one, or choose a rule for conflicts: "max", "last" or "mean"\.'
    )
    with pytest.raises(FormatError, match=message):
        grades_of(rows)


def test_a_settled_conflict_is_reported_with_all_its_lines() -> None:
    rows = judgment_rows([("q1", "x", 0), ("q1", "y", 2), ("q1", "x", 1)])
    conflict = told(rows, "max")["conflicting-grades"]
    assert (1, (1, 3)) == (conflict.count, conflict.lines)
    assert "1 of 2 judged documents have different grades; theirs is the highest" == conflict.message


def test_the_same_document_under_two_topics_is_no_conflict() -> None:
    assert {("q1", "x"): 0.0, ("q2", "x"): 1.0} == graded(judgment_rows([("q1", "x", 0), ("q2", "x", 1)]))


@pytest.mark.parametrize("grade", [float("nan"), float("inf")])
def test_a_grade_that_is_not_finite_is_refused_with_its_line(grade: float) -> None:
    with pytest.raises(FormatError, match="qrels.txt:2: a grade is missing or not finite"):
        grades_of(judgment_rows([("q1", "x", 0), ("q1", "y", grade)]))


def test_no_judgments_make_no_grades() -> None:
    assert {} == graded(judgment_rows([]))


def test_case_r28_repeats_count_once_and_the_conflict_is_named(shared_cases: Path) -> None:
    rows, _ = read_judgments(shared_cases / "R28" / "qrels.txt")
    with pytest.raises(FormatError, match="document x of topic q1 is graded 0 on line .* and 1 on line"):
        grades_of(rows)
    assert {("q1", "y"): 2.0, ("q1", "x"): 1.0} == graded(rows, "max")
    assert 1 == told(rows, "max")["repeated-judgment"].count


def test_case_r26_fractional_grades_are_kept(shared_cases: Path) -> None:
    rows, _ = read_judgments(shared_cases / "R26" / "qrels.txt")
    assert [0.5, 1.0, 2.7, 0.0] == [graded(rows)["q1", doc] for doc in "abcd"]
