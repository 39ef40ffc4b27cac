"""What every page must look like: contrast, order of headings, names, no overflow; both themes, at desk and at hand."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESK, PHONE, SHIPPED, SHOTS, Serve, guarded, settle, visit

PAGES = ("", "changed", "topic?topic=t24", "evidence", "?files=yes", "topic?topic=t13", "?measure=nope&upload=gone")

LOOKS = (Path(__file__).parent / "looks.js").read_text("utf-8")


def looks(browser: Browser, *, scheme: str, size: tuple[int, int]) -> Iterator[Page]:
    width, height = size
    with guarded(browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)) as page:  # type: ignore[arg-type]
        yield page


@pytest.fixture(
    params=[("light", DESK), ("dark", DESK), ("light", PHONE), ("dark", PHONE)],
    ids=lambda each: f"{each[0]}-{each[1][0]}",
)
def look(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A page in one theme, at one size."""
    scheme, size = request.param
    yield from looks(browser, scheme=scheme, size=size)


def shoot(page: Page, name: str, scheme: str) -> None:
    """Keep a picture of the whole page."""
    SHOTS.mkdir(exist_ok=True)
    size = page.viewport_size
    assert size is not None
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": size["width"], "height": min(int(height) + 20, 6000)})
    page.wait_for_timeout(500)
    page.screenshot(path=SHOTS / f"{name}-{scheme}-{size['width']}.png")
    page.set_viewport_size(size)


def scheme_of(page: Page) -> str:
    return "dark" if page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") else "light"


def drawn(page: Page, address: str) -> None:
    """Open an address and wait for its charts and lists too."""
    visit(page, address)
    page.wait_for_timeout(400)
    if page.locator("[data-testid=stPlotlyChart]").count():
        page.locator(".js-plotly-plot .xtick text").first.wait_for(timeout=30_000)
    settle(page)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_readable_in_every_look(look: Page, site: str, path: str) -> None:
    drawn(look, f"{site}/{path}")
    name = path.split("?")[0] or ("door" if "files" in path else "error" if "gone" in path else "overview")
    shoot(look, name + ("-empty" if "t13" in path else ""), scheme_of(look))
    seen = look.evaluate(LOOKS)
    assert [] == seen["faint"]
    levels = seen["headings"]
    assert 1 == levels[0]
    assert all(after - before <= 1 for before, after in pairwise(levels)), levels
    assert [] == seen["nameless"]
    assert 0 == seen["overflow"]


@pytest.mark.parametrize("path", ["", "changed", "topic", "evidence"])
@pytest.mark.parametrize("name", ["cranfield", "esci"])
def test_real_collections_are_readable_at_hand_and_at_desk(
    browser: Browser, serve: Serve, path: str, name: str, request: pytest.FixtureRequest
) -> None:
    folder: Path = request.getfixturevalue(name)
    for scheme, size in (("light", DESK), ("dark", PHONE)):
        for page in looks(browser, scheme=scheme, size=size):
            drawn(page, f"{serve(folder)}/{path}")
            shoot(page, f"{name}-{path or 'overview'}", scheme)
            assert 0 == page.evaluate(LOOKS)["overflow"]


def test_lists_stand_side_by_side_at_desk_and_merge_at_hand(page: Page, site: str) -> None:
    visit(page, f"{site}/topic?topic=t02")
    expect(page.locator(".head h2")).to_have_count(2)
    assert page.locator(".body path.plain").count() == 7
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(page.locator(".head")).to_have_count(0)
    expect(page.locator("h2.part")).to_have_count(2)
    assert 0 == page.locator(".body path").count()


def test_a_line_is_grey_unless_the_moved_document_was_judged_relevant(page: Page, site: str) -> None:
    visit(page, f"{site}/topic?topic=t22")
    line = page.locator('.body path[data-doc="laundry-007"]')
    expect(line).to_have_class("harm")
    assert ["harm"] == page.locator(".body path:not(.plain)").evaluate_all(
        "nodes => nodes.map(node => node.getAttribute('class'))"
    )


def test_a_run_of_unchanged_documents_unfolds_and_folds_again(page: Page, site: str) -> None:
    visit(page, f"{site}/topic?topic=t22")
    fold = page.locator(".unfold")
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".slim h3")).to_have_text(["Washing machine smells musty", "Washing wool by machine"])
    page.keyboard.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "false")


def test_an_explanation_is_shown_on_demand(page: Page, site: str) -> None:
    visit(page, f"{site}/topic?topic=t22")
    card = page.locator('article[data-side="b"][data-rank="3"]')
    card.get_by_role("button", name="Explain").click()
    expect(card.locator("pre")).to_contain_text("text: machine")


def test_words_of_the_topic_are_marked_in_the_texts(page: Page, site: str) -> None:
    visit(page, f"{site}/topic?topic=t22")
    expect(page.locator('article[data-doc="laundry-015"] h3 mark').first).to_have_text("washing machine")


def test_nothing_but_this_machine_is_asked_for(browser: Browser, site: str) -> None:
    asked: list[str] = []
    with guarded(browser.new_context()) as page:
        page.on("request", lambda request: asked.append(request.url))
        drawn(page, f"{site}/")
    assert asked
    assert all(url.startswith((site, "data:", "blob:")) for url in asked)


def test_the_shipped_experiment_is_where_the_server_looks_for_it() -> None:
    assert (SHIPPED / "experiment.toml").exists()
