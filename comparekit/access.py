"""
Who may do what, and how people are known: by a name on one machine, by access.toml in a team.

Nobody has a password or a token by default. A token is 256 random bits, shown once when it is made; access.toml keeps
its SHA-256 only. After its first use a browser holds a ticket instead: signed, dated, and worthless once the person's
token is replaced.
"""

import base64
import binascii
import hashlib
import hmac
import json
import os
import secrets
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, get_args

from comparekit.errors import InputError
from comparekit.study import Study, read_study

VARIABLE: Final = "COMPAREKIT_ACCESS"
SCHEMA: Final = "comparekit.access.v1"
TICKET_SECONDS: Final = 30 * 24 * 3600
LONGEST_NAME: Final = 80

Role = Literal["assessor", "engineer", "owner"]
Right = Literal["judge", "read", "mint", "adjudicate"]
ROLES: tuple[Role, ...] = get_args(Role)
RIGHTS: Mapping[Role, frozenset[Right]] = {
    "assessor": frozenset({"judge"}),
    "engineer": frozenset({"judge", "read", "mint"}),
    "owner": frozenset({"judge", "read", "mint", "adjudicate"}),
}
"""An assessor sees the Judge page only: whoever reads the other pages knows which ranker is which."""


@dataclass(frozen=True, slots=True)
class Person:
    """
    Somebody who may come in.

    `token` is the digest of their link's token, `login` what the login or the proxy calls them; None where they are
    not known in that way.
    """

    name: str
    role: Role
    token: str | None = None
    login: str | None = None

    def may(self, right: Right) -> bool:
        """Whether their role has a right."""
        return right in RIGHTS[self.role]


@dataclass(frozen=True, slots=True)
class Access:
    """
    How people are known; without an access.toml (`team` False) whoever sits at the machine may do everything.

    `header` is the header in which a trusted proxy names the person, `oidc` whether Streamlit's own login does;
    `study` is how pairs are shown and spread over people.
    """

    team: bool = False
    people: tuple[Person, ...] = ()
    header: str | None = None
    oidc: bool = False
    study: Study = field(default_factory=Study)

    def by_token(self, token: str) -> Person | None:
        """Whose token it is; every digest is compared, in constant time."""
        digest = token_digest(token)
        found = [each for each in self.people if hmac.compare_digest(each.token or "", digest)]
        return found[0] if found else None

    def by_login(self, login: str | None) -> Person | None:
        """Whom the login or the proxy means."""
        return next((each for each in self.people if login and each.login == login), None)

    def by_name(self, name: str) -> Person | None:
        """The person of that name."""
        return next((each for each in self.people if each.name == name), None)


def local_person(name: str) -> Person:
    """Whoever sits at the machine, by the name they gave; raises `InputError` unless it is a name."""
    return Person(_name(name, path=None), "owner")


def read_access(path: Path | None) -> Access:
    """What an access.toml says; local use when there is none. Raises `InputError` with the first thing wrong."""
    if path is None:
        return Access()
    try:
        record = tomllib.loads(path.read_bytes().decode("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"not an access file ({error})", path=path, todo="Make one with: comparekit assessor add NAME"
        ) from error
    _only(record, {"schema", "people", "proxy", "login", "judging"}, path=path)
    if record.get("schema") != SCHEMA:
        raise InputError("not an access file", path=path, expected=SCHEMA, got=repr(record.get("schema")))
    people = tuple(_person(each, path=path) for each in _tables(record, path=path))
    _each_once(people, path=path)
    return Access(
        team=True,
        people=people,
        header=_text(_table(record, "proxy", {"header"}, path=path), "header", path=path),
        oidc=_table(record, "login", {"oidc"}, path=path).get("oidc") is True,
        study=read_study(_table(record, "judging", None, path=path), path=path),
    )


def configured_access() -> Access:
    """What the environment's COMPAREKIT_ACCESS says; local use when it names nothing."""
    given = os.environ.get(VARIABLE)
    return read_access(Path(given) if given else None)


def add_person(path: Path, name: str, *, role: Role, login: str | None = None) -> str:
    """
    Add somebody to an access.toml, which is made when it is not there; returns the token, which is kept nowhere.

    Raises `InputError` when somebody of that name or login is already there.
    """
    access = read_access(path) if path.exists() else Access(team=True)
    token = secrets.token_urlsafe(32)
    person = Person(_name(name, path=path), role, token_digest(token), login)
    _each_once((*access.people, person), path=path)
    before = path.read_text("utf-8") if path.exists() else f'schema = "{SCHEMA}"\n'
    members = {"name": person.name, "role": role, "token": person.token, "login": login}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in members.items() if value is not None]
    _replace(path, before.rstrip("\n") + "\n\n" + "\n".join(["[[people]]", *lines]) + "\n")
    return token


def token_digest(token: str) -> str:
    """What is kept of a token. It is random and long, so that one plain hash is enough."""
    return "sha256:" + hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def ticket_for(person: Person, *, secret: bytes, now: float) -> str:
    """What a browser holds after the token's first use; `now` in seconds since 1970."""
    expires = int(now) + TICKET_SECONDS
    name = base64.urlsafe_b64encode(person.name.encode("utf-8")).decode("ascii")
    return f"{name}.{expires}.{_signature(person, expires, secret)}"


def person_of_ticket(access: Access, ticket: str, *, secret: bytes, now: float) -> Person | None:
    """Whose ticket it is; None for one that is forged, over, or of a token that was replaced."""
    try:
        encoded, expires, signature = ticket.split(".")
        person = access.by_name(base64.urlsafe_b64decode(encoded.encode("ascii")).decode("utf-8"))
        until = int(expires)
    except (ValueError, binascii.Error):
        return None
    if person is None or until < now or not signature.isascii():
        return None
    return person if hmac.compare_digest(_signature(person, until, secret), signature) else None


def _signature(person: Person, expires: int, secret: bytes) -> str:
    said = json.dumps(["ticket", person.name, expires, person.token])
    return hmac.new(secret, said.encode("utf-8"), hashlib.sha256).hexdigest()


def _person(record: Any, *, path: Path) -> Person:
    if not isinstance(record, dict):
        raise InputError("a person is not a table", path=path, expected="[[people]]")
    _only(record, {"name", "role", "token", "login"}, path=path)
    name = _name(_text(record, "name", path=path) or "", path=path)
    role = next((each for each in ROLES if each == record.get("role")), None)
    if role is None:
        raise InputError(
            f'"{name}" has no known role', path=path, expected=", ".join(ROLES), got=repr(record.get("role"))
        )
    return Person(name, role, _text(record, "token", path=path), _text(record, "login", path=path))


def _name(name: str, *, path: Path | None) -> str:
    kept = name.strip()
    if not kept or len(kept) > LONGEST_NAME or not kept.isprintable():
        raise InputError(
            "not a name", path=path, expected=f"1 to {LONGEST_NAME} characters that can be read", got=repr(name[:100])
        )
    return kept


def _each_once(people: tuple[Person, ...], *, path: Path) -> None:
    for what in ("name", "token", "login"):
        seen: set[str] = set()
        for value in filter(None, (getattr(each, what) for each in people)):
            if value in seen:
                shown = "" if what == "token" else f' "{value}"'
                raise InputError(
                    f"two people have the {what}{shown}", path=path, todo="Remove one; it must be theirs alone."
                )
            seen.add(value)


def _tables(record: Mapping[str, Any], *, path: Path) -> list[Any]:
    found = record.get("people", [])
    if not isinstance(found, list):
        raise InputError("people are not a list", path=path, expected="[[people]]")
    return found


def _table(record: Mapping[str, Any], key: str, known: set[str] | None, *, path: Path) -> dict[str, Any]:
    found = record.get(key, {})
    if not isinstance(found, dict):
        raise InputError(f"{key} is not a table", path=path, expected=f"[{key}]")
    if known is not None:
        _only(found, known, path=path)
    return found


def _text(record: Mapping[str, Any], key: str, *, path: Path) -> str | None:
    found = record.get(key)
    if found is not None and (not isinstance(found, str) or not found):
        raise InputError(f"{key} is not text", path=path, got=repr(found))
    return found


def _only(record: Mapping[str, Any], known: set[str], *, path: Path) -> None:
    for key in record:
        if key not in known:
            raise InputError(f'"{key}" is not known here', path=path, expected=", ".join(sorted(known)))


def _replace(path: Path, text: str) -> None:
    """Write the whole file or nothing; only its owner may read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".access-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
