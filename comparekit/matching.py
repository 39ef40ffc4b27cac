"""
Which documents do two sides share, and which does one side name twice?

Documents are matched inside a topic only, so no table of all document ids is ever built. Keys are matched first;
bytes decide wherever a key could belong to two ids.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import numpy as np
import pyarrow as pa

from comparekit.columns import BLOCK_ROWS, ODD_A, ODD_B, Columns, Ints, Keys, is_hashed, stirred, topic_of

WORKERS = 2

T = TypeVar("T")


def common(a: Columns, b: Columns) -> tuple[Ints, Ints, Ints]:
    """
    The documents that both sides hold under the same topic; both must list the same topics in the same order.

    Returns the position of the topic and the row on either side, by topic, then by row of `b`. The answer is
    exact: equal keys of hashed ids are compared byte by byte, and a block with a false match is matched by ids.
    """
    partner = np.full(len(b.keys), -1, np.int64)
    in_parallel(lambda topics: _find_partners(a, b, topics, partner), blocks_of(a.offsets + b.offsets))
    row_b = np.flatnonzero(partner >= 0)
    shared = np.diff(np.searchsorted(row_b, b.offsets))
    return np.repeat(np.arange(len(shared)), shared), partner[row_b], row_b


def _find_partners(a: Columns, b: Columns, topics: slice, partner: Ints) -> None:
    """Write into `partner`, for every row of `b` under these topics that has one, its row of `a`."""
    rows_a, rows_b = _rows(a, topics), _rows(b, topics)
    topic = np.concatenate([_topic_in(a, topics), _topic_in(b, topics)])
    keys = np.concatenate([a.keys[rows_a], b.keys[rows_b]])
    pairs = _twins(keys, topic)
    if pairs is None or not _are_matches(a, b, rows_a, rows_b, pairs, keys):
        pairs = _twins_by_id(topic, [a.docs[rows_a], b.docs[rows_b]])
    first, second = pairs
    partner[second - (rows_a.stop - rows_a.start) + rows_b.start] = first + rows_a.start


def repeated(columns: Columns) -> Ints:
    """The rows that name a document of their topic again: every copy but the first, ascending."""

    def of_block(topics: slice) -> Ints:
        rows = _rows(columns, topics)
        again = repeats(columns.keys[rows], _topic_in(columns, topics), columns.docs[rows])
        return np.asarray(again + rows.start)

    return _joined(in_parallel(of_block, blocks_of(columns.offsets)))


def repeats(keys: Keys, topic: Ints, docs: pa.Array | pa.ChunkedArray) -> Ints:
    """The same for rows of a few topics, given the key and the topic of each."""
    pairs = _twins(keys, topic)
    if pairs is not None and not len(pairs[0]):
        return np.zeros(0, np.int64)
    return np.sort(_twins_by_id(topic, [docs])[1])


def _twins(keys: Keys, topic: Ints) -> tuple[Ints, Ints] | None:
    """
    Positions of equal keys of one topic, two by two; None where three look alike.

    Each key is mixed with its topic and its low bits are replaced by its position, so that one sort of plain
    integers (6 ns each, where an argsort takes 15) brings equals together and still knows where they stood.
    """
    bits = np.uint64(len(keys).bit_length())
    position = np.arange(len(keys), dtype=np.uint64)
    mixed = stirred(stirred(keys + topic.astype(np.uint64) * ODD_B) * ODD_A) * ODD_B
    mixed = (mixed >> bits << bits) | position
    mixed.sort()
    alike = np.flatnonzero((mixed[1:] ^ mixed[:-1]) >> bits == 0)
    if (np.diff(alike) == 1).any():
        return None
    mixed &= (np.uint64(1) << bits) - np.uint64(1)
    first, second = mixed[alike].astype(np.int64), mixed[alike + 1].astype(np.int64)
    real = (keys[first] == keys[second]) & (topic[first] == topic[second])
    return first[real], second[real]


def _are_matches(a: Columns, b: Columns, rows_a: slice, rows_b: slice, pairs: tuple[Ints, Ints], keys: Keys) -> bool:
    """Whether every pair has one id on either side, and hashed ids are equal byte by byte."""
    first, second = pairs
    size_a = rows_a.stop - rows_a.start
    if (first >= size_a).any() or (second < size_a).any():
        return False
    hashed = is_hashed(keys[first])
    if not hashed.any():
        return True
    at_a, at_b = first[hashed] + rows_a.start, second[hashed] + rows_b.start - size_a
    matched = (side.docs.take(pa.array(at)).cast(pa.large_string()) for side, at in ((a, at_a), (b, at_b)))
    return bool(next(matched).equals(next(matched)))


def _twins_by_id(topic: Ints, docs: list[pa.Array | pa.ChunkedArray]) -> tuple[Ints, Ints]:
    """Positions of equal ids of one topic, neighbours of a run two by two, by the ids themselves."""
    chunks = [chunk for column in docs for chunk in getattr(column, "chunks", [column])]
    texts = [chunk.cast(pa.large_string()) for chunk in chunks]
    code = pa.chunked_array(texts, pa.large_string()).combine_chunks().dictionary_encode().indices.to_numpy()
    order = np.lexsort((code, topic))
    same = (np.diff(topic[order]) == 0) & (np.diff(code[order]) == 0)
    return order[:-1][same], order[1:][same]


def _joined(parts: list[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, np.int64), *parts])


def _rows(columns: Columns, topics: slice) -> slice:
    return slice(int(columns.offsets[topics.start]), int(columns.offsets[topics.stop]))


def _topic_in(columns: Columns, topics: slice) -> Ints:
    return topic_of(columns.offsets[topics.start : topics.stop + 1])


def blocks_of(offsets: Ints) -> list[slice]:
    """Ranges of whole topics of about `BLOCK_ROWS` rows each."""
    edges = [0]
    while edges[-1] < len(offsets) - 1:
        target = offsets[edges[-1]] + BLOCK_ROWS
        edges.append(max(edges[-1] + 1, int(np.searchsorted(offsets, target, side="right")) - 1))
    return [slice(first, last) for first, last in pairwise(edges)]


def in_parallel(work: Callable[[slice], T], blocks: list[slice]) -> list[T]:
    """`work` on every block, in order; numpy lets go of the interpreter, so two threads pay."""
    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(work, blocks))
