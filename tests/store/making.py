"""Events to record, clocks, and what children do that get killed."""

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from comparekit.canonical import digest_of
from comparekit.errors import ComparekitError
from comparekit.events import PREFERENCE, NewEvent
from comparekit.store import open_store

LONG = os.environ.get("COMPAREKIT_LONG") == "1"
A, B, EXPERIMENT = (f"sha256:{letter * 64}" for letter in "abe")
PAIR = digest_of([A, B])

_children = get_context("forkserver")
_children.set_forkserver_preload(["pytest", "psycopg", "sqlalchemy.dialects.postgresql.psycopg", "tests.store.making"])


def said(topic: str = "t1", **more: Any) -> dict[str, Any]:
    """The payload of an answer to a pair."""
    return {
        "schema": PREFERENCE, "experiment": EXPERIMENT, "topic": topic, "receipt_a": A, "receipt_b": B, "left": "a",
        "answer": "left", "reasons": ["fresher"], "comment": "", "elapsed_ms": 4200, "repeat": 0, "guideline": "v1",
        "shown": {"depth": 10, "ranks": True, "fold": False}, "queue": "informative", **more,
    }  # fmt: skip


def vote(name: object, *, assessor: str = "ann", **more: Any) -> NewEvent:
    """An answer with the id `name`."""
    return NewEvent(f"e{name}", "vote", None, assessor, PAIR, said(**{"topic": f"t{name}", **more}))


def ticking(*, start: datetime = datetime(2026, 5, 1, tzinfo=UTC), step: float = 1.0) -> Callable[[], datetime]:
    """A clock that moves on by `step` seconds whenever it is read."""
    reads = count()
    return lambda: start + timedelta(seconds=step * next(reads))


def told_by(times: Iterable[datetime]) -> Callable[[], datetime]:
    """A clock that tells these times and then the last of them."""
    remaining = list(times)
    return lambda: remaining.pop(0) if len(remaining) > 1 else remaining[0]


@contextmanager
def child(target: Callable[..., None], *arguments: Any) -> Iterator[tuple[BaseProcess, Connection]]:
    """A process that runs `target(connection, *arguments)`; whatever is left of it is killed at the end."""
    mine, theirs = _children.Pipe()
    process = _children.Process(target=target, args=(theirs, *arguments), daemon=True)
    process.start()
    theirs.close()
    try:
        yield process, mine
    finally:
        process.kill()
        process.join(20)
        mine.close()


def write_on(pipe: Connection, place: str, run: str) -> None:
    """Open a record and add to it for ever; tell of each event once it is recorded."""
    pipe.send("started")
    store = open_store(place)
    pipe.send("opened")
    for number in count():
        pipe.send(store.append(vote(f"{run}-{number}")).event_id)


def write_one(pipe: Connection, place: str) -> None:
    """Open a record, wait for leave, and add one event to it."""
    with open_store(place) as store:
        pipe.send("opened")
        pipe.recv()
        pipe.send(store.append(vote(2)).event_id)


def write_for(pipe: Connection, place: str, run: str, seconds: float) -> None:
    """Record events as fast as it goes for some time; tell how many, or what went wrong."""
    try:
        with open_store(place) as store:
            pipe.send("started")
            pipe.recv()
            until, done = time.monotonic() + seconds, 0
            while time.monotonic() < until:
                store.append(vote(f"{run}-{done}"))
                done += 1
        pipe.send(done)
    except ComparekitError as error:
        pipe.send(repr(error))


def be_late(pipe: Connection) -> None:
    """Tell how many seconds later than asked this machine wakes a process that does nothing, until told to stop."""
    late = []
    while not pipe.poll(0):
        before = time.monotonic()
        time.sleep(0.005)
        late.append(time.monotonic() - before - 0.005)
    pipe.send(sorted(late))


def as_somebody(pipe: Connection, place: str) -> None:
    """Open a record as a user without rights and tell what may be done with it."""
    _without_rights()
    pipe.send(tried(place))


def while_the_folder_is_closed(pipe: Connection, place: str) -> None:
    """Record something before, while and after the folder may not be written; tell how each went."""
    _without_rights()
    folder = Path(place).parent
    with open_store(place) as store:
        for number, mode in enumerate((0o755, 0o555, 0o755)):
            folder.chmod(mode)
            try:
                pipe.send(f"recorded {store.append(vote(number)).seq}")
            except ComparekitError as error:
                pipe.send(f"{type(error).__name__} {len(store.events())}")


def _without_rights() -> None:
    # What is loaded when it is first needed may lie where only root can read.
    with tempfile.TemporaryDirectory() as folder:
        tried(Path(folder) / "first.sqlite")
    os.setgid(65534)
    os.setuid(65534)


def within_a_file_size(pipe: Connection, place: str, limit: int) -> None:
    """Record events until no file may grow any more; tell how many fitted, and how it ended."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    with open_store(place) as store:
        for number in range(10_000):
            try:
                store.append(vote(number, comment="x" * 500))
            except ComparekitError as error:
                pipe.send((number, type(error).__name__, len(store.events()), store.verify().events))
                return


def tried(place: str | Path) -> dict[str, Any]:
    """What becomes of opening a record, reading it and recording something."""
    try:
        with open_store(place) as store:
            told = {"read_only": store.read_only, "why": store.why_read_only, "events": len(store.events())}
            try:
                store.append(vote("tried"))
            except ComparekitError as error:
                return {**told, "append": type(error).__name__}
            return {**told, "append": "recorded"}
    except ComparekitError as error:
        return {"open": type(error).__name__, "why": str(error)}
