"""
The record of answers as one SQLite file: how it is made, opened, proved and copied.

The file is only ever touched through SQLite: a process that opens and closes it in another way drops every lock that
SQLite holds on it. It is made under another name and gets its own once it is whole, so no start finds half a record.
"""

import os
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event, select

from comparekit.errors import StoreBusy, StoreError, StoreFull, StoreReadOnly
from comparekit.store_backend import Backend, os_failure, require_known_version, why_not_writable
from comparekit.store_errors import corrupt, translated
from comparekit.store_schema import (
    APPLICATION_ID,
    HEAD,
    VERSION,
    migrate,
    recorded_version,
    schema_of,
    set_up,
)

WAIT: Final = 10.0
"""Seconds to wait for another process that is writing."""

_READERS = 8
_EVERY = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0")
_WRITING = ("journal_mode = DELETE", "synchronous = EXTRA", "foreign_keys = ON", "recursive_triggers = ON", *_EVERY)
_READING = ("query_only = ON", *_EVERY)


def open_sqlite(path: Path, *, at: str, read_only: bool) -> Backend:
    """
    The record in a file, which is made when there is none and this is not `read_only`; `at` is the time.

    Raises `StoreCorrupt`, `StoreTooNew` or `StoreError` when it cannot be used, and then the file is as it was.
    """
    path = path.absolute()
    place = str(path)
    if not is_there(path):
        if read_only:
            raise StoreError(f"there is no record of answers ({place})", todo="Check the path given as the store.")
        _make(path, at=at)
    writer = _engine(path, "rw", size=1)
    reader = _engine(path, "ro", size=_READERS)
    try:
        with translated(place):
            _take_back(path, writer)
            version = _version(reader, place)
            if version < VERSION:
                _upgrade(writer, place, at=at, read_only=read_only)
            with reader.connect() as connection, connection.begin():
                _require_sound(connection, place)
        why = "it was opened for reading only" if read_only else _why_not_writable(path, writer)
    except BaseException:
        writer.dispose()
        reader.dispose()
        raise
    if why:
        writer.dispose()
    return Backend(place, "sqlite", reader, None if why else writer, why, _require_sound)


def is_there(path: Path) -> bool:
    """
    Whether a file is there that may be opened as a record; False when nothing is.

    Raises `StoreError` for a folder, a device, a link, a file of two names, and a folder that does not exist.
    """
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        if path.parent.is_dir():
            return False
        raise StoreError(
            f"the folder of the record of answers is not there ({path})", todo="Make it, or correct the path."
        ) from None
    except (OSError, ValueError) as error:
        raise StoreError(f"the record of answers cannot be reached ({path})", got=str(error)) from error
    if stat.S_ISLNK(found.st_mode):
        raise StoreError(
            f"the record of answers is a link ({path})", got=os.path.realpath(path), todo="Name the file it leads to."
        )
    if not stat.S_ISREG(found.st_mode):
        what = "a folder" if stat.S_ISDIR(found.st_mode) else "not a regular file"
        raise StoreError(f"this is {what} ({path})", todo="Name a file, such as judgments.sqlite in that folder.")
    if found.st_nlink > 1 and not _only_ours(path, found):
        # Two names have two journals, and a crash under one is not taken back under the other.
        raise StoreError(f"the file has two names ({path})", todo="Remove the other hard link, or copy the record.")
    if not os.access(path, os.R_OK):
        raise StoreError(f"the record of answers may not be read ({path})", todo="Give it back its permissions.")
    return True


def copy_sqlite(reader: Engine, target: Path) -> None:
    """Copy the whole record, as of one moment, into an empty file."""
    with reader.connect() as connection, connection.begin():
        connection.execute(select(HEAD)).all()  # from here on nobody writes
        with closing(sqlite3.connect(target)) as copy:
            _driver(connection).backup(copy)


def fill_sqlite(target: Path, fill: Callable[[Connection], None]) -> None:
    """Make a record in an empty file, within one transaction."""
    engine = _engine(target, "rw", size=1)
    try:
        with engine.begin() as connection:
            fill(connection)
    finally:
        engine.dispose()


@contextmanager
def published(target: Path) -> Iterator[Path]:
    """
    An empty file beside `target`, for its owner only, that gets its name when the block ends well; else nothing stays.

    Raises `StoreError` when the name is taken, `StoreFull` or `StoreReadOnly` when it cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".new")
    except OSError as error:
        raise os_failure(error, str(target)) from error
    os.close(handle)
    made = Path(name)
    try:
        yield made
        # A link, unlike a rename, fails when the name is taken.
        os.link(made, target)
        _sync_folder(target.parent)
    except OSError as error:
        raise os_failure(error, str(target)) from error
    finally:
        made.unlink(missing_ok=True)
        Path(f"{made}-journal").unlink(missing_ok=True)


def _make(path: Path, *, at: str) -> None:
    try:
        with published(path) as made, translated(str(path)):
            fill_sqlite(made, lambda connection: set_up(connection, dialect="sqlite", at=at))
    except StoreError:
        # Somebody else was quicker; theirs is opened.
        if not path.exists():
            raise


def _engine(path: Path, mode: str, *, size: int) -> Engine:
    pragmas, begin = (_READING, "BEGIN") if mode == "ro" else (_WRITING, "BEGIN IMMEDIATE")
    where = f"{path.as_uri()}?mode={mode}"

    def connect() -> sqlite3.Connection:
        # Without isolation level Python begins no transaction by itself, and reading begins none at all.
        return sqlite3.connect(where, uri=True, timeout=WAIT, isolation_level=None, check_same_thread=False)

    def prepare(connection: Any, _record: Any) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    engine = create_engine(
        "sqlite://", creator=connect, poolclass=QueuePool, pool_size=size, max_overflow=0, pool_timeout=3 * WAIT
    )
    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _take_back(path: Path, writer: Engine) -> None:
    """Let SQLite roll back a write that a crash interrupted, which a reader may not do."""
    if os.path.lexists(f"{path}-journal"):
        try:
            with translated(str(path)), writer.connect() as connection, connection.begin() as transaction:
                transaction.rollback()
        except (StoreReadOnly, StoreFull, StoreBusy):
            pass  # the reader says what is wrong, if anything is


def _why_not_writable(path: Path, writer: Engine) -> str:
    # SQLite makes its journal in the folder, and only when it commits: trying to write does not show this.
    if not os.access(path.parent, os.W_OK | os.X_OK):
        return f"nothing can be written in its folder ({path.parent})"
    return why_not_writable(writer, str(path))


def _version(reader: Engine, place: str) -> int:
    with reader.connect() as connection, connection.begin():
        if _pragma(connection, "application_id") != APPLICATION_ID:
            raise corrupt(place, "this is not a record of answers")
        version = int(_pragma(connection, "user_version"))
    require_known_version(version, place)
    return version


def _upgrade(writer: Engine, place: str, *, at: str, read_only: bool) -> None:
    if read_only:
        raise StoreReadOnly(f"the record must be brought up to date first ({place})", todo="Open it once for writing.")
    with writer.begin() as connection:
        version = int(_pragma(connection, "user_version"))
        if version < 1:
            raise corrupt(place, "the record does not say which version it is")
        migrate(connection, dialect="sqlite", version=version, at=at)


def _require_sound(connection: Connection, place: str) -> None:
    """Everything SQLite itself can prove, and that tables and triggers are the ones that were made."""
    if _pragma(connection, "journal_mode") != "delete":
        raise StoreError(
            f"another program switched the record to write-ahead mode ({place})",
            todo=f"Close that program and switch it back: sqlite3 {place} 'PRAGMA journal_mode = DELETE'",
        )
    told = _pragma(connection, "integrity_check")
    if told != "ok":
        raise corrupt(place, "the record of answers is damaged", got=str(told).splitlines()[0])
    if schema_of(connection) != _schema():
        raise corrupt(place, "the tables of the record, or what keeps them append-only, were changed")
    if recorded_version(connection) != _pragma(connection, "user_version"):
        raise corrupt(place, "the record does not say which version it is")


@lru_cache(maxsize=1)
def _schema() -> frozenset[tuple[str, ...]]:
    engine = create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            set_up(connection, dialect="sqlite", at="")
            return schema_of(connection)
    finally:
        engine.dispose()


def _pragma(connection: Connection, name: str) -> Any:
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        raise StoreError("the connection to the record is gone")
    return driver


def _only_ours(path: Path, found: os.stat_result) -> bool:
    """Remove the other name when it is one that a crash left behind while the record was made."""
    for other in path.parent.glob(f".{path.name}.*.new"):
        if other.stat(follow_symlinks=False).st_ino == found.st_ino:
            other.unlink(missing_ok=True)
    return os.lstat(path).st_nlink == 1


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
