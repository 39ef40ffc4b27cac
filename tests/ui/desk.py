"""What an expert does on the judging pages, without a browser."""

import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from comparekit.events import Event
from comparekit.ui import judging_desk
from comparekit.ui.judging_store import Book, book
from tests.ui.conftest import Opener, said, told


class Expert:
    """One assessor in a session of their own, on a record of their own or one that is shared."""

    def __init__(self, opener: Opener, name: str = "Ada", **address: str) -> None:
        self.app = opener("pages/judge.py", **address)
        if name:
            self.app.text_input(key="who-name").input(name)
            next(each for each in self.app.button if each.label == "Begin").click().run()

    def press(self, what: str) -> "Expert":
        """Press the button that means `what`."""
        found = [
            each for each in self.app.button if each.key and each.key.startswith("k-") and each.key.endswith(f"-{what}")
        ]
        found[0].click().run()
        assert not self.app.exception
        return self

    def buttons(self) -> list[str]:
        """What can be pressed now."""
        return [
            each.key.split("-", 3)[3]
            for each in self.app.button
            if each.key and each.key.startswith("k-") and not each.disabled
        ]

    @property
    def shown(self) -> dict[str, Any]:
        """What the browser is told of the pair or the document."""
        return dict(told(self.app, "judging"))

    @property
    def heading(self) -> str:
        """The topic that is judged, or the page's title."""
        page = said(self.app)
        return page[page.index("<h1") :].split(">", 1)[1].split("</h1>")[0].replace("<bdi>", "").replace("</bdi>", "")

    @property
    def line(self) -> str:
        """What the bar says."""
        page = said(self.app)
        line = page[page.index('class="ck-said') :].split(">", 1)[1].split("</p>")[0]
        return re.sub("<[^>]*>", "", line)


def place(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
    """A record in a folder of the test's own, and presses that count at once."""
    path = folder / "answers" / "judgments.sqlite"
    path.parent.mkdir()
    monkeypatch.setenv("COMPAREKIT_STORE", str(path))
    monkeypatch.delenv("COMPAREKIT_ACCESS", raising=False)
    monkeypatch.setattr(judging_desk, "DWELL", 0.0)
    return path


def recorded() -> tuple[Event, ...]:
    """Everything in the record."""
    return the_book().events()


def the_book() -> Book:
    """The record of this test."""
    return book()


def html_of(app: AppTest) -> str:
    """Everything the page says, and everything its elements are told and named."""
    parts = [said(app), *(each.proto.json for each in app.get("bidi_component"))]
    parts += [f"{each.key} {each.label}" for each in app.button]
    return "\n".join(parts)
