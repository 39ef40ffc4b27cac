"""
A person's grade overrides one derived from clicks; how far do the two agree where there are both?
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from comparekit.agreement import Agreement, cohen_kappa, krippendorff_alpha, ratings_of, raw_agreement

HUMAN = "human"
Item = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """
    Judgment records in which no document has grades of both kinds.

    `overridden` counts the documents where a person's grade took the place of a derived one, `human` and `derived`
    those with one kind only. `agreement` speaks of the overridden ones: raw, Cohen's kappa, and alpha with grades as
    an order and as numbers; a document with several grades of one kind is taken at their median.
    """

    records: tuple[Mapping[str, Any], ...]
    human: int
    derived: int
    overridden: int
    agreement: tuple[Agreement, ...]


def merge(records: Iterable[Mapping[str, Any]]) -> Merged:
    """
    Leave out derived grades where a person graded the same document for the same topic.

    `records` have `topic`, `doc` and `grade`, and a `source`; without one they are a person's.
    """
    every = tuple(records)
    by_kind: dict[bool, dict[Item, list[float]]] = {True: {}, False: {}}
    for record in every:
        by_kind[is_human(record)].setdefault((record["topic"], record["doc"]), []).append(record["grade"])
    human, derived = by_kind[True], by_kind[False]
    both = sorted(human.keys() & derived.keys())
    ratings = ratings_of(
        (item, kind, float(median(grades[item]))) for item in both for kind, grades in (("h", human), ("d", derived))
    )
    return Merged(
        records=tuple(each for each in every if is_human(each) or (each["topic"], each["doc"]) not in human),
        human=len(human) - len(both),
        derived=len(derived) - len(both),
        overridden=len(both),
        agreement=(
            raw_agreement(ratings),
            cohen_kappa(ratings, pair=("h", "d")),
            krippendorff_alpha(ratings, level="ordinal"),
            krippendorff_alpha(ratings, level="interval"),
        ),
    )


def is_human(record: Mapping[str, Any]) -> bool:
    """Whether a person gave this grade."""
    return bool(record.get("source", HUMAN) == HUMAN)
