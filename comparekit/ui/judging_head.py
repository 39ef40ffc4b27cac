"""What stands over what is judged: the need, how far everybody is, the guideline, and how it is shown."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from comparekit.access import Access, Person
from comparekit.queueing import Progress
from comparekit.study import Guideline, Study
from comparekit.ui import access_gate
from comparekit.ui.text import Html, count, prose, short, show, tag, visible

MODE, GRADE, PAIRS = "mode", "grade", "pairs"
_STYLE = (Path(__file__).parent / "judging_page.css").read_text("utf-8")
_VIEW = "judging-view"
_LONGEST_TERM = 20
_DEPTHS = (3, 5, 10, 20)


def chosen_study(access: Access) -> Study:
    """The study's settings; on one machine how pairs are shown may be changed, and is stored with every answer."""
    if access.team:
        return access.study
    return replace(access.study, **st.session_state.get(_VIEW, {}))


@contextmanager
def head() -> Iterator[None]:
    """The room for the need on the left and for everything else on the right; under each other where it is narrow."""
    st.html(f"<style>{_STYLE}</style>")
    with st.container(key="judge-head", horizontal=True, gap="large", vertical_alignment="top"):
        yield


def draw_need(text: str, *, topic: str, task: str | None, need: str, why: str) -> None:
    """The topic, the need, and why it is asked."""
    facts = tag(
        "p",
        tag("span", "task ", tag("strong", prose(task))) if task else None,
        tag("span", why),
        class_="ck-facts",
    )
    heading = tag("h1", prose(text or visible(topic)), class_="ck-long" if len(text) > 120 else None)
    with st.container(key="judge-need"):
        show(
            tag(
                "section",
                heading,
                tag("p", prose(need), class_="ck-need") if need else None,
                facts,
                class_="ck-topic ck-judged",
            )
        )


def draw_side(found: Progress, person: Person, guideline: Guideline, *, study: Study, access: Access) -> None:
    """How far this assessor and all together are, and the tools."""
    done, whole = found.answered + found.cannot_judge, found.answered + found.cannot_judge + found.left
    with st.container(key="judge-side", gap="xsmall", width=330):
        _progress(f"{done:,} of {whole:,} answered", sentence(found), done=done, whole=whole)
        with st.container(horizontal=True, key="tools", gap="small", vertical_alignment="center"):
            _guideline_button(guideline)
            if not access.team:
                with st.popover("View", type="tertiary"):
                    _view(study)
            draw_person(person, access)
            other_mode(PAIRS)


def draw_end(found: Progress, *, any_pair: bool) -> None:
    """Nothing is left to be answered."""
    title = "Nothing is left for you" if any_pair else "No list differs"
    said = f"Thank you. {sentence(found)}" if any_pair else "Both rankers show the same documents for every topic."
    show(tag("section", tag("h1", title), tag("p", said, class_="ck-lead"), class_="ck-headline"))
    other_mode(PAIRS)


def draw_grading_side(
    mine: int, anybody: int, *, whole: int, person: Person, guideline: Guideline, access: Access
) -> None:
    """How many documents are graded, and the tools."""
    with st.container(key="judge-side", gap="xsmall", width=330):
        _progress(f"{mine:,} of {whole:,} graded", f"All: {anybody:,} graded.", done=mine, whole=whole)
        with st.container(horizontal=True, key="tools", gap="small", vertical_alignment="center"):
            _guideline_button(guideline)
            draw_person(person, access)
            other_mode(GRADE)


def draw_graded(mine: int, anybody: int, *, whole: int) -> None:
    """No document is left to be graded."""
    title = "Nothing is left for you" if whole else "No document is unjudged"
    said = f"You graded {mine:,} of {count(whole, 'document')}; {anybody:,} have a grade by somebody."
    show(tag("section", tag("h1", title), tag("p", said if whole else "", class_="ck-lead"), class_="ck-headline"))
    other_mode(GRADE)


def sentence(found: Progress) -> str:
    """How far all together are."""
    return f"All: {found.enough:,} of {count(found.topics, 'topic')} done, {count(found.answers, 'answer')}."


def draw_person(person: Person, access: Access) -> None:
    """Who is judging, and what that means."""
    with st.popover("You", type="tertiary"):
        _you(person, access)


def _progress(said: str, all_said: str, *, done: int, whole: int) -> None:
    bar = tag("div", tag("span", "", style=f"width:{100 * done / max(whole, 1):.1f}%"), class_="ck-progress")
    mine = tag("p", tag("strong", said), " ", tag("span", all_said, class_="ck-muted"))
    show(tag("div", mine, bar, class_="ck-mine"))


def _guideline_button(guideline: Guideline) -> None:
    if st.button("Guideline", key="guideline", shortcut="G", type="tertiary"):
        _guideline(guideline)


def other_mode(mode: str) -> None:
    """The way to the other kind of judging."""
    label, params = ("Compare lists", {}) if mode == GRADE else ("Grade documents", {MODE: GRADE})
    st.page_link("pages/judge.py", label=label, query_params=params)


@st.dialog("Guideline", width="large")
def _guideline(guideline: Guideline) -> None:
    version = tag("p", "Version ", tag("code", short(guideline.digest), title=guideline.digest), class_="ck-muted")
    show(*_written(guideline.text), version)


def _written(text: str) -> list[Html]:
    """A guideline's headings, paragraphs and points; nothing else of its text means anything."""
    parts: list[Html] = []
    points: list[Html] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("- "):
            head, colon, rest = line[2:].partition(": ")
            is_term = colon and len(head) <= _LONGEST_TERM
            points.append(tag("li", tag("strong", head), colon, rest) if is_term else tag("li", line[2:]))
            continue
        if points:
            parts.append(tag("ul", *points, class_="ck-points"))
            points = []
        if line.startswith("#"):
            parts.append(tag("h2" if line.startswith("# ") else "h3", line.lstrip("# ")))
        elif line:
            parts.append(tag("p", line))
    return parts


def _view(study: Study) -> None:
    ranks = st.toggle("Show ranks", study.ranks, key="view-ranks")
    fold = st.toggle("Fold ranks with the same document", study.fold, key="view-fold")
    depth = st.select_slider("Documents of each list", _DEPTHS, _nearest(study.depth), key="view-depth")
    show(tag("p", "How a pair was shown is stored with its answer.", class_="ck-muted"))
    chosen: dict[str, Any] = {"ranks": ranks, "fold": fold, "depth": depth}
    if chosen != {name: getattr(study, name) for name in chosen}:
        st.session_state[_VIEW] = chosen
        st.rerun()


def _nearest(depth: int) -> int:
    return min(_DEPTHS, key=lambda each: abs(each - depth))


def _you(person: Person, access: Access) -> None:
    show(tag("p", "Judging as ", tag("strong", prose(person.name)), "."))
    if person.may("read"):
        show(
            tag(
                "p",
                "You can open the other pages as well, and they say which ranker is which: that you judge blind "
                "rests on you.",
                class_="ck-muted",
            )
        )
    st.button("Somebody else" if not access.team else "Sign out", on_click=access_gate.leave, key="leave")
