"""`comparekit assessor`: a link for a person, told once."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from typer.testing import CliRunner

from comparekit.access import read_access
from comparekit.cli_access import app
from comparekit.errors import InputError


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert 0 == done.exit_code
    return done.stdout


@pytest.mark.parametrize(("role", "path"), [("assessor", "/judge"), ("engineer", "/"), ("owner", "/")])
def test_the_link_lets_the_person_in_on_the_page_of_their_role(tmp_path: Path, role: str, path: str) -> None:
    file = tmp_path / "access.toml"
    link = urlsplit(
        run("add", "Ada", "--role", role, "--access", str(file), "--site", "https://judge.example.org/").strip()
    )
    assert ("judge.example.org", path) == (link.netloc, link.path)
    person = read_access(file).by_token(parse_qs(link.query)["token"][0])
    assert person is not None
    assert ("Ada", role) == (person.name, person.role)


def test_the_file_is_the_one_the_environment_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPAREKIT_ACCESS", str(tmp_path / "access.toml"))
    assert run("add", "Ada").startswith("/judge?token=")
    run("add", "Ben", "--login", "ben@example.org")
    assert "Ada\tassessor\tlink\nBen\tassessor\tlink, login\n" == run("list")


def test_without_a_file_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPAREKIT_ACCESS", raising=False)
    with pytest.raises(InputError, match="no access file is named"):
        run("list")


def test_a_second_person_of_that_name_is_refused(tmp_path: Path) -> None:
    file = str(tmp_path / "access.toml")
    run("add", "Ada", "--access", file)
    with pytest.raises(InputError, match='two people have the name "Ada"'):
        run("add", "Ada", "--access", file)
