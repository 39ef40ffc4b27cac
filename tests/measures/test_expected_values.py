"""Every per-topic value of the 69 real runs, as ir_measures 0.4.3 over pytrec_eval-terrier 0.5.11 gives them."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from comparekit.alignment import judged_lists
from comparekit.columns import grades_for
from comparekit.formats import read_judgments, read_run
from comparekit.grading import grades_of
from comparekit.measures import parse_measure
from comparekit.measures.registry import DEFINED, NOTHING_RELEVANT
from comparekit.ordering import order_rows, tied_inside


class Checked(NamedTuple):
    """One value: as the file says, as we say, why it is undefined, and whether scores are tied in the first ten."""

    measure: str
    expected: float
    found: float
    reason: int
    tied: bool


@pytest.fixture(scope="module")
def values(shared_data: Path) -> list[Checked]:
    files = [(file, json.loads(file.read_text())) for file in sorted(shared_data.glob("*/expected/*.json"))]
    runs = [(file.parent.parent, expected) for file, expected in files if "per_query" in expected]
    return [each for folder, expected in runs for each in checked(folder, expected)]


def checked(folder: Path, expected: dict[str, Any]) -> Iterator[Checked]:
    lists = order_rows(read_run(folder / expected["run"]), order="trec_eval").lists
    grades = grades_of(read_judgments(folder / expected["qrels"])[0])[0]
    judged = judged_lists(lists, grades=grades_for(grades, lists.topics))
    tied = tied_inside(lists, cutoff=10, order="trec_eval")
    found = {name: parse_measure(name).values(judged) for name in expected["measures"]}
    for at, topic in enumerate(lists.topics):
        for name, value in expected["per_query"].get(topic, {}).items():
            yield Checked(name, value, found[name].value[at], found[name].reason[at], bool(tied[at]))


def test_every_defined_value_agrees(values: list[Checked]) -> None:
    apart = [each for each in values if each.reason == DEFINED and not abs(each.expected - each.found) <= 1e-9]
    # ir_measures computes RR@k and Judged itself, and puts equal scores by id upwards, not as trec_eval does.
    assert {True} == {each.tied for each in apart}
    assert {"RR@10": 21, "Judged@10": 4} == Counter(each.measure for each in apart)
    # 38,533 values of topics that are in both the run and the judgments, less the 199 below.
    assert 38_334 == sum(each.reason == DEFINED for each in values)


def test_reciprocal_rank_with_a_cutoff_is_the_one_without_where_that_is_inside(values: list[Checked]) -> None:
    # Where ir_measures breaks ties its own way for RR@10, its RR (by pytrec_eval) is the witness.
    by_run = [each for each in values if each.measure in ("RR", "RR@10")]
    pairs = {name: np.array([each.found for each in by_run if each.measure == name]) for name in ("RR", "RR@10")}
    assert pairs["RR@10"].tolist() == np.where(pairs["RR"] >= 0.1, pairs["RR"], 0.0).tolist()


def test_undefined_values_are_those_of_topics_without_a_relevant_judgment(values: list[Checked]) -> None:
    # The file says 0 for them, as trec_eval does.
    left_out = [each for each in values if each.reason == NOTHING_RELEVANT]
    assert {"AP(rel=3)": 168, "AP(rel=2)": 17, "RR(rel=2)": 14} == Counter(each.measure for each in left_out)
    assert all(np.isnan(each.found) and each.expected == 0 for each in left_out)


def test_every_other_value_is_defined(values: list[Checked]) -> None:
    assert {DEFINED, NOTHING_RELEVANT} == {each.reason for each in values}
