"""Figures as pure functions: what is drawn, in which order, under which label."""

import html

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit import charts

# The ids of case R58: numbers, versions, a date, and one with leading zeros.
NUMBER_LIKE = ("1238", "123456", "12.1", "12.1.1", "1e3", "2020-01-01", "a12", "007")


def drawn(figure: go.Figure) -> list[float]:
    """The deltas of a figure in the order of its axis, whichever trace they are in."""
    stacked = np.array([trace.y for trace in figure.data], dtype=np.float64)
    values: list[float] = np.nansum(stacked, axis=0).tolist()
    return values


def test_ids_that_look_like_numbers_or_dates_are_categories_letter_for_letter() -> None:
    figure = charts.sorted_deltas(NUMBER_LIKE, np.full(8, 0.1), measure="P@10")
    assert "category" == figure.layout.xaxis.type
    assert NUMBER_LIKE == figure.layout.xaxis.categoryarray
    assert all(NUMBER_LIKE == tuple(trace.x) for trace in figure.data)
    assert all(NUMBER_LIKE == tuple(trace.hovertext) for trace in figure.data)
    assert [0.1] * 8 == drawn(figure)


def test_topics_stand_from_the_largest_loss_to_the_largest_gain() -> None:
    figure = charts.sorted_deltas(("a", "b", "c"), np.array([0.3, -0.5, 0.0]), measure="AP")
    assert ("b", "c", "a") == figure.layout.xaxis.categoryarray
    assert [-0.5, 0.0, 0.3] == drawn(figure)


def test_where_lower_is_better_the_largest_loss_is_the_largest_rise() -> None:
    figure = charts.sorted_deltas(("a", "b"), np.array([0.3, -0.5]), measure="M", gain_is=-1)
    assert ("a", "b") == figure.layout.xaxis.categoryarray
    gain, harm, _ = (np.array(trace.y, dtype=np.float64) for trace in figure.data)
    assert [-0.5] == gain[~np.isnan(gain)].tolist()
    assert [0.3] == harm[~np.isnan(harm)].tolist()


def test_deltas_inside_the_tie_band_are_neither_gain_nor_harm() -> None:
    figure = charts.sorted_deltas(("a", "b", "c"), np.array([0.01, -0.01, 0.2]), measure="AP", tie_band=0.01)
    counts = [int(np.count_nonzero(~np.isnan(np.array(trace.y, dtype=np.float64)))) for trace in figure.data]
    assert [1, 0, 2] == counts
    assert 1 == len(figure.layout.shapes)


def test_markup_in_an_id_is_text() -> None:
    evil = '<a href="javascript:x">t</a>'
    figure = charts.sorted_deltas((evil, "b"), np.array([0.1, 0.2]), measure="AP")
    assert html.escape(evil, quote=False) in figure.layout.xaxis.categoryarray
    assert "<a" not in figure.to_json()


@pytest.mark.parametrize("topics", [61, 1_200, 7_000])
def test_many_topics_are_an_area_of_at_most_1200_points_with_both_ends(topics: int) -> None:
    deltas = np.random.default_rng(1).normal(size=topics)
    figure = charts.sorted_deltas([f"q{i}" for i in range(topics)], deltas, measure="AP")
    values = drawn(figure)
    assert len(values) <= charts.MOST_POINTS
    assert (deltas.min(), deltas.max()) == (values[0], values[-1])
    assert 3 == len(figure.data)


def test_no_trace_sets_a_colour_so_that_the_theme_does() -> None:
    deltas = np.random.default_rng(1).normal(size=500)
    figure = charts.sorted_deltas([f"q{i}" for i in range(500)], deltas, measure="AP")
    assert not any("color" in str(trace.to_plotly_json()) for trace in figure.data)


@given(st.integers(min_value=0, max_value=20_000))
def test_sampled_positions_rise_and_hold_both_ends(n: int) -> None:
    places = charts.sampled(n)
    assert len(places) == min(n, charts.MOST_POINTS) or len(places) < charts.MOST_POINTS
    assert (np.diff(places) > 0).all()
    assert n == 0 or (0, n - 1) == (places[0], places[-1])


def test_overlap_is_counted_in_equal_bins_and_what_is_undefined_apart() -> None:
    rbo = np.array([0.0, 0.049, 0.5, 1.0, np.nan, 0.7])
    changed = np.array([True, True, True, True, True, False])
    edges, counts, undefined = charts.binned(rbo, changed=changed)
    assert charts.BINS + 1 == len(edges)
    assert {0: 2, 10: 1, 19: 1} == {place: amount for place, amount in enumerate(counts.tolist()) if amount}
    assert 1 == undefined


def test_a_bar_of_overlaps_is_as_high_as_its_count() -> None:
    edges, counts, _ = charts.binned(np.array([0.1, 0.12, 0.9]), changed=np.ones(3, dtype=np.bool_))
    assert counts.tolist() == list(charts.overlap_distribution(edges, counts).data[0].y)


def test_a_long_label_ends_in_an_ellipsis_and_is_escaped_after_it_was_cut() -> None:
    assert "&lt;" * 27 + "…" == charts.label("<" * 40)


def test_a_long_id_keeps_both_its_ends_on_an_axis() -> None:
    assert "clueweb22-…-00-00001" == charts.shortened("clueweb22-en0000-00-00001")
    assert "9007199254740993" == charts.shortened("9007199254740993")
