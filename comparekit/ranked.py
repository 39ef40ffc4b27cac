"""Some topics of a run while their rows are being put in order."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from comparekit.columns import Bools, Floats, Ints, Rows, take, topic_at, topic_of

Singles = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """
    Rows topic after topic: those of topic i are `offsets[i]` to `offsets[i + 1]`.

    `row` says which row of the run each is.
    """

    offsets: Ints
    scores: Floats
    ranks: Ints | None
    row: Ints

    def take(self, at: Rows) -> "Ranked":
        """The rows at `at`, which must stand topic after topic."""
        if at is None:
            return self
        offsets = np.searchsorted(topic_at(self.offsets, at), np.arange(len(self.offsets)))
        ranks = None if self.ranks is None else self.ranks[at]
        return Ranked(offsets, self.scores[at], ranks, self.row[at])


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


def in_order(found: Ranked, values: npt.NDArray[Any]) -> tuple[Rows, Ints]:
    """Rows by value descending, and those (in that order) whose value equals that of the next row of their topic."""
    at = descending(found.offsets, values)
    ordered = take(values, at)
    return at, neighbours(found.offsets, ordered[1:] == ordered[:-1])
