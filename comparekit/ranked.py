"""The rows of a run while they are being put in order."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from comparekit.columns import Bools, Floats, Ints, Rows, by_topic, take, take_strings, topic_at, topic_of
from comparekit.formats.rows import RunRows

Singles = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """
    Rows grouped by topic, topics by id.

    `row` says which row of the run each is, `lines` which line of the file each row of the run was read from.
    """

    topics: tuple[str, ...]
    offsets: Ints
    docs: pa.ChunkedArray
    scores: Floats
    ranks: Ints | None
    row: Rows
    lines: Rows

    def take(self, at: Rows) -> "Ranked":
        """The rows at `at`, which must stand topic after topic."""
        if at is None:
            return self
        offsets = np.searchsorted(topic_at(self.offsets, at), np.arange(len(self.offsets)))
        ranks = None if self.ranks is None else self.ranks[at]
        row = at if self.row is None else self.row[at]
        return Ranked(self.topics, offsets, take_strings(self.docs, at), self.scores[at], ranks, row, self.lines)

    def line(self, at: Ints) -> Ints:
        """The line of the file, from 1, that each of these rows was read from."""
        row = at if self.row is None else self.row[at]
        return row + 1 if self.lines is None else self.lines[row]

    def named(self, touched: Bools) -> list[str]:
        """The ids of the topics marked in `touched`."""
        return [self.topics[at] for at in np.flatnonzero(touched)]


def grouped(rows: RunRows) -> Ranked:
    """The rows of a run topic after topic, in the order of the file within a topic."""
    groups = by_topic(rows.topics)
    ranks = None if rows.ranks is None else take(rows.ranks, groups.row)
    docs, scores = take_strings(rows.docs, groups.row), take(rows.scores, groups.row)
    return Ranked(groups.topics, groups.offsets, docs, scores, ranks, groups.row, rows.lines)


def single_precision(scores: Floats) -> Singles:
    """The scores as trec_eval up to 9.0.8 keeps them: as 32-bit floats."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32)


def descending(offsets: Ints, values: npt.NDArray[Any]) -> Rows:
    """The rows by value descending within their topic, equals as they stood; only topics out of order are sorted."""
    out_of_order = touched(offsets, values[1:] > values[:-1])
    if not out_of_order.any():
        return None
    at, topic = np.arange(len(values)), topic_of(offsets)
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
    return marked(offsets, neighbours(offsets, flag))


def marked(offsets: Ints, rows: Ints) -> Bools:
    """Whether any of `rows` belongs to each topic."""
    found = np.zeros(len(offsets) - 1, np.bool_)
    found[topic_at(offsets, rows)] = True
    return found


def position_at(offsets: Ints, rows: Ints) -> Ints:
    """The place of each of `rows` within its topic, from 0."""
    return rows - offsets[topic_at(offsets, rows)]
