"""What the experts say of two rankers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit import Comparison
from comparekit.answers import pair_ruling
from comparekit.errors import InputError
from comparekit.events import NewEvent
from comparekit.pairs import pairs
from comparekit.preferences import (
    CLOSED,
    CONTRADICTED,
    DEFINED,
    REASONS,
    SPLIT,
    UNANSWERED,
    UNRESOLVED,
    VALUE,
    Counts,
    TopicPreference,
    experts,
    meaning_of,
    preference_values,
    preferences,
)
from comparekit.proportions import Tally
from comparekit.queueing import build_queue
from tests.judging import for_ranker, recorded, said, swapped

ANSWERS = ("left_much", "left", "same", "both_bad", "right", "right_much", "cannot_judge", "skip")
NAMES = ("ann", "ben", "cat", "dan")
TOPIC = "t01"


def on_one(comparison: Comparison, *rankers: str) -> TopicPreference:
    """The preference on one topic when these rankers were preferred, each by another assessor."""
    news = [for_ranker(comparison, TOPIC, ranker, assessor=name) for ranker, name in zip(rankers, NAMES, strict=False)]
    return next(each for each in preferences(comparison, recorded(news)) if each.topic == TOPIC)


@pytest.mark.parametrize(
    ("rankers", "value", "outcome"),
    [
        ("b", 1, "unanimous"),
        ("a", -1, "unanimous"),
        ("bba", 1, "majority"),
        ("baa", -1, "majority"),
        ("ba", None, "unresolved"),
        ("bbaa", None, "unresolved"),
    ],
)
def test_the_majority_of_assessors_decides_and_an_even_split_is_unresolved(
    judged: Comparison, rankers: str, value: int | None, outcome: str
) -> None:
    found = on_one(judged, *rankers)
    assert (found.value, found.outcome) == (value, outcome)
    assert found.reason == (DEFINED if value is not None else SPLIT)


def test_half_of_the_opinions_is_no_majority(judged: Comparison) -> None:
    assert on_one(judged, "b", "b", "a", "same").outcome == "unresolved"
    assert on_one(judged, "same", "same", "a").value == 0


def test_same_and_both_bad_are_two_answers_and_one_value(judged: Comparison) -> None:
    news = [said(judged, TOPIC, "same"), said(judged, TOPIC, "both_bad", assessor="ben")]
    found = next(each for each in preferences(judged, recorded(news)) if each.topic == TOPIC)
    assert (found.value, found.outcome) == (0, "unanimous")
    assert (found.counts.same, found.counts.both_bad) == (1, 1)


def test_cannot_judge_and_skip_are_no_opinion(judged: Comparison) -> None:
    news = [said(judged, TOPIC, "cannot_judge"), said(judged, TOPIC, "skip", assessor="ben")]
    found = next(each for each in preferences(judged, recorded(news)) if each.topic == TOPIC)
    assert (found.value, REASONS[found.reason], found.outcome) == (None, "nobody has answered", "open")
    news.append(for_ranker(judged, TOPIC, "b", assessor="cat"))
    assert on_one(judged, "b").value == next(
        each.value for each in preferences(judged, recorded(news)) if each.topic == TOPIC
    )


def test_a_repeat_does_not_count(judged: Comparison) -> None:
    news = [for_ranker(judged, TOPIC, "b"), said(judged, TOPIC, "left", repeat=1, left="a")]
    found = next(each for each in preferences(judged, recorded(news)) if each.topic == TOPIC)
    assert (found.value, found.counts.opinions) == (1, 1)


def test_unchanged_lists_are_ties_and_failed_ones_are_not_there(judged: Comparison) -> None:
    found = {each.topic: each for each in preferences(judged, ())}
    assert (found["t00"].value, found["t00"].outcome) == (0, "unchanged")
    assert (found["t01"].value, found["t01"].reason) == (None, UNANSWERED)
    assert "t05" not in found


def test_sides_are_mapped_to_rankers(judged: Comparison) -> None:
    pair = pairs(judged)[TOPIC]
    for left, answer, expected in (
        ("a", "left", "a"), ("b", "left", "b"), ("a", "right_much", "b"), ("b", "right_much", "a"),
        ("b", "same", "same"),
    ):  # fmt: skip
        event = recorded([said(judged, TOPIC, answer, left=left)])[0]
        assert meaning_of(event, pair=pair) == expected


def test_answers_about_other_receipts_are_not_used(judged: Comparison) -> None:
    event = recorded([said(judged, "t02", "left")])[0]
    with pytest.raises(InputError, match="another pair of receipts"):
        meaning_of(event, pair=pairs(judged)[TOPIC])
    assert experts(judged, [event]).open == 14


def test_an_adjudication_stands_above_the_answers(judged: Comparison) -> None:
    pair = pairs(judged)[TOPIC]
    votes = [for_ranker(judged, TOPIC, "b"), for_ranker(judged, TOPIC, "a", assessor="ben")]

    def ruled(*values: str) -> TopicPreference:
        rulings = [
            pair_ruling(judged.experiment, pair, event_id=f"r{at}", assessor=f"judge {at}", value=value)  # type: ignore[arg-type]
            for at, value in enumerate(values)
        ]
        return next(each for each in preferences(judged, recorded([*votes, *rulings])) if each.topic == TOPIC)

    assert (ruled("a").value, ruled("a").outcome) == (-1, "adjudicated")
    assert (ruled("same").value, ruled("b", "b").value) == (0, 1)
    assert (ruled("unresolved").value, ruled("unresolved").reason) == (None, UNRESOLVED)
    assert (ruled("a", "b").value, ruled("a", "b").reason) == (None, CONTRADICTED)


Said = list[tuple[str, str, str, str, int]]
SAID = st.lists(
    st.tuples(
        st.sampled_from(("t00", "t01", "t02", "t04", "t07")),
        st.sampled_from(ANSWERS),
        st.sampled_from(NAMES),
        st.sampled_from("ab"),
        st.sampled_from((0, 1)),
    ),
    unique_by=lambda each: (each[0], each[2], each[4]),
    max_size=20,
)


def news_of(comparison: Comparison, every: Said) -> list[NewEvent]:
    return [
        said(comparison, topic, answer, assessor=name, left=left, repeat=repeat)
        for topic, answer, name, left, repeat in every
    ]


@given(SAID)
def test_exchanging_the_rankers_negates_every_preference(judged: Comparison, every: Said) -> None:
    events = recorded(news_of(judged, every))
    here, there = experts(judged, events), experts(swapped_once(judged), events)
    values = preference_values(judged, events).value
    np.testing.assert_array_equal(-values, preference_values(swapped_once(judged), events).value)
    assert (here.all.wins, here.all.ties, here.all.losses) == (there.all.losses, there.all.ties, there.all.wins)
    assert (here.counts.a, here.counts.b, here.agreement) == (there.counts.b, there.counts.a, there.agreement)


_swapped: list[Comparison] = []


def swapped_once(comparison: Comparison) -> Comparison:
    if not _swapped:
        _swapped.append(swapped(comparison))
    return _swapped[0]


@given(st.data())
def test_the_order_in_which_different_assessors_answered_changes_nothing(
    judged: Comparison, data: st.DataObject
) -> None:
    news = news_of(judged, data.draw(SAID))
    order = data.draw(st.permutations(news))
    assert experts(judged, recorded(order)) == experts(judged, recorded(news))
    assert preferences(judged, recorded(order)) == preferences(judged, recorded(news))


def test_preference_values_cover_every_pinned_topic_with_a_reason(judged: Comparison) -> None:
    found = preference_values(judged, recorded([for_ranker(judged, "t01", "b"), for_ranker(judged, "t02", "a")]))
    assert found.value[:4].tolist() == [0.0, 1.0, -1.0, 0.0]
    assert np.isnan(found.value[4])
    assert found.reason[:6].tolist() == [DEFINED, DEFINED, DEFINED, DEFINED, UNANSWERED, CLOSED]


def test_the_panel_by_hand(judged: Comparison) -> None:
    news = [
        for_ranker(judged, "t01", "b", queue="random"),
        for_ranker(judged, "t02", "a"),
        for_ranker(judged, "t02", "a", assessor="ben"),
        for_ranker(judged, "t04", "same", queue="random"),
        for_ranker(judged, "t07", "b"),
        for_ranker(judged, "t07", "a", assessor="ben"),
        said(judged, "t08", "skip"),
    ]
    panel = experts(judged, recorded(news))
    # 24 topics: t05 is missing, eight are unchanged, 15 changed.
    assert (panel.changed, panel.unchanged) == (15, 8)
    assert panel.answered == Tally(1, 1, 1)
    assert panel.all == Tally(1, 9, 1)
    assert panel.random == Tally(1, 1, 0)
    assert (panel.unresolved, panel.open, panel.assessors) == (1, 11, 2)
    assert panel.counts == Counts(a=3, b=2, same=1, skip=1)
    assert panel.all.half_tie_share.share.value == 0.5
    # nDCG@10, by hand: t01 moves d2 (grade 0) above d1 (grade 2), so the target says A where the experts say B;
    # t02 loses d4, which nobody judged, so the target is tied and decides nothing.
    assert (panel.agreement.count, panel.agreement.n) == (0, 1)


def test_agreement_with_the_target_counts_topics_that_both_decide(judged: Comparison) -> None:
    odd = [task.topic for task in build_queue(judged, seed=1, repeat_share=0) if int(task.topic[1:]) % 2]
    panel = experts(judged, recorded([for_ranker(judged, topic, "a") for topic in odd]))
    assert (panel.agreement.count, panel.agreement.n) == (len(odd), len(odd))


def test_without_answers_nothing_is_divided_by_zero(judged: Comparison) -> None:
    panel = experts(judged, ())
    assert panel.answered.half_tie_share.share.text() == "n/a (no answer)"
    assert panel.agreement.share.text() == "n/a (no topic decided by both)"
    assert panel.answered.sign.p.value is None


def test_every_opinion_has_a_value() -> None:
    assert set(VALUE.values()) == {-1, 0, 1}
