"""Tests of `comparekit.measures.parsing` and `comparekit.measures.registry`."""

import ir_measures
import pytest

from comparekit.errors import MeasureError
from comparekit.measures import Measure, families, parse_measure

NAMES = [
    "P@10", "P(rel=2)@5", "P(rel=2,judged_only=True)@5", "R@100", "R(rel=3)@20", "RR", "RR@10", "RR(judged_only=True)",
    "AP", "AP@100", "AP(rel=2)", "nDCG", "nDCG@10", "nDCG(dcg='exp-log2')@10",
    "nDCG(dcg='exp-log2',judged_only=True)@10",
    "RBP(rel=1)", "RBP(p=0.95,rel=2)", "RBP(p=0.5,rel=1)@20", "Success@1", "Success(rel=2)@5", "Judged@10", "Judged",
    "Bpref", "Bpref(rel=2)", "infAP", "infAP(rel=2)",
]
OWN = [
    "nDCG(ideal='max')@10", "nDCG(dcg='zipf')@5", "Judged(of='cutoff')@10", "RBP(rel=1,gain='graded')", "P(rel=0.5)@5",
]


@pytest.mark.parametrize("name", NAMES + OWN)
def test_what_is_typed_is_what_is_printed(name: str) -> None:
    assert name == str(parse_measure(name))


@pytest.mark.parametrize("name", NAMES)
def test_ir_measures_spells_it_the_same_way(name: str) -> None:
    assert name == str(ir_measures.parse_measure(name))


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_ir_measures_knows_every_family_and_its_aliases(family: object) -> None:
    name, aliases = family.name, family.aliases  # type: ignore[attr-defined]
    assert {name} == {str(ir_measures.parse_measure(alias)) for alias in (name, *aliases) if alias != "bpref"}


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("MAP", "AP"), ("MRR@10", "RR@10"), ("NDCG@10", "nDCG@10"), ("Precision@5", "P@5"), ("bpref", "Bpref"),
        (" nDCG ( judged_only = True , dcg = \"log2\" ) @ 10 ", "nDCG(judged_only=True)@10"),
        ("P(cutoff=5)", "P@5"), ("P(rel=1.0)@5", "P@5"), ("RBP(p=0.80)", "RBP(rel=1)"), ("AP()", "AP"),
    ],
)
def test_other_spellings_are_the_same_measure(typed: str, printed: str) -> None:
    assert parse_measure(printed) == parse_measure(typed)
    assert printed == str(parse_measure(typed))


def test_measures_are_values() -> None:
    assert 1 == len({parse_measure("P(rel=1)@5"), parse_measure("P@5")})
    assert parse_measure("P@5") != parse_measure("P@6")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("ndgc@10", r"there is no measure 'ndgc'\. Did you mean nDCG\?"),
        ("map", r"Did you mean AP\?"),
        ("precison@5", r"Did you mean P\?"),
        ("quality", r"There are AP, Bpref, infAP, Judged, nDCG, P, R, RBP, RR, Success\."),
        ("P", r"'P' needs a cutoff\. Write P@10"),
        ("nDCG(ideal='max')", "needs a cutoff"),
        ("Judged(of='cutoff')", "needs a cutoff"),
        ("Bpref@5", "Bpref has no cutoff"),
        ("P@0", "expected a whole number from 1, got 0"),
        ("P(cutoff=True)", "expected a whole number from 1, got True"),
        ("P(grade=2)@5", "P has no parameter 'grade', as .* says: expected rel, judged_only"),
        ("P(rel=0)@5", "expected rel as a number above 0, got 0"),
        ("P(rel=nan)@5", "expected rel as a number above 0, got nan"),
        ("P(rel=True)@5", "expected rel as a number above 0, got True"),
        ("P(rel='2')@5", "expected rel as a number above 0, got '2'"),
        ("P(judged_only=1)@5", "expected judged_only as True or False, got 1"),
        ("RBP(p=1)", "expected p as a number above 0 and below 1, got 1"),
        ("nDCG(dcg='cubic')@5", "expected dcg as one of 'log2', 'exp-log2', 'zipf', 'jk-log2', got 'cubic'"),
        ("P(rel=2,rel=3)@5", "a parameter that cannot be read: expected name=value, once, got rel=3"),
        ("P(2)@5", "a parameter that cannot be read"),
        ("P(rel=x)@5", "a value that cannot be read: expected a number, True, False or 'text', got x"),
        ("P@5@6", "'P@5@6' is not a measure: expected a name such as nDCG@10"),
        ("", "'' is not a measure"),
        ("P@-1", "is not a measure"),
        ("(" * 10_000, "is not a measure"),
    ],
)
def test_a_wrong_name_is_refused_with_what_would_be_right(typed: str, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        parse_measure(typed)


def test_every_family_says_what_a_page_needs() -> None:
    for family in families():
        assert all((family.label, family.help.endswith("."), family.source, family.low < family.high)), family.name
        assert family.better in ("higher", "lower", None)
        assert all(param.help.endswith(".") for param in family.params.values()), family.name


def test_a_measure_says_what_its_family_says() -> None:
    measure = parse_measure("nDCG@10")
    assert "Normalised discounted cumulative gain at 10" == measure.label
    assert "Average precision" == parse_measure("AP").label
    assert ("higher", 0.0, 1.0) == (measure.better, measure.low, measure.high)
    assert "Järvelin" in measure.source
    assert measure.help.startswith("The gain of the results")


def test_all_parameters_are_there_defaults_too() -> None:
    assert Measure("P", (("rel", 1), ("judged_only", False)), 5) == parse_measure("P@5")
