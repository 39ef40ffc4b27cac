"""Tests of `comparekit.matching`."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit import matching
from comparekit.columns import Lists, keys_of, lists_of
from comparekit.matching import common, repeated
from tests.building import strings

IDS = st.text(alphabet="ab𝔄", min_size=0, max_size=3) | st.text(alphabet="ab", min_size=9, max_size=11)
RANKINGS = st.lists(st.lists(IDS, unique=True, max_size=12), min_size=0, max_size=6)


def flat(rankings: list[list[str]]) -> Lists:
    docs = strings([doc for ranking in rankings for doc in ranking])
    topics = [f"q{at}" for at in range(len(rankings))]
    return lists_of(topics, lengths=[len(each) for each in rankings], docs=docs, scores=np.zeros(len(docs)))


def expected_common(a: list[list[str]], b: list[list[str]]) -> list[tuple[int, str, int, int]]:
    return [
        (topic, doc, a[topic].index(doc), at)
        for topic in range(len(b))
        for at, doc in enumerate(b[topic])
        if doc in a[topic]
    ]


def found_common(a: Lists, b: Lists) -> list[tuple[int, str, int, int]]:
    topic, row_a, row_b = common(a, b)
    docs = b.docs.to_pylist()
    rows = zip(topic.tolist(), row_a.tolist(), row_b.tolist(), strict=True)
    return [(at, docs[j], i - int(a.offsets[at]), j - int(b.offsets[at])) for at, i, j in rows]


@given(RANKINGS, st.data())
def test_common_documents_are_those_of_the_same_topic(a: list[list[str]], data: st.DataObject) -> None:
    sizes = st.lists(IDS, unique=True, max_size=12)
    b = [data.draw(sizes) for _ in a]
    assert expected_common(a, b) == found_common(flat(a), flat(b))


@given(RANKINGS, st.data())
def test_matches_are_exact_when_every_long_id_has_the_same_key(a: list[list[str]], data: st.DataObject) -> None:
    b = [data.draw(st.lists(IDS, unique=True, max_size=12)) for _ in a]
    assert expected_common(a, b) == found_common(colliding(flat(a)), colliding(flat(b)))


def colliding(lists: Lists) -> Lists:
    """The same lists, with one key for all hashed ids."""
    return replace(lists, keys=np.minimum(lists.keys, np.uint64(0xFF << 56)))


@given(st.lists(st.lists(IDS, max_size=12), max_size=6))
def test_repeats_are_every_copy_but_the_first(rankings: list[list[str]]) -> None:
    expected, row = [], 0
    for ranking in rankings:
        expected += [row + at for at, doc in enumerate(ranking) if doc in ranking[:at]]
        row += len(ranking)
    assert expected == repeated(flat(rankings)).tolist()
    assert expected == repeated(colliding(flat(rankings))).tolist()


@pytest.mark.parametrize("rows", [1, 7, 100])
def test_blocks_of_any_size_give_the_same_answer(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    a = [[f"doc{each}" for each in rng.permutation(40)[: rng.integers(0, 30)]] for _ in range(50)]
    b = [[f"doc{each}" for each in rng.permutation(40)[: rng.integers(0, 30)]] for _ in range(50)]
    monkeypatch.setattr(matching, "BLOCK_ROWS", rows)
    assert expected_common(a, b) == found_common(flat(a), flat(b))


def test_keys_that_look_alike_after_mixing_do_not_hide_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "stirred", lambda keys: keys % np.uint64(3))
    a, b = [["d1", "d2", "d3", "d4", "d5"]], [["d5", "d6", "d1", "d7"]]
    assert expected_common(a, b) == found_common(flat(a), flat(b))


def test_a_topic_may_be_larger_than_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "BLOCK_ROWS", 8)
    a, b = [[f"d{each}" for each in range(100)], ["x"]], [[f"d{each}" for each in range(90, 200)], ["x"]]
    assert expected_common(a, b) == found_common(flat(a), flat(b))


def test_the_same_id_under_two_topics_is_two_documents() -> None:
    topic, row_a, row_b = common(flat([["d1"], []]), flat([[], ["d1"]]))
    assert ([], [], []) == (topic.tolist(), row_a.tolist(), row_b.tolist())


def test_keys_that_differ_in_every_bit_of_one_byte_are_kept_apart() -> None:
    # Eight-byte ids that differ in one place only: the worst input for a multiplicative mix.
    ids = [f"{at:08d}" for at in range(100_000, 200_000)]
    lists = flat([ids])
    assert 0 == len(repeated(lists))
    assert len(ids) == len(common(lists, lists)[0])
    assert len(set(keys_of(strings(ids)).tolist())) == len(ids)
