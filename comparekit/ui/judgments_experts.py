"""The experts' panel: which ranker people prefer, beside what the target says."""

import streamlit as st

from comparekit.comparison import Comparison
from comparekit.errors import StoreError
from comparekit.preferences import Experts, experts
from comparekit.proportions import Proportion, Tally
from comparekit.ui.judging_store import book, is_there
from comparekit.ui.text import Html, count, p_value, show, tag


def experts_panel(comparison: Comparison) -> None:
    """Draw what the experts say so far; nothing is made where nobody ever answered."""
    show(tag("h2", "What the experts say"))
    if not is_there():
        show(_nobody())
        _way()
        return
    try:
        events = book().events()
    except StoreError as error:
        show(tag("p", f"The record of answers cannot be read: {error.what}. {error.todo}", class_="ck-note"))
        return
    found = experts(comparison, events)
    show(panel(found, a=comparison.a_name, b=comparison.b_name) if found.assessors else _nobody())
    if not found.assessors:
        _way()


def panel(found: Experts, *, a: str, b: str) -> Html:
    """Wins, ties and losses by experts, the sign test, the half-tie share, and how often the target agrees."""
    return tag(
        "section",
        tag("p", sentence(found, a=a, b=b), class_="ck-lead"),
        outcomes(found.answered),
        tag(
            "dl",
            _cell(
                "B preferred, ties half",
                _share(found.answered.half_tie_share),
                _interval(found.answered.half_tie_share),
            ),
            _cell("Sign test", _p(found.answered), f"{count(found.answered.decided, 'decided topic')}"),
            _cell("The target agrees", _share(found.agreement), _agreeing(found.agreement)),
            _cell("Drawn at random", f"{found.random.n:,}", _drawn(found)),
            class_="ck-figures",
        ),
        tag("p", rests_on(found), class_="ck-muted"),
    )


def sentence(found: Experts, *, a: str, b: str) -> str:
    """Who is preferred, as far as the interval tells."""
    share = found.answered.half_tie_share
    if share.low is None or share.high is None:
        return "No topic has a settled answer yet."
    side = f"The experts prefer {b}" if share.low > 0.5 else f"The experts prefer {a}" if share.high < 0.5 else None
    words = side or "The experts do not clearly prefer either"
    return f"{words}, by {count(found.assessors, 'assessor')} on {count(found.answered.n, 'topic')}."


def outcomes(tally: Tally) -> Html:
    """Wins, ties and losses as one bar with its counts in words."""
    parts = (
        ("win", tally.wins, "B preferred"),
        ("tie", tally.ties, "neither"),
        ("loss", tally.losses, "A preferred"),
    )
    bars = [tag("span", "", class_=f"ck-{kind}", style=f"flex-grow:{amount}") for kind, amount, _ in parts if amount]
    words = [
        tag("li", tag("span", "", class_=f"ck-key-{kind}"), tag("b", f"{amount:,}"), f" {said}")
        for kind, amount, said in parts
    ]
    spoken = ", ".join(f"{amount} {said}" for _, amount, said in parts)
    return tag(
        "div",
        tag("div", *bars, class_="ck-bar", role="img", aria_label=f"By topic: {spoken}"),
        tag("ul", *words, class_="ck-legend"),
        class_="ck-outcomes",
    )


def rests_on(found: Experts) -> str:
    """Which topics the figures rest on, and which are left out."""
    return (
        "By topic, from the majority of assessors on this very pair of receipts. "
        f"{count(found.changed, 'topic has', 'topics have')} lists that differ: {found.answered.n:,} settled, "
        f"{found.unresolved:,} unresolved, {found.open:,} without an answer. The lists of "
        f"{count(found.unchanged, 'topic')} do not differ; they would be ties and are in no figure above. "
        "The queue prefers informative topics; only those drawn at random speak for all that changed."
    )


def _drawn(found: Experts) -> str:
    if not found.random.n:
        return "none answered yet"
    share = found.random.half_tie_share
    return f"B {_share(share)}, {_interval(share)}"


def _agreeing(found: Proportion) -> str:
    return found.share.reason or f"same winner on {found.count:g} of {found.n:,}, {_interval(found)}"


def _share(found: Proportion) -> str:
    return "–" if found.share.value is None else f"{100 * found.share.value:.0f} %"


def _interval(found: Proportion) -> str:
    if found.low is None or found.high is None:
        return found.share.reason
    return f"95 % interval {100 * found.low:.0f} to {100 * found.high:.0f} %"


def _p(tally: Tally) -> str:
    shown = p_value(tally.sign.p.value)
    return f"p {shown if shown.startswith(('<', '–')) else f'= {shown}'}"


def _cell(name: str, value: str, under: str) -> Html:
    return tag("div", tag("dt", name), tag("dd", value, class_="ck-big"), tag("dd", under, class_="ck-muted"))


def _nobody() -> Html:
    return tag("p", "Nobody has compared the two lists yet.", class_="ck-muted")


def _way() -> None:
    st.page_link("pages/judge.py", label="Judge")
