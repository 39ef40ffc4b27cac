"""One measure by stratum."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparekit.errors import InputError
from comparekit.figures import Figure
from comparekit.inference import infer
from comparekit.measures.registry import NOTHING_RELEVANT, Values
from comparekit.paired import Paired, pair
from comparekit.significance import holm
from comparekit.strata import StrataTable, strata_table


def of_deltas(deltas: Sequence[float | None]) -> Paired:
    known = np.array([np.nan if delta is None else delta for delta in deltas], np.float64)
    reason = np.where(np.isnan(known), NOTHING_RELEVANT, 0).astype(np.int8)
    state = np.zeros(len(known), np.int8)
    return pair(
        Values(np.where(np.isnan(known), np.nan, 0.0), reason), Values(known, reason), state_a=state, state_b=state
    )


def table(deltas: Sequence[float | None], **labels: Sequence[str | None]) -> StrataTable:
    return strata_table(of_deltas(deltas), labels, seed=1, resamples=400, flips=400)


def test_topics_without_a_stratum_are_a_stratum_of_their_own() -> None:
    # Case R46, by hand: t03 has an empty label, t06 is not listed, "NA" is a real label.
    found = table([0.2, 0.0, -0.2, 0.2, 0.0, 0.2], kind=["head", "head", None, "tail", "NA", None])
    assert [("NA", 1), ("head", 2), ("tail", 1), ("(none)", 2)] == [(row.label, row.n) for row in found.rows]
    assert [0.0, 0.1, 0.2, 0.0] == pytest.approx([row.mean.value for row in found.rows])
    assert 0.4 / 6 == pytest.approx(found.total.value)
    assert [None] * 4 == [row.p.value for row in found.rows]


def test_the_label_none_is_another_stratum_than_no_label() -> None:
    found = table([0.1, 0.2], kind=["(none)", None])
    assert [("(none)", "(none)"), (None, "(none)")] == [(row.value, row.label) for row in found.rows]


def test_a_stratum_of_one_topic_has_neither_interval_nor_p() -> None:
    row = table([0.3], kind=["tail"]).rows[0]  # case R41
    assert (None, "n/a (1 topic)") == (row.interval.low, row.p.text())
    assert "n/a (1 topic)" == row.adjusted.text()


def test_a_stratum_under_six_topics_has_an_interval_and_no_p() -> None:
    row = table([0.1, 0.2, 0.3, 0.4, 0.5], kind=["x"] * 5).rows[0]
    assert row.interval.low is not None
    assert Figure(None, "fewer than 6 topics") == row.p


def test_a_stratum_of_six_topics_has_a_p() -> None:
    row = table([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], kind=["x"] * 6).rows[0]
    assert Figure(2 / 2**6) == row.p


def test_a_stratum_has_the_figures_of_its_topics_alone() -> None:
    deltas = np.random.default_rng(2).normal(0.1, 0.3, 60)
    kinds = ["even", "odd"] * 30
    row = table(deltas.tolist(), kind=kinds).rows[0]
    alone = infer(deltas[::2], seed=1, resamples=400, flips=400)
    assert (alone.interval, alone.randomization.p) == (row.interval, row.p)


def test_what_is_not_comparable_is_counted_in_its_stratum() -> None:
    row = table([0.1, None, -0.1, 0.0], kind=["x"] * 4).rows[0]
    assert (4, 3, 1, 1, 1, 1) == (row.topics, row.n, row.wins, row.ties, row.losses, row.not_comparable)


def test_a_stratum_without_a_comparable_topic_stays_in_the_table() -> None:
    found = table([0.1, None], kind=["x", "y"]).rows[1]
    assert (0, "n/a (no comparable topic)", "n/a (no comparable topic)") == (found.n, found.mean.text(), found.p.text())


def test_all_strata_of_the_measure_are_corrected_together() -> None:
    deltas = np.random.default_rng(4).normal(0.2, 0.3, 24).tolist()
    found = table(deltas, kind=["a", "b"] * 12, length=["c"] * 12 + ["d"] * 9 + [None] * 3)
    ps = [row.p.value for row in found.rows]
    assert (4, [False, False, False, False, True]) == (found.family, [p is None for p in ps])
    assert list(holm(ps).adjusted) == [row.adjusted.value for row in found.rows]


def test_a_stratum_wholly_on_the_other_side_contradicts_the_total() -> None:
    harm = [-0.3, -0.2, -0.25, -0.35, -0.3, -0.2]
    found = table([0.5] * 20 + harm, kind=["head"] * 20 + ["tail"] * 6)
    assert ["tail"] == [row.value for row in found.contradictions]


def test_five_topics_are_too_few_to_contradict() -> None:
    assert () == table([0.5] * 20 + [-0.3] * 5, kind=["head"] * 20 + ["tail"] * 5).contradictions


def test_a_stratum_whose_interval_holds_zero_does_not_contradict() -> None:
    deltas = [0.5] * 20 + [-0.3, 0.25, -0.2, 0.2, -0.3, 0.25]
    assert () == table(deltas, kind=["head"] * 20 + ["tail"] * 6).contradictions


def test_nothing_contradicts_a_total_of_zero() -> None:
    assert () == table([0.3] * 6 + [-0.3] * 6, kind=["head"] * 6 + ["tail"] * 6).contradictions


def test_labels_of_another_length_are_refused() -> None:
    with pytest.raises(InputError, match="stratum kind has not one label a topic: expected 2, got 1"):
        table([0.1, 0.2], kind=["x"])


@given(st.lists(st.tuples(st.integers(-9, 9), st.sampled_from(["x", "y", None])), min_size=1, max_size=30))
@settings(max_examples=40)
def test_the_strata_of_one_name_add_up_to_all_topics(rows: list[tuple[int, str | None]]) -> None:
    paired = of_deltas([delta / 10 for delta, _ in rows])
    found: Any = strata_table(paired, {"kind": [label for _, label in rows]}, seed=1, resamples=50, flips=50)
    assert len(rows) == sum(row.topics for row in found.rows)
    assert (paired.wins, paired.losses) == (sum(row.wins for row in found.rows), sum(row.losses for row in found.rows))


@given(st.lists(st.integers(-9, 9), min_size=6, max_size=20))
@settings(max_examples=30)
def test_a_swap_mirrors_the_strata(tenths: list[int]) -> None:
    labels = {"kind": ["x" if place % 3 else None for place in range(len(tenths))]}
    plain, swapped = (
        strata_table(of_deltas([sign * delta / 10 for delta in tenths]), labels, seed=1, resamples=100, flips=100)
        for sign in (1, -1)
    )
    for row, mirrored in zip(plain.rows, swapped.rows, strict=True):
        assert (row.wins, row.losses, row.p) == (mirrored.losses, mirrored.wins, mirrored.p)
        assert row.interval.low is None or row.interval.low == -(mirrored.interval.high or 0.0)
        assert row.contradicts == mirrored.contradicts
