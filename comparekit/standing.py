"""What holds now, of all that was ever recorded: the current answers, by kind, by assessor and by item."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from comparekit.events import ADJUDICATION as ADJUDICATION
from comparekit.events import GRADE as GRADE
from comparekit.events import PREFERENCE as PREFERENCE
from comparekit.events import Event, current

SKIP = "skip"
NO_OPINION = (SKIP, "cannot_judge")
"""Answers that say nothing about the lists."""

LEFT, RIGHT = ("left_much", "left"), ("right_much", "right")
DECIDED = (*LEFT, *RIGHT)
TIED = ("same", "both_bad")

Item = tuple[str, str, int]
"""A pair that somebody was shown: the digest of both receipts, the topic, and 1 where it came back swapped."""


@dataclass(frozen=True)
class Standing:
    """The current events in the order of record: answers to pairs, grades of documents, and adjudications of both."""

    preferences: tuple[Event, ...]
    grades: tuple[Event, ...]
    adjudications: tuple[Event, ...]

    def by(self, assessor: str) -> Mapping[Item, Event]:
        """What one assessor says of each pair."""
        return {item_of(event): event for event in self.preferences if event.assessor == assessor}

    @cached_property
    def opinions(self) -> Mapping[Item, frozenset[str]]:
        """Who gave an opinion on each pair."""
        found: dict[Item, set[str]] = {}
        for event in self.preferences:
            if event.payload["answer"] not in NO_OPINION:
                found.setdefault(item_of(event), set()).add(event.assessor)
        return {item: frozenset(names) for item, names in found.items()}

    def answered(self, item: Item) -> frozenset[str]:
        """Who gave an opinion on one pair."""
        return self.opinions.get(item, frozenset())

    def graders(self, scope: str) -> Mapping[tuple[str, str], Mapping[str, float | None]]:
        """What each assessor gave each (topic, document) filed under `scope`; None is "cannot judge"."""
        graded: dict[tuple[str, str], dict[str, float | None]] = {}
        for event in self.grades:
            if event.comparison == scope:
                said = graded.setdefault((event.payload["topic"], event.payload["doc"]), {})
                said[event.assessor] = event.payload["grade"]
        return graded

    def rulings(self, scope: str) -> Mapping[tuple[str, str], tuple[float | None, ...]]:
        """What adjudicators decided of each (topic, document) filed under `scope`; None is "unresolved"."""
        ruled: dict[tuple[str, str], tuple[float | None, ...]] = {}
        for event in self.adjudications:
            if event.comparison == scope:
                item, value = (event.payload["topic"], event.payload["doc"]), event.payload["value"]
                ruled[item] = (*ruled.get(item, ()), None if value == "unresolved" else value)
        return ruled


def standing(events: Iterable[Event]) -> Standing:
    """The current events of a record, sorted by kind of answer; superseded and withdrawn ones are gone."""
    now = current(tuple(events))
    return Standing(tuple(_of(now, PREFERENCE)), tuple(_of(now, GRADE)), tuple(_of(now, ADJUDICATION)))


def grade_scope(topics: str) -> str:
    """What grades are filed under: the digest of the topics that were asked."""
    return f"grade:{topics}"


def item_of(event: Event) -> Item:
    """The pair that a preference is about."""
    return event.comparison, event.payload["topic"], event.payload["repeat"]


def preferred_receipt(payload: Mapping[str, Any]) -> str | None:
    """The digest of the receipt that an answer prefers; None where it prefers none."""
    if payload["answer"] not in DECIDED:
        return None
    left = payload["left"]
    side = left if payload["answer"] in LEFT else {"a": "b", "b": "a"}[left]
    return str(payload[f"receipt_{side}"])


def _of(events: Iterable[Event], schema: str) -> Iterator[Event]:
    return (event for event in events if event.payload.get("schema") == schema)
