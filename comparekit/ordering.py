"""
In which order did a run rank its documents?

A run file holds lines; a ranking is what a rule makes of them. The rule is chosen once for both sides, and
whatever the file says otherwise (its rank column, ties, repeated documents) is reported, never followed in silence.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from comparekit.columns import Floats, Ints, Lists, Rows, keys_of, lists_for, take, take_strings, topic_at
from comparekit.disorder import disorder, duplicates
from comparekit.errors import FormatError
from comparekit.formats.rows import RunRows
from comparekit.matching import repeated
from comparekit.ranked import Ranked, descending, grouped, neighbours, position_at, single_precision
from comparekit.repairs import Repair

Order = Literal["score", "trec_eval", "rank"]


@dataclass(frozen=True, slots=True, eq=False)
class Ordered:
    """The rankings of a run, and what had to be settled to get them."""

    lists: Lists
    repairs: tuple[Repair, ...]


def order_rows(rows: RunRows, *, order: Order = "score") -> Ordered:
    """
    The rankings of a run, topics by id, whatever the order of its lines.

    `order` is "score" (score descending, equal scores by document id descending in UTF-8 bytes, in double
    precision), "trec_eval" (the same in single precision, as trec_eval up to 9.0.8 and pytrec_eval do) or "rank"
    (the rank column ascending; scores may then be missing). Of a document that is listed twice for a topic the
    copy that ranks first stays.

    Returns the lists with a `Repair` for everything the file says otherwise: repeated documents, lines not in
    score order, a rank column that tells another order (or the opposite one), ties, odd rank numbers.
    Raises `FormatError` on missing or non-finite scores; by rank, on a missing rank column and on equal ranks.

    The tie rule is that of trec_eval, form_res_rels.c (github.com/usnistgov/trec_eval).
    """
    found = grouped(rows)
    file = rows.report.name
    ranked = found.take(_by_rank(found, file) if order == "rank" else _by_score(found, order, file))
    keys = keys_of(ranked.docs)
    again = repeated(Lists(ranked.topics, ranked.offsets, ranked.docs, ranked.scores, keys))
    stay = np.delete(np.arange(len(keys)), again) if len(again) else None
    kept = ranked.take(stay)
    lists = Lists(kept.topics, kept.offsets, kept.docs, kept.scores, take(keys, stay))
    precise = _precise(kept.scores, order)
    told = disorder(found, kept, by_score=order != "rank", precise=precise, file=file)
    return Ordered(_with_empty(lists, rows), (*duplicates(ranked, again, file=file), *told))


def tied_inside(lists: Lists, *, cutoff: int, order: Order = "score") -> Ints:
    """
    How many of the first `cutoff` results of every topic share their score with a neighbour.

    The neighbour may stand just below the cutoff. Results without a score tie with nothing.
    """
    tied = _ties(lists.offsets, _precise(lists.scores, order))
    member = np.zeros(len(lists.scores), np.bool_)
    member[tied] = member[tied + 1] = True
    tied = np.flatnonzero(member)
    inside = tied[position_at(lists.offsets, tied) < cutoff]
    return np.bincount(topic_at(lists.offsets, inside), minlength=len(lists.topics))


def _precise(scores: Floats, order: Order) -> npt.NDArray[Any]:
    return single_precision(scores) if order == "trec_eval" else scores


def _by_score(found: Ranked, order: Order, file: str) -> Rows:
    """Rows by score descending, then by id descending."""
    bad = np.flatnonzero(~np.isfinite(found.scores))
    if len(bad):
        raise _unusable(found, bad, file)
    scores = _precise(found.scores, order)
    at = descending(found.offsets, scores)
    ties = _ties(found.offsets, take(scores, at))
    if not len(ties):
        return at
    at = np.arange(len(scores)) if at is None else at
    member = np.union1d(ties, ties + 1)
    group = np.searchsorted(ties[np.diff(ties, prepend=-2) > 1], member, side="right")
    at[member] = at[member][_by_id_descending(group, take_strings(found.docs, at[member]))]
    return at


def _unusable(found: Ranked, bad: Ints, file: str) -> FormatError:
    first = bad[np.argmin(found.line(bad))]
    return FormatError(
        "a score is missing or not finite",
        path=file,
        line=int(found.line(first)),
        expected="a finite number",
        got=float(found.scores[first]),
        todo="Repair the file, or order by its rank column.",
    )


def _ties(offsets: Ints, scores: npt.NDArray[Any]) -> Ints:
    """The rows whose score equals that of the next row of their topic."""
    return neighbours(offsets, scores[1:] == scores[:-1])


def _by_id_descending(group: Ints, docs: pa.ChunkedArray) -> Ints:
    """The order that sorts ids downwards within their group; strings compare by their UTF-8 bytes."""
    table = pa.table({"group": group, "doc": docs})
    order = pc.sort_indices(table, sort_keys=[("group", "ascending"), ("doc", "descending")])
    return np.asarray(order, np.int64)


def _by_rank(found: Ranked, file: str) -> Rows:
    """Rows by rank ascending."""
    if found.ranks is None:
        raise FormatError("there is no rank column to go by", path=file, todo="Order by score instead.")
    at = descending(found.offsets, -found.ranks)
    equal = _ties(found.offsets, take(found.ranks, at))
    if len(equal):
        pair = np.array([equal[0], equal[0] + 1]) if at is None else at[equal[0] : equal[0] + 2]
        first, second = sorted(found.line(pair).tolist())
        topic = found.topics[int(topic_at(found.offsets, equal[0]))]
        raise FormatError(
            f"topic {topic} has rank {found.ranks[pair[0]]} twice, on lines {first} and {second}",
            path=file,
            line=second,
            todo="Repair the ranks, or order by score.",
        )
    return at


def _with_empty(lists: Lists, rows: RunRows) -> Lists:
    """The lists together with the topics that the file says were answered with nothing."""
    empty = set(rows.empty_topics) - set(lists.topics)
    return lists_for(lists, sorted({*lists.topics, *empty})) if empty else lists
