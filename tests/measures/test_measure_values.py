"""Measures on small lists: what people ran into, by hand, and the edges."""

from pathlib import Path

import pytest

from comparekit.errors import MeasureError
from comparekit.measures import parse_measure
from comparekit.measures.registry import NOTHING_JUDGED, NOTHING_RELEVANT, NOTHING_RETRIEVED
from tests.building import aligned, case, reasons_of, value_of

EVERY_FAMILY = ["P@5", "Success@5", "R@5", "RR", "AP", "infAP", "nDCG@5", "RBP(rel=1)", "Bpref"]


@pytest.mark.parametrize("name", EVERY_FAMILY)
def test_an_empty_answer_scores_zero_where_something_is_relevant(name: str) -> None:
    found = aligned({"q1": {"a": 1}}, {"q1": []})
    assert [0.0] == value_of(name, found)


@pytest.mark.parametrize("name", [*EVERY_FAMILY, "Judged@5", "Judged(of='cutoff')@5"])
def test_a_topic_that_nobody_judged_is_undefined(name: str) -> None:
    found = aligned({"q2": {"a": 1}}, {"q1": ["a"], "q2": ["a"]})
    assert [NOTHING_JUDGED, 0] == reasons_of(name, found)
    assert value_of(name, found)[0] is None


@pytest.mark.parametrize("name", EVERY_FAMILY)
def test_a_topic_without_a_relevant_judgment_is_undefined(name: str) -> None:
    found = aligned({"q1": {"a": 0, "b": -1}}, {"q1": ["a", "b"]})
    assert ([None], [NOTHING_RELEVANT]) == (value_of(name, found), reasons_of(name, found))


def test_a_measure_leaves_out_topics_by_its_own_threshold() -> None:
    found = aligned({"q1": {"a": 1}, "q2": {"a": 2}}, {"q1": ["a"], "q2": ["a"]})
    assert [None, 1.0] == value_of("RR(rel=2)", found)
    assert [1.0, 1.0] == value_of("RR", found)


def test_precision_divides_a_short_list_by_the_cutoff() -> None:
    # Golden case `short`: two relevant results of two, cutoff 5.
    assert [0.4] == value_of("P@5", aligned({"q1": {"a": 2, "b": 1}}, {"q1": ["a", "b"]}))


def test_the_judged_share_of_a_short_list_is_of_what_is_shown_or_of_the_cutoff() -> None:
    # As ir_measures has it, 1 of 2 (0.5); as the golden file has it, 1 of 5.
    found = aligned({"q1": {"a": 0}}, {"q1": ["a", "x"]})
    assert ([0.5], [0.2]) == (value_of("Judged@5", found), value_of("Judged(of='cutoff')@5", found))


def test_the_judged_share_of_nothing_is_undefined() -> None:
    found = aligned({"q1": {"a": 1}}, {"q1": []})
    assert ([None], [NOTHING_RETRIEVED]) == (value_of("Judged@5", found), reasons_of("Judged@5", found))
    assert [0.0] == value_of("Judged(of='cutoff')@5", found)


def test_a_negative_grade_gains_nothing_and_is_judged() -> None:
    found = aligned({"q1": {"a": -2, "b": 1}}, {"q1": ["a", "b"]})
    assert [1.0] == value_of("Judged@2", found)
    assert value_of("nDCG@2", aligned({"q1": {"b": 1}}, {"q1": ["a", "b"]})) == value_of("nDCG@2", found)


def test_judged_only_closes_the_gaps_of_unjudged_results() -> None:
    found = aligned({"q1": {"a": 0, "b": 1}}, {"q1": ["x", "b", "y", "a"]})
    assert ([0.5], [1.0]) == (value_of("RR", found), value_of("RR(judged_only=True)", found))
    assert ([0.0], [1.0]) == (value_of("P@1", found), value_of("P(judged_only=True)@1", found))


def test_the_ideal_of_the_scale_is_full_of_its_top_grade() -> None:
    # By hand: 3 at rank 1 of an ideal of two threes: 3 / (3 + 3 / log2 3).
    found = aligned({"q1": {"a": 3}, "q2": {"a": 0}}, {"q1": ["a"], "q2": ["a"]}, top_grade=3)
    assert pytest.approx([0.6131471927654584, 0.0]) == value_of("nDCG(ideal='max')@2", found)


@pytest.mark.parametrize("name", ["nDCG(ideal='max')@5", "RBP(gain='graded')"])
def test_measures_on_the_scale_need_it_declared(name: str) -> None:
    with pytest.raises(MeasureError, match=r"needs the top grade of the scale\. Declare the scale of the judgments"):
        value_of(name, aligned({"q1": {"a": 3}}, {"q1": ["a"]}))


def test_grades_that_an_exponential_gain_cannot_hold_are_refused() -> None:
    found = aligned({"q1": {"a": 5000}}, {"q1": ["a"]})
    with pytest.raises(MeasureError, match="too large for an exponential gain: expected at most 1000, got 5000"):
        value_of("nDCG(dcg='exp-log2')@5", found)


def test_large_grades_of_a_shop_still_have_an_exponential_gain() -> None:
    # ESCI as shipped for search workbenches grades up to 100.
    found = aligned({"q1": {"a": 100, "b": 10}}, {"q1": ["a", "b"]})
    assert [1.0] == value_of("nDCG(dcg='exp-log2')@5", found)


def test_no_topics_make_no_values() -> None:
    for name in EVERY_FAMILY:
        assert [] == value_of(name, aligned({}, {}))
    assert 0 == len(parse_measure("Judged@5").values(aligned({}, {}).a).value)


def test_case_r20_both_sides_are_ordered_by_the_same_rule(shared_cases: Path) -> None:
    found = case(shared_cases / "R20")
    assert ([1.0], [0.5]) == (value_of("RR", found), value_of("RR", found, side="b"))
    assert pytest.approx([1.0, 0.6309], abs=5e-5) == value_of("nDCG@2", found) + value_of("nDCG@2", found, side="b")
    by_rank = case(shared_cases / "R20", order="rank")
    assert ([1.0], [1.0]) == (value_of("RR", by_rank), value_of("RR", by_rank, side="b"))


def test_case_r23_the_order_decides_between_distance_and_similarity(shared_cases: Path) -> None:
    by_rank, by_score = case(shared_cases / "R23", order="rank"), case(shared_cases / "R23")
    assert ([1.0], [1 / 3]) == (value_of("RR", by_rank), value_of("RR", by_score))


def test_case_r25_a_repeated_document_earns_once(shared_cases: Path) -> None:
    found = case(shared_cases / "R25")
    assert ([1.0], [1.0]) == (value_of("nDCG@3", found), value_of("nDCG@3", found, side="b"))
    assert [1.0] == value_of("R@3", found)


def test_case_r26_fractional_grades_count_as_they_are(shared_cases: Path) -> None:
    found = case(shared_cases / "R26")
    both = value_of("nDCG@3", found) + value_of("nDCG@3", found, side="b")
    assert pytest.approx([0.692817, 0.981718], abs=5e-7) == both
    assert [0.5, 1.0] == value_of("RR", found) + value_of("RR", found, side="b")


def test_case_r28_repeats_do_not_fill_the_ideal(shared_cases: Path) -> None:
    highest, last = (case(shared_cases / "R28", conflict=rule) for rule in ("max", "last"))
    assert pytest.approx([0.8597], abs=5e-5) == value_of("nDCG@2", highest)
    assert value_of("nDCG@2", highest) == value_of("nDCG@2", last)
    assert [1.0] == value_of("nDCG@3", highest, side="b")


def test_case_r29_the_threshold_moves_binary_measures_only(shared_cases: Path) -> None:
    found = case(shared_cases / "R29")
    first = [value_of(name, found)[0] for name in ("P@2", "RR", "AP", "nDCG@4")]
    second = [value_of(name, found)[0] for name in ("P(rel=2)@2", "RR(rel=2)", "AP(rel=2)")]
    assert pytest.approx([0.5, 1.0, 0.805556, 0.705891], abs=5e-7) == first
    assert pytest.approx([0.0, 1 / 3, 0.416667], abs=5e-7) == second
    assert [1.0] * 3 == [value_of(name, found, side="b")[0] for name in ("P(rel=2)@2", "RR(rel=2)", "AP(rel=2)")]


def test_case_r31_the_ideal_is_made_of_all_judged_documents(shared_cases: Path) -> None:
    found = case(shared_cases / "R31")
    assert pytest.approx([0.339160, 1.0], abs=5e-7) == value_of("nDCG@10", found)
    assert pytest.approx([0.540995, 1.0], abs=5e-7) == value_of("nDCG@10", found, side="b")


def test_case_r32_a_cutoff_cuts_reciprocal_rank(shared_cases: Path) -> None:
    found = case(shared_cases / "R32")
    assert [0.0, 0.25, 0.25] == [value_of(name, found)[0] for name in ("RR@3", "RR@10", "RR")]
    assert [0.5] == value_of("RR@3", found, side="b")


def test_case_r34_a_topic_without_relevant_documents_shifts_no_other(shared_cases: Path) -> None:
    found = case(shared_cases / "R34")
    assert [1.0, None, 1.0] == value_of("nDCG", found)
    defined = [each for each in value_of("nDCG", found, side="b") if each is not None]
    assert pytest.approx([0.6309, 1.0], abs=5e-5) == defined
    assert NOTHING_RELEVANT == reasons_of("nDCG", found)[1]


def test_case_r35_values_stand_by_pinned_topic(shared_cases: Path) -> None:
    found = case(shared_cases / "R35", topics=["q1", "q2", "q3", "q9"])
    assert [1.0, 0.0, 1.0, None] == value_of("RR", found)
    assert [0.5, 1.0, 0.0, None] == value_of("RR", found, side="b")


def test_case_r43_equal_on_paper_is_equal_after_rounding(shared_cases: Path) -> None:
    # The last bits differ, as with trec_eval (0.49999999999999994); comparing rounds to 12 decimals.
    found = case(shared_cases / "R43")
    a, b = value_of("AP", found)[0], value_of("AP", found, side="b")[0]
    assert a is not None and b is not None
    assert round(a, 12) == round(b, 12) == 0.5
