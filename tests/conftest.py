"""Where the shared data, cases and golden values are, for the tests that read them."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from comparekit import Comparison
from tests.judging import small_comparison

# The same examples on every run, however busy the machine is: a test that needs luck is a bug.
settings.register_profile("same-every-time", derandomize=True, deadline=None, database=None)
settings.load_profile("same-every-time")

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("COMPAREKIT_SHARED", ROOT.parent / "shared"))


def _shared(name: str) -> Path:
    folder = SHARED / name
    if folder.is_dir():
        return folder
    reason = f"{folder} is absent; set COMPAREKIT_SHARED to the folder that holds data, cases and golden"
    if os.environ.get("COMPAREKIT_REQUIRED") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real runs, judgments, topics and documents."""
    return _shared("data")


@pytest.fixture(scope="session")
def shared_cases() -> Path:
    """Small inputs that other tools get wrong, with the right outcomes."""
    return _shared("cases")


@pytest.fixture(scope="session")
def shared_golden() -> Path:
    """Values that two independent routes agree on."""
    return _shared("golden")


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """A small comparison to be judged; see `judging.small_comparison`."""
    return small_comparison(tmp_path_factory.mktemp("judged"))
