"""What a person looks at next, and what comes back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit import Comparison
from comparekit.answers import grade_event
from comparekit.errors import InputError
from comparekit.events import Event, NewEvent
from comparekit.queueing import (
    GAP,
    HOLE_WHYS,
    RANDOM_WHY,
    WHYS,
    Task,
    build_queue,
    hole_queue,
    information,
    next_hole,
    next_task,
    progress,
)
from tests.judging import recorded, said, scope_of

# By the rule in `small_comparison`: every third topic is unchanged, and t05 has no answer from B.
CHANGED = {f"t{number:02d}" for number in range(24) if number % 3 and number != 5}


def played(
    comparison: Comparison, queue: tuple[Task, ...], answers: list[str], *, assessor: str = "ann"
) -> tuple[Event, ...]:
    """What is recorded when an assessor gives these answers one after the other."""
    news: list[NewEvent] = []
    for answer in answers:
        task = next_task(queue, recorded(news), assessor=assessor)
        assert task is not None
        news.append(said(comparison, task.topic, answer, assessor=assessor, repeat=task.repeat))
    return recorded(news)


def test_only_changed_topics_that_both_sides_answered_are_asked_each_once(judged: Comparison) -> None:
    firsts = [task.topic for task in build_queue(judged, seed=1) if not task.repeat]
    assert set(firsts) == CHANGED
    assert len(firsts) == len(CHANGED)


def test_lists_that_differ_below_what_is_shown_are_not_asked(judged: Comparison) -> None:
    # Odd topics differ at rank 1; t02, t04 and the like from rank 4 on only: [d1, d2, d3, d5] against [d1, d2, d3, d4].
    assert {task.topic for task in build_queue(judged, seed=1, depth=1)} == {
        topic for topic in CHANGED if int(topic[1:]) % 2
    }


def test_the_queue_is_the_same_every_time_and_another_for_another_seed(judged: Comparison) -> None:
    assert build_queue(judged, seed=1) == build_queue(judged, seed=1) != build_queue(judged, seed=2)


def test_the_random_share_is_drawn_evenly_from_all_changed_topics(judged: Comparison) -> None:
    drawn = [
        {task.topic for task in build_queue(judged, seed=seed, repeat_share=0) if task.queue == "random"}
        for seed in range(300)
    ]
    assert {len(topics) for topics in drawn} == {round(0.2 * len(CHANGED))}
    counts = np.array([sum(topic in topics for topics in drawn) for topic in sorted(CHANGED)])
    # 300 draws of 3 from 15: 60 each, standard deviation under 7.
    assert np.abs(counts - 60).max() <= 4 * 7
    assert {task.why for task in build_queue(judged, seed=1) if task.queue == "random"} == {RANDOM_WHY}


def test_the_random_ones_stand_evenly_between_the_others(judged: Comparison) -> None:
    places = [at for at, task in enumerate(build_queue(judged, seed=1, repeat_share=0)) if task.queue == "random"]
    assert places == [4, 9, 14]


def test_the_most_informative_come_first_dealt_over_the_strata(judged: Comparison) -> None:
    queue = build_queue(judged, seed=1, random_share=0, repeat_share=0)
    topics = sorted(CHANGED)
    value = dict(zip(topics, information(judged, topics).mean(axis=0), strict=True))
    kinds = {topic.id: topic.strata["kind"] for topic in judged.experiment.topics.topics}
    for kind in ("head", "tail"):
        values = [value[task.topic] for task in queue if kinds[task.topic] == kind]
        assert values == sorted(values, reverse=True)
    assert {kinds[task.topic] for task in queue[:2]} == {kinds[task.topic] for task in queue[2:4]} == {"head", "tail"}


def test_information_ranks_lie_between_0_and_1_and_the_reason_is_the_highest(judged: Comparison) -> None:
    topics = sorted(CHANGED)
    ranks = information(judged, topics)
    assert ranks.shape == (len(WHYS), len(topics))
    assert (ranks > 0).all()
    assert (ranks <= 1).all()
    for task in build_queue(judged, seed=1, random_share=0):
        column = ranks[:, topics.index(task.topic)]
        assert column[WHYS.index(task.why)] == column.max()


@pytest.mark.parametrize(("share", "expected"), [(0.0, 0), (0.1, 2), (0.5, 8), (1.0, 15)])
def test_a_share_comes_back_well_after_its_first_showing(judged: Comparison, share: float, expected: int) -> None:
    queue = build_queue(judged, seed=3, repeat_share=share)
    first = {task.topic: at for at, task in enumerate(queue) if not task.repeat}
    again = {task.topic: at for at, task in enumerate(queue) if task.repeat}
    assert len(again) == expected
    for topic, at in again.items():
        firsts_after = sum(1 for task in queue[first[topic] + 1 :] if not task.repeat)
        assert at - first[topic] > min(GAP, firsts_after) - 1


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_out_of_range_is_refused(judged: Comparison, share: float) -> None:
    with pytest.raises(InputError, match="share of the queue is out of range"):
        build_queue(judged, seed=1, random_share=share)
    with pytest.raises(InputError, match="share of the queue is out of range"):
        build_queue(judged, seed=1, repeat_share=share)


def test_work_resumes_where_it_stopped_and_ends(judged: Comparison) -> None:
    queue = build_queue(judged, seed=1)
    events = played(judged, queue, ["left"] * len(queue))
    assert [(event.payload["topic"], event.payload["repeat"]) for event in events] == [
        (task.topic, task.repeat) for task in queue
    ]
    assert next_task(queue, events, assessor="ann") is None
    assert next_task(queue, events[:5], assessor="ann") == queue[5]


def test_what_was_skipped_comes_after_the_others_first_skipped_first(judged: Comparison) -> None:
    queue = build_queue(judged, seed=1, repeat_share=0)
    events = played(judged, queue, ["skip", "skip", *["right"] * (len(queue) - 2)])
    assert next_task(queue, events, assessor="ann") == queue[0]
    assert (
        next_task(queue, played(judged, queue, ["skip", "skip", *["right"] * (len(queue) - 2), "skip"]), assessor="ann")
        == queue[1]
    )


def test_cannot_judge_is_done_and_does_not_come_back_and_is_not_repeated(judged: Comparison) -> None:
    queue = build_queue(judged, seed=1, repeat_share=1)
    events = played(judged, queue, ["cannot_judge"] * len(CHANGED))
    assert next_task(queue, events, assessor="ann") is None


def test_two_assessors_do_not_wait_for_each_other(judged: Comparison) -> None:
    queue = build_queue(judged, seed=1)
    events = played(judged, queue, ["skip", "left"])
    assert next_task(queue, events, assessor="ben", answers_needed=2) == queue[0]


def test_a_topic_with_enough_answers_is_not_asked_again(judged: Comparison) -> None:
    queue = build_queue(judged, seed=1, repeat_share=0)
    events = played(judged, queue, ["left", "cannot_judge", "left"])
    assert next_task(queue, events, assessor="ben", answers_needed=1) == queue[1]
    assert next_task(queue, events, assessor="ben", answers_needed=2) == queue[0]


def test_a_repeat_does_not_come_at_once_while_anything_else_is_left(judged: Comparison) -> None:
    queue = build_queue(judged, seed=1, repeat_share=1)
    answers = ["skip"] * len(CHANGED) + ["left"]
    events = played(judged, queue, answers)
    following = next_task(queue, events, assessor="ann")
    assert following is not None
    assert following.topic != events[-1].payload["topic"]


@given(st.data())
def test_the_next_task_does_not_depend_on_how_answers_of_two_assessors_interleave(
    judged: Comparison, data: st.DataObject
) -> None:
    queue = build_queue(judged, seed=1)
    ann = [said(judged, task.topic, "left", repeat=task.repeat) for task in queue[:6]]
    ben = [said(judged, task.topic, "right", assessor="ben") for task in queue[:4]]
    order = data.draw(st.permutations([True] * len(ann) + [False] * len(ben)))
    sources = {True: iter(ann), False: iter(ben)}
    mixed = recorded([next(sources[turn]) for turn in order])
    plain = recorded([*ann, *ben])
    for name in ("ann", "ben", "cat"):
        assert next_task(queue, mixed, assessor=name, answers_needed=2) == next_task(
            queue, plain, assessor=name, answers_needed=2
        )


def test_progress_of_one_and_of_all(judged: Comparison) -> None:
    queue = build_queue(judged, seed=1, repeat_share=0)
    events = played(judged, queue, ["left", "skip", "cannot_judge", "same"])
    mine = progress(queue, events, assessor="ann")
    assert (mine.answered, mine.cannot_judge, mine.skipped, mine.left) == (2, 1, 1, len(queue) - 3)
    assert (mine.topics, mine.enough, mine.answers) == (len(queue), 2, 2)
    theirs = progress(queue, events, assessor="ben")
    assert (theirs.answered, theirs.left, theirs.answers) == (0, len(queue) - 2, 2)


def test_holes_are_unjudged_documents_that_are_shown_heaviest_first(judged: Comparison) -> None:
    holes = hole_queue(judged)
    judged_pairs = {
        (topic, row.doc)
        for topic in judged.alignment.topics
        for row in judged.topic(topic).rows_a
        if row.grade is not None
    }
    assert not {(hole.topic, hole.doc) for hole in holes} & judged_pairs
    # On changed topics d4 stands fourth on one side only: 1 / log2(5) = 0.43; what both show at one rank moves nothing.
    assert [hole.why for hole in holes] == sorted((hole.why for hole in holes), key=HOLE_WHYS.index)
    last = next(row for row in judged.topic(holes[-1].topic).rows_a if row.doc == holes[-1].doc)
    assert last.rank == last.other_rank


def test_a_graded_hole_is_not_asked_again_but_one_nobody_could_judge_is(judged: Comparison) -> None:
    holes = hole_queue(judged)
    common = {"elapsed_ms": 1, "guideline": "v1", "topic": holes[0].topic, "doc": holes[0].doc}
    scope = scope_of(judged)
    unsure = recorded([grade_event(judged.experiment, event_id="x", assessor="ann", grade=None, **common)])  # type: ignore[arg-type]
    assert next_hole(holes, unsure, assessor="ann", scope=scope) == holes[1]
    assert next_hole(holes, unsure, assessor="ben", scope=scope) == holes[0]
    sure = recorded([grade_event(judged.experiment, event_id="x", assessor="ann", grade=1, **common)])  # type: ignore[arg-type]
    assert next_hole(holes, sure, assessor="ben", scope=scope) == holes[1]
    assert next_hole(holes[:1], sure, assessor="ben", scope=scope) is None
