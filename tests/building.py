"""Rows, lists and alignments made by hand, for tests."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from comparekit.alignment import Alignment, align
from comparekit.columns import Grades, Lists
from comparekit.formats import read_judgments, read_run
from comparekit.formats.rows import ImportReport, JudgmentRows, RunRows
from comparekit.grading import Conflict, grades_of
from comparekit.measures import parse_measure
from comparekit.ordering import Order, order_rows

Ranking = Mapping[str, Sequence[str]]


def strings(values: Sequence[str], *, chunks: int = 1) -> pa.ChunkedArray:
    """A column of text, cut into `chunks` pieces."""
    size = max(1, -(-len(values) // chunks))
    pieces = [pa.array(values[at : at + size], pa.string()) for at in range(0, len(values), size)]
    return pa.chunked_array(pieces, pa.string())


def report(name: str, rows: int) -> ImportReport:
    return ImportReport(name=name, format="by hand", digest="sha256:" + "0" * 64, rows=rows)


def run_rows(lines: Sequence[tuple[str, str, int, float]], *, name: str = "a.run") -> RunRows:
    """A run from (topic, document, rank, score) in the order of the file."""
    topics, docs, ranks, scores = zip(*lines, strict=True) if lines else ((), (), (), ())
    return RunRows(
        topics=strings(topics), docs=strings(docs), scores=np.array(scores, np.float64),
        ranks=np.array(ranks, np.int64), lines=None, tags=("by-hand",), report=report(name, len(lines)),
    )


def judgment_rows(
    lines: Sequence[tuple[str, str, float]], *, assessors: Sequence[str | None] | None = None, name: str = "qrels.txt"
) -> JudgmentRows:
    """Judgments from (topic, document, grade) in the order of the file."""
    topics, docs, grades = zip(*lines, strict=True) if lines else ((), (), ())
    return JudgmentRows(
        topics=strings(topics), docs=strings(docs), grades=np.array(grades, np.float64), lines=None,
        assessors=None if assessors is None else tuple(assessors), sources=None, report=report(name, len(lines)),
    )


def lists(rankings: Ranking) -> Lists:
    """Lists in the given order, with scores that fall by one."""
    lines = [
        (topic, doc, rank, float(-rank)) for topic, docs in rankings.items() for rank, doc in enumerate(docs, start=1)
    ]
    empty = tuple(topic for topic, docs in rankings.items() if not docs)
    rows = run_rows(lines)
    whole = RunRows(
        rows.topics, rows.docs, rows.scores, rows.ranks, None, rows.tags, rows.report, empty_topics=empty
    )
    return order_rows(whole, order="rank").lists


def grades(judgments: Mapping[str, Mapping[str, float]]) -> Grades:
    """Grades by topic and document."""
    lines = [(topic, doc, grade) for topic, said in judgments.items() for doc, grade in said.items()]
    return grades_of(judgment_rows(lines))[0]


def aligned(
    judgments: Mapping[str, Mapping[str, float]],
    a: Ranking,
    *,
    b: Ranking | None = None,
    topics: Sequence[str] | None = None,
    top_grade: float | None = None,
) -> Alignment:
    """An alignment by hand; B is A unless given, the topics are all that are named anywhere."""
    b = a if b is None else b
    pinned = sorted({*judgments, *a, *b}) if topics is None else topics
    return align(pinned, a=lists(a), b=lists(b), grades=grades(judgments), top_grade=top_grade)


def case(
    folder: Path, *, order: Order = "score", conflict: Conflict = "refuse", topics: Sequence[str] = ()
) -> Alignment:
    """A case of the shared folder, read from its files; the topics are the judged ones unless given."""
    judged = grades_of(read_judgments(folder / "qrels.txt")[0], conflict=conflict)[0]
    a, b = (order_rows(read_run(folder / name), order=order).lists for name in ("run_a.trec", "run_b.trec"))
    return align(topics or judged.topics, a=a, b=b, grades=judged)


def value_of(measure: str, alignment: Alignment, *, side: str = "a") -> list[float | None]:
    """A measure of every topic, None where it is undefined."""
    values = parse_measure(measure).values(alignment.a if side == "a" else alignment.b)
    return [None if np.isnan(value) else float(value) for value in values.value]


def reasons_of(measure: str, alignment: Alignment) -> list[int]:
    """Why a measure of A is undefined, by topic."""
    return [int(reason) for reason in parse_measure(measure).values(alignment.a).reason]
