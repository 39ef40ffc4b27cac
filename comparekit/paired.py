"""
Where did B win, and by how much? The values of one measure for A and B, topic by topic.

A delta is always B - A. A topic that cannot be compared keeps its place, with a reason; it is in no mean and no count
but its own.
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from comparekit.columns import Bools, Floats, Ints
from comparekit.errors import DeclarationError, InputError
from comparekit.figures import NO_TOPIC, Figure
from comparekit.measures.registry import NOTHING_JUDGED, NOTHING_RELEVANT, REASONS, Better, Values
from comparekit.resampling import DECIMALS, mean_of
from comparekit.states import EMPTY, FAILED, MISSING, States

WIN, TIE, LOSS, NOT_COMPARABLE = 1, 0, -1, 2
FROM_ZERO = "from 0"
SHOWN = 10

MissingRule = Literal["undeclared", "empty", "failed"]

_OF_THE_TOPIC = (NOTHING_RELEVANT, NOTHING_JUDGED)
_STATE_TEXT = {FAILED: ("failed", "failed"), MISSING: ("is missing", "are missing")}


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """
    One measure for A and B over n topics, in the order of the topics.

    `a` and `b` are NaN where that side has no value; `delta` is B - A rounded to 12 decimals, NaN where the topic is
    not comparable. `outcome` is from B's side: 1 win, 0 tie, -1 loss, 2 not comparable; where lower is `better`, a
    negative delta is a win. `reason` is a place in `reasons`, 0 where comparable. `absent` marks topics that are
    missing on a side; while `rule` leaves open what that means, the figures are provisional and `as_empty` is the same
    pairing with those topics as empty answers.
    """

    a: Floats
    b: Floats
    delta: Floats
    outcome: npt.NDArray[np.int8]
    reason: Ints
    reasons: tuple[str, ...]
    absent: Bools
    rule: MissingRule
    better: Better
    as_empty: "Paired | None"

    @property
    def is_comparable(self) -> Bools:
        """Which topics can be compared."""
        comparable: Bools = self.outcome != NOT_COMPARABLE
        return comparable

    @property
    def comparable(self) -> Floats:
        """The deltas of the comparable topics, in topic order: what `infer` takes."""
        return self.delta[self.is_comparable]

    @property
    def n(self) -> int:
        """The number of comparable topics."""
        return int(np.count_nonzero(self.is_comparable))

    @property
    def wins(self) -> int:
        """The number of topics at which B is better."""
        return int(np.count_nonzero(self.outcome == WIN))

    @property
    def ties(self) -> int:
        """The number of topics at which the delta is within the tie band."""
        return int(np.count_nonzero(self.outcome == TIE))

    @property
    def losses(self) -> int:
        """The number of topics at which B is worse."""
        return int(np.count_nonzero(self.outcome == LOSS))

    @property
    def not_comparable(self) -> int:
        """The number of topics left out, for whatever reason."""
        return len(self.outcome) - self.n

    @property
    def missing(self) -> int:
        """The number of topics that are missing on at least one side."""
        return int(np.count_nonzero(self.absent))

    @property
    def provisional(self) -> bool:
        """Whether missing topics would change the figures, while nobody declared what they are."""
        return self.as_empty is not None and self.as_empty.n != self.n

    @property
    def left_out(self) -> tuple[tuple[str, int], ...]:
        """Why topics were left out, and how many for each reason, the most frequent first."""
        counts = Counter(self.reasons[code] for code in self.reason[~self.is_comparable].tolist())
        return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    @property
    def mean_a(self) -> Figure:
        """A's mean over the comparable topics."""
        return _mean(self.a[self.is_comparable])

    @property
    def mean_b(self) -> Figure:
        """B's mean over the comparable topics."""
        return _mean(self.b[self.is_comparable])

    @property
    def relative_change(self) -> Figure:
        """The change of the two means, relative to A's; never a mean of the topics' percentages."""
        return relative_change(self.mean_a, self.mean_b)

    def reason_of(self, position: int) -> str:
        """Why the topic at `position` is not comparable; empty where it is."""
        return self.reasons[int(self.reason[position])]

    def take(self, topics: Bools | Ints) -> "Paired":
        """The same pairing for some of its topics, given as a mask or as positions."""
        names = ("a", "b", "delta", "outcome", "reason", "absent")
        as_empty = self.as_empty.take(topics) if self.as_empty else None
        return replace(self, **{name: getattr(self, name)[topics] for name in names}, as_empty=as_empty)


def pair(
    values_a: Values,
    values_b: Values,
    *,
    state_a: States,
    state_b: States,
    missing: MissingRule = "undeclared",
    tie_band: float = 0.0,
    better: Better | None = "higher",
) -> Paired:
    """
    Pair the values of one measure for A and B, topic by topic.

    What is compared is the delta rounded to 12 decimals, so that equal on paper is a tie. Deltas up to `tie_band` in
    magnitude are ties. Failed topics are not comparable; nor are missing ones, unless `missing` is "empty". Nor are
    topics at which the measure is undefined on a side; what the judgments of a topic lack comes first among the
    reasons, since no answer could mend it. A measure without a `better` direction counts as "higher".

    Raises `DeclarationError` for a tie band below zero, `InputError` where the four arrays differ in length.
    """
    if not 0.0 <= tie_band < np.inf:
        raise DeclarationError("the tie band is a number from 0", got=tie_band)
    if len({len(values_a.value), len(values_b.value), len(state_a), len(state_b)}) > 1:
        raise InputError("both sides must have a value and a state for every topic")
    absent = (state_a == MISSING) | (state_b == MISSING)
    treated_a, treated_b = _treated(state_a, missing), _treated(state_b, missing)
    reason, reasons = _reasons(treated_a, treated_b, values_a.reason, values_b.reason)
    a, b = _known(values_a, treated_a), _known(values_b, treated_b)
    # Rounding each value first would part deltas that are equal on paper, 1/3 - 1/7 and 2/3 - 10/21.
    delta = np.where(reason == 0, np.round(b - a, DECIMALS) + 0.0, np.nan)
    gain = -delta if better == "lower" else delta
    outcome = (gain > tie_band).astype(np.int8) - (gain < -tie_band).astype(np.int8)
    as_empty = None
    if missing == "undeclared" and absent.any():
        as_empty = pair(
            values_a, values_b, state_a=state_a, state_b=state_b, missing="empty", tie_band=tie_band, better=better
        )
    return Paired(
        a=a,
        b=b,
        delta=delta,
        outcome=np.where(reason == 0, outcome, NOT_COMPARABLE).astype(np.int8),
        reason=reason,
        reasons=reasons,
        absent=absent,
        rule=missing,
        better=better or "higher",
        as_empty=as_empty,
    )


def relative_change(from_value: Figure, to_value: Figure) -> Figure:
    """
    The change from one value to another as a share of the first: -0.1 is ten per cent less.

    Undefined from zero, and where either value is.
    """
    if from_value.value is None or to_value.value is None:
        return Figure(None, from_value.reason or to_value.reason)
    if from_value.value == 0:
        return Figure(None, FROM_ZERO)
    return Figure((to_value.value - from_value.value) / from_value.value + 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Tails:
    """
    The ends of the deltas: where B harms most and helps most.

    `worst` and `best` are positions of losing and winning topics, the largest magnitude first, equal ones in topic
    order. `percentile_5` is the delta that 5 % of the topics fall short of, `worst_tenth` the mean of the worst tenth
    of the topics (rounded up); `percentile_95` and `best_tenth` mirror them. Deltas are B - A.
    """

    worst: Ints
    best: Ints
    percentile_5: Figure
    percentile_95: Figure
    worst_tenth: Figure
    best_tenth: Figure


def tails(paired: Paired, *, shown: int = SHOWN) -> Tails:
    """The tails of a pairing, at most `shown` topics at each end; undefined figures where no topic is comparable."""
    sign = -1.0 if paired.better == "lower" else 1.0
    gain = sign * paired.delta
    losing, winning = np.flatnonzero(paired.outcome == LOSS), np.flatnonzero(paired.outcome == WIN)
    ascending = np.sort(sign * paired.comparable)
    tenth = -(-len(ascending) // 10)
    return Tails(
        worst=losing[np.argsort(gain[losing], kind="stable")][:shown],
        best=winning[np.argsort(-gain[winning], kind="stable")][:shown],
        percentile_5=_percentile(ascending, sign),
        percentile_95=_percentile(-ascending[::-1], -sign),
        worst_tenth=_mean(sign * ascending[:tenth]),
        best_tenth=_mean(sign * ascending[::-1][:tenth]),
    )


def _treated(state: States, missing: MissingRule) -> States:
    return np.where(state == MISSING, EMPTY, state).astype(np.int8) if missing == "empty" else state


def _known(values: Values, state: States) -> Floats:
    return np.where((values.reason == 0) & (state < FAILED), values.value, np.nan)


def _reasons(
    state_a: States, state_b: States, undefined_a: npt.NDArray[np.int8], undefined_b: npt.NDArray[np.int8]
) -> tuple[Ints, tuple[str, ...]]:
    """A code per topic into a tuple of texts, of which the first is empty."""
    failures = (np.where(state < FAILED, 0, state) for state in (state_a, state_b))
    rows = np.stack([*failures, undefined_a, undefined_b], axis=1).astype(np.int64)
    kinds, code = np.unique(np.concatenate([np.zeros((1, 4), np.int64), rows]), axis=0, return_inverse=True)
    return code[1:].reshape(-1), tuple(_reason(*kind) for kind in kinds.tolist())


def _reason(state_a: int, state_b: int, undefined_a: int, undefined_b: int) -> str:
    if undefined_a == undefined_b and undefined_a in _OF_THE_TOPIC:
        return REASONS[undefined_a]
    if state_a and state_a == state_b:
        return f"A and B {_STATE_TEXT[state_a][1]}"
    if state_a or state_b:
        return ", ".join(f"{side} {_STATE_TEXT[state][0]}" for side, state in (("A", state_a), ("B", state_b)) if state)
    if undefined_a == undefined_b:
        return REASONS[undefined_a]
    return ", ".join(f"{side}: {REASONS[code]}" for side, code in (("A", undefined_a), ("B", undefined_b)) if code)


def _mean(values: Floats) -> Figure:
    return Figure(mean_of(values) + 0.0) if len(values) else Figure(None, NO_TOPIC)


def _percentile(ascending: Floats, sign: float) -> Figure:
    return Figure(float(sign * np.quantile(ascending, 0.05)) + 0.0) if len(ascending) else Figure(None, NO_TOPIC)
