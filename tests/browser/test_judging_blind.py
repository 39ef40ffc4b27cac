"""Nothing that reaches the browser before an answer is saved tells which ranker is which."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocket, expect

from comparekit.access import add_person
from comparekit.comparison import Comparison, compare
from comparekit.experiment import open_experiment
from comparekit.sides import side_of
from comparekit.store import open_store
from comparekit.ui.shell import PAGES
from tests.browser.conftest import SHIPPED, served, settle, visit
from tests.browser.test_judging import SEEN, Desk, judged, look, press, sit_down

ATTRIBUTES = """() => {
  const found = [], walk = root => {
    for (const node of root.querySelectorAll("*")) {
      for (const { name, value } of node.attributes) found.push(name + "=" + value);
      if (node.shadowRoot) { found.push(node.shadowRoot.textContent); walk(node.shadowRoot); }
    }
  };
  walk(document);
  return found.join("\\n") + document.body.innerText + document.title + location.href;
}"""


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPAREKIT_STORE", str(tmp_path / "judgments.sqlite"))
    monkeypatch.delenv("COMPAREKIT_ACCESS", raising=False)
    return tmp_path / "judgments.sqlite"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with judged(tmp_path) as found:
        yield found


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare(open_experiment(SHIPPED))


def tells(comparison: Comparison) -> list[bytes]:
    """What a ranker could be known by: names, files, digests, scores ("baseline" is a word of style sheets too)."""
    sets = (comparison.a, comparison.b)
    words = [
        comparison.a_name,
        comparison.b_name,
        "candidate",
        "receipts/",
        ".jsonl",
        "receipt_a",
        "receipt_b",
    ]
    words += [each.manifest.digest.removeprefix("sha256:") for each in sets]
    words += [each.manifest.receipts.digest.removeprefix("sha256:") for each in sets]
    for each in sets:
        for topic in comparison.experiment.topics.ids:
            digest = each.receipt_digest(topic)
            words += [digest.removeprefix("sha256:")[:12]] if digest else []
            results = (each.receipt(topic) or {"results": []})["results"]
            words += [f"{result['score']}" for result in results[:10] if len(f"{result['score']}") > 6]
    return [word.encode() for word in words]


def found(blob: bytes, words: list[bytes]) -> list[bytes]:
    """Which of the words are somewhere in it; short names only as whole words."""
    return [word for word in words if re.search(rb"(?<![\\w-])" + re.escape(word) + rb"(?![\\w-])", blob)]


def test_the_search_finds_what_is_there(comparison: Comparison) -> None:
    name = comparison.b_name.encode()
    assert [name] == found(b'{"x": "' + name + b'"}', [name])


def test_no_frame_and_nothing_on_the_page_tells_which_is_which(page: Page, desk: Desk, comparison: Comparison) -> None:
    frames: list[bytes] = []
    answered: list[bytes] = []

    def keep(message: str | bytes) -> None:
        frames.append(message if isinstance(message, bytes) else message.encode())

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", keep)

    page.on("websocket", listen)
    page.on("response", lambda response: answered.append(response.url.encode()))
    sit_down(page, desk)
    words = tells(comparison)
    keys = {
        "g": "",
        "Escape": "",
        "x": "",
        "X": "",
        "m": "",
        "2": "Left better",
        "u": "Taken back",
        "s": "Skipped",
        "4": "Right",
    }
    for key, done in keys.items():
        if done:
            press(page, key, done)
        else:
            page.keyboard.press(key.lower() if len(key) == 1 else key)
            page.wait_for_timeout(2 * SEEN)
        assert [] == found(page.evaluate(ATTRIBUTES).encode(), words)
    page.goto(f"{desk.site}/judge?mode=grade")
    look(page)
    press(page, "1", "Grade 1")
    assert len(b"".join(frames)) > 20_000
    assert [] == found(b"".join([*frames, *answered]), words)


def test_each_ranker_stands_left_for_half_of_the_assessors(record: Path) -> None:
    with open_store(record) as store:
        secret = store.secret()
    sides = [side_of(secret, assessor=f"assessor {number}", topic="t01") for number in range(1000)]
    assert abs(sides.count("a") - 500) <= 48  # three standard deviations of a fair coin


def test_an_error_before_the_answer_tells_nothing(
    page: Page, tmp_path: Path, record: Path, comparison: Comparison
) -> None:
    shutil.copytree(SHIPPED, tmp_path / "experiment")
    for path in (tmp_path / "experiment" / "receipts").glob("*.jsonl*"):
        path.write_bytes(path.read_bytes() + b" ")
    with served(tmp_path / "experiment", tmp_path / "log") as site:
        visit(page, f"{site}/judge")
        expect(page.locator(".ck-error")).to_contain_text("cannot be opened")
        assert [] == found(page.evaluate(ATTRIBUTES).encode(), tells(comparison))


def test_a_link_is_exchanged_once_leaves_the_address_and_a_reload_keeps_the_person(
    page: Page, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = tmp_path / "access.toml"
    token = add_person(access, "Ada", role="assessor")
    monkeypatch.setenv("COMPAREKIT_ACCESS", str(access))
    with served(SHIPPED, tmp_path / "log") as site:
        page.goto(f"{site}/judge?token={token}")
        look(page)
        assert token not in page.url
        press(page, "2", "Left better")
        page.reload()
        look(page)
        expect(page.locator(".ck-mine")).to_contain_text("1 of ")
        assert token not in page.url
        kept = page.evaluate("JSON.stringify(Object.entries(localStorage)) + document.cookie")
        assert token not in kept
        page.goto(site)
        expect(page.locator("h1")).to_have_text("This page is not for assessors")
        page.go_back()
        assert token not in page.url


@pytest.mark.parametrize("page_name", [path for path, _ in PAGES])
def test_a_fresh_server_shows_no_page_to_somebody_unknown(
    page: Page, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page_name: str, comparison: Comparison
) -> None:
    access = tmp_path / "access.toml"
    add_person(access, "Ada", role="assessor")
    monkeypatch.setenv("COMPAREKIT_ACCESS", str(access))
    path = "" if page_name == "app.py" else Path(page_name).stem
    with served(SHIPPED, tmp_path / "log") as site:
        page.goto(f"{site}/{path}")
        settle(page)
        expect(page.locator("h1")).to_have_text("Please say who you are")
        assert [] == found(page.evaluate(ATTRIBUTES).encode(), tells(comparison))
