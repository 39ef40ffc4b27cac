"""How much of what is shown has been judged."""

import numpy as np

from comparekit.alignment import JudgedLists
from comparekit.measures.counting import judged, per_topic, ratio, undefined_where, within
from comparekit.measures.registry import DEFINED, NOTHING_JUDGED, NOTHING_RETRIEVED, Param, Values, measure


@measure(
    "Judged", label="Judged share", cutoff="optional", better=None,
    params={
        "of": Param(
            "shown", "What the share is of: the results shown, at most k, or k itself even where the list is shorter.",
            choices=("shown", "cutoff"), with_cutoff=("cutoff",),
        ),
    },
    help="The share of the first k results that somebody judged. The lower it is, the less every other figure says.",
    source="Sakai (2007), Alternatives to bpref, SIGIR",
)
def judged_share(lists: JudgedLists, *, cutoff: int | None, of: str) -> Values:
    """Judged results inside the cutoff, divided by the results shown or by the cutoff; in [0, 1]."""
    seen = per_topic(lists, within(lists, cutoff))
    whole = np.minimum(lists.length, cutoff or lists.length).astype(np.float64)
    if of == "cutoff":
        whole = np.full(lists.topics, float(cutoff or 0))
    shown = np.where(whole > 0, DEFINED, NOTHING_RETRIEVED)
    return undefined_where(ratio(seen, whole), np.where(judged(lists) > 0, shown, NOTHING_JUDGED))
