"""Changed: what changed?"""

import streamlit as st

from comparekit.comparison import Comparison
from comparekit.ui import address, changed_lists, shell, tables
from comparekit.ui.address import View
from comparekit.ui.controls import filters
from comparekit.ui.drawing import overlap_chart
from comparekit.ui.text import show, tag


def draw_counts(comparison: Comparison, view: View) -> None:
    """How many lists changed, how much, and by which rule that is said."""
    chosen = comparison.mask(view.selection)
    show(changed_lists.headline(comparison, view.selection))
    left, right = st.columns([2, 3], gap="large")
    with left:
        show(tag("h2", "How many"), tables.changes(comparison.overlap, chosen), changed_lists.rule(comparison))
    with right:
        show(tag("h2", "How similar the changed lists still are"))
        overlap_chart(comparison, comparison.overlap.changed[comparison.depth] & chosen)


def draw_lists(comparison: Comparison, view: View) -> None:
    """Every changed list with its story, page by page, and the unchanged ones folded away."""
    show(tag("h2", "Changed lists"))
    changed_lists.table(comparison, view, params=address.carried(st.query_params))
    show(changed_lists.unchanged(comparison, view.selection))


with shell.begin("Changed") as loaded:
    view = filters(loaded.comparison)
    draw_counts(loaded.comparison, view)
    draw_lists(loaded.comparison, view)
