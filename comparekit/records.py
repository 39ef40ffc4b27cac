"""Files of canonical JSON lines: written once, hashed as bytes, proved line by line."""

import gzip
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from comparekit.canonical import canonical, parse_canonical, sha256_of
from comparekit.errors import DigestMismatch, RecordError
from comparekit.files import Limits, read_bytes

Progress = Callable[[str, float], None]
"""Told what is being done and how much of it is done, from 0 to 1."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+()-]{0,99}")


def no_progress(what: str, share: float) -> None:
    """A `Progress` that tells nobody."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """What is known of a file's bytes: lines, length, and digests, as a whole and line by line."""

    count: int
    bytes: int
    digest: str
    lines: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """As it stands in a manifest."""
        return {"count": self.count, "bytes": self.bytes, "digest": self.digest, "lines": list(self.lines)}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "Pinned":
        """From a manifest's record."""
        return cls(record["count"], record["bytes"], record["digest"], tuple(record["lines"]))


def encode(records: Iterable[Any]) -> tuple[bytes, Pinned]:
    """The canonical lines of records, each ended by a newline, and what pins them."""
    lines = [canonical(record) for record in records]
    data = b"".join(line + b"\n" for line in lines)
    return data, Pinned(len(lines), len(data), sha256_of(data), tuple(map(sha256_of, lines)))


def pack(data: bytes) -> bytes:
    """Gzip without name or time, so that equal content gives equal bytes."""
    return gzip.compress(data, 4, mtime=0)


def read_data(path: Path, *, limits: Limits | None = None) -> bytes:
    """A record file's content, unpacked when it is gzipped; its name does not matter, its bytes do."""
    source = read_bytes(path, limits=limits or Limits())
    if source.repairs:
        raise RecordError(
            f"not written by seal: {source.repairs[0].message}", path=path, todo="Restore the file or seal it again."
        )
    return source.data


def split_lines(data: bytes, *, path: Path) -> list[bytes]:
    """
    The lines of a record file, without their newlines.

    Only a newline ends a line (U+2028 and its kin may stand inside texts). Raises `RecordError` when the last
    line has none: the file was cut.
    """
    if not data:
        return []
    lines = data.split(b"\n")
    if lines.pop():
        raise RecordError(
            "the last line has no end: the file was cut", path=path, line=len(lines) + 1, todo="Restore the file."
        )
    return lines


def require_pinned(data: bytes, pinned: Pinned, *, path: Path) -> None:
    """Raise `DigestMismatch`, naming the first line that differs, unless `data` is what was pinned."""
    if sha256_of(data) == pinned.digest and len(data) == pinned.bytes:
        return
    lines = split_lines(data, path=path)
    for number, (line, expected) in enumerate(zip(lines, pinned.lines, strict=False), start=1):
        got = sha256_of(line)
        if got != expected:
            raise DigestMismatch(
                "the line was changed after it was written",
                path=path,
                line=number,
                expected=expected,
                got=got,
                todo="Restore the file or seal it again.",
            )
    raise DigestMismatch(
        "lines are missing or were added",
        path=path,
        line=min(len(lines), pinned.count) + 1,
        expected=f"{pinned.count} lines",
        got=f"{len(lines)} lines",
        todo="Restore the file or seal it again.",
    )


def parsed(data: bytes, *, path: Path) -> Iterator[tuple[int, Any]]:
    """Every record with its line number (from 1), each line proved to be canonical."""
    for number, line in enumerate(split_lines(data, path=path), start=1):
        yield number, parse_canonical(line, path=path, line=number)


def member(
    record: Mapping[str, Any], key: str, kind: type | tuple[type, ...], *, path: Path, line: int | None = None
) -> Any:
    """A required member of a record, of a given type; raises `RecordError` where it is missing or of another type."""
    value = record.get(key, _ABSENT)
    wrong_type = not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)
    if value is _ABSENT or wrong_type:
        names = " or ".join(each.__name__ for each in (kind if isinstance(kind, tuple) else (kind,)))
        got = "nothing" if value is _ABSENT else type(value).__name__
        raise RecordError(
            f'member "{key}" is missing or of the wrong type', path=path, line=line, expected=names, got=got
        )
    return value


def only(record: Mapping[str, Any], keys: Iterable[str], *, path: Path, line: int | None = None) -> None:
    """Raise `RecordError` when a record has members that its schema does not know."""
    unknown = sorted(set(record) - set(keys))
    if unknown:
        raise RecordError(
            f'unknown member "{unknown[0]}"',
            path=path,
            line=line,
            expected=", ".join(sorted(keys)),
            todo="Free remarks belong under annotations.",
        )


_ABSENT = object()
