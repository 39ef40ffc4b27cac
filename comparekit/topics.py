"""The pinned information needs that both rankers answered."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from comparekit.canonical import digest_of
from comparekit.errors import RecordError
from comparekit.records import member, only, parsed

MEMBERS = ("id", "text", "task", "need", "strata", "split")
TUNING, HELD_OUT = "tuning", "held-out"


@dataclass(frozen=True, slots=True)
class Topic:
    """
    One information need.

    `strata` maps the name of a stratum to the topic's value, None where it has none.
    `split` is `tuning`, `held-out` or None.
    """

    id: str
    text: str
    task: str | None = None
    need: str = ""
    strata: Mapping[str, str | None] = field(default_factory=dict)
    split: str | None = None

    def record(self) -> dict[str, Any]:
        """As it stands in topics.jsonl."""
        return {
            "id": self.id,
            "text": self.text,
            "task": self.task,
            "need": self.need,
            "strata": dict(self.strata),
            "split": self.split,
        }


@dataclass(frozen=True)
class TopicSet:
    """All topics of an experiment, by id in code-point order."""

    topics: tuple[Topic, ...]

    @classmethod
    def of(cls, topics: Iterable[Topic]) -> "TopicSet":
        """Topics in any order; raises `RecordError` when an id stands twice."""
        ordered = tuple(sorted(topics, key=lambda topic: topic.id))
        for before, after in pairwise(ordered):
            if before.id == after.id:
                raise RecordError("a topic id stands twice", got=repr(after.id), todo="Give every topic its own id.")
        return cls(ordered)

    def __len__(self) -> int:
        return len(self.topics)

    def __getitem__(self, topic: str) -> Topic:
        return self.topics[self.position[topic]]

    def __contains__(self, topic: object) -> bool:
        return topic in self.position

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids, in order."""
        return tuple(topic.id for topic in self.topics)

    @cached_property
    def position(self) -> Mapping[str, int]:
        """Where each id stands, from 0."""
        return {topic.id: position for position, topic in enumerate(self.topics)}

    @cached_property
    def strata(self) -> tuple[str, ...]:
        """The names of all strata, in alphabetical order."""
        return tuple(sorted({name for topic in self.topics for name in topic.strata}))

    @cached_property
    def digest(self) -> str:
        """
        The identity of what was asked: ids and texts only.

        Task, need, strata and split describe the topics; changing them does not make old receipts
        answers to other questions.
        """
        return digest_of([[topic.id, topic.text] for topic in self.topics])


def read_topics(data: bytes, *, path: Path) -> TopicSet:
    """The topics of a topics.jsonl; raises `RecordError` with file and line at the first that is malformed."""
    return TopicSet.of(_topic(record, path=path, line=line) for line, record in parsed(data, path=path))


def _topic(record: Any, *, path: Path, line: int) -> Topic:
    if not isinstance(record, dict):
        raise RecordError("a topic is not an object", path=path, line=line)
    only(record, MEMBERS, path=path, line=line)
    strata = member(record, "strata", dict, path=path, line=line)
    for name, value in strata.items():
        if value is not None and not isinstance(value, str):
            raise RecordError(f'stratum "{name}" is not text', path=path, line=line, got=repr(value))
    split = record.get("split")
    if split not in (TUNING, HELD_OUT, None):
        raise RecordError(
            "an unknown split", path=path, line=line, expected=f"{TUNING}, {HELD_OUT} or null", got=repr(split)
        )
    identity = member(record, "id", str, path=path, line=line)
    if not identity:
        raise RecordError("a topic id is empty", path=path, line=line)
    return Topic(
        id=identity,
        text=member(record, "text", str, path=path, line=line),
        task=member(record, "task", (str, type(None)), path=path, line=line),
        need=member(record, "need", str, path=path, line=line),
        strata=strata,
        split=split,
    )
