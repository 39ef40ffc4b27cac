"""The house: what may import what, how long a page may be, and what must never stand in the code."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import comparekit

ROOT = Path(__file__).parents[1]
LIBRARY = sorted((ROOT / "comparekit").rglob("*.py"))
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
NETWORK = {"requests", "urllib.request", "http.client", "httpx", "aiohttp", "ftplib", "smtplib"}
NEVER = re.compile(r"unsafe_allow_html\s*=\s*True|\bimport pickle\b|\beval\(|\bst\.navigation\b|\bexec\(")


def names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def test_importing_the_library_loads_neither_streamlit_nor_plotly() -> None:
    code = "import sys, comparekit; print([name for name in ('streamlit', 'plotly') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_public_names_are_sorted_and_complete() -> None:
    assert comparekit.__all__ == sorted(comparekit.__all__)
    imported = {
        alias.asname or alias.name
        for node in ast.parse((ROOT / "comparekit" / "__init__.py").read_text()).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert set(comparekit.__all__) == imported


@pytest.mark.parametrize("path", PAGES, ids=names(PAGES))
def test_a_page_is_short_and_has_no_arithmetic(path: Path) -> None:
    text = path.read_text()
    assert text.count("\n") <= 80
    sums = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
    assert not [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.BinOp) and isinstance(node.op, sums)]


@pytest.mark.parametrize("path", LIBRARY, ids=names(LIBRARY))
def test_a_module_answers_one_question_and_explains_its_public_names(path: Path) -> None:
    text = path.read_text()
    tree = ast.parse(text)
    assert ast.get_docstring(tree)
    assert text.count("\n") <= 300
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{node.name} has no docstring"


@pytest.mark.parametrize("path", [*LIBRARY, *PAGES], ids=names([*LIBRARY, *PAGES]))
def test_nothing_dangerous_and_no_network(path: Path) -> None:
    text = path.read_text()
    assert not NEVER.search(text)
    for node in ast.walk(ast.parse(text)):
        imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        imported += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
        assert not NETWORK & set(imported)


def test_every_tested_version_is_pinned_within_its_range() -> None:
    pinned = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    wanted = re.findall(r"(?m)^([a-z0-9-]+)[>=<]", (ROOT / "requirements.txt").read_text())
    assert {name for name in wanted if name not in {each.lower() for each in pinned}} == set()


def test_the_version_is_told_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" in project["dynamic"]
    assert f"## [{comparekit.__version__}]" in (ROOT / "CHANGELOG.md").read_text()
