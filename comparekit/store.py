"""
The record of answers: append-only, chained, and safe on disk before anybody is told so.

One `Store` for SQLite (a path) and PostgreSQL (a URL). It has one writer behind a lock and any number of readers, and
may be shared by threads. A second process may open the same place.
"""

import re
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Self

from sqlalchemy import Connection, insert, select, update

from comparekit.errors import EventConflict, RecordError, StoreBusy, StoreError, StoreReadOnly
from comparekit.events import Event, NewEvent, event_digest
from comparekit.store_backend import Backend
from comparekit.store_errors import AGAIN, translated
from comparekit.store_place import make_user_folder, place_or_default, user_file
from comparekit.store_postgres import lock, open_postgres
from comparekit.store_rows import add, event_of, find, head, identity, proved, said, wanted
from comparekit.store_schema import EVENT, HEAD, VERSION, set_up
from comparekit.store_sqlite import copy_sqlite, fill_sqlite, open_sqlite, published

Clock = Callable[[], datetime]

LONGEST_WAIT: Final = 30.0
"""Seconds to wait for the other threads that write."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")


@dataclass(frozen=True, slots=True)
class StoreReport:
    """
    What was proved of a record, from its first event to its last.

    `clock_steps_back` counts events whose time lies before that of the one ahead of them, which is no fault.
    """

    place: str
    version: int
    events: int
    head: tuple[int, str]
    created_at: str
    clock_steps_back: int


def utc_now() -> datetime:
    """The time of the machine."""
    return datetime.now(UTC)


def default_place() -> str:
    """Where the record is unless a place is given: what COMPAREKIT_STORE says, else a file of the user's own."""
    return place_or_default(None)


def open_store(url_or_path: str | Path | None = None, *, clock: Clock = utc_now, read_only: bool = False) -> "Store":
    """
    Open the record at a path or PostgreSQL URL, else at `default_place`; a record that is not there yet is made.

    Everything recorded is proved first. When nothing can be written the store is `read_only` and says why. `clock`
    gives times with a zone. Raises `StoreCorrupt` with the first damaged event, `StoreTooNew`, or `StoreError` when
    the place cannot be used; nothing is changed then, and no record is made in another place.
    """
    given = place_or_default(url_or_path)
    scheme = _SCHEME.match(given)
    at = _stamp(clock)
    if scheme is None:
        if Path(given).absolute() == user_file() and not read_only:
            make_user_folder()
        backend = open_sqlite(Path(given), at=at, read_only=read_only)
    elif re.fullmatch(r"postgres(ql)?(\+psycopg)?", scheme[1]):
        backend = open_postgres(given, at=at, read_only=read_only)
    else:
        raise StoreError("no store is kept there", expected="a path or postgresql://…", got=f"{scheme[1]}://…")
    return Store(backend, clock=clock)


class Store:
    """An opened record; made by `open_store`. Close it, or use it as a context, when it is not used any more."""

    def __init__(self, backend: Backend, *, clock: Clock = utc_now) -> None:
        self._backend = backend
        self._clock = clock
        self._lock = threading.Lock()
        try:
            with self._reading() as connection:
                self._identity = identity(connection, self.place)
                for _ in proved(connection, self.place):
                    pass
        except BaseException:
            backend.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def place(self) -> str:
        """The file or URL (without its password), for showing."""
        return self._backend.place

    @property
    def read_only(self) -> bool:
        """Whether nothing can be recorded."""
        return self._backend.writer is None

    @property
    def why_read_only(self) -> str:
        """Why nothing can be recorded; empty where it can."""
        return self._backend.why_read_only

    @property
    def head(self) -> tuple[int, str]:
        """The number and digest of the last event; 0 and 64 zeros when there is none. Kept elsewhere, it proves all."""
        with self._reading() as connection:
            return head(connection, self.place)

    def secret(self) -> bytes:
        """32 random bytes that were made with the record, for keyed hashes; they never leave the machine."""
        return bytes.fromhex(self._identity.secret)

    def events(self, after: int = 0) -> tuple[Event, ...]:
        """Every event behind number `after`, in order; raises `StoreCorrupt` with the first that was changed."""
        with self._reading() as connection:
            return tuple(event_of(row) for row in proved(connection, self.place, after=after))

    def append(self, new: NewEvent) -> Event:
        """
        Record one event; returns when it is safe on disk.

        The same event sent again is recorded once, and the recorded one is returned. Raises `EventConflict` when
        another stands under its id, `RecordError` for what cannot be recorded, `StoreFull`, `StoreReadOnly` or
        `StoreBusy` when it was not recorded, and `StoreError` when that is not known: send it again.
        """
        return self.append_all((new,))[0]

    def append_all(self, events: Iterable[NewEvent | Event]) -> tuple[Event, ...]:
        """
        Record several events in their order, all or none of them; returns what stands in the record.

        An `Event` of another record, such as a history that is read back, keeps its time: in an empty record the
        same chain comes out. Raises as `append` does.
        """
        ready = [wanted(each) for each in events]
        with self._writing() as connection:
            return tuple(self._recorded(connection, *each) for each in ready)

    def verify(self) -> StoreReport:
        """Prove the whole record again, with every check there is; raises `StoreCorrupt` at the first fault."""
        with self._reading() as connection:
            self._backend.require_sound(connection, self.place)
            made = identity(connection, self.place)
            times = [row["recorded_at"] for row in proved(connection, self.place)]
            end = head(connection, self.place)
        back = sum(later < earlier for earlier, later in pairwise(times))
        return StoreReport(self.place, VERSION, len(times), end, made.created_at, back)

    def backup(self, path: str | Path) -> StoreReport:
        """
        Copy the record, as of one moment, into a new SQLite file for its owner only, and prove the copy.

        Raises `StoreError` when the name is taken, `StoreFull` when there is no room; no part of a file stays then.
        """
        target = Path(path).absolute()
        with published(target) as made:
            with translated(self.place):
                self._copy(made)
            with open_store(made, clock=self._clock, read_only=True) as copy:
                report = copy.verify()
        return replace(report, place=str(target))

    def close(self) -> None:
        """Close every connection."""
        self._backend.close()

    def _copy(self, target: Path) -> None:
        if self._backend.dialect == "sqlite":
            copy_sqlite(self._backend.reader, target)
        else:
            fill_sqlite(target, self._pour)

    def _pour(self, into: Connection) -> None:
        made = self._identity
        set_up(into, dialect="sqlite", at=_stamp(self._clock), identity=(made.secret, made.created_at))
        last: dict[str, Any] = {}
        with self._reading() as connection:
            for row in proved(connection, self.place):
                last = dict(row)
                into.execute(insert(EVENT).values(**last))
        if last:
            into.execute(update(HEAD).values(seq=last["seq"], digest=last["digest"]))

    def _recorded(self, connection: Connection, new: NewEvent, payload: bytes, at: str | None) -> Event:
        stored = find(connection, new.event_id)
        if stored is not None:
            if any(stored[name] != value for name, value in said(new, payload).items()):
                raise EventConflict(
                    "another answer is recorded under this id; it stands",
                    got=repr(new.event_id),
                    todo="Reload the page; a change of mind is a new event.",
                )
            return event_of(stored)
        self._require_superseded(connection, new)
        seq, before = head(connection, self.place)
        row: dict[str, Any] = {
            **said(new, payload),
            "seq": seq + 1,
            "recorded_at": at or _stamp(self._clock),
            "prev_digest": before,
        }
        row["digest"] = event_digest(**{**row, "payload": payload})
        add(connection, row)
        return event_of(row)

    def _require_superseded(self, connection: Connection, new: NewEvent) -> None:
        if new.supersedes is None:
            return
        found = find(connection, new.supersedes)
        if found is None or found["kind"] == "withdraw":
            raise RecordError("the event that is to be superseded was not recorded", got=repr(new.supersedes))
        if (found["assessor"], found["comparison"]) != (new.assessor, new.comparison):
            raise RecordError(
                "only an assessor's own event about the same comparison is superseded", got=repr(new.supersedes)
            )

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """The record as of one moment."""
        try:
            connection = self._snapshot()
        except StoreReadOnly:
            # Another process died while it wrote, and a reader may not roll that back.
            with self._writing():
                pass
            connection = self._snapshot()
        with translated(self.place), connection:
            yield connection

    def _snapshot(self) -> Connection:
        with translated(self.place):
            connection = self._backend.reader.connect()
            try:
                connection.begin()
                connection.execute(select(HEAD.c.seq)).all()
            except BaseException:
                connection.close()
                raise
            return connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """The one transaction that writes: committed when the block ends, rolled back by whatever stops it."""
        writer = self._backend.writer
        if writer is None:
            raise StoreReadOnly(f"nothing can be recorded: {self.why_read_only}")
        if not self._lock.acquire(timeout=LONGEST_WAIT):
            raise StoreBusy(f"others are writing for too long ({self.place})", todo=AGAIN)
        try:
            with translated(self.place), writer.connect() as connection:
                transaction = connection.begin()
                try:
                    if self._backend.dialect == "postgresql":
                        lock(connection)
                    yield connection
                    transaction.commit()
                # A page that is stopped while it runs raises what is not an Exception.
                except BaseException:
                    transaction.rollback()
                    raise
        finally:
            self._lock.release()


def _stamp(clock: Clock) -> str:
    now = clock()
    if now.tzinfo is None:
        raise StoreError("the clock gives times without a zone")
    return now.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
