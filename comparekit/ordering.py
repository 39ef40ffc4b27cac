"""
In which order did a run rank its documents?

A run file holds lines; a ranking is what a rule makes of them. The rule is chosen once for both sides, and
whatever the file says otherwise (its rank column, ties, repeated documents) is reported, never followed in silence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from comparekit.columns import (
    ByTopic,
    Floats,
    Ints,
    Keys,
    Lists,
    Rows,
    by_topic,
    keys_of,
    lists_for,
    offsets_of,
    take,
    topic_at,
    topic_of,
    whole_strings,
)
from comparekit.disorder import Marks, passed_over, told
from comparekit.errors import FormatError
from comparekit.formats.rows import RunRows
from comparekit.matching import blocks_of, in_parallel, repeats
from comparekit.ranked import Ranked, in_order, neighbours, position_at, single_precision
from comparekit.repairs import Repair, repair

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
    _require(rows, order)
    groups, docs = by_topic(rows.topics), whole_strings(rows.docs)
    parts = in_parallel(lambda topics: _settled(rows, groups, docs, topics, order), blocks_of(groups.offsets))
    lists = Lists(
        groups.topics,
        offsets_of(np.concatenate([np.zeros(0, np.int64), *(np.diff(part.ranked.offsets) for part in parts)])),
        pa.chunked_array([part.docs for part in parts], docs.type),
        np.concatenate([np.zeros(0), *(part.ranked.scores for part in parts)]),
        np.concatenate([np.zeros(0, np.uint64), *(part.keys for part in parts)]),
    )
    disorder = told([part.marks for part in parts], topics=groups.topics, file=rows.report.name)
    return Ordered(_with_empty(lists, rows), (*_duplicates(parts, rows), *disorder))


@dataclass(frozen=True, slots=True, eq=False)
class _Settled:
    """A few topics in order; `dropped` are the rows of the run that repeat a document."""

    ranked: Ranked
    docs: pa.Array
    keys: Keys
    dropped: Ints
    marks: Marks


def _settled(rows: RunRows, groups: ByTopic, docs: pa.ChunkedArray, topics: slice, order: Order) -> _Settled:
    found = _found(rows, groups, topics)
    at = _by_rank(found, rows) if order == "rank" else _by_score(found, docs, order)
    ranked = found.take(at)
    as_it_stands = groups.row is None and at is None
    text = docs.chunk(0)[_span(groups, topics)] if as_it_stands else docs.chunk(0).take(pa.array(ranked.row))
    keys = keys_of(pa.chunked_array([text]))
    again = repeats(keys, topic_of(ranked.offsets), text)
    stay = np.delete(np.arange(len(keys)), again) if len(again) else None
    kept = ranked.take(stay)
    marks = passed_over(found, kept, precise=None if order == "rank" else _precise(kept.scores, order))
    text = text if stay is None else text.take(pa.array(stay))
    return _Settled(kept, text, take(keys, stay), ranked.row[again], marks)


def _found(rows: RunRows, groups: ByTopic, topics: slice) -> Ranked:
    """The rows of a few topics as they stand in the file."""
    span = _span(groups, topics)
    row = np.arange(span.start, span.stop) if groups.row is None else groups.row[span]
    ranks = None if rows.ranks is None else rows.ranks[row]
    return Ranked(groups.offsets[topics.start : topics.stop + 1] - span.start, rows.scores[row], ranks, row)


def _span(groups: ByTopic, topics: slice) -> slice:
    return slice(int(groups.offsets[topics.start]), int(groups.offsets[topics.stop]))


def _require(rows: RunRows, order: Order) -> None:
    """Refuse a run that does not hold what the order goes by."""
    file = rows.report.name
    if order == "rank":
        if rows.ranks is None:
            raise FormatError("there is no rank column to go by", path=file, todo="Order by score instead.")
        return
    bad = np.flatnonzero(~np.isfinite(rows.scores))[:1]
    if len(bad):
        raise FormatError(
            "a score is missing or not finite",
            path=file,
            line=int(_lines(rows, bad)[0]),
            expected="a finite number",
            got=float(rows.scores[bad[0]]),
            todo="Repair the file, or order by its rank column.",
        )


def _precise(scores: Floats, order: Order) -> npt.NDArray[Any]:
    return single_precision(scores) if order == "trec_eval" else scores


def _by_score(found: Ranked, docs: pa.ChunkedArray, order: Order) -> Rows:
    """Rows by score descending, then by id descending."""
    at, ties = in_order(found, _precise(found.scores, order))
    if not len(ties):
        return at
    at = np.arange(len(found.row)) if at is None else at
    member = np.union1d(ties, ties + 1)
    group = np.searchsorted(ties[np.diff(ties, prepend=-2) > 1], member, side="right")
    # Strings compare by their UTF-8 bytes.
    table = pa.table({"group": group, "doc": docs.chunk(0).take(pa.array(found.row[at[member]]))})
    falling = pc.sort_indices(table, sort_keys=[("group", "ascending"), ("doc", "descending")])
    at[member] = at[member][falling.to_numpy()]
    return at


def _by_rank(found: Ranked, rows: RunRows) -> Rows:
    """Rows by rank ascending."""
    ranks = np.zeros(0, np.int64) if found.ranks is None else found.ranks
    at, equal = in_order(found, -ranks)
    if len(equal):
        pair = take(found.row, at)[equal[0] : equal[0] + 2]
        first, second = sorted(_lines(rows, pair).tolist())
        topic, rank = rows.topics[int(pair[0])].as_py(), take(ranks, at)[equal[0]]
        raise FormatError(
            f"topic {topic} has rank {rank} twice, on lines {first} and {second}",
            path=rows.report.name,
            line=second,
            todo="Repair the ranks, or order by score.",
        )
    return at


def _duplicates(parts: Sequence[_Settled], rows: RunRows) -> list[Repair]:
    dropped = np.sort(np.concatenate([np.zeros(0, np.int64), *(part.dropped for part in parts)]))
    if not len(dropped):
        return []
    lines = f"{len(dropped)} of {len(rows.scores)} lines"
    message = f"repeated documents on {lines} were dropped; the copy that ranks first stays"
    topics = sorted(set(rows.topics.take(pa.array(dropped)).to_pylist()))
    return [repair("duplicate-document", message, file=rows.report.name, lines=_lines(rows, dropped), topics=topics)]


def _lines(rows: RunRows, row: Ints) -> Ints:
    return row + 1 if rows.lines is None else rows.lines[row]


def _with_empty(lists: Lists, rows: RunRows) -> Lists:
    """The lists together with the topics that the file says were answered with nothing."""
    empty = set(rows.empty_topics) - set(lists.topics)
    return lists_for(lists, sorted({*lists.topics, *empty})) if empty else lists


def tied_inside(lists: Lists, *, cutoff: int, order: Order = "score") -> Ints:
    """
    How many of the first `cutoff` results of every topic share their score with a neighbour.

    The neighbour may stand just below the cutoff. Results without a score tie with nothing.
    """
    scores = _precise(lists.scores, order)
    tied = neighbours(lists.offsets, scores[1:] == scores[:-1])
    tied = np.union1d(tied, tied + 1)
    inside = tied[position_at(lists.offsets, tied) < cutoff]
    return np.bincount(topic_at(lists.offsets, inside), minlength=len(lists.topics))
