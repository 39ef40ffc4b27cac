"""From lenient files to pinned records: topics, judgments and documents, with every repair kept."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from comparekit import judgments as judgments_module
from comparekit.documents import Document, from_record, in_order
from comparekit.files import Source
from comparekit.formats import ImportReport, JudgmentRows, read_documents, read_judgments, read_strata, read_topics
from comparekit.grading import Conflict, grades_of
from comparekit.repairs import Repair, repair
from comparekit.topics import Topic

Input = Path | str | Source
NO_REPAIRS: tuple[Repair, ...] = ()
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f]")


@dataclass(frozen=True, slots=True)
class Imported:
    """Records ready to be pinned, where they came from, and what was set right."""

    records: list[dict[str, Any]]
    origin: Mapping[str, Any] | None
    repairs: tuple[Repair, ...]


def origin(report: ImportReport, **more: Any) -> dict[str, Any]:
    """Where records came from: the file's base name, format and digest; never its path."""
    return {"name": report.name, "format": report.format, "digest": report.digest, "rows": report.rows, **more}


def import_topics(
    file: Input | None, *, strata: Input | None, others: Mapping[str, str]
) -> tuple[list[Topic], Imported]:
    """
    The pinned topics: those of the file, else `others` (ids and texts met elsewhere), with their strata.
    """
    repairs: list[Repair] = []
    described: Mapping[str, Any] | None = None
    if file is None:
        topics = [Topic(id=name, text=text) for name, text in others.items()]
    else:
        rows, report = read_topics(file)
        topics = list(rows)
        repairs += report.repairs
        described = origin(report)
    if strata is not None:
        topics, more = _with_strata(topics, strata)
        repairs += more
    cleaned = [replace(topic, text=clean(topic.text), need=clean(topic.need)) for topic in topics]
    repairs += _cleaned("topic", ((topic.id, topic.text + topic.need) for topic in topics), described)
    ordered = sorted(cleaned, key=lambda topic: topic.id)
    return ordered, Imported([topic.record() for topic in ordered], described, tuple(repairs))


def import_judgments(file: Input, *, conflict: Conflict) -> tuple[JudgmentRows, Imported]:
    """The judgments of a file; conflicts are refused here unless a rule was chosen."""
    rows, report = read_judgments(file)
    _, repairs = grades_of(rows, conflict=conflict)
    return rows, Imported(judgments_module.in_order(rows), origin(report), (*report.repairs, *repairs))


def import_documents(file: Input | None, *, others: Mapping[str, Mapping[str, str]]) -> Imported | None:
    """The documents of a file, else the texts that came with the lists; None when there are none."""
    if file is None and not others:
        return None
    if file is None:
        documents: list[Document] = [from_record({**texts, "id": name}) for name, texts in others.items()]
        described, repairs = None, NO_REPAIRS
    else:
        rows, report = read_documents(file)
        documents = [from_record(row) for row in rows]
        described, repairs = origin(report), report.repairs
    cleaned = _cleaned("document", ((each.id, each.title + each.text) for each in documents), described)
    return Imported(in_order(map(_clean_document, documents)), described, (*repairs, *cleaned))


def clean(text: str) -> str:
    """A text without control characters, each replaced by a blank (a carriage return before a newline by nothing)."""
    return _CONTROL.sub(" ", text.replace("\r\n", "\n"))


def _clean_document(document: Document) -> Document:
    fields = {name: clean(value) for name, value in document.fields.items()}
    return Document(document.id, clean(document.title), clean(document.text), clean(document.url), fields)


def _cleaned(what: str, texts: Iterable[tuple[str, str]], described: Mapping[str, Any] | None) -> tuple[Repair, ...]:
    touched = [name for name, text in texts if _CONTROL.search(text)]
    if not touched:
        return ()
    file = str(described["name"]) if described else ""
    message = f"control characters in the text of {len(touched)} {what}s were replaced by blanks"
    return (repair("control-characters", message, file=file, topics=touched),)


def _with_strata(topics: list[Topic], file: Input) -> tuple[list[Topic], tuple[Repair, ...]]:
    table, report = read_strata(file)
    names = sorted({name for values in table.values() for name in values})
    unknown = sorted(set(table) - {topic.id for topic in topics})
    unlisted = sorted({topic.id for topic in topics} - set(table))
    merged = [
        replace(topic, strata={**topic.strata, **dict.fromkeys(names), **table.get(topic.id, {})}) for topic in topics
    ]
    repairs = list(report.repairs)
    if unknown:
        message = f"{len(unknown)} topics of the strata are not pinned and were left out"
        repairs.append(repair("unpinned-topic", message, file=report.name, topics=unknown))
    if unlisted:
        message = f"{len(unlisted)} topics are not listed in the strata and form a stratum of their own"
        repairs.append(repair("without-stratum", message, file=report.name, topics=unlisted))
    return merged, tuple(repairs)
