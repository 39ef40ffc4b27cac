"""Laws that hold for every measure of the registry, on generated topics."""

import re
from random import Random

import numpy as np
import pytrec_eval
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from comparekit.alignment import Alignment, align
from comparekit.columns import Lists
from comparekit.grading import grades_of
from comparekit.measures import families, parse_measure
from comparekit.measures.rbp import rbp_residual
from comparekit.ordering import order_rows
from tests.building import grades, judgment_rows, run_rows

DOCS = [f"d{at:02d}" for at in range(12)]
RANKINGS = st.lists(st.sampled_from(DOCS), unique=True, max_size=12)
JUDGMENTS = st.dictionaries(st.sampled_from(DOCS), st.sampled_from([-1.0, 0.0, 0.0, 0.5, 1.0, 2.0, 3.0]), max_size=12)
TOPICS = st.lists(st.tuples(JUDGMENTS, RANKINGS, RANKINGS), min_size=1, max_size=4)
Topics = list[tuple[dict[str, float], list[str], list[str]]]

VARIANTS = [
    "P@3", "P(rel=2,judged_only=True)@3", "Success@2", "R@3", "R(rel=0.5)@5", "RR", "RR(judged_only=True)@2",
    "AP", "AP(rel=2)@4", "infAP", "nDCG", "nDCG@3", "nDCG(dcg='exp-log2',judged_only=True)@3", "nDCG(dcg='zipf')@3",
    "nDCG(dcg='jk-log2')",
    "nDCG(ideal='max')@3", "nDCG(dcg='exp-log2',ideal='max')@5", "RBP(rel=1)", "RBP(p=0.5,rel=2,gain='graded')@4",
    "Judged", "Judged@3", "Judged(of='cutoff')@3", "Bpref", "Bpref(rel=2)",
]
MEASURES = [parse_measure(name) for name in VARIANTS]


def alignment(topics: Topics) -> Alignment:
    names = [f"q{at}" for at in range(len(topics))]
    said = {name: judgments for name, (judgments, _, _) in zip(names, topics, strict=True)}
    a = ranked({name: ranking for name, (_, ranking, _) in zip(names, topics, strict=True)})
    b = ranked({name: ranking for name, (_, _, ranking) in zip(names, topics, strict=True)})
    return align(names, a=a, b=b, grades=grades(said), top_grade=3)


def ranked(rankings: dict[str, list[str]]) -> Lists:
    rows = [(name, doc, at, float(-at)) for name, docs in rankings.items() for at, doc in enumerate(docs, start=1)]
    return order_rows(run_rows(rows)).lists


def test_every_family_has_a_variant_here() -> None:
    assert {family.name for family in families()} == {measure.name for measure in MEASURES}


@settings(max_examples=200)
@given(TOPICS)
def test_values_are_in_range_or_undefined_with_a_reason(topics: Topics) -> None:
    found = alignment(topics)
    for measure in MEASURES:
        values = measure.values(found.a)
        defined = values.reason == 0
        assert (~defined).tolist() == np.isnan(values.value).tolist(), measure
        inside = (values.value[defined] >= measure.low) & (values.value[defined] <= measure.high + 1e-12)
        assert inside.all(), measure


@given(TOPICS)
def test_swapping_the_sides_swaps_the_values(topics: Topics) -> None:
    found, swapped = alignment(topics), alignment([(said, b, a) for said, a, b in topics])
    for measure in MEASURES:
        assert measure.values(found.a).value.tobytes() == measure.values(swapped.b).value.tobytes(), measure
        assert measure.values(found.b).reason.tolist() == measure.values(swapped.a).reason.tolist(), measure


@given(TOPICS, st.randoms())
def test_the_order_of_lines_changes_no_value(topics: Topics, random: Random) -> None:
    run = [(f"q{at}", doc, 1, 0.0) for at, topic in enumerate(topics) for doc in topic[1]]
    said = [(f"q{at}", doc, grade) for at, topic in enumerate(topics) for doc, grade in topic[0].items()]
    names = [f"q{at}" for at in range(len(topics))]

    def values() -> list[bytes]:
        lists = order_rows(run_rows(run)).lists
        found = align(names, a=lists, b=lists, grades=grades_of(judgment_rows(said))[0], top_grade=3)
        return [measure.values(found.a).value.tobytes() for measure in MEASURES]

    before = values()
    random.shuffle(run)
    random.shuffle(said)
    assert before == values()


REFEREE = {
    "P@5": "P_5", "R@5": "recall_5", "RR": "recip_rank", "AP": "map", "AP@5": "map_cut_5", "nDCG@5": "ndcg_cut_5",
    "nDCG": "ndcg", "Bpref": "bpref", "Success@5": "success_5", "infAP": "infAP",
}
REFEREE_NAMES = {re.sub(r"_(\d+)$", r".\1", name) for name in REFEREE.values()}


@settings(max_examples=200)
@given(
    said=st.dictionaries(st.sampled_from(DOCS), st.sampled_from([0, 0, 1, 2, 3]), min_size=1, max_size=12),
    scores=st.dictionaries(st.sampled_from(DOCS), st.sampled_from([1.0, 2.0, 3.0, 4.0]), min_size=1, max_size=12),
)
def test_values_equal_those_of_pytrec_eval_to_the_last_bit(said: dict[str, int], scores: dict[str, float]) -> None:
    assume(any(said.values()))
    expected = pytrec_eval.RelevanceEvaluator({"q": said}, REFEREE_NAMES).evaluate({"q": scores})["q"]
    lists = order_rows(run_rows([("q", doc, 1, score) for doc, score in scores.items()]), order="trec_eval").lists
    found = align(["q"], a=lists, b=lists, grades=grades({"q": dict(said)}))
    for name, theirs in REFEREE.items():
        assert expected[theirs] == parse_measure(name).values(found.a).value[0], name


@given(TOPICS)
def test_precision_gained_and_residual_never_exceed_one(topics: Topics) -> None:
    found = alignment(topics).a
    gained = np.nan_to_num(parse_measure("RBP(rel=1)").values(found).value)
    residual = rbp_residual(found)
    assert ((residual >= 0) & (gained + residual <= 1 + 1e-12)).all()
