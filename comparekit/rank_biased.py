"""
Rank-biased overlap: how much do two lists agree, when what stands higher counts more?

Closed forms over the documents two lists share; no loop over topics or depth.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from comparekit.columns import Floats, Ints
from comparekit.errors import InputError, MeasureError

PERSISTENCE = 0.9
VARIANT = "extrapolated (Webber, Moffat & Zobel 2010, Eq. 32)"


@dataclass(frozen=True, slots=True, eq=False)
class Common:
    """
    What two sets of lists have in common, topic by topic, after both were cut to one depth.

    `deepest` is, for each common document, the greater of its two ranks (from 1); `starts` says where each topic
    begins in it. `length_a` and `length_b` are the lengths after the cut. All that any persistence needs.
    """

    depth: int
    starts: Ints
    deepest: Ints
    length_a: Ints
    length_b: Ints
    same_rank: Ints
    same_rank_starts: Ints

    def counts_within(self, depths: Ints | int) -> Ints:
        """For each topic, how many documents stand in both lists at rank `depths` or above."""
        limit = depths if isinstance(depths, int) else np.repeat(depths, np.diff(self.starts))
        return _sums((self.deepest <= limit).astype(np.int64), self.starts)

    def unmoved_within(self, depth: int) -> Ints:
        """For each topic, how many documents stand at the same rank in both lists, at rank `depth` or above."""
        return _sums((self.same_rank <= depth).astype(np.int64), self.same_rank_starts)


def common_of(topic: Ints, rank_a: Ints, rank_b: Ints, *, lengths: tuple[Ints, Ints], depth: int) -> Common:
    """What lists of `lengths` (A's, B's) share when cut to `depth`; a row is a common document, sorted by topic."""
    deepest = np.maximum(rank_a, rank_b)
    same = rank_a == rank_b
    if max(int(length.max(initial=0)) for length in lengths) > depth:
        kept = deepest <= depth
        topic, deepest, same = topic[kept], deepest[kept], same[kept]
    every = np.arange(len(lengths[0]) + 1)
    return Common(
        depth=depth,
        starts=np.searchsorted(topic, every),
        deepest=deepest,
        length_a=np.minimum(lengths[0], depth),
        length_b=np.minimum(lengths[1], depth),
        same_rank=deepest[same],
        same_rank_starts=np.searchsorted(topic[same], every),
    )


def _sums(values: Ints, starts: Ints) -> Ints:
    """The sum of each topic's run of `values`. Whole numbers, so that no order of addition shows in the result."""
    sums = np.zeros(len(starts) - 1, np.int64)
    filled = np.diff(starts) > 0
    if filled.any():
        sums[filled] = np.add.reduceat(values, starts[:-1][filled])
    return sums


def _suffixes(p: float, last: int) -> Floats:
    """
    T(m), the sum of p^d / d over all d >= m, for m from 0 (unused) to `last` + 1.

    All terms together are -ln(1 - p), so what lies beyond the table is known; a geometric series bounds it, which keeps
    rounding out where it is tiny. Added up from there, small terms first.
    """
    depth = np.arange(1, last + 1, dtype=np.float64)
    terms = p**depth / depth
    bound = p ** (last + 1) / ((last + 1) * (1.0 - p))
    beyond = min(max(-math.log1p(-p) - math.fsum(terms), 0.0), bound)
    return np.concatenate([[0.0], np.cumsum(np.append(terms, beyond)[::-1])[::-1]])


def rank_biased(common: Common, p: float) -> tuple[Floats, Floats, Floats]:
    """
    Extrapolated value, lower bound and residual per topic, without a loop over topics or depth.

    With m(e) the greater rank of a common document e, the weighted overlaps of all depths, sum of X_d p^d / d, equal
    the sum of T(m(e)). They are added as 64-bit fixed-point numbers (below p / (1 - p) a topic), so that swapping the
    lists gives the same bits.
    """
    if not 0.0 < p < 1.0:
        raise MeasureError("persistence p lies between 0 and 1, both excluded", got=p, todo="Use 0.9, for example.")
    short = np.minimum(common.length_a, common.length_b)
    long = np.maximum(common.length_a, common.length_b)
    table = _suffixes(p, 2 * int(long.max(initial=0)) + 1)
    power = p ** np.arange(len(table), dtype=np.float64)
    unit = 2.0 ** (62 - max(0, math.ceil(math.log2(p / (1.0 - p)))))
    seen = _sums(np.rint(table * unit).astype(np.int64)[common.deepest], common.starts) / unit
    shared = np.diff(common.starts)
    shared_short = common.counts_within(short)
    scale = (1.0 - p) / p
    union = long + short - shared

    def between(first: Ints, last: Ints) -> Floats:
        return table[first] - table[last + 1]

    low = scale * seen
    unseen = short * between(short + 1, union) + long * between(long + 1, union) + shared * table[union + 1]
    residual = power[short] + (power[long] - power[union]) - scale * unseen
    agreement = shared_short / np.maximum(short, 1)
    uneven = agreement * ((power[short + 1] - power[long + 1]) / (1.0 - p) - short * between(short + 1, long))
    at_end = (shared - shared_short) / np.maximum(long, 1) + agreement
    value = scale * (seen - shared * table[long + 1] + uneven) + at_end * power[long]
    # One exactly when the shorter list is the head of the longer one; rounding must neither miss nor exceed it.
    head = (_sums((common.same_rank > 0).astype(np.int64), common.same_rank_starts) == short) & (short > 0)
    value = np.where(head, 1.0, np.clip(value, 0.0, 1.0))
    undefined = long == 0
    return (
        np.where(undefined, np.nan, value),
        np.where(undefined, np.nan, np.clip(low, 0.0, 1.0)),
        np.where(undefined, np.nan, np.clip(residual, 0.0, 1.0)),
    )


@dataclass(frozen=True, slots=True)
class Similarity:
    """
    The rank-biased overlap of two single lists, or the reason there is none.

    `value` in [0, 1], 1 for the same order; `low` its lower bound; `residual` what unseen results could still change.
    """

    value: float | None
    low: float | None = None
    residual: float | None = None
    reason: str = ""


def rank_biased_overlap(a: Sequence[str], b: Sequence[str], *, p: float = PERSISTENCE) -> Similarity:
    """
    Extrapolated rank-biased overlap of two lists without ties, both read from the top, of any lengths.

    `p` in (0, 1) is persistence: 0.9 looks at about ten results. Undefined where both lists are empty.

    Raises `MeasureError` for `p` outside (0, 1), `InputError` where a list names a document twice.

    Webber, Moffat & Zobel (2010), ACM TOIS 28(4), equation 32. doi:10.1145/1852102.1852106
    """
    rank_a = {doc: rank for rank, doc in enumerate(a, start=1)}
    rank_b = {doc: rank for rank, doc in enumerate(b, start=1)}
    if len(rank_a) < len(a) or len(rank_b) < len(b):
        raise InputError("a list names a document twice", todo="Keep the first copy of each.")
    ranks = [(rank_a[doc], rank) for doc, rank in rank_b.items() if doc in rank_a]
    pairs = np.array(ranks, np.int64).reshape(-1, 2)
    lengths = np.array([len(a)]), np.array([len(b)])
    depth = max(len(a), len(b), 1)
    common = common_of(np.zeros(len(pairs), np.int64), pairs[:, 0], pairs[:, 1], lengths=lengths, depth=depth)
    value, low, residual = rank_biased(common, p)
    if not a and not b:
        return Similarity(None, reason="both lists are empty")
    return Similarity(float(value[0]), float(low[0]), float(residual[0]))
