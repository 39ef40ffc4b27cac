"""The adjudication queue: where people disagree, least agreement first, and what an adjudicator decides."""

from collections.abc import Sequence

import streamlit as st

from comparekit.access import Person
from comparekit.answers import grade_ruling, pair_ruling
from comparekit.assessors import Dispute, disputed_grades, disputed_pairs
from comparekit.attempts import attempt_id
from comparekit.comparison import Comparison
from comparekit.events import Event, NewEvent
from comparekit.pairs import pairs
from comparekit.scales import steps
from comparekit.standing import ADJUDICATION, grade_scope
from comparekit.ui import address
from comparekit.ui.judging_desk import Desk, the_desk
from comparekit.ui.judging_store import Book
from comparekit.ui.tables import table
from comparekit.ui.text import Html, count, ident, join, prose, show, tag, visible

SHOWN = 50
_PAIR = {"a": "A serves better", "same": "Neither", "b": "B serves better", "unresolved": "Unresolved"}
_SIDES = {-1.0: "A", 0.0: "neither", 1.0: "B"}


def adjudicate(comparison: Comparison, book: Book, person: Person | None) -> None:
    """Draw the queue, and below it the decision on one item for whoever may decide."""
    desk = the_desk("adjudication")
    if person is not None:
        _act(desk, comparison, book, person)
    events = book.events()
    disputes = [*disputed_pairs(comparison, events), *disputed_grades(comparison, events)]
    show(tag("h2", "To be adjudicated"), _queue(comparison, disputes))
    if disputes and person is None:
        st.page_link("pages/judge.py", label="Say who you are to adjudicate")
    elif disputes and person is not None and person.may("adjudicate") and not book.locked:
        _decide(desk, comparison, disputes)


def _queue(comparison: Comparison, disputes: Sequence[Dispute]) -> Html:
    if not disputes:
        return tag("p", "No item has two answers yet.", class_="ck-muted")
    opened = [each for each in disputes if each.outcome != "unanimous"]
    agreed = [each for each in disputes if each.outcome == "unanimous"]
    label = "Items on which people differ, least agreement first"
    return tag(
        "div",
        _table(comparison, opened, label) if opened else tag("p", "Nobody differs from anybody.", class_="ck-muted"),
        tag("p", f"The first {SHOWN} of {len(opened):,}.", class_="ck-muted") if len(opened) > SHOWN else None,
        tag(
            "details",
            tag("summary", f"{count(len(agreed), 'item is', 'items are')} unanimous"),
            _table(comparison, agreed, "Unanimous items"),
        )
        if agreed
        else None,
    )


def _table(comparison: Comparison, disputes: Sequence[Dispute], label: str) -> Html:
    rows = [
        (
            _item(comparison, each),
            tag("span", "Lists" if each.doc is None else "Document", class_="ck-nowrap"),
            tag("span", *_answers(each)),
            tag("span", each.outcome, class_="ck-nowrap"),
            f"{each.agreement:.2f}",
        )
        for each in disputes[:SHOWN]
    ]
    return table(label, ("Topic", "What", "Answers", "Outcome", "Agreement"), rows, words=4)


def _item(comparison: Comparison, dispute: Dispute) -> Html:
    topics = comparison.experiment.topics
    text = topics[dispute.topic].text if dispute.topic in topics else ""
    link = tag(
        "a",
        prose(text or visible(dispute.topic)),
        class_="ck-link",
        href=address.link("topic", {address.TOPIC: dispute.topic}),
    )
    return link if dispute.doc is None else join(link, " ", ident(dispute.doc))


def _answers(dispute: Dispute) -> list[object]:
    said: list[object] = []
    for name, value in dispute.answers.items():
        said += [", " if said else "", prose(name), f": {_SIDES[value] if dispute.doc is None else f'{value:g}'}"]
    return said


def _decide(desk: Desk, comparison: Comparison, disputes: Sequence[Dispute]) -> None:
    """The decision on one item; the first one that is open is offered."""
    opened = [each for each in disputes if each.outcome != "unanimous"]
    if not opened:
        return
    first = next((place for place, each in enumerate(opened) if each.outcome != "adjudicated"), 0)
    texts = comparison.experiment.topics
    place = st.selectbox(
        "Item",
        range(len(opened)),
        first,
        format_func=lambda at: _label(texts[opened[at].topic].text, opened[at]),
        key=f"adjudicate-{len(opened)}-{first}",
    )
    chosen = opened[place]
    desk.lay(f"{chosen.topic} {chosen.doc}", chosen)
    hint = "Why? It is recorded with the decision."
    st.text_input("Reason", key="adjudication-reason", max_chars=1000, placeholder=hint)
    with st.container(horizontal=True, gap="small", key="adjudication"):
        for value, label in _choices(comparison, chosen):
            st.button(label, key=f"decide-{value}", on_click=desk.want, args=(desk.token, value))
    if desk.unsaved is not None:
        show(tag("p", tag("strong", "Not saved. "), desk.unsaved.why, class_="ck-note", role="alert"))
    elif desk.said:
        show(tag("p", desk.said, class_="ck-note", role="status"))
    show(
        tag(
            "p",
            "The outcome is marked adjudicated, or unresolved where you say so; the answers themselves stay as they "
            "are. Here you see which ranker is which; look at the topic first.",
            class_="ck-muted",
        )
    )


def _choices(comparison: Comparison, dispute: Dispute) -> list[tuple[str, str]]:
    if dispute.doc is None:
        return list(_PAIR.items())
    grades = [(step.name, f"{step.name} {step.meaning}") for step in steps(comparison.experiment)]
    return [*grades, ("unresolved", "Unresolved")]


def _act(desk: Desk, comparison: Comparison, book: Book, person: Person) -> None:
    what = desk.taken()
    dispute = desk.item
    if not what or not isinstance(dispute, Dispute) or not person.may("adjudicate"):
        return
    event = _ruling(comparison, book, person, dispute, what)
    desk.save(book, event, words=f"Recorded: {_PAIR.get(what, what)}.")


def _ruling(comparison: Comparison, book: Book, person: Person, dispute: Dispute, value: str) -> NewEvent:
    experiment, reason = comparison.experiment, str(st.session_state.get("adjudication-reason") or "").strip()
    pair = pairs(comparison)[dispute.topic] if dispute.doc is None else None
    scope = grade_scope(experiment.topics.digest) if pair is None else pair.digest
    item = (dispute.topic, dispute.doc or "")
    made = attempt_id(
        book.secret,
        assessor=person.name,
        comparison=f"adjudication {scope}",
        item=item,
        number=_before(book.events(), person.name, dispute),
    )
    if pair is not None:
        ruling = next(each for each in ("a", "b", "same", "unresolved") if each == value)
        return pair_ruling(experiment, pair, event_id=made, assessor=person.name, value=ruling, reason=reason)
    grade = next((step.grade for step in steps(experiment) if step.name == value), None)
    return grade_ruling(
        experiment,
        event_id=made,
        assessor=person.name,
        topic=dispute.topic,
        doc=str(dispute.doc),
        grade=grade,
        reason=reason,
    )


def _before(events: Sequence[Event], name: str, dispute: Dispute) -> int:
    return sum(
        event.assessor == name
        and event.payload.get("schema") == ADJUDICATION
        and (event.payload["topic"], event.payload["doc"]) == (dispute.topic, dispute.doc)
        for event in events
    )


def _label(text: str, dispute: Dispute) -> str:
    what = "lists" if dispute.doc is None else visible(dispute.doc)
    return f"{text or visible(dispute.topic)} · {what} · {count(len(dispute.answers), 'answer')} · {dispute.outcome}"
