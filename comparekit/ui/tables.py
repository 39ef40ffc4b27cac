"""Small tables, as plain HTML with every text escaped; long lists of topics are in `topic_table`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from comparekit.columns import Bools, Floats, Ints
from comparekit.comparison import Comparison, Result, Selection
from comparekit.figures import Figure
from comparekit.inference import Interval
from comparekit.measures import Measure
from comparekit.overlap import Overlap
from comparekit.strata import StrataTable, Stratum
from comparekit.ui.text import Html, ident, interval, join, number, p_value, percent, prose, signed, tag


MOST_VALUES = 12
"""A stratum with more values than this is folded away."""


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
            parts.append(tag("i", "", class_=f"ck-span ck-{kind}-fill", style=f"left:{start:.2f}%;width:{end - start:.2f}%"))
        if mean.value is not None:
            parts.append(tag("i", "", class_=f"ck-dot ck-{kind}-fill", style=f"left:{self._place(mean.value):.2f}%"))
        return tag("span", *parts, class_="ck-range", aria_hidden="true")

    def head(self) -> Html:
        """The ends of the scale, and zero where there is room between them."""
        ends = [(self.low, "start")] * (self.low < 0) + [(self.high, "end")] * (self.high > 0)
        if 15 < self._place(0.0) < 85:
            ends.append((0.0, "middle"))
        marks = [tag("i", signed(value, places=2) if value else "0", class_=f"ck-{side}", style=f"left:{self._place(value):.2f}%") for value, side in ends]
        return tag("span", *marks, class_="ck-range ck-axis", aria_hidden="true")

    def _place(self, value: float) -> float:
        return 100 * (value - self.low) / (self.high - self.low)


def table(label: str, columns: Sequence[object], rows: Iterable[Sequence[object]], *, words: int = 1) -> Html:
    """
    A table that scrolls sideways by itself where the page is narrow.

    The first `words` columns hold words, the others figures; cells that are not `Html` are escaped.
    """
    head = [tag("th", name, scope="col", class_=None if place < words else "ck-num") for place, name in enumerate(columns)]
    body = [
        tag("tr", *(_cell(cell, place, words) for place, cell in enumerate(row)))
        for row in rows
    ]  # fmt: skip
    whole = tag("table", tag("caption", label), tag("thead", tag("tr", *head)), tag("tbody", *body))
    return tag("div", whole, class_="ck-table", role="region", aria_label=label, tabindex="0")


def measures(comparison: Comparison, selection: Selection) -> Html:
    """Every declared measure over one selection."""
    results = [comparison.result(measure, selection) for measure in comparison.measures]
    scale = Scale.of([(each.inference.mean, each.inference.interval) for each in results])
    columns = ("Measure", "A", "B", "Change", scale.head(), "95 % interval", "p", "Wins", "Ties", "Losses", "n")
    return table("All declared measures", columns, [_measure(comparison, each, scale) for each in results])


def strata(comparison: Comparison, measure: Measure) -> Html:
    """One measure by stratum as a forest plot and its figures, all topics first; what contradicts the total is marked."""
    found, whole = comparison.strata(measure), comparison.result(measure)
    scale = Scale.of([(whole.inference.mean, whole.inference.interval), *((row.mean, row.interval) for row in found.rows)])
    columns = ("Stratum", "Change", scale.head(), "95 % interval", "p", f"Holm p of {found.family}", "Wins", "Ties", "Losses", "n")
    many = {name for name in comparison.experiment.topics.strata if sum(row.name == name for row in found.rows) > MOST_VALUES}
    rows = {name: [_stratum(row, scale, better=measure.better) for row in found.rows if row.name == name] for name in comparison.experiment.topics.strata}
    shown = [row for name, listed in rows.items() if name not in many for row in listed]
    folded = [
        tag("details", tag("summary", prose(name), f": {len(rows[name]):,} values"), table(f"Change in {measure} by {name}", columns, rows[name]))
        for name in rows if name in many
    ]  # fmt: skip
    return join(table(f"Change in {measure} by stratum", columns, [_total(whole, scale), *shown]), *folded)


def contradictions(found: StrataTable) -> Html | None:
    """The warning that a stratum moves against the total."""
    if not found.contradictions:
        return None
    names = ", ".join(f"{row.name}: {row.label} ({signed(row.mean.value)}, n = {row.n:,})" for row in found.contradictions)
    return tag("p", tag("strong", "Against the total: "), prose(names), ". The whole interval is on the other side of zero.", class_="ck-note", role="note")


def changes(overlap: Overlap, chosen: Bools) -> Html:
    """How many lists changed in the top k: as they are ordered, and as sets."""
    cutoffs = sorted(overlap.changed)
    whole = int(chosen.sum())

    def share(flags: Bools) -> Html:
        amount = int((flags & chosen).sum())
        return tag("span", f"{amount:,} ", tag("span", percent(amount, whole), class_="ck-share"))

    rows = [(f"Top {k}", share(overlap.changed[k]), share(overlap.changed_set[k])) for k in cutoffs]
    return table(f"Changed lists of {whole:,}", ("", "Changed in order", "Changed as sets"), rows)

def distribution(edges: Floats, counts: Ints) -> Html:
    """The figures behind the chart of overlaps; bins without a topic are left out."""
    bins = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    rows = [(f"{low:.2f} to {high:.2f}", f"{amount:,}") for low, high, amount in bins if amount]
    return table("Changed topics by overlap", ("Rank-biased overlap", "Topics"), rows)


def unchanged(topics: Sequence[str], *, depth: int, shown: int = 300) -> Html:
    """The topics whose lists are the same, folded away."""
    more = tag("span", f" and {len(topics) - shown:,} more", class_="ck-muted") if len(topics) > shown else None
    ids = [tag("li", ident(topic)) for topic in topics[:shown]]
    summary = tag("summary", f"{len(topics):,} unchanged in the top {depth}")
    return tag("details", summary, tag("ul", *ids, class_="ck-ids"), more, class_="ck-fold")


def figure(value: Figure, *, form: str = "signed") -> Html:
    """A figure, or a dash that says why there is none."""
    forms = {"signed": signed, "plain": number, "p": p_value}
    return tag("span", forms[form](value.value), title=value.reason or None)


def _cell(cell: object, place: int, words: int) -> Html:
    return tag("th", cell, scope="row") if place == 0 else tag("td", cell, class_=None if place < words else "ck-num")


def _measure(comparison: Comparison, result: Result, scale: "Scale") -> list[object]:
    measure, paired, found = result.measure, result.paired, result.inference
    guards = {guard.measure: guard for guard in comparison.experiment.declaration.guards}
    mark = "target" if measure == comparison.target else "guard" if measure in guards else ""
    name = tag("span", str(measure), title=measure.help)
    return [
        tag("span", name, tag("span", mark, class_="ck-mark") if mark else None),
        figure(paired.mean_a, form="plain"), figure(paired.mean_b, form="plain"),
        _change(found.mean, found.interval, better=measure.better), scale.draw(found.mean, found.interval, better=measure.better),
        _interval(found.interval),
        figure(found.randomization.p, form="p"), f"{paired.wins:,}", f"{paired.ties:,}", f"{paired.losses:,}", f"{found.n:,}",
    ]  # fmt: skip


def _total(result: Result, scale: "Scale") -> list[object]:
    paired, found, better = result.paired, result.inference, result.measure.better
    return [
        tag("strong", "All topics"), _change(found.mean, found.interval, better=better), scale.draw(found.mean, found.interval, better=better),
        _interval(found.interval), figure(found.randomization.p, form="p"), "", f"{paired.wins:,}", f"{paired.ties:,}", f"{paired.losses:,}", f"{found.n:,}",
    ]  # fmt: skip


def _stratum(row: Stratum, scale: "Scale", *, better: str | None) -> list[object]:
    mark = tag("span", "against the total", class_="ck-mark ck-mark-care") if row.contradicts else None
    return [
        tag("span", tag("span", prose(row.name), ": ", class_="ck-muted"), prose(row.label), mark),
        _change(row.mean, row.interval, better=better), scale.draw(row.mean, row.interval, better=better), _interval(row.interval), figure(row.p, form="p"), figure(row.adjusted, form="p"),
        f"{row.wins:,}", f"{row.ties:,}", f"{row.losses:,}", f"{row.n:,}",
    ]  # fmt: skip


def _change(mean: Figure, found: Interval, *, better: str | None) -> Html:
    return tag("span", figure(mean), class_={1: "ck-gain", -1: "ck-harm"}.get(side_of(found, better)))


def side_of(found: Interval, better: str | None) -> int:
    """1 for gain and -1 for harm, only where the whole interval is on one side and the measure says which is better; else 0."""
    return 0 if better is None else found.side() * (-1 if better == "lower" else 1)


def _interval(found: Interval) -> Html:
    return tag("span", interval(found.low, found.high), title=found.reason or None)
