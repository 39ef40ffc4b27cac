"""
What stands in the record's tables, for SQLite and PostgreSQL, and how an older record becomes a newer one.

A migration and the note that it ran are one transaction. A migration is never edited once released; a change is a
new one.
"""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import BigInteger, Column, Connection, MetaData, Table, Text, insert, select

from comparekit.events import ROOT

Dialect = Literal["sqlite", "postgresql"]

APPLICATION_ID: Final = 0x636B6A31
"""What marks an SQLite file as ours: "ckj1"."""

_tables = MetaData()
EVENT: Final = Table(
    "preference_event",
    _tables,
    Column("seq", BigInteger, primary_key=True),
    *(Column(name, Text) for name in ("event_id", "kind", "supersedes", "assessor", "comparison", "payload")),
    *(Column(name, Text) for name in ("recorded_at", "prev_digest", "digest")),
)
HEAD: Final = Table(
    "store_head",
    _tables,
    Column("one", BigInteger, primary_key=True),
    Column("seq", BigInteger),
    Column("digest", Text),
)
IDENTITY: Final = Table(
    "store_identity",
    _tables,
    Column("one", BigInteger, primary_key=True),
    *(Column(name, Text) for name in ("secret", "created_at", "digest")),
)
MIGRATION: Final = Table(
    "store_migration",
    _tables,
    Column("version", BigInteger, primary_key=True),
    Column("name", Text),
    Column("applied_at", Text),
)


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from the version before to `version`, as statements of each database."""

    version: int
    name: str
    statements: Mapping[Dialect, tuple[str, ...]]


_SQLITE_1 = (
    """CREATE TABLE preference_event (
  seq          INTEGER PRIMARY KEY,
  event_id     TEXT NOT NULL UNIQUE,
  kind         TEXT NOT NULL CHECK (kind IN ('vote','revise','withdraw')),
  supersedes   TEXT REFERENCES preference_event(event_id),
  assessor     TEXT NOT NULL,
  comparison   TEXT NOT NULL,
  payload      TEXT NOT NULL,
  recorded_at  TEXT NOT NULL,
  prev_digest  TEXT NOT NULL,
  digest       TEXT NOT NULL UNIQUE
) STRICT""",
    # REPLACE deletes without firing delete triggers, so every unique column is named here.
    """CREATE TRIGGER preference_event_no_replace BEFORE INSERT ON preference_event
  WHEN EXISTS (SELECT 1 FROM preference_event
               WHERE seq = NEW.seq OR event_id = NEW.event_id OR digest = NEW.digest)
  BEGIN SELECT RAISE(ABORT, 'append-only, the event is already recorded'); END""",
    """CREATE TRIGGER preference_event_no_update BEFORE UPDATE ON preference_event
  BEGIN SELECT RAISE(ABORT, 'append-only, events are never changed'); END""",
    """CREATE TRIGGER preference_event_no_delete BEFORE DELETE ON preference_event
  BEGIN SELECT RAISE(ABORT, 'append-only, events are never removed'); END""",
    """CREATE TABLE store_head (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  seq     INTEGER NOT NULL,
  digest  TEXT NOT NULL
) STRICT""",
    """CREATE TABLE store_identity (
  one         INTEGER PRIMARY KEY CHECK (one = 1),
  secret      TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  digest      TEXT NOT NULL
) STRICT""",
    "CREATE TABLE store_migration (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT",
    f"PRAGMA application_id = {APPLICATION_ID}",
)

_POSTGRES_1 = (
    """CREATE TABLE preference_event (
  seq          bigint PRIMARY KEY,
  event_id     text NOT NULL UNIQUE,
  kind         text NOT NULL CHECK (kind IN ('vote','revise','withdraw')),
  supersedes   text REFERENCES preference_event(event_id),
  assessor     text NOT NULL,
  comparison   text NOT NULL,
  payload      text NOT NULL,
  recorded_at  text NOT NULL,
  prev_digest  text NOT NULL,
  digest       text NOT NULL UNIQUE
)""",
    """CREATE FUNCTION preference_event_refuse() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'append-only, events are never changed'; END $$""",
    """CREATE TRIGGER preference_event_no_change BEFORE UPDATE OR DELETE ON preference_event
  FOR EACH ROW EXECUTE FUNCTION preference_event_refuse()""",
    # A trigger for each row does not see TRUNCATE.
    """CREATE TRIGGER preference_event_no_truncate BEFORE TRUNCATE ON preference_event
  FOR EACH STATEMENT EXECUTE FUNCTION preference_event_refuse()""",
    # UPDATE stays with the owner: the check of a foreign key locks the row that is referred to, which needs it.
    "REVOKE UPDATE, DELETE, TRUNCATE ON preference_event FROM PUBLIC",
    "REVOKE DELETE, TRUNCATE ON preference_event FROM CURRENT_USER",
    "CREATE TABLE store_head (one bigint PRIMARY KEY CHECK (one = 1), seq bigint NOT NULL, digest text NOT NULL)",
    """CREATE TABLE store_identity (
  one bigint PRIMARY KEY CHECK (one = 1), secret text NOT NULL, created_at text NOT NULL, digest text NOT NULL
)""",
    "CREATE TABLE store_migration (version bigint PRIMARY KEY, name text NOT NULL, applied_at text NOT NULL)",
)

MIGRATIONS: Final = (Migration(1, "events, head and secret", {"sqlite": _SQLITE_1, "postgresql": _POSTGRES_1}),)
VERSION: Final = MIGRATIONS[-1].version


def migrate(connection: Connection, *, dialect: Dialect, version: int, at: str) -> None:
    """Bring a record from `version` (0 for an empty one) to the newest, inside the transaction that is open."""
    for migration in MIGRATIONS:
        if migration.version <= version:
            continue
        for statement in migration.statements[dialect]:
            connection.exec_driver_sql(statement)
        connection.execute(insert(MIGRATION).values(version=migration.version, name=migration.name, applied_at=at))
        if dialect == "sqlite":
            connection.exec_driver_sql(f"PRAGMA user_version = {migration.version:d}")


def set_up(connection: Connection, *, dialect: Dialect, at: str, identity: tuple[str, str] | None = None) -> None:
    """Make the tables of a new record, its head and its secret; `identity` is another record's to be carried on."""
    migrate(connection, dialect=dialect, version=0, at=at)
    secret, created_at = identity or (secrets.token_hex(32), at)
    connection.execute(insert(HEAD).values(one=1, seq=0, digest=ROOT))
    connection.execute(
        insert(IDENTITY).values(one=1, secret=secret, created_at=created_at, digest=identity_digest(secret, created_at))
    )


def identity_digest(secret: str, created_at: str) -> str:
    """What shows that the secret is as it was made; without it sides would be dealt anew in silence."""
    return "sha256:" + hashlib.sha256(f"{secret} {created_at}".encode()).hexdigest()


def schema_of(connection: Connection) -> frozenset[tuple[str, ...]]:
    """Every table, index and trigger of an SQLite record as it was written."""
    rows = connection.exec_driver_sql("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    return frozenset(tuple(str(value) for value in row) for row in rows)


def recorded_version(connection: Connection) -> int:
    """The version that the record's own notes tell; 0 where there is none."""
    return int(max(connection.execute(select(MIGRATION.c.version)).scalars(), default=0))
