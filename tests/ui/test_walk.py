"""Stepping through topics: in order, by words, however many there are."""

import pytest

from comparekit.ui.walk import Walk, found

MANY = [f"q{number:04d}" for number in range(7000)]


def test_the_first_has_nothing_before_it_and_the_last_nothing_after() -> None:
    assert (None, "b") == (Walk("abc", "a").before, Walk("abc", "a").after)
    assert ("b", None) == (Walk("abc", "c").before, Walk("abc", "c").after)


def test_from_outside_the_next_is_the_first() -> None:
    outside = Walk(["a", "b"], "z")
    assert (-1, None, "a") == (outside.place, outside.before, outside.after)


@pytest.mark.parametrize("topic", ["q0000", "q0099", "q3500", "q6999"])
def test_the_box_offers_topics_around_the_one_that_is_looked_at(topic: str) -> None:
    near = Walk(MANY, topic).near(200)
    assert 200 == len(near)
    assert topic in near
    assert near == sorted(near)


def test_the_box_offers_a_topic_from_outside_first() -> None:
    assert ["z", "a"] == Walk(["a", "b"], "z").near(2)


def test_words_are_found_in_ids_and_texts_in_any_case_and_all_of_them() -> None:
    texts = {"q1": "Bread without oven", "q2": "bread", "q3": "OVEN cleaning"}
    ids = list(texts)
    assert ["q1"] == found(ids, texts, "OVEN bread")
    assert ["q2"] == found(ids, texts, "Q2")
    assert ids == found(ids, texts, "  ")
    assert [] == found(ids, texts, "kettle")
