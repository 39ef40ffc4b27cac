"""Answers become a new judgment set, and nothing that was pinned changes."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from comparekit import Comparison, compare, open_experiment, parse_measure, verify
from comparekit.answers import grade_event, grade_ruling
from comparekit.canonical import canonical
from comparekit.errors import DigestMismatch, InputError, RecordError
from comparekit.events import NewEvent
from comparekit.experiment import judgment_sets
from comparekit.minting import judgments_folder, mint, opinions
from comparekit.settling import RULES, Rule
from tests.judging import for_ranker, recorded


def graded(comparison: Comparison, name: str, doc: str, grade: float | None) -> NewEvent:
    return grade_event(
        comparison.experiment, event_id=f"{name}-{doc}-{grade}", assessor=name, topic=doc[:3], doc=doc, grade=grade,
        elapsed_ms=5_000, guideline="v1",
    )  # fmt: skip


def some(comparison: Comparison) -> list[NewEvent]:
    """t00d4, a hole, gets 2, 0, 2; t00d1, pinned at 2, gets 1; t02d4 cannot be judged; t04d4 gets 0 and 1."""
    return [
        *(graded(comparison, name, "t00d4", grade) for name, grade in (("ann", 2), ("ben", 0), ("cat", 2))),
        graded(comparison, "ann", "t00d1", 1), graded(comparison, "ann", "t02d4", None),
        graded(comparison, "ann", "t04d4", 0), graded(comparison, "ben", "t04d4", 1),
    ]  # fmt: skip


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def records(path: Path) -> dict[tuple[str, str], list[dict[str, object]]]:
    found: dict[tuple[str, str], list[dict[str, object]]] = {}
    for line in path.read_text().splitlines():
        row = json.loads(line)
        found.setdefault((row["topic"], row["doc"]), []).append(row)
    return found


def manifest_of(path: Path) -> dict[str, object]:
    body: dict[str, object] = json.loads(path.with_name(f"{path.stem}.manifest.json").read_text())
    return body


def test_minting_touches_no_file_of_the_experiment(judged: Comparison, tmp_path: Path) -> None:
    before = digests(judged.experiment.folder)
    made = mint(judged.experiment, recorded(some(judged)), rule="majority", out=tmp_path / "sets")
    assert digests(judged.experiment.folder) == before
    assert made.path == tmp_path / "sets" / "0001.jsonl"


def test_a_minted_set_is_canonical_pinned_and_tells_where_each_judgment_is_from(
    judged: Comparison, tmp_path: Path
) -> None:
    made = mint(judged.experiment, recorded(some(judged)), rule="majority", out=tmp_path)
    lines = made.path.read_bytes().split(b"\n")[:-1]
    assert [canonical(json.loads(line)) for line in lines] == lines
    assert made.digest == "sha256:" + hashlib.sha256(made.path.read_bytes()).hexdigest()
    body = manifest_of(made.path)
    assert body["parent"] == {"name": "pinned", "digest": judged.experiment.judgments.digest}
    assert body["experiment"] == judged.experiment.declaration.digest
    assert body["rule"] == {"name": "majority", "says": RULES["majority"]}
    assert body["graders"] == {"ann": 3, "ben": 2, "cat": 1}
    assert body["provenance"] == [
        {
            "topic": "t00", "doc": "t00d4", "outcome": "majority", "pinned": 0,
            "events": ["ann-t00d4-2", "ben-t00d4-0", "cat-t00d4-2"],
        }
    ]  # fmt: skip
    unresolved = body["unresolved"]
    assert isinstance(unresolved, list)
    assert [each["doc"] for each in unresolved] == ["t00d1", "t04d4"]


def test_counts_add_up(judged: Comparison, tmp_path: Path) -> None:
    counts = mint(judged.experiment, recorded(some(judged)), rule="median", out=tmp_path).counts
    assert counts["parent"] == judged.experiment.judgments.rows == 60
    assert (counts["added"], counts["replaced"], counts["events"]) == (2, 1, 6)
    assert counts["judgments"] == counts["kept"] + counts["added"] + counts["replaced"] == 62
    assert counts["outcomes"] == {"median": 3}


@pytest.mark.parametrize(
    ("rule", "hole", "pinned", "split"),
    [("majority", 2, 2, None), ("median", 2, 1.5, 0.5), ("adjudicated", None, 2, 1)],
)
def test_the_rule_decides_and_what_it_leaves_open_stays_as_it_was(
    judged: Comparison, tmp_path: Path, rule: Rule, hole: float | None, pinned: float, split: float | None
) -> None:
    news = some(judged)
    news.append(grade_ruling(judged.experiment, event_id="r", assessor="owner", topic="t04", doc="t04d4", grade=1))
    found = records(mint(judged.experiment, recorded(news), rule=rule, out=tmp_path).path)
    given = {item: [row["grade"] for row in rows] for item, rows in found.items()}
    assert given.get(("t00", "t00d4")) == (None if hole is None else [hole])
    assert given[("t00", "t00d1")] == [pinned]
    assert given.get(("t04", "t04d4")) == (None if split is None else [split])
    assert ("t02", "t02d4") not in given


def test_only_the_chosen_graders_count_and_names_can_be_left_out(judged: Comparison, tmp_path: Path) -> None:
    events = recorded(some(judged))
    made = mint(judged.experiment, events, rule="majority", out=tmp_path, graders=["ben"], named=False)
    body = manifest_of(made.path)
    assert body["graders"] is None
    assert b"ben" not in made.path.read_bytes()
    assert records(made.path)[("t00", "t00d4")][0]["grade"] == 0
    assert records(made.path)[("t04", "t04d4")][0]["grade"] == 1


def test_an_answer_anew_takes_the_place_of_the_same_persons_pinned_one(shared_experiment: Comparison) -> None:
    pinned = next(iter(opinions(shared_experiment.experiment, (), rule="majority")), None)
    assert pinned is None
    # The shipped collection has grades by two named people.
    assessors = shared_experiment.experiment.judgments.assessors
    name = min(assessors)
    row = json.loads((shared_experiment.experiment.folder / "judgments.jsonl").read_text().splitlines()[0])
    event = grade_event(
        shared_experiment.experiment, event_id="x", assessor=row.get("assessor", name), topic=row["topic"],
        doc=row["doc"], grade=3, elapsed_ms=1, guideline="v1",
    )  # fmt: skip
    (found,) = opinions(shared_experiment.experiment, recorded([event]), rule="median")
    assert len(found.grades) == len(found.pinned)
    assert 3 in found.grades


@pytest.fixture
def shared_experiment() -> Comparison:
    return compare(open_experiment(Path(__file__).parents[1] / "fixtures" / "experiment"))


def test_held_out_topics_and_other_topics_are_not_minted(shared_experiment: Comparison) -> None:
    topics = shared_experiment.experiment.topics.topics
    closed = next(topic.id for topic in topics if topic.split == "held-out")
    events = [
        grade_event(
            shared_experiment.experiment, event_id=topic, assessor="ann", topic=topic, doc="d", grade=1, elapsed_ms=1,
            guideline="v1",
        )
        for topic in (closed, "no such topic")
    ]  # fmt: skip
    assert opinions(shared_experiment.experiment, recorded(events), rule="majority") == ()


def test_preferences_never_become_grades(judged: Comparison, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no grade to mint"):
        mint(judged.experiment, recorded([for_ranker(judged, "t01", "b")]), rule="majority", out=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_sets_are_numbered_and_never_replaced(judged: Comparison, tmp_path: Path) -> None:
    events = recorded(some(judged))
    first = mint(judged.experiment, events, rule="majority", out=tmp_path)
    before = digests(tmp_path)
    second = mint(judged.experiment, events, rule="majority", out=tmp_path)
    assert (first.name, second.name) == ("0001", "0002")
    assert before.items() <= digests(tmp_path).items()
    assert first.path.read_bytes() == second.path.read_bytes()


def test_a_set_beside_the_store_is_found_by_name_and_evaluated(judged: Comparison, tmp_path: Path) -> None:
    folder = judgments_folder(tmp_path, judged.experiment.declaration)
    assert folder.parent == tmp_path / "judgments"
    mint(judged.experiment, recorded([graded(judged, "ann", "t00d4", 2)]), rule="majority", out=folder)
    assert judgment_sets(judged.experiment.folder, folder) == ("pinned", "0001")
    opened = open_experiment(judged.experiment.folder, judgments="0001", minted=folder)
    assert opened.judgments.name == "0001"
    measure = parse_measure("P(rel=2)@10")
    # d4 of t00 is now relevant, and both lists show it.
    before, after = (each.result(measure).paired.a[0] for each in (judged, compare(opened)))
    assert (before, after) == (0.1, 0.2)
    assert open_experiment(judged.experiment.folder, minted=folder).judgments.name == "pinned"


def test_a_set_inside_the_experiment_is_found_and_verified(judged: Comparison, tmp_path: Path) -> None:
    shutil.copytree(judged.experiment.folder, tmp_path / "copy")
    copy = open_experiment(tmp_path / "copy")
    made = mint(copy, recorded(some(judged)), rule="majority", out=tmp_path / "copy" / "judgments")
    assert judgment_sets(tmp_path / "copy") == ("pinned", "0001")
    assert any(line.startswith("judgments/0001: ") for line in verify(tmp_path / "copy"))
    made.path.write_bytes(made.path.read_bytes().replace(b'"grade":2', b'"grade":1', 1))
    for check in (verify, lambda folder: open_experiment(folder, judgments="0001")):
        with pytest.raises(DigestMismatch, match=r"0001\.jsonl:1: the line was changed"):
            check(tmp_path / "copy")


def test_a_set_of_another_experiment_or_with_a_changed_manifest_is_refused(judged: Comparison, tmp_path: Path) -> None:
    made = mint(judged.experiment, recorded(some(judged)), rule="majority", out=tmp_path)
    place = made.path.with_name("0001.manifest.json")
    whole = place.read_bytes()

    def opening() -> None:
        open_experiment(judged.experiment.folder, judgments="0001", minted=tmp_path)

    opening()
    for before, after, error, what in (
        (judged.experiment.declaration.digest.encode(), b"sha256:" + b"0" * 64, DigestMismatch, "declaration"),
        (judged.experiment.judgments.digest.encode(), b"sha256:" + b"0" * 64, DigestMismatch, "parent set"),
        (b'"name":"0001"', b'"name":"0002"', RecordError, "another set"),
        (b'"rule":', b'"rule": ', RecordError, "not canonical"),
        (b'"unresolved":', b'"unresolvd":', RecordError, "unknown member"),
        (b"comparekit.judgments.v1", b"comparekit.judgments.v2", RecordError, "not a manifest of a judgment set"),
    ):
        place.write_bytes(whole.replace(before, after))
        with pytest.raises(error, match=what):
            opening()


def test_a_set_without_its_manifest_is_not_there_and_its_number_stays_taken(judged: Comparison, tmp_path: Path) -> None:
    events = recorded(some(judged))
    mint(judged.experiment, events, rule="majority", out=tmp_path)
    (tmp_path / "0001.manifest.json").unlink()
    with pytest.raises(InputError, match='no judgment set "0001"'):
        open_experiment(judged.experiment.folder, judgments="0001", minted=tmp_path)
    assert mint(judged.experiment, events, rule="majority", out=tmp_path).name == "0002"


def test_one_name_in_two_places_is_refused(judged: Comparison, tmp_path: Path) -> None:
    shutil.copytree(judged.experiment.folder, tmp_path / "copy")
    copy = open_experiment(tmp_path / "copy")
    for out in (tmp_path / "sets", tmp_path / "copy" / "judgments"):
        mint(judged.experiment, recorded(some(judged)), rule="majority", out=out)
    with pytest.raises(InputError, match='two judgment sets "0001"'):
        open_experiment(copy.folder, judgments="0001", minted=tmp_path / "sets")


def test_a_grade_off_the_scale_is_refused_when_it_is_given(judged: Comparison) -> None:
    with pytest.raises(InputError, match="off the scale: expected 0 to 2, got 3"):
        graded(judged, "ann", "t00d4", 3)


def test_an_unknown_rule_is_named(judged: Comparison, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected majority, median, adjudicated"):
        mint(judged.experiment, (), rule="mean", out=tmp_path)  # type: ignore[arg-type]
