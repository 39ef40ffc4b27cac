"""
What could the deltas have been? Bootstrap and sign flips, the same for every order of topics, mirrored by a swap.

Deltas are sorted, and turned to one canonical sign, before any random number is drawn. The generator is SFC64 with a
given seed, so equal deltas give equal figures.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from comparekit.columns import Floats

DECIMALS = 12
LEVEL = 0.95
EXACT_UP_TO = 20
RESAMPLES = 10_000
FLIPS = 100_000

_BLOCK = 1 << 18  # values drawn at a time: 2 MiB, so that they stay in cache
_FLIP_BLOCK = 1 << 13
_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """
    Deltas without topics: `values` ascending, rounded to 12 decimals, times `sign` (1 or -1).

    A sample and its negation have the same `values` and opposite signs, unless the sample is its own negation, which
    `symmetric` says.
    """

    values: Floats
    sign: int
    symmetric: bool

    @staticmethod
    def of(delta: Floats) -> "Sample":
        """The sample of some finite deltas, in any order."""
        values = np.sort(np.round(delta, DECIMALS)) + 0.0
        mirrored = -values[::-1] + 0.0
        differing = np.flatnonzero(values != mirrored)
        if not len(differing):
            return Sample(values, 1, True)
        if values[differing[0]] > mirrored[differing[0]]:
            return Sample(values, 1, False)
        return Sample(mirrored, -1, False)


def mean_of(values: Floats) -> float:
    """The mean, summed without rounding, so that neither order nor sign shows in the last bit."""
    return math.fsum(values) / len(values)


def bootstrap_means(values: Floats, *, seed: int, resamples: int = RESAMPLES) -> Floats:
    """Means of `resamples` draws with replacement of all of `values`, in constant memory."""
    generator = np.random.Generator(np.random.SFC64(seed))
    count = len(values)
    means = np.empty(resamples)
    for start, size in _blocks(resamples, max(1, _BLOCK // count)):
        # int64 on purpose: `take` would first convert narrower indices, which costs more than drawing them.
        means[start : start + size] = values.take(generator.integers(0, count, (size, count))).mean(axis=1)
    return means


def bca_interval(sample: Sample, *, seed: int, resamples: int = RESAMPLES, level: float = LEVEL) -> tuple[float, float]:
    """
    The bias-corrected and accelerated bootstrap interval of the mean of at least two deltas, as (low, high).

    The jackknife of a mean has a closed form, so only the bootstrap is drawn. Equal deltas give an interval of no
    width. Negated deltas give the mirrored interval exactly.

    Efron (1987), "Better bootstrap confidence intervals", JASA 82(397), section 3.
    """
    values = sample.values
    if values[0] == values[-1]:
        return float(sample.sign * values[0] + 0.0), float(sample.sign * values[0] + 0.0)
    mean = mean_of(values)
    means = bootstrap_means(values, seed=seed, resamples=resamples)
    low, high = (float(end) for end in np.quantile(means, _bca_levels(values - mean, means - mean, level=level)))
    if sample.symmetric:
        low, high = (low - high) / 2, (high - low) / 2
    elif sample.sign < 0:
        low, high = -high, -low
    return low + 0.0, high + 0.0


def _bca_levels(deviations: Floats, bootstrapped: Floats, *, level: float) -> Floats:
    shifts = np.round(bootstrapped, DECIMALS)
    below = (np.count_nonzero(shifts < 0) + np.count_nonzero(shifts == 0) / 2) / len(shifts)
    bias = ndtri(np.clip(below, 0.5 / len(shifts), 1 - 0.5 / len(shifts)))
    acceleration = (deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5)
    ends = bias + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    levels: Floats = ndtr(bias + ends / (1 - acceleration * ends))
    return levels


def exact_flips(values: Floats) -> float:
    """
    The exact two-sided p of the sum of `values` under random signs, from all 2^n of them; at most `EXACT_UP_TO` values.

    Sums within 1e-12 of the sum of magnitudes count as equal to the observed one.

    Fisher (1935), The Design of Experiments, section 21.
    """
    half = len(values) // 2
    sums = np.add.outer(_signed_sums(values[:half]), _signed_sums(values[half:]))
    return float(np.count_nonzero(np.abs(sums) >= _bar(values)) / sums.size)


def random_flips(values: Floats, *, seed: int, flips: int = FLIPS) -> float:
    """
    The Monte-Carlo p of the sum of `values` under `flips` random sign vectors: (count + 1) / (flips + 1), never 0.

    Values are taken eight at a time: the 256 signed sums of a group are tabulated once and a random byte picks one.
    """
    groups = -(-len(values) // 8)
    padded = np.concatenate([values, np.zeros(8 * groups - len(values))]).reshape(groups, 8)
    signs = ((np.arange(256)[:, np.newaxis] >> np.arange(8)) & 1) * 2.0 - 1.0
    tables = padded @ signs.T
    generator = np.random.Generator(np.random.SFC64(seed))
    bar, count = _bar(values), 0
    for _, size in _blocks(flips, _FLIP_BLOCK):
        picks = np.frombuffer(generator.bytes(size * groups), np.uint8).reshape(groups, size)
        sums = np.zeros(size)
        for table, pick in zip(tables, picks, strict=True):
            sums += table.take(pick)
        count += int(np.count_nonzero(np.abs(sums) >= bar))
    return (count + 1) / (flips + 1)


def _bar(values: Floats) -> float:
    return abs(math.fsum(values)) - _TOLERANCE * math.fsum(np.abs(values))


def _signed_sums(values: Floats) -> Floats:
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums - value, sums + value])
    return sums


def _blocks(total: int, size: int) -> Iterator[tuple[int, int]]:
    return ((start, min(size, total - start)) for start in range(0, total, size))
