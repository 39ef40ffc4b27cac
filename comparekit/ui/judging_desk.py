"""
The desk of one assessor: what is shown, since when, and what was pressed; kept in the session between two runs.

A button only notes what was pressed; the page acts on it before it draws, inside its own frame, so that whatever goes
wrong ends in the page's calm box. Every button carries the token of what was shown, and one that is not shown any more,
or has not been shown long enough to be seen, is not acted on.
"""

import time
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from comparekit.errors import EventConflict, StoreError
from comparekit.events import NewEvent
from comparekit.ui.judging_store import Book

DWELL = 0.35
"""Seconds for which something must have been shown before it can be answered."""
_KEY = "judging-desk"


@dataclass(frozen=True, slots=True)
class Unsaved:
    """An answer that could not be recorded: the very event, so that trying again records it once."""

    event: NewEvent
    words: str
    why: str
    then: Any


@dataclass(slots=True)
class Desk:
    """
    What is on the desk.

    `token` names what is shown, `item` is what it stands for, and `shown_at` (monotonic seconds) is since when.
    `attempt` counts this assessor's earlier answers to it, as of when it was laid down, and `supersedes` is the one of
    them that stands: an answer given elsewhere in the meantime is noticed. `wanted` is what was pressed, with the token
    it was pressed for. `said` is the line about the last thing that happened, `state` its kind. `again` is what an undo
    puts back on the desk. `asking` and `noting` say how the bar looks. `put_off` are documents to be graded later.
    """

    token: str = ""
    item: Any = None
    shown_at: float = 0.0
    attempt: int = 0
    supersedes: str | None = None
    wanted: tuple[str, str] | None = None
    unsaved: Unsaved | None = None
    asking: bool = False
    noting: bool = False
    said: str = ""
    state: str = ""
    again: Any = None
    put_off: list[Any] = field(default_factory=list)

    def want(self, token: str, what: str) -> None:
        """Note what was pressed."""
        self.wanted = (token, what)

    def taken(self) -> str:
        """What was pressed and counts, once; empty when nothing was."""
        wanted, self.wanted = self.wanted, None
        if wanted is None:
            return ""
        token, what = wanted
        if token != self.token:
            self.tell("care", "That one was answered already; this is the next.")
            return ""
        return what

    def too_early(self) -> bool:
        """Whether what is shown cannot have been seen yet; the desk then says so."""
        early = self.elapsed < DWELL
        if early:
            self.tell("care", "Not counted: that was quicker than it can be seen.")
        return early

    def lay(self, token: str, item: Any, *, attempt: int = 0, supersedes: str | None = None) -> None:
        """Put something on the desk; what lies there already keeps its time."""
        named, self.item = f"{token}-{attempt}", item
        if named != self.token:
            self.token, self.shown_at = named, time.monotonic()
            self.attempt, self.supersedes = attempt, supersedes
            self.asking = self.noting = False

    def turned(self, what: str) -> bool:
        """Act on what only changes how the bar looks; returns whether that was what was pressed."""
        if what in ("ask", "back"):
            self.asking = what == "ask"
        elif what == "note":
            self.noting = not self.noting
        return what in ("ask", "back", "note")

    @property
    def elapsed(self) -> float:
        """For how many seconds it has been shown."""
        return time.monotonic() - self.shown_at

    @property
    def elapsed_ms(self) -> int:
        """The same in whole milliseconds."""
        return round(1000 * self.elapsed)

    def tell(self, state: str, said: str) -> None:
        """Say what happened: `saved`, `care` or nothing special."""
        self.state, self.said = state, said

    def save(self, book: Book, event: NewEvent, *, words: str, then: Any = None) -> None:
        """
        Record an event; `then` is what lies on the desk afterwards, None for whatever comes next.

        What cannot be recorded stays on the desk, and says so.
        """
        try:
            book.append(event)
        except EventConflict:
            self.tell("care", "Already recorded, perhaps in another tab; that answer stands. Undo changes it.")
        except StoreError as error:
            self.unsaved = Unsaved(event, words, f"{error.what[:1].upper()}{error.what[1:]}. {error.todo}", then)
            return
        else:
            self.tell("saved", f"Saved: {words}")
        self.unsaved, self.again, self.asking = None, then, False

    def resolve(self, book: Book, what: str) -> bool:
        """Act on `retry` and `discard` of what could not be saved; returns whether that was what was pressed."""
        if self.unsaved is None or what not in ("retry", "discard"):
            return False
        if what == "retry":
            self.save(book, self.unsaved.event, words=self.unsaved.words, then=self.unsaved.then)
        else:
            self.unsaved = self.again = None
            self.tell("care", "Not saved, and taken off. Nothing was recorded.")
        return True


def the_desk(mode: str) -> Desk:
    """This session's desk for pairs or for grades."""
    key = f"{_KEY}-{mode}"
    if key not in st.session_state:
        st.session_state[key] = Desk()
    desk: Desk = st.session_state[key]
    return desk


def key_button(desk: Desk, label: str, what: str, *, key: str, kind: Any = "secondary", off: bool = False) -> None:
    """A button that notes `what` for what is on the desk; its key holds the token, so it dies with what is shown."""
    st.button(
        label, key=f"k-{desk.token}-{what}", shortcut=key, type=kind, disabled=off, on_click=desk.want,
        args=(desk.token, what), width="stretch",
    )  # fmt: skip
