"""Judgment sets: who said which document serves which topic, and how well."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from comparekit.canonical import canonical, parse_fast, sha256_of
from comparekit.columns import Floats, Grades
from comparekit.errors import RecordError
from comparekit.formats import ImportReport, JudgmentRows
from comparekit.grading import Conflict, grades_of
from comparekit.records import member, parsed, split_lines
from comparekit.repairs import Repair

PINNED = "pinned"
"""The name of the judgment set that the experiment itself carries."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """
    One judgment set: its rows as they were recorded, and one grade a document under the declared rule.

    `hard_negatives` are (topic, document) pairs tagged as looking right and being wrong.
    `assessors` and `sources` say who judged, with the number of rows of each.
    """

    name: str
    digest: str
    rows: int
    grades: Grades
    repairs: tuple[Repair, ...]
    assessors: Mapping[str, int]
    sources: Mapping[str, int]
    hard_negatives: frozenset[tuple[str, str]]


def read_judgments(data: bytes, *, path: Path, name: str = PINNED, conflict: Conflict = "refuse") -> Judgments:
    """
    The judgment set of a judgments.jsonl.

    `conflict` says which grade holds where one document was graded twice and differently.
    Raises `RecordError` on malformed lines, `FormatError` on conflicts that no rule was chosen for.
    """
    records = [
        _record(line, path=path, line=number) for number, line in enumerate(split_lines(data, path=path), start=1)
    ]
    digest = sha256_of(data)
    rows = JudgmentRows(
        topics=pa.chunked_array([pa.array([each["topic"] for each in records], pa.string())]),
        docs=pa.chunked_array([pa.array([each["doc"] for each in records], pa.string())]),
        grades=np.array([each["grade"] for each in records], dtype=np.float64),
        lines=None,
        assessors=tuple(each.get("assessor") for each in records),
        report=ImportReport(
            name=path.name, format="comparekit judgments", digest=digest, rows=len(records), repairs=()
        ),
    )
    grades, repairs = grades_of(rows, conflict=conflict)
    return Judgments(
        name=name,
        digest=digest,
        rows=len(records),
        grades=grades,
        repairs=repairs,
        assessors=_counted(each.get("assessor") for each in records),
        sources=_counted(each.get("source") for each in records),
        hard_negatives=frozenset((each["topic"], each["doc"]) for each in records if each.get("hard_negative")),
    )


def check(data: bytes, *, path: Path) -> None:
    """Prove that every line is canonical and complete; raises `RecordError` at the first that is not."""
    for line, record in parsed(data, path=path):
        _require(record, path=path, line=line)


def in_order(rows: JudgmentRows) -> list[dict[str, Any]]:
    """Records by topic, document and assessor, ready to be written, so that equal judgments give equal bytes."""
    unknown = (None,) * len(rows.grades)
    records = [
        _compact({"topic": topic, "doc": doc, "grade": grade, "source": source, "assessor": assessor})
        for topic, doc, grade, source, assessor in zip(
            rows.topics.to_pylist(),
            rows.docs.to_pylist(),
            map(as_written, rows.grades.tolist()),
            rows.sources or unknown,
            rows.assessors or unknown,
            strict=True,
        )
    ]
    return sorted(
        records, key=lambda record: (record["topic"], record["doc"], record.get("assessor", ""), canonical(record))
    )


def grade_counts(grades: Floats) -> dict[str, int]:
    """How often each grade was given, from the lowest up; grades as people write them."""
    values, counts = np.unique(grades, return_counts=True)
    return {f"{value:g}": int(count) for value, count in zip(values, counts, strict=True)}


def _record(data: bytes, *, path: Path, line: int) -> dict[str, Any]:
    record = parse_fast(data, path=path, line=line)
    _require(record, path=path, line=line)
    return dict(record)


def _require(record: Any, *, path: Path, line: int) -> None:
    if not isinstance(record, dict):
        raise RecordError("a judgment is not an object", path=path, line=line)
    for key in ("topic", "doc"):
        member(record, key, str, path=path, line=line)
    member(record, "grade", (int, float), path=path, line=line)


def as_written(grade: float) -> int | float:
    """A grade as people write it: a whole number without a point."""
    return int(grade) if grade == int(grade) else grade


def _compact(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if value is not None}


def _counted(names: Iterable[str | None]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        if name is not None:
            counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))
