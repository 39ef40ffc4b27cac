"""The bar under what is judged: what happened last, the answers by key, and a note."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from comparekit.ui.judging_desk import Desk, Unsaved, key_button
from comparekit.ui.text import Html, show, tag

MARKS = {"saved": "✓", "care": "!", "": ""}


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: its key, what is recorded, and its words."""

    key: str
    answer: str
    label: str


@dataclass(frozen=True, slots=True)
class Noted:
    """What goes with an answer: chips and words."""

    reasons: tuple[str, ...] = ()
    comment: str = ""


PREFERENCES = (
    Choice("1", "left_much", "Left much better"),
    Choice("2", "left", "Left better"),
    Choice("3", "same", "Same, both good"),
    Choice("4", "right", "Right better"),
    Choice("5", "right_much", "Right much better"),
)
BOTH_BAD = Choice("b", "both_bad", "Both bad")
CANNOT = (
    Choice("1", "expertise", "I do not know the subject"),
    Choice("2", "ambiguous", "The topic is ambiguous"),
    Choice("3", "texts", "The texts do not allow it"),
    Choice("4", "other", "Another reason"),
)
REASONS = {
    "top": "Better at the top",
    "complete": "More complete",
    "on_topic": "Less off topic",
    "varied": "More varied",
    "trust": "More trustworthy",
    "readable": "Easier to use",
}


def words_of(answer: str) -> str:
    """An answer in words."""
    every = {each.answer: each.label for each in (*PREFERENCES, BOTH_BAD)}
    return every.get(answer, {"skip": "Skipped", "cannot_judge": "Cannot judge"}.get(answer, answer))


@dataclass(frozen=True, slots=True)
class Bar:
    """
    What can be pressed: `main` are the answers in the order of their scale, `other` those beside it.

    `locked` says why nothing can be recorded, and is empty where it can.
    """

    main: Sequence[Choice] = ()
    other: Sequence[Choice] = ()
    locked: str = ""
    can_undo: bool = False

    def keys(self, desk: Desk) -> str:
        """The keys that do something now."""
        if desk.unsaved is not None:
            return "tdg"
        if self.locked:
            return "g"
        if desk.asking:
            return "".join(each.key for each in CANNOT) + "xg"
        answers = "".join(each.key for each in (*self.main, *self.other)) + ("xsm" if self.main else "")
        return answers + ("u" if self.can_undo else "") + "g"

    def draw(self, desk: Desk) -> None:
        """Draw it at the foot of the page, for what is on the desk."""
        with st.bottom, st.container(key="verdict", gap="xsmall"):
            if desk.unsaved is not None:
                _unsaved(desk.unsaved, desk)
                return
            with st.container(horizontal=True, key="told", gap="small", vertical_alignment="center"):
                show(_said(desk, self.locked))
                if not desk.asking:
                    self._tools(desk)
            if desk.asking:
                _asking(desk)
                return
            if desk.noting:
                note(desk, chips=bool(self.other))
            if self.main:
                self._answers(desk)

    def _tools(self, desk: Desk) -> None:
        off = bool(self.locked)
        with st.container(horizontal=True, key="bar-tools", gap="small", horizontal_alignment="right"):
            if self.main:
                key_button(desk, "Skip", "skip", key="s", kind="tertiary", off=off)
                key_button(desk, "Note", "note", key="m", kind="tertiary", off=off)
            key_button(desk, "Undo", "undo", key="u", kind="tertiary", off=off or not self.can_undo)

    def _answers(self, desk: Desk) -> None:
        off = bool(self.locked)
        with st.container(horizontal=True, key="answers", gap="small"):
            with st.container(horizontal=True, key="scale", gap=None):
                for each in self.main:
                    key_button(desk, each.label, each.answer, key=each.key, off=off)
            with st.container(horizontal=True, key="beside", gap="small"):
                for each in self.other:
                    key_button(desk, each.label, each.answer, key=each.key, off=off)
                key_button(desk, "Cannot judge", "ask", key="x", off=off)


def note(desk: Desk, *, chips: bool) -> None:
    """What decided it, as chips (between lists) and in words; both go with the answer that follows."""
    with st.container(horizontal=True, key="note", vertical_alignment="center", gap="small"):
        if chips:
            st.pills(
                "What decided it",
                list(REASONS),
                format_func=REASONS.__getitem__,
                selection_mode="multi",
                key=f"reasons-{desk.token}",
                label_visibility="collapsed",
            )
        st.text_input(
            "Note",
            key=f"note-{desk.token}",
            max_chars=1000,
            placeholder="What decided it? Enter, then answer.",
            label_visibility="collapsed",
        )


def noted(desk: Desk) -> Noted:
    """The chips and words of the note, as they are recorded."""
    if not desk.noting:
        return Noted()
    reasons = tuple(st.session_state.get(f"reasons-{desk.token}") or ())
    written = str(st.session_state.get(f"note-{desk.token}") or "")
    # A pasted control character is no part of what somebody wants to say, and cannot be recorded.
    return Noted(reasons, "".join(filter(str.isprintable, written)).strip())


def _unsaved(unsaved: Unsaved, desk: Desk) -> None:
    """Nothing else can be pressed while an answer is not safe."""
    words = tag("strong", "Not saved: ", unsaved.words, ". ")
    show(tag("p", words, unsaved.why, class_="ck-said ck-said-unsaved", role="alert"))
    with st.container(horizontal=True, key="answers", gap="small"):
        key_button(desk, "Try again", "retry", key="t", kind="primary")
        key_button(desk, "Take it off", "discard", key="d", kind="tertiary")


def _asking(desk: Desk) -> None:
    with st.container(horizontal=True, key="answers", gap="small"):
        with st.container(horizontal=True, key="scale", gap=None):
            for each in CANNOT:
                key_button(desk, each.label, f"cannot_judge:{each.answer}", key=each.key)
        with st.container(horizontal=True, key="beside", gap="xsmall"):
            key_button(desk, "Back", "back", key="x", kind="tertiary")


def _said(desk: Desk, locked: str) -> Html:
    """One line: what became of the last answer, or what is asked now."""
    if locked:
        return tag("p", locked, class_="ck-said ck-said-care", role="status")
    if desk.asking:
        return tag("p", tag("strong", "Why can this not be judged?"), class_="ck-said", role="status")
    mark = tag("span", MARKS[desk.state], aria_hidden="true") if MARKS[desk.state] else None
    return tag("p", mark, desk.said or "Nothing recorded yet.", class_=f"ck-said ck-said-{desk.state}", role="status")
