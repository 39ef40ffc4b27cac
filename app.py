"""Overview: did it get better?"""

import streamlit as st

from comparekit.comparison import Comparison, Result
from comparekit.ui import address, frame, shell, summary, tables
from comparekit.ui.controls import filters
from comparekit.ui.drawing import deltas_chart, forest_chart
from comparekit.ui.text import show, tag
from comparekit.ui.topic_table import tails_table


def draw_answer(comparison: Comparison, result: Result) -> None:
    """The sentence, and what it rests on."""
    show(
        summary.headline(comparison, result),
        summary.outcome_bar(result.paired),
        summary.figures(comparison, result),
        summary.left_out(result.paired),
    )


def draw_charts(comparison: Comparison, result: Result) -> None:
    """Every topic's change beside every stratum's."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        show(tag("h2", "Every topic, sorted by change"))
        deltas_chart(comparison, result)
    with right:
        show(tag("h2", "By stratum"))
        forest_chart(comparison, result)


def draw_topics(comparison: Comparison, result: Result) -> None:
    """The ends of the distribution; a row opens its topic."""
    show(tag("h2", "Topics that changed most"))
    tails_table(comparison, result, params=address.carried(st.query_params))


with shell.begin("Overview") as loaded:
    found = loaded.comparison
    show(frame.comparability(found.comparability))
    view = filters(found)
    result = found.result(view.measure, view.selection)
    draw_answer(found, result)
    draw_charts(found, result)
    draw_topics(found, result)
    strata = found.strata(view.measure)
    if strata.rows:
        show(tag("h2", "Strata"), tables.contradictions(strata), tables.strata(strata))
    show(tag("h2", "Measures"), tables.measures(found, view.selection))
