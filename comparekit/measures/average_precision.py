"""Average precision: precision at every relevant document."""

import numpy as np

from comparekit.alignment import JudgedLists
from comparekit.measures.counting import (
    JUDGED_ONLY,
    REL,
    before,
    per_topic,
    place,
    ratio,
    relevant,
    where_relevant,
    within,
)
from comparekit.measures.registry import Values, measure

_SMALL = 1e-5


@measure(
    "AP", label="Average precision", cutoff="optional", aliases=("MAP",),
    params={"rel": REL, "judged_only": JUDGED_ONLY},
    help="The mean, over all documents judged relevant, of the precision at their rank; one not retrieved counts 0.",
    source="Harman (1992), Evaluation issues in information retrieval, Information Processing & Management 28(4)",
)
def average_precision(lists: JudgedLists, *, cutoff: int | None, rel: float) -> Values:
    """The sum of the precision at every relevant rank, divided by all relevant documents; in [0, 1]."""
    hits = (lists.grade >= rel) & within(lists, cutoff)
    found = place(lists.topic[hits]) + 1
    count = relevant(lists, rel)
    return where_relevant(lists, ratio(per_topic(lists, hits, found / lists.rank[hits]), count), count)


@measure(
    "infAP", label="Inferred average precision", cutoff="none", params={"rel": REL}, low=0.0, high=1.0,
    help=(
        "Average precision estimated from a sample of judgments. Here alone a negative grade means: in the pool, "
        "but not judged."
    ),
    source="Yilmaz & Aslam (2006), Estimating average precision with incomplete and imperfect judgments, CIKM, eq. 1",
)
def inferred_average_precision(lists: JudgedLists, *, rel: float) -> Values:
    """The expected precision at every relevant rank, divided by all relevant documents; in [0, 1]."""
    hits, miss = lists.grade >= rel, (lists.grade >= 0) & (lists.grade < rel)
    found, missed = (before(lists.topic, flag)[hits] for flag in (hits, miss))
    pooled = place(lists.topic)[hits]
    rank = lists.rank[hits]
    reached, share = (rank - 1) / rank, pooled / np.maximum(rank - 1, 1)
    expected = 1.0 / rank + reached * share * ((found + _SMALL) / (found + missed + 2 * _SMALL))
    count = relevant(lists, rel)
    return where_relevant(lists, ratio(per_topic(lists, hits, expected), count), count)
