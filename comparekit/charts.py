"""
Plotly figures of a comparison, as pure functions of arrays and plain records.

No figure sets a colour of its own but grey: the first three colours of the page's theme are gain, harm and neither, and
traces stand in that order. Names and ids are escaped, since Plotly reads simple markup, and an axis of ids is an axis
of categories, since Plotly takes ids for numbers and dates.
"""

import html
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from comparekit.columns import Bools, Floats, Ints

MOST_BARS = 60
"""Up to this many topics each have a bar with their id; more are drawn as one area."""
MOST_POINTS = 1_200
"""How many of the sorted topics an area is drawn through."""
BINS = 20
LONGEST_LABEL = 28
LONGEST_ID = 20

GREY = "#8791a0"
_WASH = "rgba(135, 145, 160, 0.16)"

CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False, "showTips": False, "responsive": True}


def label(text: str, *, longest: int = LONGEST_LABEL) -> str:
    """Text as Plotly may show it: nothing in it is markup, and what is too long ends in an ellipsis."""
    return html.escape(text if len(text) <= longest else text[: longest - 1] + "…", quote=False)


def shortened(identity: str, *, longest: int = LONGEST_ID) -> str:
    """An id as an axis may show it: one that is too long keeps both its ends, since ids often differ in the last."""
    if len(identity) <= longest:
        return label(identity, longest=longest)
    return label(identity[: longest // 2] + "…" + identity[-(longest // 2) + 1 :], longest=longest)


def sampled(n: int, *, most: int = MOST_POINTS) -> Ints:
    """The positions, evenly spread over `n` sorted values, that a chart is drawn through; both ends are among them."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.int64)) if n else np.zeros(0, dtype=np.int64)


def sorted_deltas(
    topics: Sequence[str], deltas: Floats, *, measure: str, tie_band: float = 0.0, gain_is: int = 1
) -> go.Figure:
    """
    Every topic's delta (B minus A), from the largest loss to the largest gain.

    `deltas` has no NaN. Within `tie_band` a delta is neither gain nor harm; `gain_is` -1 says that lower is better.
    Up to `MOST_BARS` topics are bars that bear their ids; more are an area through at most `MOST_POINTS` of them.
    """
    order = np.argsort(deltas * gain_is, kind="stable")
    values = deltas[order]
    figure = _bars(topics, order, values) if len(values) <= MOST_BARS else _area(topics, order, values)
    for trace, kept in zip(
        figure.data, _sides(np.asarray(figure.data[0].customdata, dtype=np.float64), tie_band, gain_is), strict=True
    ):
        trace.y = np.where(kept, trace.customdata, np.nan)
        trace.customdata = None
    if tie_band > 0:
        figure.add_hrect(y0=-tie_band, y1=tie_band, fillcolor=_WASH, line_width=0, layer="below")
    figure.update_yaxes(
        title_text=f"Change in {label(measure, longest=60)}, B − A",
        tickformat=".2~f",
        zeroline=True,
        zerolinecolor=GREY,
        zerolinewidth=1,
    )
    return _quiet(figure, height=300)


def binned(rbo: Floats, *, changed: Bools) -> tuple[Floats, Ints, int]:
    """
    Rank-biased overlap of the changed topics in equal bins over [0, 1].

    Returns the `BINS` + 1 edges, the count in each bin (1 belongs to the last), and how many are undefined.
    """
    chosen = rbo[changed]
    known = chosen[~np.isnan(chosen)]
    counts, edges = np.histogram(known, bins=BINS, range=(0.0, 1.0))
    return edges, counts.astype(np.int64), len(chosen) - len(known)


def overlap_distribution(edges: Floats, counts: Ints) -> go.Figure:
    """How similar the changed lists still are: one bar a bin of rank-biased overlap."""
    figure = go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            width=np.diff(edges) * 0.92,
            marker_color=GREY,
            customdata=np.column_stack([edges[:-1], edges[1:]]),
            hovertemplate="RBO %{customdata[0]:.2f} to %{customdata[1]:.2f}: %{y:,} topics<extra></extra>",
        )
    )
    figure.update_xaxes(
        title_text="Rank-biased overlap of A and B (1 is the same order)",
        range=[0, 1.005],
        tickformat=".1f",
        showgrid=False,
    )
    figure.update_yaxes(title_text="Changed topics", rangemode="tozero", tickformat=",d")
    return _quiet(figure, height=300)


def _bars(topics: Sequence[str], order: Ints, values: Floats) -> go.Figure:
    chosen = [topics[place] for place in order.tolist()]
    names = [label(topic, longest=len(topic)) for topic in chosen]
    figure = go.Figure(
        [
            go.Bar(
                x=names,
                customdata=values,
                name=name,
                hovertext=names,
                hovertemplate="%{hovertext}: %{y:+.3f}<extra></extra>",
            )
            for name in _NAMES
        ]
    )
    figure.update_layout(barmode="overlay", bargap=0.25)
    figure.update_xaxes(
        type="category",
        categoryorder="array",
        categoryarray=names,
        title_text="Topics, from the largest loss to the largest gain",
        labelalias={
            name: shortened(topic) for name, topic in zip(names, chosen, strict=True) if len(topic) > LONGEST_ID
        },
    )
    return figure


def _area(topics: Sequence[str], order: Ints, values: Floats) -> go.Figure:
    places = sampled(len(values))
    names = [label(topics[place]) for place in order[places].tolist()]
    figure = go.Figure(
        [
            go.Scatter(
                x=places + 1,
                customdata=values[places],
                name=name,
                text=names,
                mode="lines",
                line_width=1,
                fill="tozeroy",
                hovertemplate="%{text}: %{y:+.3f} (%{x:,} of " + f"{len(values):,})<extra></extra>",
            )
            for name in _NAMES
        ]
    )
    figure.update_xaxes(
        title_text="Topics, from the largest loss to the largest gain", tickformat=",d", range=[1, len(values)]
    )
    return figure


_NAMES = ("B better", "A better", "within the tie band")


def _sides(values: Floats, tie_band: float, gain_is: int) -> tuple[Bools, Bools, Bools]:
    better = values * gain_is
    gain, harm = better > tie_band, better < -tie_band
    return gain, harm, ~(gain | harm)


def _quiet(figure: go.Figure, *, height: int) -> go.Figure:
    """The look all figures share; a finger scrolls the page, not the plot."""
    figure.update_layout(
        height=height,
        margin={"l": 4, "r": 12, "t": 8, "b": 4},
        dragmode=False,
        hovermode="closest",
        showlegend=False,
        separators=".,",
    )
    figure.update_xaxes(automargin=True, fixedrange=True)
    figure.update_yaxes(automargin=True, fixedrange=True)
    return figure
