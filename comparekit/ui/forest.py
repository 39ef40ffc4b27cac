"""Changes with their intervals, drawn in the rows of a table: every measure, and one measure by stratum."""

from collections.abc import Iterable
from dataclasses import dataclass

from comparekit.comparison import Comparison
from comparekit.figures import Figure
from comparekit.inference import Interval
from comparekit.measures import Measure
from comparekit.paired import Paired
from comparekit.results import Result, Selection
from comparekit.strata import StrataTable, Stratum
from comparekit.ui.tables import figure, table
from comparekit.ui.text import Html, hidden, interval, join, prose, signed, tag

MOST_VALUES = 12
"""A stratum with more values than this is folded away."""
_COUNTED = ("Wins", "Ties", "Losses", "n")


@dataclass(frozen=True, slots=True)
class Scale:
    """The span of changes that the intervals of one table are drawn over; zero is always inside."""

    low: float
    high: float

    @classmethod
    def of(cls, spreads: Iterable[tuple[Figure, Interval]]) -> "Scale":
        """Wide enough for every mean and interval of a table."""
        ends = [value for mean, found in spreads for value in (mean.value, found.low, found.high) if value is not None]
        return cls(min([0.0, *ends]), max([0.0, *ends]) or 1.0)

    def draw(self, mean: Figure, found: Interval, *, better: str | None) -> Html:
        """One interval with its mean and the line at zero; its figures stand in the cells beside it."""
        kind = {1: "gain", -1: "harm"}.get(side_of(found, better), "even")
        parts = [tag("i", "", class_="ck-zero", style=f"left:{self._place(0.0):.2f}%")]
        if found.low is not None and found.high is not None:
            start, end = self._place(found.low), self._place(found.high)
            parts.append(
                tag("i", "", class_=f"ck-span ck-{kind}-fill", style=f"left:{start:.2f}%;width:{end - start:.2f}%")
            )
        if mean.value is not None:
            parts.append(tag("i", "", class_=f"ck-dot ck-{kind}-fill", style=f"left:{self._place(mean.value):.2f}%"))
        return tag("span", *parts, class_="ck-range", aria_hidden="true")

    def head(self) -> Html:
        """The ends of the scale, and zero where there is room between them."""
        ends = [(self.low, "start")] * (self.low < 0) + [(self.high, "end")] * (self.high > 0)
        if 15 < self._place(0.0) < 85:
            ends.append((0.0, "middle"))
        marks = (self._mark(value, side) for value, side in ends)
        return join(hidden("Interval, drawn"), tag("span", *marks, class_="ck-range ck-axis", aria_hidden="true"))

    def _mark(self, value: float, side: str) -> Html:
        shown = signed(value, places=2) if value else "0"
        return tag("i", shown, class_=f"ck-{side}", style=f"left:{self._place(value):.2f}%")

    def _place(self, value: float) -> float:
        return 100 * (value - self.low) / (self.high - self.low)


def measures(comparison: Comparison, selection: Selection) -> Html:
    """Every declared measure over one selection."""
    results = [comparison.result(measure, selection) for measure in comparison.measures]
    scale = Scale.of([(each.inference.mean, each.inference.interval) for each in results])
    columns = ("Measure", "A", "B", "Change", scale.head(), "95 % interval", "p", *_COUNTED)
    return table("All declared measures", columns, [_measure(comparison, each, scale) for each in results])


def strata(comparison: Comparison, measure: Measure) -> Html:
    """One measure by stratum as a forest plot and its figures, all topics first; contradictions are marked."""
    found, whole = comparison.strata(measure), comparison.result(measure)
    scale = Scale.of(
        [(whole.inference.mean, whole.inference.interval), *((row.mean, row.interval) for row in found.rows)]
    )
    columns = ("Stratum", "Change", scale.head(), "95 % interval", "p", f"Holm p of {found.family}", *_COUNTED)
    rows = {name: [row for row in found.rows if row.name == name] for name in comparison.experiment.topics.strata}
    drawn = {name: [_stratum(row, scale, better=measure.better) for row in listed] for name, listed in rows.items()}
    shown = [row for listed in drawn.values() if len(listed) <= MOST_VALUES for row in listed]
    folded = [
        _folded(name, table(f"Change in {measure} by {name}", columns, listed), values=len(listed))
        for name, listed in drawn.items()
        if len(listed) > MOST_VALUES
    ]
    return join(table(f"Change in {measure} by stratum", columns, [_total(whole, scale), *shown]), *folded)


def _folded(name: str, rows: Html, *, values: int) -> Html:
    return tag("details", tag("summary", prose(name), f": {values:,} values"), rows)


def contradictions(found: StrataTable) -> Html | None:
    """The warning that a stratum moves against the total."""
    if not found.contradictions:
        return None
    names = ", ".join(
        f"{row.name}: {row.label} ({signed(row.mean.value)}, n = {row.n:,})" for row in found.contradictions
    )
    return tag(
        "p",
        tag("strong", "Against the total: "),
        prose(names),
        ". The whole interval is on the other side of zero.",
        class_="ck-note",
        role="note",
    )


def _measure(comparison: Comparison, result: Result, scale: Scale) -> list[object]:
    measure, paired, found = result.measure, result.paired, result.inference
    guards = {guard.measure: guard for guard in comparison.experiment.declaration.guards}
    mark = "target" if measure == comparison.target else "guard" if measure in guards else ""
    name = tag("span", str(measure), title=measure.help)
    return [
        tag("span", name, tag("span", mark, class_="ck-mark") if mark else None),
        figure(paired.mean_a, form="plain"),
        figure(paired.mean_b, form="plain"),
        _change(found.mean, found.interval, better=measure.better),
        scale.draw(found.mean, found.interval, better=measure.better),
        _interval(found.interval),
        figure(found.randomization.p, form="p"),
        *_counted(paired),
    ]


def _total(result: Result, scale: Scale) -> list[object]:
    paired, found, better = result.paired, result.inference, result.measure.better
    return [
        tag("strong", "All topics"),
        _change(found.mean, found.interval, better=better),
        scale.draw(found.mean, found.interval, better=better),
        _interval(found.interval),
        figure(found.randomization.p, form="p"),
        "",
        *_counted(paired),
    ]


def _stratum(row: Stratum, scale: Scale, *, better: str | None) -> list[object]:
    mark = tag("span", "against the total", class_="ck-mark ck-mark-care") if row.contradicts else None
    return [
        tag("span", tag("span", prose(row.name), ": ", class_="ck-muted"), prose(row.label), mark),
        _change(row.mean, row.interval, better=better),
        scale.draw(row.mean, row.interval, better=better),
        _interval(row.interval),
        figure(row.p, form="p"),
        figure(row.adjusted, form="p"),
        *_counted(row),
    ]


def _change(mean: Figure, found: Interval, *, better: str | None) -> Html:
    return tag("span", figure(mean), class_={1: "ck-gain", -1: "ck-harm"}.get(side_of(found, better)))


def _counted(row: Paired | Stratum) -> tuple[str, ...]:
    return tuple(f"{amount:,}" for amount in (row.wins, row.ties, row.losses, row.n))


def side_of(found: Interval, better: str | None) -> int:
    """
    1 where the whole interval is a gain, -1 where all of it is harm, else 0; 0 too where neither direction is better.
    """
    return 0 if better is None else found.side() * (-1 if better == "lower" else 1)


def _interval(found: Interval) -> Html:
    return tag("span", interval(found.low, found.high), title=found.reason or None)
