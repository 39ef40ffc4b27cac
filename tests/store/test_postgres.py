"""What can happen to a PostgreSQL record only: the server dies, or the line is cut between saving and saying so."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import make_url

from comparekit.errors import StoreBusy, StoreError, StoreReadOnly, StoreTooNew
from comparekit.store import open_store
from tests.store.conftest import cluster, helper, run_sql
from tests.store.making import vote


def test_what_was_saved_survives_the_server(server: str, memory: Path) -> None:
    folder = memory / "dying"
    with cluster(folder) as url, open_store(url) as store:
        recorded, unsure, dead = [], [], threading.Event()

        def answer(person: int) -> None:
            for number in range(100_000):
                new = vote(f"{person}-{number}")
                try:
                    recorded.append(store.append(new))
                except StoreError:
                    unsure.append(new)
                    return
                if dead.wait(0.001):
                    return

        threads = [threading.Thread(target=answer, args=(person,)) for person in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(1)
        assert helper("kill", str(folder)).returncode == 0
        dead.set()
        for thread in threads:
            thread.join(60)
        assert recorded
        with pytest.raises(StoreError, match=r"cannot be reached .*Send the answer again; it is recorded once"):
            store.append(vote("while it is down"))
        assert helper("again", str(folder)).returncode == 0
        found = store.events()
        assert set(map(repr, recorded)) <= set(map(repr, found))
        assert len(recorded) <= len(found) <= len(recorded) + len(unsure)
        for new in unsure:
            assert store.append(new) == store.append(new)
        assert store.verify().events == len(recorded) + len(unsure)


class Line:
    """A line to a server that is cut when the answer to COMMIT comes back."""

    def __init__(self, server: Path, folder: Path) -> None:
        self.server = server
        self.cut = threading.Event()
        self.armed = threading.Event()
        self._open: list[socket.socket] = []
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / ".s.PGSQL.5432"))
        self._listening.listen(8)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        for each in (self._listening, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            far.connect(str(self.server / ".s.PGSQL.5432"))
            self._open += [near, far]
            committing = threading.Event()
            for pair in ((near, far, committing, False), (far, near, committing, True)):
                threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, committing: threading.Event, back: bool) -> None:
        try:
            while data := source.recv(65536):
                if not back and self.armed.is_set() and b"COMMIT" in data:
                    committing.set()
                if back and committing.is_set():
                    self.cut.set()
                    break
                target.sendall(data)
        except OSError:
            pass
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def line(url: str, folder: Path) -> Iterator[tuple[str, Line]]:
    parsed = make_url(url)
    host = parsed.query["host"]
    assert isinstance(host, str)
    folder.mkdir()
    made = Line(Path(host), folder)
    try:
        yield parsed.update_query_dict({"host": str(folder)}).render_as_string(hide_password=False), made
    finally:
        made.close()


def test_an_answer_that_was_saved_when_the_line_was_cut_is_found_again(postgres: str, memory: Path) -> None:
    if "host=" not in postgres:
        pytest.skip("the server is not on a socket of its own")
    with line(postgres, memory / "line") as (url, wire), open_store(url) as store:
        first = store.append(vote(1))
        wire.armed.set()
        with pytest.raises(StoreError, match=r"cannot be reached .*Send the answer again; it is recorded once"):
            store.append(vote(2))
        assert wire.cut.is_set()
        wire.armed.clear()
        with open_store(postgres) as other:
            saved = other.events()
        assert [each.event_id for each in saved] == ["e1", "e2"]
        assert saved[0] == first
        assert store.append(vote(2)) == saved[1]
        assert store.events() == saved
        assert store.append(vote(3)).seq == 3


def test_a_server_that_is_not_there_is_told(memory: Path) -> None:
    with pytest.raises(StoreError, match="cannot be reached") as caught:
        open_store(f"postgresql://ann:hidden@/x?host={memory}/nowhere")
    assert "hidden" not in str(caught.value)


def test_a_malformed_address_is_told_without_its_password() -> None:
    with pytest.raises(StoreError, match="not the URL of a database") as caught:
        open_store("postgresql://ann:hidden@host:port/x")
    assert "hidden" not in str(caught.value)


def test_a_database_that_may_only_be_read_opens_for_reading(server: str, postgres: str) -> None:
    with open_store(postgres) as store:
        recorded = store.append(vote(1))
    name = make_url(postgres).database
    run_sql(server, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with open_store(postgres) as store:
        assert store.read_only
        assert "read-only transaction" in store.why_read_only
        assert store.events() == (recorded,)
        with pytest.raises(StoreReadOnly):
            store.append(vote(2))
    run_sql(server, f"ALTER DATABASE {name} RESET default_transaction_read_only")
    with open_store(postgres) as store:
        assert store.append(vote(2)).seq == 2


def test_somebody_who_holds_the_record_is_told_of(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(open_store.__globals__["open_postgres"].__globals__["_EVERY"], "lock_timeout", "300ms")
    with open_store(postgres) as store, open_store(postgres) as other, store._writing(), pytest.raises(StoreBusy):
        other.append(vote(1))


def test_a_record_of_a_later_version_is_left_alone(postgres: str) -> None:
    with open_store(postgres):
        pass
    run_sql(postgres, "INSERT INTO store_migration VALUES (2, 'later', 'now')")
    for read_only in (False, True):
        with pytest.raises(StoreTooNew, match="a later version"):
            open_store(postgres, read_only=read_only)


def test_eight_who_make_the_record_at_once_make_one(postgres: str) -> None:
    secrets: list[bytes] = []

    def make() -> None:
        with open_store(postgres) as store:
            secrets.append(store.secret())

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(secrets) == 8
    assert len(set(secrets)) == 1
