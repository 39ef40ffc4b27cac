"""Append-only, even for whoever speaks SQL to the database: every way to change or remove a row is refused."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from comparekit.errors import StoreCorrupt
from comparekit.store import open_store
from tests.store.conftest import run_sql
from tests.store.making import vote

COLUMNS = "seq, event_id, kind, supersedes, assessor, comparison, payload, recorded_at, prev_digest, digest"
# The new row shares one unique column with a recorded one: each must protect by itself.
SHARED = {
    "seq": "SELECT 2, 'x', 'vote', NULL, 'eve', 'c', '{}', 't', 'p', 'd'",
    "event_id": "SELECT 9, 'e2', 'vote', NULL, 'eve', 'c', '{}', 't', 'p', 'd'",
    "digest": "SELECT 9, 'x', 'vote', NULL, 'eve', 'c', '{}', 't', 'p', digest FROM preference_event WHERE seq = 2",
}
CHANGES = [
    "UPDATE preference_event SET assessor = 'eve'",
    "UPDATE preference_event SET seq = seq + 10",
    "DELETE FROM preference_event",
    "DELETE FROM preference_event WHERE seq = 3",
]
UPSERT = "ON CONFLICT DO UPDATE SET assessor = 'eve'"


@contextmanager
def unchanged(place: str | Path) -> Iterator[None]:
    """A record of three events in which nothing may change."""
    with open_store(place) as store:
        store.append_all(vote(number) for number in (1, 2, 3))
        before = store.events()
        yield
        assert store.events() == before
        assert store.verify().events == 3
        assert store.append(vote(4)).seq == 4


@pytest.mark.parametrize("recursive", ["ON", "OFF"])
@pytest.mark.parametrize("shared", SHARED)
@pytest.mark.parametrize("how", ["INSERT OR REPLACE", "REPLACE", "INSERT OR FAIL", "INSERT OR IGNORE", "INSERT"])
def test_sqlite_replaces_nothing(tmp_path: Path, how: str, shared: str, recursive: str) -> None:
    place = tmp_path / "judgments.sqlite"
    with unchanged(place), closing(sqlite3.connect(place)) as other:
        other.execute(f"PRAGMA recursive_triggers = {recursive}")
        for more in ("", UPSERT) if how == "INSERT" else ("",):
            where = "" if "WHERE" in SHARED[shared] else "WHERE true"
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                other.execute(f"{how} INTO preference_event ({COLUMNS}) {SHARED[shared]} {where} {more}")
            other.rollback()


@pytest.mark.parametrize("statement", CHANGES)
def test_sqlite_changes_nothing(tmp_path: Path, statement: str) -> None:
    place = tmp_path / "judgments.sqlite"
    with unchanged(place), closing(sqlite3.connect(place)) as other:
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            other.execute(statement)
        other.rollback()


def test_sqlite_keeps_types_and_kinds(tmp_path: Path) -> None:
    place = tmp_path / "judgments.sqlite"
    with unchanged(place), closing(sqlite3.connect(place)) as other:
        rest = "NULL, 'a', 'c', '{}', 't', 'p', 'd'"
        for wrong in (f"9, 'x', 'other', {rest}", f"9, x'00', 'vote', {rest}"):
            with pytest.raises(sqlite3.IntegrityError, match="CHECK|cannot store BLOB"):
                other.execute(f"INSERT INTO preference_event ({COLUMNS}) VALUES ({wrong})")
            other.rollback()


@pytest.mark.parametrize(
    "statement",
    [
        *CHANGES,
        "TRUNCATE preference_event",
        "TRUNCATE preference_event CASCADE",
        f"INSERT INTO preference_event ({COLUMNS}) {SHARED['event_id']} {UPSERT}".replace("DO", "(event_id) DO"),
        f"INSERT INTO preference_event ({COLUMNS}) {SHARED['seq']}",
        "MERGE INTO preference_event USING (SELECT 2 AS n) AS other ON seq = n WHEN MATCHED THEN DELETE",
    ],
)  # fmt: skip
@pytest.mark.parametrize("owner", [True, False], ids=["owner", "superuser"])
def test_postgresql_changes_nothing(server: str, postgres: str, statement: str, owner: bool) -> None:
    above = make_url(server).set(database=make_url(postgres).database).render_as_string(hide_password=False)
    with unchanged(postgres), pytest.raises(DBAPIError, match="append-only|permission denied|duplicate key"):
        run_sql(postgres if owner else above, statement)


def test_postgresql_without_its_triggers_is_not_trusted(server: str, postgres: str) -> None:
    with open_store(postgres) as store:
        store.append(vote(1))
        above = make_url(server).set(database=make_url(postgres).database).render_as_string(hide_password=False)
        run_sql(above, "ALTER TABLE preference_event DISABLE TRIGGER preference_event_no_change")
        with pytest.raises(StoreCorrupt, match="what keeps the record append-only was changed"):
            store.verify()
        run_sql(above, "UPDATE preference_event SET assessor = 'eve'")
        with pytest.raises(StoreCorrupt, match="event 1 was changed"):
            store.events()
    with pytest.raises(StoreCorrupt, match="append-only was changed"):
        open_store(postgres)


def test_nothing_a_caller_gives_becomes_sql(place: str) -> None:
    with open_store(place) as store:
        store.append(vote(1))
        hostile = "0; DROP TABLE preference_event; --"
        assert store.append(vote(hostile, assessor=hostile, topic=hostile)).assessor == hostile
        assert len(store.events()) == 2


def test_readers_cannot_write(place: str) -> None:
    with open_store(place) as store:
        with store._reading() as connection, pytest.raises(DBAPIError, match=r"readonly|read-only"):
            connection.exec_driver_sql("UPDATE store_head SET seq = 9")
        assert store.head[0] == 0
