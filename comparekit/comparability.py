"""May these two receipt sets be compared, and what differs between them?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from comparekit.errors import NotComparable
from comparekit.manifests import Manifest
from comparekit.policy import fields
from comparekit.receipts import ReceiptSet
from comparekit.topics import TopicSet

Level = Literal["comparable", "unverified", "monitoring", "exploratory"]
Status = Literal["same", "differs", "not recorded"]


@dataclass(frozen=True, slots=True)
class PolicyField:
    """One recorded value of both policies; None where a side did not record it."""

    name: str
    a: Any
    b: Any
    status: Status


@dataclass(frozen=True, slots=True)
class Comparability:
    """
    How far a comparison may be trusted, and every policy field side by side.

    `comparable`: same topics, same corpus. `unverified`: the corpus is not recorded on both sides.
    `monitoring`: the corpora differ, so a difference need not come from the rankers.
    `exploratory`: other topics were asked; only shown on request, and marked everywhere.
    """

    level: Level
    sentence: str
    fields: tuple[PolicyField, ...]

    @property
    def differing(self) -> tuple[PolicyField, ...]:
        """The fields that differ, in policy order."""
        return tuple(field for field in self.fields if field.status == "differs")


def comparability(a: Manifest, b: Manifest, *, topics: TopicSet, exploratory: bool = False) -> Comparability:
    """
    What may be said of two receipt sets over pinned topics.

    Raises `NotComparable` when a side answered other topics, unless `exploratory` was asked for.
    """
    laid_out = lay_out(a.policy, b.policy)
    strangers = [each for each in (a, b) if each.topics.get("digest") != topics.digest]
    if strangers and not exploratory:
        raise NotComparable(
            f"{strangers[0].name} answered other topics than the experiment pins",
            expected=topics.digest,
            got=strangers[0].topics.get("digest"),
            todo="Seal it against these topics, or open it as exploratory.",
        )
    if strangers:
        names = " and ".join(each.name for each in strangers)
        return Comparability(
            "exploratory", f"Exploratory: {names} answered other topics than the experiment pins.", laid_out
        )
    level, sentence = _corpus(a.policy["corpus"].get("digest"), b.policy["corpus"].get("digest"))
    return Comparability(level, sentence, laid_out)


def lay_out(a: Mapping[str, Any], b: Mapping[str, Any]) -> tuple[PolicyField, ...]:
    """Both policies value by value."""
    left, right = dict(fields(a)), dict(fields(b))
    return tuple(_field(name, left.get(name), right.get(name)) for name in dict.fromkeys((*left, *right)))


def common_depth(a: ReceiptSet, b: ReceiptSet, *, declared: int | None) -> tuple[int, str]:
    """
    How deep two sets of lists are compared, and by which rule: as declared, else the smaller recorded budget,
    else the longest list of the side whose longest list is shorter.
    """
    if declared is not None:
        return declared, "declared"
    budgets = [each.manifest.policy["budget"].get("depth") for each in (a, b)]
    if all(isinstance(budget, int) for budget in budgets):
        return min(budgets), "the smaller recorded budget"
    longest = [int(np.diff(each.lists.offsets).max(initial=1)) for each in (a, b)]
    return min(longest), "the longest list of both sides (no budget is recorded)"


def _field(name: str, a: Any, b: Any) -> PolicyField:
    if a is None or b is None:
        return PolicyField(name, a, b, "not recorded")
    return PolicyField(name, a, b, "same" if a == b else "differs")


def _corpus(a: str | None, b: str | None) -> tuple[Level, str]:
    if a is None or b is None:
        return (
            "unverified",
            "Same pinned topics. Whether both searched the same documents is not recorded, so this is unverified.",
        )
    if a == b:
        return "comparable", "Same pinned topics, same documents."
    return "monitoring", "Same pinned topics, other documents: this is monitoring, not a regression test."
