"""Grading: one document that nobody judged, on the experiment's scale."""

from pathlib import Path

import pytest

from comparekit.comparison import Comparison
from comparekit.queueing import hole_queue
from comparekit.scales import steps
from comparekit.standing import grade_scope
from comparekit.topics import HELD_OUT
from tests.ui.conftest import Opener, said, told
from tests.ui.desk import Expert, html_of, place, recorded


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return place(monkeypatch, tmp_path)


@pytest.fixture
def ada(open_page: Opener) -> Expert:
    return Expert(open_page, mode="grade")


def test_one_hole_at_a_time_in_the_order_of_the_queue(ada: Expert, shipped: Comparison) -> None:
    for hole in hole_queue(shipped)[:3]:
        document = shipped.experiment.documents.get(hole.doc)
        assert document is not None
        assert document.title == ada.shown["left"][0]["title"]
        assert ada.shown["right"] is None
        ada.press("grade:2")


def test_a_grade_of_the_scale_is_recorded_with_what_was_read(ada: Expert, shipped: Comparison) -> None:
    assert ["grade:0", "grade:1", "grade:2", "grade:3"] == [each for each in ada.buttons() if each.startswith("grade")]
    ada.press("grade:3")
    (event,) = recorded()
    hole = hole_queue(shipped)[0]
    assert (hole.topic, hole.doc, 3) == tuple(event.payload[key] for key in ("topic", "doc", "grade"))
    assert grade_scope(shipped.experiment.topics.digest) == event.comparison
    assert event.payload["text_digest"].startswith("sha256:")


def test_neither_rank_nor_ranker_is_told(ada: Expert, shipped: Comparison) -> None:
    everything = html_of(ada.app).lower()
    for word in (shipped.a_name, shipped.b_name, "baseline", "candidate", "rank ", "sha256:"):
        assert word not in everything


def test_cannot_judge_is_no_grade(ada: Expert) -> None:
    ada.press("ask").press("cannot_judge:texts")
    (event,) = recorded()
    assert (None, "texts") == (event.payload["grade"], event.payload["reason"])


def test_undo_and_grade_again(ada: Expert) -> None:
    title = ada.shown["left"][0]["title"]
    ada.press("grade:0").press("undo")
    assert title == ada.shown["left"][0]["title"]
    ada.press("grade:1")
    assert ["vote", "withdraw", "vote"] == [event.kind for event in recorded()]


def test_what_is_put_off_comes_back_after_the_others(ada: Expert, shipped: Comparison) -> None:
    first, count = ada.shown["left"][0]["title"], len(hole_queue(shipped))
    ada.press("skip")
    assert () == recorded()
    for _ in range(count - 1):
        ada.press("grade:0")
    assert first == ada.shown["left"][0]["title"]
    ada.press("grade:0")
    assert "Nothing is left for you" == ada.heading


def test_the_topic_page_leads_to_a_document_and_then_the_queue_goes_on(open_page: Opener, shipped: Comparison) -> None:
    holes = hole_queue(shipped)
    wanted = holes[-1]
    results = told(open_page("pages/topic.py", topic=wanted.topic, depth="20"), "lists")
    links = [row["judge"] for side in "ab" for row in results[side]["results"] if row["grade"] is None]
    assert f"judge?mode=grade&topic={wanted.topic}&doc={wanted.doc}" in links
    ada = Expert(open_page, mode="grade", topic=wanted.topic, doc=wanted.doc)
    document = shipped.experiment.documents.get(wanted.doc)
    assert document is not None
    assert document.title == ada.shown["left"][0]["title"]
    ada.press("grade:1")
    assert (wanted.topic, wanted.doc) == (recorded()[0].payload["topic"], recorded()[0].payload["doc"])
    assert "doc" not in ada.app.query_params
    assert holes[0].topic == next(t.id for t in shipped.experiment.topics.topics if t.text == ada.heading)


@pytest.mark.parametrize("kind", ["unknown", "held out"])
def test_an_address_cannot_open_a_closed_topic(open_page: Opener, shipped: Comparison, kind: str) -> None:
    held = next(topic for topic in shipped.experiment.topics.topics if topic.split == HELD_OUT)
    ada = Expert(open_page, mode="grade", topic="nope" if kind == "unknown" else held.id, doc="x")
    assert held.text != ada.heading
    assert "There is no open topic" in said(ada.app)


def test_the_scale_is_the_declared_one(shipped: Comparison) -> None:
    assert [("0", 0.0), ("1", 1.0), ("2", 2.0), ("3", 3.0)] == [(s.key, s.grade) for s in steps(shipped.experiment)]
