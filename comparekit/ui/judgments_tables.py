"""What the record of answers says of the people in it: how far they are, how they work, and how far they agree."""

from collections.abc import Iterable, Mapping, Sequence

from comparekit.agreement import Agreement
from comparekit.assessors import Habits
from comparekit.comparison import Comparison
from comparekit.events import Event
from comparekit.proportions import Proportion
from comparekit.queueing import Progress
from comparekit.ui.tables import table
from comparekit.ui.text import Html, count, hidden, ident, number, prose, tag

_PEOPLE = (
    "Assessor",
    "Answered",
    "Cannot judge",
    "Skipped",
    "Left",
    "Middle time",
    "Left preferred",
    "Same when swapped",
    "Fast",
)


def people(habits: Sequence[Habits], progress: Mapping[str, Progress]) -> Html:
    """One row an assessor."""
    if not habits:
        return tag("p", "Nobody has compared two lists yet.", class_="ck-muted")
    rows = [
        (
            prose(each.assessor),
            f"{progress[each.assessor].answered:,}",
            f"{progress[each.assessor].cannot_judge:,}",
            f"{progress[each.assessor].skipped:,}",
            f"{progress[each.assessor].left:,}",
            "–" if each.median_ms is None else f"{each.median_ms / 1000:.1f} s",
            _share(each.left),
            _share(each.consistent),
            f"{len(each.hasty):,}",
        )
        for each in habits
    ]
    return tag(
        "div",
        table("Assessors", _PEOPLE, rows),
        tag(
            "p",
            "Left preferred: the share of left among answers for either side, with its 95 % interval; an interval that "
            "leaves out 50 % is a habit of the place and not of the lists. Same when swapped: repeats answered as the "
            "first time, though left and right had changed.",
            class_="ck-muted",
        ),
    )


def agreement(found: Sequence[tuple[str, Sequence[Agreement]]]) -> Html:
    """Every coefficient of every kind of answer, with what it rests on, or why there is none."""
    rows = [
        (
            tag("span", kind, class_="ck-nowrap") if place == 0 else hidden(kind),
            tag("span", each.name, class_="ck-nowrap"),
            tag("span", minus(number(each.figure.value)), title=each.figure.reason or None),
            f"{each.n:,}",
            f"{each.answers:,}",
            tag("span", _why(each), class_="ck-muted"),
        )
        for kind, coefficients in found
        for place, each in enumerate(coefficients)
    ]
    columns = ("Answers", "Coefficient", "Value", "Items", "Answers on them", hidden("Remark"))
    return tag(
        "div",
        table("Agreement", columns, rows, words=2),
        tag("p", "Only items with two answers or more count; 1 is perfect, 0 is chance.", class_="ck-muted"),
    )


def fast(events: Iterable[Event], hasty: Iterable[str], comparison: Comparison) -> Html | None:
    """The answers that came unusually fast, folded away."""
    ids = set(hasty)
    found = [event for event in events if event.event_id in ids]
    if not found:
        return None
    topics = comparison.experiment.topics
    rows = [
        (
            prose(topics[topic].text) if (topic := event.payload["topic"]) in topics else ident(topic),
            prose(event.assessor),
            f"{event.payload['elapsed_ms'] / 1000:.1f} s",
            event.recorded_at,
        )
        for event in found
    ]
    summary = tag("summary", f"{count(len(rows), 'unusually fast answer')}")
    return tag("details", summary, table("Fast answers", ("Topic", "Assessor", "Time", "Recorded"), rows, words=2))


def minus(shown: str) -> str:
    """A number with a real minus sign."""
    return shown.replace("-", "−")


def _why(found: Agreement) -> str:
    if found.figure.value is None:
        return f"not defined: {found.figure.reason}"
    return found.note


def _share(found: Proportion) -> Html:
    if found.share.value is None or found.low is None or found.high is None:
        return tag("span", "–", title=found.share.reason)
    share = f"{100 * found.share.value:.0f} %"
    under = f" {100 * found.low:.0f}–{100 * found.high:.0f}, n {found.n:,}"
    return tag("span", share, tag("span", under, class_="ck-muted"))
