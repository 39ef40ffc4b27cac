"""Rank-biased precision: what a reader gains who goes on to the next result with probability p."""

import numpy as np

from comparekit.alignment import JudgedLists
from comparekit.columns import Bools, Floats, Ints
from comparekit.errors import MeasureError
from comparekit.measures.counting import REL, per_topic, relevant, where_relevant, within
from comparekit.measures.registry import Param, Values, measure

PERSISTENCE = 0.8


@measure(
    "RBP", label="Rank-biased precision", cutoff="optional",
    params={
        "p": Param(PERSISTENCE, "Persistence: the chance to go on to the next result.", above=0.0, below=1.0),
        # ir_measures knows no default here: its RBP without rel= is another, graded measure.
        "rel": Param(1, REL.help, above=0.0, printed=True),
        "gain": Param(
            "binary", "What a relevant result gives: 1, or its grade as a share of the scale's top grade.",
            choices=("binary", "graded"),
        ),
    },
    help="The share of results looked at that are relevant, for a reader who goes on to the next with probability p.",
    source="Moffat & Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1)",
)
def rank_biased_precision(lists: JudgedLists, *, cutoff: int | None, p: float, rel: float, gain: str) -> Values:
    """(1 - p) times the sum of gain * p^(rank - 1); in [0, 1], higher is better. See `rbp_residual`."""
    hits = (lists.grade >= rel) & within(lists, cutoff)
    gained = np.ones(int(hits.sum())) if gain == "binary" else _graded(lists, hits)
    value = (1 - p) * per_topic(lists, hits, gained * _weight(lists.rank[hits], p))
    return where_relevant(lists, value, relevant(lists, rel))


def _weight(rank: Ints, p: float) -> Floats:
    return np.asarray(p ** (rank - 1.0), np.float64)


def _graded(lists: JudgedLists, hits: Bools) -> Floats:
    if not lists.top_grade > 0:
        what = "RBP(gain='graded') needs the top grade of the scale"
        raise MeasureError(what, todo="Declare the scale of the judgments.")
    return lists.grade[hits] / lists.top_grade


def rbp_residual(lists: JudgedLists, *, p: float = PERSISTENCE) -> Floats:
    """
    How much RBP could still grow if everything unjudged or unseen were relevant, for every topic; in [0, 1].

    The sum of (1 - p) * p^(rank - 1) over unjudged results and all ranks below the list.

    Moffat & Zobel (2008), ACM TOIS 27(1), section 4.4.
    """
    return 1.0 - (1 - p) * per_topic(lists, within(lists, None), _weight(lists.rank, p))
