"""
What people said, as events: what one may hold, how they are chained, and which of them hold now.

An event is a vote, the revision of an earlier one, or the withdrawal of one. None is ever changed. Each carries the
digest of the one before it, so that a record in which anything was altered, dropped or moved does not verify.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, Literal, get_args

from comparekit.canonical import canonical, digest_of, is_digest, sha256_of
from comparekit.errors import LimitExceeded, RecordError

Kind = Literal["vote", "revise", "withdraw"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

ROOT: Final = "0" * 64
"""What stands in the place of a digest before the first event."""

PREFERENCE: Final = "comparekit.preference.v1"
GRADE: Final = "comparekit.grade.v1"
ADJUDICATION: Final = "comparekit.adjudication.v1"
ANSWERS: Final = ("left_much", "left", "same", "both_bad", "right", "right_much", "cannot_judge", "skip")

LONGEST_NAME: Final = 200
LONGEST_PAYLOAD: Final = 256 * 1024

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@dataclass(frozen=True, slots=True)
class NewEvent:
    """
    Something said and not yet recorded.

    `event_id` is made when the question is shown and used again when the answer is sent again. `supersedes` is the
    event that a revision or a withdrawal is about. `comparison` is the digest of both receipts of a pair, or
    `grade:` and the digest of the topics for what is said of a document.
    """

    event_id: str
    kind: Kind
    supersedes: str | None
    assessor: str
    comparison: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """
    Something said and recorded: `seq` is the order of record, from 1.

    `recorded_at` (UTC, milliseconds) is for people only; a clock may go back. `digest` is of everything else in the
    event, `prev_digest` among it.
    """

    seq: int
    event_id: str
    kind: Kind
    supersedes: str | None
    assessor: str
    comparison: str
    payload: Mapping[str, Any]
    recorded_at: str
    prev_digest: str
    digest: str


def event_digest(
    *,
    prev_digest: str,
    seq: int,
    event_id: str,
    kind: str,
    supersedes: str | None,
    assessor: str,
    comparison: str,
    payload: bytes,
    recorded_at: str,
) -> str:
    """The digest of one event; `payload` is its canonical bytes. Raises `RecordError` for what cannot be recorded."""
    return digest_of({
        "prev_digest": prev_digest,
        "seq": seq,
        "event_id": event_id,
        "kind": kind,
        "supersedes": supersedes,
        "assessor": assessor,
        "comparison": comparison,
        "payload_digest": sha256_of(payload),
        "recorded_at": recorded_at,
    })  # fmt: skip


def require_chain(events: Iterable[Event]) -> None:
    """Prove a whole history from its first event on; raises `RecordError` at the first that does not fit."""
    before, last = ROOT, 0
    for event in events:
        found = event_digest(
            prev_digest=before,
            seq=event.seq,
            event_id=event.event_id,
            kind=event.kind,
            supersedes=event.supersedes,
            assessor=event.assessor,
            comparison=event.comparison,
            payload=canonical(event.payload),
            recorded_at=event.recorded_at,
        )
        if event.seq <= last or event.prev_digest != before or event.digest != found:
            raise RecordError(
                f"event {event.seq} was changed, or one before it is missing", expected=event.digest, got=found
            )
        before, last = event.digest, event.seq


def current(events: Iterable[Event]) -> tuple[Event, ...]:
    """
    What holds now, in the order of record.

    Of one assessor and one item (topic, pair and repeat, or topic and document) the last one holds. What was revised
    or withdrawn does not, and what it had replaced does not come back.
    """
    holding: dict[tuple[object, ...], Event] = {}
    place: dict[str, tuple[object, ...]] = {}
    for event in sorted(events, key=lambda each: each.seq):
        before = place.get(event.supersedes or "")
        if before is not None and before in holding and holding[before].event_id == event.supersedes:
            del holding[before]
        if event.kind != "withdraw":
            item = place[event.event_id] = _item(event)
            holding[item] = event
    return tuple(sorted(holding.values(), key=lambda each: each.seq))


def payload_bytes(new: NewEvent) -> bytes:
    """
    The canonical bytes of an event's payload, once everything about the event is found right.

    Raises `RecordError` naming the member that is missing, unknown or not what its schema says, and for text that is
    not valid Unicode or has NUL or another control character; `LimitExceeded` when it is too long.
    """
    _require_names(new)
    schema = new.payload.get("schema") if isinstance(new.payload, Mapping) else None
    rules = _SCHEMAS.get(schema) if isinstance(schema, str) else None
    if rules is None:
        raise RecordError("not the payload of an event", expected=", ".join(_SCHEMAS), got=repr(schema)[:100])
    _require_members(new.payload, rules, what=str(schema))
    written = canonical(new.payload)
    if len(written) > LONGEST_PAYLOAD:
        raise LimitExceeded("an answer is too long", expected=f"at most {LONGEST_PAYLOAD} bytes", got=len(written))
    _require_place(new)
    return written


def require_time(text: str) -> str:
    """A time as events carry it; raises `RecordError` for any other form."""
    if not _TIME.fullmatch(text):
        raise RecordError("not a time", expected="such as 2026-05-01T09:30:00.000Z", got=repr(text[:40]))
    return text


def _item(event: Event) -> tuple[object, ...]:
    said = event.payload
    return (
        said.get("schema"), event.assessor, event.comparison, said.get("topic"), said.get("doc"), said.get("repeat"),
    )  # fmt: skip


def _require_names(new: NewEvent) -> None:
    for what, name in (("event id", new.event_id), ("assessor", new.assessor), ("comparison", new.comparison)):
        if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
            raise RecordError(
                f"not an {what}" if what[0] in "ae" else f"not a {what}",
                expected=f"1 to {LONGEST_NAME} characters",
                got=repr(name)[:100],
            )
        canonical(name)
    if new.kind not in KINDS:
        raise RecordError("no such kind of event", expected=", ".join(KINDS), got=repr(new.kind)[:100])
    if (new.kind == "vote") != (new.supersedes is None):
        raise RecordError(
            f"a {new.kind} event names no other event" if new.kind == "vote" else f"a {new.kind} event names another",
            got=repr(new.supersedes)[:100],
        )


def _require_members(said: Mapping[str, Any], rules: "_Rules", *, what: str) -> None:
    for key in said:
        if key not in rules:
            raise RecordError(f"{what} has no member {key!r}", expected=", ".join(rules))
    for key, (words, holds) in rules.items():
        if key not in said or not holds(said[key]):
            got = repr(said[key])[:100] if key in said else "nothing"
            raise RecordError(f'member "{key}" of {what} is not right', expected=words, got=got)


def _require_place(new: NewEvent) -> None:
    """An event is filed under what it is about, so that nothing said of one pair can count for another."""
    said = new.payload
    of_pair = said["schema"] == PREFERENCE or (said["schema"] == ADJUDICATION and said["of"] == "preference")
    if said["schema"] == ADJUDICATION:
        _require_ruling(said, of_pair=of_pair)
    if of_pair:
        expected = digest_of(sorted((said["receipt_a"], said["receipt_b"])))
        fits = new.comparison == expected
    else:
        expected = "grade: and the digest of the topics"
        fits = new.comparison.startswith("grade:") and is_digest(new.comparison.removeprefix("grade:"))
    if not fits:
        raise RecordError("the event is filed under another comparison", expected=expected, got=new.comparison)


def _require_ruling(said: Mapping[str, Any], *, of_pair: bool) -> None:
    pair = said["receipt_a"] is not None and said["receipt_b"] is not None and said["doc"] is None
    document = said["receipt_a"] is None and said["receipt_b"] is None and said["doc"] is not None
    values = ("a", "b", "same", "unresolved") if of_pair else ("unresolved",)
    fits = said["value"] in values if isinstance(said["value"], str) else not of_pair
    if not fits or not (pair if of_pair else document):
        raise RecordError(
            f"an adjudication of a {said['of']} is not right",
            expected="two receipts, and a, b, same or unresolved"
            if of_pair
            else "a document, and a grade or unresolved",
            got=repr(said["value"])[:100],
        )


_Rules = Mapping[str, tuple[str, Callable[[Any], bool]]]


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and isfinite(value)


def _one_of(*values: Any) -> tuple[str, Callable[[Any], bool]]:
    # By type too: True is not 1.
    return ", ".join(map(str, values)), lambda value: any(type(value) is type(v) and value == v for v in values)


def _or_null(rule: tuple[str, Callable[[Any], bool]]) -> tuple[str, Callable[[Any], bool]]:
    words, holds = rule
    return f"{words} or null", lambda value: value is None or holds(value)


def _is_shown(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and set(value) == {"depth", "ranks", "fold"}
        and type(value["depth"]) is int
        and value["depth"] > 0
        and isinstance(value["ranks"], bool)
        and isinstance(value["fold"], bool)
    )


_TEXT = ("text", lambda value: isinstance(value, str))
_ID = ("an id", lambda value: isinstance(value, str) and value != "")
_DIGEST = ("a digest", is_digest)
_NUMBER = ("a number", _is_number)
_COUNT = ("whole milliseconds from 0", lambda value: type(value) is int and value >= 0)
_TEXTS = ("a list of texts", lambda value: isinstance(value, list | tuple) and all(isinstance(v, str) for v in value))
_SHOWN = ("depth (from 1), ranks and fold (true or false)", _is_shown)

_SCHEMAS: Mapping[str, _Rules] = {
    PREFERENCE: {
        "schema": _TEXT, "experiment": _DIGEST, "topic": _ID, "receipt_a": _DIGEST, "receipt_b": _DIGEST,
        "left": _one_of("a", "b"), "answer": _one_of(*ANSWERS), "reasons": _TEXTS, "comment": _TEXT,
        "elapsed_ms": _COUNT, "repeat": _one_of(0, 1), "guideline": _TEXT, "shown": _SHOWN,
        "queue": _one_of("informative", "random"),
    },
    GRADE: {
        "schema": _TEXT, "experiment": _DIGEST, "topic": _ID, "doc": _ID, "grade": _or_null(_NUMBER),
        "reason": _TEXT, "comment": _TEXT, "elapsed_ms": _COUNT, "guideline": _TEXT, "text_digest": _or_null(_DIGEST),
    },
    ADJUDICATION: {
        "schema": _TEXT, "experiment": _DIGEST, "of": _one_of("grade", "preference"), "topic": _ID,
        "doc": _or_null(_ID), "receipt_a": _or_null(_DIGEST), "receipt_b": _or_null(_DIGEST),
        "value": ("a number or text", lambda value: isinstance(value, str) or _is_number(value)), "reason": _TEXT,
    },
}  # fmt: skip
