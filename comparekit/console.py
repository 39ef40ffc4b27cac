"""What the command line prints for people."""

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from comparekit.canonical import short
from comparekit.comparison import Comparison
from comparekit.evaluation import evaluation
from comparekit.figures import signed
from comparekit.inference import Interval
from comparekit.measures import Measure
from comparekit.repairs import Repair
from comparekit.results import ALL, Result

SHOWN_LINES = 8
SHOWN_STRATA = 12
SHOWN_TAIL = 5
SHOWN_TEXT = 40


def print_repairs(console: Console, repairs: Iterable[Repair]) -> None:
    """One line a repair, with the first lines or topics it touched."""
    for each in repairs:
        console.print(
            f"{each.file}: {each.message}{places(each)}" if each.file else f"{each.message}{places(each)}",
            soft_wrap=True,
        )


def places(repair: Repair) -> str:
    """Where a repair was made: ` (line 3, 4, 5 …)`, or topics, or nothing."""
    word, found = (
        ("line", [str(line) for line in repair.lines])
        if repair.lines
        else ("topic", [repr(topic) for topic in repair.topics])
    )
    if not found:
        return ""
    more = " …" if repair.count > min(len(found), SHOWN_LINES) else ""
    return f" ({word} {', '.join(found[:SHOWN_LINES])}{more})"


def print_comparison(console: Console, comparison: Comparison, measures: Iterable[Measure]) -> None:
    """The verdict, what it rests on, every measure, the strata of the target, and the tails."""
    declaration = comparison.experiment.declaration
    target = comparison.result(comparison.target)
    lines = [
        f"{declaration.name}: A = {comparison.a_name} (baseline), B = {comparison.b_name} (candidate), delta = B - A"
    ]
    lines.append(comparison.comparability.sentence)
    if comparison.comparability.level == "exploratory":
        lines.insert(0, "EXPLORATORY")
    if target.verdict is not None:
        lines.append(target.verdict.sentence)
    if declaration.guards:
        lines.append("Guards are declared; they stand among the measures and do not enter the verdict.")
    lines += _provisional(target)
    console.print(Text("\n".join(lines)), soft_wrap=True)
    console.print(_measures(comparison, measures))
    for table in _strata(comparison):
        console.print(table)
    console.print(_tails(comparison, target))
    console.print(Text(_foot(comparison)), soft_wrap=True)


def _provisional(result: Result) -> list[str]:
    if result.as_empty is None:
        return []
    both = f"{result.inference.mean.text()} without them, {result.as_empty.mean.text()} with them as empty"
    return [
        f"Provisional: {result.paired.missing} topics are missing on a side, and what that means is undeclared: {both}."
    ]


def _measures(comparison: Comparison, measures: Iterable[Measure]) -> Table:
    table = _table("measure", ("n", "A", "B", "delta", "95 % interval", "p", "win", "tie", "loss", "not comp."))
    for measure in measures:
        result = comparison.result(measure)
        paired, found = result.paired, result.inference
        table.add_row(
            str(measure), str(found.n), paired.mean_a.text(".3f"), paired.mean_b.text(".3f"), found.mean.text(),
            _interval(found.interval), found.randomization.p.text(".3g"),
            *(str(count) for count in (paired.wins, paired.ties, paired.losses, paired.not_comparable)),
        )  # fmt: skip
    return table


def _interval(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return f"n/a ({interval.reason})"
    return f"{signed(interval.low)} to {signed(interval.high)}"


def _strata(comparison: Comparison) -> Iterable[Table | Text]:
    found = comparison.strata(comparison.target)
    for name in comparison.experiment.topics.strata:
        rows = [row for row in found.rows if row.name == name]
        if len(rows) > SHOWN_STRATA:
            yield Text(f"{name}: {len(rows)} values; see the dashboard or --format json")
            continue
        table = _table(name, ("n", f"delta {comparison.target}", "95 % interval", "Holm p", "win", "tie", "loss"))
        for row in rows:
            table.add_row(
                Text(row.label), str(row.n), row.mean.text(), _interval(row.interval), row.adjusted.text(".3g"),
                str(row.wins), str(row.ties), str(row.losses),
            )  # fmt: skip
        yield table
    for row in found.contradictions:
        yield Text(
            f"Against the total: {row.name} = {row.label}, {row.mean.text()} ({_interval(row.interval)}, n = {row.n})"
        )


def _tails(comparison: Comparison, result: Result) -> Table:
    table = Table(
        "largest losses, then wins", "text", Column("delta", justify="right"), "in the top 10", box=SIMPLE_HEAD
    )
    for place in (*result.tails.worst[:SHOWN_TAIL], *result.tails.best[:SHOWN_TAIL]):
        position = result.positions[place]
        topic = comparison.experiment.topics.topics[position]
        text = topic.text if len(topic.text) <= SHOWN_TEXT else f"{topic.text[:SHOWN_TEXT]}…"
        table.add_row(Text(topic.id), Text(text), signed(result.paired.delta[place]), comparison.stories[position])
    return table


def _foot(comparison: Comparison) -> str:
    judged = " and ".join("n/a" if share is None else f"{share:.0%}" for share in comparison.judged(10, ALL))
    changed = comparison.overlap.counts(comparison.open_topics)
    held = f" {comparison.held_out} topics are held out and closed." if comparison.held_out else ""
    depth = comparison.depth
    return (
        f"{changed.in_order[depth]} of {changed.answered} lists changed in the top {depth}.{held} "
        f"Judged in the top 10: {judged} (A and B). Evaluation receipt {short(evaluation(comparison)['digest'])}."
    )


def _table(first: str, others: Iterable[str]) -> Table:
    return Table(
        Column(first, no_wrap=True), *(Column(name, justify="right", no_wrap=True) for name in others), box=SIMPLE_HEAD
    )
