"""The record of answers, opened once for everybody, and what holds in it, read on from where it was last read."""

import threading
from pathlib import Path

import streamlit as st

from comparekit.errors import StoreBusy
from comparekit.events import Event, NewEvent
from comparekit.store import Store, default_place, open_store


class Book:
    """A store with its events in memory: a rerun reads only what was recorded since the last one."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.secret = store.secret()
        self._events: list[Event] = []
        self._lock = threading.Lock()

    def events(self) -> tuple[Event, ...]:
        """Everything that was ever recorded, in order."""
        with self._lock:
            after = self._events[-1].seq if self._events else 0
            try:
                self._events += self.store.events(after=after)
            except StoreBusy:
                # What is known will do for a page; whoever answers now is told whether it was recorded.
                if not self._events:
                    raise
            return tuple(self._events)

    @property
    def locked(self) -> str:
        """Why nothing can be recorded; empty where it can."""
        return f"Read only: {self.store.why_read_only}" if self.store.read_only else ""

    def append(self, event: NewEvent) -> Event:
        """Record one event; returns when it is safe on disk."""
        return self.store.append(event)


def is_there() -> bool:
    """Whether there is a record already: a place where nobody ever answered is left empty by those who only look."""
    place = default_place()
    return "://" in place or Path(place).exists()


def book() -> Book:
    """The record this server writes to; raises a `StoreError` when it cannot be opened."""
    place = default_place()
    found = _opened(place)
    if found.store.read_only:
        _opened.clear(place)  # the next run tries again: what stood in the way may be gone
    return found


@st.cache_resource(show_spinner=False)
def _opened(place: str) -> Book:
    return Book(open_store(place))
