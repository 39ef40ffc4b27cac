"""
How do answers become judgments? As a new, numbered set beside the pinned one, which never changes.

For every document that the chosen graders graded, their grades and the pinned ones given by people make one grade
under the rule; a grade derived from clicks gives way to a person's. Where the rule settles nothing, what was pinned
stays. Preferences between lists never become grades.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from comparekit.canonical import canonical, parse_fast, sha256_of, short
from comparekit.declaration import Declaration
from comparekit.errors import InputError
from comparekit.events import Event
from comparekit.experiment import JUDGMENTS, Experiment, pinned_judgments
from comparekit.files import write_new
from comparekit.judgments import PINNED, as_written
from comparekit.minted import FOLDER, SET_SCHEMA, SUFFIX
from comparekit.overriding import HUMAN, is_human, merge
from comparekit.records import encode, split_lines
from comparekit.settling import RULES, Rule, Settled, settle
from comparekit.standing import grade_scope, standing
from comparekit.store_place import place_or_default, user_file
from comparekit.topics import HELD_OUT
from comparekit.version import VERSION

Item = tuple[str, str]
Records = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """
    All that is known of one document: the graders' events, adjudicators' events and what the parent set says.

    `grades` holds one grade a person, pinned ones by people included; `settled` is what they make under the rule.
    """

    topic: str
    doc: str
    events: tuple[Event, ...]
    rulings: tuple[Event, ...]
    pinned: Records
    grades: tuple[float, ...]
    settled: Settled


@dataclass(frozen=True, slots=True)
class Minted:
    """A new judgment set: its name, the file of its lines, both digests, and the counts of its manifest."""

    name: str
    path: Path
    digest: str
    manifest: str
    counts: Mapping[str, Any]


def judgments_folder(beside: Path, declaration: Declaration) -> Path:
    """Where an experiment's minted sets lie when the experiment's own folder is left alone: beside the store."""
    return beside / FOLDER / short(declaration.digest)


def minted_folder(declaration: Declaration, place: str | None = None) -> Path:
    """Where an experiment's minted sets lie: beside the record, or in the user's data folder beside a database."""
    record = place_or_default(place)
    return judgments_folder((user_file() if "://" in record else Path(record)).parent, declaration)


def opinions(
    experiment: Experiment, events: Iterable[Event], *, rule: Rule, graders: Collection[str] | None = None
) -> tuple[Opinion, ...]:
    """
    Every document of an open topic that the chosen graders (None: all) graded, by topic and document.

    "Cannot judge" is no grade; a document with nothing else is left out. Adjudications count under the rule
    "adjudicated", whoever made them. Raises `InputError` on a rule that does not exist.
    """
    if rule not in RULES:
        raise InputError("there is no such rule", expected=", ".join(RULES), got=repr(rule))
    now, scope = standing(events), grade_scope(experiment.topics.digest)
    given = _by_document(now.grades, scope, experiment)
    ruled = _by_document(now.adjudications, scope, experiment) if rule == "adjudicated" else {}
    pinned: dict[Item, list[Mapping[str, Any]]] = {}
    for record in _pinned_records(experiment):
        pinned.setdefault((record["topic"], record["doc"]), []).append(record)
    found = []
    for item in sorted(given.keys() | ruled.keys()):
        said = [event for event in given.get(item, ()) if graders is None or event.assessor in graders]
        known = {event.assessor: float(event.payload["grade"]) for event in said if event.payload["grade"] is not None}
        rulings = ruled.get(item, [])
        if known or rulings:
            grades = (*_others(pinned.get(item, ()), known), *known.values())
            decided = [None if each.payload["value"] == "unresolved" else each.payload["value"] for each in rulings]
            settled = settle(grades, rule=rule, rulings=decided)
            used = tuple(event for event in said if event.payload["grade"] is not None)
            found.append(Opinion(*item, used, tuple(rulings), pinned.get(item, ()), grades, settled))
    return tuple(found)


def mint(
    experiment: Experiment,
    events: Iterable[Event],
    *,
    rule: Rule,
    out: Path,
    graders: Collection[str] | None = None,
    named: bool = True,
    head: tuple[int, str] | None = None,
    created_at: str | None = None,
) -> Minted:
    """
    Write the next numbered set, `NNNN.jsonl` and `NNNN.manifest.json`, into the folder `out`; nothing is replaced.

    The number follows the highest in `out` and in the experiment's folder. `graders` chooses whose grades count (None:
    everybody's); without `named` the manifest tells their events and not their names. `head` is the store's, for the
    record. Equal inputs give equal bytes, but for the number and `created_at`.

    Raises `InputError` when there is no grade to mint.
    """
    found = opinions(experiment, events, rule=rule, graders=graders)
    if not found:
        raise InputError("there is no grade to mint", todo="Grade documents first, or choose other graders.")
    records, counts = _merged(_pinned_records(experiment), found)
    data, pinned = encode(records)
    out.mkdir(parents=True, exist_ok=True)
    name = _next_name(out, experiment.folder / FOLDER)
    body = {
        "schema": SET_SCHEMA,
        "name": name,
        "experiment": experiment.declaration.digest,
        "parent": {"name": PINNED, "digest": experiment.sources[JUDGMENTS].pinned.digest},
        "rule": {"name": rule, "says": RULES[rule]},
        "graders": _graders(found) if named else None,
        "judgments": pinned.record(),
        "counts": counts,
        "provenance": [_provenance(each) for each in found if each.settled.grade is not None],
        "unresolved": [_provenance(each) for each in found if each.settled.grade is None],
        "store": None if head is None else {"seq": head[0], "digest": head[1]},
        "producer": f"comparekit {VERSION}",
        "created_at": created_at,
    }
    manifest = canonical(body)
    write_new(out / f"{name}.jsonl", data)
    write_new(out / f"{name}{SUFFIX}", manifest)
    return Minted(name, out / f"{name}.jsonl", pinned.digest, sha256_of(manifest), counts)


def _pinned_records(experiment: Experiment) -> list[dict[str, Any]]:
    path = experiment.folder / JUDGMENTS
    return [dict(parse_fast(line, path=path)) for line in split_lines(pinned_judgments(experiment), path=path)]


def _by_document(events: Iterable[Event], scope: str, experiment: Experiment) -> dict[Item, list[Event]]:
    found: dict[Item, list[Event]] = {}
    for event in events:
        topic, doc = event.payload["topic"], event.payload["doc"]
        if event.comparison == scope and topic in experiment.topics and experiment.topics[topic].split != HELD_OUT:
            found.setdefault((topic, doc), []).append(event)
    return found


def _others(pinned: Records, known: Mapping[str, float]) -> list[float]:
    """The pinned grades by people who did not answer anew."""
    return [float(each["grade"]) for each in pinned if is_human(each) and each.get("assessor") not in known]


def _merged(parent: Records, found: Iterable[Opinion]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The records of the new set in order, and the counts of how they came about."""
    merged = merge(parent)
    settled = {(each.topic, each.doc): each for each in found}
    made = {item: each for item, each in settled.items() if each.settled.grade is not None}
    kept = [dict(each) for each in merged.records if (each["topic"], each["doc"]) not in made]
    new = [
        {"topic": topic, "doc": doc, "grade": as_written(each.settled.grade or 0.0), "source": HUMAN}
        for (topic, doc), each in made.items()
    ]
    outcomes = [each.settled.outcome for each in settled.values()]
    counts = {
        "parent": len(parent),
        "kept": len(kept),
        "judgments": len(kept) + len(new),
        "added": sum(not each.pinned for each in made.values()),
        "replaced": sum(bool(each.pinned) for each in made.values()),
        "overridden": merged.overridden,
        "events": sum(len(each.events) + len(each.rulings) for each in settled.values()),
        "outcomes": {name: outcomes.count(name) for name in sorted(set(outcomes))},
    }
    order = sorted(
        [*kept, *new], key=lambda each: (each["topic"], each["doc"], each.get("assessor", ""), canonical(each))
    )
    return order, counts


def _graders(found: Iterable[Opinion]) -> dict[str, int]:
    names = [event.assessor for each in found for event in each.events]
    return {name: names.count(name) for name in sorted(set(names))}


def _provenance(each: Opinion) -> dict[str, Any]:
    return {
        "topic": each.topic,
        "doc": each.doc,
        "outcome": each.settled.outcome,
        "events": [event.event_id for event in (*each.events, *each.rulings)],
        "pinned": len(each.pinned),
    }


def _next_name(*folders: Path) -> str:
    taken = [int(path.stem) for folder in folders for path in folder.glob("*.jsonl") if path.stem.isdecimal()]
    return f"{max(taken, default=0) + 1:04d}"
