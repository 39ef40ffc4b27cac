"""TREC CAsT's dialogues."""

import json

import pytest

from comparekit.errors import FormatError
from comparekit.files import from_bytes
from comparekit.formats import read_topics


def test_a_turn_is_a_topic_and_its_text_stands_alone() -> None:
    turns = [
        {"number": 1, "raw_utterance": "it?"},
        {"number": "2", "raw_utterance": "and?", "manual_rewritten_utterance": "And it?"},
    ]
    topics, report = read_topics(from_bytes("t.json", json.dumps([{"number": 106, "turn": turns}]).encode()))
    assert [("106_1", "it?"), ("106_2", "And it?")] == [(topic.id, topic.text) for topic in topics]
    assert ("cast", ["Not read: raw_utterance."]) == (report.format, [each.message for each in report.repairs])


def test_a_dialogue_without_turns_is_named_with_its_line() -> None:
    with pytest.raises(FormatError, match=r"t\.json:2: the dialogue has no list of turns"):
        read_topics(from_bytes("t.json", b'[{"number": 1, "turn": []},\n{"number": 2, "turn": 5}]'))
