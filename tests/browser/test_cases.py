"""Cases that made other tools fail on the page itself."""

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Page, expect

from comparekit.pinning import Choices
from comparekit.sealing import init_experiment
from tests.browser.conftest import Serve, visit


def test_r04_ids_that_look_like_numbers_are_shown_letter_for_letter(
    page: Page, serve: Serve, shared_cases: Path, tmp_path: Path
) -> None:
    case = shared_cases / "R04"
    init_experiment(
        tmp_path / "experiment", a=case / "run_a.csv", b=case / "run_b.csv", qrels=case / "qrels.csv",
        topics=case / "topics.csv", choices=Choices(target="RR", measures=("RR",)),
    )  # fmt: skip
    ids = [line.split(",")[0] for line in (case / "topics.csv").read_text().splitlines()[1:]]
    visit(page, f"{serve(tmp_path / 'experiment')}/")
    expect(page.locator("tbody tr:has(.story)")).to_have_count(9)
    assert sorted(ids) == sorted(page.locator("tbody a.id").all_text_contents())
    assert {"1.000"} == set(page.locator("tbody td.a").all_text_contents())
    assert {"0.500"} == set(page.locator("tbody td.b").all_text_contents())
    expect(page.locator(".xtick text")).to_have_count(9)
    assert set(ids) == set(page.locator(".xtick text").all_text_contents())


def test_r56_every_button_acts_on_its_own_document(
    page: Page, serve: Serve, shared_cases: Path, tmp_path: Path
) -> None:
    case = shared_cases / "R56"
    texts = [{"id": doc, "title": f"title of {doc}", "text": f"text of {doc} " * 60} for doc in ("d1", "23", "3")]
    (tmp_path / "documents.jsonl").write_text("".join(json.dumps(each) + "\n" for each in texts))
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n12 0 d1 1\n")
    init_experiment(
        tmp_path / "experiment", a=case / "run_a.trec", b=case / "run_b.trec", qrels=tmp_path / "qrels.txt",
        documents=tmp_path / "documents.jsonl",
    )  # fmt: skip
    # The third line of A's first topic repeats d1 and is dropped when it is sealed: seven of the eight rows are left.
    cards = {"1": [("a", 1), ("a", 2), ("b", 1)], "12": [("a", 1), ("a", 2), ("b", 1), ("b", 2)]}
    for topic, places in cards.items():
        for side, rank in places:
            visit(page, f"{serve(tmp_path / 'experiment')}/topic?topic={topic}")
            page.locator(".head").wait_for()
            card = page.locator(f'article[data-side="{side}"][data-rank="{rank}"]')
            card.get_by_role("button", name="More").click()
            assert [f"text of {card.get_attribute('data-doc')}"] == [
                text[: len("text of d1")].strip() for text in page.locator(".text.open").all_text_contents()
            ]
            assert 1 == card.locator(".text.open").count()


def test_r58_ids_on_the_axis_are_categories(page: Page, serve: Serve, shared_cases: Path, tmp_path: Path) -> None:
    case = shared_cases / "R58"
    init_experiment(
        tmp_path / "experiment", a=case / "run_a.trec", b=case / "run_b.trec", qrels=case / "qrels.txt",
        choices=Choices(target="P@10", measures=("P@10",)),
    )  # fmt: skip
    ids = sorted({line.split()[0] for line in (case / "qrels.txt").read_text().splitlines()})
    visit(page, f"{serve(tmp_path / 'experiment')}/")
    expect(page.locator(".xtick text")).to_have_count(8)
    assert ids == sorted(page.locator(".xtick text").all_text_contents())
    boxes = [bar.bounding_box() for bar in page.locator(".bars path").all()]
    lefts = sorted(box["x"] for box in boxes if box and box["height"] > 1)
    assert 8 == len(lefts)
    gaps = [after - before for before, after in pairwise(lefts)]
    assert max(gaps) - min(gaps) < 1
    page.get_by_role("tab", name="Largest gains").click()
    expect(page.locator("tbody .value")).to_have_text(["+0.100"] * 8)


def test_r59_many_topics_are_drawn_through_a_stated_number_and_measured_in_full(
    page: Page, serve: Serve, shared_cases: Path, tmp_path: Path
) -> None:
    subprocess.run([sys.executable, str(shared_cases / "R59" / "make_big.py"), "5000", "10"], cwd=tmp_path, check=True)
    init_experiment(
        tmp_path / "experiment", a=tmp_path / "big_a.trec", b=tmp_path / "big_b.trec", qrels=tmp_path / "big_qrels.txt",
        choices=Choices(target="RR", measures=("RR",)),
    )  # fmt: skip
    site = serve(tmp_path / "experiment")
    visit(page, f"{site}/")
    expect(page.get_by_text("Drawn through 1,200 of 5,000 topics")).to_be_visible(timeout=20_000)
    expect(page.locator("dl.ck-figures")).to_contain_text("1.000")
    expect(page.locator("dl.ck-figures")).to_contain_text("mean over 5,000 topics")
    visit(page, f"{site}/changed")
    expect(page.locator("tbody tr:has(.story)")).to_have_count(50)
    page.get_by_role("button", name="Page 2", exact=True).click()
    expect(page.locator("caption", has_text="51 to 100 of 5,000")).to_have_count(1)
