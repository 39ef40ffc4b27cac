"""Binary preference: are judged relevant results above judged irrelevant ones?"""

import numpy as np

from comparekit.alignment import JudgedLists
from comparekit.measures.counting import REL, before, judged, per_topic, ratio, relevant, where_relevant
from comparekit.measures.registry import Values, measure


@measure(
    "Bpref", label="Binary preference", cutoff="none", params={"rel": REL}, aliases=("BPref", "bpref"),
    help=(
        "How rarely a document judged irrelevant stands above one judged relevant. Documents that nobody judged are "
        "passed over; a negative grade is judged irrelevant."
    ),
    source="Buckley & Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR; as trec_eval since 8.0",
)
def binary_preference(lists: JudgedLists, *, rel: float) -> Values:
    """
    1/R times the sum, over retrieved relevant results, of 1 - min(n, R) / min(N, R); in [0, 1], higher is better.

    R documents are judged relevant, N irrelevant, n of them above the result; the term is 1 where n is 0.
    """
    hits = lists.grade >= rel
    good = relevant(lists, rel)
    bad = judged(lists) - good
    topic = lists.topic[hits]
    above = np.minimum(before(lists.topic, ~hits)[hits].astype(np.float64), good[topic])
    term = 1.0 - ratio(above, np.minimum(bad, good)[topic])
    return where_relevant(lists, ratio(per_topic(lists, hits, term), good), good)
