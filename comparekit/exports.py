"""
The answers as files: qrels, CSV for spreadsheets, preference triples, and the whole history, which can be read back.
"""

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from comparekit.canonical import canonical, parse_canonical
from comparekit.comparison import Comparison
from comparekit.errors import InputError, RecordError
from comparekit.events import Event, require_chain
from comparekit.experiment import Experiment
from comparekit.formats.spreadsheet import guarded
from comparekit.judgments import as_written
from comparekit.minting import opinions
from comparekit.pairs import pairs
from comparekit.preferences import VALUE, Meaning, meaning_of
from comparekit.records import member, only, split_lines
from comparekit.settling import Rule
from comparekit.standing import grade_scope, standing

HISTORY_SCHEMA = "comparekit.history.v1"
GRADE_COLUMNS = (
    "topic", "doc", "assessor", "grade", "status", "reason", "comment", "elapsed_ms", "recorded_at", "clock",
    "event_id",
)  # fmt: skip
PREFERENCE_COLUMNS = (
    "topic", "assessor", "left", "right", "answer", "preferred", "status", "reasons", "comment", "elapsed_ms",
    "repeat", "queue", "recorded_at", "clock", "event_id",
)  # fmt: skip
TRIPLE_COLUMNS = ("topic", "a", "b", "preferred", "value", "assessor")
TIE = "tie"
STATUS = {"cannot_judge": "cannot judge", "skip": "skipped"}
BACK = "earlier than the event before"
_EVENT: Mapping[str, type | tuple[type, ...]] = {
    "seq": int,
    "event_id": str,
    "kind": str,
    "supersedes": (str, type(None)),
    "assessor": str,
    "comparison": str,
    "payload": dict,
    "recorded_at": str,
    "prev_digest": str,
    "digest": str,
}


def qrels(
    experiment: Experiment, events: Iterable[Event], *, rule: Rule, graders: Collection[str] | None = None
) -> str:
    """
    TREC qrels of what was graded, one line a document, under a rule; see `minting.opinions`.

    "Cannot judge" and documents the rule leaves unresolved have no line, and grades keep their fractions. Fields are
    parted by tabs where an id holds a blank. Raises `InputError` for an id that no qrels file can hold.
    """
    rows = [
        (each.topic, "0", each.doc, str(as_written(each.settled.grade)))
        for each in opinions(experiment, events, rule=rule, graders=graders)
        if each.settled.grade is not None
    ]
    for row in rows:
        for identity in (row[0], row[2]):
            if not identity or any(mark in identity for mark in "\t\n\r"):
                raise InputError("qrels cannot hold this id", got=repr(identity), todo="Export CSV or JSONL.")
    parting = "\t" if any(" " in cell for row in rows for cell in row) else " "
    return "".join(parting.join(row) + "\n" for row in rows)


def grades_csv(experiment: Experiment, events: Iterable[Event]) -> str:
    """One row a current grade and assessor; "cannot judge" has an empty grade and says so in `status`."""
    events = tuple(events)
    clock, scope = _clock(events), grade_scope(experiment.topics.digest)
    rows = []
    for event in standing(events).grades:
        if event.comparison == scope:
            said = event.payload
            judged = said["grade"] is not None
            rows.append((
                said["topic"], said["doc"], event.assessor, as_written(said["grade"]) if judged else "",
                "ok" if judged else "cannot judge",
                said["reason"], said["comment"], said["elapsed_ms"], event.recorded_at, clock[event.seq],
                event.event_id,
            ))  # fmt: skip
    return _csv(GRADE_COLUMNS, sorted(rows, key=lambda row: (row[0], row[1], row[2])))


def preferences_csv(comparison: Comparison, events: Iterable[Event]) -> str:
    """One row a current answer to a pair of this comparison: which ranker stood where, and which was preferred."""
    events = tuple(events)
    clock = _clock(events)
    rows = []
    for event, meaning, left, right in _meant(comparison, events):
        said = event.payload
        rows.append((
            said["topic"], event.assessor, left, right, said["answer"], _preferred(comparison, meaning),
            STATUS.get(said["answer"], "ok"),
            "; ".join(said["reasons"]), said["comment"], said["elapsed_ms"], said["repeat"], said["queue"],
            event.recorded_at, clock[event.seq], event.event_id,
        ))  # fmt: skip
    return _csv(PREFERENCE_COLUMNS, sorted(rows, key=lambda row: (row[0], row[1], row[10])))


def triples_csv(comparison: Comparison, events: Iterable[Event]) -> str:
    """
    One row an opinion: topic, the names of A and B, and the preferred one's name or `tie`.

    `value` is +1 for B, -1 for A, 0 for a tie, whatever a ranker may be called. Repeats, "cannot judge" and skips are
    left out.
    """
    rows = [
        (event.payload["topic"], comparison.a_name, comparison.b_name, _preferred(comparison, meaning), VALUE[meaning],
         event.assessor)
        for event, meaning, _, _ in _meant(comparison, events)
        if meaning in VALUE and not event.payload["repeat"]
    ]  # fmt: skip
    return _csv(TRIPLE_COLUMNS, sorted(rows, key=lambda row: (row[0], row[5])))


def history(events: Sequence[Event]) -> bytes:
    """
    The whole record as canonical JSON lines: a head with the count and the last digest, then every event as it stands.

    `clock_steps_back` counts the events whose time lies before that of the event ahead of them.
    """
    last = events[-1] if events else None
    head = {
        "schema": HISTORY_SCHEMA,
        "count": len(events),
        "head": None if last is None else {"seq": last.seq, "digest": last.digest},
        "clock_steps_back": sum(bool(flag) for flag in _clock(events).values()),
    }
    lines = [head, *({name: getattr(event, name) for name in _EVENT} for event in events)]
    return b"".join(canonical(line) + b"\n" for line in lines)


def read_history(data: bytes, *, path: Path) -> tuple[Event, ...]:
    """
    The events of a history, in order; raises `RecordError` with the line where it is malformed or cut, and where the
    chain of digests does not fit.
    """
    lines = split_lines(data, path=path)
    head = parse_canonical(lines[0], path=path, line=1) if lines else None
    if not isinstance(head, dict) or head.get("schema") != HISTORY_SCHEMA:
        raise RecordError("not a history of answers", path=path, line=1, expected=HISTORY_SCHEMA)
    if head.get("count") != len(lines) - 1:
        raise RecordError(
            "events are missing or were added",
            path=path,
            line=len(lines),
            expected=head.get("count"),
            got=len(lines) - 1,
        )
    events = []
    for number, line in enumerate(lines[1:], start=2):
        body = parse_canonical(line, path=path, line=number)
        if not isinstance(body, dict):
            raise RecordError("an event is not an object", path=path, line=number)
        only(body, _EVENT, path=path, line=number)
        events.append(Event(**{key: member(body, key, kind, path=path, line=number) for key, kind in _EVENT.items()}))
    require_chain(events)
    return tuple(events)


def _meant(comparison: Comparison, events: Iterable[Event]) -> list[tuple[Event, Meaning, str, str]]:
    """The current answers to this comparison's pairs, what each says of A and B, and who stood left and right."""
    mine = {pair.digest: pair for pair in pairs(comparison).values()}
    names = (comparison.a_name, comparison.b_name)
    found = []
    for event in standing(events).preferences:
        if event.comparison in mine:
            pair = mine[event.comparison]
            a_left = event.payload[f"receipt_{event.payload['left']}"] == pair.receipt_a
            found.append((event, meaning_of(event, pair=pair), *(names if a_left else names[::-1])))
    return found


def _preferred(comparison: Comparison, meaning: str) -> str:
    names = {"a": comparison.a_name, "b": comparison.b_name}
    return names.get(meaning, TIE if meaning in VALUE else "")


def _clock(events: Iterable[Event]) -> dict[int, str]:
    """What is odd about the time of each event, by its place in the record."""
    every = sorted(events, key=lambda event: event.seq)
    flags = {event.seq: "" for event in every}
    flags.update({after.seq: BACK for before, after in pairwise(every) if after.recorded_at < before.recorded_at})
    return flags


def _csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([guarded(cell) if type(cell) is str else cell for cell in row])
    return out.getvalue()
