"""Which grades may a document be given here, and with which keys?"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from comparekit.experiment import Experiment

MOST = 10
"""As many as there are digits on a keyboard."""


@dataclass(frozen=True, slots=True)
class Step:
    """One grade: its key, as people write it, and what it means here."""

    key: str
    grade: float
    name: str
    meaning: str


def steps(experiment: Experiment) -> tuple[Step, ...]:
    """
    The grades of an experiment, lowest first: the whole numbers of its declared scale, else the grades in use.

    A grade that is a digit has itself as its key, as long as all of them are; else they are counted from 1.
    More than `MOST` grades are thinned to the lowest, the highest and what is used most between them.
    """
    grades = _declared(experiment) or _used(experiment)
    digits = all(grade in range(MOST) for grade in grades)
    relevant = experiment.declaration.relevant_from
    return tuple(
        Step(
            key=f"{grade:g}" if digits else str((place + 1) % MOST),
            grade=grade,
            name=f"{grade:g}",
            meaning=_meaning(grade, grades, relevant),
        )
        for place, grade in enumerate(grades)
    )


def _declared(experiment: Experiment) -> list[float]:
    scale = experiment.declaration.scale
    if scale is None or not all(bound.is_integer() for bound in scale) or scale[1] - scale[0] >= MOST:
        return []
    return [float(grade) for grade in range(int(scale[0]), int(scale[1]) + 1)]


def _used(experiment: Experiment) -> list[float]:
    values, counts = np.unique(experiment.judgments.grades.grades, return_counts=True)
    found: Mapping[float, int] = dict(zip(values.tolist(), counts.tolist(), strict=True))
    if len(found) < 2:
        return [0.0, max(1.0, *found) if found else 1.0]
    ends = [min(found), max(found)]
    between = sorted(set(found) - set(ends), key=lambda grade: (-found[grade], grade))[: MOST - 2]
    return sorted([*ends, *between])


def _meaning(grade: float, grades: list[float], relevant: float) -> str:
    if grade == grades[0]:
        return "lowest" if grade >= relevant else "not relevant"
    if grade == grades[-1]:
        return "best"
    return "relevant" if grade >= relevant else "not relevant"
