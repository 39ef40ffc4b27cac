"""
How sure are we of a mean delta? An interval, tests beside it, and effect sizes.

Every figure is undefined with a reason rather than NaN; no topic's place in the order changes any of them.
"""

from dataclasses import dataclass

import numpy as np

from comparekit.columns import Floats
from comparekit.errors import InputError
from comparekit.figures import NO_DIFFERENCE, NO_SPREAD, NO_TOPIC, Figure, too_few
from comparekit.resampling import FLIPS, LEVEL, RESAMPLES, Sample, bca_interval, mean_of
from comparekit.significance import (
    Holm,
    PairedTest,
    WilcoxonMethod,
    centre,
    holm,
    randomization_test,
    sign_test,
    spread,
    t_test,
    wilcoxon_test,
)

__all__ = ["Figure", "Holm", "Inference", "Interval", "PairedTest", "WilcoxonMethod", "holm", "infer", "interval_of"]

TRIMMED = 0.1


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval of the mean delta, or the reason there is none; `seed` and `resamples` repeat it."""

    low: float | None
    high: float | None
    seed: int
    resamples: int
    level: float = LEVEL
    method: str = "BCa bootstrap"
    reason: str = ""

    @property
    def half_width(self) -> float | None:
        """Half the distance between the two ends."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def side(self) -> int:
        """1 where the whole interval is above zero, -1 where it is below, 0 where zero is inside or there is none."""
        if self.low is None or self.high is None:
            return 0
        return (self.low > 0) - (self.high < 0)


@dataclass(frozen=True, slots=True)
class Inference:
    """
    What n comparable deltas (B - A) say about the difference.

    `effect_size` is Cohen's d_z, the mean in standard deviations; `superiority` is the share of topics where B is
    higher, ties counted half, in [0, 1] with 0.5 for no difference. `randomization` is the headline test.
    `positive`, `zero` and `negative` count deltas by sign, without a tie band.
    """

    n: int
    positive: int
    zero: int
    negative: int
    mean: Figure
    median: Figure
    trimmed_mean: Figure
    sd: Figure
    effect_size: Figure
    superiority: Figure
    interval: Interval
    randomization: PairedTest
    t: PairedTest
    wilcoxon: PairedTest
    sign: PairedTest

    @property
    def tests(self) -> tuple[PairedTest, ...]:
        """All tests, the headline first."""
        return self.randomization, self.t, self.wilcoxon, self.sign


def infer(
    delta: Floats, *, seed: int, resamples: int = RESAMPLES, flips: int = FLIPS, wilcoxon: WilcoxonMethod = "auto"
) -> Inference:
    """
    Interval, tests and effect sizes of the deltas (B - A) of the comparable topics, in any order.

    Deltas are rounded to 12 decimals first. With one topic there is neither interval nor p; with equal deltas the
    interval has no width; with only zeros every p that exists is 1. Negated deltas give exactly mirrored figures.

    Raises `InputError` for a delta that is not finite or a count below 1.
    """
    if not np.isfinite(delta).all():
        raise InputError("a delta is not a finite number", todo="Leave topics out that are not comparable.")
    if min(resamples, flips) < 1:
        raise InputError("the number of resamples is a whole number from 1", got=min(resamples, flips))
    sample = Sample.of(delta)
    values = sample.values
    positive, negative = (int(np.count_nonzero(values * sign > 0)) for sign in (sample.sign, -sample.sign))
    n = len(values)
    zero = n - positive - negative
    deviation = spread(values)
    return Inference(
        n=n,
        positive=positive,
        zero=zero,
        negative=negative,
        mean=centre(values, sample.sign),
        median=centre(values[(n - 1) // 2 : n // 2 + 1], sample.sign),
        trimmed_mean=centre(values[int(TRIMMED * n) : n - int(TRIMMED * n)], sample.sign),
        sd=deviation,
        effect_size=_effect_size(sample, deviation),
        superiority=Figure((positive + zero / 2) / n) if n else Figure(None, NO_TOPIC),
        interval=interval_of(delta, seed=seed, resamples=resamples),
        randomization=randomization_test(delta, seed=seed, flips=flips),
        t=t_test(delta),
        wilcoxon=wilcoxon_test(delta, method=wilcoxon),
        sign=sign_test(delta),
    )


def interval_of(delta: Floats, *, seed: int, resamples: int = RESAMPLES) -> Interval:
    """The 95 % BCa bootstrap interval of the mean delta; undefined below two topics."""
    if len(delta) < 2:
        return Interval(None, None, seed, resamples, reason=too_few(len(delta)))
    low, high = bca_interval(Sample.of(delta), seed=seed, resamples=resamples)
    return Interval(low, high, seed, resamples)


def _effect_size(sample: Sample, sd: Figure) -> Figure:
    if sd.value is None:
        return sd
    if sd.value == 0:
        return Figure(None, NO_SPREAD if sample.values.any() else NO_DIFFERENCE)
    return Figure(sample.sign * mean_of(sample.values) / sd.value + 0.0)
