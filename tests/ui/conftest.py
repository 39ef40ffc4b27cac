"""Pages without a browser, on the shipped experiment or on one made for a test."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from comparekit.comparison import Comparison, compare
from comparekit.experiment import open_experiment
from comparekit.ui.loading import FIXTURE, VARIABLE

ROOT = Path(__file__).parents[2]
PAGES = ("app.py", "pages/changed.py", "pages/topic.py", "pages/evidence.py")
Opener = Callable[..., AppTest]


@pytest.fixture(scope="session")
def shipped() -> Comparison:
    """The shipped experiment, compared."""
    return compare(open_experiment(FIXTURE))


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Opener:
    """Opens a page as a deep link does: `open_page("pages/topic.py", topic="t02")`."""

    def opener(page: str, *, experiment: Path | None = FIXTURE, **address: str) -> AppTest:
        monkeypatch.setenv(VARIABLE, "" if experiment is None else str(experiment))
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        if page != "app.py":
            app.switch_page(page)
        for name, value in address.items():
            app.query_params[name] = value
        return app.run()

    return opener


def said(app: AppTest) -> str:
    """Everything a page says in HTML of its own."""
    return "\n".join(each.proto.body for each in app.get("html") if "<style>" not in each.proto.body)


def told(app: AppTest, name: str) -> Mapping[str, Any]:
    """What the element of that name was told."""
    found = [
        json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.component_name.endswith(name)
    ]
    return dict(found[0])


def asked(app: AppTest, name: str) -> str:
    """What the address says under a name, whether the test or the page wrote it."""
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]
