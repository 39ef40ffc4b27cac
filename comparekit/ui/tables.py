"""Small tables, as plain HTML with every text escaped; long lists of topics are in `topic_table`."""

from collections.abc import Iterable, Sequence

from comparekit.columns import Bools, Floats, Ints
from comparekit.figures import Figure
from comparekit.overlap import Overlap
from comparekit.ui.text import Html, hidden, ident, number, p_value, percent, signed, tag


def table(label: str, columns: Sequence[object], rows: Iterable[Sequence[object]], *, words: int = 1) -> Html:
    """
    A table that scrolls sideways by itself where the page is narrow.

    The first `words` columns hold words, the others figures; cells that are not `Html` are escaped.
    """
    head = [
        tag("th", name, scope="col", class_=None if place < words else "ck-num") for place, name in enumerate(columns)
    ]
    body = [tag("tr", *(_cell(cell, place, words) for place, cell in enumerate(row))) for row in rows]
    whole = tag("table", tag("caption", label), tag("thead", tag("tr", *head)), tag("tbody", *body))
    return tag("div", whole, class_="ck-table", role="region", aria_label=label, tabindex="0")


def changes(overlap: Overlap, chosen: Bools) -> Html:
    """How many lists changed in the top k: as they are ordered, and as sets."""
    counts = overlap.counts(chosen)
    whole = counts.answered

    def share(amount: int) -> Html:
        return tag("span", f"{amount:,} ", tag("span", percent(amount, whole), class_="ck-share"))

    rows = [(f"Top {k}", share(counts.in_order[k]), share(counts.as_sets[k])) for k in sorted(counts.in_order)]
    columns = (hidden("First documents"), "Changed in order", "Changed as sets")
    return table(f"Changed lists of {whole:,}", columns, rows)


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
