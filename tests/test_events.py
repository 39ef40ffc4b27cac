"""Events: what one may hold, how they are chained, and which hold now."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from comparekit.canonical import canonical, digest_of
from comparekit.errors import InputError, RecordError
from comparekit.events import (
    ADJUDICATION,
    GRADE,
    PREFERENCE,
    ROOT,
    Event,
    Kind,
    NewEvent,
    current,
    event_digest,
    payload_bytes,
    require_chain,
    require_time,
)

A, B, C = (f"sha256:{letter * 64}" for letter in "abc")
PAIR, SCOPE = digest_of([A, B]), f"grade:{C}"
ANSWER = {
    "schema": PREFERENCE, "experiment": C, "topic": "t1", "receipt_a": A, "receipt_b": B, "left": "b",
    "answer": "both_bad", "reasons": ["too old"], "comment": "Café\n", "elapsed_ms": 0, "repeat": 1, "guideline": "v1",
    "shown": {"depth": 10, "ranks": True, "fold": False}, "queue": "random",
}  # fmt: skip
GRADED = {
    "schema": GRADE, "experiment": C, "topic": "t1", "doc": "d1", "grade": None, "reason": "unclear", "comment": "",
    "elapsed_ms": 5, "guideline": "v1", "text_digest": None,
}  # fmt: skip
RULED = {
    "schema": ADJUDICATION, "experiment": C, "of": "preference", "topic": "t1", "doc": None, "receipt_a": A,
    "receipt_b": B, "value": "same", "reason": "",
}  # fmt: skip
RULED_GRADE = {**RULED, "of": "grade", "doc": "d1", "receipt_a": None, "receipt_b": None, "value": 2}


def new(payload: Mapping[str, Any], comparison: str = PAIR, **more: Any) -> NewEvent:
    return NewEvent(**{
        "event_id": "e1", "kind": "vote", "supersedes": None, "assessor": "ann", "comparison": comparison,
        "payload": payload, **more,
    })  # fmt: skip


@pytest.mark.parametrize(
    ("payload", "comparison"),
    [(ANSWER, PAIR), (GRADED, SCOPE), ({**GRADED, "grade": 1.5}, SCOPE), (RULED, PAIR), (RULED_GRADE, SCOPE),
     ({**RULED_GRADE, "value": "unresolved"}, SCOPE), ({**RULED, "value": "unresolved"}, PAIR)],
)  # fmt: skip
def test_what_a_schema_allows_is_written_canonically(payload: dict[str, Any], comparison: str) -> None:
    assert payload_bytes(new(payload, comparison)) == canonical(payload)


@pytest.mark.parametrize("payload", [ANSWER, GRADED, RULED])
def test_every_member_is_needed_and_no_other_is_known(payload: dict[str, Any]) -> None:
    comparison = SCOPE if payload is GRADED else PAIR
    for key in payload:
        with pytest.raises(RecordError, match=f'member "{key}".*got nothing' if key != "schema" else "not the payload"):
            payload_bytes(new({k: v for k, v in payload.items() if k != key}, comparison))
    with pytest.raises(RecordError, match="has no member 'more'"):
        payload_bytes(new({**payload, "more": 1}, comparison))


@pytest.mark.parametrize(
    ("key", "wrong"),
    [("experiment", "x"), ("topic", ""), ("topic", 1), ("receipt_a", None), ("left", "left"), ("answer", "LEFT"),
     ("reasons", "old"), ("reasons", [1]), ("comment", None), ("elapsed_ms", -1), ("elapsed_ms", 1.5),
     ("elapsed_ms", True), ("repeat", 2), ("repeat", True), ("repeat", 0.0), ("queue", "x"), ("shown", {}),
     ("shown", {"depth": 0, "ranks": True, "fold": True}), ("shown", {"depth": 5, "ranks": 1, "fold": True})],
)  # fmt: skip
def test_a_wrong_member_of_an_answer_is_named(key: str, wrong: object) -> None:
    with pytest.raises(RecordError, match=f'member "{key}" of comparekit.preference.v1 is not right'):
        payload_bytes(new({**ANSWER, key: wrong}))


@pytest.mark.parametrize("wrong", ["3", True, float("nan"), float("inf"), [1]])
def test_a_grade_is_a_number_or_null(wrong: object) -> None:
    with pytest.raises(RecordError, match='member "grade"'):
        payload_bytes(new({**GRADED, "grade": wrong}, SCOPE))


@pytest.mark.parametrize(
    ("ruling", "comparison"),
    [({**RULED, "value": 1}, PAIR), ({**RULED, "value": "left"}, PAIR), ({**RULED, "doc": "d1"}, PAIR),
     ({**RULED, "receipt_b": None}, PAIR), ({**RULED_GRADE, "value": "a"}, SCOPE),
     ({**RULED_GRADE, "doc": None}, SCOPE), ({**RULED_GRADE, "receipt_a": A}, SCOPE)],
)  # fmt: skip
def test_a_ruling_is_about_a_pair_or_about_a_document(ruling: dict[str, Any], comparison: str) -> None:
    with pytest.raises(RecordError, match="an adjudication of a .* is not right"):
        payload_bytes(new(ruling, comparison))


@pytest.mark.parametrize(
    ("payload", "comparison"),
    [(ANSWER, digest_of([A, C])), (ANSWER, SCOPE), (GRADED, PAIR), (GRADED, "grade:x"), (RULED, SCOPE),
     (RULED_GRADE, PAIR)],
)  # fmt: skip
def test_nothing_said_of_one_pair_can_be_filed_under_another(payload: dict[str, Any], comparison: str) -> None:
    with pytest.raises(RecordError, match="filed under another comparison"):
        payload_bytes(new(payload, comparison))


def test_a_pair_is_the_same_whichever_receipt_is_named_first() -> None:
    swapped = {**ANSWER, "receipt_a": B, "receipt_b": A}
    assert payload_bytes(new(swapped)) == canonical(swapped)


@pytest.mark.parametrize(
    ("more", "match"),
    [({"event_id": ""}, "not an event id"), ({"event_id": "x" * 201}, "not an event id"),
     ({"assessor": ""}, "not an assessor"), ({"assessor": 7}, "not an assessor"), ({"kind": "edit"}, "no such kind"),
     ({"supersedes": "e0"}, "names no other"), ({"kind": "revise"}, "names another"), ({"payload": "text"}, "not the"),
     ({"event_id": "a\0"}, "control character"), ({"assessor": "\ud800"}, "not valid Unicode")],
)  # fmt: skip
def test_a_wrong_frame_is_refused(more: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        payload_bytes(new(**{"payload": ANSWER, **more}))


def test_a_time_has_one_form() -> None:
    assert require_time("2026-05-01T09:30:00.000Z") == "2026-05-01T09:30:00.000Z"
    for wrong in ("2026-05-01T09:30:00Z", "2026-05-01 09:30:00.000Z", "2026-05-01T09:30:00.000+00:00", ""):
        with pytest.raises(RecordError, match="not a time"):
            require_time(wrong)


# The chain.


def chained(*news: NewEvent) -> tuple[Event, ...]:
    events: list[Event] = []
    for seq, each in enumerate(news, start=1):
        frame: dict[str, Any] = {
            "seq": seq, "event_id": each.event_id, "kind": each.kind, "supersedes": each.supersedes,
            "assessor": each.assessor, "comparison": each.comparison, "recorded_at": "2026-05-01T09:30:00.000Z",
            "prev_digest": events[-1].digest if events else ROOT,
        }  # fmt: skip
        digest = event_digest(payload=canonical(each.payload), **frame)
        events.append(Event(payload=each.payload, digest=digest, **frame))
    return tuple(events)


def test_the_digest_can_be_computed_with_any_tool() -> None:
    event = chained(new(ANSWER))[0]
    payload = hashlib.sha256(json.dumps(ANSWER, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode())
    frame = {
        "assessor": "ann", "comparison": PAIR, "event_id": "e1", "kind": "vote",
        "payload_digest": f"sha256:{payload.hexdigest()}", "prev_digest": "0" * 64,
        "recorded_at": "2026-05-01T09:30:00.000Z", "seq": 1, "supersedes": None,
    }  # fmt: skip
    text = json.dumps(frame, sort_keys=True, separators=(",", ":"))
    assert event.digest == f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def test_a_history_verifies_and_any_change_of_it_does_not() -> None:
    events = chained(*(new(ANSWER, event_id=f"e{n}") for n in range(4)))
    require_chain(events)
    require_chain(())
    other: dict[str, Any] = {
        "seq": 9, "event_id": "x", "kind": "revise", "supersedes": "e0", "assessor": "bob", "comparison": SCOPE,
        "payload": {**ANSWER, "answer": "left"}, "recorded_at": "2026-05-01T09:30:00.001Z", "prev_digest": ROOT,
        "digest": A,
    }  # fmt: skip
    for name, value in other.items():
        with pytest.raises(RecordError, match="event .* was changed"):
            require_chain((*events[:2], replace(events[2], **{name: value}), events[3]))
    for dropped in (events[1:], events[:1] + events[2:], (events[1], events[0], *events[2:]), events[:2] + events[1:]):
        with pytest.raises(RecordError, match="was changed, or one before it is missing"):
            require_chain(dropped)


# What holds now.


Said = tuple[str, Kind, str | None, Mapping[str, Any], str]


def told(*said: Said) -> tuple[str, ...]:
    """The ids of what holds of events given as id, kind, supersedes, payload and assessor."""
    news = [
        NewEvent(event_id, kind, supersedes, assessor, SCOPE if "doc" in payload else PAIR, payload)
        for event_id, kind, supersedes, payload, assessor in said
    ]
    return tuple(event.event_id for event in current(chained(*news)))


def test_the_last_answer_of_an_assessor_to_an_item_holds() -> None:
    assert told(
        ("1", "vote", None, ANSWER, "ann"),
        ("2", "vote", None, ANSWER, "bob"),
        ("3", "vote", None, {**ANSWER, "repeat": 0}, "ann"),
        ("4", "vote", None, {**ANSWER, "topic": "t2"}, "ann"),
        ("5", "vote", None, GRADED, "ann"),
        ("6", "vote", None, {**GRADED, "doc": "d2"}, "ann"),
        ("7", "vote", None, {**ANSWER, "answer": "left"}, "ann"),
        ("8", "vote", None, {**GRADED, "grade": 1}, "ann"),
    ) == ("2", "3", "4", "6", "7", "8")


def test_a_ruling_does_not_replace_the_grade_of_the_same_person() -> None:
    assert told(("1", "vote", None, GRADED, "ann"), ("2", "vote", None, RULED_GRADE, "ann")) == ("1", "2")


def test_what_is_revised_or_withdrawn_does_not_hold_and_nothing_comes_back() -> None:
    first: Said = ("1", "vote", None, ANSWER, "ann")
    second: Said = ("2", "revise", "1", {**ANSWER, "answer": "left"}, "ann")
    assert told(first, second) == ("2",)
    assert told(first, ("3", "withdraw", "1", ANSWER, "ann")) == ()
    assert told(first, second, ("3", "withdraw", "2", ANSWER, "ann")) == ()
    assert told(first, second, ("3", "withdraw", "1", ANSWER, "ann")) == ("2",)
    assert told(first, ("3", "withdraw", "1", ANSWER, "ann"), ("4", "vote", None, ANSWER, "ann")) == ("4",)


def test_what_holds_does_not_depend_on_the_order_it_is_given_in() -> None:
    events = chained(*(new({**ANSWER, "topic": f"t{n % 3}"}, event_id=f"e{n}") for n in range(7)))
    assert current(reversed(events)) == current(events) == events[4:]
