"""The Judgments page and the experts' panel: what the answers say, and what becomes of them."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparekit.access import add_person, local_person
from comparekit.answers import grade_event, preference_event
from comparekit.attempts import attempt_id
from comparekit.comparison import Comparison
from comparekit.events import NewEvent
from comparekit.experiment import judgment_sets
from comparekit.minting import judgments_folder
from comparekit.queueing import build_queue, hole_queue
from comparekit.sides import sealed
from comparekit.ui.access_gate import PERSON
from comparekit.ui.loading import FIXTURE
from tests.ui.conftest import Opener, said
from tests.ui.desk import place, recorded, the_book


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return place(monkeypatch, tmp_path)


def answer(comparison: Comparison, answers: Iterable[str], *, assessor: str) -> None:
    """Answers to the first pairs of the queue; "a" and "b" prefer a ranker."""
    secret = the_book().secret
    tasks = [task for task in build_queue(comparison, seed=20100301) if not task.repeat]
    for task, what in zip(tasks, answers, strict=False):
        hidden = sealed(comparison, task, secret=secret, assessor=assessor)
        pressed = ("left" if hidden.left == what else "right") if what in "ab" else what
        the_book().append(
            preference_event(
                hidden, event_id=f"{assessor} {task.topic}", answer=pressed, elapsed_ms=9000, guideline="v1"
            )
        )


def grade(comparison: Comparison, grades: Iterable[float | None], *, assessor: str) -> None:
    """Grades of the first documents of the queue."""
    for hole, given in zip(hole_queue(comparison), grades, strict=False):
        the_book().append(graded(comparison, hole.topic, hole.doc, given, assessor))


def graded(comparison: Comparison, topic: str, doc: str, given: float | None, assessor: str) -> NewEvent:
    return grade_event(
        comparison.experiment, event_id=f"{assessor} {topic} {doc}", assessor=assessor, topic=topic, doc=doc,
        grade=given, elapsed_ms=5000, guideline="v1",
    )  # fmt: skip


def opened(open_page: Opener, name: str | None = "Ada") -> AppTest:
    app = open_page("pages/judgments.py")
    if name is not None:
        app.session_state[PERSON] = local_person(name)
        app.run()
    assert not app.exception
    return app


def files() -> dict[str, str]:
    """Every file of the shipped experiment with its digest."""
    found = sorted(path for path in FIXTURE.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def test_without_an_answer_the_page_says_so_and_nothing_is_a_number(open_page: Opener) -> None:
    page = said(opened(open_page, None))
    assert "<h1>No answers yet</h1>" in page
    assert "not defined: no item with two answers" in page
    assert "No item has two answers yet" in page


def test_overview_makes_no_record_where_nobody_answered(open_page: Opener, store: Path) -> None:
    open_page("app.py")
    assert not store.exists()


def test_agreement_is_told_with_what_it_rests_on(open_page: Opener, shipped: Comparison) -> None:
    answer(shipped, "abab", assessor="Ada")
    answer(shipped, "abba", assessor="Ben")
    page = said(opened(open_page))
    assert "8 answers on pairs of lists and 0 grades of documents, by 2 people" in page
    assert ">raw agreement</span>" in page
    assert ">0.500</span>" in page


def test_the_experts_panel_counts_by_topic_and_names_who_is_preferred(open_page: Opener, shipped: Comparison) -> None:
    answer(shipped, ["b"] * 9 + ["same", "a"], assessor="Ada")
    page = said(opened(open_page))
    assert f"The experts prefer {shipped.b_name}, by 1 assessor on 11 topics." in page
    assert "By topic: 9 B preferred, 1 neither, 1 A preferred" in page
    assert "86 %" in page  # (9 + 1/2) / 11
    assert "10 decided topics" in page


def test_habits_of_every_assessor_stand_in_a_row(open_page: Opener, shipped: Comparison) -> None:
    answer(shipped, "aaabbb", assessor="Ada")
    page = said(opened(open_page))
    assert "<bdi>Ada</bdi>" in page
    assert "9.0 s" in page
    assert "Same when swapped" in page


def test_the_adjudicators_decision_is_recorded_and_marked(open_page: Opener, shipped: Comparison) -> None:
    answer(shipped, "ab", assessor="Ada")
    answer(shipped, "bb", assessor="Ben")
    app = opened(open_page, "Owner")
    assert "unresolved" in said(app)
    app.text_input(key="adjudication-reason").input("the need says so")
    app.button(key="decide-b").click().run()
    event = recorded()[-1]
    assert ("Owner", "b", "the need says so") == (event.assessor, event.payload["value"], event.payload["reason"])
    assert "Recorded: B serves better." in said(app)
    assert ">adjudicated</span>" in said(app)


def test_a_decision_on_a_grade_is_recorded_on_the_scale(open_page: Opener, shipped: Comparison) -> None:
    grade(shipped, [0], assessor="Ada")
    grade(shipped, [3], assessor="Ben")
    app = opened(open_page, "Owner")
    app.button(key="decide-3").click().run()
    assert 3 == recorded()[-1].payload["value"]


def test_an_engineer_reads_and_mints_but_does_not_adjudicate(
    open_page: Opener, shipped: Comparison, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade(shipped, [0], assessor="Ada")
    grade(shipped, [3], assessor="Ben")
    access = tmp_path / "access.toml"
    token = add_person(access, "Eve", role="engineer")
    monkeypatch.setenv("COMPAREKIT_ACCESS", str(access))
    app = open_page("pages/judgments.py", token=token)
    keys = [each.key for each in app.button]
    assert not [key for key in keys if key and key.startswith("decide")]
    assert "Make the set" in [each.label for each in app.button]


def test_minting_writes_a_numbered_set_beside_the_record_and_no_pinned_file_changes(
    open_page: Opener, shipped: Comparison, store: Path
) -> None:
    before = files()
    grade(shipped, [3, 0, 1], assessor="Ada")
    app = opened(open_page)
    next(each for each in app.button if each.label == "Make the set").click().run()
    assert "Judgment set 0001 is written." in said(app)
    folder = judgments_folder(store.parent, shipped.experiment.declaration)
    assert ("pinned", "0001") == judgment_sets(shipped.experiment.folder, folder)
    assert before == files()
    app.run()
    assert ("pinned", "0001") == judgment_sets(shipped.experiment.folder, folder)


def test_the_experiment_is_evaluated_under_a_minted_set_by_its_name(open_page: Opener, shipped: Comparison) -> None:
    grade(shipped, [3, 0, 1], assessor="Ada")
    app = opened(open_page)
    next(each for each in app.button if each.label == "Make the set").click().run()
    assert "./?judgments=0001" in said(app)
    page = open_page("app.py", judgments="0001")
    assert not page.exception
    assert "0001" in [box.value for box in page.selectbox]


def test_every_kind_of_answer_can_be_taken_away_as_a_file(open_page: Opener, shipped: Comparison) -> None:
    answer(shipped, "ab", assessor="Ada")
    labels = [each.proto.label for each in opened(open_page).get("download_button")]
    assert ["Whole history (JSONL)", "Grades (qrels)", "Grades (CSV)"] == labels[:3]
    assert ["Preferences (CSV)", "Preference triples (CSV)"] == labels[3:]


def test_the_record_is_named_with_its_head(open_page: Opener, shipped: Comparison, store: Path) -> None:
    answer(shipped, "a", assessor="Ada")
    page = said(opened(open_page))
    assert str(store) in page
    assert recorded()[-1].digest in page


def test_an_attempt_has_one_id_however_often_it_is_made() -> None:
    one, again, next_one, other = (
        attempt_id(b"k", assessor=name, comparison="c", item=("t", 0), number=number)
        for name, number in (("Ada", 0), ("Ada", 0), ("Ada", 1), ("Ben", 0))
    )
    assert one == again
    assert 3 == len({one, next_one, other})
