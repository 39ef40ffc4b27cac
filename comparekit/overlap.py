"""
Did the list change, and by how much?

*Changed* is an exact test of the ordered top k. Rank-biased overlap only says how much; it never says "unchanged".
"""

import importlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from types import ModuleType

import numpy as np

from comparekit.columns import Bools, Floats, Ints, Lists
from comparekit.errors import MeasureError
from comparekit.rank_biased import PERSISTENCE, VARIANT, Common, Similarity, common_of, rank_biased, rank_biased_overlap

__all__ = [
    "CUTOFFS",
    "LARGE_RESIDUAL",
    "PERSISTENCE",
    "VARIANT",
    "Overlap",
    "Parity",
    "Similarity",
    "overlap",
    "parity_with_rbo",
    "rank_biased_overlap",
    "tied_topics",
]

CUTOFFS = (1, 3, 5, 10)
LARGE_RESIDUAL = 0.1
PARITY_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True)
class ChangedCounts:
    """
    How many of some topics changed: of `answered` topics with an answer on both sides (`silent` have none), by k in
    1, 3, 5, 10 and the depth, in order and as sets.
    """

    answered: int
    silent: int
    in_order: Mapping[int, int]
    as_sets: Mapping[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """
    The overlap of two lists for each of n topics, both cut to `depth`.

    `rbo` is the extrapolated rank-biased overlap at persistence `p`, in [0, 1], 1 for the same order; NaN where both
    lists are empty (undefined), 0 where one is. `low` is its lower bound, what was seen alone, and `low` + `residual`
    the upper bound. `large_residual` marks topics where what was not seen could still change more than
    `LARGE_RESIDUAL`. `tied` marks topics whose order rests on tied scores, None where nobody looked.
    By k in 1, 3, 5, 10 and `depth`: `changed` whether the ordered top k differ, `changed_set` whether their documents
    differ, `new` and `lost` how many documents entered and left the top k from A to B. `answered` marks topics where
    both sides gave an answer; elsewhere nothing is defined and nothing counts as changed or as unchanged.
    """

    p: float
    depth: int
    rbo: Floats
    low: Floats
    residual: Floats
    large_residual: Bools
    tied: Bools | None
    changed: Mapping[int, Bools]
    changed_set: Mapping[int, Bools]
    new: Mapping[int, Ints]
    lost: Mapping[int, Ints]
    answered: Bools
    common: Common = field(repr=False)

    @property
    def high(self) -> Floats:
        """The upper bound of the rank-biased overlap, at most 1."""
        return np.minimum(self.low + self.residual, 1.0)

    def counts(self, chosen: Bools) -> ChangedCounts:
        """How many of the chosen topics changed."""
        return ChangedCounts(
            answered=int((self.answered & chosen).sum()),
            silent=int((chosen & ~self.answered).sum()),
            in_order={k: int((flags & chosen).sum()) for k, flags in self.changed.items()},
            as_sets={k: int((flags & chosen).sum()) for k, flags in self.changed_set.items()},
        )

    def where(self, answered: Bools) -> "Overlap":
        """The same overlap where both sides gave an answer; elsewhere undefined, and nothing counts as changed."""
        rbo, low, residual = (np.where(answered, figure, np.nan) for figure in (self.rbo, self.low, self.residual))
        return replace(
            self,
            rbo=rbo,
            low=low,
            residual=residual,
            large_residual=self.large_residual & answered,
            answered=self.answered & answered,
            changed={k: flags & answered for k, flags in self.changed.items()},
            changed_set={k: flags & answered for k, flags in self.changed_set.items()},
            new={k: counts * answered for k, counts in self.new.items()},
            lost={k: counts * answered for k, counts in self.lost.items()},
        )

    def at(self, p: float) -> "Overlap":
        """The same overlap at another persistence; the lists are not joined again."""
        defined = ~np.isnan(self.low)
        value, low, residual = (np.where(defined, figure, np.nan) for figure in rank_biased(self.common, p))
        return replace(self, p=p, rbo=value, low=low, residual=residual, large_residual=residual > LARGE_RESIDUAL)


def overlap(
    shared_topic: Ints,
    shared_rank_a: Ints,
    shared_rank_b: Ints,
    *,
    length_a: Ints,
    length_b: Ints,
    depth: int,
    p: float = PERSISTENCE,
    tied: Bools | None = None,
) -> Overlap:
    """
    Overlap of two lists per topic, from the ranks (from 1) of the documents they share.

    The shared arrays are sorted by topic (0 to n - 1) and hold every common document once. `length_a` and `length_b`
    are the full lengths of the n lists; both are cut to the declared `depth` here, and a list that is shorter by
    itself stays uneven. `p` in (0, 1) is persistence: the expected depth examined is 1 / (1 - p).

    Raises `MeasureError` for `p` outside (0, 1) or a `depth` below 1.

    Webber, Moffat & Zobel (2010), "A similarity measure for indefinite rankings", ACM TOIS 28(4), equations 11
    (lower bound), 30 (residual) and 32 (extrapolated). doi:10.1145/1852102.1852106
    """
    if depth < 1:
        raise MeasureError("the depth of an overlap is a whole number from 1", got=depth)
    common = common_of(shared_topic, shared_rank_a, shared_rank_b, lengths=(length_a, length_b), depth=depth)
    value, low, residual = rank_biased(common, p)
    cutoffs = sorted({*CUTOFFS, depth})
    both = {k: common.counts_within(k) for k in cutoffs}
    unmoved = {k: common.unmoved_within(k) for k in cutoffs}
    top_a = {k: np.minimum(common.length_a, k) for k in cutoffs}
    top_b = {k: np.minimum(common.length_b, k) for k in cutoffs}
    return Overlap(
        p=p,
        depth=depth,
        rbo=value,
        low=low,
        residual=residual,
        large_residual=residual > LARGE_RESIDUAL,
        tied=tied,
        changed={k: (unmoved[k] != top_a[k]) | (unmoved[k] != top_b[k]) for k in cutoffs},
        changed_set={k: (both[k] != top_a[k]) | (both[k] != top_b[k]) for k in cutoffs},
        new={k: top_b[k] - both[k] for k in cutoffs},
        lost={k: top_a[k] - both[k] for k in cutoffs},
        answered=np.ones(len(value), np.bool_),
        common=common,
    )


def tied_topics(offsets: Ints, scores: Floats, *, depth: int) -> Bools:
    """
    The topics whose first `depth` results owe their order to a tie: two neighbours with equal scores.

    Rows `offsets[i]` to `offsets[i + 1]` of `scores` are topic i, best first. A tie across the cut counts, because it
    decides which document is in. Scores that were not recorded (NaN) tie with nothing.
    """
    rank = np.arange(len(scores)) - np.repeat(offsets[:-1], np.diff(offsets)) + 1
    equal = np.flatnonzero((scores[1:] == scores[:-1]) & (rank[1:] > 1) & (rank[:-1] <= depth))
    tied = np.zeros(len(offsets) - 1, np.bool_)
    tied[np.searchsorted(offsets, equal, side="right") - 1] = True
    return tied


@dataclass(frozen=True, slots=True)
class Parity:
    """
    How often the `rbo` package, an independent witness, gave the value of `overlap`.

    `reason` says why nothing was checked, when `checked` is 0; `largest_difference` is over all checks.
    """

    checked: int
    agreed: int
    largest_difference: float
    seed: int
    version: str
    reason: str = ""


def parity_with_rbo(result: Overlap, a: Lists, b: Lists, *, seed: int, sample: int = 50) -> Parity:
    """
    Check `result` against the `rbo` package on a seeded sample of topics with two lists.

    `a` and `b` are the whole lists that `result` was computed from. A check agrees within `PARITY_TOLERANCE`.
    Without the package nothing is checked, and the reason says so.
    """
    try:
        package = importlib.import_module("rbo")
    except ImportError as error:
        return Parity(0, 0, 0.0, seed, "", f"the rbo package cannot be imported ({error})")
    filled = np.flatnonzero((result.common.length_a > 0) & (result.common.length_b > 0))
    if not len(filled):
        return Parity(0, 0, 0.0, seed, version("rbo"), "no topic has two lists")
    generator = np.random.Generator(np.random.SFC64(seed))
    chosen = np.sort(generator.choice(filled, size=min(sample, len(filled)), replace=False)).tolist()
    witnessed = [_witness(package, *(_head(lists, i, result.depth) for lists in (a, b)), p=result.p) for i in chosen]
    differences = np.abs(np.array(witnessed) - result.rbo[chosen])
    agreed = int(np.count_nonzero(differences <= PARITY_TOLERANCE))
    return Parity(len(chosen), agreed, float(differences.max()), seed, version("rbo"))


def _head(lists: Lists, topic: int, depth: int) -> list[str]:
    start, end = lists.offsets[topic : topic + 2].tolist()
    docs: list[str] = lists.docs.slice(start, min(depth, end - start)).to_pylist()
    return docs


def _witness(package: ModuleType, a: list[str], b: list[str], *, p: float) -> float:
    # rbo 0.1.3: only rbo_ext(p) is Eq. 32 for uneven lists, only lists are taken, and `~bool` warns since Python 3.12.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return float(package.RankingSimilarity(a, b).rbo_ext(p))
