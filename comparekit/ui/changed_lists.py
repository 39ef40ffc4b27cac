"""The lists that changed: how many, by which rule, and a table of them page by page."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from comparekit.columns import Ints
from comparekit.comparison import Comparison
from comparekit.measures import Measure
from comparekit.overlap import VARIANT
from comparekit.results import Selection
from comparekit.ui import address, tables
from comparekit.ui.address import View
from comparekit.ui.controls import choose, chosen_page
from comparekit.ui.loading import measured
from comparekit.ui.summary import among
from comparekit.ui.text import Html, count, percent, show, tag
from comparekit.ui.topic_table import Group, ordered, topic_table

A_PAGE = 50
_SORTED = {
    "rbo": "Least similar first",
    "worst": "Largest losses first",
    "best": "Largest gains first",
    "id": "By topic id",
}


def headline(comparison: Comparison, selection: Selection) -> Html:
    """How many lists changed at the full depth."""
    counts = comparison.overlap.counts(comparison.mask(selection))
    whole, changed = counts.answered, counts.in_order[comparison.depth]
    said = "No list changed" if not changed else f"{changed:,} of {whole:,} lists changed"
    same = f"{count(whole - changed, 'list is', 'lists are')} the same ({percent(whole - changed, whole)})"
    absent = f"; {count(counts.silent, 'topic has', 'topics have')} no answer on a side" if counts.silent else ""
    lead = f"In the first {comparison.depth:,} documents; {same}{absent}."
    return tag("section", tag("h1", said), tag("p", lead, class_="ck-lead"), among(selection), class_="ck-headline")


def rule(comparison: Comparison) -> Html:
    """How change is told and how similarity is measured."""
    overlap = comparison.overlap
    return tag(
        "p",
        "Changed means that the ordered lists differ, exactly. Similarity is rank-biased overlap, ",
        f"{VARIANT}; p = {overlap.p:g}, both lists cut to depth {overlap.depth:,}, {comparison.depth_rule}. ",
        "It never says “unchanged”.",
        class_="ck-muted",
    )


def table(comparison: Comparison, view: View, *, params: Mapping[str, str]) -> None:
    """The changed lists, fifty at a time."""
    result, frame = measured(comparison, view), comparison.table(view.measure, view.selection)
    changed = np.flatnonzero(frame["changed"].to_numpy())
    if not len(changed):
        show(tag("p", "None.", class_="ck-muted"))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        by = st.query_params.get(address.SORT, "rbo")
        by = by if by in _SORTED else "rbo"
        choose("Order", list(_SORTED), address.SORT, by, show=_SORTED.__getitem__, width=220)
        page = chosen_page(-(-len(changed) // A_PAGE))
    first = (page - 1) * A_PAGE
    positions = changed[_order(frame.iloc[changed], by, view.measure)][first : first + A_PAGE].tolist()
    label = f"{first + 1:,} to {first + len(positions):,} of {len(changed):,}"
    key = f"changed {view.measure} {view.selection.label} {by} {page}"
    topic_table(
        comparison,
        result,
        groups=[Group(label, positions)],
        params=params,
        key=key,
        label="Changed lists",
        shown=A_PAGE,
    )


def unchanged(comparison: Comparison, selection: Selection) -> Html:
    """The lists that are the same, counted and folded away."""
    overlap = comparison.overlap
    same = overlap.answered & ~overlap.changed[comparison.depth] & comparison.mask(selection)
    ids = [comparison.experiment.topics.ids[position] for position in np.flatnonzero(same)]
    return tables.unchanged(ids, depth=comparison.depth)


def _order(frame: pd.DataFrame, by: str, measure: Measure) -> Ints:
    if by == "rbo":
        return np.argsort(frame["rbo"].to_numpy(), kind="stable")
    return np.array(
        ordered(frame, order=next(order for order in address.ORDERS if order == by), measure=measure), dtype=np.int64
    )
