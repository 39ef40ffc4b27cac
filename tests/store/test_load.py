"""Many people at once, in threads and in processes, while copies are made: nothing lost, doubled or slow."""

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from comparekit.errors import ComparekitError
from comparekit.events import ROOT, Event
from comparekit.store import Store, open_store
from tests.store.making import LONG, be_late, child, vote, write_for

PEOPLE, READERS, PROCESSES = 24, 4, 8
SECONDS, THINKING = (600.0, 2.0) if LONG else (20.0, 0.1)
FLAT_OUT = 60.0 if LONG else 3.0
COPYING = 30.0 if LONG else 2.0


class Crowd:
    """Threads that record answers until they are told to stop, and what they saw."""

    def __init__(self, store: Store, *, people: int, thinking: float, readers: int = 0) -> None:
        self.store = store
        self.recorded: list[Event] = []
        self.took: list[float] = []
        self.wrong: list[str] = []
        self.stop = threading.Event()
        self._lock = threading.Lock()
        self.threads = [threading.Thread(target=self._answer, args=(n, thinking)) for n in range(people)]
        self.threads += [threading.Thread(target=self._read) for _ in range(readers)]

    @contextmanager
    def at_work(self) -> Iterator[None]:
        for thread in self.threads:
            thread.start()
        try:
            yield
        finally:
            self.stop.set()
            for thread in self.threads:
                thread.join(60)
        assert not [thread for thread in self.threads if thread.is_alive()]

    def _answer(self, person: int, thinking: float) -> None:
        number = 0
        while not self.stop.is_set():
            before = time.monotonic()
            try:
                event = self.store.append(vote(f"{person}-{number}", assessor=f"p{person}"))
            except ComparekitError as error:
                self.wrong.append(repr(error))
                return
            with self._lock:
                self.took.append(time.monotonic() - before)
                self.recorded.append(event)
            number += 1
            self.stop.wait(thinking)

    def _read(self) -> None:
        seen: list[Event] = []
        while not self.stop.is_set():
            try:
                seen += self.store.events(after=len(seen))
            except ComparekitError as error:
                self.wrong.append(repr(error))
                return
            self.stop.wait(0.05)
        if [each.seq for each in seen] != list(range(1, len(seen) + 1)):
            self.wrong.append("a reader missed an event or saw one twice")


def test_twenty_four_people_lose_nothing_and_wait_for_nobody(place: str) -> None:
    with open_store(place) as store, child(be_late) as (_, pipe):
        crowd = Crowd(store, people=PEOPLE, thinking=THINKING, readers=READERS)
        with crowd.at_work():
            time.sleep(SECONDS if "://" not in place or LONG else SECONDS / 2)
        pipe.send("stop")
        assert pipe.poll(60)
        late = pipe.recv()
        assert crowd.wrong == []
        assert store.verify().events == len(crowd.recorded)
        assert store.events() == tuple(sorted(crowd.recorded, key=lambda each: each.seq))
        assert len({each.event_id for each in crowd.recorded}) == len(crowd.recorded) > 100
    # Whoever is last in the queue waits for all before, each as late as a busy machine makes anybody.
    took = sorted(crowd.took)
    assert at(0.99, took) < 0.25 + PEOPLE * at(0.99, late)
    assert took[-1] < 2 + PEOPLE * late[-1]


def at(share: float, ordered: Sequence[float]) -> float:
    """The value below which this share of others lies."""
    return ordered[int(share * len(ordered))]


def test_eight_processes_flat_out_lose_nothing(place: str) -> None:
    with open_store(place):
        pass
    with ExitStack() as stack:
        pipes = [stack.enter_context(child(write_for, place, f"p{n}", FLAT_OUT))[1] for n in range(PROCESSES)]
        for pipe in pipes:
            assert pipe.poll(60)
            assert pipe.recv() == "started"
        for pipe in pipes:
            pipe.send("go")
        told: list[int] = [pipe.recv() for pipe in pipes if pipe.poll(FLAT_OUT + 60)]
    assert [type(each) for each in told] == [int] * PROCESSES, told
    with open_store(place) as store:
        assert store.verify().events == sum(told)
        assert all(told)


def test_copies_made_under_load_are_whole_and_a_beginning_of_the_record(place: str, tmp_path: Path) -> None:
    copies = []
    with open_store(place) as store:
        crowd = Crowd(store, people=8, thinking=0.0)
        with crowd.at_work():
            until, number = time.monotonic() + COPYING, 0
            while time.monotonic() < until or number < 2:
                number += 1
                store.backup(tmp_path / f"{number}.sqlite")
                copies.append(tmp_path / f"{number}.sqlite")
                if "://" not in place:
                    copies.append(tmp_path / f"{number}-vacuum.sqlite")
                    with closing(sqlite3.connect(f"file:{place}?mode=ro", uri=True, timeout=10)) as other:
                        other.execute("VACUUM INTO ?", (str(copies[-1]),))
                time.sleep(0.2)
        assert crowd.wrong == []
        whole = store.events()
        assert len(whole) == len(crowd.recorded)
        for path in copies:
            with open_store(path) as copy:
                part = copy.events()
                assert copy.verify().head == (len(part), part[-1].digest if part else ROOT)
                assert part == whole[: len(part)]
                assert copy.secret() == store.secret()
