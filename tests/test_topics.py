"""Pinned topics."""

from pathlib import Path

import pytest

from comparekit.errors import RecordError
from comparekit.records import encode
from comparekit.topics import Topic, TopicSet, read_topics

PATH = Path("topics.jsonl")
TOPICS = [
    Topic("q2", "dairy"),
    Topic("q1", "Dairy", need="milk", strata={"kind": "short", "head": None}, split="held-out"),
]


def test_topics_read_back_as_written_in_the_order_of_their_ids() -> None:
    data, _ = encode(topic.record() for topic in TOPICS)
    assert read_topics(data, path=PATH).topics == (TOPICS[1], TOPICS[0])


def test_the_digest_speaks_of_ids_and_texts_only() -> None:
    described = TopicSet.of([Topic(topic.id, topic.text) for topic in TOPICS])
    assert TopicSet.of(TOPICS).digest == described.digest
    assert TopicSet.of([Topic("q1", "dairy"), Topic("q2", "dairy")]).digest != described.digest


def test_an_id_that_stands_twice_is_refused() -> None:
    with pytest.raises(RecordError, match="stands twice: got 'q1'"):
        TopicSet.of([Topic("q1", "a"), Topic("q1", "b")])


def test_ids_that_look_like_numbers_stay_apart() -> None:
    topics = TopicSet.of([Topic(name, "") for name in ("1e5", "100000", "31_1", "311", "1.0", "1", "01")])
    assert len(topics) == 7
    assert topics["1.0"].id == "1.0"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"id": 7}, '"id" is missing or of the wrong type'),
        ({"split": "test"}, "unknown split"),
        ({"strata": {"a": 1}}, 'stratum "a" is not text'),
        ({"query": "x"}, 'unknown member "query"'),
        ({"id": ""}, "is empty"),
    ],
)
def test_malformed_topics_are_refused_with_their_line(change: dict[str, object], what: str) -> None:
    data, _ = encode([TOPICS[1].record(), {**TOPICS[0].record(), **change}])
    with pytest.raises(RecordError, match=f"topics.jsonl:2: .*{what}"):
        read_topics(data, path=PATH)
