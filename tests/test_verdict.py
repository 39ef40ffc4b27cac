"""One sentence on the target."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparekit.errors import DeclarationError
from comparekit.figures import Figure
from comparekit.inference import Inference, Interval, infer
from comparekit.verdict import MIRRORED, Verdict, classify


def inferred(low: float, high: float, *, n: int = 48) -> Inference:
    """An inference with a given interval, its mean in the middle."""
    some = infer(np.linspace(-0.4, 0.5, n), seed=1, resamples=50, flips=50)
    return replace(some, mean=Figure((low + high) / 2), interval=Interval(low, high, 1, 50))


def of(deltas: Sequence[float], **options: Any) -> Verdict:
    inference = infer(np.array(deltas, np.float64), seed=1, resamples=300, flips=300)
    return classify(inference, **{"smallest_effect": 0.01, "measure": "nDCG@10", **options})


@pytest.mark.parametrize(
    ("low", "high", "kind"),
    [  # s = 0.01; DESIGN 7, rule by rule, with every edge
        (0.010, 0.050, "better"),
        (0.012, 0.049, "better"),
        (0.009, 0.050, "perhaps better"),
        (0.001, 0.010, "perhaps better"),
        (0.001, 0.0099, "no difference"),
        (-0.0099, 0.0099, "no difference"),
        (-0.0099, -0.001, "no difference"),
        (-0.010, 0.0099, "undecided"),
        (-0.0099, 0.010, "undecided"),
        (0.000, 0.050, "undecided"),
        (-0.050, 0.000, "undecided"),
        (-0.050, 0.050, "undecided"),
        (-0.050, -0.009, "perhaps worse"),
        (-0.050, -0.010, "worse"),
    ],
)
def test_the_interval_decides(low: float, high: float, kind: str) -> None:
    assert kind == classify(inferred(low, high), smallest_effect=0.01, measure="AP").kind


def test_a_precise_difference_below_what_matters_is_no_difference_that_matters() -> None:
    verdict = classify(inferred(0.002, 0.004), smallest_effect=0.01, measure="AP")
    assert verdict.sentence.startswith("No difference that matters between A and B on AP: +0.003")


def test_five_topics_decide_nothing_however_clear() -> None:
    verdict = of([0.3] * 5)
    assert ("undecided", None) == (verdict.kind, verdict.needed_topics)
    assert verdict.sentence.endswith("At least 6 comparable topics are needed.")


def test_six_equal_topics_decide() -> None:
    assert "better" == of([0.3] * 6).kind


def test_two_identical_runs_make_no_difference() -> None:
    assert (
        "No difference that matters between A and B on nDCG@10: 0.000 (95 % interval 0.000 to 0.000, 6 topics); "
        "the smallest difference that matters is 0.010."
    ) == of([0.0] * 6).sentence


def test_the_sentence_names_measure_delta_interval_and_topics() -> None:
    verdict = classify(inferred(0.012, 0.050), smallest_effect=0.01, measure="nDCG@10", a="BM25", b="dense")
    assert (
        "dense is better on nDCG@10: +0.031 (95 % interval +0.012 to +0.050, 48 topics); "
        "the smallest difference that matters is 0.010."
    ) == verdict.sentence


def test_a_negative_figure_bears_a_minus_sign() -> None:
    verdict = classify(inferred(-0.050, -0.012), smallest_effect=0.01, measure="AP")
    assert "B is worse on AP: \u22120.031 (95 % interval \u22120.050 to \u22120.012" in verdict.sentence


def test_a_small_effect_is_printed_with_its_decimals() -> None:
    verdict = classify(inferred(0.0002, 0.0009), smallest_effect=0.0005, measure="AP")
    assert "+0.0002 to +0.0009" in verdict.sentence
    assert verdict.sentence.endswith("matters is 0.0005.")


def test_undecided_says_how_many_topics_would_narrow_the_interval() -> None:
    # By hand: a half-width of 0.05 is five times 0.01, so 25 times 48 topics.
    verdict = classify(inferred(-0.05, 0.05), smallest_effect=0.01, measure="AP")
    assert 25 * 48 == verdict.needed_topics
    assert verdict.sentence.endswith("With about 1,200 topics the interval would be 0.01 to either side.")


def test_an_interval_that_is_already_narrow_asks_for_no_number_of_topics() -> None:
    verdict = classify(inferred(-0.001, 0.015), smallest_effect=0.01, measure="AP")
    assert ("undecided", None) == (verdict.kind, verdict.needed_topics)
    assert verdict.sentence.endswith("zero is inside it.")


def test_nothing_comparable_is_undecided_and_says_so() -> None:
    verdict = of([])
    assert "undecided" == verdict.kind
    assert "no topic can be compared" in verdict.sentence


def test_one_topic_is_undecided_without_an_interval() -> None:
    assert "+0.300 (1 topic, no interval)" in of([0.3]).sentence


def test_where_lower_is_better_a_negative_interval_is_better() -> None:
    verdict = classify(inferred(-0.05, -0.02), smallest_effect=0.01, measure="HN@10", better="lower")
    assert "better" == verdict.kind
    assert "B is better on HN@10: \u22120.035" in verdict.sentence


def test_a_measure_without_a_direction_reads_as_higher_is_better() -> None:
    assert "better" == classify(inferred(0.02, 0.05), smallest_effect=0.01, measure="Judged@10", better=None).kind


def test_missing_topics_make_it_provisional_and_show_both_figures() -> None:
    verdict = classify(inferred(0.02, 0.05), smallest_effect=0.01, measure="AP", as_empty=inferred(-0.05, -0.02, n=50))
    assert verdict.provisional
    assert verdict.as_empty is not None
    assert ("better", "worse") == (verdict.kind, verdict.as_empty.kind)
    assert "With those as empty answers: B is worse on AP" in verdict.sentence


def test_without_missing_topics_nothing_is_provisional() -> None:
    assert not of([0.3] * 6).provisional


@pytest.mark.parametrize("effect", [0.0, -0.01, math.nan, math.inf])
def test_a_smallest_effect_that_is_not_above_zero_is_refused(effect: float) -> None:
    with pytest.raises(DeclarationError, match="smallest effect that matters is a number above 0"):
        of([0.1] * 6, smallest_effect=effect)


@given(
    st.lists(st.integers(-20, 20).map(lambda tenth: tenth / 100), max_size=30),
    st.sampled_from([0.001, 0.01, 0.05]),
    st.sampled_from(["higher", "lower"]),
)
@settings(max_examples=80)
def test_swapping_a_and_b_mirrors_the_verdict(deltas: list[float], effect: float, better: str) -> None:
    plain = of(deltas, smallest_effect=effect, better=better)
    swapped = of([-delta for delta in deltas], smallest_effect=effect, better=better, a="B", b="A")
    assert (MIRRORED[plain.kind], plain.needed_topics) == (swapped.kind, swapped.needed_topics)


@given(st.integers(-40, 40), st.integers(0, 40), st.integers(0, 40))
def test_a_higher_interval_is_never_a_worse_verdict(low: int, width: int, rise: int) -> None:
    order = ["worse", "perhaps worse", "undecided", "no difference", "perhaps better", "better"]
    ranks = [
        order.index(classify(inferred(at / 1000, (at + width) / 1000), smallest_effect=0.01, measure="AP").kind)
        for at in (low, low + rise)
    ]
    middle = {2, 3}
    assert ranks[0] <= ranks[1] or set(ranks) == middle
