"""
A real server and a real browser.

Every page is guarded: a request that leaves this machine, or an error in the page, fails the test that saw it.
Chromium is found at $COMPAREKIT_CHROMIUM, at /usr/bin/chromium, or where playwright keeps its own.
"""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from comparekit.pinning import Choices
from comparekit.sealing import init_experiment

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "fixtures" / "experiment"
SHOTS = Path(__file__).parent / "shots"
DESK, PHONE = (1440, 900), (390, 844)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)
LOCAL = ("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")
Serve = Callable[[Path | None], str]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def chromium() -> str | None:
    """Where the browser is; None leaves it to playwright."""
    places = [os.environ.get("COMPAREKIT_CHROMIUM"), "/usr/bin/chromium"]
    return next((place for place in places if place and Path(place).exists()), None)


@contextmanager
def served(experiment: Path | None, log: Path) -> Iterator[str]:
    """A fresh server on one experiment (None: on none), and its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "COMPAREKIT_EXPERIMENT": str(experiment or ""), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT)
        try:
            _wait(process, f"http://127.0.0.1:{port}/_stcore/health", log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(10)


def _wait(process: "subprocess.Popen[bytes]", health: str, log: Path) -> None:
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(health, timeout=2) as answer:
                if answer.read() == b"ok":
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(log.read_text())


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Serves an experiment for the rest of the run: `serve(folder)` is its address."""
    running: dict[Path | None, str] = {}
    with ExitStack() as stack:

        def server(experiment: Path | None) -> str:
            if experiment not in running:
                log = tmp_path_factory.mktemp("server") / "log"
                running[experiment] = stack.enter_context(served(experiment, log))
            return running[experiment]

        yield server


@pytest.fixture
def site(serve: Serve) -> str:
    """The shipped experiment, served."""
    return serve(SHIPPED)


@pytest.fixture(scope="session")
def cranfield(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """225 topics with texts and strata."""
    data, folder = shared_data / "cranfield", tmp_path_factory.mktemp("made") / "cranfield"
    init_experiment(
        folder, a=data / "runs/bm25_default.run", b=data / "runs/dense_minilm.run.gz", qrels=data / "qrels.txt",
        topics=data / "topics.tsv", documents=data / "docs.jsonl.gz", strata=data / "strata.tsv",
    )  # fmt: skip
    return folder


@pytest.fixture(scope="session")
def esci(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """150 product searches, three of them without an answer of A, without texts of documents."""
    data, folder = shared_data / "esci_us", tmp_path_factory.mktemp("made") / "esci"
    init_experiment(
        folder, a=data / "runs/bm25_default.run", b=data / "runs/dense_minilm.run.gz", qrels=data / "qrels.txt",
        topics=data / "topics.tsv", strata=data / "strata.tsv", choices=Choices(relevant_from=10.0),
    )  # fmt: skip
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield opened
        opened.close()


@contextmanager
def guarded(context: BrowserContext) -> Iterator[Page]:
    """A page of a context that must stay on this machine and without errors."""
    page = context.new_page()
    left: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: None if request.url.startswith(LOCAL) else left.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not left, f"requests left this machine: {left}"
    assert not errors, errors


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A light page at desk size."""
    with guarded(browser.new_context(viewport={"width": DESK[0], "height": DESK[1]})) as opened:
        yield opened


def settle(page: Page) -> None:
    """Wait until the page has a heading and its script has ended."""
    page.locator("h1").first.wait_for(timeout=60_000)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=60_000)


def visit(page: Page, address: str) -> None:
    """Open an address and wait for it."""
    page.goto(address)
    settle(page)
