"""Hostile texts in every field, on every page: shown as text, run as nothing."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from comparekit.formats import read_run
from comparekit.pinning import Choices
from comparekit.sealing import init_experiment
from tests.browser.conftest import Serve, settle, visit

MARKED = (
    '<img src=x onerror="window.__hit=1">',
    "<script>window.__hit=1</script>",
    '</script><svg onload="window.__hit=1">',
    "[click](javascript:window.__hit=1)",
    '"><b onmouseover="window.__hit=1">',
    "{{7*7}}",
    '<a href="https://example.org">link</a><br>line',
    "![x](http://example.org/x.png) :red[red] $x^2$ `code` **bold**",
    "<style>h1{display:none}</style><form action=https://example.org><input name=x></form>",
    "abc\u202edcba\u200bzero",
)
"""The seven marked texts of case R62, and what else was seen to work somewhere."""

# Walks into shadow roots as well, where the lists and tables are.
FOREIGN = """() => {
  const foreign = "img[src=x], svg[onload], [onerror], [onmouseover], form, a[href^='javascript:'], a[href^='https:']";
  const found = [], walk = root => {
    for (const node of root.querySelectorAll("*")) {
      if (node.matches(foreign)) found.push(node.outerHTML);
      if (node.shadowRoot) walk(node.shadowRoot);
    }
  };
  walk(document.body);
  return found;
}"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An experiment in which every text is one of the marked ones."""
    folder = tmp_path_factory.mktemp("hostile")
    pairs = [(f"{number}{text}", text) for number, text in enumerate(MARKED)]
    topics = [{"id": topic, "text": text, "need": text, "task": text, "strata": {text: text}} for topic, text in pairs]
    documents = [
        {"id": f"d{text}", "title": text, "text": f"{text} " * 40, "url": "javascript:window.__hit=1"}
        for text in MARKED
    ]
    write(folder / "topics.jsonl", topics)
    write(folder / "documents.jsonl", documents)
    for name, step in (("a", 0), ("b", 1)):
        rows = [
            {
                "qid": topic,
                "docno": f"d{MARKED[(3 * place + step) % len(MARKED)]}",
                "score": -float(place),
                "rank": place + 1,
            }
            for topic, _ in pairs
            for place in range(len(MARKED))
        ]
        write(folder / f"{name}.jsonl", rows)
    write(folder / "qrels.jsonl", [{"topic": topic, "doc": f"d{MARKED[0]}", "grade": 1} for topic, _ in pairs])
    policy = {"ranker": {"name": MARKED[0], "parameters": {MARKED[1]: MARKED[2]}}}
    init_experiment(
        folder / "experiment", a=folder / "a.jsonl", b=folder / "b.jsonl", qrels=folder / "qrels.jsonl",
        topics=folder / "topics.jsonl", documents=folder / "documents.jsonl",
        choices=Choices(name=MARKED[0], policy_a=policy, policy_b={"ranker": {"name": MARKED[4]}}),
    )  # fmt: skip
    return folder / "experiment"


def write(path: Path, records: Sequence[Mapping[str, object]]) -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")


def unharmed(page: Page) -> None:
    """Nothing ran, nothing was built from a text, and the frame of the page stands."""
    assert page.evaluate("window.__hit") is None
    assert [] == page.evaluate(FOREIGN)
    expect(page.get_by_role("link", name="Evidence")).to_be_visible()
    expect(page.locator("h1").first).to_be_visible()


@pytest.mark.parametrize("path", ["", "changed", "topic", "evidence"])
def test_hostile_texts_are_text_on_every_page(page: Page, serve: Serve, hostile: Path, path: str) -> None:
    visit(page, f"{serve(hostile)}/{path}")
    page.wait_for_timeout(1500)
    for summary in page.locator("summary").all():
        summary.click()
    unharmed(page)
    expect(page.get_by_text(MARKED[0]).first).to_be_visible()


def test_every_hostile_topic_and_document_is_shown_letter_for_letter(page: Page, serve: Serve, hostile: Path) -> None:
    visit(page, f"{serve(hostile)}/topic?order=id")
    for number, text in enumerate(MARKED):
        expect(page.get_by_text(f"Topic {number + 1} of {len(MARKED)}")).to_be_visible()
        settle(page)
        assert page.locator("h1").first.evaluate("node => node.textContent") == text
        titles = page.locator("article h3").evaluate_all("nodes => nodes.map(node => node.textContent)")
        assert set(titles) == set(MARKED)
        unharmed(page)
        page.keyboard.press("j")


def test_opened_texts_and_addresses_of_documents_stay_text(page: Page, serve: Serve, hostile: Path) -> None:
    visit(page, f"{serve(hostile)}/topic?order=id")
    page.locator(".head").wait_for()
    for button in page.locator("button.more:visible").all():
        button.click()
    assert 0 == page.locator("article a.url").count()
    expect(page.locator("span.url").first).to_have_text("javascript:window.__hit=1")
    unharmed(page)


def test_control_characters_in_ids_are_written_out(page: Page, serve: Serve, hostile: Path) -> None:
    visit(page, f"{serve(hostile)}/changed?sort=id")
    expect(page.locator("tbody a").last).to_have_text("9abc[U+202E]dcba[U+200B]zero")


def test_the_hover_of_a_chart_shows_an_id_as_text(page: Page, serve: Serve, hostile: Path) -> None:
    visit(page, f"{serve(hostile)}/")
    page.locator(".js-plotly-plot .xtick text").first.wait_for()
    shown = []
    for bar in page.locator(".bars path").all():
        box = bar.bounding_box()
        if box and box["height"] > 1:
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_timeout(150)
            shown += page.locator(".hoverlayer text").all_text_contents()
    assert all(any(f"{number}{text}" in each for each in shown) for number, text in enumerate(MARKED[:-1]))
    unharmed(page)


def test_an_error_in_the_address_is_text_too(page: Page, serve: Serve, hostile: Path) -> None:
    address = "%3Cimg%20src%3Dx%20onerror%3D%22window.__hit%3D1%22%3E"
    visit(page, f"{serve(hostile)}/topic?topic={address}&measure={address}&split={address}&upload2={address}")
    expect(page.get_by_text(f"There is no topic “{MARKED[0]}”")).to_be_visible()
    unharmed(page)


def test_the_shared_case_opens_and_nothing_in_it_runs(
    page: Page, serve: Serve, shared_cases: Path, tmp_path: Path
) -> None:
    case = shared_cases / "R62" / "list.jsonl"
    rows = read_run(case)
    docs = zip(rows.topics.to_pylist(), rows.docs.to_pylist(), strict=True)
    qrels = "".join(json.dumps({"topic": topic, "doc": doc, "grade": 1}) + "\n" for topic, doc in docs)
    (tmp_path / "qrels.jsonl").write_text(qrels)
    init_experiment(tmp_path / "experiment", a=case, b=case, qrels=tmp_path / "qrels.jsonl")
    visit(page, f"{serve(tmp_path / 'experiment')}/topic?topic=q1")
    page.wait_for_timeout(800)
    unharmed(page)
