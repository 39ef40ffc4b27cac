"""A person's grade overrides one derived from clicks."""

import json
from pathlib import Path

import pytest

from comparekit.formats import read_judgments
from comparekit.overriding import merge


def record(doc: str, grade: float, source: str | None = "human", **more: str) -> dict[str, object]:
    return {"topic": "q", "doc": doc, "grade": grade, **({"source": source} if source else {}), **more}


def test_the_persons_grade_wins_and_the_others_stay() -> None:
    found = merge([record("a", 2), record("a", 0, "click"), record("b", 1, "click"), record("c", 1, None)])
    assert [(each["doc"], each["grade"]) for each in found.records] == [("a", 2), ("b", 1), ("c", 1)]
    assert (found.human, found.derived, found.overridden) == (1, 1, 1)


def test_agreement_is_told_of_the_overlap_only() -> None:
    # By hand: of four documents with both, three agree; kappa by chance 1/2: (3/4 - 1/2) / (1/2) = 1/2.
    pairs = [("a", 1, 1), ("b", 0, 0), ("c", 1, 0), ("d", 0, 0)]
    rows = [record(doc, human) for doc, human, _ in pairs] + [record(doc, click, "click") for doc, _, click in pairs]
    found = merge([*rows, record("e", 2), record("f", 0, "click")])
    raw, kappa, *_ = found.agreement
    assert (raw.n, raw.figure.value) == (4, 0.75)
    assert kappa.figure.value == pytest.approx(0.5)


def test_several_grades_of_one_kind_are_taken_at_their_median() -> None:
    rows = [record("a", grade, assessor=name) for grade, name in ((0, "x"), (2, "y"), (2, "z"))]
    found = merge([*rows, record("a", 2, "click")])
    assert found.agreement[0].figure.value == 1
    assert len(found.records) == 3


def test_without_overlap_agreement_is_undefined() -> None:
    assert {each.figure.value for each in merge([record("a", 1), record("b", 1, "click")]).agreement} == {None}


def test_every_derived_grade_of_a_real_collection_gives_way(shared_data: Path) -> None:
    human, _ = read_judgments(shared_data / "esci_us" / "qrels.txt")
    topics, docs, grades = human.topics.to_pylist(), human.docs.to_pylist(), human.grades.tolist()
    rows = [
        {"topic": topic, "doc": doc, "grade": grade, "source": "human"}
        for topic, doc, grade in zip(topics, docs, grades, strict=True)
    ]
    # Every tenth grade, as a click model might give it: by halves, and off by one in every other.
    clicks = [{**row, "grade": row["grade"] / 2 + at % 2, "source": "click"} for at, row in enumerate(rows[::10])]
    found = merge(json.loads(json.dumps([*rows, *clicks])))
    assert found.overridden == len({(row["topic"], row["doc"]) for row in clicks})
    assert len(found.records) == len(rows)
    assert {row["source"] for row in found.records} == {"human"}
