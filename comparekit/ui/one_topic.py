"""One topic: what was asked, what happened to it, and what the measures say."""

from comparekit.comparison import Comparison
from comparekit.topic_view import MeasuredTopic, TopicView
from comparekit.ui.summary import gain_of
from comparekit.ui.text import Html, ident, number, prose, signed, tag, visible

LONG, VERY_LONG = 120, 400
"""From how many characters a topic's text is set smaller, and from how many it is cut."""


def head(view: TopicView) -> Html:
    """What was asked, and what happened in a line."""
    topic = view.topic
    strata = [
        tag("span", prose(name), " ", tag("strong", "(none)" if value is None else prose(value)))
        for name, value in topic.strata.items()
    ]
    facts = [
        tag("span", "topic ", ident(topic.id)),
        tag("span", "task ", tag("strong", prose(topic.task))) if topic.task else None,
        *strata,
        tag("span", "split ", tag("strong", topic.split)) if topic.split else None,
    ]
    return tag(
        "section",
        *_question(topic.text or visible(topic.id)),
        tag("p", prose(topic.need), class_="ck-need") if topic.need else None,
        tag("p", *facts, class_="ck-facts"),
        class_="ck-topic ck-headline",
    )


def story(view: TopicView) -> Html:
    """What changed, in the library's own line."""
    return tag("p", tag("strong", view.story[:1].upper() + view.story[1:]), class_="ck-story")


def values(comparison: Comparison, view: TopicView) -> Html:
    """A, B and the change of every declared measure, and how similar the lists are."""
    overlap = comparison.overlap
    similar = "same order" if not view.changed else f"p {overlap.p:g}, depth {overlap.depth:,}" + _unsure(view)
    cells = [_value(each, target=each.measure == comparison.target) for each in view.values]
    cells.append(_cell("RBO", number(view.rbo), similar))
    return tag("dl", *cells, class_="ck-figures ck-values")


def legend() -> Html:
    """What the lines and words between the lists mean."""
    return tag(
        "p",
        "A line joins the two ranks of one document. It is grey unless the document was judged relevant; then it is ",
        tag("span", "blue where it moved up", class_="ck-gain"),
        " and ",
        tag("span", "orange where it moved down", class_="ck-harm"),
        ". New and lost documents have no line.",
        class_="ck-muted ck-lines",
    )


def receipts(view: TopicView) -> Html:
    """The digests of the two receipts on this page."""
    rows = (("A", view.receipt_a, view.length_a), ("B", view.receipt_b, view.length_b))
    return tag(
        "ul",
        *(
            tag("li", f"Receipt of {side}: ", tag("code", digest or "none"), f", {length:,} documents")
            for side, digest, length in rows
        ),
        class_="ck-muted",
    )


def _question(text: str) -> list[Html]:
    """The topic's words as the heading; long ones smaller, very long ones cut and folded out on demand."""
    if len(text) <= VERY_LONG:
        return [tag("h1", prose(text), class_="ck-long" if len(text) > LONG else None)]
    whole = tag("details", tag("summary", "The whole text"), tag("p", prose(text)))
    return [tag("h1", prose(text[:LONG].rsplit(maxsplit=1)[0] + " …"), class_="ck-long"), whole]


def _unsure(view: TopicView) -> str:
    return f", ± up to {view.residual:.2f} unseen" if view.residual is not None and view.residual > 0.1 else ""


def _value(measured: MeasuredTopic, *, target: bool) -> Html:
    if measured.delta is None:
        return _cell(str(measured.measure), f"{number(measured.a)} → {number(measured.b)}", measured.reason)
    side = (
        0
        if measured.measure.better is None
        else gain_of(measured.measure) * ((measured.delta > 0) - (measured.delta < 0))
    )
    change = tag("span", signed(measured.delta), class_={1: "ck-gain", -1: "ck-harm"}.get(side))
    return _cell(
        str(measured.measure),
        change,
        f"{number(measured.a)} → {number(measured.b)}",
        title=measured.measure.help,
        strong=target,
    )


def _cell(name: str, value: object, under: str, *, title: str | None = None, strong: bool = False) -> Html:
    return tag(
        "div",
        tag("dt", name, title=title),
        tag("dd", value, class_="ck-big ck-strong" if strong else "ck-big"),
        tag("dd", under, class_="ck-muted"),
    )
