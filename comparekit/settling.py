"""Which grade do several people's answers make?"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

Rule = Literal["majority", "median", "adjudicated"]
RULES: dict[Rule, str] = {
    "majority": "the grade that more than half of the graders gave",
    "median": "the middle grade, halfway between the two middle ones where their number is even",
    "adjudicated": "the adjudicated grade, else the one that all graders gave",
}
Outcome = Literal["unanimous", "majority", "median", "adjudicated", "unresolved"]


@dataclass(frozen=True, slots=True)
class Settled:
    """One grade and how it came about; None where the answers settle nothing."""

    grade: float | None
    outcome: Outcome


UNRESOLVED = Settled(None, "unresolved")


def settle(grades: Sequence[float], *, rule: Rule, rulings: Iterable[float | None] = ()) -> Settled:
    """
    The grade that `grades`, one a grader, make under a rule.

    Unanimous grades settle themselves under every rule. `rulings` are what adjudicators decided, None for
    "unresolved"; they count under the rule "adjudicated" only, and two that contradict each other settle nothing.
    """
    decided = set(rulings) if rule == "adjudicated" else set()
    if decided:
        ruling = next(iter(decided))
        return UNRESOLVED if len(decided) > 1 or ruling is None else Settled(ruling, "adjudicated")
    if not grades:
        return UNRESOLVED
    grade, most = Counter(grades).most_common(1)[0]
    if most == len(grades):
        return Settled(grade, "unanimous")
    if rule == "median":
        return Settled(float(median(grades)), "median")
    return Settled(grade, "majority") if rule == "majority" and 2 * most > len(grades) else UNRESOLVED
