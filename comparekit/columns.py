"""
Rankings and judgments of many topics as columns: what every number is computed from.

A 64-bit key stands for each document id, so that matching (`matching.py`) sorts integers, not strings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Keys = npt.NDArray[np.uint64]
Bools = npt.NDArray[np.bool_]
Rows = Ints | None
"""Which rows, and in which order; None is all of them as they stand, which saves a copy of each column."""

Kind = TypeVar("Kind", bound=np.generic)

# Rows are taken in blocks of about this many, so that the temporaries of a block stay in the processor's
# cache; measured 2 to 3 times faster than one pass over seven million rows.
BLOCK_ROWS = 131_072

_OFFSET_LIMIT = 1 << 31  # bytes that 32-bit offsets can reach
_WORD = 8
_WIDE = np.uint64(0xFF << 56)  # no byte of UTF-8 is 0xFF, so a packed id never looks like a hashed one
_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(_WORD + 1)], np.uint64)
ODD_A, ODD_B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_LOW_BITS, _HIGH_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_HALF = np.uint64(32)


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """
    The rankings of many topics, topic after topic, each in rank order.

    Rows `offsets[i]` to `offsets[i + 1]` are the ranking of `topics[i]`, best first, no document twice.
    `scores` are float64, NaN where none was recorded. `keys` are 64-bit stand-ins of `docs` (see `keys_of`).
    """

    topics: tuple[str, ...]
    offsets: Ints
    docs: pa.ChunkedArray
    scores: Floats
    keys: Keys


@dataclass(frozen=True, slots=True, eq=False)
class Grades:
    """
    The grades of many topics, topic after topic; no document twice in a topic.

    Rows `offsets[i]` to `offsets[i + 1]` belong to `topics[i]`.
    """

    topics: tuple[str, ...]
    offsets: Ints
    docs: pa.ChunkedArray
    grades: Floats
    keys: Keys


class Columns(Protocol):
    """What `Lists` and `Grades` have in common: documents, topic after topic."""

    @property
    def topics(self) -> tuple[str, ...]: ...
    @property
    def offsets(self) -> Ints: ...
    @property
    def docs(self) -> pa.ChunkedArray: ...
    @property
    def keys(self) -> Keys: ...


@dataclass(frozen=True, slots=True, eq=False)
class ByTopic:
    """
    Flat rows grouped by topic: ids in code point order, and where each topic's rows are.

    `row` lists the input rows topic after topic, in input order within a topic; None where that is as they stand.
    """

    topics: tuple[str, ...]
    offsets: Ints
    row: Rows


def by_topic(topics: pa.ChunkedArray) -> ByTopic:
    """Group rows by their topic id; the rows of a topic need not stand together."""
    runs = [pc.run_end_encode(chunk, run_end_type=pa.int64()) for chunk in topics.chunks if len(chunk)]
    named = pa.chunked_array([run.values for run in runs], topics.type).combine_chunks().dictionary_encode()
    found = named.dictionary.to_pylist()
    ids = sorted(found)
    place = {topic: at for at, topic in enumerate(ids)}
    code = np.array([place[topic] for topic in found], np.int64)[named.indices.to_numpy()]
    length = np.concatenate([np.zeros(0, np.int64), *(np.diff(run.run_ends.to_numpy(), prepend=0) for run in runs)])
    start = np.cumsum(length) - length
    order = np.argsort(code, kind="stable")
    offsets = offsets_of(np.bincount(code, weights=length, minlength=len(ids)).astype(np.int64))
    return ByTopic(tuple(ids), offsets, _segments(start[order], length[order], len(topics)))


def lists_of(topics: Sequence[str], *, lengths: Sequence[int] | Ints, docs: pa.ChunkedArray, scores: Floats) -> Lists:
    """`Lists` from rows that stand topic after topic in rank order; the first `lengths[0]` are those of `topics[0]`."""
    whole = whole_strings(docs)
    return Lists(tuple(topics), offsets_of(np.asarray(lengths, np.int64)), whole, scores, keys_of(whole))


def lists_for(lists: Lists, topics: Sequence[str]) -> Lists:
    """The rankings of `topics`, in that order; a topic without a ranking gets an empty one."""
    offsets, row = _rows_for(lists, topics)
    docs = take_strings(lists.docs, row)
    return Lists(tuple(topics), offsets, docs, take(lists.scores, row), take(lists.keys, row))


def grades_for(grades: Grades, topics: Sequence[str]) -> Grades:
    """The grades of `topics`, in that order; a topic without judgments gets none."""
    offsets, row = _rows_for(grades, topics)
    docs = take_strings(grades.docs, row)
    return Grades(tuple(topics), offsets, docs, take(grades.grades, row), take(grades.keys, row))


def _rows_for(columns: Columns, topics: Sequence[str]) -> tuple[Ints, Rows]:
    place = {topic: at for at, topic in enumerate(columns.topics)}
    at = np.array([place.get(topic, -1) for topic in topics], np.int64)
    here = at >= 0
    length, start = np.zeros(len(at), np.int64), np.zeros(len(at), np.int64)
    length[here] = np.diff(columns.offsets)[at[here]]
    start[here] = columns.offsets[:-1][at[here]]
    return offsets_of(length), _segments(start, length, len(columns.keys))


def _segments(start: Ints, length: Ints, rows: int) -> Rows:
    """start[0], start[0] + 1, ... for length[0] numbers, and so on; None where that is every one of `rows` in order."""
    offsets = offsets_of(length)
    if offsets[-1] == rows and ((start == offsets[:-1]) | (length == 0)).all():
        return None
    start, length = start[length > 0], length[length > 0]
    before = np.zeros(len(start), np.int64)
    before[1:] = (start + length - 1)[:-1]
    row = np.ones(offsets[-1], np.int64)
    row[np.cumsum(length) - length] = start - before
    # Summed in place: a run of millions of rows has no room for three arrays of row numbers.
    return np.cumsum(row, out=row)


def take(values: npt.NDArray[Kind], row: Rows) -> npt.NDArray[Kind]:
    """The values at `row`."""
    return values if row is None else np.asarray(values[row])


def take_strings(strings: pa.ChunkedArray, row: Rows) -> pa.ChunkedArray:
    """The strings at `row`."""
    if row is None:
        return strings
    return pa.chunked_array([whole_strings(strings).chunk(0).take(pa.array(row))])


def whole_strings(strings: pa.ChunkedArray) -> pa.ChunkedArray:
    """The strings in one chunk, since look-ups in many chunks take five times as long."""
    wide = strings if strings.nbytes < _OFFSET_LIMIT else strings.cast(pa.large_string())
    return pa.chunked_array([wide.combine_chunks()])


def topic_of(offsets: Ints) -> Ints:
    """The position of its topic for every row."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def topic_at(offsets: Ints, row: Ints) -> Ints:
    """The position of its topic for each of some rows."""
    return np.searchsorted(offsets, row, side="right") - 1


def offsets_of(lengths: Ints) -> Ints:
    """Where each segment starts, and where the last one ends."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def keys_of(docs: pa.ChunkedArray) -> Keys:
    """
    A 64-bit key for every id, the same wherever the id stands.

    Ids of at most eight bytes are their key, one to one. Longer ids are hashed, and their key says so (its top
    byte is 0xFF), so that only those need their bytes compared after a match.
    """
    blocks = [
        _keys_of_block(chunk.slice(start, BLOCK_ROWS))
        for chunk in docs.chunks
        for start in range(0, len(chunk), BLOCK_ROWS)
    ]
    return np.concatenate([np.zeros(0, np.uint64), *blocks])


def is_hashed(keys: Keys) -> Bools:
    """Whether a key is the hash of a long id, so that equal keys do not prove equal ids."""
    return keys >= _WIDE


def _keys_of_block(ids: pa.Array) -> Keys:
    start, length, text = _buffers(ids)
    # Any eight bytes can be read as one number from any position: the view below steps by one byte.
    words = np.ndarray((len(text) - _WORD + 1,), "<u8", text, 0, (1,))
    mask = _MASKS[np.minimum(length, _WORD)]
    keys = words[start] & mask
    wide = length > _WORD
    if not text[:-_WORD].all():
        wide |= _holds_nul(keys, mask)
    at = np.flatnonzero(wide)
    if len(at):
        keys[at] = _hashed(words, start[at], length[at])
    return keys


def _buffers(ids: pa.Array) -> tuple[Ints, Ints, npt.NDArray[np.uint8]]:
    """Start and length of every id in a byte array that is padded by one word."""
    _, offset_buffer, byte_buffer = ids.buffers()
    kind = np.int64 if pa.types.is_large_string(ids.type) else np.int32
    offsets = np.frombuffer(offset_buffer, kind)[ids.offset : ids.offset + len(ids) + 1].astype(np.int64)
    first, last = int(offsets[0]), int(offsets[-1])
    text = np.zeros(last - first + _WORD, np.uint8)
    if last > first:
        text[:-_WORD] = np.frombuffer(byte_buffer, np.uint8)[first:last]
    return offsets[:-1] - first, np.diff(offsets), text


def _holds_nul(keys: Keys, mask: Keys) -> Bools:
    """Whether a short id holds a NUL, which packing could not tell from its end."""
    filled = keys | ~mask
    holds: Bools = ((filled - _LOW_BITS) & ~filled & _HIGH_BITS) != 0
    return holds


def _hashed(words: Keys, start: Ints, length: Ints) -> Keys:
    key = length.astype(np.uint64) * ODD_B
    for at in range(0, int(length.max()), _WORD):
        live = np.flatnonzero(length > at)
        word = words[start[live] + at] & _MASKS[np.minimum(length[live] - at, _WORD)]
        key[live] = stirred((key[live] ^ word) * ODD_A)
    return key | _WIDE


def stirred(key: Keys) -> Keys:
    """The key with its upper half mixed into the lower, which multiplication alone never does."""
    return key ^ (key >> _HALF)
