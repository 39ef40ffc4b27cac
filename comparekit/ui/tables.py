"""Small tables, as plain HTML with every text escaped; long lists of topics are in `topic_table`."""

from collections.abc import Iterable, Sequence

from comparekit.charts import Spread
from comparekit.columns import Bools, Floats, Ints
from comparekit.comparison import Comparison, Selection
from comparekit.figures import Figure
from comparekit.inference import Interval
from comparekit.measures import Measure
from comparekit.overlap import Overlap
from comparekit.strata import StrataTable, Stratum
from comparekit.ui.text import Html, ident, interval, number, p_value, percent, prose, signed, tag


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
    columns = ("Measure", "A", "B", "Change", "95 % interval", "p", "Wins", "Ties", "Losses", "n")
    return table("All declared measures", columns, [_measure(comparison, measure, selection) for measure in comparison.measures])


def strata(found: StrataTable) -> Html:
    """One measure by stratum, with a mark where a stratum contradicts the total."""
    columns = ("Stratum", "Change", "95 % interval", "p", f"Holm p (of {found.family})", "Wins", "Ties", "Losses", "n")
    return table("Change by stratum", columns, [_stratum(row) for row in found.rows])


def spreads(found: StrataTable, *, name: str | None = None) -> list[Spread]:
    """The strata that have a mean, ready to be drawn; those of one name, or all."""
    return [
        Spread(f"{row.name}: {row.label}", row.n, row.mean.value, row.interval.low, row.interval.high)
        for row in found.rows
        if row.mean.value is not None and name in (None, row.name)
    ]


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

    def row(name: str, flags: dict[int, Bools]) -> list[object]:
        counts = [int((flags[k] & chosen).sum()) for k in cutoffs]
        return [name, *(tag("span", f"{amount:,} ", tag("span", percent(amount, whole), class_="ck-muted")) for amount in counts)]

    rows = [row("In order", dict(overlap.changed)), row("As sets", dict(overlap.changed_set))]
    return table(f"Changed lists of {whole:,}", ("First documents", *(f"top {k}" for k in cutoffs)), rows)


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


def _measure(comparison: Comparison, measure: Measure, selection: Selection) -> list[object]:
    result = comparison.result(measure, selection)
    paired, found = result.paired, result.inference
    guards = {guard.measure: guard for guard in comparison.experiment.declaration.guards}
    mark = "target" if measure == comparison.target else "guard" if measure in guards else ""
    name = tag("span", str(measure), title=measure.help)
    return [
        tag("span", name, tag("span", mark, class_="ck-mark") if mark else None),
        figure(paired.mean_a, form="plain"), figure(paired.mean_b, form="plain"),
        _change(found.mean, found.interval, better=measure.better), _interval(found.interval),
        figure(found.randomization.p, form="p"), f"{paired.wins:,}", f"{paired.ties:,}", f"{paired.losses:,}", f"{found.n:,}",
    ]  # fmt: skip


def _stratum(row: Stratum) -> list[object]:
    mark = tag("span", "against the total", class_="ck-mark ck-mark-care") if row.contradicts else None
    return [
        tag("span", tag("span", prose(row.name), ": ", class_="ck-muted"), prose(row.label), mark),
        figure(row.mean), _interval(row.interval), figure(row.p, form="p"), figure(row.adjusted, form="p"),
        f"{row.wins:,}", f"{row.ties:,}", f"{row.losses:,}", f"{row.n:,}",
    ]  # fmt: skip


def _change(mean: Figure, found: Interval, *, better: str | None) -> Html:
    """Blue or orange only where the whole interval is on one side, and the measure says which side is better."""
    side = 0 if better is None else found.side() * (-1 if better == "lower" else 1)
    return tag("span", figure(mean), class_={1: "ck-gain", -1: "ck-harm"}.get(side))


def _interval(found: Interval) -> Html:
    return tag("span", interval(found.low, found.high), title=found.reason or None)
