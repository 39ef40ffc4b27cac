"""Writing back: a new numbered judgment set from the answers, and the answers as files."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from comparekit.access import Person
from comparekit.comparison import Comparison
from comparekit.errors import ComparekitError
from comparekit.events import Event
from comparekit.exports import grades_csv, history, preferences_csv, qrels, triples_csv
from comparekit.minting import Minted, mint, minted_folder, opinions
from comparekit.overriding import Merged
from comparekit.settling import RULES, Rule
from comparekit.standing import grade_scope, standing
from comparekit.ui import address
from comparekit.ui.judging_store import Book
from comparekit.ui.judgments_tables import minus
from comparekit.ui.tables import table
from comparekit.ui.text import Html, count, number, show, tag

_MINTED = "judgments-minted"


def human_and_click(merged: Merged) -> Html | None:
    """Where people and clicks graded the same document: whose grade holds, and how far the two agree."""
    if not merged.derived and not merged.overridden:
        return None
    rows = [
        (
            each.name,
            f"not defined: {each.figure.reason}" if each.figure.value is None else minus(number(each.figure.value)),
            f"{each.n:,}",
        )
        for each in merged.agreement
    ]
    return tag(
        "section",
        tag("h2", "People and clicks"),
        tag(
            "p",
            f"{count(merged.overridden, 'document')} have a grade by a person and one derived from clicks: the "
            f"person's holds. {merged.human:,} have a person's only, {merged.derived:,} a derived one only.",
        ),
        table("Agreement of people and clicks on the same documents", ("Coefficient", "Value", "Items"), rows),
    )


def minting(comparison: Comparison, book: Book, person: Person | None) -> None:
    """Choose a rule and graders, see what it makes, and write the new set."""
    show(tag("h2", "A new judgment set"))
    events, experiment = book.events(), comparison.experiment
    scope = grade_scope(experiment.topics.digest)
    graders = sorted({event.assessor for event in standing(events).grades if event.comparison == scope})
    if not graders:
        show(tag("p", "Nobody has graded a document yet. ", class_="ck-muted"))
        st.page_link("pages/judge.py", label="Grade documents", query_params={"mode": "grade"})
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="mint"):
        rule: Rule = st.selectbox("Rule", list(RULES), key="mint-rule", width=180)
        chosen = st.multiselect("Graders", graders, graders, key="mint-graders", width=420)
        named = st.toggle("With their names", True, key="mint-named")
    found = opinions(experiment, events, rule=rule, graders=chosen)
    settled = sum(each.settled.grade is not None for each in found)
    said = f"{count(settled, 'document')} get a grade, {len(found) - settled:,} stay unresolved. Rule: {RULES[rule]}."
    show(tag("p", said, class_="ck-muted"))
    if person is None or person.may("mint"):
        st.button(
            "Make the set", type="primary", disabled=not settled, on_click=_want, args=(rule, tuple(chosen), named)
        )
    _made(comparison, book)


def exports(comparison: Comparison, events: Sequence[Event]) -> None:
    """The answers as files; CSV is safe to open in a spreadsheet, the history is exact and can be read back."""
    show(tag("h2", "Answers as files"))
    experiment = comparison.experiment
    files: tuple[tuple[str, str, str, Callable[[], str | bytes]], ...] = (
        ("Whole history (JSONL)", "history.jsonl", "application/jsonl", lambda: history(events)),
        ("Grades (qrels)", "grades.qrels", "text/plain", lambda: qrels(experiment, events, rule="majority")),
        ("Grades (CSV)", "grades.csv", "text/csv", lambda: grades_csv(experiment, events)),
        ("Preferences (CSV)", "preferences.csv", "text/csv", lambda: preferences_csv(comparison, events)),
        ("Preference triples (CSV)", "triples.csv", "text/csv", lambda: triples_csv(comparison, events)),
    )
    with st.container(horizontal=True, gap="small", key="exports"):
        for label, name, kind, made in files:
            st.download_button(label, made, name, kind, on_click="ignore", key=f"export-{name}")


def _want(rule: Rule, graders: tuple[str, ...], named: bool) -> None:
    st.session_state[_MINTED] = (rule, graders, named)


def _made(comparison: Comparison, book: Book) -> None:
    wanted = st.session_state.pop(_MINTED, None)
    if wanted is None:
        return
    try:
        made = _mint(comparison, book, *wanted)
    except ComparekitError as error:
        show(tag("p", tag("strong", "Not written. "), f"{error.what}. {error.todo}", class_="ck-note", role="alert"))
        return
    show(
        tag(
            "p",
            tag("strong", f"Judgment set {made.name} is written. "),
            f"Digest {made.digest}. The pinned set is unchanged. ",
            tag("a", "Evaluate under it", href=address.link("./", {address.JUDGMENTS: made.name})),
            class_="ck-note",
            role="status",
        )
    )


def _mint(comparison: Comparison, book: Book, rule: Rule, graders: Sequence[str], named: bool) -> Minted:
    return mint(
        comparison.experiment,
        book.events(),
        rule=rule,
        graders=graders,
        named=named,
        out=minted_folder(comparison.experiment.declaration),
        head=book.store.head,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
