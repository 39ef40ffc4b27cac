"""The Judgments page: progress, agreement, habits, and the record of answers itself."""

from collections.abc import Mapping
from typing import Any

from comparekit.access import configured_access
from comparekit.assessors import agreements, grade_ratings, habits, preference_ratings
from comparekit.canonical import parse_fast
from comparekit.comparison import Comparison
from comparekit.events import Event
from comparekit.experiment import JUDGMENTS, pinned_judgments
from comparekit.overriding import HUMAN, Merged, merge
from comparekit.pairs import pairs
from comparekit.queueing import build_queue, progress
from comparekit.records import split_lines
from comparekit.standing import grade_scope, standing
from comparekit.ui import judgments_tables
from comparekit.ui.judging_store import Book
from comparekit.ui.text import Html, count, show, tag


def headline(comparison: Comparison, events: tuple[Event, ...]) -> Html:
    """How many answers there are, of how many people."""
    now = standing(events)
    mine = {pair.digest for pair in pairs(comparison).values()}
    lists = [event for event in now.preferences if event.comparison in mine]
    scope = grade_scope(comparison.experiment.topics.digest)
    grades = [event for event in now.grades if event.comparison == scope]
    names = {event.assessor for event in (*lists, *grades)}
    said = f"{count(len(lists), 'answer')} on pairs of lists and {count(len(grades), 'grade')} of documents"
    title = f"{said}, by {count(len(names), 'person', 'people')}" if names else "No answers yet"
    lead = "What the experts say, how far they agree, and what becomes of it. No pinned file changes."
    return tag("section", tag("h1", title), tag("p", lead, class_="ck-lead"), class_="ck-headline")


def draw_people(comparison: Comparison, events: tuple[Event, ...]) -> None:
    """Progress and habits of every assessor, and their fast answers."""
    study = configured_access().study
    mine = {pair.digest for pair in pairs(comparison).values()}
    here = tuple(event for event in events if event.comparison in mine)
    found = habits(here)
    queue = build_queue(
        comparison,
        seed=study.seed,
        random_share=study.random_share,
        repeat_share=study.repeat_share,
        depth=study.depth,
    )
    far = {
        each.assessor: progress(queue, here, assessor=each.assessor, answers_needed=study.answers_needed)
        for each in found
    }
    hasty = [event_id for each in found for event_id in each.hasty]
    show(
        tag("h2", "Who answered"),
        judgments_tables.people(found, far),
        judgments_tables.fast(here, hasty, comparison),
    )


def draw_agreement(comparison: Comparison, events: tuple[Event, ...]) -> None:
    """How far people agree, on pairs and on grades."""
    lists = agreements(preference_ratings(comparison, events))
    grades = agreements(grade_ratings(comparison, events), levels=("nominal", "ordinal", "interval"))
    show(
        tag("h2", "How far they agree"),
        judgments_tables.agreement([("Pairs of lists", lists), ("Grades", grades)]),
    )


def merged(comparison: Comparison, events: tuple[Event, ...]) -> Merged:
    """The pinned grades and those given here, a person's over one derived from clicks."""
    return merge(_records(comparison, events))


def record(book: Book) -> Html:
    """Where the answers are kept, and by what they are held."""
    seq, digest = book.store.head
    return tag(
        "section",
        tag("h2", "The record"),
        tag("p", book.locked, class_="ck-note", role="status") if book.locked else None,
        tag(
            "p",
            f"{count(seq, 'event')} in ",
            tag("code", book.store.place),
            ", never changed, only added to. Head ",
            tag("code", digest or "none", class_="ck-digest"),
            ". Keep the head elsewhere: it proves that nothing before it was changed.",
        ),
        class_="ck-record",
    )


def _records(comparison: Comparison, events: tuple[Event, ...]) -> list[Mapping[str, Any]]:
    scope = grade_scope(comparison.experiment.topics.digest)
    path = comparison.experiment.folder / JUDGMENTS
    pinned = [parse_fast(line) for line in split_lines(pinned_judgments(comparison.experiment), path=path)]
    given = [
        {"topic": event.payload["topic"], "doc": event.payload["doc"], "grade": event.payload["grade"], "source": HUMAN}
        for event in standing(events).grades
        if event.comparison == scope and event.payload["grade"] is not None
    ]
    return [*pinned, *given]
