"""
TREC topics and documents in markup: the old SGML with unclosed tags, and XML.

Read by the few tags that mean something, not by an XML parser: old files are not XML, and nothing here expands an
entity, so a file that declares some is refused. Line breaks are layout and become one blank.
"""

import re
from collections.abc import Iterator

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.formats.json_values import beginning
from comparekit.formats.records import Record, read_document_records, read_topic_records
from comparekit.formats.registry import Options, register
from comparekit.formats.rows import ImportReport
from comparekit.topics import Topic

# No pattern here may look for an end that need not come: a file of open tags would take for ever.
TOPIC = re.compile(r"<(/?)(?:top|topic)(\s[^<>]*)?>", re.IGNORECASE)
DOCUMENT = re.compile(r"<(/?)doc(\s[^<>]*)?>", re.IGNORECASE)
FIELD = re.compile(r"<([a-z][\w.-]*)(?:\s[^<>]*)?>([^<]*)", re.IGNORECASE)
NUMBER_ATTRIBUTE = re.compile(r"\b(?:number|num|id)\s*=\s*[\"']([^\"']*)[\"']", re.IGNORECASE)
LABEL = re.compile(r"\s*(?:number|topic|description|narrative)\s*:", re.IGNORECASE)
REFERENCE = re.compile(r"&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));", re.IGNORECASE)
NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
NEEDS = ("question", "desc", "description", "narr", "narrative")


def _fits_topics(source: Source, options: Options) -> bool:
    return (
        beginning(source).startswith("<") and re.search(r"<top(ic)?[\s>]", beginning(source), re.IGNORECASE) is not None
    )


@register("trec-markup", "topics", expects="<top> or <topic> elements", fits=_fits_topics, order=20)
def read_marked_topics(source: Source, options: Options) -> tuple[tuple[Topic, ...], ImportReport]:
    """Topics: the title or query is the text; question, description and narrative together are the need."""
    return read_topic_records(source, "trec-markup", _topics(source))


def _topics(source: Source) -> Iterator[tuple[int, Record]]:
    for line, attributes, fields in _elements(source, TOPIC):
        number = NUMBER_ATTRIBUTE.search(attributes)
        name = fields.get("num") or fields.get("number") or (_plain(number.group(1)) if number else None)
        if name is None:
            raise FormatError("the topic has no number", path=source.path, line=line, got=", ".join(fields))
        text = fields.get("title") or fields.get("query") or ""
        yield line, {"id": name, "text": text, "need": " ".join(fields[each] for each in NEEDS if fields.get(each))}


def _fits_documents(source: Source, options: Options) -> bool:
    return re.match(r"(<\?xml[^>]*>\s*)?(<\w+>\s*)?<doc[\s>]", beginning(source), re.IGNORECASE) is not None


@register("trec-markup", "documents", expects="<doc> elements with a <docno>", fits=_fits_documents, order=20)
def read_marked_documents(source: Source, options: Options) -> tuple[tuple[dict[str, str], ...], ImportReport]:
    """Documents: docno, title, text, and every other element under its name."""
    records = ((line, fields) for line, _, fields in _elements(source, DOCUMENT))
    return read_document_records(source, "trec-markup", records)


def _elements(source: Source, element: re.Pattern[str]) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Every element's line, attributes and fields; one that is not closed ends where the next begins."""
    text = _without_comments(source.data.decode())
    if re.search(r"<!\s*(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise FormatError("document type declarations are not read", path=source.path, todo="Remove the declaration.")
    line, counted = 1, 0
    tags = list(element.finditer(text))
    _require_whole(source, text, [tag[1] for tag in tags])
    ends = [*(tag.start() for tag in tags[1:]), len(text)]
    for tag, end in zip(tags, ends, strict=True):
        line, counted = line + text.count("\n", counted, tag.start()), tag.start()
        if not tag[1]:
            yield line, tag[2] or "", _fields(text[tag.end() : end])


def _require_whole(source: Source, text: str, slashes: list[str]) -> None:
    """Old files close none of their elements; one that closes some and not all was cut."""
    closed = slashes.count("/")
    if 0 < closed < len(slashes) - closed:
        raise FormatError(
            "an element is not closed: the file was cut",
            path=source.path,
            line=text.rstrip().count("\n") + 1,
            todo="Copy or export the file again.",
        )


def _without_comments(text: str) -> str:
    first, *rest = text.split("<!--")
    closed = (each.partition("-->") for each in rest)
    return first + "".join("\n" * comment.count("\n") + after for comment, _, after in closed)


def _fields(body: str) -> dict[str, str]:
    fields: dict[str, list[str]] = {}
    for tag, content in FIELD.findall(body):
        fields.setdefault(tag.lower(), []).append(_plain(LABEL.sub("", content, count=1)))
    return {tag: " ".join(filter(None, contents)) for tag, contents in fields.items()}


def _plain(content: str) -> str:
    return " ".join(REFERENCE.sub(_character, content).split())


def _character(found: re.Match[str]) -> str:
    decimal, hexadecimal, name = found.groups()
    if name:
        return NAMED[name.lower()]
    point = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(point) if point < 0xD800 or 0xDFFF < point <= 0x10FFFF else found.group()
