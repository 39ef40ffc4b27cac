"""How far people agree, held against other people's code and against hand-made figures."""

import warnings
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, permutations
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]

from comparekit.agreement import (
    Level,
    Ratings,
    cohen_kappa,
    fleiss_kappa,
    kappa,
    krippendorff_alpha,
    ratings_of,
    raw_agreement,
)
from comparekit.errors import InputError
from comparekit.formats import Preferred, read_judgments, read_preferences

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
NAMES = ("andrew-parry", "eugene-yang", "ferdinand-schlatt", "froebe")
RATINGS = st.dictionaries(
    st.integers(0, 30), st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3), min_size=1), max_size=12
)


def matrix(ratings: Ratings, names: Sequence[str]) -> np.ndarray:
    """Assessors by items, NaN where nobody said anything."""
    return np.array([[float(said.get(name, np.nan)) for said in ratings.values()] for name in names])


@given(RATINGS)
def test_alpha_is_that_of_the_krippendorff_package(ratings: Ratings) -> None:
    values = {label for said in ratings.values() if len(said) > 1 for label in said.values()}
    for level in LEVELS:
        found = krippendorff_alpha(ratings, level=level)
        if len(values) < 2:
            assert found.figure.value is None
            assert found.figure.reason in ("one label", "no item with two answers")
        else:
            expected = krippendorff.alpha(reliability_data=matrix(ratings, "abcd"), level_of_measurement=level)
            assert found.figure.value == pytest.approx(expected, abs=1e-12)


@given(RATINGS)
def test_cohens_kappa_is_that_of_scikit_learn(ratings: Ratings) -> None:
    both = [(said["a"], said["b"]) for said in ratings.values() if {"a", "b"} <= said.keys()]
    found = cohen_kappa(ratings, pair=("a", "b"))
    if len(set(sum(both, ()))) < 2:
        assert found.figure.value is None
    else:
        assert found.figure.value == pytest.approx(cohen_kappa_score(*zip(*both, strict=True)), abs=1e-12)
    assert found.n == len(both)


# The table of Fleiss (1971) as commonly reprinted: 10 subjects, 14 raters, 5 categories; kappa is 0.210.
FLEISS = (
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
)  # fmt: skip


def fleiss_table() -> Ratings:
    return {
        item: {str(at): label for at, label in enumerate(np.repeat(np.arange(5), counts).tolist())}
        for item, counts in enumerate(FLEISS)
    }


def test_fleiss_kappa_of_the_published_table() -> None:
    found = fleiss_kappa(fleiss_table())
    assert found.figure.value == pytest.approx(0.210, abs=5e-4)
    assert (found.n, found.answers) == (10, 140)
    assert found.observed.value == pytest.approx(0.378, abs=5e-4)
    assert found.expected.value == pytest.approx(0.213, abs=5e-4)


@given(st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=1, max_size=10))
def test_fleiss_kappa_and_alpha_differ_by_the_small_sample_only(rows: list[list[int]]) -> None:
    ratings = {item: dict(zip("abc", row, strict=True)) for item, row in enumerate(rows)}
    found = fleiss_kappa(ratings).figure.value
    if found is not None:
        # Krippendorff (2011), section C: 1 - alpha = (1 - kappa)(N - 1) / N with N answers in all.
        answers = 3 * len(rows)
        alpha = krippendorff_alpha(ratings).figure.value
        assert alpha == pytest.approx(1 - (1 - found) * (answers - 1) / answers, abs=1e-12)


@given(RATINGS, st.permutations("abcd"))
def test_renaming_assessors_and_reordering_items_changes_nothing(ratings: Ratings, names: list[str]) -> None:
    renamed = dict(zip("abcd", names, strict=True))
    other = {
        item: {renamed[name]: label for name, label in said.items()} for item, said in reversed(list(ratings.items()))
    }
    for found in (raw_agreement, fleiss_kappa, krippendorff_alpha):
        assert found(other).figure == found(ratings).figure


def test_an_item_with_one_answer_does_not_count() -> None:
    ratings = ratings_of([("i", "a", 1), ("i", "b", 1), ("j", "a", 2), ("k", "a", 1), ("k", "b", 3)])
    found = raw_agreement(ratings)
    assert (found.figure.value, found.n, found.answers) == (0.5, 2, 4)


def test_the_later_of_two_labels_by_one_assessor_stays() -> None:
    assert ratings_of([("i", "a", 1), ("i", "a", 2)]) == {"i": {"a": 2}}


def test_two_assessors_get_cohens_and_more_get_fleiss() -> None:
    two = ratings_of([("i", "a", 1), ("i", "b", 2), ("j", "c", 1)])
    assert kappa(two).name == "Cohen's kappa"
    assert kappa(ratings_of([("i", "a", 1), ("i", "b", 2), ("j", "a", 1), ("j", "c", 1)])).name == "Fleiss' kappa"


def test_nothing_shared_is_undefined_and_so_is_one_label() -> None:
    alone = ratings_of([("i", "a", 1), ("j", "b", 2)])
    one = ratings_of([("i", "a", 1), ("i", "b", 1)])
    for found in (kappa, fleiss_kappa, krippendorff_alpha):
        assert found(alone).figure.text() == "n/a (no item with two answers)"
        assert found(one).figure.text() == "n/a (one label)"
    assert raw_agreement(alone).figure.value is None
    assert raw_agreement(one).figure.value == 1


def test_words_have_no_order() -> None:
    with pytest.raises(InputError, match="need numbers as labels"):
        krippendorff_alpha(ratings_of([("i", "a", "x"), ("i", "b", "y")]), level="ordinal")


# --- dl19_passage/annotators: four people's judgments of one subset ---


@pytest.fixture(scope="module")
def annotators(shared_data: Path) -> Ratings:
    """The grades of the common subset, by item and annotator."""
    folder = shared_data / "dl19_passage" / "annotators"
    rows = {name: read_judgments(folder / f"agreement_{name}-qrels.txt")[0] for name in NAMES}
    return ratings_of(
        ((topic, doc), name, grade)
        for name, found in rows.items()
        for topic, doc, grade in zip(
            found.topics.to_pylist(), found.docs.to_pylist(), found.grades.tolist(), strict=True
        )
    )


def test_four_annotators_agree_as_the_referees_say(annotators: Ratings) -> None:
    assert len(annotators) == 188
    assert {len(said) for said in annotators.values()} == {4}
    for level in LEVELS:
        expected = krippendorff.alpha(reliability_data=matrix(annotators, NAMES), level_of_measurement=level)
        assert krippendorff_alpha(annotators, level=level).figure.value == pytest.approx(expected, abs=1e-12)
    for pair in combinations(NAMES, 2):
        one, other = ([said[name] for said in annotators.values()] for name in pair)
        assert cohen_kappa(annotators, pair=pair).figure.value == pytest.approx(
            cohen_kappa_score(one, other), abs=1e-12
        )
    assert raw_agreement(annotators).answers == 752


# --- prefs_cast2019: answers of unnamed people to pairs of documents ---


def rated(rows: Sequence[Preferred]) -> Ratings:
    """Each pair of documents as an item; whether the one that sorts first was preferred; people without names."""
    ratings: dict[object, dict[str, int]] = defaultdict(dict)
    for row in rows:
        said = ratings[row.topic, *sorted((row.left, row.right))]
        said[str(len(said))] = int(row.preferred == min(row.left, row.right))
    return ratings


def second_route(rows: Sequence[Preferred]) -> tuple[float, float, float]:
    """Raw agreement, Fleiss' kappa and nominal alpha, straight from their definitions, pair of answers by pair."""
    answers: dict[object, list[bool]] = defaultdict(list)
    for row in rows:
        answers[row.topic, frozenset((row.left, row.right))].append(row.preferred == min(row.left, row.right))
    several = [said for said in answers.values() if len(said) > 1]
    shares = [
        sum(one == other for one, other in permutations(said, 2)) / (len(said) * (len(said) - 1)) for said in several
    ]
    observed = sum(shares) / len(shares)
    pooled = [each for said in several for each in said]
    first = Counter(pooled)
    chance = sum((count / len(pooled)) ** 2 for count in first.values())
    differing = sum((one != other) / (len(said) - 1) for said in several for one, other in permutations(said, 2)) / len(
        pooled
    )
    by_lot = 2 * first[True] * first[False] / (len(pooled) * (len(pooled) - 1))
    return observed, (observed - chance) / (1 - chance), 1 - differing / by_lot


@pytest.mark.parametrize(
    ("name", "rows", "pairs", "several"),
    [("TREC-CAsT-2019.pref.gz", 14_573, 12_490, 1_806), ("TREC-CAsT-2019.local.pref", 3_743, 3_704, 35)],
)
def test_the_crowd_and_the_assessors_of_cast_agree_as_a_second_computation_says(
    shared_data: Path, name: str, rows: int, pairs: int, several: int
) -> None:
    found, report = read_preferences(shared_data / "prefs_cast2019" / name)
    ratings = rated(found)
    # The numbers of rows and of pairs are those of the data's README.
    assert (len(found), len(ratings), report.rows) == (rows, pairs, rows)
    observed, fleiss, alpha = second_route(found)
    assert raw_agreement(ratings).n == several
    assert raw_agreement(ratings).figure.value == pytest.approx(observed, abs=1e-12)
    assert fleiss_kappa(ratings).figure.value == pytest.approx(fleiss, abs=1e-12)
    assert krippendorff_alpha(ratings).figure.value == pytest.approx(alpha, abs=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        names = [str(at) for at in range(5)]
        shared = {item: said for item, said in ratings.items() if len(said) > 1}
        assert krippendorff_alpha(ratings).figure.value == pytest.approx(
            krippendorff.alpha(reliability_data=matrix(shared, names), level_of_measurement="nominal"), abs=1e-9
        )
