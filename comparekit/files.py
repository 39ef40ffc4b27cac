"""
Bytes in and out of files, and nothing else: what is read is bounded, decoded and digested; what is written is whole.

A file is read by its content, not by its ending. gzip is unpacked while a limit on the unpacked size is watched, so
a small file that unpacks to a huge one is stopped with bounded memory. Everything handed on is UTF-8.
"""

import codecs
import hashlib
import io
import itertools
import os
import stat
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from comparekit.errors import FormatError, InputError, LimitExceeded
from comparekit.repairs import Repair, repair

MIB = 1 << 20
GZIP = b"\x1f\x8b"
NEVER_READ = (
    (b"PAR1", "parquet"),
    (b"\x93NUMPY", "a numpy array"),
    (b"PK\x03\x04", "a zip archive or a spreadsheet"),
    (b"\x89HDF", "HDF5"),
    (b"ARROW1", "Arrow"),
    (b"SQLite format 3\0", "SQLite"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xfd7zXZ", "xz"),
    (b"BZh", "bzip2"),
    *((bytes([0x80, version]), "a Python pickle, which is never loaded") for version in range(2, 6)),
)
MARKS = (
    # UTF-32 first: its little-endian mark begins with UTF-16's.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file may be: bytes after unpacking, bytes of one line, nesting of one JSON value."""

    total_bytes: int = 2048 * MIB
    line_bytes: int = 4 * MIB
    depth: int = 32


LIMITS = Limits()
UPLOAD_LIMITS = Limits(total_bytes=64 * MIB)


@dataclass(frozen=True, slots=True)
class Source:
    """
    One file, read: `name` is its base name, `data` is UTF-8 without a byte order mark,
    `digest` is of the bytes as they lie on disk, `repairs` says what was set right to get from those to `data`.
    """

    name: str
    path: Path
    data: bytes
    digest: str
    repairs: tuple[Repair, ...] = ()


def read_bytes(path: Path | str, *, limits: Limits = Limits()) -> Source:
    """
    Read one regular file, unpacked and decoded.

    Raises `InputError` when it cannot be opened or is a directory or a device, `LimitExceeded` when it is too large,
    and `FormatError` when it is cut off, in an unknown encoding, or of a kind that is never read (pickle, parquet, …).
    """
    path = Path(path)
    try:
        return _source(path, _blocks(path), limits)
    except OSError as error:
        raise InputError("the file cannot be read", path=path, got=error.strerror or str(error)) from error


def from_bytes(name: str, raw: bytes, *, limits: Limits = UPLOAD_LIMITS) -> Source:
    """The same from bytes at hand, such as an upload; `name` is only ever shown."""
    parts = (raw[at : at + MIB] for at in range(0, len(raw), MIB))
    return _source(Path(Path(name).name), parts, limits)


def write_new(path: Path | str, data: bytes) -> None:
    """
    Write a file that does not exist yet, all of it or nothing.

    Raises `InputError` when the path is taken or cannot be written.
    """
    path = Path(path)
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.") as temporary:
            temporary.write(data)
            temporary.flush()
            os.fsync(temporary.fileno())
            os.fchmod(temporary.fileno(), 0o644)
            # A link, unlike a rename, fails when the name is taken.
            os.link(temporary.name, path)
        _sync_folder(path.parent)
    except FileExistsError as error:
        raise InputError("the file exists already", path=path, todo="Choose another name.") from error
    except OSError as error:
        raise InputError("the file cannot be written", path=path, got=error.strerror or str(error)) from error


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _blocks(path: Path) -> Iterator[bytes]:
    # O_NONBLOCK: opening a FIFO nobody writes to would wait for ever.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise InputError("this is not a regular file", path=path, todo="Give the path of a file.")
        while block := file.read(MIB):
            yield block


def _source(path: Path, blocks: Iterable[bytes], limits: Limits) -> Source:
    digest = hashlib.sha256()
    data, packed = _gathered(path, _digesting(blocks, digest), limits)
    _refuse_binary(path, data)
    data, repairs = _decoded(path, data)
    if packed != (path.suffix == ".gz"):
        repairs = (_wrong_ending(path, packed), *repairs)
    return Source(path.name, path, data, f"sha256:{digest.hexdigest()}", repairs)


def _digesting(blocks: Iterable[bytes], digest: "hashlib._Hash") -> Iterator[bytes]:
    for block in blocks:
        digest.update(block)
        yield block


def _gathered(path: Path, blocks: Iterator[bytes], limits: Limits) -> tuple[bytes, bool]:
    first = next(blocks, b"")
    packed = first.startswith(GZIP)
    blocks = itertools.chain([first], blocks)
    gathered = io.BytesIO()
    for block in _unpacked(path, blocks) if packed else blocks:
        gathered.write(block)
        if gathered.tell() > limits.total_bytes:
            raise _too_large(path, packed, limits)
    return gathered.getvalue(), packed


def _unpacked(path: Path, blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The content of all gzip members one after the other, in pieces of at most a MiB."""
    member = None
    for packed in blocks:
        while packed:
            if member is None:
                # RFC 1952 2.2: members simply follow each other; tapes pad them with zeros.
                packed = packed.lstrip(b"\0")
                member = zlib.decompressobj(wbits=31) if packed else None
                continue
            yield _inflated(path, member, packed)
            packed = member.unused_data if member.eof else member.unconsumed_tail
            member = None if member.eof else member
    if member is not None:
        raise FormatError(
            "the gzip data is cut off; nothing was loaded from it", path=path, todo="Copy or export the file again."
        )


def _inflated(path: Path, member: "zlib._Decompress", packed: bytes) -> bytes:
    try:
        return member.decompress(packed, MIB)
    except zlib.error as error:
        raise FormatError(
            "the gzip data is damaged", path=path, got=str(error), todo="Copy or export the file again."
        ) from error


def _refuse_binary(path: Path, data: bytes) -> None:
    for magic, kind in NEVER_READ:
        if data.startswith(magic):
            raise FormatError(
                "this kind of file is not read", path=path, got=kind, todo="Export it as CSV, JSONL or a TREC file."
            )


def _decoded(path: Path, data: bytes) -> tuple[bytes, tuple[Repair, ...]]:
    """UTF-8 without a byte order mark, and what was done to get there."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            message = f"The file is in {encoding.upper()} and was read as such."
            return _recoded(path, data, encoding), (repair("encoding", message, file=path.name, count=1),)
    _refuse_other_encodings(path, data)
    if data.startswith(codecs.BOM_UTF8):
        message = "A byte order mark at the start of the file was taken away."
        return data[len(codecs.BOM_UTF8) :], (repair("byte-order-mark", message, file=path.name, lines=[1]),)
    return data, ()


def _recoded(path: Path, data: bytes, encoding: str) -> bytes:
    try:
        return data.decode(encoding).encode()
    except UnicodeDecodeError as error:
        raise FormatError(f"the file is not valid {encoding.upper()}", path=path, todo="Save it as UTF-8.") from error


def _refuse_other_encodings(path: Path, data: bytes) -> None:
    if data.isascii():
        return
    decode = codecs.getincrementaldecoder("utf-8")().decode
    for at in range(0, len(data), MIB):
        piece = data[at : at + MIB]
        try:
            decode(piece, at + MIB >= len(data))
        except UnicodeDecodeError as error:
            held_back = len(error.object) - len(piece)
            raise FormatError(
                "the text is not valid UTF-8",
                path=path,
                line=data.count(b"\n", 0, at + error.start - held_back) + 1,
                got=f"the byte 0x{error.object[error.start]:02x}",
                todo="Save the file as UTF-8; it may be in Windows-1252 or Latin-1.",
            ) from error


def _too_large(path: Path, packed: bool, limits: Limits) -> LimitExceeded:
    what = "The file is too large once unpacked" if packed else "The file is too large"
    expected = f"at most {limits.total_bytes:,} bytes"
    return LimitExceeded(what, path=path, expected=expected, todo="Split it, or raise the limit on the command line.")


def _wrong_ending(path: Path, packed: bool) -> Repair:
    told = "is packed with gzip, although its name does not end in .gz" if packed else "is named .gz but is not packed"
    return repair("wrong-ending", f"The file {told}; it was read by its content.", file=path.name, count=1)
