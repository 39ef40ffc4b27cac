"""Which grade has a document that was judged more than once?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa

from comparekit.columns import (
    Bools,
    Columns,
    Floats,
    Grades,
    Ints,
    by_topic,
    keys_of,
    offsets_of,
    take,
    take_strings,
    topic_of,
)
from comparekit.errors import FormatError
from comparekit.formats.rows import JudgmentRows
from comparekit.matching import repeated
from comparekit.repairs import Repair, repair

Conflict = Literal["refuse", "max", "last", "mean"]

_RULES: dict[Conflict, str] = {"max": "the highest", "last": "the one on the last line", "mean": "their mean"}


def grades_of(rows: JudgmentRows, *, conflict: Conflict = "refuse") -> tuple[Grades, tuple[Repair, ...]]:
    """
    One grade for every judged document of every topic, topics by id.

    A judgment that repeats an earlier one (topic, document, grade and, where known, assessor) counts once.
    `conflict` says what holds where the grades of a document differ: nothing ("refuse"), the highest ("max"), the
    one on the last line ("last"), or the mean of what was said ("mean").

    Returns the grades with a `Repair` for repeats and one for conflicts.
    Raises `FormatError` on a grade that is not finite, and on a conflict that no rule was chosen for.
    """
    _require_finite(rows)
    groups = by_topic(rows.topics)
    docs = take_strings(rows.docs, groups.row)
    flat = Grades(groups.topics, groups.offsets, docs, take(rows.grades, groups.row), keys_of(docs))
    if not len(repeated(flat)):
        return flat, ()
    spoken = _spoken(rows, flat, take(np.arange(len(rows.grades)), groups.row))
    if conflict == "refuse" and spoken.differs.any():
        raise _conflict(spoken, rows)
    first = np.argsort(spoken.first)
    return _thinned(flat, spoken.first[first], _settled(spoken, conflict)[first]), tuple(_told(spoken, rows, conflict))


@dataclass(frozen=True, slots=True, eq=False)
class _Spoken:
    """
    Every judgment by document, and as in the file within a document.

    `start` is where the judgments of each document begin, `first` the row of its first one among the grouped rows;
    `at` is the row of the file, `again` marks what repeats an earlier judgment, `differs` documents in conflict.
    """

    start: Ints
    first: Ints
    at: Ints
    grade: Floats
    again: Bools
    differs: Bools


def _spoken(rows: JudgmentRows, flat: Columns, row: Ints) -> _Spoken:
    named = topic_of(flat.offsets) * len(row) + _codes(flat.docs)
    _, first, document = np.unique(named, return_index=True, return_inverse=True)
    order = np.argsort(document, kind="stable")
    document, at = document[order], row[order]
    grade = rows.grades[at]
    start = np.flatnonzero(np.diff(document, prepend=-1))
    differs = np.minimum.reduceat(grade, start) < np.maximum.reduceat(grade, start)
    return _Spoken(start, first, at, grade, _again(document, grade, _assessors(rows)[at]), differs)


def _codes(strings: pa.ChunkedArray) -> Ints:
    return np.asarray(strings.combine_chunks().dictionary_encode().indices, np.int64)


def _assessors(rows: JudgmentRows) -> Ints:
    if rows.assessors is None:
        return np.zeros(len(rows.grades), np.int64)
    return np.asarray(pa.array(rows.assessors, pa.string()).dictionary_encode().indices.fill_null(-1), np.int64)


def _again(document: Ints, grade: Floats, assessor: Ints) -> Bools:
    """Which judgments repeat an earlier one."""
    order = np.lexsort((assessor, grade, document))
    again = np.zeros(len(order), np.bool_)
    again[order[1:]] = (np.diff(document[order]) == 0) & (np.diff(grade[order]) == 0) & (np.diff(assessor[order]) == 0)
    return again


def _settled(spoken: _Spoken, conflict: Conflict) -> Floats:
    """One grade a document."""
    if conflict == "last":
        return np.asarray(spoken.grade[np.append(spoken.start[1:], len(spoken.grade)) - 1])
    highest: Floats = np.maximum.reduceat(spoken.grade, spoken.start)
    if conflict != "mean":
        return highest
    counted = (~spoken.again).astype(np.float64)
    mean = np.add.reduceat(spoken.grade * counted, spoken.start) / np.add.reduceat(counted, spoken.start)
    return np.where(spoken.differs, mean, highest)


def _thinned(flat: Grades, rows: Ints, grades: Floats) -> Grades:
    lengths = np.bincount(topic_of(flat.offsets)[rows], minlength=len(flat.topics))
    return Grades(flat.topics, offsets_of(lengths), take_strings(flat.docs, rows), grades, flat.keys[rows])


def _told(spoken: _Spoken, rows: JudgmentRows, conflict: Conflict) -> Iterator[Repair]:
    file = rows.report.name
    lines = np.sort(_lines(rows, spoken.at[spoken.again]))
    if len(lines):
        message = f"repeated judgments on {len(lines)} of {len(rows.grades)} lines count once"
        yield repair("repeated-judgment", message, file=file, lines=lines)
    documents = int(spoken.differs.sum())
    if documents:
        sizes = np.diff(spoken.start, append=len(spoken.at))
        lines = np.sort(_lines(rows, spoken.at[np.repeat(spoken.differs, sizes)]))
        share = f"{documents} of {len(spoken.start)} judged documents"
        message = f"{share} have different grades; theirs is {_RULES[conflict]}"
        yield repair("conflicting-grades", message, file=file, lines=lines, count=documents)


def _conflict(spoken: _Spoken, rows: JudgmentRows) -> FormatError:
    """The error about the conflict that shows first in the file."""
    sizes = np.diff(spoken.start, append=len(spoken.at))
    original = np.repeat(spoken.start, sizes)
    against = np.flatnonzero(spoken.grade != spoken.grade[original])
    second = against[np.argmin(_lines(rows, spoken.at[against]))]
    pair = spoken.at[[original[second], second]]
    line, other = _lines(rows, pair).tolist()
    topic, doc = rows.topics[int(pair[0])].as_py(), rows.docs[int(pair[0])].as_py()
    return FormatError(
        f"document {doc} of topic {topic} is graded {rows.grades[pair[0]]:g} on line {line} "
        f"and {rows.grades[pair[1]]:g} on line {other}",
        path=rows.report.name,
        line=other,
        todo='Remove one, or choose a rule for conflicts: "max", "last" or "mean".',
    )


def _require_finite(rows: JudgmentRows) -> None:
    bad = np.flatnonzero(~np.isfinite(rows.grades))[:1]
    if len(bad):
        raise FormatError(
            "a grade is missing or not finite",
            path=rows.report.name,
            line=int(_lines(rows, bad)[0]),
            expected="a finite number",
            got=float(rows.grades[bad[0]]),
            todo="Leave out what was not judged.",
        )


def _lines(rows: JudgmentRows, at: Ints) -> Ints:
    return at + 1 if rows.lines is None else rows.lines[at]
