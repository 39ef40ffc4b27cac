"""Judging two lists: what is shown, what is recorded, and what never is."""

import shutil
from pathlib import Path

import pytest

from comparekit.comparison import Comparison
from comparekit.errors import StoreFull
from comparekit.queueing import build_queue
from comparekit.ui import judging_desk, judging_store
from comparekit.ui.loading import FIXTURE
from tests.ui.conftest import Opener, said
from tests.ui.desk import Expert, html_of, place, recorded

DOCUMENT = {"doc", "title", "text", "fields"}


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return place(monkeypatch, tmp_path)


@pytest.fixture
def ada(open_page: Opener) -> Expert:
    return Expert(open_page)


def texts(comparison: Comparison) -> list[str]:
    """The topics of the queue in order, repeats left out."""
    queue = build_queue(comparison, seed=20100301)
    return [comparison.experiment.topics[task.topic].text for task in queue if not task.repeat]


def test_a_deep_link_asks_for_the_name_once_and_then_shows_the_first_pair(
    open_page: Opener, shipped: Comparison
) -> None:
    app = open_page("pages/judge.py")
    assert "Who is judging?" in said(app)
    assert texts(shipped)[0] == Expert(open_page).heading


@pytest.mark.parametrize("name", ["", "   "])
def test_nobody_judges_without_a_name(open_page: Opener, name: str) -> None:
    expert = Expert(open_page, name or " ")
    assert "Who is judging?" in said(expert.app)


def test_topic_task_need_and_reason_stand_on_top(ada: Expert, shipped: Comparison) -> None:
    topic = next(each for each in shipped.experiment.topics.topics if each.text == ada.heading)
    page = said(ada.app)
    assert topic.need in page.replace("&#x27;", "'")
    assert f"<bdi>{topic.task}</bdi>" in page
    assert "near the top" in page or "never judged" in page or "hardly tell" in page or "at random" in page


def test_the_browser_is_told_tokens_and_texts_only(ada: Expert) -> None:
    told = ada.shown
    assert {"left", "right", "ranks", "fold", "shown", "token", "nonce", "terms", "keys", "dwell"} == set(told)
    assert all(DOCUMENT == set(document) for document in (*told["left"], *told["right"]))


def test_nothing_is_said_that_a_ranker_could_be_known_by(ada: Expert, shipped: Comparison) -> None:
    for what in ("left", "ask", "back", "note", "undo", "skip"):
        everything = html_of(ada.app)
        for word in (shipped.a_name, shipped.b_name, "baseline", "candidate", "receipt", "sha256:", "jsonl"):
            assert word not in everything.lower(), word
        ada.press(what)


@pytest.mark.parametrize("answer", ["left_much", "left", "same", "right", "right_much", "both_bad"])
def test_an_answer_is_recorded_as_it_was_pressed_with_what_was_shown(
    ada: Expert, answer: str, shipped: Comparison
) -> None:
    ada.press(answer)
    (event,) = recorded()
    payload = event.payload
    assert ("vote", "Ada", answer) == (event.kind, event.assessor, payload["answer"])
    assert {"depth": 10, "ranks": True, "fold": True} == payload["shown"]
    assert payload["left"] in ("a", "b")
    assert shipped.a.receipt_digest(payload["topic"]) == payload["receipt_a"]
    assert "Saved" in ada.line


def test_the_left_list_is_the_one_that_is_recorded_as_left(ada: Expert, shipped: Comparison) -> None:
    for _ in range(6):
        titles = [document["title"] for document in ada.shown["left"]]
        ada.press("left")
        payload = recorded()[-1].payload
        view = shipped.topic(payload["topic"], depth=10)
        rows = view.rows_a if payload["left"] == "a" else view.rows_b
        assert [row.title for row in rows] == titles


def test_the_next_pair_follows_and_progress_counts(ada: Expert, shipped: Comparison) -> None:
    ada.press("left")
    assert texts(shipped)[1] == ada.heading
    assert "1 of " in said(ada.app)


def test_cannot_judge_asks_why_and_records_it(ada: Expert) -> None:
    ada.press("ask")
    assert {"cannot_judge:expertise", "cannot_judge:ambiguous", "cannot_judge:texts", "back"} <= set(ada.buttons())
    assert "left" not in ada.buttons()
    ada.press("back")
    assert "left" in ada.buttons()
    ada.press("ask").press("cannot_judge:ambiguous")
    (event,) = recorded()
    assert ("cannot_judge", ["ambiguous"]) == (event.payload["answer"], list(event.payload["reasons"]))


def test_a_skipped_pair_comes_back_after_the_others(ada: Expert) -> None:
    first = ada.heading
    ada.press("skip")
    assert first != ada.heading
    while ada.heading != first:
        ada.press("same")
    ada.press("right")
    last = recorded()[-1]
    assert "revise" == last.kind
    assert recorded()[0].event_id == last.supersedes
    assert "Nothing is left for you" == ada.heading


def test_undo_takes_back_and_shows_the_pair_again(ada: Expert) -> None:
    first = ada.heading
    ada.press("left").press("undo")
    assert first == ada.heading
    assert "Taken back" in ada.line
    assert "undo" not in ada.buttons()
    ada.press("right")
    assert ["vote", "withdraw", "vote"] == [event.kind for event in recorded()]
    assert 3 == len({event.event_id for event in recorded()})


def test_undo_goes_back_as_far_as_one_likes(ada: Expert) -> None:
    first = ada.heading
    ada.press("left").press("same").press("right").press("undo").press("undo").press("undo")
    assert first == ada.heading
    assert 3 == sum(event.kind == "withdraw" for event in recorded())


def test_a_note_goes_with_the_answer(ada: Expert) -> None:
    ada.press("note")
    ada.app.button_group[0].set_value(["top"])
    next(each for each in ada.app.text_input if each.key and each.key.startswith("note-")).input(
        "clear\x07 winner"
    ).run()
    ada.press("right")
    (event,) = recorded()
    assert (["top"], "clear winner") == (list(event.payload["reasons"]), event.payload["comment"])
    ada.press("same")
    assert "" == recorded()[1].payload["comment"]


def test_what_was_not_seen_long_enough_is_not_answered(ada: Expert, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging_desk, "DWELL", 60.0)
    first = ada.heading
    ada.press("left")
    assert () == recorded()
    assert first == ada.heading
    assert "Not counted" in ada.line


def test_a_press_for_another_pair_is_not_acted_on(ada: Expert) -> None:
    desk = ada.app.session_state["judging-desk-pairs"]
    stale = desk.token
    ada.press("left")
    ada.app.session_state["judging-desk-pairs"].want(stale, "right")
    ada.app.run()
    assert 1 == len(recorded())
    assert "answered already" in ada.line


def test_two_tabs_make_one_record_and_the_second_is_told(open_page: Opener) -> None:
    one, other = Expert(open_page), Expert(open_page)
    assert one.heading == other.heading
    one.press("left")
    other.press("right")
    assert ["left"] == [event.payload["answer"] for event in recorded()]
    assert "Already recorded" in other.line
    assert one.heading == other.heading


def test_two_assessors_do_not_block_each_other(open_page: Opener) -> None:
    ada, ben = Expert(open_page), Expert(open_page, "Ben")
    assert ada.heading == ben.heading
    ada.press("left")
    ben.press("left")
    assert ["Ada", "Ben"] == [event.assessor for event in recorded()]


def test_a_session_resumes_where_the_assessor_left(open_page: Opener) -> None:
    before = Expert(open_page).press("left").press("skip").press("same")
    again = Expert(open_page)
    assert before.heading == again.heading
    assert "2 of " in said(again.app)
    again.press("undo")
    assert "withdraw" == recorded()[-1].kind


def test_a_failed_save_says_so_keeps_the_answer_and_records_it_once_later(
    ada: Expert, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, append, full = ada.heading, judging_store.Book.append, []

    def no_room(self: judging_store.Book, event: object) -> None:
        full.append(event)
        raise StoreFull("there is no room on the disk", todo="Make room, then try again.")

    monkeypatch.setattr(judging_store.Book, "append", no_room)
    ada.press("right_much")
    assert first == ada.heading
    assert "Not saved: Right much better" in ada.line and "Make room" in ada.line
    assert ["retry", "discard"] == ada.buttons()
    ada.press("retry")
    assert () == recorded()
    monkeypatch.setattr(judging_store.Book, "append", append)
    ada.press("retry")
    (event,) = recorded()
    assert 2 == len(full)
    assert all(each.event_id == event.event_id for each in full)  # type: ignore[attr-defined]
    assert all(each.payload == event.payload for each in full)  # type: ignore[attr-defined]
    assert first != ada.heading
    assert "Saved" in ada.line


def test_an_answer_that_could_not_be_saved_can_be_taken_off(ada: Expert, monkeypatch: pytest.MonkeyPatch) -> None:
    append = judging_store.Book.append

    def no_room(self: judging_store.Book, event: object) -> None:
        raise StoreFull("there is no room on the disk")

    monkeypatch.setattr(judging_store.Book, "append", no_room)
    first = ada.heading
    ada.press("left").press("discard")
    monkeypatch.setattr(judging_store.Book, "append", append)
    assert first == ada.heading
    assert "Nothing was recorded" in ada.line
    ada.press("same")
    assert ["same"] == [event.payload["answer"] for event in recorded()]


def test_the_view_is_stored_with_the_answer(ada: Expert) -> None:
    ada.app.toggle(key="view-ranks").set_value(False)
    ada.app.toggle(key="view-fold").set_value(False)
    ada.app.select_slider(key="view-depth").set_value(5).run()
    assert (False, False, 5) == (ada.shown["ranks"], ada.shown["fold"], len(ada.shown["left"]))
    ada.press("left")
    assert {"depth": 5, "ranks": False, "fold": False} == recorded()[0].payload["shown"]


def test_the_guideline_is_one_press_away_and_its_version_is_stored(ada: Expert) -> None:
    ada.app.button(key="guideline").click().run()
    page = said(ada.app)
    assert "Which list serves this need better?" in page
    ada.press("left")
    assert recorded()[0].payload["guideline"][:19].removeprefix("sha256:") in page


def test_an_error_of_the_experiment_names_no_file_here(open_page: Opener, tmp_path: Path) -> None:
    folder = tmp_path / "experiment"
    shutil.copytree(FIXTURE, folder)
    receipts = next(path for path in (folder / "receipts").iterdir() if ".manifest" not in path.name)
    receipts.write_bytes(receipts.read_bytes() + b" ")
    app = open_page("pages/judge.py", experiment=folder)
    page = said(app)
    assert "cannot be opened" in page
    assert "bm25" not in page
