"""
Could the deltas be chance? Four two-sided tests of no difference, and the correction for many of them.

Every test is undefined with a reason rather than NaN; no topic's place in the order changes any of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import bdtr, ndtr, stdtr
from scipy.stats import rankdata

from comparekit.columns import Floats
from comparekit.errors import InputError
from comparekit.figures import NO_DIFFERENCE, NO_SPREAD, NO_TOPIC, Figure, too_few
from comparekit.resampling import DECIMALS, EXACT_UP_TO, FLIPS, Sample, exact_flips, mean_of, random_flips

WilcoxonMethod = Literal["auto", "exact", "approx"]


@dataclass(frozen=True, slots=True)
class PairedTest:
    """
    A two-sided test of no difference: its `p` in [0, 1], its `statistic` (positive where B is higher) and its `method`.

    `seed` and `resamples` are set where random numbers were drawn.
    """

    name: str
    method: str
    p: Figure
    statistic: Figure
    seed: int | None = None
    resamples: int | None = None


def randomization_test(delta: Floats, *, seed: int, flips: int = FLIPS) -> PairedTest:
    """
    The sign-flip randomization test of the mean delta; the headline.

    Exact, from all sign vectors, up to 20 deltas other than zero; else Monte-Carlo with p = (count + 1) / (flips + 1).
    Zeros cannot change the sum and are left out of the flips. All zero: p is 1.

    Smucker, Allan & Carterette (2007), "A comparison of statistical significance tests for information retrieval
    evaluation", CIKM, section 3.1. doi:10.1145/1321440.1321528
    """
    name = "randomization"
    sample = Sample.of(delta)
    if len(delta) < 2:
        return _undefined(name, "sign flips", too_few(len(delta)))
    nonzero = sample.values[sample.values != 0]
    mean = centre(sample.values, sample.sign)
    if len(nonzero) <= EXACT_UP_TO:
        return PairedTest(name, f"exact, {2 ** len(nonzero):,} sign flips", Figure(exact_flips(nonzero)), mean)
    p = random_flips(nonzero, seed=seed, flips=flips)
    return PairedTest(name, f"Monte-Carlo, {flips:,} sign flips", Figure(p), mean, seed=seed, resamples=flips)


def t_test(delta: Floats) -> PairedTest:
    """
    Student's paired t test; undefined below two topics and where the deltas do not vary.

    Student (1908), "The probable error of a mean", Biometrika 6(1), section 9.
    """
    name, method = "t", "paired, Student's distribution"
    sample = Sample.of(delta)
    n = len(delta)
    if n < 2:
        return _undefined(name, method, too_few(n))
    sd = spread(sample.values)
    if not sd.value:
        return _undefined(name, method, NO_SPREAD if sample.values.any() else NO_DIFFERENCE)
    t = sample.sign * mean_of(sample.values) / (sd.value / math.sqrt(n)) + 0.0
    return PairedTest(name, method, Figure(float(2 * stdtr(n - 1, -abs(t)))), Figure(t))


def wilcoxon_test(delta: Floats, *, method: WilcoxonMethod = "auto") -> PairedTest:
    """
    Wilcoxon's signed-rank test on the deltas other than zero (zero rule `wilcox`), tied magnitudes sharing their rank.

    The statistic is the rank sum of the positive deltas less that of the negative ones. "exact" enumerates the signs
    of the shared ranks, so ties are right; "approx" is the normal approximation with the variance corrected for ties
    and no correction for continuity; "auto" is exact up to 20 deltas. All zero: p is 1.

    Raises `InputError` for "exact" with more than 20 deltas other than zero.

    Wilcoxon (1945), "Individual comparisons by ranking methods", Biometrics Bulletin 1(6).
    """
    nonzero = delta[np.round(delta, DECIMALS) != 0]
    sample = Sample.of(nonzero)
    n = len(nonzero)
    exact = method == "exact" or (method == "auto" and n <= EXACT_UP_TO)
    how = f"{'exact' if exact else 'normal approximation, no continuity correction'}, zeros left out (wilcox)"
    if len(delta) < 2:
        return _undefined("Wilcoxon", how, too_few(len(delta)))
    if exact and n > EXACT_UP_TO:
        raise InputError(
            "too many deltas for the exact test", expected=f"at most {EXACT_UP_TO}", got=n, todo="Use approx."
        )
    if not n:
        return PairedTest("Wilcoxon", how, Figure(1.0), Figure(0.0))
    ranks = rankdata(np.abs(sample.values))
    signed = ranks * np.sign(sample.values)
    statistic = math.fsum(signed)
    # Half of `statistic` is the rank sum's distance from its mean, and its variance is a quarter of the sum of squares;
    # squares of shared ranks carry the correction for ties.
    p = exact_flips(signed) if exact else float(2 * ndtr(-abs(statistic) / math.sqrt(math.fsum(ranks**2))))
    return PairedTest("Wilcoxon", how, Figure(p), Figure(sample.sign * statistic + 0.0))


def sign_test(delta: Floats) -> PairedTest:
    """
    The exact sign test: are positive and negative deltas equally likely? Zeros are left out; all zero: p is 1.

    The statistic is the number of positive deltas less the number of negative ones.

    Conover (1999), Practical Nonparametric Statistics, 3rd edition, section 3.4.
    """
    name, method = "sign", "exact binomial, zeros left out"
    if len(delta) < 2:
        return _undefined(name, method, too_few(len(delta)))
    rounded = np.round(delta, DECIMALS)
    positive, negative = int(np.count_nonzero(rounded > 0)), int(np.count_nonzero(rounded < 0))
    tail = float(bdtr(min(positive, negative), positive + negative, 0.5)) if positive + negative else 1.0
    return PairedTest(name, method, Figure(min(1.0, 2 * tail)), Figure(float(positive - negative)))


@dataclass(frozen=True, slots=True)
class Holm:
    """Adjusted p values in the order given, None where there was none, and the size of the `family` corrected for."""

    adjusted: tuple[float | None, ...]
    family: int


def holm(ps: Sequence[float | None]) -> Holm:
    """
    Holm's step-down correction of a family of p values; undefined ones (None) are left out and do not count.

    Holm (1979), "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6(2).
    """
    defined = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    floor = 0.0
    for step, (p, place) in enumerate(defined):
        floor = max(floor, min(1.0, (len(defined) - step) * p))
        adjusted[place] = floor
    return Holm(tuple(adjusted), len(defined))


def _undefined(name: str, method: str, reason: str) -> PairedTest:
    return PairedTest(name, method, Figure(None, reason), Figure(None, reason))


def centre(values: Floats, sign: int) -> Figure:
    """The mean of `values` times `sign`; undefined where there are none."""
    return Figure(sign * mean_of(values) + 0.0) if len(values) else Figure(None, NO_TOPIC)


def spread(values: Floats) -> Figure:
    """The standard deviation of ascending `values`, n - 1 in the denominator; undefined below two."""
    n = len(values)
    if n < 2:
        return Figure(None, too_few(n))
    if values[0] == values[-1]:
        return Figure(0.0)
    return Figure(math.sqrt(math.fsum((values - mean_of(values)) ** 2) / (n - 1)))
