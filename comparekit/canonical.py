"""
Canonical bytes and digests: when are two records the same record?

RFC 8785 (JCS) through the `rfc8785` package, narrowed by the domain rules that keep a digest stable
across programs: finite numbers below 2**53, valid Unicode, no control characters, unique keys, bounded depth.
"""

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import orjson
import rfc8785

from comparekit.errors import LimitExceeded, RecordError

PREFIX = "sha256:"
MAX_DEPTH = 32
MAX_INTEGER = 2**53

# Everything below U+0020 but tab and newline, and DEL with the C1 block but NEL, which texts really contain.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f]")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def sha256_of(data: bytes) -> str:
    """The SHA-256 of `data`, written `sha256:` and 64 lower-case hex digits."""
    return PREFIX + hashlib.sha256(data).hexdigest()


def is_digest(text: object) -> bool:
    """Whether `text` is written as `sha256_of` writes."""
    return isinstance(text, str) and _DIGEST.fullmatch(text) is not None


def short(digest: str) -> str:
    """The first twelve hex digits of a digest, for people."""
    return digest.removeprefix(PREFIX)[:12]


def canonical(value: Any) -> bytes:
    """
    The RFC 8785 bytes of a JSON value within the domain rules.

    Raises `RecordError` on NaN, infinities, numbers of 2**53 and beyond, lone surrogates, control characters
    and keys that are not text; `LimitExceeded` when nested deeper than `MAX_DEPTH`.
    """
    _check(value, 0)
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise RecordError(f"a value has no canonical form ({error})") from error


def digest_of(value: Any) -> str:
    """The digest of a JSON value's canonical bytes."""
    return sha256_of(canonical(value))


def parse(data: bytes, *, path: Path | str | None = None, line: int | None = None) -> Any:
    """
    The JSON value of one line, read strictly.

    Raises `RecordError` on malformed JSON, invalid UTF-8, repeated keys and numbers outside the domain.
    """
    try:
        if depth_of(data) > MAX_DEPTH:
            raise LimitExceeded("JSON is nested too deeply", path=path, line=line, expected=f"at most {MAX_DEPTH}")
        return json.loads(data.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_integer)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not a JSON record ({error})", path=path, line=line) from error


def parse_canonical(data: bytes, *, path: Path | str | None = None, line: int | None = None) -> Any:
    """Like `parse`, and refuses bytes that are not exactly the canonical form of their value."""
    value = parse(data, path=path, line=line)
    try:
        written = canonical(value)
    except RecordError as error:
        raise type(error)(error.what, path=path, line=line, expected=error.expected, got=error.got) from error
    if written != data:
        at = next((i for i, (x, y) in enumerate(zip(written, data, strict=False)) if x != y), min(len(written), len(data)))
        raise RecordError(
            f"not canonical JSON, first difference at byte {at}", path=path, line=line,
            expected=repr(written[at : at + 24]), got=repr(data[at : at + 24]), todo="Seal the file again.",
        )
    return value


def parse_fast(data: bytes, *, path: Path | str | None = None, line: int | None = None) -> Any:
    """The JSON value of a line whose digest was already found right: no second proof of its form."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise RecordError(f"not a JSON record ({error})", path=path, line=line) from error


def depth_of(data: bytes) -> int:
    """How deeply brackets are nested outside strings, without parsing."""
    depth = deepest = 0
    bare = re.sub(rb'"(?:[^"\\]|\\.)*"', b"", data)
    for bracket in re.findall(rb"[\[\]{}]", bare):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return members


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a JSON number")


def _integer(text: str) -> int:
    if len(text.lstrip("-")) > 16:
        raise ValueError(f"the integer {text[:20]} is beyond 2**53; write identifiers as text")
    return int(text)


def _check(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise LimitExceeded("a record is nested too deeply", expected=f"at most {MAX_DEPTH} levels")
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, int | float):
        if not math.isfinite(value) or abs(value) >= MAX_INTEGER:
            raise RecordError("a number cannot be recorded", expected="finite and below 2**53", got=value)
    elif isinstance(value, Mapping):
        for key, member in value.items():
            if not isinstance(key, str):
                raise RecordError("a key is not text", got=repr(key))
            _check_text(key)
            _check(member, depth + 1)
    elif isinstance(value, Sequence):
        for member in value:
            _check(member, depth + 1)
    else:
        raise RecordError("a value is not JSON", got=type(value).__name__)


def _check_text(text: str) -> None:
    found = _CONTROL.search(text)
    if found:
        raise RecordError("a text has a control character", got=f"U+{ord(found[0]):04X} in {text[:40]!r}")
    if any("\ud800" <= character <= "\udfff" for character in text) if not text.isascii() else False:
        raise RecordError("a text is not valid Unicode", got=repr(text[:40]))
