"""The answers as files, and back again."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from comparekit import Comparison
from comparekit.answers import grade_event
from comparekit.errors import InputError, RecordError
from comparekit.exports import (
    BACK,
    grades_csv,
    history,
    preferences_csv,
    qrels,
    read_history,
    triples_csv,
)
from comparekit.files import from_bytes
from comparekit.formats import read_judgments
from tests.judging import for_ranker, recorded, said
from tests.test_minting import graded, some

HERE = Path("history.jsonl")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_qrels_hold_what_the_rule_settled_and_no_grade_for_cannot_judge(judged: Comparison) -> None:
    assert qrels(judged.experiment, recorded(some(judged)), rule="majority") == "t00 0 t00d4 2\n"
    text = qrels(judged.experiment, recorded(some(judged)), rule="median")
    assert text == "t00 0 t00d1 1.5\nt00 0 t00d4 2\nt04 0 t04d4 0.5\n"


def test_qrels_of_ids_with_blanks_are_parted_by_tabs_and_come_back(judged: Comparison) -> None:
    news = [
        grade_event(
            judged.experiment, event_id="x", assessor="ann", topic="t00", doc=doc, grade=1, elapsed_ms=1, guideline=""
        )
        for doc in ("A  B.pdf",)
    ]
    text = qrels(judged.experiment, recorded(news), rule="majority")
    found, _ = read_judgments(from_bytes("qrels.txt", text.encode()))
    assert found.docs.to_pylist() == ["A  B.pdf"]
    broken = [replace(news[0], payload={**news[0].payload, "doc": "a\tb"})]
    with pytest.raises(InputError, match=r"qrels cannot hold this id: got 'a\\tb'"):
        qrels(judged.experiment, recorded(broken), rule="majority")


def test_grades_have_one_row_an_assessor_and_document(judged: Comparison) -> None:
    found = rows(grades_csv(judged.experiment, recorded(some(judged))))
    assert [(row["doc"], row["assessor"], row["grade"], row["status"]) for row in found][:4] == [
        ("t00d1", "ann", "1", "ok"), ("t00d4", "ann", "2", "ok"), ("t00d4", "ben", "0", "ok"),
        ("t00d4", "cat", "2", "ok"),
    ]  # fmt: skip
    assert [row["status"] for row in found if row["doc"] == "t02d4"] == ["cannot judge"]
    assert [row["grade"] for row in found if row["doc"] == "t02d4"] == [""]


def test_preferences_name_the_rankers_that_stood_and_were_preferred(judged: Comparison) -> None:
    news = [
        said(judged, "t01", "left_much", left="b", comment="two\nlines"), said(judged, "t02", "skip"),
        said(judged, "t04", "both_bad"),
    ]  # fmt: skip
    found = rows(preferences_csv(judged, recorded(news)))
    assert [(row["left"], row["right"], row["preferred"], row["status"]) for row in found] == [
        ("beta", "alpha", "beta", "ok"), ("alpha", "beta", "", "skipped"), ("alpha", "beta", "tie", "ok"),
    ]  # fmt: skip
    assert found[0]["comment"] == "two\nlines"


def test_triples_leave_out_repeats_and_no_opinions(judged: Comparison) -> None:
    news = [
        for_ranker(judged, "t01", "b"), said(judged, "t01", "left", repeat=1), said(judged, "t02", "cannot_judge"),
        for_ranker(judged, "t04", "a"), for_ranker(judged, "t07", "same"),
    ]  # fmt: skip
    assert triples_csv(judged, recorded(news)).splitlines() == [
        "topic,a,b,preferred,value,assessor",
        "t01,alpha,beta,beta,1,ann",
        "t04,alpha,beta,alpha,-1,ann",
        "t07,alpha,beta,tie,0,ann",
    ]


def test_text_that_starts_a_formula_is_guarded_and_numbers_are_not(judged: Comparison) -> None:
    news = [said(judged, "t01", "left", comment="=1+1", assessor="@ann")]
    found = rows(preferences_csv(judged, recorded(news)))[0]
    assert (found["comment"], found["assessor"], found["elapsed_ms"]) == ("'=1+1", "'@ann", "9000")
    scale = replace(judged.experiment.declaration, scale=(-2.0, 2.0))
    event = grade_event(
        replace(judged.experiment, declaration=scale), event_id="x", assessor="ann", topic="t00", doc="t00d4",
        grade=-1, elapsed_ms=1, guideline="v1",
    )  # fmt: skip
    assert rows(grades_csv(judged.experiment, recorded([event])))[0]["grade"] == "-1"


def test_a_clock_that_went_back_is_flagged(judged: Comparison) -> None:
    first, second = recorded([said(judged, "t01", "left"), said(judged, "t02", "left")])
    events = (first, replace(second, recorded_at="2025-05-01T09:00:00.000Z"))
    assert [row["clock"] for row in rows(preferences_csv(judged, events))] == ["", BACK]
    assert json.loads(history(events).split(b"\n")[0])["clock_steps_back"] == 1


def test_a_history_comes_back_as_it_was(judged: Comparison) -> None:
    events = recorded([*some(judged), said(judged, "t01", "left", comment="ü\u2028\n")])
    data = history(events)
    assert read_history(data, path=HERE) == events
    assert history(read_history(data, path=HERE)) == data
    assert read_history(history(()), path=HERE) == ()


def test_a_history_that_was_cut_or_changed_is_refused_with_its_line(judged: Comparison) -> None:
    data = history(recorded(some(judged)))
    lines = data.split(b"\n")
    for broken, what in (
        (b"\n".join(lines[:-2]) + b"\n", "history.jsonl:7: events are missing or were added: expected 7, got 6"),
        (data[:-1], "history.jsonl:8: the last line has no end"),
        (data.replace(b'"seq":2', b'"seq": 2'), "history.jsonl:3: not canonical"),
        (data.replace(b'"kind":"vote"', b'"kynd":"vote"', 1), 'history.jsonl:2: unknown member "kynd"'),
        (b"{}\n", "not a history of answers"),
        (b"", "not a history of answers"),
    ):
        with pytest.raises(RecordError, match=what):
            read_history(broken, path=HERE)


def test_a_grade_of_another_scope_is_not_exported(judged: Comparison) -> None:
    event = replace(recorded([graded(judged, "ann", "t00d4", 1)])[0], comparison="grade:elsewhere")
    assert rows(grades_csv(judged.experiment, [event])) == []
