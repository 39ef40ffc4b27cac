"""
JSON as other tools write it, read so that no id changes: numbers stay the digits that stood in the file.

A value is text, `True`, `False`, `None`, a list or an object. `NaN` and its kin, which are not JSON but written by
many, become floats, so that no one takes them for text.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from comparekit.errors import ComparekitError, FormatError, LimitExceeded
from comparekit.files import Limits, Source
from comparekit.formats.lines import numbered_lines
from comparekit.formats.registry import SAMPLE_BYTES

# The closing quote may be missing: else a line of nothing but escaped quotes would take for ever.
STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
HALF = re.compile("[\ud800-\udfff]")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) != len(pairs):
        name, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"the name {name!r} stands twice in one object")
    return told


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=str, parse_float=str, parse_constant=float)


def parsed(text: str, *, source: Source, line: int, limits: Limits) -> Any:
    """
    One JSON value.

    Raises `FormatError` at malformed JSON, a name that stands twice, or half a surrogate pair, and `LimitExceeded`
    when it is nested too deep.
    """
    _check_depth(text, source=source, line=line, limits=limits)
    try:
        value = DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _malformed(error.msg, source, line + error.lineno - 1) from error
    except (ValueError, RecursionError) as error:
        raise _malformed(str(error), source, line) from error
    if "\\u" in text and _has_half(value):
        raise _malformed("half of a surrogate pair", source, line)
    return value


def _malformed(got: str, source: Source, line: int) -> FormatError:
    return FormatError("malformed JSON", path=source.path, line=line, got=got, todo="Export the file again.")


def _check_depth(text: str, *, source: Source, line: int, limits: Limits) -> None:
    # Brackets inside strings count only in the exact second look.
    if text.count("{") + text.count("[") <= limits.depth:
        return
    depth = deepest = 0
    for bracket in re.findall(r"[][{}]", STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    if deepest > limits.depth:
        expected = f"at most {limits.depth} levels"
        raise LimitExceeded(
            "the JSON is nested too deep", path=source.path, line=line, expected=expected, got=str(deepest)
        )


def _has_half(value: Any) -> bool:
    return HALF.search(json.dumps(value, ensure_ascii=False)) is not None


def first_record(source: Source) -> dict[str, Any] | None:
    """The object on the first line that is not blank, `None` when no object stands there by itself."""
    data = source.data.lstrip() if source.data[:1].isspace() else source.data
    if not data.startswith(b"{"):
        return None
    end = data.find(b"\n")
    try:
        value = parsed(data[: end if end >= 0 else None].decode(), source=source, line=1, limits=Limits(depth=200))
    except ComparekitError:
        return None
    return value if isinstance(value, dict) else None


def beginning(source: Source) -> str:
    """The beginning of a file, for finding out what it is."""
    return source.data[:SAMPLE_BYTES].decode(errors="replace").lstrip()


def has_records(source: Source) -> bool:
    """Whether a file is JSON lines of objects, or one array of objects."""
    return first_record(source) is not None or re.match(r"\[\s*\{", beginning(source)) is not None


def records(source: Source, limits: Limits, *, blank: list[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """
    The objects of JSON lines or of one array, each with the line it begins at; the lines skipped go to `blank`.

    Raises as `parsed` does, and `FormatError` at anything but an object.
    """
    pairs = _elements(source, limits) if beginning(source).startswith("[") else _lines(source, limits, blank)
    for line, value in pairs:
        if not isinstance(value, dict):
            raise FormatError("not a JSON object", path=source.path, line=line, got=repr(value)[:60])
        yield line, value


def _lines(source: Source, limits: Limits, blank: list[int]) -> Iterator[tuple[int, Any]]:
    for line, raw in numbered_lines(source.data, source, limits):
        if raw.strip():
            yield line, parsed(raw.decode(), source=source, line=line, limits=limits)
        else:
            blank.append(line)


def _elements(source: Source, limits: Limits) -> Iterator[tuple[int, Any]]:
    text = source.data.decode()
    line, counted, at = 1, 0, text.index("[") + 1
    for element in parsed(text, source=source, line=1, limits=limits):
        start = _filled(text, at)
        line, counted = line + text.count("\n", counted, start), start
        # Decoded once more, because only the decoder knows where an element ends.
        at = DECODER.raw_decode(text, start)[1]
        yield line, element


def members(source: Source, limits: Limits) -> Iterator[tuple[int, str, Any]]:
    """The members of the one object that a file is, each with the line its name stands on. Raises as `parsed` does."""
    text = source.data.decode()
    whole = parsed(text, source=source, line=1, limits=limits)
    if not isinstance(whole, dict):
        raise FormatError("not a JSON object", path=source.path, line=1, got=repr(whole)[:60])
    line, counted, at = 1, 0, text.index("{") + 1
    for name, value in whole.items():
        start = _filled(text, at)
        line, counted = line + text.count("\n", counted, start), start
        at = DECODER.raw_decode(text, start)[1]
        at = DECODER.raw_decode(text, _filled(text, at))[1]
        yield line, name, value


def _filled(text: str, at: int) -> int:
    while text[at] in " \t\r\n,:":
        at += 1
    return at
