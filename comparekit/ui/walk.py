"""Which topic is looked at, and stepping from one to the next: by key, by box, by words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from comparekit.comparison import Comparison
from comparekit.ui import address, frame
from comparekit.ui.address import View
from comparekit.ui.controls import choose
from comparekit.ui.keyguard import no_key_repeat
from comparekit.ui.loading import measured
from comparekit.ui.text import show, tag, visible
from comparekit.ui.topic_table import ordered

MOST_OPTIONS = 200
"""How many topics the box offers; with more, words find the rest. All of 7,000 would be sent again at every step."""
_ORDERS = {"worst": "Largest losses first", "best": "Largest gains first", "id": "By topic id"}
_CHOICE = "topic-choice"
_FIND = "topic-find"


@dataclass(frozen=True, slots=True)
class Walk:
    """Topics in the order they are stepped through, and the one that is looked at, which may be none of them."""

    ids: Sequence[str]
    topic: str

    @property
    def place(self) -> int:
        """Where the topic stands, from 0; -1 when it is not among them."""
        return self.ids.index(self.topic) if self.topic in self.ids else -1

    @property
    def before(self) -> str | None:
        """The topic before this one."""
        return self.ids[self.place - 1] if self.place > 0 else None

    @property
    def after(self) -> str | None:
        """The topic after this one; the first one from outside."""
        return self.ids[self.place + 1] if self.place + 1 < len(self.ids) else None

    def near(self, most: int = MOST_OPTIONS) -> list[str]:
        """At most so many topics around this one, itself among them."""
        start = max(0, min(self.place - most // 2, len(self.ids) - most))
        around = list(self.ids[start : start + most])
        return around if self.place >= 0 else [self.topic, *around[: most - 1]]


def found(ids: Sequence[str], texts: Mapping[str, str], words: str) -> list[str]:
    """The topics whose id or text holds every one of the words, in whatever case; all of them without words."""
    wanted = words.casefold().split()
    if not wanted:
        return list(ids)
    return [each for each in ids if all(word in f"{each} {texts[each]}".casefold() for word in wanted)]


def walked(comparison: Comparison, view: View) -> str | None:
    """The topic that is looked at, with the keys and boxes to change it; None when the filter leaves none."""
    measured(comparison, view)
    table = comparison.table(view.measure, view.selection)
    order = address.read_order(st.query_params)
    ids = table["topic"].to_numpy()[ordered(table, order=order, measure=view.measure)].tolist()
    texts = dict(zip(table["topic"].tolist(), table["text"].tolist(), strict=True))
    words = st.query_params.get(address.FIND, "")
    matching = found(ids, texts, words)
    if not ids:
        show(tag("p", "No open topic is left by this filter.", class_="ck-note"))
        return None
    if not matching:
        frame.notes([f"No topic holds the words “{visible(words)}”. All topics of the filter are shown instead."])
    walk = _walk(comparison, matching or ids)
    _steps(walk, texts, order=order, words=words if len(ids) > MOST_OPTIONS or words else None)
    show(tag("p", _where(walk, order, view, words=words if matching else ""), class_="ck-muted"))
    return walk.topic


def _walk(comparison: Comparison, ids: Sequence[str]) -> Walk:
    asked = st.query_params.get(address.TOPIC)
    if asked is not None and asked not in comparison.experiment.topics:
        frame.notes([f"There is no topic “{visible(asked)}” in this experiment. The first one is shown instead."])
        asked = None
    return Walk(ids, ids[0] if asked is None else asked)


def _steps(walk: Walk, texts: Mapping[str, str], *, order: address.Order, words: str | None) -> None:
    depth = address.read_depth(st.query_params)
    with st.container(horizontal=True, gap="small", key="steps"):
        _box(walk, texts)
        if words is not None:
            _finder(words)
        choose("Order of topics", list(_ORDERS), address.ORDER, order, show=_ORDERS.__getitem__, width=200)
        choose("Documents shown", list(address.DEPTHS), address.DEPTH, depth, show=_depth_label, width=120)
        _step("Previous", "K", walk.before)
        _step("Next", "J", walk.after)
    no_key_repeat()


def _where(walk: Walk, order: address.Order, view: View, *, words: str) -> str:
    if walk.place < 0:
        return "Outside the present filter"
    held = f" that hold “{visible(words)}”" if words else ""
    return f"Topic {walk.place + 1:,} of {len(walk.ids):,}{held}, {_ORDERS[order].lower()}, by {view.measure}"


def _box(walk: Walk, texts: Mapping[str, str]) -> None:
    st.session_state[_CHOICE] = walk.topic
    st.selectbox(
        "Topic",
        walk.near(),
        key=_CHOICE,
        on_change=lambda: _go(st.session_state[_CHOICE]),
        label_visibility="collapsed",
        format_func=lambda each: f"{visible(each)} · {texts.get(each, '')}",
    )


def _finder(words: str) -> None:
    st.session_state[_FIND] = words
    st.text_input(
        "Find topics",
        key=_FIND,
        on_change=_find,
        label_visibility="collapsed",
        placeholder="Find by words or id",
        width=200,
    )


def _find() -> None:
    st.query_params.pop(address.TOPIC, None)
    words = str(st.session_state[_FIND]).strip()
    if words:
        st.query_params[address.FIND] = words
    else:
        st.query_params.pop(address.FIND, None)


def _step(label: str, key: str, topic: str | None) -> None:
    st.button(label, shortcut=key, disabled=topic is None, on_click=_go, args=(topic,), key=f"step-{label}")


def _go(topic: str | None) -> None:
    if topic is not None:
        st.query_params[address.TOPIC] = topic


def _depth_label(depth: int) -> str:
    return f"Top {depth}"
