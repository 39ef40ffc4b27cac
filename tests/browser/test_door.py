"""The door: dropped files become an experiment, or an error that names file and line."""

from contextlib import suppress

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.conftest import Serve, settle, visit

RUN_A = "1 Q0 d1 1 3.0 a\n1 Q0 d2 2 2.0 a\n2 Q0 d1 1 3.0 a\n"
RUN_B = "1 Q0 d2 1 3.0 b\n1 Q0 d1 2 2.0 b\n2 Q0 d1 1 3.0 b\n"
# A box that is being drawn anew lets a file fall, as it would for a person, who then drops it again.
ATTEMPTS, WAIT_MS = 4, 15_000
QRELS = "1 0 d1 1\n2 0 d1 1\n"


def drop(page: Page, **files: tuple[str, str]) -> None:
    """Drop files by the label of their box, each as (name, content)."""
    for label, (name, content) in files.items():
        chip = page.locator(f".st-key-file-{label} [data-testid=stFileChip]")
        for _ in range(ATTEMPTS):
            settle(page)
            box = page.locator(f".st-key-file-{label} input[type=file]")
            box.set_input_files({"name": name, "mimeType": "text/plain", "buffer": content.encode()})
            with suppress(PlaywrightTimeout):
                chip.wait_for(timeout=WAIT_MS)
                break
        expect(chip).to_be_visible()
        settle(page)
    page.get_by_role("button", name="Compare", exact=True).click()


@pytest.fixture
def door(page: Page, serve: Serve) -> Page:
    visit(page, serve(None))
    expect(page.locator("h1")).to_have_text("Compare your own files")
    return page


def test_two_runs_and_judgments_become_an_experiment_on_every_page(door: Page) -> None:
    drop(door, a=("bm25.run", RUN_A), b=("dense.run", RUN_B), qrels=("qrels.txt", QRELS))
    expect(door.locator("h1")).to_contain_text("Undecided between bm25 and dense")
    assert "upload=" in door.url
    for name, text in (("Changed", "1 of 2 lists changed"), ("Topic", "1"), ("Evidence", "verified")):
        door.get_by_role("link", name=name, exact=True).click()
        expect(door.locator("h1").first).to_contain_text(text)
    door.reload()
    settle(door)
    expect(door.locator("h1").first).to_contain_text("verified")


def test_what_was_repaired_is_told(door: Page) -> None:
    drop(door, a=("bm25.run", RUN_A + "1 Q0 d1 3 1.0 a\n"), b=("dense.run", RUN_B), qrels=("qrels.txt", QRELS))
    expect(door.locator("h1")).to_contain_text("Undecided")
    door.get_by_role("link", name="Evidence").click()
    expect(door.locator(".ck-repairs").first).to_contain_text("bm25.run")
    expect(door.locator(".ck-repairs").first).to_contain_text("line 4")


def test_a_file_that_cannot_be_read_is_named_with_its_line(door: Page) -> None:
    drop(door, a=("bm25.run", RUN_A + "2 Q0 d2 2 high a\n"), b=("dense.run", RUN_B), qrels=("qrels.txt", QRELS))
    box = door.locator(".ck-error")
    expect(box).to_contain_text("bm25.run, line 4")
    expect(box).to_contain_text("What to do")
    assert "Traceback" not in door.content()


def test_files_without_a_topic_in_common_are_refused_in_words(door: Page) -> None:
    drop(door, a=("bm25.run", RUN_A), b=("dense.run", RUN_B), qrels=("qrels.txt", "q1 0 d1 1\n"))
    expect(door.locator(".ck-error")).to_contain_text("qrels.txt")


def test_a_hostile_file_name_is_shown_as_text(door: Page) -> None:
    name = "<img src=x onerror=window.__hit=1>.run"
    drop(door, a=(name, "not a run\n"), b=("dense.run", RUN_B), qrels=("qrels.txt", QRELS))
    expect(door.locator(".ck-error")).to_contain_text(f"{name}, line 1")
    assert door.evaluate("window.__hit") is None


def test_topics_and_strata_may_be_dropped_too(door: Page) -> None:
    door.get_by_text("Topics, documents, strata and rules").click()
    drop(
        door, a=("a.run", RUN_A), b=("b.run", RUN_B), qrels=("qrels.txt", QRELS),
        topics=("topics.tsv", "1\tbread\n2\toven\n"), strata=("strata.tsv", "topic\tarea\n1\tkitchen\n2\t\n"),
    )  # fmt: skip
    expect(door.get_by_text("area: kitchen").first).to_be_visible()
    expect(door.locator("tbody .text").first).to_have_text("bread")


def test_the_door_opens_from_any_page_and_closes_again(page: Page, site: str) -> None:
    visit(page, f"{site}/topic")
    page.get_by_role("link", name="Compare your own files").click()
    expect(page.locator("h1")).to_have_text("Compare your own files")
    page.get_by_role("link", name="Cancel").click()
    expect(page.locator("h1").first).to_contain_text("nDCG@10")
