"""Rows put together one by one, for the formats that are not tables of plain columns."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.formats.registry import Options
from comparekit.formats.reports import report_of
from comparekit.formats.rows import JudgmentRows, RunRows
from comparekit.formats.values import check_id, number, unusable_score, unusable_scores, whole_number
from comparekit.repairs import Repair, repair

NO_SCORE = float("nan")


def strings(values: Iterable[str]) -> pa.ChunkedArray:
    """A column of text."""
    return pa.chunked_array([pa.array(values, pa.string())], pa.string())


@dataclass(slots=True)
class RunBuilder:
    """Collects the rows of a run; numbers come as the text that stood in the file, `None` where there was none."""

    source: Source
    options: Options
    topics: list[str] = field(default_factory=list)
    docs: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    ranks: list[int | None] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    tags: dict[str, None] = field(default_factory=dict)
    unusable: list[int] = field(default_factory=list)
    topic_texts: dict[str, str] = field(default_factory=dict)
    document_texts: dict[str, dict[str, str]] = field(default_factory=dict)
    empty_topics: dict[str, None] = field(default_factory=dict)
    unread: dict[str, None] = field(default_factory=dict)

    def add(self, topic: str, doc: str, *, score: str | None, rank: str | int | None, line: int) -> None:
        """One retrieved document. Raises `FormatError` when the score, the rank or an id cannot be used."""
        self.topics.append(check_id(topic, source=self.source, line=line, what="topic"))
        self.docs.append(check_id(doc, source=self.source, line=line, what="document"))
        self.scores.append(self._score(score, line))
        self.ranks.append(self._rank(rank, line))
        self.lines.append(line)

    def note_texts(self, doc: str, texts: Mapping[str, str]) -> None:
        """What a row tells about its document besides; the first to tell a thing counts."""
        if texts:
            self.document_texts[doc] = {**texts, **self.document_texts.get(doc, {})}

    def _score(self, text: str | None, line: int) -> float:
        value = None if text is None else number(text.strip())
        if value is not None:
            return value
        if not self.options.keep_going:
            raise unusable_score(text, source=self.source, line=line)
        self.unusable.append(line)
        return NO_SCORE

    def _rank(self, rank: str | int | None, line: int) -> int | None:
        value = whole_number(rank.strip()) if isinstance(rank, str) else rank
        if value is None and rank is not None:
            raise FormatError("the rank is not a whole number", path=self.source.path, line=line, got=repr(rank))
        return value

    def built(self, format: str, *, repairs: Iterable[Repair] = (), by_text: bool = False) -> RunRows:
        """The rows. Raises `FormatError` when there are none, or when only some have a rank."""
        if not self.topics and not self.empty_topics:
            raise FormatError("the file holds no rows", path=self.source.path, todo="Export it again.")
        topics, docs = strings(self.topics), strings(self.docs)
        told = (*repairs, *unusable_scores(self.unusable, self.source), *not_read(self.unread, self.source))
        return RunRows(
            topics,
            docs,
            np.array(self.scores, np.float64),
            self._ranks(),
            np.array(self.lines, np.int64),
            tuple(self.tags),
            report_of(self.source, format, topics, docs, told, by_text=by_text),
            tuple(self.empty_topics),
            self.topic_texts,
            self.document_texts,
        )

    def _ranks(self) -> "np.ndarray[tuple[int], np.dtype[np.int64]] | None":
        without = [line for line, rank in zip(self.lines, self.ranks, strict=True) if rank is None]
        if len(without) == len(self.ranks):
            return None
        if without:
            todo = "Give every row a rank, or none."
            raise FormatError(
                "the row has no rank, although others have", path=self.source.path, line=without[0], todo=todo
            )
        return np.array(self.ranks, np.int64)


@dataclass(slots=True)
class JudgmentBuilder:
    """Collects judgments; grades come as the text that stood in the file."""

    source: Source
    topics: list[str] = field(default_factory=list)
    docs: list[str] = field(default_factory=list)
    grades: list[float] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    assessors: list[str | None] = field(default_factory=list)
    sources: list[str | None] = field(default_factory=list)
    unjudged: list[int] = field(default_factory=list)
    unread: dict[str, None] = field(default_factory=dict)

    def add(
        self,
        topic: str,
        doc: str,
        *,
        grade: str | None,
        line: int,
        assessor: str | None = None,
        source: str | None = None,
    ) -> None:
        """One judgment; without a grade it is noted as unjudged. Raises `FormatError` at a grade that is no number."""
        check_id(topic, source=self.source, line=line, what="topic")
        check_id(doc, source=self.source, line=line, what="document")
        if grade is None or not grade.strip():
            self.unjudged.append(line)
            return
        value = number(grade.strip())
        if value is None:
            expected = "a finite number"
            raise FormatError(
                "the grade is unusable", path=self.source.path, line=line, expected=expected, got=repr(grade)
            )
        for column, cell in (
            (self.topics, topic),
            (self.docs, doc),
            (self.assessors, assessor),
            (self.sources, source),
        ):
            column.append(cell)  # type: ignore[arg-type]
        self.grades.append(value)
        self.lines.append(line)

    def built(self, format: str, *, repairs: Iterable[Repair] = (), by_text: bool = False) -> JudgmentRows:
        """The rows. Raises `FormatError` when nothing is judged."""
        if not self.topics:
            raise FormatError("the file holds no judgments", path=self.source.path, todo="Export it again.")
        message = "Rows without a grade are unjudged and were left out."
        unjudged = (
            (repair("unjudged-rows", message, file=self.source.name, lines=self.unjudged),) if self.unjudged else ()
        )
        topics, docs = strings(self.topics), strings(self.docs)
        told = (*repairs, *unjudged, *not_read(self.unread, self.source))
        return JudgmentRows(
            topics,
            docs,
            np.array(self.grades, np.float64),
            np.array(self.lines, np.int64),
            tuple(self.assessors) if any(self.assessors) else None,
            report_of(self.source, format, topics, docs, told, by_text=by_text),
            tuple(self.sources) if any(self.sources) else None,
        )


def not_read(names: Iterable[str], source: Source) -> tuple[Repair, ...]:
    """The note that names what stood in the file and was not taken over; nothing when all was."""
    names = list(names)
    if not names:
        return ()
    return (repair("not-read", f"Not read: {', '.join(names)}.", file=source.name, count=len(names)),)
