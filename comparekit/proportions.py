"""Shares of a count with how far they can be trusted, and the tally of wins, ties and losses."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from comparekit.figures import Figure
from comparekit.significance import PairedTest, sign_test

LEVEL = 0.95
NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class Proportion:
    """
    `count` of `n` as a share in [0, 1] with its Wilson interval; all three undefined where n is 0.

    Ties that count half make `count` a half-integer; the interval is then wider than it need be, never narrower.
    """

    count: float
    n: int
    share: Figure
    low: float | None
    high: float | None
    level: float = LEVEL


def proportion(count: float, n: int, *, reason: str = NO_ANSWER) -> Proportion:
    """
    The share and its score interval.

    Wilson (1927), "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22(158). doi:10.1080/01621459.1927.10502953
    """
    if not n:
        return Proportion(count, n, Figure(None, reason), None, None)
    share, z = count / n, float(ndtri((1 + LEVEL) / 2))
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Proportion(count, n, Figure(share), max(0.0, middle - half), min(1.0, middle + half))


@dataclass(frozen=True, slots=True)
class Tally:
    """Topics that B won, that were tied, and that B lost."""

    wins: int
    ties: int
    losses: int

    @property
    def n(self) -> int:
        """How many topics there are."""
        return self.wins + self.ties + self.losses

    @property
    def decided(self) -> int:
        """How many topics were not tied."""
        return self.wins + self.losses

    @property
    def win_share(self) -> Proportion:
        """Wins among all; ties count against B, so show it only beside all three counts."""
        return proportion(self.wins, self.n)

    @property
    def half_tie_share(self) -> Proportion:
        """Wins and half of the ties among all: 0.5 is no difference. Compare rankers by this one."""
        return proportion(self.wins + self.ties / 2, self.n)

    @property
    def sign(self) -> PairedTest:
        """The exact sign test on what was decided; undefined below two topics, p is 1 where all are tied."""
        return sign_test(np.repeat([1.0, 0.0, -1.0], [self.wins, self.ties, self.losses]))
