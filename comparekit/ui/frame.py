"""What stands at the head of every page: which experiment, which sides, which receipt, and whether they compare."""

import json
from collections.abc import Iterable

from comparekit.canonical import is_digest
from comparekit.comparability import Comparability
from comparekit.comparison import Comparison
from comparekit.errors import ComparekitError
from comparekit.repairs import Repair
from comparekit.ui.text import Html, ident, join, prose, short, show, tag, visible

_LEVELS = {
    "comparable": ("Comparable", "ok"),
    "unverified": ("Unverified", "care"),
    "monitoring": ("Monitoring", "care"),
    "exploratory": ("Exploratory", "stop"),
}
SHOWN_FIELDS = 5
LONGEST_VALUE = 80


def head(comparison: Comparison, *, digest: str) -> None:
    """The line under the navigation; a comparison that is only exploratory says so on every page."""
    name = prose(comparison.experiment.declaration.name)
    receipt = tag("span", "evaluation ", tag("code", short(digest), title=digest), class_="ck-receipt")
    line = tag(
        "p",
        tag("strong", name),
        _side("A", comparison.a_name, "baseline"),
        _side("B", comparison.b_name, "candidate"),
        receipt,
        class_="ck-head",
    )
    band = None
    if comparison.comparability.level == "exploratory":
        band = tag(
            "p",
            tag("strong", "EXPLORATORY"),
            " ",
            comparison.comparability.sentence,
            class_="ck-exploratory",
            role="note",
        )
    show(line, band)


def comparability(found: Comparability) -> Html:
    """The band before any number: may these be compared, and what differs."""
    word, kind = _LEVELS[found.level]
    differing = [
        tag("li", tag("span", prose(visible(each.name)), class_="ck-key"), " ", value(each.a), " → ", value(each.b))
        for each in found.differing[:SHOWN_FIELDS]
    ]
    unrecorded = sum(each.status == "not recorded" for each in found.fields)
    more = len(found.differing) - SHOWN_FIELDS
    rest = [
        f"{more} more differ" if more > 0 else "",
        f"{unrecorded} not recorded" if unrecorded else "",
        "" if differing else "no recorded policy field differs",
    ]
    listed = tag("ul", *differing, tag("li", ", ".join(filter(None, rest)), class_="ck-key") if any(rest) else None)
    sentence = found.sentence.removeprefix(f"{word}: ")
    return tag(
        "section",
        tag("p", tag("strong", word), " ", sentence),
        listed,
        class_=f"ck-band ck-{kind}",
        aria_label="Comparability",
    )


def notes(sentences: Iterable[str]) -> None:
    """One quiet note for each sentence, such as a part of the address that could not be followed."""
    found = [tag("p", sentence, class_="ck-note", role="status") for sentence in sentences]
    if found:
        show(*found)


def value(recorded: object) -> Html:
    """A recorded value as its JSON; a digest in short, whole on hover; a dash where nothing was recorded."""
    if recorded is None:
        return tag("span", "–", class_="ck-muted")
    if isinstance(recorded, str) and is_digest(recorded):
        return tag("code", short(recorded), title=recorded)
    shown = visible(recorded if isinstance(recorded, str) else json.dumps(recorded, ensure_ascii=False))
    return tag("code", shown if len(shown) <= LONGEST_VALUE else shown[:LONGEST_VALUE] + "…")


def error_box(error: ComparekitError, *, number: str) -> Html:
    """An error in its four parts: what happened, where, expected against found, and what to do."""
    place = (
        None
        if error.path is None
        else error.path.name
        if error.line is None
        else f"{error.path.name}, line {error.line:,}"
    )
    pairs = (("Where", place), ("Expected", error.expected), ("Found", error.got), ("What to do", error.todo or None))
    facts = [join(tag("dt", name), tag("dd", visible(str(value)))) for name, value in pairs if value is not None]
    what = visible(error.what)
    return tag(
        "section",
        tag("h1", what[:1].upper() + what[1:]),
        tag("dl", *facts),
        tag("p", "Error ", tag("code", number), class_="ck-muted"),
        class_="ck-error",
        role="alert",
    )


def repairs_list(repairs: Iterable[Repair]) -> Html:
    """Every repair with the lines or topics it touched."""
    return tag("ul", *(tag("li", _file(each), each.message, _places(each)) for each in repairs), class_="ck-repairs")


def _file(repair: Repair) -> Html | None:
    return join(tag("strong", visible(repair.file)), ": ") if repair.file else None


def _places(repair: Repair) -> Html:
    found = [str(line) for line in repair.lines] or [visible(topic) for topic in repair.topics]
    if not found:
        return Html("")
    word = ("line" if repair.lines else "topic") + ("s" if len(found) > 1 else "")
    more = " …" if repair.count > len(found) else ""
    return tag("span", f" {word} {', '.join(found)}{more}", class_="ck-muted")


def _side(letter: str, name: str, role: str) -> Html:
    return tag("span", tag("b", letter), " ", ident(name), f" {role}", class_="ck-side")
