"""Which list stands left, and what the browser of somebody who must not know gets."""

import json
import math
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit import Comparison, compare, init_experiment, open_experiment
from comparekit.errors import InputError
from comparekit.queueing import build_queue, hole_queue
from comparekit.sides import blind_hole, blind_pair, sealed, side_of
from tests.judging import SECRET, swapped

TASKS = 1_000


@given(st.binary(min_size=32, max_size=32))
def test_sides_are_balanced_over_a_thousand_tasks(secret: bytes) -> None:
    for name in ("topic", "assessor"):
        fixed = {"topic": "q1", "assessor": "ann"}
        lefts = [side_of(secret, **{**fixed, name: f"{name}{at}"}) for at in range(TASKS)]  # type: ignore[arg-type]
        # Three standard deviations of fair tosses; the examples are fixed, so this never fails by chance.
        assert abs(lefts.count("a") - TASKS / 2) <= 3 * math.sqrt(TASKS / 4)


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_repeat_is_swapped_and_a_side_is_stable(assessor: str, topic: str) -> None:
    first, again, third = (
        side_of(SECRET, assessor=repr(assessor), topic=repr(topic), repeat=repeat) for repeat in (0, 1, 0)
    )
    assert first == third != again


def test_sides_depend_on_the_key_and_do_not_mix_assessor_and_topic() -> None:
    topics = [f"t{at}" for at in range(64)]
    here = [side_of(SECRET, assessor="ann", topic=topic) for topic in topics]
    assert here != [side_of(b"another", assessor="ann", topic=topic) for topic in topics]
    assert here != [side_of(SECRET, assessor="annt", topic=topic[1:]) for topic in topics]


def test_what_is_sent_names_no_ranker_no_score_no_id_and_no_digest(judged: Comparison) -> None:
    for task in build_queue(judged, seed=1):
        pair = blind_pair(judged, task, secret=SECRET, assessor="ann")
        sent = json.dumps(asdict(pair))
        assert pair.left
        assert pair.right
        for telling in ("alpha", "beta", "sha256", "29.5", "0.88", "repeat", *judged.experiment.declaration.receipts):
            assert telling not in sent
        for row in (*judged.topic(task.topic).rows_a, *judged.topic(task.topic).rows_b):
            assert row.doc not in sent
        hidden = sealed(judged, task, secret=SECRET, assessor="ann")
        for digest in (hidden.receipt_a, hidden.receipt_b, hidden.comparison, hidden.experiment):
            assert digest[7:19] not in sent


def test_a_task_tells_nothing_of_rankers_and_scores(judged: Comparison) -> None:
    told = " ".join(str(asdict(task)) for task in build_queue(judged, seed=1)).casefold()
    told += " ".join(str(asdict(hole)) for hole in hole_queue(judged)).casefold()
    for telling in ("alpha", "beta", "better", "worse", "baseline", "candidate", "score", "0.", "left", "right"):
        assert telling not in told


def test_the_list_on_the_left_is_the_sealed_one(judged: Comparison) -> None:
    seen = set()
    for task in build_queue(judged, seed=1):
        hidden = sealed(judged, task, secret=SECRET, assessor="ann")
        pair = blind_pair(judged, task, secret=SECRET, assessor="ann")
        view = judged.topic(task.topic)
        rows = view.rows_a if hidden.left == "a" else view.rows_b
        assert [each.title for each in pair.left] == [row.title for row in rows]
        assert hidden.token == pair.token
        seen.add(hidden.left)
    assert seen == {"a", "b"}


def test_one_document_has_one_token_in_a_task_and_another_elsewhere(judged: Comparison) -> None:
    task, other = build_queue(judged, seed=1, repeat_share=0)[:2]
    pair = blind_pair(judged, task, secret=SECRET, assessor="ann")
    shared = {each.title: each.token for each in pair.left}.items() & {
        each.title: each.token for each in pair.right
    }.items()
    assert len(shared) == 3
    tokens = {each.token for each in (*pair.left, *pair.right)}
    assert len(tokens) == 5
    for again in (
        blind_pair(judged, task, secret=SECRET, assessor="ben"),
        blind_pair(judged, replace(task, repeat=1), secret=SECRET, assessor="ann"),
        blind_pair(judged, other, secret=SECRET, assessor="ann"),
    ):
        assert not tokens & {each.token for each in (*again.left, *again.right)}
        assert again.token != pair.token


def test_a_repeat_shows_the_lists_the_other_way_round(judged: Comparison) -> None:
    task = build_queue(judged, seed=1)[0]
    first = blind_pair(judged, task, secret=SECRET, assessor="ann")
    again = blind_pair(judged, replace(task, repeat=1), secret=SECRET, assessor="ann")
    titles = [[each.title for each in side] for side in (first.left, first.right, again.left, again.right)]
    assert titles[0] == titles[3] != titles[1] == titles[2]


def test_a_sealed_record_shows_nothing_when_it_is_printed(judged: Comparison) -> None:
    hidden = sealed(judged, build_queue(judged, seed=1)[0], secret=SECRET, assessor="ann")
    assert "receipt" not in repr(hidden)
    assert hidden.receipt_a not in f"{hidden}"


def test_another_comparisons_task_is_refused(judged: Comparison) -> None:
    task = replace(build_queue(judged, seed=1)[0], comparison="sha256:" + "0" * 64)
    with pytest.raises(InputError, match="not to be judged here"):
        blind_pair(judged, task, secret=SECRET, assessor="ann")


def test_exchanging_the_rankers_does_not_change_the_pair_that_is_asked(judged: Comparison) -> None:
    assert build_queue(swapped(judged), seed=1) == build_queue(judged, seed=1)


def test_fields_that_could_tell_are_left_out_and_depth_never_exceeds_the_common_one(tmp_path: Path) -> None:
    (tmp_path / "alpha.run").write_text("q1 Q0 one 1 2 alpha\nq1 Q0 two 2 1 alpha\n")
    (tmp_path / "beta.run").write_text("q1 Q0 two 1 2 beta\nq1 Q0 one 2 1 beta\n")
    (tmp_path / "qrels.txt").write_text("q1 0 one 1\n")
    fields = {"brand": "Acme", "image": "https://cdn.example.org/1.png", "file": "/runs/alpha/1", "sku": "x-one-x"}
    document = {"id": "one", "title": "T", "text": "X", "url": "https://example.org/one", "made_by": "Beta", **fields}
    (tmp_path / "documents.jsonl").write_text(json.dumps(document) + "\n")
    a, b, qrels, documents = (tmp_path / each for each in ("alpha.run", "beta.run", "qrels.txt", "documents.jsonl"))
    init_experiment(tmp_path / "made", a=a, b=b, qrels=qrels, documents=documents)
    comparison = compare(open_experiment(tmp_path / "made"))
    task = build_queue(comparison, seed=1)[0]
    pair = blind_pair(comparison, task, secret=SECRET, assessor="ann", depth=100)
    found = {each.title: each for each in pair.left}
    assert dict(found["T"].fields) == {"brand": "Acme"}
    assert found[""].text == ""
    assert sealed(comparison, task, secret=SECRET, assessor="ann", depth=100).depth == comparison.depth


def test_a_hole_is_blind_too(judged: Comparison) -> None:
    hole = hole_queue(judged)[0]
    sent = json.dumps(asdict(blind_hole(judged, hole, secret=SECRET, assessor="ann")))
    assert "Words about" in sent
    for telling in ("alpha", "beta", "sha256", hole.doc):
        assert telling not in sent
