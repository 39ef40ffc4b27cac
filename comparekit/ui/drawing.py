"""Charts on a page: the figure, its name for those who cannot see it, and the table it was drawn from."""

import streamlit as st

from comparekit import charts
from comparekit.columns import Bools
from comparekit.comparison import Comparison
from comparekit.results import Result
from comparekit.ui import tables
from comparekit.ui.summary import gain_of
from comparekit.ui.text import count, show, tag


def deltas_chart(comparison: Comparison, result: Result) -> None:
    """Every comparable topic's delta, sorted; the table of topics follows on the page."""
    paired = result.paired
    kept = paired.is_comparable
    ids = [comparison.experiment.topics.ids[position] for position in result.positions[kept]]
    if not ids:
        show(tag("p", "No topic can be compared.", class_="ck-muted"))
        return
    figure = charts.sorted_deltas(
        ids,
        paired.comparable,
        measure=str(result.measure),
        tie_band=comparison.experiment.declaration.tie_band,
        gain_is=gain_of(result.measure),
    )
    counts = f"{count(paired.losses, 'loss', 'losses')}, {count(paired.ties, 'tie')}, {count(paired.wins, 'win')}"
    st.plotly_chart(figure, key="deltas", config=charts.CONFIG, alt=f"Change of every topic, sorted: {counts}.")
    if len(ids) > charts.MOST_POINTS:
        show(
            tag(
                "p",
                f"Drawn through {charts.MOST_POINTS:,} of {len(ids):,} topics; every figure is over all of them.",
                class_="ck-muted",
            )
        )


def overlap_chart(comparison: Comparison, changed: Bools) -> None:
    """How similar the changed lists still are, and the counts behind it."""
    edges, counts, undefined = charts.binned(comparison.overlap.rbo, changed=changed)
    said = f"Rank-biased overlap of {count(int(counts.sum()), 'changed topic')}, from 0 to 1."
    st.plotly_chart(charts.overlap_distribution(edges, counts), key="overlap", config=charts.CONFIG, alt=said)
    if undefined:
        show(
            tag(
                "p",
                f"{count(undefined, 'topic has', 'topics have')} no overlap: both lists are empty.",
                class_="ck-muted",
            )
        )
    show(tag("details", tag("summary", "Figures of this chart"), tables.distribution(edges, counts)))
