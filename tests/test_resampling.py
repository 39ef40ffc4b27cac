"""Bootstrap and sign flips: the same for every order of topics, mirrored by a swap."""

import itertools
import warnings
from collections.abc import Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from comparekit.resampling import Sample, bca_interval, bootstrap_means, exact_flips, mean_of, random_flips

deltas = st.lists(st.integers(-50, 50).map(lambda value: value / 50), min_size=2, max_size=25)


def interval(values: Sequence[float], *, seed: int = 1, resamples: int = 300) -> tuple[float, float]:
    return bca_interval(Sample.of(np.array(values)), seed=seed, resamples=resamples)


@given(deltas)
@settings(max_examples=60)
def test_a_swap_mirrors_the_interval_exactly(values: list[float]) -> None:
    low, high = interval(values)
    assert (-high, -low) == interval([-value for value in values])


@given(deltas, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_no_order_of_topics_changes_the_interval(values: list[float], random: Any) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)
    assert interval(values) == interval(shuffled)


@given(deltas, st.integers(1, 5).map(float))
@settings(max_examples=40)
def test_shifting_every_delta_shifts_the_interval(values: list[float], shift: float) -> None:
    # A shift keeps the order, so the draws are the same, unless it also turns the canonical sign.
    plain, moved = (Sample.of(np.array(values) + by) for by in (0.0, shift))
    if plain.symmetric or plain.sign != moved.sign:
        return
    expected = tuple(end + shift for end in bca_interval(plain, seed=1, resamples=300))
    assert expected == pytest.approx(bca_interval(moved, seed=1, resamples=300), abs=1e-9)


def test_equal_deltas_have_an_interval_without_width() -> None:
    # Case R41: scipy's BCa gives NaN bounds here.
    assert (0.3, 0.3) == interval([0.3] * 6)


def test_only_zeros_have_the_interval_zero_to_zero() -> None:
    assert (0.0, 0.0) == interval([0.0, -0.0, 0.0])


def test_the_interval_agrees_with_scipy_up_to_the_draws() -> None:
    # scipy 1.17.1, stats.bootstrap(method="BCa"), another generator: ends differ by Monte-Carlo error only.
    values = np.random.default_rng(11).gamma(0.7, 1.0, 60) - 0.5
    referee = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(4))
    found = interval(values.tolist(), resamples=20_000)
    assert tuple(referee.confidence_interval) == pytest.approx(found, abs=0.02)


def test_from_the_same_draws_scipy_computes_the_same_interval() -> None:
    # scipy 1.17.1 takes a bootstrap distribution as given when it is asked for no resamples of its own.
    values = Sample.of(np.random.default_rng(12).exponential(0.3, 25) - 0.2).values
    drawn = SimpleNamespace(bootstrap_distribution=bootstrap_means(values, seed=6, resamples=999))
    referee = stats.bootstrap((values,), np.mean, n_resamples=0, method="BCa", bootstrap_result=drawn)
    expected = tuple(referee.confidence_interval)
    assert expected == pytest.approx(bca_interval(Sample(values, 1, False), seed=6, resamples=999), abs=1e-12)


def test_the_interval_of_a_skewed_sample_reaches_further_to_the_long_side() -> None:
    values = np.random.default_rng(2).exponential(1.0, 40)
    low, high = interval(values.tolist(), resamples=5_000)
    assert mean_of(values) - low < high - mean_of(values)


def test_deltas_that_are_their_own_mirror_have_an_interval_around_zero() -> None:
    low, high = interval([sign * tenth / 10 for sign in (1, -1) for tenth in range(9)])
    assert -low == high > 0


def test_the_bootstrap_draws_in_blocks_what_it_would_draw_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.arange(100.0)
    at_once = bootstrap_means(values, seed=7, resamples=50)
    monkeypatch.setattr("comparekit.resampling._BLOCK", 700)
    assert at_once.tolist() == bootstrap_means(values, seed=7, resamples=50).tolist()


def test_the_bootstrap_of_a_mean_centres_on_it() -> None:
    values = np.random.default_rng(3).normal(0.2, 1.0, 400)
    means = bootstrap_means(values, seed=1, resamples=4_000)
    assert values.mean() == pytest.approx(means.mean(), abs=0.01)
    assert values.std() / 20 == pytest.approx(means.std(), rel=0.05)


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=10))
@settings(max_examples=60)
def test_the_exact_p_counts_every_sign_vector(tenths: list[int]) -> None:
    sums = [
        sum(s * t for s, t in zip(signs, tenths, strict=True))
        for signs in itertools.product((1, -1), repeat=len(tenths))
    ]
    expected = Fraction(sum(abs(total) >= abs(sum(tenths)) for total in sums), len(sums))
    assert float(expected) == exact_flips(np.array(tenths) / 10)


def test_sums_equal_on_paper_are_equal_in_the_tail() -> None:
    # golden_metrics.json, tenths_with_exact_ties: 0.0659 when floats are compared as they come.
    values = np.array([1, 2, -1, 3, 1, -2, 1, 4, -1, 2, 1, 1]) / 10
    assert 0.0966796875 == exact_flips(values)


def test_the_monte_carlo_p_comes_near_the_exact_one() -> None:
    values = np.random.default_rng(8).normal(0.2, 0.5, 20)
    exact = exact_flips(values)
    error = 4 * np.sqrt(exact * (1 - exact) / 100_000)
    assert exact == pytest.approx(random_flips(values, seed=1, flips=100_000), abs=error)


def test_a_monte_carlo_p_is_never_zero() -> None:
    # Case R40: with m random flips at least 1 / (m + 1).
    assert 1 / 1001 == random_flips(np.full(200, 0.3), seed=1, flips=1000)


def test_equal_seeds_give_equal_ps_and_other_seeds_others() -> None:
    values = np.random.default_rng(8).normal(0.05, 0.5, 60)
    first, again, other = (random_flips(values, seed=seed, flips=9_000) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_flips_agree_with_scipy() -> None:
    # scipy 1.17.1, stats.permutation_test(permutation_type="samples"), which enumerates up to n_resamples.
    values = np.random.default_rng(5).normal(0.1, 0.5, 11)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        referee = stats.permutation_test((values,), np.mean, permutation_type="samples", n_resamples=2**12)
    assert referee.pvalue == pytest.approx(exact_flips(values), abs=1e-12)


def test_a_mean_shows_neither_order_nor_sign_in_its_last_bit() -> None:
    values = np.random.default_rng(1).normal(0, 1, 1001)
    assert mean_of(values) == mean_of(values[::-1]) == -mean_of(-values)


@given(deltas)
def test_a_sample_and_its_negation_share_their_values(values: list[float]) -> None:
    plain, turned = Sample.of(np.array(values)), Sample.of(-np.array(values))
    assert plain.values.tolist() == turned.values.tolist()
    assert plain.symmetric or plain.sign == -turned.sign
