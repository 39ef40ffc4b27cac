"""Hostile texts on the judging pages, and hostile names of those who judge: shown as text, run as nothing."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tests.browser.test_judging import Desk, judged, look, press, sit_down
from tests.browser.test_untrusted import MARKED, hostile, unharmed

__all__ = ["hostile"]


@pytest.fixture
def desk(hostile: Path, tmp_path: Path) -> Iterator[Desk]:
    with judged(tmp_path, hostile) as found:
        yield replace(found, name=MARKED[0])


def test_every_pair_of_hostile_texts_is_shown_letter_for_letter(page: Page, desk: Desk) -> None:
    sit_down(page, desk)
    shown = set()
    for _ in range(len(MARKED)):
        shown.add(page.locator("h1").first.evaluate("node => node.textContent"))
        titles = page.locator("article h3, .slim .title").evaluate_all("nodes => nodes.map(node => node.textContent)")
        assert set(titles) <= set(MARKED)
        unharmed(page)
        press(page, "2", "Saved: Left better")
    assert set(MARKED) == shown


def test_a_hostile_name_is_text_on_every_judging_page(page: Page, desk: Desk) -> None:
    sit_down(page, desk)
    page.get_by_role("button", name="You", exact=True).click()
    expect(page.get_by_text(MARKED[0]).first).to_be_visible()
    page.keyboard.press("Escape")
    look(page)
    press(page, "2", "Saved: Left better")
    page.goto(f"{desk.site}/judge?mode=grade")
    look(page)
    unharmed(page)
    page.goto(f"{desk.site}/judgments")
    settle(page)
    expect(page.get_by_role("rowheader", name=MARKED[0], exact=True)).to_be_visible()
    for summary in page.locator("summary").all():
        summary.click()
    unharmed(page)
