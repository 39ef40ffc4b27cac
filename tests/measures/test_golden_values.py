"""Every golden value of the shared file: 20 topics, 21 values each, each reached by two independent routes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from comparekit.alignment import JudgedLists, judged_lists
from comparekit.columns import grades_for, lists_for
from comparekit.measures import parse_measure
from comparekit.measures.rbp import rbp_residual
from comparekit.measures.registry import NOTHING_RELEVANT
from comparekit.ordering import order_rows
from tests.building import grades, run_rows

Case = Mapping[str, Any]

MEASURES = {
    "P@{k}": "P@{k}", "R@{k}": "R@{k}", "RR": "RR", "AP": "AP", "AP@{k}": "AP@{k}",
    "nDCG@{k} linear log2": "nDCG@{k}", "nDCG@{k} exp log2": "nDCG(dcg='exp-log2')@{k}",
    "nDCG linear log2": "nDCG", "nDCG exp log2": "nDCG(dcg='exp-log2')",
    "nDCG@{k} linear zipf (1/rank)": "nDCG(dcg='zipf')@{k}", "nDCG@{k} linear jk2002 (b=2)": "nDCG(dcg='jk-log2')@{k}",
    "nDCG-m@{k} linear gmax={gmax}": "nDCG(ideal='max')@{k}",
    "nDCG-m@{k} exp gmax={gmax}": "nDCG(dcg='exp-log2',ideal='max')@{k}",
    "nDCG-f@{k} linear": "nDCG(judged_only=True)@{k}", "nDCG-f@{k} exp": "nDCG(dcg='exp-log2',judged_only=True)@{k}",
    "RBP p={p}": "RBP(p={p},rel=1)", "RBP graded g/{gmax} p={p}": "RBP(p={p},rel=1,gain='graded')",
    "bpref": "Bpref", "infAP": "infAP", "judged@{k}": "Judged(of='cutoff')@{k}", "RBP residual p={p}": "",
}
# A negative grade is judged for us and unjudged for trec_eval (DESIGN.md, section 5); it shows in these.
READS_NEGATIVE = ("judged@{k}", "bpref", "RBP residual p={p}", "nDCG-f@{k} linear", "nDCG-f@{k} exp")


@pytest.fixture(scope="module")
def cases(shared_golden: Path) -> list[Case]:
    return list(json.loads((shared_golden / "golden_metrics.json").read_text())["metric_cases"])


def sides(case: Case, *, negative: bool = True) -> JudgedLists:
    """The case as we read it, or without negative grades, which is how trec_eval reads it (but for infAP)."""
    judged = {doc: grade for doc, grade in case["qrels"].items() if negative or grade >= 0}
    run = order_rows(run_rows([("q", doc, rank, score) for rank, (doc, score) in enumerate(case["run"], start=1)]))
    graded = grades_for(grades({"q": judged}), ["q"])
    return judged_lists(lists_for(run.lists, ["q"]), grades=graded, top_grade=case["gmax"])


def measured(case: Case, template: str, lists: JudgedLists) -> float:
    if template.startswith("RBP residual"):
        return float(rbp_residual(lists, p=float(case["p"]))[0])
    measure = parse_measure(MEASURES[template].format(**case))
    return float(measure.values(lists).value[0])


def anything_relevant(case: Case) -> bool:
    return any(grade > 0 for grade in case["qrels"].values())


@pytest.mark.parametrize("template", MEASURES)
def test_golden_values_agree(template: str, cases: list[Case]) -> None:
    checked = 0
    for case in filter(anything_relevant, cases):
        if case["name"] == "missing_topic" and template == "judged@{k}":
            continue
        lists = sides(case, negative=template not in READS_NEGATIVE)
        expected = case["expected"][template.format(**case)]["float"]
        assert expected == pytest.approx(measured(case, template, lists), abs=1e-12), case["name"]
        checked += 1
    assert checked >= 17


def test_every_golden_value_has_a_measure(cases: list[Case]) -> None:
    for case in cases:
        assert set(case["expected"]) == {template.format(**case) for template in MEASURES}
    assert 20 * 21 == sum(len(case["expected"]) for case in cases)


@pytest.mark.parametrize("template", sorted(set(MEASURES) - {"judged@{k}", "RBP residual p={p}"}))
def test_topics_without_a_relevant_judgment_are_left_out(template: str, cases: list[Case]) -> None:
    # The golden file says 0, as trec_eval does; nDCG against the top grade is 0 for us too.
    for case in (each for each in cases if not anything_relevant(each)):
        found = parse_measure(MEASURES[template].format(**case)).values(sides(case))
        if template.startswith("nDCG-m"):
            assert 0.0 == found.value[0] == case["expected"][template.format(**case)]["float"]
        else:
            assert np.isnan(found.value[0])
            assert NOTHING_RELEVANT == found.reason[0]


def test_a_negative_grade_is_judged(cases: list[Case]) -> None:
    # The golden file, where it is not: 0.6, 0.0, and the other values of case `neg` below.
    named = {case["name"]: case for case in cases}
    assert [0.8, 0.4] == [measured(named[name], "judged@{k}", sides(named[name])) for name in ("neg", "allneg")]
    # By hand: b (-1) stands above a and d, c (0) above d; R = N = 2, so (1 - 1/2 + 1 - 2/2) / 2. trec_eval: 0.5.
    assert 0.25 == measured(named["neg"], "bpref", sides(named["neg"]))
    # By hand: all four results are judged, so only the tail 0.8^4 is left. Golden: 0.6096, with rank 1 unjudged.
    assert pytest.approx(0.8**4) == measured(named["neg"], "RBP residual p={p}", sides(named["neg"]))
    # All four results are judged, so the condensed list is the list.
    whole = measured(named["neg"], "nDCG@{k} linear log2", sides(named["neg"]))
    assert whole == measured(named["neg"], "nDCG-f@{k} linear", sides(named["neg"]))
