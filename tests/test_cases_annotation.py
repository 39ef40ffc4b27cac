"""
Annotation and agreement: inputs that other tools get wrong.

Each expected value is worked out by hand in the case's own `expect.md`.
"""

import csv
import io
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from comparekit import Comparison, compare, init_experiment, open_experiment
from comparekit.agreement import kappa, ratings_of, raw_agreement
from comparekit.answers import grade_event
from comparekit.events import NewEvent, current
from comparekit.exports import grades_csv, history, preferences_csv, qrels, read_history, triples_csv
from comparekit.pairs import pairs
from comparekit.preferences import Counts, experts
from comparekit.proportions import Tally
from comparekit.queueing import build_queue, next_task, progress
from comparekit.settling import Rule, settle
from comparekit.sides import blind_pair
from comparekit.store import open_store
from tests.judging import SECRET, recorded, said

ROOT = Path(__file__).parents[1]


def made(folder: Path, runs: dict[str, str], qrel: str, *, topics: Path | None = None) -> Comparison:
    """An experiment of two runs written as text, by name."""
    for name, text in runs.items():
        (folder / f"{name}.trec").write_text(text)
    (folder / "qrels.txt").write_text(qrel)
    a, b = (folder / f"{name}.trec" for name in runs)
    init_experiment(folder / "made", a=a, b=b, qrels=folder / "qrels.txt", topics=topics)
    return compare(open_experiment(folder / "made"))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def of_file(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


# R47


SAVER = """
import json, sys
from comparekit.events import NewEvent, current
from comparekit.store import open_store
with open_store(sys.argv[1]) as record:
    print("ready", flush=True)
    sys.stdin.readline()
    for each in json.load(open(sys.argv[2])):
        record.append(NewEvent(**each))
"""


def saver(place: Path, news: list[NewEvent], file: Path) -> subprocess.Popen[str]:
    """A process that has the record open and saves these answers, one at a time, when told to."""
    file.write_text(json.dumps([asdict(each) for each in news]))
    process = subprocess.Popen(
        [sys.executable, "-c", SAVER, str(place), str(file)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def done(process: subprocess.Popen[str]) -> int:
    """The exit code, once everything it said was read and its pipes are closed."""
    process.communicate(timeout=60)
    return process.returncode


def test_r47_a_double_click_is_one_record_and_of_two_tabs_the_later_holds(judged: Comparison, tmp_path: Path) -> None:
    with open_store(tmp_path / "record.sqlite") as record:
        first = said(judged, "t01", "left")
        assert record.append(first) == record.append(first)
        record.append(said(judged, "t01", "right"))
        assert len(record.events()) == 2
        assert [event.payload["answer"] for event in current(record.events())] == ["right"]


def test_r47_two_people_saving_at_once_lose_nothing(judged: Comparison, tmp_path: Path) -> None:
    place = tmp_path / "record.sqlite"
    open_store(place).close()
    # 50 answers each, to the same items for both; the last four are second thoughts.
    items = [(topic, repeat) for topic in sorted(pairs(judged)) for repeat in (0, 1)] + [("t01", 0)] * 4
    news = {
        name: [said(judged, topic, "left", assessor=name, repeat=repeat) for topic, repeat in items]
        for name in ("ann1", "ann2")
    }
    assert [len(each) for each in news.values()] == [50, 50]
    processes = [saver(place, each, tmp_path / f"{name}.json") for name, each in news.items()]
    for process in processes:
        go(process)
    assert [done(process) for process in processes] == [0, 0]
    with open_store(place) as record:
        assert len(record.events()) == 100
        assert {event.event_id for event in record.events()} == {new.event_id for each in news.values() for new in each}
        assert len(current(record.events())) == 2 * len(set(items))


def test_r47_a_save_waits_for_a_writer_that_holds_the_record(judged: Comparison, tmp_path: Path) -> None:
    place = tmp_path / "record.sqlite"
    with open_store(place) as record:
        process = saver(place, [said(judged, "t01", "left")], tmp_path / "one.json")
        with closing(sqlite3.connect(place, isolation_level=None)) as holder:
            holder.execute("BEGIN EXCLUSIVE")
            go(process)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(3)
            holder.execute("ROLLBACK")
        assert done(process) == 0
        assert [event.payload["answer"] for event in record.events()] == ["left"]


def test_r47_after_a_reload_all_answers_and_the_place_are_there(judged: Comparison, tmp_path: Path) -> None:
    queue = build_queue(judged, seed=1)
    for number in range(4):
        with open_store(tmp_path / "record.sqlite") as record:
            task = next_task(queue, record.events(), assessor="ann")
            assert task == queue[number]
            record.append(said(judged, queue[number].topic, "left"))


# R49


@pytest.fixture
def r49(shared_cases: Path, tmp_path: Path) -> tuple[Comparison, list[NewEvent]]:
    """The case's files as an experiment of its own and as answers."""
    folder = shared_cases / "R49"
    runs = {
        name: "".join(f"{topic} Q0 {doc} {rank} {-rank} {name}\n" for topic in ("q1", "q2", "q3")
                      for rank, doc in enumerate(docs, start=1))
        for name, docs in (("run_a", ("d1", "d2", "d9")), ("run_b", ("d9", "d2", "d1")))
    }  # fmt: skip
    comparison = made(tmp_path, runs, "q1 0 d9 0\nq2 0 d1 2\nq3 0 d1 1\n", topics=folder / "topics.tsv")
    news = [
        grade_event(
            comparison.experiment, event_id=f"g{at}", assessor=str(row["annotator"]), topic=str(row["qid"]),
            doc=str(row["docid"]), grade=row["grade"], comment=str(row["comment"]), elapsed_ms=4_000, guideline="v1",
        )
        for at, row in enumerate(of_file(folder / "judgments.jsonl"))
    ]  # fmt: skip
    for row in of_file(folder / "pairs.jsonl"):
        answer = {"left": "left", "right": "right", "tie": "same"}[str(row["choice"])]
        left = "a" if row["left"] == "run_a" else "b"
        news.append(said(comparison, str(row["qid"]), answer, assessor=str(row["annotator"]), left=left))
    return comparison, news


def test_r49_every_annotator_has_a_row_with_grade_comment_time_and_status(
    r49: tuple[Comparison, list[NewEvent]],
) -> None:
    comparison, news = r49
    found = rows(grades_csv(comparison.experiment, recorded(news)))
    assert len(found) == 5
    assert [(row["assessor"], row["grade"], row["status"]) for row in found if row["doc"] == "d1"] == [
        ("ann1", "2", "ok"), ("ann2", "0", "ok"), ("ann3", "2", "ok"),
    ]  # fmt: skip
    assert [row["status"] for row in found if row["doc"] == "d2"] == ["cannot judge"]
    assert [row["comment"] for row in found if row["doc"] == "d9"] == ["line one\nline two"]
    assert all(row["recorded_at"].endswith("Z") for row in found)


def test_r49_pairs_tell_the_chosen_run_and_not_only_a_side(r49: tuple[Comparison, list[NewEvent]]) -> None:
    comparison, news = r49
    for text in (preferences_csv(comparison, recorded(news)), triples_csv(comparison, recorded(news))):
        assert [(row["topic"], row["preferred"]) for row in rows(text)] == [("q1", "run_b"), ("q2", "tie")]


def test_r49_qrels_follow_the_stated_rule_and_cannot_judge_is_no_zero(r49: tuple[Comparison, list[NewEvent]]) -> None:
    comparison, news = r49
    rules: tuple[Rule, ...] = ("majority", "median")
    for rule in rules:
        assert qrels(comparison.experiment, recorded(news), rule=rule) == "q1 0 d1 2\nq2 0 d9 1\n"


def test_r49_a_mean_that_is_no_grade_is_never_cut() -> None:
    assert settle([2, 0], rule="median").grade == 1
    assert settle([1, 2], rule="median").grade == 1.5


def test_r49_topics_nobody_answered_are_listed(r49: tuple[Comparison, list[NewEvent]]) -> None:
    comparison, news = r49
    queue = build_queue(comparison, seed=1, repeat_share=0)
    assert progress(queue, recorded(news), assessor="ann3").topics == 3
    left = next_task([task for task in queue if task.topic == "q3"], recorded(news), assessor="ann1")
    assert left is not None


def test_r49_the_history_read_back_is_the_same(r49: tuple[Comparison, list[NewEvent]]) -> None:
    _, news = r49
    events = recorded(news)
    assert read_history(history(events), path=Path("x.jsonl")) == events


# R50


def test_r50_six_answers_are_six_things(tmp_path: Path) -> None:
    topics = [f"q{at}" for at in range(6)]
    runs = {
        "one": "".join(f"{topic} Q0 x 1 2 one\n{topic} Q0 y 2 1 one\n" for topic in topics),
        "two": "".join(f"{topic} Q0 y 1 2 two\n{topic} Q0 x 2 1 two\n" for topic in topics),
    }
    comparison = made(tmp_path, runs, "".join(f"{topic} 0 x 1\n" for topic in topics))
    queue = build_queue(comparison, seed=1, repeat_share=0)
    news: list[NewEvent] = []
    for answer in ("left", "right", "same", "both_bad", "cannot_judge", "skip"):
        task = next_task(queue, recorded(news), assessor="ann")
        assert task is not None
        news.append(said(comparison, task.topic, answer))
    events = recorded(news)
    panel = experts(comparison, events)
    assert panel.counts == Counts(a=1, b=1, same=1, both_bad=1, cannot_judge=1, skip=1)
    # A and B only decide; win share uses A, B and ties, to which "both bad" belongs.
    assert panel.answered.decided == 2
    assert (panel.answered.n, panel.answered.win_share.share.value) == (4, 0.25)
    assert next_task(queue, events, assessor="ann") == queue[5]
    assert qrels(comparison.experiment, events, rule="majority") == ""
    assert rows(grades_csv(comparison.experiment, events)) == []
    assert [row["preferred"] for row in rows(triples_csv(comparison, events))].count("tie") == 2


# R52


def test_r52_ties_count_half_and_nothing_is_divided_by_zero(shared_cases: Path) -> None:
    tallies = [Tally(*each) for each in json.loads((shared_cases / "R52" / "tallies.json").read_text())]
    assert [each.win_share.share.value for each in tallies] == [0.4, 0.33, 0.4, None, 0]
    assert [each.half_tie_share.share.value for each in tallies] == [0.4, 0.5, 0.7, None, 0.5]
    assert [each.sign.p.text(".4f") for each in tallies[:2]] == ["0.0569", "1.0000"]
    assert tallies[2].sign.p.value == pytest.approx(1.8e-12, rel=0.02)
    assert tallies[3].win_share.share.text().startswith("n/a")
    assert tallies[4].sign.p.value == 1
    best = sorted(range(3), key=lambda at: -(tallies[at].half_tie_share.share.value or 0))
    assert best == [2, 1, 0]


# R53


@pytest.mark.parametrize(
    ("name", "observed", "expected", "value"),
    [
        ("a", 1, 1, None),
        ("b", Fraction(11, 15), Fraction(89, 225), Fraction(19, 34)),
        ("c", Fraction(9, 10), Fraction(9, 10), 0),
    ],
)
def test_r53_agreement_when_nearly_all_say_the_same(
    shared_cases: Path, name: str, observed: Fraction, expected: Fraction, value: Fraction | None
) -> None:
    items = of_file(shared_cases / "R53" / f"{name}.jsonl")
    ratings = ratings_of((row["item"], who, str(row[who])) for row in items for who in ("ann1", "ann2"))
    found = kappa(ratings)
    assert (found.observed.value, found.expected.value) == (float(observed), float(expected))
    assert found.figure.value == (None if value is None else float(value))
    assert (found.figure.reason == "one label") == (value is None)
    assert bool(found.note) == (name == "c")
    assert raw_agreement(
        ratings_of((r["item"], w, str(r[w])) for r in items for w in ("ann1", "ann2"))
    ).figure.value == float(observed)


# R55


def test_r55_what_a_rater_receives_gives_no_system_away(shared_cases: Path, tmp_path: Path) -> None:
    folder = shared_cases / "R55"
    runs = {name: (folder / f"{name}.trec").read_text() for name in ("bm25-baseline", "neural-v2")}
    comparison = made(tmp_path, runs, "q1 0 d1 1\n", topics=folder / "topics.tsv")
    (task,) = build_queue(comparison, seed=1, repeat_share=0)
    seen = set()
    for name in ("ann", "ben", "cat", "dan", "eva", "fay"):
        pair = blind_pair(comparison, task, secret=SECRET, assessor=name)
        sent = json.dumps([asdict(pair), asdict(task)]).casefold()
        for telling in ("bm25", "neural", "30.0", "0.91", "0.52", ".trec"):
            assert telling not in sent
        seen.add((len(pair.left), len(pair.right)))
    # The shorter list would tell them apart, so both are cut to the depth that both reached.
    assert seen == {(2, 2)}


# R07: the part about ratings


def test_r07_ratings_of_addresses_come_back_letter_for_letter(shared_cases: Path, tmp_path: Path) -> None:
    folder = shared_cases / "R07"
    a, b, qrel, topics = (folder / name for name in ("run_a.trec", "run_b.trec", "qrels.txt", "topics.tsv"))
    init_experiment(tmp_path / "made", a=a, b=b, qrels=qrel, topics=topics)
    comparison = compare(open_experiment(tmp_path / "made"))
    ids = ("https://example.org/a%3Fx=1", "c:\\old\\plan.txt")
    news = [
        grade_event(
            comparison.experiment, event_id=f"g{at}", assessor="ann", topic="q1", doc=doc, grade=at, elapsed_ms=1,
            guideline="v1",
        )
        for at, doc in enumerate(ids)
    ]  # fmt: skip
    back = read_history(history(recorded(news)), path=tmp_path / "x.jsonl")
    assert [event.payload["doc"] for event in back] == list(ids)
    assert [row["doc"] for row in rows(grades_csv(comparison.experiment, back))] == sorted(ids)
    text = qrels(comparison.experiment, back, rule="majority")
    assert [line.split(" ")[2] for line in text.splitlines()] == sorted(ids)
