"""The texts of documents: shown to people, never fetched."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from comparekit.canonical import parse_fast
from comparekit.errors import RecordError
from comparekit.records import parsed, split_lines


@dataclass(frozen=True, slots=True)
class Document:
    """One document as it may be shown; `fields` holds whatever else was recorded, as text."""

    id: str
    title: str = ""
    text: str = ""
    url: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """As it stands in documents.jsonl."""
        return {"id": self.id, "title": self.title, "text": self.text, "url": self.url, **self.fields}


class Documents:
    """
    Documents by id, read from the lines of documents.jsonl one at a time.

    Only the position of every line is kept; a document is parsed when somebody looks at it.
    """

    def __init__(self, data: bytes, *, path: Path) -> None:
        self._path = path
        self._lines = split_lines(data, path=path)
        self._line_of: dict[str, int] = {}
        for number, line in enumerate(self._lines, start=1):
            identity = parse_fast(line, path=path, line=number).get("id")
            if not isinstance(identity, str) or identity in self._line_of:
                raise RecordError(
                    "a document id is missing or stands twice", path=path, line=number, got=repr(identity)
                )
            self._line_of[identity] = number

    def __len__(self) -> int:
        return len(self._lines)

    def __contains__(self, document: object) -> bool:
        return document in self._line_of

    def get(self, document: str) -> Document | None:
        """The document of that id, or None when its text was not pinned."""
        line = self._line_of.get(document)
        if line is None:
            return None
        return from_record(parse_fast(self._lines[line - 1], path=self._path, line=line))


def no_documents() -> Documents:
    """No texts at all: lists show ids only."""
    return Documents(b"", path=Path("documents.jsonl"))


def from_record(record: Mapping[str, Any]) -> Document:
    """A document from a record of texts."""
    known = ("id", "title", "text", "url")
    rest = {key: value for key, value in record.items() if key not in known and isinstance(value, str)}
    identity, title, text, url = (str(record.get(key) or "") for key in known)
    return Document(identity, title, text, url, rest)


def check(data: bytes, *, path: Path) -> None:
    """Prove that every line is canonical; raises `RecordError` at the first that is not."""
    for line, record in parsed(data, path=path):
        if not isinstance(record, dict) or not all(isinstance(value, str) for value in record.values()):
            raise RecordError("a document is not an object of texts", path=path, line=line)


def in_order(documents: Iterable[Document]) -> list[dict[str, Any]]:
    """Records by id, ready to be written."""
    return [document.record() for document in sorted(documents, key=lambda document: document.id)]
