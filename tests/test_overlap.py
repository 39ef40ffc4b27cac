"""Whether a list changed, and by how much."""

import json
import math
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparekit.columns import Lists
from comparekit.errors import InputError, MeasureError
from comparekit.overlap import Overlap, overlap, parity_with_rbo, rank_biased_overlap, tied_topics

IDS = "abcdefghijklmnop"
rankings = st.lists(st.sampled_from(IDS), max_size=len(IDS), unique=True)


def of_lists(a: Sequence[Sequence[str]], b: Sequence[Sequence[str]], **options: Any) -> Overlap:
    shared = [
        (topic, one.index(doc) + 1, rank)
        for topic, (one, other) in enumerate(zip(a, b, strict=True))
        for rank, doc in enumerate(other, start=1)
        if doc in one
    ]
    topic, rank_a, rank_b = np.array(shared, np.int64).reshape(-1, 3).T
    lengths = {"length_a": np.array([len(one) for one in a]), "length_b": np.array([len(one) for one in b])}
    return overlap(topic, rank_a, rank_b, **{"depth": 1000, **lengths, **options})


def exact_extrapolated(a: Sequence[str], b: Sequence[str], p: Fraction) -> Fraction:
    """Equation 32 as printed, in rational arithmetic, with a loop over depth."""
    short, long = sorted((a, b), key=len)
    s, l_ = len(short), len(long)
    x = [len(set(short[:d]) & set(long[:d])) for d in range(l_ + 1)]
    seen = sum((Fraction(x[d], d) * p**d for d in range(1, l_ + 1)), Fraction(0))
    guessed = sum((Fraction(x[s] * (d - s), s * d) * p**d for d in range(s + 1, l_ + 1)), Fraction(0))
    return (1 - p) / p * (seen + guessed) + (Fraction(x[l_] - x[s], l_) + Fraction(x[s], s)) * p**l_


def golden_cases(shared_golden: Path) -> list[Mapping[str, Any]]:
    cases = json.loads((shared_golden / "golden_metrics.json").read_text())["rbo_cases"]
    return [case for case in cases if case["ties"] is None]


def test_every_untied_golden_value_is_met_to_twelve_decimals(shared_golden: Path) -> None:
    # golden_metrics.json, rbo_cases: exact rationals with a 60-digit logarithm, each agreed by a second route.
    cases = golden_cases(shared_golden)
    for case in cases:
        found = rank_biased_overlap(case["S"], case["T"], p=float(case["p"]))
        expected = case["expected"]
        assert expected["min"]["float"] == pytest.approx(found.low, abs=1e-12), case["name"]
        assert expected["res"]["float"] == pytest.approx(found.residual, abs=1e-12), case["name"]
        if case["name"] != "one_empty":
            assert expected["ext"]["float"] == pytest.approx(found.value, abs=1e-12), case["name"]
    assert 19 == len(cases)


@pytest.mark.parametrize(
    ("a", "b", "expected", "low"),
    [  # case R37: closed form for uneven lists, and 4,000 terms of the series, equal to 1e-12
        ("abcdefghij", "abcdefghij", 1.0, 0.651322),
        ("abcdefghij", "abcdefghji", 0.995217, 0.646539),
        ("NHMA", "CGNA", 0.391500, None),
        ("NHMACFL", "CGNA", 0.490384, None),
        ("abcd", "b", 0.254250, None),
    ],
)
def test_uneven_and_equal_lists_have_the_extrapolated_value(a: str, b: str, expected: float, low: float | None) -> None:
    found = rank_biased_overlap(a, b, p=0.9)
    assert expected == pytest.approx(found.value, abs=5e-7)
    # The case's lower figures are the sum over the depths that were seen, which stays below the lower bound.
    assert low is None or low < (found.low or 0.0)


@given(a=rankings.filter(bool), b=rankings.filter(bool), percent=st.integers(1, 99))
@settings(max_examples=200)
def test_the_closed_form_is_the_printed_equation(a: list[str], b: list[str], percent: int) -> None:
    exact = exact_extrapolated(a, b, Fraction(percent, 100))
    assert float(exact) == pytest.approx(rank_biased_overlap(a, b, p=percent / 100).value, abs=1e-12)


@given(a=st.permutations(range(30)), b=st.permutations(range(30)), p=st.sampled_from([0.5, 0.9, 0.99]))
@settings(max_examples=50)
def test_the_rbo_package_agrees_on_even_lists(a: list[int], b: list[int], p: float) -> None:
    package = pytest.importorskip("rbo")
    one, other = [str(doc) for doc in a], [str(doc) for doc in b]
    witnessed = package.RankingSimilarity(one, other).rbo_ext(p)
    assert witnessed == pytest.approx(rank_biased_overlap(one, other, p=p).value, abs=1e-12)


@given(a=rankings, b=rankings, p=st.floats(0.01, 0.9999))
def test_swapping_the_lists_changes_no_bit(a: list[str], b: list[str], p: float) -> None:
    assert rank_biased_overlap(a, b, p=p) == rank_biased_overlap(b, a, p=p)


@given(a=rankings.filter(bool), p=st.floats(0.001, 0.99999), cut=st.integers(1, 16))
def test_a_list_and_its_own_head_overlap_by_exactly_one(a: list[str], p: float, cut: int) -> None:
    assert 1.0 == rank_biased_overlap(a, a[:cut], p=p).value


@given(a=rankings.filter(bool), b=rankings.filter(bool), p=st.floats(0.001, 0.99999))
def test_the_value_lies_between_its_bounds(a: list[str], b: list[str], p: float) -> None:
    found = of_lists([a], [b], p=p)
    assert 0.0 <= found.low[0] <= found.rbo[0] + 1e-12
    assert found.rbo[0] <= found.high[0] + 1e-12
    assert found.high[0] <= 1.0
    assert found.rbo[0] <= 1.0


def test_two_equal_lists_of_a_hundred_do_not_exceed_one() -> None:
    # rbo 0.1.3 gives 1.0000000000000002 here (case R37).
    docs = [str(doc) for doc in range(100)]
    assert 1.0 == rank_biased_overlap(docs, docs).value


def test_disjoint_lists_overlap_by_nothing() -> None:
    found = rank_biased_overlap("abc", "xyz")
    assert (0.0, 0.0) == (found.value, found.low)


def test_two_empty_lists_have_no_overlap_and_the_reason_says_so() -> None:
    found = rank_biased_overlap([], [])
    assert (None, "both lists are empty") == (found.value, found.reason)


def test_an_empty_list_overlaps_by_nothing_and_leaves_everything_open() -> None:
    found = rank_biased_overlap([], ["a"])
    assert (0.0, 0.0, 1.0) == (found.value, found.low, found.residual)


@pytest.mark.parametrize("p", [0.0, 1.0, 1.5, -0.1, math.nan])
def test_a_persistence_outside_zero_and_one_is_refused(p: float) -> None:
    with pytest.raises(MeasureError, match="persistence p lies between 0 and 1"):
        rank_biased_overlap("ab", "ba", p=p)


def test_a_document_named_twice_is_refused() -> None:
    with pytest.raises(InputError, match="names a document twice"):
        rank_biased_overlap(["a", "a"], ["a"])


def test_a_depth_below_one_is_refused() -> None:
    with pytest.raises(MeasureError, match="depth of an overlap"):
        of_lists(["ab"], ["ab"], depth=0)


@given(st.lists(st.tuples(rankings, rankings), min_size=1, max_size=6), st.integers(1, 12), st.floats(0.1, 0.99))
def test_many_topics_at_once_are_each_topic_alone_cut_to_the_depth(
    pairs: list[tuple[list[str], list[str]]], depth: int, p: float
) -> None:
    found = of_lists([a for a, _ in pairs], [b for _, b in pairs], depth=depth, p=p)
    for place, (a, b) in enumerate(pairs):
        alone = rank_biased_overlap(a[:depth], b[:depth], p=p)
        if alone.value is None:
            assert math.isnan(found.rbo[place])
        else:
            assert alone.value == pytest.approx(found.rbo[place], abs=1e-13)
            assert alone.residual == pytest.approx(found.residual[place], abs=1e-13)


@given(a=rankings, b=rankings, depth=st.integers(1, 16))
def test_changed_is_an_exact_comparison_of_the_top_k(a: list[str], b: list[str], depth: int) -> None:
    found = of_lists([a], [b], depth=depth)
    assert {1, 3, 5, 10, depth} == set(found.changed)
    for k in found.changed:
        top_a, top_b = a[:depth][:k], b[:depth][:k]
        assert (top_a != top_b) == found.changed[k][0]
        assert (set(top_a) != set(top_b)) == found.changed_set[k][0]
        assert len(set(top_b) - set(top_a)) == found.new[k][0]
        assert len(set(top_a) - set(top_b)) == found.lost[k][0]


def test_a_swap_far_down_is_changed_although_the_overlap_rounds_to_one() -> None:
    a = [str(doc) for doc in range(1000)]
    found = of_lists([a], [[*a[:998], a[999], a[998]]])
    assert found.rbo[0] == pytest.approx(1.0, abs=1e-12)
    assert (True, False) == (found.changed[1000][0], found.changed_set[1000][0])


def test_a_large_residual_is_flagged() -> None:
    deep = [str(doc) for doc in range(100)]
    found = of_lists([["a", "b"], deep], [["b", "a"], deep])
    assert [True, False] == found.large_residual.tolist()


def test_another_persistence_needs_no_other_join() -> None:
    found = of_lists(["abcd", ""], ["badc", "x"], p=0.5)
    again = found.at(0.9)
    assert of_lists(["abcd", ""], ["badc", "x"], p=0.9).rbo.tolist() == again.rbo.tolist()
    assert found.common is again.common


def test_a_tie_inside_or_across_the_cut_is_seen() -> None:
    offsets = np.array([0, 3, 3, 6, 9, 12])
    scores = np.array([3.0, 2.0, 1.0, 3.0, 3.0, 1.0, 9.0, 8.0, 8.0, 3.0, 2.0, 1.0])
    assert [False, False, True, True, False] == tied_topics(offsets, scores, depth=2).tolist()
    assert [False, False, True, False, False] == tied_topics(offsets, scores, depth=1).tolist()


def test_equal_scores_of_two_topics_are_no_tie() -> None:
    assert [False, False] == tied_topics(np.array([0, 1, 2]), np.array([2.0, 2.0]), depth=10).tolist()


def test_scores_that_were_not_recorded_tie_with_nothing() -> None:
    assert [False] == tied_topics(np.array([0, 2]), np.array([np.nan, np.nan]), depth=10).tolist()


def stored(rankings: Sequence[Sequence[str]]) -> Lists:
    offsets = np.concatenate([[0], np.cumsum([len(ranking) for ranking in rankings])]).astype(np.int64)
    docs = pa.chunked_array([[doc for ranking in rankings for doc in ranking]], type=pa.string())
    topics = tuple(f"t{topic}" for topic in range(len(rankings)))
    return Lists(topics, offsets, docs, np.zeros(len(docs)), np.zeros(len(docs), np.uint64))


def test_every_sampled_topic_agrees_with_the_rbo_package() -> None:
    pytest.importorskip("rbo")
    generator = np.random.default_rng(5)
    a = [[str(doc) for doc in generator.permutation(200)[: 40 + topic]] for topic in range(30)]
    b = [[str(doc) for doc in generator.permutation(200)[:60]] for topic in range(30)]
    parity = parity_with_rbo(of_lists(a, b, depth=50, p=0.95), stored(a), stored(b), seed=3, sample=20)
    assert (20, 20, "") == (parity.checked, parity.agreed, parity.reason)


def test_a_wrong_overlap_does_not_agree() -> None:
    pytest.importorskip("rbo")
    parity = parity_with_rbo(of_lists(["abc"], ["acb"]), stored(["abc"]), stored(["cba"]), seed=1)
    assert (1, 0) == (parity.checked, parity.agreed)


def test_the_sample_depends_on_nothing_but_the_seed() -> None:
    pytest.importorskip("rbo")
    a, b = [IDS[topic:] for topic in range(10)], [IDS[: topic + 1] for topic in range(10)]
    checks = [parity_with_rbo(of_lists(a, b), stored(a), stored(b), seed=9, sample=3) for _ in range(2)]
    assert checks[0] == checks[1]


def test_topics_without_two_lists_are_not_checked() -> None:
    pytest.importorskip("rbo")
    parity = parity_with_rbo(of_lists([""], ["a"]), stored([""]), stored(["a"]), seed=1)
    assert (0, "no topic has two lists") == (parity.checked, parity.reason)


def test_without_the_rbo_package_nothing_was_checked_and_the_reason_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rbo", None)
    parity = parity_with_rbo(of_lists(["ab"], ["ba"]), stored(["ab"]), stored(["ba"]), seed=1)
    assert 0 == parity.checked
    assert "cannot be imported" in parity.reason
