"""What the two elements of a page are told: texts as they are, figures as they are printed."""

import numpy as np

from comparekit.comparison import Comparison
from comparekit.ui import lists, topic_table


def test_words_worth_marking_leave_out_the_common_ones() -> None:
    assert ["bread", "oven"] == lists.terms("Bread without an OVEN")


def test_a_document_is_told_with_grade_rank_and_its_rank_on_the_other_side(shipped: Comparison) -> None:
    told = lists.payload(shipped, shipped.topic("t22", depth=10), depth=10)
    moved = next(result for result in told["b"]["results"] if result["doc"] == "laundry-007")
    assert (9, 8, True, "1", True) == (
        moved["rank"],
        moved["other"],
        moved["otherShown"],
        moved["grade"],
        moved["relevant"],
    )


def test_what_nobody_judged_has_no_grade_and_is_not_relevant(shipped: Comparison) -> None:
    told = lists.payload(shipped, shipped.topic("t22", depth=10), depth=10)
    new = next(result for result in told["b"]["results"] if result["doc"] == "bread-022")
    assert (None, False, False) == (new["grade"], new["relevant"], new["otherShown"])


def test_an_explanation_by_parts_is_one_part_a_line(shipped: Comparison) -> None:
    told = lists.payload(shipped, shipped.topic("t01", depth=10), depth=10)
    lines = told["a"]["results"][0]["explanation"].splitlines()
    assert lines[0].endswith("  sum")
    assert lines[1].startswith("  ")
    assert lines[1].endswith("text: sourdough")


def test_topics_are_ordered_by_harm_or_gain_and_what_cannot_be_compared_comes_last(shipped: Comparison) -> None:
    table = shipped.table(shipped.target)
    for order, sign in (("worst", 1), ("best", -1)):
        deltas = table["delta"].to_numpy()[topic_table.ordered(table, order=order, measure=shipped.target)]  # type: ignore[arg-type]
        known = deltas[~np.isnan(deltas)]
        assert (np.diff(sign * known) >= 0).all()
        assert np.isnan(deltas[len(known) :]).all()


def test_the_largest_change_of_all_is_a_full_bar(shipped: Comparison) -> None:
    result = shipped.result(shipped.target)
    rows = topic_table.rows(shipped, result, range(len(result.positions)), {})
    assert 1.0 == max(abs(row["share"]) for row in rows)


def test_a_change_of_a_measure_without_a_better_direction_is_neither_gain_nor_harm(shipped: Comparison) -> None:
    judged = next(measure for measure in shipped.measures if measure.better is None)
    rows = topic_table.rows(shipped, shipped.result(judged), range(36), {})
    assert {0} == {row["side"] for row in rows}
    assert any(row["share"] for row in rows)


def test_a_cut_group_says_how_many_there_are() -> None:
    assert "The first 2 of 1,000" in topic_table.Group("Losses", [1, 2], 1000).more
    assert "" == topic_table.Group("Losses", [1, 2], 2).more
