"""
For whom did it get better? One measure by stratum, and a warning where a stratum contradicts the total.

Topics without a stratum are a stratum of their own. Nothing is dropped: the topics of one name's strata add up to all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from comparekit.columns import Ints
from comparekit.errors import InputError
from comparekit.figures import Figure, too_few
from comparekit.inference import Interval, interval_of
from comparekit.paired import Paired
from comparekit.resampling import FLIPS, RESAMPLES, mean_of
from comparekit.significance import holm, randomization_test

NO_STRATUM = "(none)"
MIN_TOPICS = 6


@dataclass(frozen=True, slots=True)
class Stratum:
    """
    One measure over the topics whose stratum `name` has `value`; the value None is the topics that have none.

    `topics` counts all of them, `n` the comparable ones, which `mean` (delta, B - A), `interval`, `p` (randomization)
    and wins, ties and losses rest on. Below six comparable topics there is no p. `adjusted` is Holm's p over all strata
    of the measure. `contradicts`: at least six topics, and the whole interval on the other side of zero than the mean
    of all topics.
    """

    name: str
    value: str | None
    topics: int
    n: int
    mean: Figure
    interval: Interval
    wins: int
    ties: int
    losses: int
    not_comparable: int
    p: Figure
    adjusted: Figure
    contradicts: bool

    @property
    def label(self) -> str:
        """The value for people; `(none)` where there is none."""
        return NO_STRATUM if self.value is None else self.value


@dataclass(frozen=True, slots=True)
class StrataTable:
    """
    All strata of one measure, by name, then value with None last; `family` p values were corrected together.

    `total` is the mean delta over all comparable topics that the strata are held against.
    """

    rows: tuple[Stratum, ...]
    family: int
    total: Figure

    @property
    def contradictions(self) -> tuple[Stratum, ...]:
        """The strata that contradict the total."""
        return tuple(row for row in self.rows if row.contradicts)


def strata_table(
    paired: Paired,
    labels: Mapping[str, Sequence[str | None]],
    *,
    seed: int,
    resamples: int = RESAMPLES,
    flips: int = FLIPS,
) -> StrataTable:
    """
    One measure by stratum: for each name in `labels`, one value per topic of `paired`, None where it has none.

    Raises `InputError` where a name has not one label a topic.
    """
    for name, values in labels.items():
        if len(values) != len(paired.delta):
            raise InputError(f"stratum {name} has not one label a topic", expected=len(paired.delta), got=len(values))
    total = paired.comparable
    mean = Figure(mean_of(total)) if len(total) else Figure(None, too_few(0))
    rows = [
        _stratum(name, value, paired.take(members), total=mean.value or 0.0, draws=(seed, resamples, flips))
        for name, values in labels.items()
        for value, members in _members(values)
    ]
    corrected = holm([row.p.value for row in rows])
    adjusted = (
        replace(row, adjusted=Figure(p, "" if p is not None else row.p.reason))
        for row, p in zip(rows, corrected.adjusted, strict=True)
    )
    return StrataTable(tuple(adjusted), corrected.family, mean)


def _members(values: Sequence[str | None]) -> list[tuple[str | None, Ints]]:
    positions: dict[str | None, list[int]] = {}
    for position, value in enumerate(values):
        positions.setdefault(value, []).append(position)
    ordered = sorted(positions, key=lambda value: (value is None, value or ""))
    return [(value, np.array(positions[value], np.int64)) for value in ordered]


def _stratum(name: str, value: str | None, paired: Paired, *, total: float, draws: tuple[int, int, int]) -> Stratum:
    seed, resamples, flips = draws
    deltas = paired.comparable
    enough = len(deltas) >= MIN_TOPICS
    interval = interval_of(deltas, seed=seed, resamples=resamples)
    few = too_few(len(deltas)) if len(deltas) < 2 else f"fewer than {MIN_TOPICS} topics"
    p = randomization_test(deltas, seed=seed, flips=flips).p if enough else Figure(None, few)
    return Stratum(
        name=name,
        value=value,
        topics=len(paired.delta),
        n=len(deltas),
        mean=Figure(mean_of(deltas)) if len(deltas) else Figure(None, too_few(0)),
        interval=interval,
        wins=paired.wins,
        ties=paired.ties,
        losses=paired.losses,
        not_comparable=paired.not_comparable,
        p=p,
        adjusted=p,
        contradicts=enough and interval.side() * total < 0,
    )
