"""The hall: laws that hold between files and figures, whatever the data."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from comparekit import Comparison, Selection, compare, evaluation, init_experiment, open_experiment, parse_measure
from comparekit.errors import InputError, NothingExecuted
from comparekit.pinning import Choices
from comparekit.tabular import to_csv

FIXTURE = Path(__file__).parents[1] / "fixtures" / "experiment"
MEASURES = (
    "nDCG@10",
    "AP",
    "RR",
    "P@10",
    "R@100",
    "Judged@10",
    "bpref",
    "RBP(p=0.8)",
    "Success@5",
    "nDCG(ideal='max')@5",
)


@pytest.fixture(scope="module")
def shipped() -> Comparison:
    return compare(open_experiment(FIXTURE))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Two runs of 30 topics with ties, an absent topic on each side, and judgments with gaps."""
    chance = random.Random(7)
    runs: dict[str, list[str]] = {"a": [], "b": []}
    for topic in range(30):
        for side, lines in runs.items():
            if topic == {"a": 3, "b": 4}[side]:
                continue
            docs = chance.sample(range(40), 15)
            lines += [
                f"q{topic:02} Q0 d{doc} {rank} {20 - rank // 2} {side}\n" for rank, doc in enumerate(docs, start=1)
            ]
    judged = [
        f"q{topic:02} 0 d{doc} {chance.randint(-1, 3)}\n" for topic in range(29) for doc in chance.sample(range(40), 12)
    ]
    for name, lines in (("a.run", runs["a"]), ("b.run", runs["b"]), ("qrels.txt", judged)):
        (tmp_path / name).write_text("".join(lines))
    return tmp_path


def made(files: Path, name: str, *, a: str = "a.run", b: str = "b.run") -> Comparison:
    choices = Choices(measures=MEASURES, name="same", name_a=Path(a).stem, name_b=Path(b).stem)
    init_experiment(files / name, a=files / a, b=files / b, qrels=files / "qrels.txt", choices=choices)
    return compare(open_experiment(files / name))


def test_permuting_input_lines_changes_nothing(files: Path) -> None:
    before = made(files, "before")
    for name in ("a.run", "b.run", "qrels.txt"):
        lines = (files / name).read_text().splitlines(keepends=True)
        random.Random(1).shuffle(lines)
        (files / name).write_text("".join(lines))
    after = made(files, "after")
    assert to_csv(before, before.measures) == to_csv(after, after.measures)
    assert evaluation(before)["body"]["results"] == evaluation(after)["body"]["results"]


def test_swapping_a_and_b_negates_every_delta_and_mirrors_every_figure(files: Path) -> None:
    there, back = made(files, "there"), made(files, "back", a="b.run", b="a.run")
    for name in MEASURES:
        measure = parse_measure(name)
        one, other = there.result(measure), back.result(measure)
        assert (-one.paired.comparable + 0.0).tolist() == other.paired.comparable.tolist()
        assert (one.paired.wins, one.paired.losses) == (other.paired.losses, other.paired.wins)
        assert one.inference.mean.value == -(other.inference.mean.value or 0)
        assert (one.inference.interval.low, one.inference.interval.high) == (
            -(other.inference.interval.high or 0),
            -(other.inference.interval.low or 0),
        )
        assert [test.p for test in one.inference.tests] == [test.p for test in other.inference.tests]
    assert there.overlap.rbo.tolist() == pytest.approx(back.overlap.rbo.tolist(), nan_ok=True, abs=0)


def test_missing_topics_are_provisional_and_shown_both_ways(files: Path) -> None:
    result = made(files, "made").result(parse_measure("AP"))
    assert result.paired.provisional
    assert result.as_empty is not None
    assert result.as_empty.n == result.inference.n + 2


def test_equal_inputs_give_an_equal_evaluation_body(shipped: Comparison) -> None:
    again = compare(open_experiment(FIXTURE))
    assert evaluation(again)["digest"] == evaluation(shipped)["digest"]


def test_every_selection_adds_up(shipped: Comparison) -> None:
    for name in shipped.experiment.topics.strata:
        parts = [
            shipped.result(shipped.target, Selection((name, value))).paired for value in shipped.stratum_values(name)
        ]
        whole = shipped.result(shipped.target).paired
        for count in ("wins", "ties", "losses", "not_comparable"):
            assert sum(getattr(part, count) for part in parts) == getattr(whole, count)


def test_held_out_topics_are_closed_everywhere(shipped: Comparison) -> None:
    closed = [topic.id for topic in shipped.experiment.topics.topics if topic.split == "held-out"]
    assert len(closed) == shipped.held_out == 12
    table = shipped.table(shipped.target)
    assert not set(closed) & set(table["topic"])
    assert not set(closed) & {line.split(",")[0] for line in to_csv(shipped, shipped.measures).splitlines()}
    with pytest.raises(InputError, match="held out"):
        shipped.topic(closed[0])


def test_a_failed_topic_is_no_zero(shipped: Comparison) -> None:
    view = shipped.topic("t47")
    assert (view.state_b, view.rbo, view.changed) == ("failed", None, False)
    assert not shipped.overlap.answered[shipped.experiment.topics.position["t47"]]
    assert {value.delta for value in view.values} == {None}
    assert all(value.reason for value in view.values)


def test_an_empty_answer_scores_zero_and_overlaps_nothing(shipped: Comparison) -> None:
    view = shipped.topic("t13")
    assert (view.state_a, view.values[0].a, view.rbo) == ("empty", 0.0, 0.0)


def test_a_topic_tells_both_lists_with_texts_grades_and_moves(shipped: Comparison) -> None:
    view = shipped.topic("t02")
    first = view.rows_a[0]
    assert first.title
    assert first.text
    assert view.rows_b[(first.other_rank or 0) - 1].doc == first.doc
    assert first.explanation["value"] == pytest.approx(first.score)


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        (lambda found: found.topic("t99"), "no such topic: got 't99'"),
        (lambda found: found.mask(Selection(("colour", "red"))), "no such stratum.*got 'colour'"),
    ],
)
def test_what_does_not_exist_is_said_so(shipped: Comparison, ask: Callable[[Comparison], object], what: str) -> None:
    with pytest.raises(InputError, match=what):
        ask(shipped)


def test_nothing_in_common_is_no_result(tmp_path: Path) -> None:
    for name, text in (("a.run", "q1 Q0 x 1 1 a\n"), ("b.run", "q2 Q0 x 1 1 b\n"), ("q.txt", "q1 0 x 1\nq2 0 x 1\n")):
        (tmp_path / name).write_text(text)
    init_experiment(tmp_path / "made", a=tmp_path / "a.run", b=tmp_path / "b.run", qrels=tmp_path / "q.txt")
    with pytest.raises(NothingExecuted, match="no topic was answered by both sides"):
        compare(open_experiment(tmp_path / "made"))
