"""Links and keys: what is opened is what the address says, on every page."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SHIPPED, Serve, served, settle, visit

PAGES = {
    "": "is better on nDCG@10",
    "changed": "lists changed",
    "topic": "bread without oven",
    "evidence": "verified, byte for byte",
}


def topic_of(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query).get("topic", [""])[0]


def heading(page: Page) -> str:
    return page.locator("h1").first.inner_text()


@pytest.mark.parametrize("path", PAGES)
def test_the_first_request_to_a_fresh_server_may_be_any_page(page: Page, path: str, tmp_path: Path) -> None:
    with served(SHIPPED, tmp_path / "log") as site:
        visit(page, f"{site}/{path}")
        expect(page.locator("h1").first).to_contain_text(PAGES[path])
        assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_link_with_filters_opens_what_its_sender_saw(page: Page, site: str) -> None:
    visit(page, f"{site}/topic?topic=t24&measure=AP&stratum=area&value=laundry&order=best")
    expect(page.get_by_text("largest gains first, by AP")).to_be_visible()
    expect(page.locator("h1").first).to_have_text("grease stain on shirt")


def test_the_navigation_row_carries_the_filters_to_other_pages(page: Page, site: str) -> None:
    visit(page, f"{site}/?measure=AP&stratum=area&value=laundry")
    page.get_by_role("link", name="Changed").click()
    expect(page.locator("h1").first).to_contain_text("lists changed")
    expect(page.get_by_text("area = laundry")).to_be_visible()
    assert {"measure": ["AP"], "stratum": ["area"], "value": ["laundry"]} == parse_qs(urlsplit(page.url).query)


def test_a_click_on_a_row_opens_its_topic_and_going_back_returns(page: Page, site: str) -> None:
    visit(page, f"{site}/?measure=AP")
    row = page.locator("tbody tr", has_text="bulbs in pots").first
    row.locator(".story").click()
    expect(page.locator("h1").first).to_have_text("bulbs in pots")
    assert "t34" == topic_of(page)
    assert "measure=AP" in page.url
    page.go_back()
    expect(page.locator("h1").first).to_contain_text("AP")


def test_a_row_is_opened_with_the_keyboard(page: Page, site: str) -> None:
    visit(page, f"{site}/")
    page.get_by_role("tab", name="Largest losses").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(page.locator("tbody a:focus")).to_have_text("t38")
    page.keyboard.press("Enter")
    expect(page.locator("h1").first).to_have_text("fix flat tire")


def test_a_row_can_be_opened_in_a_tab_of_its_own(page: Page, site: str) -> None:
    visit(page, f"{site}/changed?measure=AP")
    link = page.locator("tbody a").first
    visit(page, f"{site}/{link.get_attribute('href')}")
    assert "eggplant" == heading(page)
    assert "measure=AP" in page.url


def test_j_and_k_step_through_the_topics_of_the_filter(page: Page, site: str) -> None:
    visit(page, f"{site}/topic?stratum=area&value=bread&order=id")
    page.locator(".head").wait_for()
    page.keyboard.press("j")
    expect(page.get_by_text("Topic 2 of 6")).to_be_visible()
    page.keyboard.press("j")
    expect(page.get_by_text("Topic 3 of 6")).to_be_visible()
    page.keyboard.press("k")
    expect(page.get_by_text("Topic 2 of 6")).to_be_visible()
    assert "t02" == topic_of(page)


def test_a_held_key_steps_once(page: Page, site: str) -> None:
    visit(page, f"{site}/topic?order=id")
    page.locator(".head").wait_for()
    page.wait_for_timeout(300)
    for _ in range(20):
        page.keyboard.down("j")
        page.wait_for_timeout(30)
    page.keyboard.up("j")
    page.wait_for_timeout(800)
    expect(page.get_by_text("Topic 2 of 36")).to_be_visible()


def test_typing_in_a_box_does_not_step(page: Page, site: str) -> None:
    visit(page, f"{site}/topic?order=id")
    page.locator(".st-key-topic-choice input").click()
    page.keyboard.type("jjk")
    page.wait_for_timeout(600)
    page.keyboard.press("Escape")
    expect(page.get_by_text("Topic 1 of 36")).to_be_visible()


def test_a_topic_is_found_by_typing_its_words(page: Page, site: str) -> None:
    visit(page, f"{site}/topic")
    page.locator(".st-key-topic-choice input").click()
    page.keyboard.type("eggplant")
    page.keyboard.press("Enter")
    expect(page.locator("h1").first).to_have_text("eggplant")
    assert "t13" == topic_of(page)


def test_a_measure_that_was_never_declared_can_be_typed(page: Page, site: str) -> None:
    visit(page, f"{site}/")
    page.locator("tbody tr").first.wait_for()
    page.get_by_role("combobox", name="Measure").click()
    page.get_by_role("option", name="AP").wait_for()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("P(rel=3)@1")
    page.get_by_role("option", name="P(rel=3)@1").wait_for()
    page.keyboard.press("Enter")
    expect(page.locator("h1").first).to_contain_text("P(rel=3)@1")
    assert ["P(rel=3)@1"] == parse_qs(urlsplit(page.url).query)["measure"]


def test_a_bad_address_is_told_in_words_and_falls_back(page: Page, site: str) -> None:
    visit(page, f"{site}/changed?measure=%3Cimg%20src=x%3E&page=99999999999999999999&sort=up&stratum=nope")
    expect(page.get_by_text("The measure “<img src=x>” is not known")).to_be_visible()
    expect(page.locator("h1").first).to_contain_text("lists changed")


def test_going_back_undoes_a_choice(page: Page, site: str) -> None:
    visit(page, f"{site}/topic?topic=t02")
    visit(page, f"{site}/topic?topic=t13")
    page.go_back()
    settle(page)
    expect(page.locator("h1").first).to_have_text("bread without oven")


def test_long_tables_are_paged_and_the_page_is_in_the_address(page: Page, serve: Serve, cranfield: Path) -> None:
    visit(page, f"{serve(cranfield)}/changed")
    expect(page.locator("tbody tr:has(.story)")).to_have_count(50)
    page.get_by_role("button", name="Page 5").click()
    expect(page.locator("tbody tr:has(.story)")).to_have_count(25)
    assert ["5"] == parse_qs(urlsplit(page.url).query)["page"]
