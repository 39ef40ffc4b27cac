"""The rows of a run while they are being put in order."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from comparekit.columns import Bools, Floats, Ints, by_topic, offsets_of, take_strings, topic_of
from comparekit.formats.rows import RunRows


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """
    Rows grouped by topic, topics by id.

    `line` is the line of the file, from 1, that each row was read from.
    """

    topics: tuple[str, ...]
    offsets: Ints
    docs: pa.ChunkedArray
    scores: Floats
    ranks: Ints | None
    line: Ints

    def take(self, at: Ints) -> "Ranked":
        """The rows at `at`, which must stand topic after topic."""
        lengths = np.bincount(topic_of(self.offsets)[at], minlength=len(self.topics))
        ranks = None if self.ranks is None else self.ranks[at]
        docs = take_strings(self.docs, at)
        return Ranked(self.topics, offsets_of(lengths), docs, self.scores[at], ranks, self.line[at])

    def named(self, touched: Bools) -> list[str]:
        """The ids of the topics marked in `touched`."""
        return [self.topics[at] for at in np.flatnonzero(touched)]


def grouped(rows: RunRows) -> Ranked:
    """The rows of a run topic after topic, in the order of the file within a topic."""
    groups = by_topic(rows.topics)
    row = groups.row
    ranks = None if rows.ranks is None else rows.ranks[row]
    line = row + 1 if rows.lines is None else rows.lines[row]
    return Ranked(groups.topics, groups.offsets, take_strings(rows.docs, row), rows.scores[row], ranks, line)


def single_precision(scores: Floats) -> Floats:
    """The scores as trec_eval up to 9.0.8 keeps them: as 32-bit floats."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32).astype(np.float64)


def descending(offsets: Ints, values: Floats) -> Ints:
    """The rows by value descending within their topic, equals as they stood; only topics out of order are sorted."""
    at = np.arange(len(values))
    out_of_order = touched(offsets, values[1:] > values[:-1])
    if out_of_order.any():
        topic = topic_of(offsets)
        member = np.flatnonzero(out_of_order[topic])
        at[member] = member[np.lexsort((-values[member], topic[member]))]
    return at


def neighbours(offsets: Ints, flag: Bools) -> Ints:
    """The rows for which `flag`, said of each row and the next one, holds inside a topic."""
    last = offsets[1:-1] - 1
    inside = flag.copy()
    inside[last[(last >= 0) & (last < len(flag))]] = False
    return np.flatnonzero(inside)


def touched(offsets: Ints, flag: Bools) -> Bools:
    """Whether `flag`, said of each row and the next one, holds anywhere inside each topic."""
    counts = np.bincount(topic_of(offsets)[neighbours(offsets, flag)], minlength=len(offsets) - 1)
    return counts > 0


def position_of(offsets: Ints) -> Ints:
    """The place of every row within its topic, from 0."""
    return np.arange(offsets[-1]) - np.repeat(offsets[:-1], np.diff(offsets))
