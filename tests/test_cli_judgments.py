"""The command line for answers."""

import csv
import hashlib
import io
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from comparekit import Comparison, open_experiment
from comparekit.cli_judgments import judgments, store
from comparekit.errors import ComparekitError, EventConflict, InputError, RecordError
from comparekit.events import NewEvent, current
from comparekit.exports import history, read_history
from comparekit.store import open_store
from tests.judging import said
from tests.test_minting import graded, some

Run = Callable[..., Result]


@pytest.fixture
def place(judged: Comparison, tmp_path: Path) -> Path:
    """A record of some grades and answers."""
    path = tmp_path / "record" / "answers.sqlite"
    path.parent.mkdir()
    with open_store(path) as record:
        record.append_all([*some(judged), said(judged, "t01", "right"), said(judged, "t01", "left", assessor="ben")])
    return path


@pytest.fixture
def run(place: Path) -> Run:
    """Run a command on that record; raises what the command raised."""

    def call(app: object, *arguments: str | Path) -> Result:
        result = CliRunner().invoke(app, [*map(str, arguments), "--store", str(place)])  # type: ignore[arg-type]
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


def hashes(folder: Path) -> dict[Path, str]:
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}


def test_mint_writes_beside_the_record_and_leaves_the_experiment_alone(
    judged: Comparison, run: Run, place: Path
) -> None:
    folder = judged.experiment.folder
    before = hashes(folder)
    told = run(judgments, "mint", folder, "--rule", "median", "--grader", "ann", "--grader", "ben").stdout
    assert hashes(folder) == before
    made = Path(told.splitlines()[-1])
    assert made.parent.parent == place.parent / "judgments"
    assert told.startswith("0001: 62 judgments, digest sha256:")
    body = json.loads(made.with_name("0001.manifest.json").read_text())
    assert body["graders"] == {"ann": 3, "ben": 2}
    assert body["store"]["seq"] == 9
    assert open_experiment(folder, judgments="0001", minted=made.parent).judgments.rows == 62


def test_mint_into_the_experiment_only_when_told(judged: Comparison, run: Run, tmp_path: Path) -> None:
    shutil.copytree(judged.experiment.folder, tmp_path / "copy")
    before = hashes(tmp_path / "copy")
    run(judgments, "mint", tmp_path / "copy", "--into-experiment", "--without-names")
    after = hashes(tmp_path / "copy")
    assert before.items() <= after.items()
    assert {path.name for path in after.keys() - before.keys()} == {"0001.jsonl", "0001.manifest.json"}
    assert open_experiment(tmp_path / "copy", judgments="0001").judgments.name == "0001"


@pytest.mark.parametrize(
    ("what", "first"),
    [
        ("qrels", "t00 0 t00d4 2"),
        ("grades", "topic,doc,assessor,grade"),
        ("preferences", "topic,assessor,left,right"),
        ("triples", "topic,a,b,preferred"),
        ("history", '{"clock_steps_back":0,"count":9'),
    ],
)
def test_everything_can_be_exported(judged: Comparison, run: Run, what: str, first: str) -> None:
    assert run(judgments, "export", judged.experiment.folder, "--what", what).stdout.startswith(first)


def test_an_export_never_replaces_a_file(judged: Comparison, run: Run, tmp_path: Path) -> None:
    run(judgments, "export", judged.experiment.folder, "--what", "triples", "-o", tmp_path / "x.csv")
    assert len(list(csv.reader(io.StringIO((tmp_path / "x.csv").read_text())))) == 3
    with pytest.raises(InputError, match="exists already"):
        run(judgments, "export", judged.experiment.folder, "--what", "triples", "-o", tmp_path / "x.csv")


def test_an_exported_history_read_back_gives_the_same_record(
    judged: Comparison, run: Run, place: Path, tmp_path: Path
) -> None:
    run(judgments, "export", judged.experiment.folder, "-o", tmp_path / "history.jsonl")
    other = tmp_path / "other.sqlite"
    for told in ("9 events recorded, 0 were there already\n", "0 events recorded, 9 were there already\n"):
        done = CliRunner().invoke(judgments, ["import", str(tmp_path / "history.jsonl"), "--store", str(other)])
        assert done.stdout == told
    with open_store(place) as here, open_store(other) as there:
        assert there.events() == here.events()
        assert there.head == here.head


def test_a_history_that_contradicts_the_record_changes_nothing(judged: Comparison, place: Path, tmp_path: Path) -> None:
    news = some(judged)
    other = tmp_path / "other.sqlite"
    with open_store(other) as there:
        there.append(NewEvent(news[0].event_id, "vote", None, "eve", news[0].comparison, news[0].payload))
        before = there.events()
    with open_store(place) as here:
        (tmp_path / "history.jsonl").write_bytes(history(here.events()))
    done = CliRunner().invoke(judgments, ["import", str(tmp_path / "history.jsonl"), "--store", str(other)])
    assert isinstance(done.exception, EventConflict)
    with open_store(other) as there:
        assert there.events() == before


def test_a_forged_history_is_refused(judged: Comparison, place: Path) -> None:
    with open_store(place) as here:
        data = history(here.events())
    with pytest.raises(RecordError, match="event 1 was changed"):
        read_history(data.replace(b'"grade":2', b'"grade":1', 1), path=Path("x.jsonl"))
    lines = data.split(b"\n")
    lines[1], lines[2] = lines[2], lines[1]
    with pytest.raises(RecordError, match="event 2 was changed, or one before it is missing"):
        read_history(b"\n".join(lines), path=Path("x.jsonl"))


def test_agreement_tells_n_and_how_everybody_works(judged: Comparison, run: Run) -> None:
    told = run(judgments, "agreement", judged.experiment.folder).stdout
    assert "raw agreement: 0.000 (n = 1 items, 2 answers)" in told
    assert "Grades" in told
    assert "ann: 1 answers, left 0.00 [0.00, 0.79] of 1, consistent n/a (nothing repeated), 0 unusually fast" in told
    assert "Experts: 0 wins, 8 ties (8 unchanged), 0 losses, 1 unresolved, 14 open" in told


def test_agreement_of_an_empty_record_is_undefined_and_no_error(judged: Comparison, tmp_path: Path) -> None:
    open_store(tmp_path / "empty.sqlite").close()
    told = CliRunner().invoke(
        judgments, ["agreement", str(judged.experiment.folder), "--store", str(tmp_path / "empty.sqlite")]
    )
    assert told.exit_code == 0
    assert told.stdout.count("n/a (no item with two answers)") == 8


def test_verify_and_backup(run: Run, place: Path, tmp_path: Path) -> None:
    assert run(store, "verify").stdout.splitlines()[-1] == "verified"
    assert ": 9 events, head " in run(store, "backup", tmp_path / "copy.sqlite").stdout
    with open_store(place) as here, open_store(tmp_path / "copy.sqlite") as there:
        assert there.events() == here.events()
    with pytest.raises(ComparekitError):
        run(store, "backup", tmp_path / "copy.sqlite")


def test_a_record_that_is_not_there_is_not_made_by_reading(judged: Comparison, tmp_path: Path) -> None:
    missing = tmp_path / "nowhere.sqlite"
    for arguments in (["agreement", str(judged.experiment.folder)], ["mint", str(judged.experiment.folder)]):
        done = CliRunner().invoke(judgments, [*arguments, "--store", str(missing)])
        assert isinstance(done.exception, ComparekitError)
    assert not missing.exists()


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_export_and_import_give_the_same_state(
    judged: Comparison, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("state")
    with open_store(folder / "here.sqlite") as here, open_store(folder / "there.sqlite") as there:
        for _ in range(data.draw(st.integers(0, 8))):
            mine = [event for event in here.events() if event.assessor == "ann" and event.kind != "withdraw"]
            kind = data.draw(st.sampled_from(("pair", "grade", "undo") if mine else ("pair", "grade")))
            if kind == "pair":
                answer = data.draw(st.sampled_from(("left", "same", "skip")))
                here.append(
                    said(judged, data.draw(st.sampled_from(("t01", "t02"))), answer, comment=data.draw(COMMENTS))
                )
            elif kind == "grade":
                event = graded(judged, "ann", "t00d4", data.draw(st.sampled_from((None, 0, 1, 2))))
                here.append(NewEvent(os.urandom(8).hex(), "vote", None, "ann", event.comparison, event.payload))
            else:
                last = mine[-1]
                here.append(
                    NewEvent(os.urandom(8).hex(), "withdraw", last.event_id, "ann", last.comparison, last.payload)
                )
        events = here.events()
        there.append_all(read_history(history(events), path=folder / "x.jsonl"))
        assert there.events() == events
        assert there.head == here.head
        assert current(there.events()) == current(events)


COMMENTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=10)
