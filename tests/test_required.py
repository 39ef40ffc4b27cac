"""The required mode of the tests themselves: whatever is left out fails the run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PASSES = "def test_passes(): pass\n"
SKIPS = {
    "by a mark": "import pytest\n@pytest.mark.skip\ndef test_left_out(): pass\n",
    "while running": "import pytest\ndef test_left_out(): pytest.skip('no data')\n",
    "a whole file": "import pytest\npytest.importorskip('no_such_package')\n",
}
FAILS_AS_TOLD = "import pytest\n@pytest.mark.xfail\ndef test_known(): assert False\n"


def passed(folder: Path, text: str, *, required: str) -> bool:
    (folder / "test_passes.py").write_text(PASSES)
    (folder / "test_other.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.required", "-p", "no:cacheprovider", "--rootdir", "."]
    environment = {**os.environ, "COMPAREKIT_REQUIRED": required, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout
    return done.returncode == 0


@pytest.mark.parametrize("text", SKIPS.values(), ids=SKIPS.keys())
def test_a_skip_fails_the_run_only_in_required_mode(tmp_path: Path, text: str) -> None:
    assert passed(tmp_path, text, required="0")
    assert not passed(tmp_path, text, required="1")


def test_an_expected_failure_is_no_skip(tmp_path: Path) -> None:
    assert passed(tmp_path, FAILS_AS_TOLD, required="1")
