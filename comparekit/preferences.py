"""
What do the experts say of two rankers, topic by topic and in all?

A preference is between two lists, for one topic and for this very pair of receipts. Seen from B: +1 where the
majority of assessors prefer B's list, -1 where they prefer A's, 0 where they call both the same or both bad.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from comparekit.comparison import Comparison
from comparekit.errors import InputError
from comparekit.events import Event
from comparekit.measures import Values
from comparekit.pairs import DEPTH, Pair, differing, pairs
from comparekit.proportions import Proportion, Tally, proportion
from comparekit.standing import SKIP, preferred_receipt, standing

NAME = "Preference"
LABEL = "Experts' preference"
HELP = "+1 where the majority of experts prefer B's list, -1 where they prefer A's, 0 where neither serves better."
LOW, HIGH = -1.0, 1.0

REASONS = (
    "",
    "nobody has answered",
    "the assessors are split",
    "adjudicated as unresolved",
    "the adjudicators contradict each other",
    "one side gave no answer, or the topic is held out",
)
DEFINED, UNANSWERED, SPLIT, UNRESOLVED, CONTRADICTED, CLOSED = range(len(REASONS))

Meaning = Literal["a", "b", "same", "both_bad", "cannot_judge", "skip"]
Outcome = Literal["unchanged", "open", "unanimous", "majority", "adjudicated", "unresolved"]
VALUE: Mapping[str, int] = {"a": -1, "b": 1, "same": 0, "both_bad": 0}


@dataclass(frozen=True, slots=True)
class Counts:
    """How many assessors gave each answer; six different things, and `skip` means still open."""

    a: int = 0
    b: int = 0
    same: int = 0
    both_bad: int = 0
    cannot_judge: int = 0
    skip: int = 0

    @property
    def opinions(self) -> int:
        """How many assessors said something about the lists."""
        return self.a + self.b + self.same + self.both_bad


@dataclass(frozen=True, slots=True)
class TopicPreference:
    """
    What the experts say of one topic.

    `value` is +1, 0 or -1 (see above), or None with the `reason`, a position in `REASONS`. `random` says that an answer
    came from the random share of the queue.
    """

    topic: str
    value: int | None
    reason: int
    outcome: Outcome
    counts: Counts
    random: bool


@dataclass(frozen=True, slots=True)
class Experts:
    """
    The experts' panel: topics that B won, tied and lost by the majority of assessors.

    `all` holds every topic with a value, `unchanged` of which are ties because their lists do not differ; `answered`
    holds the others, and `random` those of them that were drawn at random and so speak for all changed topics.
    `changed` counts the topics whose lists differ, `unresolved` and `open` those without a value.
    `counts` are all answers by meaning. `agreement` is the share of topics decided by the experts and by the target
    alike where both name the same winner.
    """

    all: Tally
    answered: Tally
    random: Tally
    changed: int
    unchanged: int
    unresolved: int
    open: int
    assessors: int
    counts: Counts
    agreement: Proportion


def meaning_of(event: Event, *, pair: Pair) -> Meaning:
    """What an answer says of A and B; raises `InputError` when it is about other receipts."""
    receipts: Mapping[str, Meaning] = {pair.receipt_a: "a", pair.receipt_b: "b"}
    if event.comparison != pair.digest:
        raise InputError("the answer is about another pair of receipts", expected=pair.digest, got=event.comparison)
    preferred = preferred_receipt(event.payload)
    answer: Meaning = event.payload["answer"]
    return answer if preferred is None else receipts[preferred]


def preference_of(
    pair: Pair, answers: Iterable[Event], *, adjudications: Iterable[Event] = (), unchanged: bool = False
) -> TopicPreference:
    """
    The preference on one topic from its current answers, in any order.

    Each assessor counts once: repeats do not count, "cannot judge" and "skip" are no opinion. A value needs more than
    half of all opinions. An adjudication stands above the answers; two that contradict each other settle nothing.
    Without an opinion, unchanged lists are a tie.
    """
    firsts = [event for event in answers if not event.payload["repeat"]]
    said = {event.assessor: meaning_of(event, pair=pair) for event in firsts}
    counts = Counts(**{str(name): count for name, count in Counter(said.values()).items()})
    value, reason, outcome = _settled([VALUE[each] for each in said.values() if each in VALUE], unchanged=unchanged)
    decided = {_adjudicated(event, pair) for event in adjudications}
    if decided:
        value, reason, outcome = _ruled(decided)
    return TopicPreference(pair.topic, value, reason, outcome, counts, _is_random(firsts))


def preferences(comparison: Comparison, events: Iterable[Event], *, depth: int = DEPTH) -> tuple[TopicPreference, ...]:
    """Every open topic that both sides gave an answer to, in the order of the topics."""
    now = standing(events)
    answers, rulings = _by_pair(now.preferences), _by_pair(now.adjudications)
    changed = differing(comparison, depth=depth)
    position = comparison.experiment.topics.position
    return tuple(
        preference_of(
            pair,
            answers.get((pair.digest, topic), ()),
            adjudications=rulings.get((pair.digest, topic), ()),
            unchanged=not changed[position[topic]],
        )
        for topic, pair in pairs(comparison).items()
    )


def preference_values(comparison: Comparison, events: Iterable[Event], *, depth: int = DEPTH) -> Values:
    """
    The `Preference` measure of every pinned topic, in [-1, 1]; it is a delta already, seen from B.

    NaN where there is none; `reason` is then a position in this module's `REASONS`.
    """
    topics = comparison.experiment.topics
    value, reason = np.full(len(topics), np.nan), np.full(len(topics), CLOSED, np.int8)
    for each in preferences(comparison, events, depth=depth):
        at = topics.position[each.topic]
        value[at] = np.nan if each.value is None else each.value
        reason[at] = each.reason
    return Values(value, reason)


def experts(comparison: Comparison, events: Iterable[Event], *, depth: int = DEPTH) -> Experts:
    """The experts' panel; events about other pairs of receipts are left out, and unchanged lists are ties."""
    events = tuple(events)
    found = preferences(comparison, events, depth=depth)
    valued = [each for each in found if each.value is not None]
    answered = [each for each in valued if each.outcome != "unchanged"]
    mine = {pair.digest for pair in pairs(comparison).values()}
    changed = sum(
        differing(comparison, depth=depth)[comparison.experiment.topics.position[each.topic]] for each in found
    )
    return Experts(
        all=_tally(valued),
        answered=_tally(answered),
        random=_tally([each for each in answered if each.random]),
        changed=int(changed),
        unchanged=len(valued) - len(answered),
        unresolved=sum(each.outcome == "unresolved" for each in found),
        open=sum(each.outcome == "open" for each in found),
        assessors=len({event.assessor for event in standing(events).preferences if event.comparison in mine}),
        counts=_total(each.counts for each in found),
        agreement=_agreement(comparison, answered),
    )


def _settled(values: Sequence[int], *, unchanged: bool) -> tuple[int | None, int, Outcome]:
    if not values:
        return (0, DEFINED, "unchanged") if unchanged else (None, UNANSWERED, "open")
    value, most = Counter(values).most_common(1)[0]
    if 2 * most <= len(values):
        return None, SPLIT, "unresolved"
    return value, DEFINED, "unanimous" if most == len(values) else "majority"


def _adjudicated(event: Event, pair: Pair) -> int | None:
    said = event.payload["value"]
    if said not in ("a", "b"):
        return 0 if said == "same" else None
    return 1 if event.payload[f"receipt_{said}"] == pair.receipt_b else -1


def _ruled(decided: set[int | None]) -> tuple[int | None, int, Outcome]:
    if len(decided) > 1:
        return None, CONTRADICTED, "unresolved"
    value = next(iter(decided))
    return (None, UNRESOLVED, "unresolved") if value is None else (value, DEFINED, "adjudicated")


def _is_random(answers: Iterable[Event]) -> bool:
    return any(event.payload["queue"] == "random" for event in answers if event.payload["answer"] != SKIP)


def _by_pair(events: Iterable[Event]) -> dict[tuple[str, str], list[Event]]:
    found: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        found.setdefault((event.comparison, event.payload["topic"]), []).append(event)
    return found


def _tally(found: Iterable[TopicPreference]) -> Tally:
    values = Counter(each.value for each in found)
    return Tally(values[1], values[0], values[-1])


def _total(found: Iterable[Counts]) -> Counts:
    every = list(found)
    return Counts(*(sum(getattr(each, name) for each in every) for name in Counts.__slots__))


def _agreement(comparison: Comparison, answered: Iterable[TopicPreference]) -> Proportion:
    result = comparison.result(comparison.target)
    position = comparison.experiment.topics.position
    outcome = dict(zip(result.positions.tolist(), result.paired.outcome.tolist(), strict=True))
    both = [(each.value, outcome.get(position[each.topic], 2)) for each in answered]
    decided = [value == winner for value, winner in both if value in (1, -1) and winner in (1, -1)]
    return proportion(sum(decided), len(decided), reason="no topic decided by both")
