"""
How do the assessors work: do they favour a side, contradict themselves, hurry; and where do they disagree?
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from comparekit.agreement import (
    Agreement,
    Label,
    Level,
    Ratings,
    item_agreement,
    kappa,
    krippendorff_alpha,
    ratings_of,
    raw_agreement,
)
from comparekit.comparison import Comparison
from comparekit.events import Event
from comparekit.pairs import pairs
from comparekit.preferences import VALUE, meaning_of, preferences
from comparekit.proportions import Proportion, proportion
from comparekit.settling import settle
from comparekit.standing import (
    DECIDED,
    LEFT,
    NO_OPINION,
    SKIP,
    grade_scope,
    item_of,
    preferred_receipt,
    standing,
)

HASTY_MS = 1_000
"""Nobody reads two lists in less."""
HASTY_SHARE = 1 / 5
HASTY_FROM = 10


@dataclass(frozen=True, slots=True)
class Habits:
    """
    How one assessor works.

    `left` is the share of answers for the list on the left among those for either list; 0.5 is no favour.
    `consistent` is the share of swapped repeats answered as the first time, both mapped to rankers; `followed` counts
    those where the same side was preferred both times. `hasty` are the ids of unusually fast answers, in the order of
    record, and `median_ms` is the middle time of all answers, None where there are none.
    """

    assessor: str
    answers: int
    left: Proportion
    consistent: Proportion
    followed: int
    hasty: tuple[str, ...]
    median_ms: float | None


@dataclass(frozen=True, slots=True)
class Dispute:
    """
    One item that several people answered: a pair of lists (`doc` is None) or a document.

    `answers` maps each to -1 (A), 0 or +1 (B), or to a grade. `agreement` is the share of pairs of answers that agree,
    in [0, 1]. `outcome` is unanimous, majority, adjudicated or unresolved.
    """

    topic: str
    doc: str | None
    answers: Mapping[str, float]
    agreement: float
    outcome: str


def habits(events: Iterable[Event]) -> tuple[Habits, ...]:
    """The habits of every assessor who answered a pair, by name."""
    by_name: dict[str, list[Event]] = {}
    for event in standing(events).preferences:
        by_name.setdefault(event.assessor, []).append(event)
    return tuple(_habits(name, by_name[name]) for name in sorted(by_name))


def position_bias(answers: Iterable[Event]) -> Proportion:
    """The share of answers for the left list among the current answers for either; repeats count too."""
    said = [event.payload["answer"] for event in answers if event.payload["answer"] in DECIDED]
    return proportion(sum(answer in LEFT for answer in said), len(said), reason="nothing decided")


def hasty_answers(answers: Sequence[Event]) -> tuple[str, ...]:
    """
    The ids of one assessor's answers given in less than `HASTY_MS`, and, from `HASTY_FROM` answers on, in less than
    a fifth of their own middle time. Skips are no answers.
    """
    timed = [event for event in answers if event.payload["answer"] != SKIP]
    times = [event.payload["elapsed_ms"] for event in timed]
    floor = max(HASTY_MS, HASTY_SHARE * median(times)) if len(times) >= HASTY_FROM else HASTY_MS
    return tuple(event.event_id for event in timed if event.payload["elapsed_ms"] < floor)


def preference_ratings(comparison: Comparison, events: Iterable[Event]) -> Ratings:
    """What each assessor said of each pair of this comparison, mapped to rankers: -1 A, 0 neither, +1 B."""
    found = {pair.digest: pair for pair in pairs(comparison).values()}
    ratings: dict[Hashable, dict[str, Label]] = {}
    for event in standing(events).preferences:
        if event.comparison in found and not event.payload["repeat"] and event.payload["answer"] not in NO_OPINION:
            meaning = meaning_of(event, pair=found[event.comparison])
            ratings.setdefault(found[event.comparison].topic, {})[event.assessor] = VALUE[meaning]
    return ratings


def grade_ratings(comparison: Comparison, events: Iterable[Event]) -> Ratings:
    """What each grader gave each (topic, document) of this experiment; "cannot judge" is no grade."""
    graded = standing(events).graders(grade_scope(comparison.experiment.topics.digest))
    return ratings_of(
        (item, name, grade) for item, said in graded.items() for name, grade in said.items() if grade is not None
    )


def agreements(ratings: Ratings, *, levels: Sequence[Level] = ("nominal", "ordinal")) -> tuple[Agreement, ...]:
    """Raw agreement, kappa (Cohen's for two assessors, else Fleiss'), and alpha at each level."""
    return raw_agreement(ratings), kappa(ratings), *(krippendorff_alpha(ratings, level=level) for level in levels)


def disputed_pairs(comparison: Comparison, events: Iterable[Event]) -> tuple[Dispute, ...]:
    """Every pair with two opinions or more, least agreement first, then by topic."""
    events = tuple(events)
    outcome = {each.topic: each.outcome for each in preferences(comparison, events)}
    found = [
        _dispute(str(topic), None, {name: float(value) for name, value in said.items()}, outcome[str(topic)])
        for topic, said in preference_ratings(comparison, events).items()
        if len(said) > 1
    ]
    return tuple(sorted(found, key=lambda each: (each.agreement, each.topic)))


def disputed_grades(comparison: Comparison, events: Iterable[Event]) -> tuple[Dispute, ...]:
    """Every document with two grades or more, least agreement first, then by topic and document."""
    now = standing(events)
    scope = grade_scope(comparison.experiment.topics.digest)
    rulings = now.rulings(scope)
    found = []
    for (topic, doc), said in now.graders(scope).items():
        given = {name: grade for name, grade in said.items() if grade is not None}
        if len(given) > 1:
            ruled = rulings.get((topic, doc), ())
            settled = settle(list(given.values()), rule="adjudicated" if ruled else "majority", rulings=ruled)
            found.append(_dispute(topic, doc, given, settled.outcome))
    return tuple(sorted(found, key=lambda each: (each.agreement, each.topic, each.doc or "")))


def _habits(assessor: str, answers: Sequence[Event]) -> Habits:
    opinions = {item_of(event): event for event in answers if event.payload["answer"] not in NO_OPINION}
    firsts = {item: event for item, event in opinions.items() if not item[2] and (*item[:2], 1) in opinions}
    twice = [(first, opinions[(*item[:2], 1)]) for item, first in firsts.items()]
    same = sum(preferred_receipt(first.payload) == preferred_receipt(again.payload) for first, again in twice)
    times = [event.payload["elapsed_ms"] for event in answers if event.payload["answer"] != SKIP]
    return Habits(
        assessor=assessor,
        answers=len(times),
        left=position_bias(answers),
        consistent=proportion(same, len(twice), reason="nothing repeated"),
        followed=sum(_side(first) == _side(again) != "" for first, again in twice),
        hasty=hasty_answers(answers),
        median_ms=float(median(times)) if times else None,
    )


def _side(event: Event) -> str:
    answer = event.payload["answer"]
    return "" if answer not in DECIDED else "left" if answer in LEFT else "right"


def _dispute(topic: str, doc: str | None, said: Mapping[str, float], outcome: str) -> Dispute:
    return Dispute(topic, doc, dict(sorted(said.items())), float(item_agreement(list(said.values()))), outcome)
