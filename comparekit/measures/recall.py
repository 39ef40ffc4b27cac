"""Recall: how much of what is relevant was found."""

from comparekit.alignment import JudgedLists
from comparekit.measures.counting import JUDGED_ONLY, REL, per_topic, ratio, relevant, where_relevant
from comparekit.measures.registry import Values, measure


@measure(
    "R", label="Recall", cutoff="required", params={"rel": REL, "judged_only": JUDGED_ONLY}, aliases=("Recall",),
    help="The share of all documents judged relevant that stand in the first k results.",
    source="Kent et al. (1955), Machine literature searching VIII, American Documentation 6(2)",
)
def recall(lists: JudgedLists, *, cutoff: int, rel: float) -> Values:
    """Relevant results inside the cutoff, divided by all relevant documents; in [0, 1], higher is better."""
    count = relevant(lists, rel)
    hits = (lists.grade >= rel) & (lists.rank <= cutoff)
    return where_relevant(lists, ratio(per_topic(lists, hits), count), count)
