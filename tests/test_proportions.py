"""Shares with how far they can be trusted."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from comparekit.proportions import Tally, proportion


@given(st.integers(1, 200), st.integers(0, 200))
def test_the_interval_is_wilsons_as_scipy_has_it(n: int, count: int) -> None:
    count = min(count, n)
    expected = binomtest(count, n).proportion_ci(0.95, method="wilson")
    found = proportion(count, n)
    assert found.share.value == count / n
    assert (found.low, found.high) == (pytest.approx(expected.low, abs=1e-12), pytest.approx(expected.high, abs=1e-12))


def test_nothing_is_undefined() -> None:
    found = proportion(0, 0)
    assert (found.share.value, found.low, found.high) == (None, None, None)
    assert found.share.text() == "n/a (no answer)"


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_exchanging_wins_and_losses_mirrors_the_half_tie_share(wins: int, ties: int, losses: int) -> None:
    here, there = Tally(wins, ties, losses).half_tie_share, Tally(losses, ties, wins).half_tie_share
    if here.share.value is None or here.low is None:
        assert there.share.value is None
    else:
        assert there.share.value == pytest.approx(1 - here.share.value)
        assert there.high is not None
        assert math.isclose(there.high, 1 - here.low, abs_tol=1e-12)
    assert Tally(wins, ties, losses).sign.p == Tally(losses, ties, wins).sign.p
