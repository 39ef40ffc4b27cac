"""Normalised discounted cumulative gain: graded relevance, discounted by rank, against an ideal ranking."""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from comparekit.alignment import JudgedLists
from comparekit.columns import Floats, Ints
from comparekit.errors import MeasureError
from comparekit.measures.counting import JUDGED_ONLY, per_topic, place, ratio, where_judged, where_relevant, within
from comparekit.measures.registry import Param, Values, measure

_STEEPEST = 1000


@measure(
    "nDCG", label="Normalised discounted cumulative gain", cutoff="optional", aliases=("NDCG",),
    params={
        "dcg": Param(
            "log2",
            "Gain and discount: the grade over log2(rank + 1); 2^grade - 1 over the same; the grade over the rank; the "
            "grade over log2(rank), undiscounted at ranks 1 and 2.",
            choices=("log2", "exp-log2", "zipf", "jk-log2"),
        ),
        "judged_only": JUDGED_ONLY,
        "ideal": Param(
            "judged",
            "What is ideal: the judged documents of the topic, best first, or as many of the scale's top grade as fit.",
            choices=("judged", "max"), with_cutoff=("max",),
        ),
    },
    help=(
        "The gain of the results, less the further down they stand, as a share of the best possible. Documents that "
        "nobody judged gain nothing."
    ),
    source=(
        "Järvelin & Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4); "
        "exponential gain: Burges et al. (2005), Learning to rank using gradient descent, ICML"
    ),
)
def ndcg(lists: JudgedLists, *, cutoff: int | None, dcg: str, ideal: str) -> Values:
    """
    The discounted gain of the results divided by that of the ideal ranking; in [0, 1], higher is better.

    Against the judged documents a topic with no grade above 0 is undefined. Against the top grade (nDCG-m) it is 0.
    """
    gain, discount = _GAINS[dcg], _DISCOUNTS[dcg]
    _require_gain(lists, dcg)
    hits = (lists.grade > 0) & within(lists, cutoff)
    reached = per_topic(lists, hits, gain(lists.grade[hits]) / discount(lists.rank[hits]))
    if ideal == "max":
        return where_judged(lists, reached / _best_of_scale(lists, cutoff or 0, dcg))
    best = _best_judged(lists, cutoff, dcg)
    return where_relevant(lists, ratio(reached, best), best)


def _best_judged(lists: JudgedLists, cutoff: int | None, dcg: str) -> Floats:
    """The discounted gain of the judged documents of every topic, best first."""
    good = lists.pool_grade > 0
    topic, grade = lists.pool_topic[good], lists.pool_grade[good]
    rank = place(topic) + 1
    top = rank <= (cutoff or len(rank))
    gains = _GAINS[dcg](grade[top]) / _DISCOUNTS[dcg](rank[top])
    return np.bincount(topic[top], weights=gains, minlength=lists.topics).astype(np.float64)


def _best_of_scale(lists: JudgedLists, cutoff: int, dcg: str) -> float:
    """The discounted gain of `cutoff` documents of the top grade."""
    if not lists.top_grade > 0:
        what = "nDCG(ideal='max') needs the top grade of the scale"
        raise MeasureError(what, todo="Declare the scale of the judgments.")
    ranks = np.arange(1, cutoff + 1)
    gain = _GAINS[dcg](np.full(cutoff, lists.top_grade))
    return float(np.cumsum(gain / _DISCOUNTS[dcg](ranks))[-1])


def _require_gain(lists: JudgedLists, dcg: str) -> None:
    if dcg == "exp-log2" and len(lists.pool_grade) and lists.pool_grade.max() > _STEEPEST:
        raise MeasureError(
            "grades are too large for an exponential gain", expected=f"at most {_STEEPEST}",
            got=f"{lists.pool_grade.max():g}", todo="Use nDCG with dcg='log2'.",
        )


@lru_cache(maxsize=8)
def _logarithms(size: int) -> Floats:
    # math.log2, not numpy's: trec_eval calls the C library too, and the last bit should be the same.
    return np.array([0.0, *map(math.log2, range(1, size))])


def _log2(numbers: Ints) -> Floats:
    size = 1 << int(numbers.max(initial=1)).bit_length()
    return np.asarray(_logarithms(size)[numbers])


def _linear(grade: Floats) -> Floats:
    return grade


def _exponential(grade: Floats) -> Floats:
    return np.exp2(grade) - 1.0


_GAINS: dict[str, Callable[[Floats], Floats]] = {
    "log2": _linear, "exp-log2": _exponential, "zipf": _linear, "jk-log2": _linear,
}
_DISCOUNTS: dict[str, Callable[[Ints], Floats]] = {
    "log2": lambda rank: _log2(rank + 1),
    "exp-log2": lambda rank: _log2(rank + 1),
    "zipf": lambda rank: rank.astype(np.float64),
    "jk-log2": lambda rank: _log2(np.maximum(rank, 2)),
}
