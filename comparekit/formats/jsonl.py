"""
JSON lines, or one JSON array of the same objects: runs, judgments, topics and documents.

A run is one row an object (`qid`, `docno`, `score`, `rank`) or one topic an object with its `results` inside. BEIR's
queries and corpus (`_id`, `text`, `title`) are read here too. Where only a query's text is given and no id, the text
exactly as written is the topic's id.
"""

from dataclasses import replace
from typing import Any

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.formats.building import JudgmentBuilder, RunBuilder
from comparekit.formats.json_values import has_records, records
from comparekit.formats.lines import blank_lines
from comparekit.formats.names import SPELLINGS, plain
from comparekit.formats.records import (
    Record,
    field_of,
    labels_of,
    plain_text,
    read_document_records,
    read_strata_rows,
    read_topic_records,
    text_of,
    texts_of,
)
from comparekit.formats.registry import Options, register
from comparekit.formats.rows import ImportReport, JudgmentRows, RunRows
from comparekit.repairs import Repair, repair
from comparekit.topics import Topic

ORDER = 30
ROW_ROLES = ("topic", "query", "doc", "score", "rank", "tag", "title", "text", "url", "results")
NOTED = {"state", "schema", "policy"}
JUDGMENT_ROLES = ("topic", "query", "doc", "grade", "assessor", "source")


def _fits(source: Source, options: Options) -> bool:
    return has_records(source)


@register("jsonl", "run", expects="JSON objects, a row or a topic with its results each", fits=_fits, order=ORDER)
def read_run_records(source: Source, options: Options) -> RunRows:
    """A run. A result without a rank stands at its place in the list of its topic."""
    blank: list[int] = []
    placed: list[int] = []
    failed: list[str] = []
    run, by_text = RunBuilder(source, options), False
    for line, record in records(source, options.limits, blank=blank):
        topic, named_by_text = _topic_of(record, run, line)
        if record.get("state") == "failed":
            failed.append(topic)
            continue
        by_text = by_text or named_by_text
        results = field_of(record, "results")
        if results is None:
            _add(run, topic, record, place=None, line=line)
        else:
            placed += _add_list(run, topic, results, line=line)
        _note_unread(run.unread, record, ROW_ROLES)
    built = run.built(
        "jsonl",
        repairs=(*blank_lines(blank, source), *_places(placed, source), *_failed(failed, source)),
        by_text=by_text,
    )
    return replace(built, failed_topics=tuple(failed))


def _topic_of(record: Record, run: RunBuilder, line: int) -> tuple[str, bool]:
    topic, query = field_of(record, "topic"), field_of(record, "query")
    if topic is None and query is None:
        raise _lacking("topic", ("topic", "query"), record, run.source, line)
    name = text_of(query if topic is None else topic, source=run.source, line=line, what="topic id")
    if query is not None:
        run.topic_texts.setdefault(name, text_of(query, source=run.source, line=line, what="query"))
    return name, topic is None


def _add_list(run: RunBuilder, topic: str, results: Any, *, line: int) -> list[int]:
    """Add a topic's list; returns the line once more for every result that has no rank of its own."""
    if not isinstance(results, list):
        raise FormatError("the results must be a list", path=run.source.path, line=line, got=repr(results)[:60])
    if not results:
        run.empty_topics[topic] = None
    placed = []
    for place, result in enumerate(results, start=1):
        if not isinstance(result, dict):
            raise FormatError("a result must be an object", path=run.source.path, line=line, got=repr(result)[:60])
        _add(run, topic, result, place=place, line=line)
        _note_unread(run.unread, result, ROW_ROLES)
        placed += [line] if field_of(result, "rank") is None else []
    return placed


def _add(run: RunBuilder, topic: str, result: Record, *, place: int | None, line: int) -> None:
    doc, score, rank = field_of(result, "doc"), field_of(result, "score"), field_of(result, "rank")
    if doc is None and place is not None:
        doc = field_of(result, "doc_id")
    if doc is None:
        raise _lacking("document", ("doc",), result, run.source, line)
    name = text_of(doc, source=run.source, line=line, what="document id")
    rank = place if rank is None else text_of(rank, source=run.source, line=line, what="rank")
    run.add(topic, name, score=None if score is None else str(score), rank=rank, line=line)
    run.note_texts(name, texts_of(result))
    tag = field_of(result, "tag")
    if isinstance(tag, str):
        run.tags[tag] = None


@register("jsonl", "judgments", expects="JSON objects with topic, doc and grade", fits=_fits, order=ORDER)
def read_judgment_records(source: Source, options: Options) -> JudgmentRows:
    """Judgments, one an object; a grade that is `null` is an unjudged row."""
    blank: list[int] = []
    judgments, by_text = JudgmentBuilder(source), False
    for line, record in records(source, options.limits, blank=blank):
        topic, query, doc, grade = (field_of(record, role) for role in ("topic", "query", "doc", "grade"))
        by_text = by_text or topic is None
        topic = query if topic is None else topic
        if topic is None or doc is None:
            raise _lacking("topic or document", ("topic", "query", "doc"), record, source, line)
        judgments.add(
            text_of(topic, source=source, line=line, what="topic id"),
            text_of(doc, source=source, line=line, what="document id"),
            grade=None if grade is None else str(grade),
            line=line,
            assessor=plain_text(field_of(record, "assessor")),
            source=plain_text(field_of(record, "source")),
        )
        _note_unread(judgments.unread, record, JUDGMENT_ROLES)
    return judgments.built("jsonl", repairs=blank_lines(blank, source), by_text=by_text)


@register("jsonl", "topics", expects="JSON objects with id and text", fits=_fits, order=ORDER)
def read_topics(source: Source, options: Options) -> tuple[tuple[Topic, ...], ImportReport]:
    """Topics: id, text, task, need, strata, split."""
    blank: list[int] = []
    found = list(records(source, options.limits, blank=blank))
    return read_topic_records(source, "jsonl", found, blank_lines(blank, source))


@register("jsonl", "documents", expects="JSON objects with id, title and text", fits=_fits, order=ORDER)
def read_documents(source: Source, options: Options) -> tuple[tuple[dict[str, str], ...], ImportReport]:
    """Documents: id, title, text, url, and every other single value under its own name."""
    blank: list[int] = []
    found = list(records(source, options.limits, blank=blank))
    return read_document_records(source, "jsonl", found, blank_lines(blank, source))


@register("jsonl", "strata", expects="JSON objects with id and strata", fits=_fits, order=ORDER)
def read_strata(source: Source, options: Options) -> tuple[dict[str, dict[str, str | None]], ImportReport]:
    """Strata: those of the member `strata`, else every single value, or those that `columns` names."""
    blank: list[int] = []
    rows = []
    for line, record in records(source, options.limits, blank=blank):
        topic = text_of(field_of(record, "topic_id"), source=source, line=line, what="topic id")
        rows.append((line, topic, labels_of(record, options.columns)))
    return read_strata_rows(source, "jsonl", rows, blank_lines(blank, source))


def _note_unread(unread: dict[str, None], record: Record, roles: tuple[str, ...]) -> None:
    known = {plain(name) for role in roles for name in SPELLINGS[role]}
    unread.update(dict.fromkeys(name for name in record if plain(name) not in known | NOTED))


def _places(lines: list[int], source: Source) -> tuple[Repair, ...]:
    message = "Results without a rank stand at their place in the list."
    return (repair("ranks-from-place", message, file=source.name, lines=lines),) if lines else ()


def _failed(topics: list[str], source: Source) -> tuple[Repair, ...]:
    message = "Topics are marked as failed: they have no list and are not comparable."
    return (repair("failed-topics", message, file=source.name, topics=topics),) if topics else ()


def _lacking(what: str, roles: tuple[str, ...], record: Record, source: Source, line: int) -> FormatError:
    expected = "one of " + ", ".join(name for role in roles for name in SPELLINGS[role])
    return FormatError(f"the {what} is missing", path=source.path, line=line, expected=expected, got=", ".join(record))
