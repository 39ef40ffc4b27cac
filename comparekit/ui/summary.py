"""The answer in words and a few figures: the verdict, the share of wins and losses, and what they rest on."""

from comparekit.comparison import Comparison
from comparekit.measures import Measure
from comparekit.paired import Paired
from comparekit.results import ALL, Result, Selection
from comparekit.ui.text import Html, count, interval, number, p_value, percent, prose, signed, tag

DEFAULT_CUTOFF = 10


def headline(comparison: Comparison, result: Result) -> Html:
    """The sentence a page opens with: the verdict on the target, else what the interval says of another measure."""
    if result.verdict is not None:
        title, _, rest = result.verdict.sentence.partition(": ")
        rest = rest.partition(" Provisional, ")[0]
    else:
        title, rest = _direction(comparison, result), _figures(result)
    parts = [tag("h1", title), tag("p", rest, class_="ck-lead")]
    return tag("section", *parts, among(result.selection), provisional(result), class_="ck-headline")


def among(selection: Selection) -> Html | None:
    """Which topics are looked at, when it is not all of them."""
    if selection == ALL:
        return None
    return tag("p", "Only topics with ", tag("strong", prose(selection.label)), ".", class_="ck-note")


def provisional(result: Result) -> Html | None:
    """The figure both ways while nobody declared what a missing topic is, and the verdict that would follow."""
    if result.as_empty is None:
        return None
    missing, empty = count(result.paired.missing, "topic is", "topics are"), result.as_empty
    other = result.verdict.as_empty if result.verdict else None
    return tag(
        "p",
        tag("strong", "Provisional. "),
        f"{missing} missing on a side, and nobody declared what that means. ",
        f"Without them the change is {signed(result.inference.mean.value)}; with them as empty answers it is ",
        f"{signed(empty.mean.value)} ({interval(empty.interval.low, empty.interval.high)}, {count(empty.n, 'topic')})",
        f", and the verdict: {other.kind}." if other else ".",
        class_="ck-note",
    )


def outcome_bar(paired: Paired) -> Html:
    """Wins, ties, losses and what cannot be compared, as one bar with its counts in words."""
    whole = len(paired.outcome)
    parts = (
        ("win", paired.wins, "win", "wins"),
        ("tie", paired.ties, "tie", "ties"),
        ("loss", paired.losses, "loss", "losses"),
        ("none", paired.not_comparable, "not comparable", "not comparable"),
    )
    bars = [tag("span", "", class_=f"ck-{kind}", style=f"flex-grow:{amount}") for kind, amount, *_ in parts if amount]
    words = [
        tag(
            "li",
            tag("span", "", class_=f"ck-key-{kind}"),
            tag("b", f"{amount:,}"),
            f" {one if amount == 1 else many}",
            tag("span", f" {percent(amount, whole)}", class_="ck-muted"),
        )
        for kind, amount, one, many in parts
    ]
    said = f"B against A: {', '.join(count(amount, one, many) for _, amount, one, many in parts)}"
    return tag(
        "div",
        tag("div", *bars, class_="ck-bar", role="img", aria_label=said),
        tag("ul", *words, class_="ck-legend"),
        class_="ck-outcomes",
    )


def figures(comparison: Comparison, result: Result) -> Html:
    """What the headline rests on: both means, the change, the test, and how much of both lists is judged."""
    found, paired = result.inference, result.paired
    cutoff = result.measure.cutoff or DEFAULT_CUTOFF
    judged = comparison.judged(cutoff, result.selection)
    change = paired.relative_change.value
    relative = "" if change is None else f"; {signed(100 * change, places=1)} % of A"
    return tag(
        "dl",
        _figure("A, baseline", number(paired.mean_a.value), f"mean over {count(found.n, 'topic')}"),
        _figure("B, candidate", number(paired.mean_b.value), f"mean over {count(found.n, 'topic')}{relative}"),
        _figure("Change, B − A", signed(found.mean.value), _interval_words(result), strong=True),
        _figure(
            "Randomization test",
            f"p {_equals(p_value(found.randomization.p.value))}",
            found.randomization.p.reason or found.randomization.method,
        ),
        _figure("Judged", f"{_share(judged[0])} → {_share(judged[1])}", f"of the first {cutoff} of A and of B"),
        _figure(
            "Effect size",
            signed(found.effect_size.value, places=2),
            found.effect_size.reason or "mean in standard deviations",
        ),
        class_="ck-figures",
    )


def left_out(paired: Paired) -> Html | None:
    """Why topics are not comparable, and how many for each reason."""
    if not paired.not_comparable:
        return None
    reasons = "; ".join(f"{reason} ({amount:,})" for reason, amount in paired.left_out)
    return tag(
        "p",
        f"{count(paired.not_comparable, 'topic is', 'topics are')} not comparable and in no figure above: {reasons}.",
        class_="ck-muted ck-left-out",
    )


def gain_of(measure: Measure) -> int:
    """1 where a positive delta is a gain, -1 where a negative one is."""
    return -1 if measure.better == "lower" else 1


def _direction(comparison: Comparison, result: Result) -> str:
    side, measure = result.inference.interval.side(), result.measure
    if result.inference.interval.low is None:
        return f"{measure}: too few topics for an interval"
    if side == 0:
        return f"No clear change in {measure}"
    return f"{measure} {'rises' if side > 0 else 'falls'} with {comparison.b_name}"


def _figures(result: Result) -> str:
    found = result.inference
    if found.mean.value is None:
        return f"No topic can be compared: {found.mean.reason}."
    figures = f"{signed(found.mean.value)} ({_interval_words(result)}, {count(found.n, 'topic')})"
    return f"{figures}. Not the declared target, so it has no verdict."


def _interval_words(result: Result) -> str:
    found = result.inference.interval
    return f"no interval: {found.reason}" if found.low is None else f"95 % interval {interval(found.low, found.high)}"


def _figure(name: str, value: str, under: str, *, strong: bool = False) -> Html:
    return tag(
        "div",
        tag("dt", name),
        tag("dd", value, class_="ck-big ck-strong" if strong else "ck-big"),
        tag("dd", under, class_="ck-muted"),
    )


def _equals(shown: str) -> str:
    return shown if shown.startswith(("<", "–")) else f"= {shown}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"
