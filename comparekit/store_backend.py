"""What a database must offer so that a record of answers can stand in it, whichever database it is."""

import errno
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, update

from comparekit.errors import StoreBusy, StoreError, StoreFull, StoreReadOnly, StoreTooNew
from comparekit.store_errors import translated
from comparekit.store_schema import HEAD, VERSION, Dialect

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM}


@dataclass(frozen=True, slots=True)
class Backend:
    """
    An opened database with a proved record in it.

    `place` is where, for showing, without a password. `writer` has one connection and begins every transaction as one
    that writes; it is None when `why_read_only` says why. `require_sound` raises `StoreCorrupt` when the database
    itself finds fault with the record or what keeps it append-only is gone.
    """

    place: str
    dialect: Dialect
    reader: Engine
    writer: Engine | None
    why_read_only: str
    require_sound: Callable[[Connection, str], None]

    def close(self) -> None:
        """Close every connection."""
        self.reader.dispose()
        if self.writer is not None:
            self.writer.dispose()


def require_known_version(version: int, place: str) -> None:
    """Raise `StoreTooNew` for a record that a later version made."""
    if version > VERSION:
        raise StoreTooNew(
            f"a later version made this record; it was left alone ({place})",
            expected=f"at most {VERSION}",
            got=version,
            todo="Use the later version, or name another store.",
        )


def why_not_writable(writer: Engine, place: str) -> str:
    """Why nothing can be written, found by writing and taking it back; empty when it can."""
    try:
        with translated(place), writer.connect() as connection, connection.begin() as transaction:
            connection.execute(update(HEAD).values(seq=HEAD.c.seq))
            transaction.rollback()
    except StoreReadOnly as error:
        return error.what if error.got is None else f"{error.what}: {error.got}"
    except (StoreFull, StoreBusy):
        return ""  # for now: whoever writes is told
    return ""


def os_failure(error: OSError, place: str) -> StoreError:
    """The error to raise for what the operating system refused."""
    said = error.strerror or str(error)
    if isinstance(error, FileExistsError):
        return StoreError(f"the file exists already ({place})", todo="Choose another name.")
    if error.errno in _FULL:
        return StoreFull(f"there is no room to write ({place})", got=said, todo="Make room and try again.")
    if error.errno in _CLOSED:
        return StoreReadOnly(f"nothing can be written there ({place})", got=said, todo="Choose another place.")
    return StoreError(f"the record of answers cannot be written ({place})", got=said)
