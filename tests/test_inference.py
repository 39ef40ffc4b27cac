"""Intervals, effect sizes and tests together."""

import dataclasses
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from comparekit.columns import Floats
from comparekit.errors import InputError
from comparekit.figures import NO_DIFFERENCE, Figure
from comparekit.inference import Inference, Interval, infer, interval_of

deltas = st.lists(st.integers(-20, 20).map(lambda value: value / 20), max_size=30)


def of(values: list[float], **options: Any) -> Inference:
    return infer(np.array(values, np.float64), **{"seed": 1, "resamples": 200, "flips": 300, **options})


def numbers(figures: object) -> Iterator[float]:
    if dataclasses.is_dataclass(figures):
        for field in dataclasses.fields(figures):
            yield from numbers(getattr(figures, field.name))
    elif isinstance(figures, float):
        yield figures


@given(deltas)
@settings(max_examples=60)
def test_nothing_is_ever_nan(values: list[float]) -> None:
    assert not [number for number in numbers(of(values)) if math.isnan(number)]


@given(deltas)
@settings(max_examples=60)
def test_a_swap_mirrors_every_figure_exactly(values: list[float]) -> None:
    plain, swapped = of(values), of([-value for value in values])
    for name in ("mean", "median", "trimmed_mean", "effect_size"):
        one, other = getattr(plain, name), getattr(swapped, name)
        assert one.reason == other.reason
        assert one.value is None or one.value == -other.value
    assert (plain.positive, plain.negative, plain.zero) == (swapped.negative, swapped.positive, swapped.zero)
    assert plain.sd == swapped.sd
    if plain.interval.low is not None and swapped.interval.high is not None:
        assert plain.interval.low == -swapped.interval.high
    if plain.superiority.value is not None and swapped.superiority.value is not None:
        assert 1.0 - plain.superiority.value == pytest.approx(swapped.superiority.value, abs=1e-15)


@given(deltas, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_no_order_of_topics_changes_anything(values: list[float], random: Any) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)
    assert of(values) == of(shuffled)


def test_one_topic_has_a_mean_and_no_interval() -> None:
    found = of([0.3])  # case R41
    assert Figure(0.3) == found.mean
    assert (None, None, "1 topic") == (found.interval.low, found.interval.high, found.interval.reason)
    assert "n/a (1 topic)" == found.randomization.p.text(".4f")


def test_no_topic_has_no_figure() -> None:
    found = of([])
    reasons = {figure.reason for figure in (found.mean, found.median, found.trimmed_mean, found.sd, found.superiority)}
    assert {"no comparable topic"} == reasons


def test_two_identical_runs_differ_by_exactly_nothing() -> None:
    found = of([0.0] * 6)  # case R38
    assert (0.0, 0.0, 0.0) == (found.mean.value, found.interval.low, found.interval.high)
    assert (Figure(1.0), Figure(None, NO_DIFFERENCE)) == (found.randomization.p, found.t.p)
    assert (0, 6, 0) == (found.positive, found.zero, found.negative)


def test_six_equal_differences_have_an_interval_without_width() -> None:
    found = of([0.3] * 6)  # case R41
    assert (0.3, 0.3, 0.03125) == (found.interval.low, found.interval.high, found.randomization.p.value)


def test_last_bit_noise_is_no_difference() -> None:
    found = of([0.1 + 0.2 - 0.3, 0.3 - 0.1 - 0.2, 0.0])
    assert (3, 1.0) == (found.zero, found.randomization.p.value)


def test_a_zero_mean_bears_no_sign() -> None:
    assert "0.000" == of([-0.0, -0.0]).mean.text()


def test_the_trimmed_mean_is_scipys() -> None:
    values = np.random.default_rng(3).normal(0, 1, 47)
    expected = stats.trim_mean(np.round(values, 12), 0.1)  # scipy 1.17.1
    assert expected == pytest.approx(of(values.tolist()).trimmed_mean.value, abs=1e-12)


def test_the_effect_size_is_the_mean_in_standard_deviations() -> None:
    # By hand: mean 0.2, deviations -0.1, 0, 0.1, standard deviation 0.1.
    assert 2.0 == pytest.approx(of([0.1, 0.2, 0.3]).effect_size.value)


def test_superiority_counts_ties_half() -> None:
    assert (2 + 1 / 2) / 4 == of([0.1, 0.2, 0.0, -0.3]).superiority.value


def test_the_median_of_an_even_number_lies_between_the_middle_two() -> None:
    assert 0.25 == pytest.approx(of([0.9, 0.1, 0.2, 0.3]).median.value)


def test_equal_seeds_give_equal_figures() -> None:
    values = np.random.default_rng(3).normal(0, 1, 60).tolist()
    assert of(values) == of(values)
    assert of(values).interval != of(values, seed=2).interval


def test_the_seed_and_the_draws_are_recorded() -> None:
    found = of(np.random.default_rng(3).normal(0, 1, 60).tolist(), seed=9)
    assert (9, 200, 9, 300) == (
        found.interval.seed,
        found.interval.resamples,
        found.randomization.seed,
        found.randomization.resamples,
    )


def test_the_headline_test_comes_first() -> None:
    assert ["randomization", "t", "Wilcoxon", "sign"] == [test.name for test in of([0.1, 0.2]).tests]


def test_a_delta_that_is_not_finite_is_refused() -> None:
    with pytest.raises(InputError, match="not a finite number"):
        of([0.1, math.nan])


@pytest.mark.parametrize("option", ["resamples", "flips"])
def test_no_resamples_are_refused(option: str) -> None:
    with pytest.raises(InputError, match="number of resamples"):
        of([0.1, 0.2], **{option: 0})


@pytest.mark.parametrize(("low", "high", "side"), [(0.1, 0.2, 1), (-0.2, -0.1, -1), (-0.1, 0.2, 0), (0.0, 0.2, 0)])
def test_an_interval_has_a_side_only_without_zero(low: float, high: float, side: int) -> None:
    assert side == Interval(low, high, 1, 100).side()


def test_an_undefined_interval_has_neither_side_nor_width() -> None:
    undefined = interval_of(np.array([0.1]), seed=1)
    assert (0, None) == (undefined.side(), undefined.half_width)


def test_more_topics_of_the_same_kind_narrow_the_interval() -> None:
    values = np.random.default_rng(1).normal(0, 1, 30)
    widths = [interval_of(np.tile(values, times), seed=1).half_width or 0.0 for times in (1, 4, 16)]
    assert widths[0] > widths[1] > widths[2]
    assert widths[0] / 4 == pytest.approx(widths[2], rel=0.1)


def per_topic(run: Path) -> Mapping[str, Mapping[str, float]]:
    content: Mapping[str, Any] = json.loads(run.read_text())
    found: Mapping[str, Mapping[str, float]] = content["per_query"]
    return found


def real_pairs(shared_data: Path) -> Iterator[tuple[Mapping[str, Any], Floats]]:
    """Each entry of data/*/expected/pairs.json with its deltas, B - A, over every topic of the judgments."""
    for file in sorted(shared_data.glob("*/expected/pairs.json")):
        runs: dict[str, Mapping[str, Mapping[str, float]]] = {}
        for entry in json.loads(file.read_text())["pairs"]:
            a, b = (runs.setdefault(entry[s], per_topic(file.parent / f"{entry[s]}.json")) for s in ("a", "b"))
            values = np.array([[run[topic].get(entry["measure"], 0.0) for run in (a, b)] for topic in sorted(a)])
            yield entry, values[:, 1] - values[:, 0]


def test_every_pair_of_real_runs_agrees_with_scipy(shared_data: Path) -> None:
    # data/*/expected/pairs.json: scipy 1.17.1, ttest_rel and wilcoxon (wilcox, normal approximation, no correction).
    # Missing topics and topics without relevant documents count as 0 there, and a delta is A - B.
    pairs = noisy = 0
    for entry, delta in real_pairs(shared_data):
        found = infer(delta, seed=1, resamples=1, flips=1, wilcoxon="approx")
        assert entry["topics"] == found.n
        assert -entry["t"] == pytest.approx(found.t.statistic.value, abs=1e-9)
        assert entry["t_p"] == pytest.approx(found.t.p.value, abs=1e-9)
        expected = entry["wilcoxon_p"]
        if len(np.unique(np.abs(delta))) > len(np.unique(np.abs(np.round(delta, 12)))):
            # The last bit parts magnitudes that are equal on paper, and scipy ranks them apart: ours are ranked equal.
            expected = stats.wilcoxon(np.round(delta, 12), method="approx").pvalue
            noisy += abs(expected - entry["wilcoxon_p"]) > 1e-9
        assert expected == pytest.approx(found.wilcoxon.p.value, abs=1e-9)
        pairs += 1
    assert (1122, 28) == (pairs, noisy)
