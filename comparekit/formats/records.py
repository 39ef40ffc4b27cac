"""
Topics and documents from named fields, whichever format names them.

A record's values are text, `None`, or, in JSON, nested. Numbers arrive as the digits that stood in the file.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.formats.building import not_read
from comparekit.formats.names import spelled
from comparekit.formats.rows import ImportReport
from comparekit.formats.values import check_id, similar, similar_topics
from comparekit.repairs import Repair
from comparekit.topics import Topic

Record = Mapping[str, Any]
NOTHING: tuple[Any, ...] = (None, "", {}, [])
Records = Iterable[tuple[int, Record]]


def text_of(value: Any, *, source: Source, line: int, what: str) -> str:
    """A text, or a number as written. Raises `FormatError` at anything else."""
    if isinstance(value, str):
        return value
    raise FormatError(f"the {what} must be text or a number", path=source.path, line=line, got=repr(value)[:60])


def field_of(record: Record, *roles: str) -> Any:
    """The value of the first of `roles` that a record has, `None` when it has none."""
    name = next(filter(None, (spelled(role, record) for role in roles)), None)
    return None if name is None else record[name]


def read_topic_records(
    source: Source, format: str, records: Records, repairs: Iterable[Repair] = ()
) -> tuple[tuple[Topic, ...], ImportReport]:
    """Topics and their report; a record without an id goes by its text."""
    unread: dict[str, None] = {}
    topics = tuple(_topic(record, source, line, unread) for line, record in records)
    if not topics:
        raise FormatError("the file holds no topics", path=source.path, todo="Export it again.")
    by_text = all(topic.id == topic.text for topic in topics)
    alike = similar_topics((topic.id for topic in topics), file=source.name, by_text=by_text)
    told = (*source.repairs, *repairs, *not_read(unread, source), *alike)
    return topics, ImportReport(source.name, format, source.digest, len(topics), told)


def _topic(record: Record, source: Source, line: int, unread: dict[str, None]) -> Topic:
    left = dict(record)
    told = {role: _take(left, role) for role in ("topic_id", "topic_text", "task", "need", "strata", "split")}
    unread.update(dict.fromkeys(each for each, value in left.items() if value not in NOTHING))
    name = told["topic_text"] if told["topic_id"] is None else told["topic_id"]
    if name is None:
        got = ", ".join(record)
        raise FormatError("the topic has neither id nor text", path=source.path, line=line, got=got)
    name = check_id(text_of(name, source=source, line=line, what="topic id"), source=source, line=line, what="topic")
    return Topic(
        id=name,
        text=_optional(told["topic_text"], source, line, "topic's text") or "",
        task=_optional(told["task"], source, line, "task"),
        need=_optional(told["need"], source, line, "need") or "",
        strata=_strata(told["strata"], source, line),
        split=_optional(told["split"], source, line, "split"),
    )


def _take(left: dict[str, Any], role: str) -> Any:
    name = spelled(role, left)
    return None if name is None else left.pop(name)


def _optional(value: Any, source: Source, line: int, what: str) -> str | None:
    return None if value in (None, "") else text_of(value, source=source, line=line, what=what)


def _strata(value: Any, source: Source, line: int) -> dict[str, str | None]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise FormatError("the strata must be an object", path=source.path, line=line, got=repr(value)[:60])
    return {name: _optional(each, source, line, f"stratum {name!r}") for name, each in value.items()}


def read_document_records(
    source: Source, format: str, records: Records, repairs: Iterable[Repair] = ()
) -> tuple[tuple[dict[str, str], ...], ImportReport]:
    """Documents and their report: `id`, `title`, `text` and every other single value under its own name."""
    unread: dict[str, None] = {}
    documents = tuple(_document(record, source, line, unread) for line, record in records)
    if not documents:
        raise FormatError("the file holds no documents", path=source.path, todo="Export it again.")
    alike = similar((document["id"] for document in documents), "documents", file=source.name)
    told = (*source.repairs, *repairs, *not_read(unread, source), *alike)
    return documents, ImportReport(source.name, format, source.digest, len(documents), told)


def _document(record: Record, source: Source, line: int, unread: dict[str, None]) -> dict[str, str]:
    left = dict(record)
    name = _take(left, "doc_id")
    if name is None:
        raise FormatError("the document has no id", path=source.path, line=line, got=", ".join(record))
    document = {
        "id": check_id(text_of(name, source=source, line=line, what="id"), source=source, line=line, what="document")
    }
    document |= {role: plain_text(_take(left, role)) or "" for role in ("title", "text")}
    url = plain_text(_take(left, "url"))
    if url is not None:
        document["url"] = url
    for each, value in left.items():
        text = plain_text(value)
        if text is not None:
            document[each] = text
        elif value not in NOTHING:
            unread[each] = None
    return document


def plain_text(value: Any) -> str | None:
    """A single value as text; `None` for nothing and for lists and objects."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else None


def texts_of(record: Record) -> dict[str, str]:
    """What a result tells about its document: title, text and address."""
    told = {role: plain_text(field_of(record, role)) for role in ("title", "text", "url")}
    return {role: text for role, text in told.items() if text}


def read_strata_rows(
    source: Source,
    format: str,
    rows: Iterable[tuple[int, str, Mapping[str, str | None]]],
    repairs: Iterable[Repair] = (),
) -> tuple[dict[str, dict[str, str | None]], ImportReport]:
    """Strata and their report. Raises `FormatError` when a topic is told twice, with other labels."""
    strata: dict[str, dict[str, str | None]] = {}
    for line, topic, labels in rows:
        values = {name: label or None for name, label in labels.items()}
        if strata.setdefault(check_id(topic, source=source, line=line, what="topic"), values) != values:
            what, todo = "the topic has other strata above", "Keep one of its rows."
            raise FormatError(what, path=source.path, line=line, got=repr(topic), todo=todo)
    told = (*source.repairs, *repairs, *similar_topics(strata, file=source.name))
    return strata, ImportReport(source.name, format, source.digest, len(strata), told)


def labels_of(record: Record, columns: Mapping[str, str] | None) -> dict[str, str | None]:
    """The strata of a record: its `strata` where it has them, else every single value, or those that `columns` name."""
    if columns:
        return {name: plain_text(record.get(column)) for name, column in columns.items() if name != "topic"}
    nested = record.get("strata")
    told = (
        nested if isinstance(nested, Mapping) else {k: v for k, v in record.items() if k != spelled("topic_id", record)}
    )
    return {name: plain_text(value) for name, value in told.items() if value is None or plain_text(value) is not None}
