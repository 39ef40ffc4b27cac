"""Sums and counts of a topic, and the rule about topics without a relevant judgment: what the families share."""

import numpy as np

from comparekit.alignment import JudgedLists
from comparekit.columns import Bools, Floats, Ints
from comparekit.measures.registry import DEFINED, NOTHING_JUDGED, NOTHING_RELEVANT, Param, Values

REL = Param(1, "The grade from which a document counts as relevant.", above=0.0)
JUDGED_ONLY = Param(False, "Whether results that nobody judged are taken out of the list first.")


def per_topic(lists: JudgedLists, hits: Bools, weights: Floats | None = None) -> Floats:
    """
    The sum of `weights` (1 each, if none) over the marked judged results of every topic.

    Added in rank order, as trec_eval does, so that the last bit is the same.
    """
    return np.bincount(lists.topic[hits], weights=weights, minlength=lists.topics).astype(np.float64)


def within(lists: JudgedLists, cutoff: int | None) -> Bools:
    """Which judged results stand inside the cutoff."""
    return np.ones(len(lists.rank), np.bool_) if cutoff is None else lists.rank <= cutoff


def relevant(lists: JudgedLists, rel: float) -> Floats:
    """How many documents of every topic are judged relevant, retrieved or not."""
    return np.bincount(lists.pool_topic[lists.pool_grade >= rel], minlength=lists.topics).astype(np.float64)


def judged(lists: JudgedLists) -> Floats:
    """How many documents of every topic are judged."""
    return np.bincount(lists.pool_topic, minlength=lists.topics).astype(np.float64)


def place(topic: Ints) -> Ints:
    """For every row, how many rows of the same topic come before it; rows stand topic after topic."""
    count = np.bincount(topic)
    return np.arange(len(topic)) - (np.cumsum(count) - count)[topic]


def before(topic: Ints, flag: Bools) -> Ints:
    """For every row, how many flagged rows of the same topic come before it; rows stand topic after topic."""
    count: Ints = np.concatenate([np.zeros(1, np.int64), np.cumsum(flag)])
    return np.asarray(count[:-1] - count[np.arange(len(topic)) - place(topic)])


def ratio(part: Floats, whole: Floats) -> Floats:
    """`part / whole`, 0 where `whole` is 0."""
    return np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)


def where_relevant(lists: JudgedLists, value: Floats, count: Floats) -> Values:
    """`value` for topics with a relevant judgment (`count` above 0), undefined with its reason for all others."""
    reason = np.where(judged(lists) > 0, NOTHING_RELEVANT, NOTHING_JUDGED)
    return undefined_where(value, np.where(count > 0, DEFINED, reason))


def where_judged(lists: JudgedLists, value: Floats) -> Values:
    """`value` for topics with any judgment, undefined for all others."""
    return undefined_where(value, np.where(judged(lists) > 0, DEFINED, NOTHING_JUDGED))


def undefined_where(value: Floats, reason: Ints) -> Values:
    """`value` where `reason` is 0, undefined elsewhere."""
    return Values(np.where(reason == DEFINED, value, np.nan), reason.astype(np.int8))
