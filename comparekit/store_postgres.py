"""The record of answers in a PostgreSQL database: how it is made, opened and proved."""

from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

from comparekit.errors import StoreError, StoreReadOnly
from comparekit.store_backend import Backend, require_known_version, why_not_writable
from comparekit.store_errors import corrupt, translated
from comparekit.store_schema import APPLICATION_ID, VERSION, migrate, recorded_version, set_up

WAIT: Final = "10s"
_EVERY = {
    "lock_timeout": WAIT,
    "statement_timeout": "120s",
    "idle_in_transaction_session_timeout": "60s",
    "synchronous_commit": "on",
}
_READING = {"default_transaction_read_only": "on", "default_transaction_isolation": r"repeatable\ read"}
_WRITING = {"default_transaction_isolation": r"read\ committed"}
_TRIGGERS = {("preference_event_no_change", "O"), ("preference_event_no_truncate", "O")}


def open_postgres(address: str, *, at: str, read_only: bool) -> Backend:
    """
    The record in a database, whose tables are made when there are none and this is not `read_only`.

    `address` is a URL such as postgresql://user:password@host/database. Raises `StoreError` when the database cannot
    be reached, `StoreCorrupt` or `StoreTooNew` when the record cannot be used.
    """
    url = _url(address)
    place = shown(url)
    writer, reader = _engine(url, _WRITING, size=1), _engine(url, _READING, size=8)
    try:
        with translated(place):
            if not read_only:
                _make_or_upgrade(writer, reader, place, at=at)
            with reader.connect() as connection, connection.begin():
                version = _version(connection)
                if version == 0:
                    raise StoreError(f"there is no record of answers ({place})", todo="Check the URL of the store.")
                require_known_version(version, place)
                if version < VERSION:
                    raise StoreReadOnly(
                        f"the record must be brought up to date first ({place})", todo="Open it once for writing."
                    )
                _require_sound(connection, place)
        why = "it was opened for reading only" if read_only else why_not_writable(writer, place)
    except BaseException:
        writer.dispose()
        reader.dispose()
        raise
    if why:
        writer.dispose()
    return Backend(place, "postgresql", reader, None if why else writer, why, _require_sound)


def lock(connection: Connection) -> None:
    """Wait until nobody else appends; the lock goes with the transaction."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": APPLICATION_ID})


def shown(url: URL) -> str:
    """A URL without its password."""
    open_query = {key: value for key, value in url.query.items() if key != "password"}
    return url.set(drivername="postgresql", query=open_query).render_as_string(hide_password=True)


def _url(address: str) -> URL:
    try:
        return make_url(address).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError) as error:
        # Without the address: there may be a password in it.
        raise StoreError(
            "this is not the URL of a database", expected="postgresql://user:password@host/database"
        ) from error


def _engine(url: URL, settings: dict[str, str], *, size: int) -> Engine:
    given = url.query.get("options")
    options = [given] if isinstance(given, str) else list(given or ())
    options += [f"-c {name}={value}" for name, value in {**_EVERY, **settings}.items()]
    arguments: dict[str, Any] = {
        "connect_timeout": 5,
        "tcp_user_timeout": 10_000,
        "application_name": "comparekit",
        "client_encoding": "utf8",
        "options": " ".join(options),
    }
    try:
        return create_engine(
            url.difference_update_query(["options"]),
            connect_args=arguments,
            pool_size=size,
            max_overflow=0,
            pool_timeout=30,
            pool_pre_ping=True,
        )
    except ModuleNotFoundError as error:
        raise StoreError(
            "the driver of PostgreSQL is not installed", todo="pip install -r requirements-postgres.txt"
        ) from error


def _make_or_upgrade(writer: Engine, reader: Engine, place: str, *, at: str) -> None:
    with reader.connect() as connection, connection.begin():
        version = _version(connection)
    require_known_version(version, place)
    if version == VERSION:
        return
    with writer.begin() as connection:
        lock(connection)
        encoding = connection.execute(text("SHOW server_encoding")).scalar()
        if encoding != "UTF8":
            raise StoreError(f"the database cannot hold every text ({place})", expected="UTF8", got=encoding)
        version = _version(connection)
        if version == 0:
            set_up(connection, dialect="postgresql", at=at)
        else:
            migrate(connection, dialect="postgresql", version=version, at=at)


def _version(connection: Connection) -> int:
    there = connection.execute(text("SELECT to_regclass('store_migration') IS NOT NULL")).scalar()
    return recorded_version(connection) if there else 0


def _require_sound(connection: Connection, place: str) -> None:
    found = connection.execute(
        text(
            "SELECT tgname, tgenabled::text FROM pg_trigger "
            "WHERE tgrelid = 'preference_event'::regclass AND NOT tgisinternal"
        )
    )
    if {(str(name), str(enabled)) for name, enabled in found} != _TRIGGERS:
        raise corrupt(place, "what keeps the record append-only was changed")
