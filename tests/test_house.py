"""The house: what may import what, how long a page may be, and what must never stand in the code."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import comparekit

ROOT = Path(__file__).parents[1]
LIBRARY = sorted((ROOT / "comparekit").rglob("*.py"))
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
FACES = sorted(path for path in (ROOT / "comparekit").rglob("*") if path.suffix in {".css", ".js"})
NETWORK = {"requests", "urllib.request", "http.client", "httpx", "aiohttp", "ftplib", "smtplib", "socket"}
UNSAFE_READERS = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
NEVER = re.compile(r"unsafe_allow_html\s*=\s*True|\bunsafe_allow_javascript\b|\beval\(|\bst\.navigation\b|\bexec\(")
MARKUP, LOADING = r"innerHTML|outerHTML|insertAdjacentHTML|\beval\(", r"\bfetch\(|XMLHttpRequest|\bimport\(|@import"
NEVER_IN_BROWSER = re.compile(f"{MARKUP}|{LOADING}")
ADDRESS = re.compile(r"https?://(?!www\.w3\.org/)")


def names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def imported(tree: ast.Module) -> set[str]:
    """Every module that is imported anywhere: `from a import b` counts as `a` and as `a.b`."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def public(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """Public functions, classes, and what classes have; what a protocol asks for is told by its classes."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef) and not any("Protocol" in ast.unparse(base) for base in node.bases):
                yield from (m for m in node.body if isinstance(m, ast.FunctionDef) and not m.name.startswith("_"))


def requirements(name: str) -> list[Requirement]:
    lines = (ROOT / name).read_text().splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith(("#", "-"))]


def test_importing_the_library_loads_neither_streamlit_nor_plotly() -> None:
    code = "import sys, comparekit; print([name for name in ('streamlit', 'plotly') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_public_names_are_sorted_and_complete() -> None:
    assert comparekit.__all__ == sorted(comparekit.__all__)
    reexported = {
        alias.asname or alias.name
        for node in ast.parse((ROOT / "comparekit" / "__init__.py").read_text()).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert set(comparekit.__all__) == reexported


@pytest.mark.parametrize("path", PAGES, ids=names(PAGES))
def test_a_page_is_short_and_has_no_arithmetic(path: Path) -> None:
    text = path.read_text()
    assert text.count("\n") <= 80
    sums = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
    assert not [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.BinOp) and isinstance(node.op, sums)]


@pytest.mark.parametrize("path", PAGES, ids=names(PAGES))
def test_a_page_stands_behind_the_shell(path: Path) -> None:
    """A deep link runs a page without app.py, so what guards pages must stand in each of them, around what it draws."""
    *above, last = ast.parse(path.read_text()).body
    assert isinstance(last, ast.With)
    assert ast.unparse(last.items[0].context_expr).startswith("shell.begin(")
    assert not [node for node in above if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]


@pytest.mark.parametrize("path", LIBRARY, ids=names(LIBRARY))
def test_a_module_answers_one_question_and_explains_its_public_names(path: Path) -> None:
    text = path.read_text()
    tree = ast.parse(text)
    assert ast.get_docstring(tree)
    assert text.count("\n") <= 300
    assert [node.name for node in public(tree) if not ast.get_docstring(node)] == []


@pytest.mark.parametrize("path", [*LIBRARY, *PAGES], ids=names([*LIBRARY, *PAGES]))
def test_nothing_dangerous_and_no_network(path: Path) -> None:
    text = path.read_text()
    assert not NEVER.search(text)
    assert not ADDRESS.search(text)
    assert not (NETWORK | UNSAFE_READERS) & imported(ast.parse(text))


@pytest.mark.parametrize("path", FACES, ids=names(FACES))
def test_what_the_browser_runs_makes_no_markup_from_data_and_fetches_nothing(path: Path) -> None:
    text = path.read_text()
    assert not NEVER_IN_BROWSER.search(text)
    assert not ADDRESS.search(text)


@pytest.mark.parametrize("name", sorted(path.name for path in ROOT.glob("requirements*.txt") if "rbo" not in path.name))
def test_every_requirement_has_a_tested_version_within_its_range(name: str) -> None:
    tested = {each.name.lower().replace("_", "-"): each.specifier for each in requirements("constraints.txt")}
    for wanted in requirements(name):
        version = str(tested[wanted.name]).removeprefix("==")
        assert wanted.specifier.contains(version), wanted.name


def test_rbo_stands_alone_so_that_it_cannot_bring_an_old_numpy() -> None:
    assert [each.name for each in requirements("requirements-rbo.txt")] == ["rbo"]
    others = [each for name in ("requirements.txt", "requirements-dev.txt") for each in requirements(name)]
    assert "rbo" not in {each.name for each in others}


def test_the_version_is_told_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" in project["dynamic"]
    assert f"## [{comparekit.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def test_every_package_and_whatever_lies_in_it_is_installed() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    packages = {".".join(path.parent.relative_to(ROOT).parts) for path in LIBRARY if path.name == "__init__.py"}
    assert set(told["packages"]) == packages
    data = told["package-data"]
    globs = [(ROOT / package.replace(".", "/"), glob) for package in data for glob in data[package]]
    installed = {path for folder, glob in globs for path in folder.glob(glob)}
    there = {path for path in (ROOT / "comparekit").rglob("*") if path.is_file() and path.suffix not in {".py", ".pyc"}}
    assert there - installed == set()


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_commands_and_files_that_the_documents_name_exist(name: str) -> None:
    text = (ROOT / name).read_text()
    targets = set(re.findall(r"(?m)^([a-z]+):", (ROOT / "Makefile").read_text()))
    assert set(re.findall(r"(?m)(?:^|`)make ([a-z]+)", text)) <= targets
    files = re.findall(r"`((?:comparekit|tests|docs|fixtures)/[\w./-]*)`|\]\(((?!https?:)[\w./-]+)\)", text)
    assert [each for pair in files for each in pair if each and not (ROOT / each).exists()] == []
