"""Which two receipts does a topic stand for, and do their lists differ as far as a person sees them?"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from comparekit.canonical import digest_of
from comparekit.columns import Bools, Ints
from comparekit.comparison import Comparison

DEPTH = 10
"""How many documents of each list a person is shown, unless told otherwise."""


@dataclass(frozen=True, slots=True, repr=False)
class Pair:
    """One topic's two receipts, by digest; `digest` is of both, the same whichever comes first."""

    topic: str
    receipt_a: str
    receipt_b: str
    digest: str


def pair_digest(one: str, other: str) -> str:
    """The identity of two receipts laid side by side, whichever stands left."""
    return digest_of(sorted((one, other)))


def pairs(comparison: Comparison) -> Mapping[str, Pair]:
    """The open topics that both sides gave an answer to, in the order of the topics."""
    found = {}
    judgeable = comparison.overlap.answered & comparison.open_topics
    for position in np.flatnonzero(judgeable).tolist():
        topic = comparison.experiment.topics.ids[position]
        a, b = comparison.a.receipt_digest(topic), comparison.b.receipt_digest(topic)
        if a is not None and b is not None:
            found[topic] = Pair(topic, a, b, pair_digest(a, b))
    return found


def shown_depth(comparison: Comparison, depth: int) -> int:
    """How much of each list may be shown: no more than both sides were asked for, which would tell them apart."""
    return min(depth, comparison.depth)


def differing(comparison: Comparison, *, depth: int = DEPTH) -> Bools:
    """Which pinned topics have two lists that differ within the first `depth` documents."""
    alignment, depth = comparison.alignment, shown_depth(comparison, depth)
    same_place = (alignment.shared_rank_a == alignment.shared_rank_b) & (alignment.shared_rank_a <= depth)
    unmoved = np.bincount(alignment.shared_topic[same_place], minlength=len(alignment.topics))
    differs: Bools = (unmoved != _shown(alignment.a.length, depth)) | (unmoved != _shown(alignment.b.length, depth))
    return differs


def _shown(length: Ints, depth: int) -> Ints:
    return np.minimum(length, depth)
