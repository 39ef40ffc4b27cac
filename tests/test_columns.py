"""Tests of `comparekit.columns`."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from comparekit.columns import by_topic, grades_for, is_hashed, keys_of, lists_for, lists_of, topic_of
from tests.building import grades, lists, strings

IDS = st.lists(st.text(alphabet="ab\x00é𝔄0", max_size=20), min_size=1, max_size=40)


@given(IDS, st.integers(1, 5))
def test_the_key_of_an_id_does_not_depend_on_its_neighbours(ids: list[str], chunks: int) -> None:
    alone = np.concatenate([keys_of(strings([each])) for each in ids])
    assert alone.tolist() == keys_of(strings(ids, chunks=chunks)).tolist()


@given(IDS)
def test_two_ids_share_a_key_only_if_it_says_that_it_is_hashed(ids: list[str]) -> None:
    keys = keys_of(strings(ids))
    by_key: dict[int, set[str]] = {}
    for key, each in zip(keys.tolist(), ids, strict=True):
        by_key.setdefault(key, set()).add(each)
    hashed = {int(key) for key in keys[is_hashed(keys)]}
    assert all(len(same) == 1 for key, same in by_key.items() if key not in hashed)


def test_ids_of_up_to_eight_bytes_are_packed_and_longer_ones_are_hashed() -> None:
    keys = keys_of(strings(["", "d1", "12345678", "123456789", "ééééé"]))
    assert [False, False, False, True, True] == is_hashed(keys).tolist()


def test_an_id_that_ends_in_nul_is_not_the_id_without_it() -> None:
    plain, ended, alone, nothing = keys_of(strings(["d1", "d1\x00", "\x00", ""])).tolist()
    assert len({plain, ended, alone, nothing}) == 4


def test_a_slice_of_a_column_has_the_keys_of_its_own_rows() -> None:
    column = strings(["first", "a rather long second id", "third", "d4"])
    assert keys_of(column)[1:3].tolist() == keys_of(column.slice(1, 2)).tolist()


def test_columns_with_wide_offsets_have_the_same_keys() -> None:
    column = strings(["d1", "a rather long document id", "", "d\x00"])
    assert keys_of(column).tolist() == keys_of(column.cast(pa.large_string())).tolist()


def test_rows_of_a_topic_need_not_stand_together() -> None:
    groups = by_topic(strings(["q2", "q10", "q2", "q10", "q1"]))
    assert ("q1", "q10", "q2") == groups.topics
    assert [0, 1, 3, 5] == groups.offsets.tolist()
    assert groups.row is not None
    assert [4, 1, 3, 0, 2] == groups.row.tolist()


def test_topics_are_sorted_by_code_point() -> None:
    # U+FFEE before U+1D504, as UTF-8 bytes do; UTF-16 (Java, JavaScript) has it the other way round.
    assert ("￮", "𝔄") == by_topic(strings(["𝔄", "￮"])).topics


def test_no_rows_make_no_topics() -> None:
    groups = by_topic(strings([]))
    assert ((), [0], None) == (groups.topics, groups.offsets.tolist(), groups.row)


def test_lists_are_cut_from_rows_by_their_lengths() -> None:
    scores = np.array([2.0, 1.0, 5.0])
    found = lists_of(["q1", "q2", "q3"], lengths=[2, 0, 1], docs=strings(["a", "b", "c"]), scores=scores)
    assert [0, 2, 2, 3] == found.offsets.tolist()
    assert [0, 0, 2] == topic_of(found.offsets).tolist()
    assert ["a", "b", "c"] == found.docs.to_pylist()


def test_lists_follow_the_topics_asked_for() -> None:
    found = lists_for(lists({"q1": ["a", "b"], "q2": ["c"], "q3": ["d"]}), ["q3", "q0", "q1"])
    assert ("q3", "q0", "q1") == found.topics
    assert [0, 1, 1, 3] == found.offsets.tolist()
    assert ["d", "a", "b"] == found.docs.to_pylist()
    assert keys_of(found.docs).tolist() == found.keys.tolist()


def test_grades_follow_the_topics_asked_for() -> None:
    found = grades_for(grades({"q1": {"a": 1}, "q2": {"b": 2, "c": 0}}), ["q2", "q1", "q9"])
    assert [0, 2, 3, 3] == found.offsets.tolist()
    assert [2.0, 0.0, 1.0] == found.grades.tolist()


def test_asking_for_the_topics_that_are_there_copies_nothing() -> None:
    before = lists({"q1": ["a", "b"], "q2": ["c"]})
    assert lists_for(before, ["q1", "q2"]).keys is before.keys


def test_rows_that_stand_in_order_are_not_moved() -> None:
    assert by_topic(strings(["q1", "q1", "q10", "q2"], chunks=3)).row is None
