"""
Plotly figures of a comparison, as pure functions of arrays and plain records.

No figure sets a colour of its own but grey: the first three colours of the page's theme are gain, harm and neither, and
traces stand in that order. Names and ids are escaped, since Plotly reads simple markup, and an axis of ids is an axis
of categories, since Plotly takes ids for numbers and dates.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from comparekit.columns import Bools, Floats, Ints

MOST_BARS = 60
"""Up to this many topics each have a bar with their id; more are drawn as one area."""
MOST_POINTS = 1_200
"""How many of the sorted topics an area is drawn through."""
MOST_STRATA = 24
"""How many strata a chart shows; its table shows all."""
BINS = 20
LONGEST_LABEL = 28

GREY = "#8791a0"
_WASH = "rgba(135, 145, 160, 0.16)"

CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False, "showTips": False, "responsive": True}


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean delta (B minus A) over `n` topics with its interval; the ends are None where there is no interval."""

    label: str
    n: int
    mean: float
    low: float | None
    high: float | None

    @property
    def side(self) -> int:
        """1 where the whole interval is above zero, -1 where it is below, else 0."""
        if self.low is None or self.high is None:
            return 0
        return int(self.low > 0) - int(self.high < 0)


def label(text: str, *, longest: int = LONGEST_LABEL) -> str:
    """Text as Plotly may show it: nothing in it is markup, and what is too long ends in an ellipsis."""
    return html.escape(text if len(text) <= longest else text[: longest - 1] + "…", quote=False)


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
    for trace, kept in zip(figure.data, _sides(np.asarray(figure.data[0].customdata, dtype=np.float64), tie_band, gain_is), strict=True):
        trace.y = np.where(kept, trace.customdata, np.nan)
        trace.customdata = None
    if tie_band > 0:
        figure.add_hrect(y0=-tie_band, y1=tie_band, fillcolor=_WASH, line_width=0, layer="below")
    figure.update_yaxes(title_text=f"Change in {label(measure, longest=60)}", tickformat="+.2~f", zeroline=True, zerolinecolor=GREY, zerolinewidth=1)
    return _quiet(figure, height=320)


def strata_forest(rows: Sequence[Spread], *, total: Spread, measure: str, gain_is: int = 1) -> go.Figure:
    """
    The mean delta of all topics and of every stratum with its interval; at most `MOST_STRATA`, in the order given.

    A row is in the colour of gain or harm only where its whole interval is on that side of zero.
    """
    shown = [total, *rows[:MOST_STRATA]]
    labels = [f"{label(row.label)}  ({row.n:,})" for row in shown]
    positions = list(range(len(shown)))
    figure = go.Figure([
        _intervals([(place, row) for place, row in zip(positions, shown, strict=True) if row.side * gain_is == side], name=name)
        for side, name in ((1, "better"), (-1, "worse"), (0, "undecided"))
    ])  # fmt: skip
    figure.add_vline(x=0, line={"width": 1, "color": GREY})
    figure.update_yaxes(
        tickmode="array", tickvals=positions, ticktext=labels, range=[len(shown) - 0.4, -0.6], showgrid=False, zeroline=False,
    )
    figure.update_xaxes(title_text=f"Mean change in {label(measure, longest=60)}, 95 % interval", tickformat="+.3~f", zeroline=False)
    return _quiet(figure, height=max(200, 84 + 34 * len(shown)), legend=False)


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
    figure = go.Figure(go.Bar(
        x=(edges[:-1] + edges[1:]) / 2, y=counts, width=np.diff(edges) * 0.92, marker_color=GREY,
        customdata=np.column_stack([edges[:-1], edges[1:]]),
        hovertemplate="RBO %{customdata[0]:.2f} to %{customdata[1]:.2f}: %{y:,} topics<extra></extra>",
    ))  # fmt: skip
    figure.update_xaxes(title_text="Rank-biased overlap of A and B (1 is the same order)", range=[0, 1.005], tickformat=".1f", showgrid=False)
    figure.update_yaxes(title_text="Changed topics", rangemode="tozero", tickformat=",d")
    return _quiet(figure, height=260, legend=False)


def _bars(topics: Sequence[str], order: Ints, values: Floats) -> go.Figure:
    names = [html.escape(topics[place], quote=False) for place in order.tolist()]
    figure = go.Figure([
        go.Bar(x=names, customdata=values, name=name, hovertemplate="%{x}: %{y:+.3f}<extra></extra>") for name in _NAMES
    ])
    figure.update_layout(barmode="overlay", bargap=0.25)
    figure.update_xaxes(
        type="category", categoryorder="array", categoryarray=names, tickmode="array", tickvals=names,
        ticktext=[label(topics[place], longest=14) for place in order.tolist()],
        tickangle=-45 if len(names) > 12 else 0, title_text="Topics, from the largest loss to the largest gain",
    )
    return figure


def _area(topics: Sequence[str], order: Ints, values: Floats) -> go.Figure:
    places = sampled(len(values))
    names = [label(topics[place]) for place in order[places].tolist()]
    figure = go.Figure([
        go.Scatter(
            x=places + 1, customdata=values[places], name=name, text=names, mode="lines", line_width=1, fill="tozeroy",
            hovertemplate="%{text}: %{y:+.3f} (%{x:,} of " + f"{len(values):,})<extra></extra>",
        )
        for name in _NAMES
    ])
    figure.update_xaxes(title_text="Topics, from the largest loss to the largest gain", tickformat=",d", range=[1, len(values)])
    return figure


_NAMES = ("B better", "A better", "within the tie band")


def _sides(values: Floats, tie_band: float, gain_is: int) -> tuple[Bools, Bools, Bools]:
    better = values * gain_is
    gain, harm = better > tie_band, better < -tie_band
    return gain, harm, ~(gain | harm)


def _intervals(rows: Sequence[tuple[int, Spread]], *, name: str) -> go.Scatter:
    ends = [(row.mean if row.low is None else row.low, row.mean if row.high is None else row.high) for _, row in rows]
    means = [row.mean for _, row in rows]
    return go.Scatter(
        x=means, y=[place for place, _ in rows], name=name, mode="markers",
        marker={"size": 10, "symbol": ["diamond" if place == 0 else "circle" for place, _ in rows]},
        error_x={
            "type": "data", "symmetric": False, "thickness": 2, "width": 5,
            "array": [high - mean for (_, high), mean in zip(ends, means, strict=True)],
            "arrayminus": [mean - low for (low, _), mean in zip(ends, means, strict=True)],
        },
        text=[label(row.label) for _, row in rows],
        customdata=[[low, high, row.n] for (low, high), (_, row) in zip(ends, rows, strict=True)],
        hovertemplate="%{text}: %{x:+.3f} (%{customdata[0]:+.3f} to %{customdata[1]:+.3f}), n = %{customdata[2]:,}<extra></extra>",
    )


def _quiet(figure: go.Figure, *, height: int, legend: bool = True) -> go.Figure:
    """The look all figures share; a finger scrolls the page, not the plot."""
    figure.update_layout(
        height=height, margin={"l": 4, "r": 12, "t": 28 if legend else 8, "b": 4}, dragmode=False, hovermode="closest",
        showlegend=legend, legend={"orientation": "h", "y": 1.02, "x": 0, "yanchor": "bottom", "itemclick": False, "itemdoubleclick": False},
        separators=".,",
    )  # fmt: skip
    figure.update_xaxes(automargin=True, fixedrange=True)
    figure.update_yaxes(automargin=True, fixedrange=True)
    return figure
