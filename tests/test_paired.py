"""Deltas, wins, ties, losses, what is not comparable, and tails."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit.errors import DeclarationError, InputError
from comparekit.figures import Figure
from comparekit.measures.registry import NOTHING_RELEVANT, NOTHING_RETRIEVED, REASONS, Values
from comparekit.paired import Paired, pair, relative_change, tails
from comparekit.states import STATES

tenths = st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=40)


def of(a: Sequence[float | None], b: Sequence[float | None], **options: Any) -> Paired:
    """A pairing of two columns of values, undefined ones (nothing relevant) as None."""
    state_a, state_b = (codes(options.pop(side, ["answered"] * len(a))) for side in ("state_a", "state_b"))
    return pair(values(a), values(b), state_a=state_a, state_b=state_b, **options)


def values(column: Sequence[float | None], reason: int = NOTHING_RELEVANT) -> Values:
    known = np.array([np.nan if value is None else value for value in column], np.float64)
    return Values(known, np.where(np.isnan(known), reason, 0).astype(np.int8))


def codes(states: Sequence[str]) -> "np.ndarray[Any, np.dtype[np.int8]]":
    return np.array([STATES.index(state) for state in states], np.int8)


def counts(paired: Paired) -> tuple[int, int, int, int]:
    return paired.wins, paired.ties, paired.losses, paired.not_comparable


def test_a_delta_is_b_minus_a() -> None:
    assert [0.2, -0.2, 0.0] == of([0.1, 0.5, 0.3], [0.3, 0.3, 0.3]).delta.tolist()


def test_equal_on_paper_is_a_tie_in_code() -> None:
    # Case R43: AP is 1/2 on both sides, and pytrec_eval gives 0.49999999999999994 for one of them.
    found = of([0.49999999999999994], [0.5])
    assert (0, 1, 0, 0) == counts(found)
    assert "0.0" == str(found.delta[0])


def test_deltas_equal_on_paper_are_equal_in_code() -> None:
    found = of([1 / 3, 2 / 3], [1 / 7, 10 / 21])
    assert found.delta[0] == found.delta[1]


def test_a_delta_of_nothing_bears_no_sign() -> None:
    assert "0.0" == str(of([0.5], [0.5 - 1e-14]).delta[0])


def test_the_tie_band_includes_its_edge() -> None:
    found = of([0.1, 0.1, 0.1, 0.1], [0.3, 0.31, 0.2, 0.0], tie_band=0.1)
    assert [1, 1, 0, 0] == found.outcome.tolist()


@pytest.mark.parametrize("band", [-0.1, math.nan, math.inf])
def test_a_tie_band_below_zero_is_refused(band: float) -> None:
    with pytest.raises(DeclarationError, match="tie band is a number from 0"):
        of([0.1], [0.2], tie_band=band)


def test_where_lower_is_better_a_negative_delta_is_a_win() -> None:
    found = of([0.5, 0.1], [0.2, 0.3], better="lower")
    assert ([-0.3, 0.2], [1, -1]) == (found.delta.tolist(), found.outcome.tolist())


def test_sides_of_different_length_are_refused() -> None:
    with pytest.raises(InputError, match="a value and a state for every topic"):
        of([0.1, 0.2], [0.1])


def test_a_failed_topic_is_not_comparable_and_in_no_mean() -> None:
    found = of([0.4, 0.9], [0.6, 0.0], state_b=["answered", "failed"])
    assert (1, 0, 0, 1) == counts(found)
    assert (0.4, 0.6) == (found.mean_a.value, found.mean_b.value)
    assert ("", "B failed") == (found.reason_of(0), found.reason_of(1))
    assert math.isnan(found.delta[1])


def test_an_empty_answer_counts_as_the_value_it_has() -> None:
    assert (0, 0, 1, 0) == counts(of([0.4], [0.0], state_b=["empty"]))


def test_a_missing_topic_is_not_comparable_while_undeclared_and_shown_both_ways() -> None:
    found = of([0.4, 0.5], [0.5, 0.0], state_b=["answered", "missing"])
    assert (1, 0, 0, 1) == counts(found)
    assert found.provisional
    assert found.as_empty is not None
    assert ((1, 0, 1, 0), False) == (counts(found.as_empty), found.as_empty.provisional)
    assert -0.2 == found.as_empty.comparable.mean()


def test_a_missing_topic_declared_empty_scores_nothing() -> None:
    found = of([0.4], [0.0], state_b=["missing"], missing="empty")
    assert ((0, 0, 1, 0), None, False) == (counts(found), found.as_empty, found.provisional)


def test_a_missing_topic_declared_failed_stays_out_for_good() -> None:
    found = of([0.4], [0.0], state_b=["missing"], missing="failed")
    assert ((0, 0, 0, 1), None, False) == (counts(found), found.as_empty, found.provisional)


def test_a_missing_topic_that_nobody_judged_makes_nothing_provisional() -> None:
    found = of([0.4, None], [0.5, None], state_b=["answered", "missing"])
    assert (1, False) == (found.missing, found.provisional)
    assert (("no relevant document is judged", 1),) == found.left_out


def test_every_reason_is_counted() -> None:
    found = of(
        [0.1, 0.1, 0.1, 0.1, None, 0.1],
        [0.2, 0.1, 0.1, 0.1, None, 0.1],
        state_a=["answered", "failed", "failed", "missing", "answered", "failed"],
        state_b=["answered", "answered", "failed", "failed", "empty", "failed"],
    )
    assert (
        ("A and B failed", 2),
        ("A failed", 1),
        ("A is missing, B failed", 1),
        ("no relevant document is judged", 1),
    ) == found.left_out
    assert found.not_comparable == sum(count for _, count in found.left_out)


def test_topics_missing_on_both_sides_say_so() -> None:
    found = of([0.0], [0.0], state_a=["missing"], state_b=["missing"])
    assert "A and B are missing" == found.reason_of(0)


def test_a_measure_undefined_on_one_side_names_the_side() -> None:
    state = codes(["answered"])
    found = pair(values([0.5]), values([None], NOTHING_RETRIEVED), state_a=state, state_b=state)
    assert f"B: {REASONS[NOTHING_RETRIEVED]}" == found.reason_of(0)
    assert (0.5, True) == (found.a[0], math.isnan(found.b[0]))


def test_where_nothing_is_comparable_the_means_say_why() -> None:
    found = of([None], [None])
    assert (0, Figure(None, "no comparable topic")) == (found.n, found.mean_a)
    assert Figure(None, "no comparable topic") == found.relative_change


def test_some_topics_are_taken_with_all_their_columns() -> None:
    found = of([0.1, 0.2, 0.3], [0.3, 0.2, 0.0], state_b=["answered", "answered", "missing"])
    assert (0, 1, 0, 1) == counts(found.take(np.array([False, True, True])))
    assert [0.0] == found.take(np.array([1])).comparable.tolist()
    assert not found.take(np.array([0, 1])).provisional
    assert found.take(np.array([2])).provisional


@given(tenths, st.sampled_from([0.0, 0.1, 0.25]), st.sampled_from(["higher", "lower"]))
def test_swapping_a_and_b_mirrors_everything(pairs: list[tuple[int, int]], band: float, better: str) -> None:
    a, b = [x / 10 for x, _ in pairs], [y / 10 for _, y in pairs]
    plain, swapped = of(a, b, tie_band=band, better=better), of(b, a, tie_band=band, better=better)
    assert (-plain.delta).tolist() == swapped.delta.tolist()
    assert counts(plain)[:3] == counts(swapped)[2::-1]
    ends, mirrored = tails(plain), tails(swapped)
    assert ends.worst.tolist() == mirrored.best.tolist()
    for name, other in (("percentile_5", "percentile_95"), ("worst_tenth", "best_tenth")):
        assert getattr(ends, name).value == -getattr(mirrored, other).value


@given(tenths)
def test_wins_ties_losses_and_the_rest_add_up(pairs: list[tuple[int, int]]) -> None:
    found = of([x / 10 or None for x, _ in pairs], [y / 10 or None for _, y in pairs])
    assert len(pairs) == sum(counts(found))
    assert found.n == len(found.comparable)


def test_a_change_is_relative_to_the_first_value() -> None:
    # Case R44, by hand: t01 from 0, t02 0.9 to 0.7, t03 0.1 to 0; overall the change of the means, not their mean.
    assert "n/a (from 0)" == relative_change(Figure(0.0), Figure(0.2)).text()
    assert "-22.2%" == relative_change(Figure(0.9), Figure(0.7)).text("+.1%")
    assert "-100.0%" == relative_change(Figure(0.1), Figure(0.0)).text("+.1%")
    assert "-10.0%" == of([0.0, 0.9, 0.1], [0.2, 0.7, 0.0]).relative_change.text("+.1%")


def test_the_tails_hold_only_losing_and_only_winning_topics_ties_in_topic_order() -> None:
    found = tails(of([0.5] * 6, [0.4, 0.9, 0.5, 0.1, 0.4, 0.6]))
    assert ([3, 0, 4], [1, 5]) == (found.worst.tolist(), found.best.tolist())


def test_at_most_ten_topics_stand_at_an_end() -> None:
    found = tails(of([0.5] * 15, [0.5 - topic / 100 for topic in range(15)]))
    assert list(range(14, 4, -1)) == found.worst.tolist()


def test_the_worst_tenth_is_rounded_up() -> None:
    # By hand: of eleven deltas, -0.5 to 0.5, the two worst are -0.5 and -0.4; 5 % lies halfway between them.
    found = tails(of([0.5] * 11, [topic / 10 for topic in range(11)]))
    assert (-0.45, 0.45) == pytest.approx((found.worst_tenth.value, found.best_tenth.value))
    assert (-0.45, 0.45) == pytest.approx((found.percentile_5.value, found.percentile_95.value))


def test_where_lower_is_better_the_worst_are_the_highest() -> None:
    found = tails(of([0.5] * 3, [0.1, 0.9, 0.5], better="lower"))
    assert ([1], [0]) == (found.worst.tolist(), found.best.tolist())
    assert 0.4 == pytest.approx(found.worst_tenth.value)


def test_tails_of_nothing_say_why() -> None:
    assert Figure(None, "no comparable topic") == tails(of([None], [None])).worst_tenth


def test_every_pair_of_real_runs_has_the_wins_of_the_referee(shared_data: Path) -> None:
    # data/*/expected/pairs.json: ir_measures 0.4.3; a tie is at most 1e-9 there, and missing topics and topics without
    # relevant documents count as 0: here the runs are paired with missing topics as empty answers.
    pairs = 0
    for file in sorted(shared_data.glob("*/expected/pairs.json")):
        runs: dict[str, Mapping[str, Mapping[str, float]]] = {}
        for entry in json.loads(file.read_text())["pairs"]:
            a, b = (runs.setdefault(entry[s], per_topic(file.parent / f"{entry[s]}.json")) for s in ("a", "b"))
            columns = [[run[topic].get(entry["measure"], 0.0) for topic in sorted(a)] for run in (a, b)]
            found = of(*columns, missing="empty", tie_band=1e-9)
            assert (entry["b_wins"], entry["ties"], entry["a_wins"], 0) == counts(found)
            assert entry["mean_a"] == pytest.approx(found.mean_a.value, abs=1e-12)
            pairs += 1
    assert 1122 == pairs


def per_topic(run: Path) -> Mapping[str, Mapping[str, float]]:
    found: Mapping[str, Mapping[str, float]] = json.loads(run.read_text())["per_query"]
    return found
