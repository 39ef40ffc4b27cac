"""Tests of `comparekit.ordering` (with `ranked` and `disorder`)."""

import json
import re
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit.columns import Lists
from comparekit.errors import FormatError
from comparekit.formats import read_run
from comparekit.formats.rows import RunRows
from comparekit.ordering import Order, Ordered, order_rows, tied_inside
from comparekit.repairs import Repair
from tests.building import run_rows

Line = tuple[str, str, int, float]

DOCS = st.sampled_from(["d1", "d2", "d10", "D1", "￮", "𝔄", "a rather long id", "a rather long id 2", ""])
SCORES = st.sampled_from([3.0, 2.0, 1.0, 0.0, -0.0, -1.5, 0.9222621453752586, 0.922262145375258])
LINES = st.lists(st.tuples(st.sampled_from(["q1", "q2", "q10"]), DOCS, st.integers(0, 5), SCORES), max_size=30)


def rankings(lists: Lists) -> dict[str, list[str]]:
    docs = lists.docs.to_pylist()
    ends = zip(lists.topics, lists.offsets[:-1], lists.offsets[1:], strict=True)
    return {topic: docs[first:last] for topic, first, last in ends}


def told(ordered: Ordered) -> dict[str, Repair]:
    return {repair.what: repair for repair in ordered.repairs}


def expected_ranking(lines: list[Line], topic: str, order: Order) -> list[str]:
    """The rule as one sort in plain Python."""
    single = np.float32 if order == "trec_eval" else np.float64
    mine = [(single(score), doc.encode(), doc) for name, doc, _, score in lines if name == topic]
    return list(dict.fromkeys(doc for _, _, doc in sorted(mine, reverse=True)))


@given(LINES, st.sampled_from(["score", "trec_eval"]))
def test_order_is_score_down_then_id_down_and_first_copies_stay(lines: list[Line], order: Order) -> None:
    expected = {topic: expected_ranking(lines, topic, order) for topic in sorted({line[0] for line in lines})}
    assert expected == rankings(order_rows(run_rows(lines), order=order).lists)


@given(LINES, st.randoms())
def test_the_order_of_lines_changes_nothing(lines: list[Line], random: Random) -> None:
    shuffled = list(lines)
    random.shuffle(shuffled)
    first, second = (order_rows(run_rows(each)).lists for each in (lines, shuffled))
    assert rankings(first) == rankings(second)
    assert first.scores.tolist() == second.scores.tolist()
    assert first.keys.tolist() == second.keys.tolist()


def test_ids_are_compared_by_their_bytes() -> None:
    # trec_eval's order by strcmp, downwards: golden case `case_order`, and U+1D504 before U+FFEE as in `utf8_order`.
    lines = [("q1", doc, rank, 1.0) for rank, doc in enumerate(["10", "9", "a", "B", "￮", "𝔄"], start=1)]
    assert ["𝔄", "￮", "a", "B", "9", "10"] == rankings(order_rows(run_rows(lines)).lists)["q1"]


def test_single_precision_ties_scores_that_double_precision_tells_apart() -> None:
    # Golden case `f32tie`: trec_eval up to 9.0.8 ties these two and puts b first.
    rows = run_rows([("q1", "a", 1, 0.9222621453752586), ("q1", "b", 2, 0.922262145375258)])
    assert ["a", "b"] == rankings(order_rows(rows).lists)["q1"]
    assert ["b", "a"] == rankings(order_rows(rows, order="trec_eval").lists)["q1"]
    assert ("q1",) == told(order_rows(rows))["single-precision-ties"].topics


def test_scores_beyond_single_precision_are_ties_of_infinity() -> None:
    rows = run_rows([("q1", "a", 1, 2e300), ("q1", "b", 2, 1e300)])
    assert ["b", "a"] == rankings(order_rows(rows, order="trec_eval").lists)["q1"]


def test_order_by_rank_follows_the_rank_column_and_needs_no_score() -> None:
    rows = run_rows([("q1", "c", 3, float("nan")), ("q1", "a", 1, float("nan")), ("q1", "b", 2, 9.0)])
    assert ["a", "b", "c"] == rankings(order_rows(rows, order="rank").lists)["q1"]


def test_equal_ranks_are_refused_with_both_lines() -> None:
    rows = run_rows([("q1", "a", 1, 3.0), ("q1", "b", 2, 2.0), ("q1", "c", 1, 1.0)])
    with pytest.raises(FormatError, match=r"a.run:3: topic q1 has rank 1 twice, on lines 1 and 3\. Repair the ranks"):
        order_rows(rows, order="rank")


def test_order_by_rank_needs_a_rank_column() -> None:
    rows = run_rows([("q1", "a", 1, 3.0)])
    bare = RunRows(rows.topics, rows.docs, rows.scores, None, None, rows.tags, rows.report)
    with pytest.raises(FormatError, match="there is no rank column to go by"):
        order_rows(bare, order="rank")


@pytest.mark.parametrize("score", [float("nan"), float("inf"), float("-inf")])
def test_a_score_that_is_not_finite_is_refused_with_its_line(score: float) -> None:
    rows = run_rows([("q2", "a", 1, 3.0), ("q1", "b", 1, score), ("q1", "c", 2, 1.0)])
    with pytest.raises(FormatError, match="a.run:2: a score is missing or not finite: expected a finite number, got"):
        order_rows(rows)


def test_line_numbers_come_from_the_file_when_rows_have_them() -> None:
    rows = run_rows([("q1", "a", 1, 3.0), ("q1", "a", 2, 2.0)])
    numbered = RunRows(rows.topics, rows.docs, rows.scores, rows.ranks, np.array([4, 9]), rows.tags, rows.report)
    assert (9,) == told(order_rows(numbered))["duplicate-document"].lines


def test_the_copy_that_ranks_first_stays_wherever_it_stands_in_the_file() -> None:
    ordered = order_rows(run_rows([("q1", "a", 3, 1.0), ("q1", "b", 2, 2.0), ("q1", "a", 1, 3.0)]))
    assert {"q1": ["a", "b"]} == rankings(ordered.lists)
    assert [3.0, 2.0] == ordered.lists.scores.tolist()
    duplicate = told(ordered)["duplicate-document"]
    assert (1, (1,), ("q1",)) == (duplicate.count, duplicate.lines, duplicate.topics)


def test_a_topic_answered_with_nothing_is_an_empty_list() -> None:
    rows = run_rows([("q3", "a", 1, 1.0)])
    with_empty = RunRows(
        rows.topics, rows.docs, rows.scores, rows.ranks, None, rows.tags, rows.report, empty_topics=("q2", "q3")
    )
    assert {"q2": [], "q3": ["a"]} == rankings(order_rows(with_empty).lists)


def test_an_empty_run_has_no_lists_and_nothing_to_report() -> None:
    ordered = order_rows(run_rows([]))
    assert ({}, ()) == (rankings(ordered.lists), ordered.repairs)


def test_a_tidy_run_has_nothing_to_report() -> None:
    assert () == order_rows(run_rows([("q1", "a", 1, 3.0), ("q1", "b", 2, 2.0), ("q2", "a", 1, 1.0)])).repairs


def test_lines_out_of_score_order_are_reported_by_topic() -> None:
    ordered = order_rows(run_rows([("q1", "a", 2, 1.0), ("q1", "b", 1, 2.0), ("q2", "c", 1, 9.0)]))
    assert ("q1",) == told(ordered)["not-in-score-order"].topics
    assert "rank-disagrees" not in told(ordered)


def test_ranks_that_tell_another_order_are_reported_with_the_first_ten() -> None:
    deep = [("q2", f"d{rank:02d}", rank, 100.0 - rank) for rank in range(1, 13)]
    deep[10], deep[11] = ("q2", "d11", 11, 1.0), ("q2", "d12", 12, 2.0)
    ordered = order_rows(run_rows([("q1", "a", 1, 2.0), ("q1", "b", 3, 1.5), ("q1", "c", 2, 1.0), *deep]))
    disagreement = told(ordered)["rank-disagrees"]
    assert ("q1", "q2") == disagreement.topics
    assert "rank and score tell different orders in 2 topics of 2 (inside the first ten of 1)" == disagreement.message
    assert "scores-rise-with-rank" not in told(ordered)


def test_ranks_that_agree_are_not_reported_for_their_numbers() -> None:
    ordered = order_rows(run_rows([("q1", "a", 0, 3.0), ("q1", "b", 5, 2.0), ("q1", "c", 5, 1.0)]))
    assert {"rank-does-not-start-at-1", "rank-gaps", "rank-repeats"} == set(told(ordered))


@pytest.mark.parametrize("order", ["score", "rank"])
def test_scores_that_rise_with_rank_are_called_the_opposite_direction(order: Order) -> None:
    # The kind of case R23: distances, where lower is better.
    lines = [("q1", "a", 1, 0.12), ("q1", "b", 2, 0.34), ("q1", "c", 3, 0.34), ("q2", "d", 1, 0.5)]
    opposite = told(order_rows(run_rows(lines), order=order))["scores-rise-with-rank"]
    assert ("q1",) == opposite.topics
    assert "in 1 topic of 2: rank and score go in opposite directions" in opposite.message


def test_ties_are_reported_and_those_inside_the_first_ten_counted() -> None:
    late = [("q2", f"d{rank:02d}", rank, -float(min(rank, 11))) for rank in range(1, 13)]
    ordered = order_rows(run_rows([("q1", "b", 1, 1.0), ("q1", "a", 2, 1.0), *late]))
    ties = told(ordered)["tied-scores"]
    assert 2 == ties.count
    assert ties.message.startswith("scores of 2 topics are tied (inside the first ten of 1)")


def test_ties_inside_a_cutoff_count_those_that_straddle_it() -> None:
    scores = [3.0, 2.0, 2.0, 2.0, 1.0]
    found = order_rows(run_rows([("q1", f"d{at}", at + 1, score) for at, score in enumerate(scores)])).lists
    assert [[0], [1], [2], [3]] == [tied_inside(found, cutoff=cutoff).tolist() for cutoff in (1, 2, 3, 10)]


def test_case_r20_equal_scores_go_by_id_downwards_or_by_the_given_rank(shared_cases: Path) -> None:
    a, b = (read_run(shared_cases / "R20" / name) for name in ("run_a.trec", "run_b.trec"))
    assert ["pear", "apple"] == rankings(order_rows(a).lists)["q1"]
    assert ["quince", "pear"] == rankings(order_rows(b).lists)["q1"]
    assert ["pear", "quince"] == rankings(order_rows(b, order="rank").lists)["q1"]
    assert [2] == tied_inside(order_rows(a).lists, cutoff=10).tolist()


def test_case_r22_shuffled_lines_give_the_same_lists(shared_cases: Path) -> None:
    first, second = (read_run(shared_cases / "R22" / name) for name in ("run_a.trec", "run_a_shuffled.trec"))
    assert ["d9", "d5", "d1", "d2"] == rankings(order_rows(second).lists)["q1"]
    assert ["d1", "d5", "d9", "d2"] == rankings(order_rows(second, order="rank").lists)["q1"]
    assert rankings(order_rows(first).lists) == rankings(order_rows(second).lists)


def test_case_r23_reports_the_opposite_direction(shared_cases: Path) -> None:
    ordered = order_rows(read_run(shared_cases / "R23" / "run_a.trec"))
    assert "scores rise with rank in 1 topic of 1" in told(ordered)["scores-rise-with-rank"].message


def test_case_r25_the_second_copy_is_dropped_and_named(shared_cases: Path) -> None:
    ordered = order_rows(read_run(shared_cases / "R25" / "run_a.trec"))
    assert ["d1", "d2"] == rankings(ordered.lists)["q1"]
    assert (1, ("q1",)) == (told(ordered)["duplicate-document"].count, told(ordered)["duplicate-document"].topics)


def test_real_runs_are_reported_as_their_figures_say(shared_data: Path) -> None:
    # The figures were counted by the people who gathered the data, with tools of their own (data/README.md).
    checked = 0
    for file in sorted(shared_data.glob("*/expected/*.json")):
        expected = json.loads(file.read_text())
        if "per_query" not in expected:
            continue
        warts = expected["figures"]["warts"]
        found = told(order_rows(read_run(file.parent.parent / expected["run"])))
        counts = {what: repair.count for what, repair in found.items()}
        message = found["rank-disagrees"].message if "rank-disagrees" in found else ""
        shown = re.search(r"inside the first ten of (\d+)", message)
        assert warts.get("topics_top10_rank_order_differs_from_score_order", 0) == (int(shown[1]) if shown else 0), file
        assert warts.get("duplicate_docs", 0) == counts.get("duplicate-document", 0), file
        assert warts.get("topics_scores_not_descending", 0) == counts.get("not-in-score-order", 0), file
        assert warts.get("topics_rank_gap", 0) == counts.get("rank-gaps", 0), file
        late = sum(count for start, count in warts.get("rank_starts", {}).items() if start != "1")
        assert late == counts.get("rank-does-not-start-at-1", 0), file
        checked += 1
    assert 69 == checked
