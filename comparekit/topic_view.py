"""One topic as a person looks at it: both lists with texts and grades, and what the measures say."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from comparekit.columns import Grades, Lists
from comparekit.documents import Documents
from comparekit.measures import Measure
from comparekit.receipts import ReceiptSet
from comparekit.topics import Topic


@dataclass(frozen=True, slots=True)
class Shown:
    """
    One document of one list, as it may be shown.

    `rank` counts from 1; `score` is None where none was recorded, `grade` None where nobody judged;
    `other_rank` is its rank in the other list, None when it is not there; `tied` says that a neighbour has the same
    score; `explanation` is the ranker's own account, as recorded.
    """

    doc: str
    rank: int
    score: float | None
    tied: bool
    grade: float | None
    other_rank: int | None
    title: str
    text: str
    url: str
    fields: Mapping[str, str]
    explanation: Any


@dataclass(frozen=True, slots=True)
class MeasuredTopic:
    """What one measure says of one topic; a value is None where it is undefined, and `reason` says why."""

    measure: Measure
    a: float | None
    b: float | None
    delta: float | None
    outcome: str
    reason: str


@dataclass(frozen=True, slots=True)
class TopicView:
    """
    Both answers to one topic.

    `rows_a` and `rows_b` hold the first `depth` documents; `length_a` and `length_b` count all.
    `answered` says that both sides gave an answer, as declared. `rbo` is None where it is undefined. `receipt_a` and
    `receipt_b` are the digests of the receipts.
    """

    topic: Topic
    state_a: str
    state_b: str
    rows_a: tuple[Shown, ...]
    rows_b: tuple[Shown, ...]
    length_a: int
    length_b: int
    values: tuple[MeasuredTopic, ...]
    rbo: float | None
    residual: float | None
    answered: bool
    changed: bool
    story: str
    receipt_a: str | None
    receipt_b: str | None


def shown_rows(
    position: int, lists: Lists, *, other: Lists, grades: Grades, receipts: ReceiptSet, documents: Documents, depth: int
) -> tuple[Shown, ...]:
    """The first `depth` documents of one list; `position` is the topic's place in all three columns."""
    docs = ranking(lists, position)
    ranks = {doc: rank for rank, doc in enumerate(ranking(other, position), start=1)}
    known = dict(zip(ranking(grades, position), _slice(grades, grades.grades, position), strict=True))
    scores = _slice(lists, lists.scores, position)
    results = (receipts.receipt(lists.topics[position]) or {"results": []})["results"]
    rows = []
    for rank, doc in enumerate(docs[:depth], start=1):
        score = scores[rank - 1]
        document = documents.get(doc)
        rows.append(Shown(
            doc=doc, rank=rank, score=None if score != score else score,
            tied=score in (scores[rank - 2] if rank > 1 else None, scores[rank] if rank < len(scores) else None),
            grade=known.get(doc), other_rank=ranks.get(doc),
            title=document.title if document else "", text=document.text if document else "",
            url=document.url if document else "", fields=document.fields if document else {},
            explanation=results[rank - 1].get("explanation") if rank <= len(results) else None,
        ))  # fmt: skip
    return tuple(rows)


def ranking(columns: Lists | Grades, position: int) -> list[str]:
    """The documents of one topic, in the order of the columns."""
    start, end = columns.offsets[position], columns.offsets[position + 1]
    docs: list[str] = columns.docs.slice(int(start), int(end - start)).to_pylist()
    return docs


def _slice(columns: Lists | Grades, values: Any, position: int) -> list[float]:
    found: list[float] = values[columns.offsets[position] : columns.offsets[position + 1]].tolist()
    return found
