"""The shipped experiment can be rebuilt, adds up, and shows what it is there to show."""

import importlib.util
import json
import math
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from comparekit.experiment import open_experiment

FIXTURES = Path(__file__).parents[1] / "fixtures"
EXPERIMENT = FIXTURES / "experiment"
NAMES = ("bm25", "bm25-synonyms")


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EXPERIMENT / name).read_text("utf-8").splitlines()]


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def rankers() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fixture_rankers", FIXTURES / "rankers.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def receipts() -> dict[str, dict[str, dict[str, Any]]]:
    return {name: {each["topic"]: each for each in lines(f"receipts/{name}.jsonl")} for name in NAMES}


@pytest.fixture(scope="module")
def deltas(receipts: dict[str, dict[str, dict[str, Any]]]) -> dict[str, float]:
    """nDCG@10, candidate minus baseline, of every comparable tuning topic: linear gain, mean of the assessors."""
    tuning = [topic["id"] for topic in lines("topics.jsonl") if topic["split"] == "tuning"]
    grades = mean_grades()
    return {
        topic: ndcg(receipts["bm25-synonyms"][topic], grades[topic]) - ndcg(receipts["bm25"][topic], grades[topic])
        for topic in tuning
        if all(each[topic]["state"] != "failed" for each in receipts.values())
    }


def mean_grades() -> dict[str, dict[str, float]]:
    given: dict[tuple[str, str], list[float]] = defaultdict(list)
    for judgment in lines("judgments.jsonl"):
        given[judgment["topic"], judgment["doc"]].append(judgment["grade"])
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    for (topic, doc), values in given.items():
        grades[topic][doc] = sum(values) / len(values)
    return grades


def ndcg(receipt: dict[str, Any], grades: dict[str, float]) -> float:
    ranked = [grades.get(each["doc"], 0.0) for each in receipt["results"]]
    return dcg(ranked) / dcg(sorted(grades.values(), reverse=True))


def dcg(gains: list[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:10], start=1))


def test_rebuilding_gives_the_same_bytes(tmp_path: Path) -> None:
    built = tmp_path / "experiment"
    command = [sys.executable, str(FIXTURES / "build.py"), str(built)]
    subprocess.run(command, check=True, cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": "7"})
    assert files_of(EXPERIMENT) == files_of(built)


def test_the_experiment_opens_and_verifies() -> None:
    experiment = open_experiment(EXPERIMENT)
    assert 48 == len(experiment.topics)
    assert 150 == len(experiment.documents)
    assert () == experiment.unpinned


def test_every_explanation_adds_up_to_its_score(receipts: dict[str, dict[str, dict[str, Any]]]) -> None:
    results = [each for one in receipts.values() for receipt in one.values() for each in receipt["results"]]
    assert len(results) > 1000
    for each in results:
        assert each["score"] == each["explanation"]["value"]
        assert each["score"] == round(sum(part["value"] for part in each["explanation"]["details"]), 6)


def test_both_policies_are_recorded_and_differ_only_in_ranker_expansion_and_features() -> None:
    manifests = [json.loads((EXPERIMENT / f"receipts/{name}.manifest.json").read_bytes()) for name in NAMES]
    a, b = (manifest["policy"] for manifest in manifests)
    assert {"ranker", "expansion", "features"} == {part for part in a if a[part] != b[part]}
    assert "null" not in json.dumps([a, b])


def test_documents_are_short_and_topics_are_split() -> None:
    words = [len(document["text"].split()) for document in lines("documents.jsonl")]
    assert 40 <= min(words) and max(words) <= 110
    assert {"tuning": 36, "held-out": 12} == Counter(topic["split"] for topic in lines("topics.jsonl"))


def test_every_state_that_a_receipt_can_have_occurs(receipts: dict[str, dict[str, dict[str, Any]]]) -> None:
    states = {name: Counter(each["state"] for each in one.values()) for name, one in receipts.items()}
    assert {"bm25": {"answered": 47, "empty": 1}, "bm25-synonyms": {"answered": 47, "failed": 1}} == states
    assert "empty" == receipts["bm25"]["t13"]["state"]
    assert "failed" == receipts["bm25-synonyms"]["t47"]["state"]


def test_assessors_disagree_on_ten_to_fifteen_of_a_hundred_pairs_that_both_judged() -> None:
    given = defaultdict(list)
    for judgment in lines("judgments.jsonl"):
        given[judgment["topic"], judgment["doc"]].append(judgment["grade"])
    twice = [grades for grades in given.values() if len(grades) == 2]
    assert len(twice) > 200
    assert 0.10 <= sum(one != other for one, other in twice) / len(twice) <= 0.15


def test_hard_negatives_are_judged_wrong_by_everyone() -> None:
    hard = {(each["topic"], each["doc"]) for each in lines("judgments.jsonl") if each.get("hard_negative")}
    assert len(hard) > 20
    assert {0} == {each["grade"] for each in lines("judgments.jsonl") if (each["topic"], each["doc"]) in hard}


def test_the_outcome_is_a_modest_gain_with_losses(deltas: dict[str, float]) -> None:
    rounded = [round(delta, 12) for delta in deltas.values()]
    wins, losses = sum(delta > 0 for delta in rounded), sum(delta < 0 for delta in rounded)
    assert (35, 10, 7) == (len(rounded), wins, losses)
    assert 0.04 < sum(rounded) / 35 < 0.10


def test_one_area_gets_worse(deltas: dict[str, float]) -> None:
    area = {topic["id"]: topic["strata"]["area"] for topic in lines("topics.jsonl")}
    bread = [delta for topic, delta in deltas.items() if area[topic] == "bread"]
    assert 6 == len(bread)
    assert sum(bread) / 6 < -0.03


def test_a_third_of_the_tuning_lists_are_unchanged_and_many_bring_in_holes(
    deltas: dict[str, float], receipts: dict[str, dict[str, dict[str, Any]]]
) -> None:
    top = {
        name: {topic: [each["doc"] for each in one[topic]["results"][:10]] for topic in deltas}
        for name, one in receipts.items()
    }
    judged = mean_grades()
    assert 11 <= sum(top["bm25"][topic] == top["bm25-synonyms"][topic] for topic in deltas) <= 14
    assert 0 == sum(doc not in judged[topic] for topic, docs in top["bm25"].items() for doc in docs)
    assert 10 <= sum(any(doc not in judged[topic] for doc in docs) for topic, docs in top["bm25-synonyms"].items())


def test_a_quotation_mark_without_a_partner_is_refused(rankers: ModuleType) -> None:
    with pytest.raises(rankers.RefusedQuery, match="no partner"):
        rankers.quoted('hang a 24" shelf')


def test_a_quoted_phrase_earns_its_bonus_where_it_stands(rankers: ModuleType) -> None:
    index = rankers.Index.of([
        {"id": "d1", "title": "", "text": "cast iron pan"}, {"id": "d2", "title": "", "text": "iron the cast of a pan"},
    ])
    first, second = rankers.expanded(index, '"cast iron" pan')
    assert ("d1", ("phrase: cast iron", 1.0)) == (first.doc, first.parts[-1])
    assert not [what for what, _ in second.parts if what.startswith("phrase")]


def test_plurals_are_cut_and_other_words_left_alone(rankers: ModuleType) -> None:
    assert ["fly", "pan", "glass", "cactus", "egg"] == rankers.words("the flies, pans; glass and cactus of Eggs")
