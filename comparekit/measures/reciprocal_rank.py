"""Reciprocal rank: how far down the first relevant result stands."""

import numpy as np

from comparekit.alignment import JudgedLists
from comparekit.measures.counting import JUDGED_ONLY, REL, place, relevant, where_relevant, within
from comparekit.measures.registry import Values, measure


@measure(
    "RR", label="Reciprocal rank", cutoff="optional", params={"rel": REL, "judged_only": JUDGED_ONLY}, aliases=("MRR",),
    help="One over the rank of the first relevant result; 0 if none is retrieved (inside the cutoff, if there is one).",
    source="Kantor & Voorhees (2000), The TREC-5 confusion track, Information Retrieval 2",
)
def reciprocal_rank(lists: JudgedLists, *, cutoff: int | None, rel: float) -> Values:
    """1 / rank of the first relevant result inside the cutoff, else 0; in [0, 1], higher is better."""
    hits = np.flatnonzero((lists.grade >= rel) & within(lists, cutoff))
    first = hits[place(lists.topic[hits]) == 0]
    value = np.zeros(lists.topics)
    value[lists.topic[first]] = 1.0 / lists.rank[first]
    return where_relevant(lists, value, relevant(lists, rel))
