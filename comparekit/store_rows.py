"""Rows of the record read as events, each proved against the one before it: was anything altered, dropped or moved?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update

from comparekit.canonical import parse_fast
from comparekit.errors import InputError
from comparekit.events import ROOT, Event, NewEvent, event_digest, payload_bytes, require_time
from comparekit.store_errors import corrupt
from comparekit.store_schema import EVENT, HEAD, IDENTITY, identity_digest

Row = Mapping[str, Any]

_TEXTS = ("event_id", "kind", "assessor", "comparison", "payload", "recorded_at", "prev_digest", "digest")
_BLOCK = 1000

# Built once: making a statement takes longer than running it.
_FIND = select(EVENT).where(EVENT.c.event_id == bindparam("wanted"))
_HEAD = select(HEAD.c.seq, HEAD.c.digest)
_ADD = insert(EVENT)
_MOVE = update(HEAD).values(seq=bindparam("last"), digest=bindparam("end"))


@dataclass(frozen=True, slots=True)
class Identity:
    """What a record got when it was made: the secret (hex) and the time."""

    secret: str
    created_at: str


def proved(connection: Connection, place: str, *, after: int = 0) -> Iterator[Row]:
    """
    The rows behind the event `after`, in order; raises `StoreCorrupt` with the first that is not as it was recorded.

    When `after` is 0 the last one is held against the record's own note of its head, so that a lost end is seen too.
    """
    before, last = ROOT, 0
    start = select(func.coalesce(func.max(EVENT.c.seq), 0)).where(EVENT.c.seq <= after).scalar_subquery()
    statement = select(EVENT).where(EVENT.c.seq >= start).order_by(EVENT.c.seq)
    for found in connection.execute(statement).yield_per(_BLOCK):
        row = found._asdict()
        if after and last == 0 and row["seq"] <= after:
            before, last = row["digest"], row["seq"]
            continue
        _require_row(row, place, before=before, last=last)
        before, last = row["digest"], row["seq"]
        yield row
    noted = head(connection, place)
    if noted != (last, before) and (after == 0 or last):
        raise corrupt(
            place,
            f"the record ends at event {last}, and its own note says otherwise",
            expected=f"{noted[0]} ({noted[1]})",
            got=f"{last} ({before})",
        )


def event_of(row: Mapping[str, Any]) -> Event:
    """The event of a row that was proved."""
    members = {name: row[name] for name in Event.__slots__ if name != "payload"}
    return Event(**members, payload=parse_fast(row["payload"].encode()))


def find(connection: Connection, event_id: str) -> Row | None:
    """The row of one event."""
    found = connection.execute(_FIND, {"wanted": event_id}).one_or_none()
    return None if found is None else found._asdict()


def head(connection: Connection, place: str) -> tuple[int, str]:
    """The record's own note of its last event; 0 and 64 zeros when there is none."""
    found = connection.execute(_HEAD).all()
    if len(found) != 1:
        raise corrupt(place, "the record does not say where it ends")
    return found[0].seq, found[0].digest


def identity(connection: Connection, place: str) -> Identity:
    """The record's secret and when it was made; raises `StoreCorrupt` when they are not as they were made."""
    found = connection.execute(select(IDENTITY)).mappings().all()
    if len(found) != 1 or identity_digest(found[0]["secret"], found[0]["created_at"]) != found[0]["digest"]:
        raise corrupt(place, "the secret of the record was changed")
    return Identity(found[0]["secret"], found[0]["created_at"])


def add(connection: Connection, row: Mapping[str, Any]) -> None:
    """Write one row and the new head."""
    connection.execute(_ADD, row)
    connection.execute(_MOVE, {"last": row["seq"], "end": row["digest"]})


def wanted(given: NewEvent | Event) -> tuple[NewEvent, bytes, str | None]:
    """What is to be recorded, found right: the event, its payload's bytes, and its time if it has one already."""
    if isinstance(given, NewEvent):
        return given, payload_bytes(given), None
    new = NewEvent(given.event_id, given.kind, given.supersedes, given.assessor, given.comparison, given.payload)
    return new, payload_bytes(new), require_time(given.recorded_at)


def said(new: NewEvent, payload: bytes) -> dict[str, Any]:
    """The members that an event has before it is recorded, as they stand in its row."""
    return {
        "event_id": new.event_id,
        "kind": new.kind,
        "supersedes": new.supersedes,
        "assessor": new.assessor,
        "comparison": new.comparison,
        "payload": payload.decode(),
    }


def _require_row(row: Row, place: str, *, before: str, last: int) -> None:
    seq = row["seq"]
    if not all(isinstance(row[name], str) for name in _TEXTS) or not isinstance(row["supersedes"], str | None):
        raise corrupt(place, f"event {seq} was changed after it was recorded", got="a value that is not text")
    try:
        found = event_digest(
            prev_digest=before,
            seq=seq,
            event_id=row["event_id"],
            kind=row["kind"],
            supersedes=row["supersedes"],
            assessor=row["assessor"],
            comparison=row["comparison"],
            payload=row["payload"].encode(),
            recorded_at=row["recorded_at"],
        )
    except (InputError, UnicodeError) as error:
        raise corrupt(place, f"event {seq} was changed after it was recorded", got=str(error)) from error
    if seq <= last or row["prev_digest"] != before or row["digest"] != found:
        raise corrupt(
            place,
            f"event {seq} was changed after it was recorded, or one before it is missing",
            expected=row["digest"],
            got=found,
        )
