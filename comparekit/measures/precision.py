"""Precision and success: what the first results hold."""

from comparekit.alignment import JudgedLists
from comparekit.measures.counting import JUDGED_ONLY, REL, per_topic, relevant, where_relevant
from comparekit.measures.registry import Values, measure


@measure(
    "P", label="Precision", cutoff="required", params={"rel": REL, "judged_only": JUDGED_ONLY}, aliases=("Precision",),
    help="The share of the first k results that are relevant. A shorter list counts as filled up with irrelevant ones.",
    source="Kent et al. (1955), Machine literature searching VIII, American Documentation 6(2)",
)
def precision(lists: JudgedLists, *, cutoff: int, rel: float) -> Values:
    """Relevant results inside the cutoff, divided by the cutoff; in [0, 1], higher is better."""
    hits = (lists.grade >= rel) & (lists.rank <= cutoff)
    return where_relevant(lists, per_topic(lists, hits) / cutoff, relevant(lists, rel))


@measure(
    "Success", label="Success", cutoff="required", params={"rel": REL, "judged_only": JUDGED_ONLY},
    help="1 if any of the first k results is relevant, else 0.",
    source="Craswell & Hawking (2005), Overview of the TREC-2004 Web track",
)
def success(lists: JudgedLists, *, cutoff: int, rel: float) -> Values:
    """1 where a relevant result stands inside the cutoff, else 0; higher is better."""
    hits = (lists.grade >= rel) & (lists.rank <= cutoff)
    return where_relevant(lists, (per_topic(lists, hits) > 0).astype(float), relevant(lists, rel))
