"""
The SMART format of the old test collections (CISI, Cranfield): `.I 12` begins a record, `.T`, `.A`, `.W` … a field.

Line breaks are layout and become one blank. Cross references (`.X`) and keywords are not read. SMART's lists of
relevant documents (`.REL`: topic, document, 0, 0.000000) look like qrels with the wrong columns; they are read as
what they are.
"""

import re
from collections.abc import Iterator

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.formats.building import JudgmentBuilder
from comparekit.formats.json_values import beginning
from comparekit.formats.lines import numbered_lines
from comparekit.formats.records import Record, read_document_records, read_topic_records
from comparekit.formats.registry import Options, register, sample_lines
from comparekit.formats.rows import ImportReport, JudgmentRows
from comparekit.topics import Topic

FIELDS = {"T": "title", "A": "author", "W": "text", "B": "bib"}
MARKER = re.compile(rb"\.([A-Z])\s*(\S.*)?")
RELEVANT = re.compile(r"\s*\S+\s+(\S+)\s+0\s+0\.0+\s*", re.ASCII)


def _fits(source: Source, options: Options) -> bool:
    return re.match(r"\.I\s+\S", beginning(source)) is not None


@register("smart", "topics", expects="SMART records that begin with .I", fits=_fits, order=20)
def read_smart_topics(source: Source, options: Options) -> tuple[tuple[Topic, ...], ImportReport]:
    """Topics: the text is the title, where there is one, and `.W`."""
    return read_topic_records(source, "smart", ((line, _worded(record)) for line, record in _records(source, options)))


@register("smart", "documents", expects="SMART records that begin with .I", fits=_fits, order=20)
def read_smart_documents(source: Source, options: Options) -> tuple[tuple[dict[str, str], ...], ImportReport]:
    """Documents: id, title, text, author, bib."""
    return read_document_records(source, "smart", _records(source, options))


def _fits_relevant(source: Source, options: Options) -> bool:
    # In qrels the second column says little and the third is the document, not always 0.
    found = [RELEVANT.fullmatch(line) for line in sample_lines(source)]
    return all(found) and len({match[1] for match in found if match}) > 1


@register("smart-rel", "judgments", expects="lines of topic, document, 0 and 0.0", fits=_fits_relevant, order=40)
def read_smart_judgments(source: Source, options: Options) -> JudgmentRows:
    """Judgments: every document listed has grade 1."""
    judgments = JudgmentBuilder(source)
    for line, raw in numbered_lines(source.data, source, options.limits):
        fields = [each.decode() for each in raw.split()]
        if not fields:
            continue
        if len(fields) != 4:
            raise FormatError(
                "the line is malformed", path=source.path, line=line, expected="4 fields", got=str(len(fields))
            )
        judgments.add(fields[0], fields[1], grade="1", line=line)
    return judgments.built("smart-rel")


def _worded(record: Record) -> Record:
    rest = {name: value for name, value in record.items() if name not in ("title", "text")}
    return {**rest, "text": " ".join(record[name] for name in ("title", "text") if name in record)}


def _records(source: Source, options: Options) -> Iterator[tuple[int, Record]]:
    fields: dict[str, list[str]] = {}
    begun, words = 0, None
    for line, raw in numbered_lines(source.data, source, options.limits):
        marker = MARKER.fullmatch(raw.rstrip())
        if marker and marker[1] == b"I":
            if fields:
                yield begun, _joined(fields)
            fields, begun, words = {"id": (marker[2] or b"").decode().split()}, line, None
        elif marker and not marker[2]:
            name = FIELDS.get(marker[1].decode())
            words = None if name is None else fields.setdefault(name, [])
        elif words is not None:
            words += raw.decode().split()
    yield begun, _joined(fields)


def _joined(fields: dict[str, list[str]]) -> Record:
    return {name: " ".join(words) for name, words in fields.items()}
