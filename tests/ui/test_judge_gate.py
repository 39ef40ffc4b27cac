"""Who sees which page: each has its own gate, and an assessor sees the Judge page only."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparekit.access import Role, add_person
from comparekit.comparison import Comparison
from tests.ui.conftest import Opener, said
from tests.ui.desk import Expert, place, recorded

PAGES = ("app.py", "pages/changed.py", "pages/topic.py", "pages/judgments.py", "pages/evidence.py")


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return place(monkeypatch, tmp_path)


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    path = tmp_path / "access.toml"
    monkeypatch.setenv("COMPAREKIT_ACCESS", str(path))
    return path


def links(app: AppTest) -> list[str]:
    return [each.proto.label for each in app.get("page_link")]


@pytest.mark.parametrize("page", [*PAGES, "pages/judge.py"])
def test_nobody_unknown_sees_anything_on_any_page(
    open_page: Opener, file: Path, page: str, shipped: Comparison
) -> None:
    add_person(file, "Ada", role="owner")
    for address in ({}, {"token": "guess"}, {"files": "yes"}):
        page_said = said(open_page(page, **address))
        assert "who you are" in page_said or "not known" in page_said
        assert shipped.a_name not in page_said
        assert shipped.experiment.declaration.name not in page_said


@pytest.mark.parametrize("page", PAGES)
def test_an_assessor_is_turned_away_from_what_would_tell(
    open_page: Opener, file: Path, page: str, shipped: Comparison
) -> None:
    token = add_person(file, "Ada", role="assessor")
    app = open_page(page, token=token)
    assert "not for assessors" in said(app)
    assert shipped.a_name not in said(app)
    assert ["Go to judging"] == links(app)


def test_an_assessor_judges_under_the_name_of_the_link(open_page: Opener, file: Path) -> None:
    ada = Expert(open_page, "", token=add_person(file, "Ada", role="assessor"))
    assert ["Judge", "Grade documents"] == links(ada.app)
    ada.press("left")
    assert ["Ada"] == [event.assessor for event in recorded()]


def test_a_token_leaves_the_address_and_the_session_knows_its_person(open_page: Opener, file: Path) -> None:
    token = add_person(file, "Ada", role="assessor")
    ada = Expert(open_page, "", token=token)
    ada.press("left")
    assert "token" not in ada.app.query_params


def test_a_person_taken_off_the_list_is_out_at_once(open_page: Opener, file: Path) -> None:
    ada = Expert(open_page, "", token=add_person(file, "Ada", role="assessor"))
    file.unlink()
    add_person(file, "Ben", role="owner")
    ada.app.run()
    assert "who you are" in said(ada.app)


@pytest.mark.parametrize(("role", "sees"), [("engineer", True), ("owner", True), ("assessor", False)])
def test_the_other_roles_see_every_page(open_page: Opener, file: Path, role: Role, sees: bool) -> None:
    app = open_page("app.py", token=add_person(file, "Eve", role=role))
    assert sees == ("nDCG@10" in said(app))


def test_an_access_file_that_cannot_be_read_opens_nothing(open_page: Opener, file: Path, shipped: Comparison) -> None:
    file.write_text("schema = 1")
    for page in ("app.py", "pages/judge.py"):
        app = open_page(page)
        assert not app.exception
        assert shipped.a_name not in said(app)


def test_a_token_means_nothing_on_one_machine(open_page: Opener, shipped: Comparison) -> None:
    assert shipped.a_name in said(open_page("app.py", token="anything"))


def test_in_a_team_the_view_is_the_studys(open_page: Opener, file: Path) -> None:
    token = add_person(file, "Ada", role="assessor")
    file.write_text(file.read_text() + "\n[judging]\nranks = false\ndepth = 5\n")
    ada = Expert(open_page, "", token=token)
    assert (False, 5) == (ada.shown["ranks"], len(ada.shown["left"]))
    assert [] == list(ada.app.toggle)


def test_on_one_machine_the_page_says_that_blindness_rests_on_the_assessor(open_page: Opener) -> None:
    assert "that you judge blind rests on you" in said(Expert(open_page).app)
