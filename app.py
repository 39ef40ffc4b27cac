"""Overview: did it get better?"""

import streamlit as st

from comparekit.comparison import Comparison
from comparekit.results import Result
from comparekit.ui import address, forest, frame, shell, summary
from comparekit.ui.controls import filters
from comparekit.ui.drawing import deltas_chart
from comparekit.ui.judgments_experts import experts_panel
from comparekit.ui.loading import measured
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


def draw_topics(comparison: Comparison, result: Result) -> None:
    """Every topic's change, and the ends of the distribution; a row opens its topic."""
    show(tag("h2", "Every topic, sorted by change"))
    deltas_chart(comparison, result)
    tails_table(comparison, result, params=address.carried(st.query_params))


with shell.begin("Overview") as loaded:
    found = loaded.comparison
    show(frame.comparability(found.comparability))
    view = filters(found)
    result = measured(found, view, everything=True)
    draw_answer(found, result)
    draw_topics(found, result)
    show(
        tag("h2", "By stratum, over all topics"),
        forest.contradictions(found.strata(view.measure)),
        forest.strata(found, view.measure),
    )
    show(tag("h2", "Every declared measure"), forest.measures(found, view.selection))
    experts_panel(found)
