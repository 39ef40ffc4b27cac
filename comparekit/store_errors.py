"""The edge: whatever SQLite, PostgreSQL or SQLAlchemy raise becomes one of ours, and says what to do."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from comparekit.errors import StoreBusy, StoreCorrupt, StoreError, StoreFull, StoreReadOnly

AGAIN: Final = "Send the answer again; it is recorded once."


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Raise a `StoreError` for every exception of a database; anything else passes."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, UnicodeError) as error:
        raise _ours(error, place) from error


def corrupt(place: str, what: str, *, expected: object = None, got: object = None) -> StoreCorrupt:
    """The record at `place` is damaged; the error names the way back to a backup."""
    return StoreCorrupt(
        f"{what} ({place})",
        expected=expected,
        got=got,
        todo=f"Nothing was changed. Move it aside and bring a backup back: "
        f"comparekit store backup --store BACKUP {place}",
    )


def _ours(error: Exception, place: str) -> StoreError:
    cause = error.orig if isinstance(error, DBAPIError) else error
    said = (str(cause).strip().splitlines() or [type(cause).__name__])[0]
    if isinstance(cause, PoolTimeout):
        return _busy(place, said)
    if isinstance(cause, UnicodeError):
        # A damaged schema: sqlite3 fails while it builds its own message.
        return corrupt(place, "the record of answers is damaged", got=said)
    if isinstance(cause, sqlite3.Error):
        return _of_sqlite(cause, place, said)
    state = getattr(cause, "sqlstate", None)
    if isinstance(error, DBAPIError) and (state is None or error.connection_invalidated):
        return _unreachable(place, said)
    return _of_postgres(state or "", place, said)


def _of_sqlite(cause: sqlite3.Error, place: str, said: str) -> StoreError:
    code = getattr(cause, "sqlite_errorcode", None)
    if code is None:
        # Raised by Python's own layer: text in the file that is not UTF-8.
        return corrupt(place, "the record of answers is damaged", got=said)
    make = _SQLITE.get(code) or _SQLITE.get(code & 0xFF, _failed)
    return make(place, said)


def _of_postgres(state: str, place: str, said: str) -> StoreError:
    make = _POSTGRES.get(state) or _POSTGRES.get(state[:2], _failed)
    return make(place, said)


def _failed(place: str, said: str) -> StoreError:
    return StoreError(f"the record of answers cannot be used ({place})", got=said)


def _unreachable(place: str, said: str) -> StoreError:
    return StoreError(f"the record of answers cannot be reached ({place})", got=said, todo=AGAIN)


def _damaged(place: str, said: str) -> StoreError:
    return corrupt(place, "the record of answers is damaged", got=said)


def _full(place: str, said: str) -> StoreError:
    return StoreFull(f"there is no room to write ({place})", got=said, todo=f"Make room. {AGAIN}")


def _busy(place: str, said: str) -> StoreError:
    return StoreBusy(f"somebody else is writing for too long ({place})", got=said, todo=AGAIN)


def _read_only(place: str, said: str) -> StoreError:
    return StoreReadOnly(
        f"the record of answers cannot be written ({place})",
        got=said,
        todo="Give the file and its folder back to whoever runs this, or choose another place.",
    )


_Make = Callable[[str, str], StoreError]

_SQLITE: Mapping[int, _Make] = {
    sqlite3.SQLITE_FULL: _full,
    # What a file size limit and a failing disk give; nothing was committed.
    sqlite3.SQLITE_IOERR_WRITE: _full,
    sqlite3.SQLITE_BUSY: _busy,
    sqlite3.SQLITE_LOCKED: _busy,
    sqlite3.SQLITE_PROTOCOL: _busy,
    sqlite3.SQLITE_READONLY: _read_only,
    sqlite3.SQLITE_CANTOPEN: _read_only,
    sqlite3.SQLITE_PERM: _read_only,
    sqlite3.SQLITE_CORRUPT: _damaged,
    sqlite3.SQLITE_NOTADB: _damaged,
    sqlite3.SQLITE_MISMATCH: _damaged,
    sqlite3.SQLITE_TOOBIG: _damaged,
    sqlite3.SQLITE_IOERR_SHORT_READ: _damaged,
    # "no such table" and the like: the schema is not ours any more.
    sqlite3.SQLITE_ERROR: _damaged,
}

_POSTGRES: Mapping[str, _Make] = {
    "53100": _full,
    "25006": _read_only,
    "42501": _read_only,
    "55P03": _busy,
    "57014": _busy,
    "40": _busy,
    "53": _busy,
    "42P01": _damaged,
    "42703": _damaged,
    "XX": _damaged,
    "08": _unreachable,
    "57": _unreachable,
    "28": _failed,
}
