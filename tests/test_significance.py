"""Tests of no difference, and the correction for many of them."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from comparekit.columns import Floats
from comparekit.errors import InputError
from comparekit.figures import NO_DIFFERENCE, NO_SPREAD, ONE_TOPIC
from comparekit.resampling import exact_flips
from comparekit.significance import PairedTest, holm, randomization_test, sign_test, t_test, wilcoxon_test

deltas = st.lists(st.integers(-20, 20).map(lambda value: value / 20), min_size=2, max_size=30)


def golden_cases(shared_golden: Path) -> dict[str, tuple[Floats, Mapping[str, Any]]]:
    cases = json.loads((shared_golden / "golden_metrics.json").read_text())["paired_test_cases"]
    return {case["name"]: (np.array([float(Fraction(d)) for d in case["deltas"]]), case["expected"]) for case in cases}


def every_test(delta: Sequence[float] | Floats) -> list[PairedTest]:
    values = np.array(delta, np.float64)
    return [randomization_test(values, seed=1, flips=500), t_test(values), wilcoxon_test(values), sign_test(values)]


def test_every_golden_p_is_met(shared_golden: Path) -> None:
    # golden_metrics.json, paired_test_cases: rationals and 60-digit functions, each agreed by scipy 1.17.1.
    cases = golden_cases(shared_golden)
    assert 6 == len(cases)
    for name in cases.keys() - {"one_query"}:
        delta, expected = cases[name]
        exact = expected["randomisation two-sided exact p"]["float"]
        assert exact == pytest.approx(randomization_test(delta, seed=1).p.value, abs=1e-12), name
        ranked = expected.get("wilcoxon two-sided exact p (zeros dropped)", {"float": 1.0})["float"]
        assert ranked == pytest.approx(wilcoxon_test(delta).p.value, abs=1e-12), name
        student = t_test(delta)
        assert expected["t-test two-sided p"].get("float") == pytest.approx(student.p.value, abs=1e-12), name
        if "t statistic" in expected:
            assert expected["t statistic"]["float"] == pytest.approx(student.statistic.value, abs=1e-12), name


def test_one_topic_has_no_p_although_its_two_flips_would_give_one(shared_golden: Path) -> None:
    # Case R41 departs from golden_metrics.json, one_query, where the enumeration of both flips gives 1.
    delta, expected = golden_cases(shared_golden)["one_query"]
    assert expected["randomisation two-sided exact p"]["float"] == exact_flips(delta)
    assert [(None, ONE_TOPIC)] * 4 == [(test.p.value, test.p.reason) for test in every_test(delta)]


def test_no_topic_has_no_p() -> None:
    assert [(None, "no comparable topic")] * 4 == [(test.p.value, test.p.reason) for test in every_test([])]


def test_only_zeros_leave_no_difference_to_test() -> None:
    # Case R38: every test says 1 or that there is nothing to test; scipy's t test gives NaN.
    flips, student, ranks, signs = every_test([0.0] * 6)
    assert [1.0, 1.0, 1.0] == [flips.p.value, ranks.p.value, signs.p.value]
    assert (None, NO_DIFFERENCE) == (student.p.value, student.p.reason)


def test_five_wins_by_a_tenth_are_two_flips_of_thirty_two() -> None:
    assert 0.0625 == randomization_test(np.full(5, 0.1), seed=1).p.value  # case R40


def test_twenty_equal_wins_are_two_flips_of_a_million() -> None:
    found = randomization_test(np.full(20, 0.3), seed=1)  # case R40
    assert 2 / 2**20 == found.p.value
    assert ("exact, 1,048,576 sign flips", None) == (found.method, found.seed)


def test_six_equal_wins_have_an_exact_p_but_no_t() -> None:
    # Case R41: scipy's t test gives p = 0 here.
    flips, student, _, _ = every_test([0.3] * 6)
    assert 0.03125 == flips.p.value
    assert (None, NO_SPREAD) == (student.p.value, student.p.reason)


def test_from_twenty_one_nonzero_deltas_flips_are_drawn_and_recorded() -> None:
    found = randomization_test(np.linspace(0.1, 0.4, 21), seed=5, flips=2_000)
    assert ("Monte-Carlo, 2,000 sign flips", 5, 2_000) == (found.method, found.seed, found.resamples)


def test_zeros_do_not_count_towards_the_twenty() -> None:
    assert randomization_test(np.append(np.zeros(30), np.full(20, 0.3)), seed=5).method.startswith("exact")


@given(deltas)
@settings(max_examples=60)
def test_a_swap_keeps_every_p_and_negates_every_statistic(values: list[float]) -> None:
    for plain, swapped in zip(every_test(values), every_test([-value for value in values]), strict=True):
        assert plain.p == swapped.p
        if plain.statistic.value is not None:
            assert plain.statistic.value == -(swapped.statistic.value or 0.0)


@given(deltas, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_no_order_of_topics_changes_a_test(values: list[float], random: Any) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)
    assert every_test(values) == every_test(shuffled)


@given(deltas)
def test_a_p_lies_in_zero_to_one(values: list[float]) -> None:
    assert all(test.p.value is None or 0.0 < test.p.value <= 1.0 for test in every_test(values))


@given(st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=40).filter(lambda values: len(set(values)) > 2))
@settings(max_examples=60)
def test_t_agrees_with_scipy(values: list[float]) -> None:
    rounded = np.round(values, 12)
    referee = stats.ttest_1samp(rounded, 0.0)  # scipy 1.17.1
    found = t_test(rounded)
    assert referee.statistic == pytest.approx(found.statistic.value, rel=1e-9, abs=1e-12)
    assert referee.pvalue == pytest.approx(found.p.value, rel=1e-9)


@given(deltas.filter(any))
@settings(max_examples=60)
def test_the_approximate_wilcoxon_agrees_with_scipy(values: list[float]) -> None:
    referee = stats.wilcoxon(values, zero_method="wilcox", correction=False, method="approx")  # scipy 1.17.1
    assert referee.pvalue == pytest.approx(wilcoxon_test(np.array(values), method="approx").p.value, abs=1e-12)


@given(st.lists(st.integers(1, 10_000), min_size=2, max_size=15, unique=True), st.data())
@settings(max_examples=40)
def test_the_exact_wilcoxon_agrees_with_scipy_where_nothing_ties(magnitudes: list[int], data: st.DataObject) -> None:
    signs = data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(magnitudes), max_size=len(magnitudes)))
    values = np.array(magnitudes) * np.array(signs) / 10_000
    referee = stats.wilcoxon(values, method="exact")  # scipy 1.17.1
    assert referee.pvalue == pytest.approx(wilcoxon_test(values).p.value, abs=1e-12)


def test_wilcoxon_names_its_method_and_its_zero_rule() -> None:
    assert "exact, zeros left out (wilcox)" == wilcoxon_test(np.linspace(0.1, 1, 20)).method
    assert "normal approximation" in wilcoxon_test(np.linspace(0.1, 1, 21)).method


def test_the_exact_wilcoxon_refuses_what_it_cannot_enumerate() -> None:
    with pytest.raises(InputError, match="too many deltas for the exact test: expected at most 20, got 21"):
        wilcoxon_test(np.linspace(0.1, 1, 21), method="exact")


@given(deltas.filter(any))
def test_the_sign_test_agrees_with_scipy(values: list[float]) -> None:
    wins, losses = sum(value > 0 for value in values), sum(value < 0 for value in values)
    referee = stats.binomtest(wins, wins + losses, 0.5)  # scipy 1.17.1
    assert referee.pvalue == pytest.approx(sign_test(np.array(values)).p.value, abs=1e-12)


def test_more_wins_by_the_same_amount_lower_every_p() -> None:
    ps = [[test.p.value or 0.0 for test in every_test([*[0.1] * wins, -0.1, 0.0])] for wins in range(3, 12)]
    assert all(np.all(np.diff(column) < 0) for column in np.array(ps).T)


def test_holm_steps_down() -> None:
    # By hand: 3 * 0.01, then 2 * 0.02 rises to 0.04, then 0.03 may not fall below it.
    assert (0.04, 0.03, 0.04) == pytest.approx(holm([0.02, 0.01, 0.03]).adjusted)


def test_holm_leaves_undefined_ps_out_of_the_family() -> None:
    found = holm([None, 0.03, None, 0.02])
    assert ((None, 0.04, None, 0.04), 2) == (found.adjusted, found.family)


def test_holm_of_nothing_is_nothing() -> None:
    assert ((), 0) == (holm([]).adjusted, holm([]).family)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_keeps_order_and_never_lowers_a_p(ps: list[float]) -> None:
    adjusted = [p for p in holm(ps).adjusted if p is not None]
    assert all(p <= new <= 1.0 for p, new in zip(ps, adjusted, strict=True))
    order = np.argsort(ps)
    assert np.all(np.diff(np.array(adjusted)[order]) >= 0)
