"""Who may come in: names, tokens, tickets, and what an access file may say."""

import stat
from pathlib import Path

import pytest

from comparekit.access import (
    ROLES,
    TICKET_SECONDS,
    Access,
    Person,
    add_person,
    configured_access,
    local_person,
    person_of_ticket,
    read_access,
    ticket_for,
    token_digest,
)
from comparekit.errors import InputError
from comparekit.study import Study, read_guideline

KEY = b"k" * 32


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "access.toml"


def test_without_a_file_nobody_needs_to_be_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPAREKIT_ACCESS", raising=False)
    assert Access() == configured_access()
    assert not configured_access().team


def test_a_named_file_that_is_not_there_never_means_open_access(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setenv("COMPAREKIT_ACCESS", str(file))
    with pytest.raises(InputError, match="not an access file"):
        configured_access()


def test_a_token_is_long_random_and_kept_only_as_its_hash(file: Path) -> None:
    tokens = [add_person(file, f"person {number}", role="assessor") for number in range(20)]
    text = file.read_text()
    assert 20 == len(set(tokens))
    assert all(len(token) >= 43 and token not in text for token in tokens)  # 43 characters of base64 are 256 bits
    assert all(token_digest(token) in text for token in tokens)


def test_only_its_owner_reads_the_file(file: Path) -> None:
    add_person(file, "Ada", role="owner")
    add_person(file, "Ben", role="assessor")
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)


@pytest.mark.parametrize("role", ROLES)
def test_who_was_added_comes_in_by_their_token_alone(file: Path, role: str) -> None:
    token = add_person(
        file, 'Ada "the" Ünïcode', role=next(each for each in ROLES if each == role), login="ada@example.org"
    )
    access = read_access(file)
    person = access.by_token(token)
    assert person is not None
    assert ('Ada "the" Ünïcode', role) == (person.name, person.role)
    assert person == access.by_login("ada@example.org")
    assert access.by_token(token[:-1]) is None
    assert access.by_token("") is None
    assert access.by_token("\ud800") is None
    assert access.by_login("") is None
    assert access.by_login(None) is None


def test_somebody_without_a_token_cannot_come_in_by_an_empty_one(file: Path) -> None:
    file.write_text('schema = "comparekit.access.v1"\n[[people]]\nname = "Ada"\nrole = "owner"\nlogin = "ada"\n')
    assert read_access(file).by_token("") is None


def test_an_assessor_may_judge_and_nothing_else() -> None:
    ada = Person("Ada", "assessor")
    assert ada.may("judge")
    assert not ada.may("read") and not ada.may("mint") and not ada.may("adjudicate")
    assert Person("Eve", "engineer").may("mint") and not Person("Eve", "engineer").may("adjudicate")
    assert local_person(" Ada ").may("adjudicate")


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "a\x00b", "zero\u200bwidth", "x" * 81])
def test_what_cannot_be_read_is_no_name(name: str, file: Path) -> None:
    with pytest.raises(InputError, match="not a name"):
        local_person(name)
    with pytest.raises(InputError, match="not a name"):
        add_person(file, name, role="assessor")


def test_a_name_or_a_login_belongs_to_one_person(file: Path) -> None:
    add_person(file, "Ada", role="assessor", login="ada")
    before = file.read_text()
    with pytest.raises(InputError, match='two people have the name "Ada"'):
        add_person(file, "Ada", role="owner")
    with pytest.raises(InputError, match='two people have the login "ada"'):
        add_person(file, "Ben", role="owner", login="ada")
    assert before == file.read_text()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not an access file"),
        ("schema = 1", "not an access file"),
        ("= broken", "not an access file"),
        ('schema = "comparekit.access.v1"\npassword = "x"', '"password" is not known'),
        ('schema = "comparekit.access.v1"\n[[people]]\nname = "A"\nrole = "admin"', "no known role"),
        ('schema = "comparekit.access.v1"\n[[people]]\nname = "A"\nrole = "owner"\ntoken = ""', "token is not text"),
        ('schema = "comparekit.access.v1"\n[proxy]\nheaders = "X"', '"headers" is not known'),
        ('schema = "comparekit.access.v1"\n[judging]\ndeep = 3', 'judging has no "deep"'),
        ('schema = "comparekit.access.v1"\n[judging]\nrepeat_share = 1.5', "out of range"),
        ('schema = "comparekit.access.v1"\n[judging]\nranks = 1', "wrong type"),
        ('schema = "comparekit.access.v1"\n[judging]\ndepth = true', "wrong type"),
    ],
)
def test_a_file_that_says_something_else_opens_nothing(file: Path, text: str, why: str) -> None:
    file.write_text(text)
    with pytest.raises(InputError, match=why):
        read_access(file)


def test_the_study_is_set_for_everybody(file: Path) -> None:
    file.write_text('schema = "comparekit.access.v1"\n[judging]\nranks = false\ndepth = 5\nrepeat_share = 0.25\n')
    assert Study(ranks=False, depth=5, repeat_share=0.25) == read_access(file).study


@pytest.fixture
def access(file: Path) -> Access:
    add_person(file, "Ada", role="assessor")
    add_person(file, "Ben", role="owner")
    return read_access(file)


def test_a_ticket_gives_its_person_back(access: Access) -> None:
    ada = access.people[0]
    ticket = ticket_for(ada, secret=KEY, now=1000.0)
    assert ada == person_of_ticket(access, ticket, secret=KEY, now=1001.0)
    assert (ada.token or "") not in ticket


def test_a_ticket_is_worthless_later_elsewhere_and_changed(access: Access) -> None:
    ada, ben = access.people
    ticket = ticket_for(ada, secret=KEY, now=1000.0)
    name, expires, signature = ticket.split(".")
    forged = f"{ticket_for(ben, secret=KEY, now=1000.0).split('.')[0]}.{expires}.{signature}"
    longer = f"{name}.{int(expires) + 1}.{signature}"
    assert person_of_ticket(access, ticket, secret=KEY, now=1001.0 + TICKET_SECONDS) is None
    assert person_of_ticket(access, ticket, secret=b"other" * 8, now=1001.0) is None
    for broken in (forged, longer, "", "a.b", "a.b.c", "é.1.é", f"{name}.{expires}.é"):
        assert person_of_ticket(access, broken, secret=KEY, now=1001.0) is None


def test_a_new_token_makes_old_tickets_worthless(access: Access) -> None:
    ada, ben = access.people
    ticket = ticket_for(ada, secret=KEY, now=1000.0)
    renewed = Access(team=True, people=(Person("Ada", "assessor", token_digest("new")), ben))
    assert person_of_ticket(renewed, ticket, secret=KEY, now=1001.0) is None
    assert person_of_ticket(Access(team=True, people=(ben,)), ticket, secret=KEY, now=1001.0) is None


@pytest.mark.parametrize("name", ["preference", "grade"])
def test_a_guideline_has_its_digest_as_its_version(name: str) -> None:
    guideline = read_guideline(name)
    assert guideline.text.startswith("# ")
    assert guideline.digest.startswith("sha256:")
