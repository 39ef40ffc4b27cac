"""An expert judges by keyboard in a real browser: what was pressed is what is recorded, and nothing else happens."""

import sqlite3
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from comparekit.canonical import sha256_of
from comparekit.events import Event, current
from comparekit.store import open_store
from tests.browser.conftest import DESK, PHONE, SHIPPED, SHOTS, guarded, served, settle
from tests.browser.test_looks import LOOKS, looks

SEEN = 450
"""Milliseconds after which a pair counts as seen."""


@dataclass(frozen=True)
class Desk:
    """A server, its record, and the assessor who sits down there."""

    site: str
    record: Path
    name: str = "Ada"

    def events(self) -> tuple[Event, ...]:
        """What this assessor recorded."""
        with open_store(self.record, read_only=True) as store:
            return tuple(event for event in store.events() if event.assessor == self.name)

    def answers(self) -> list[str]:
        """What of it stands, in the order of record."""
        return [event.payload["answer"] for event in current(self.events())]


@contextmanager
def judged(folder: Path, experiment: Path = SHIPPED) -> Iterator[Desk]:
    """A server with a record of its own; whatever goes wrong in our code and not in Streamlit's fails the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPAREKIT_STORE", str(folder / "judgments.sqlite"))
        patch.delenv("COMPAREKIT_ACCESS", raising=False)
        with served(experiment, folder / "log") as site:
            yield Desk(site, folder / "judgments.sqlite")
    assert "/comparekit/" not in (folder / "log").read_text()


@pytest.fixture(scope="module")
def shared_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with judged(tmp_path_factory.mktemp("shared")) as desk:
        yield desk


@pytest.fixture
def desk(shared_desk: Desk, request: pytest.FixtureRequest) -> Desk:
    """An assessor of this test alone, at a server shared with other tests."""
    return replace(shared_desk, name=request.node.name[-80:])


@pytest.fixture
def own_desk(tmp_path: Path) -> Iterator[Desk]:
    """A server of this test alone."""
    with judged(tmp_path) as desk:
        yield desk


def sit_down(page: Page, desk: Desk) -> None:
    """Open the page, say who is judging, and look at the first pair."""
    page.goto(f"{desk.site}/judge")
    page.get_by_label("Your name").fill(desk.name)
    page.keyboard.press("Enter")
    look(page)


def look(page: Page) -> None:
    page.locator("[data-ready], h1:has-text('Nothing is left')").first.wait_for(timeout=30_000)
    settle(page)


def topic(page: Page) -> str:
    return page.locator("h1").first.inner_text()


def press(page: Page, key: str, done: str) -> None:
    """Press a key, wait for what the bar says then, and look at what comes next."""
    page.keyboard.press(key)
    expect(page.locator(".ck-said")).to_contain_text(done, timeout=10_000)
    look(page)


def files() -> dict[Path, str]:
    """The digest of every file of the experiment."""
    return {path: sha256_of(path.read_bytes()) for path in SHIPPED.rglob("*") if path.is_file()}


KEYS = {"1": "left_much", "2": "left", "3": "same", "4": "right", "5": "right_much", "b": "both_bad"}
WORDS = {
    "1": "Left much better", "2": "Left better", "3": "Same, both good", "4": "Right better", "5": "Right much better",
    "b": "Both bad",
}  # fmt: skip


def test_experts_answer_forty_pairs_and_the_record_holds_what_was_meant(browser: Browser, own_desk: Desk) -> None:
    """Two assessors of twenty and more: forty pairs, two undone, one skipped, one reload in the middle."""
    before_all = files()
    meant: dict[str, list[str]] = {"Ada": [], "Ben": []}
    script = "1234512b45" * 2
    for name, said in meant.items():
        with guarded(browser.new_context(viewport={"width": DESK[0], "height": DESK[1]})) as page:
            sit_down(page, replace(own_desk, name=name))
            for number, key in enumerate(script):
                if number == 3:
                    press(page, "s", "Skipped for")
                if number in (6, 12):
                    press(page, "3", "Same, both good for")
                    before = topic(page)
                    press(page, "u", "Taken back")
                    assert before != topic(page)
                if number == 10:
                    page.reload()
                    look(page)
                shown = topic(page)
                press(page, key, f"{WORDS[key]} for “{shown[:60]}")
                said.append(KEYS[key])
            expect(page.locator(".ck-mine")).to_contain_text(f"{len(script)} of ")
    for name, said in meant.items():
        mine = replace(own_desk, name=name).events()
        stands = [event for event in current(mine) if event.payload["answer"] != "skip"]
        assert said == [event.payload["answer"] for event in stands]
        assert 2 == sum(event.kind == "withdraw" for event in mine)
        assert 1 == sum(event.payload["answer"] == "skip" for event in mine)
        assert 1 + 2 * 2 + 20 == len(mine)
        assert all(event.payload["elapsed_ms"] >= 350 for event in mine if event.kind != "withdraw")
        assert len(mine) == len({event.event_id for event in mine})
    assert before_all == files()


def test_from_a_key_to_the_next_pair(page: Page, own_desk: Desk) -> None:
    sit_down(page, own_desk)
    times = []
    for _ in range(15):
        before = topic(page)
        start = time.perf_counter()
        page.keyboard.press("2")
        page.wait_for_function("before => document.querySelector('h1')?.innerText !== before", arg=before, polling=5)
        times.append(1000 * (time.perf_counter() - start))
        look(page)
    print(f"\nkey to next pair: median {statistics.median(times):.0f} ms, longest {max(times):.0f} ms")
    assert 15 == len(own_desk.events())


def test_a_held_key_answers_one_pair(page: Page, desk: Desk) -> None:
    sit_down(page, desk)
    for _ in range(40):  # keydowns without a keyup between them are repeats
        page.keyboard.down("1")
        page.wait_for_timeout(30)
    page.keyboard.up("1")
    page.wait_for_timeout(800)
    assert 1 == len(desk.events())


def test_a_double_press_never_answers_an_unseen_pair(page: Page, desk: Desk) -> None:
    sit_down(page, desk)
    for key in "4455":
        page.keyboard.press(key)
    page.wait_for_timeout(1500)
    assert ["right"] == desk.answers()


def test_hammering_keys_answers_no_pair_faster_than_it_can_be_seen(page: Page, desk: Desk) -> None:
    sit_down(page, desk)
    for key in "12345b1234512345b12345":
        page.keyboard.press(key)
        page.wait_for_timeout(60)
    page.wait_for_timeout(1000)
    assert all(event.payload["elapsed_ms"] >= 350 for event in desk.events())


def test_a_double_click_answers_one_pair(page: Page, desk: Desk) -> None:
    sit_down(page, desk)
    page.get_by_role("button", name="Right better").dblclick()
    page.wait_for_timeout(1500)
    assert ["right"] == desk.answers()


def test_a_reason_pressed_right_after_x_is_not_an_answer(page: Page, desk: Desk) -> None:
    sit_down(page, desk)
    page.keyboard.press("x")
    page.keyboard.press("1")
    page.wait_for_timeout(1200)
    assert () == desk.events()
    expect(page.get_by_text("Why can this not be judged?")).to_be_visible()
    press(page, "2", "Cannot judge for")
    assert [["ambiguous"]] == [list(event.payload["reasons"]) for event in desk.events()]


def test_typing_a_note_answers_nothing_and_goes_with_the_answer(page: Page, desk: Desk) -> None:
    sit_down(page, desk)
    page.keyboard.press("m")
    page.get_by_placeholder("What decided it?").click()
    page.keyboard.type("1 2 3 both x s u fine")
    assert () == desk.events()
    page.keyboard.press("Enter")
    page.wait_for_timeout(800)
    press(page, "5", "Right much better for")
    assert ["1 2 3 both x s u fine"] == [event.payload["comment"] for event in desk.events()]


def test_modified_keys_and_keys_behind_the_guideline_answer_nothing(page: Page, desk: Desk) -> None:
    sit_down(page, desk)
    page.keyboard.press("Control+1")
    page.keyboard.press("Alt+2")
    page.keyboard.press("g")
    page.get_by_text("Which list serves this need better?").wait_for()
    look(page)
    page.keyboard.press("1")
    page.wait_for_timeout(800)
    assert () == desk.events()
    page.keyboard.press("Escape")
    look(page)
    press(page, "1", "Left much better for")


def test_one_document_is_marked_on_both_sides(page: Page, desk: Desk) -> None:
    sit_down(page, desk)
    docs = page.locator("[data-doc]").evaluate_all("nodes => nodes.map(node => node.dataset.doc)")
    twice = next(doc for doc in docs if docs.count(doc) == 2)
    page.locator(f'[data-doc="{twice}"]').first.hover()
    expect(page.locator(".hot")).to_have_count(2)


HEIGHTS = """rows => rows.map(row =>
  [...row.querySelectorAll(".card")].map(card => Math.round(card.getBoundingClientRect().height)))"""


def test_rows_of_both_lists_are_of_one_height(page: Page, desk: Desk) -> None:
    sit_down(page, desk)
    heights = page.locator(".row").evaluate_all(HEIGHTS)
    assert len(heights) > 3
    assert all(len(set(pair)) == 1 for pair in heights)


def test_on_a_phone_each_list_is_whole_and_a_tap_turns_between_them(browser: Browser, desk: Desk) -> None:
    context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True)
    with guarded(context) as page:
        sit_down(page, desk)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        left, right = page.locator(".card.left").first, page.locator(".card.right").first
        first = left.bounding_box()
        assert first is not None and first["width"] > 300
        page.get_by_role("button", name="Right", exact=True).click()
        page.wait_for_timeout(900)
        box = right.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= PHONE[0]
        page.get_by_role("button", name="Right better").tap()
        expect(page.locator(".ck-said")).to_contain_text("Right better for")
        assert ["right"] == desk.answers()


def test_an_answer_that_cannot_be_saved_stays_and_is_saved_once_it_can(page: Page, own_desk: Desk) -> None:
    sit_down(page, own_desk)
    press(page, "2", "Left better")
    shown = topic(page)
    with sqlite3.connect(own_desk.record, isolation_level=None) as reader:
        # Somebody who reads on and on keeps the writer out, as a stuck backup would.
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM preference_event").fetchall()
        page.keyboard.press("4")
        expect(page.get_by_role("alert")).to_contain_text("Not saved", timeout=60_000)
        assert shown == topic(page)
        reader.execute("ROLLBACK")
    look(page)
    page.keyboard.press("t")
    expect(page.locator(".ck-said")).to_contain_text("Saved", timeout=30_000)
    assert ["left", "right"] == own_desk.answers()


def readable(page: Page, name: str, scheme: str) -> None:
    """Contrast, headings, names and no overflow; and a picture to look at."""
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}-{scheme}-{page.evaluate('innerWidth')}.png")
    seen = page.evaluate(LOOKS)
    assert [] == seen["faint"]
    assert [] == seen["nameless"]
    assert 0 == seen["overflow"]
    assert 1 == seen["headings"][0]
    assert all(after - before <= 1 for before, after in pairwise(seen["headings"])), seen["headings"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_pages_are_readable_in_every_look(browser: Browser, desk: Desk, scheme: str, size: tuple[int, int]) -> None:
    for page in looks(browser, scheme=scheme, size=size):
        page.goto(f"{desk.site}/judge")
        page.get_by_label("Your name").wait_for()
        page.wait_for_timeout(700)
        readable(page, "judge-who", scheme)
        sit_down(page, desk)
        press(page, "2", "Left better")
        readable(page, "judge", scheme)
        for key, name in (("x", "judge-ask"), ("x", ""), ("m", "judge-note"), ("m", "")):
            page.keyboard.press(key)
            page.wait_for_timeout(SEEN)
            look(page)
            if name:
                readable(page, name, scheme)
        page.goto(f"{desk.site}/judge?mode=grade")
        look(page)
        readable(page, "judge-grade", scheme)
        page.goto(f"{desk.site}/judgments")
        settle(page)
        readable(page, "judgments", scheme)
