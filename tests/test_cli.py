"""The command line: what it prints, and the exit code of every refusal."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FIXTURE = ROOT / "fixtures" / "experiment"

FILES = {
    "a.run": "q1 Q0 x 1 3 alpha\nq1 Q0 y 2 2 alpha\nq2 Q0 x 1 1 alpha\n",
    "b.run": "q1 Q0 y 1 3 beta\nq1 Q0 x 2 2 beta\nq2 Q0 x 1 1 beta\n",
    "qrels.txt": "q1 0 y 1\nq2 0 x 1\n",
}


def run(*arguments: str | Path, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "comparekit", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def init(files: Path, output: str = "made", *more: str) -> subprocess.CompletedProcess[str]:
    return run("init", "--a", "a.run", "--b", "b.run", "--qrels", "qrels.txt", "-o", output, *more, folder=files)


def test_init_verify_compare_is_a_way_through(files: Path) -> None:
    assert init(files).returncode == 0
    verified = run("verify", files / "made")
    assert (verified.returncode, verified.stdout.splitlines()[-1]) == (0, "verified")
    compared = run("compare", files / "made", "--measure", "RR")
    assert compared.returncode == 0
    assert "undecided" in compared.stdout.lower()


def test_csv_has_one_row_a_topic_and_measure(files: Path) -> None:
    init(files)
    found = run("compare", files / "made", "--measure", "RR", "--measure", "P@1", "--format", "csv")
    # By hand: y is first in B and second in A; q2 is the same on both sides. Two uneven ranks of two: RBO at p = 0.9
    # of a swapped pair is 0.9 (agreement 0 at depth 1, 1 from depth 2 on).
    assert found.stdout.splitlines() == [
        "topic,measure,a,b,delta,outcome,reason,rbo,changed",
        "q1,RR,0.5,1.0,0.5,win,,0.9,true",
        "q2,RR,1.0,1.0,0.0,tie,,1.0,false",
        "q1,P@1,0.0,1.0,1.0,win,,0.9,true",
        "q2,P@1,1.0,1.0,0.0,tie,,1.0,false",
    ]


def test_json_is_the_evaluation_receipt_and_repeats_to_the_byte() -> None:
    first, second = (run("compare", FIXTURE, "--format", "json") for _ in range(2))
    assert first.stdout == second.stdout
    found = json.loads(first.stdout)
    assert found["digest"].startswith("sha256:")
    assert found["body"]["counts"]["topics"] == 48
    assert found["environment"]["rbo_parity"]["agreed"] == found["environment"]["rbo_parity"]["checked"] > 0
    assert "NaN" not in first.stdout


def test_seal_adds_a_receipt_set_that_can_be_compared(files: Path) -> None:
    init(files)
    (files / "c.run").write_text("q1 Q0 y 1 9 gamma\nq9 Q0 z 1 1 gamma\n")
    sealed = run("seal", files / "c.run", "-o", files / "made" / "receipts" / "gamma")
    assert sealed.returncode == 0
    assert "1 topics are not pinned and were left out" in sealed.stderr
    assert run("compare", files / "made", "--b", "gamma").returncode == 0
    assert "not pinned by the declaration" in run("verify", files / "made").stdout


@pytest.mark.parametrize(
    ("change", "arguments", "code", "message"),
    [
        ({"b.run": "q1 Q0 x\n"}, (), 1, "b.run:1: "),
        ({"b.run": ""}, (), 1, "b.run"),
        ({"b.run": "q7 Q0 x 1 1 t\n"}, (), 2, "0 of 1 topics of b.run are among"),
        ({"qrels.txt": "q1 0 y 1\nq1 0 y 2\n"}, (), 1, "qrels.txt"),
        ({}, ("--target", "nDGC@10"), 1, "nDGC"),
        ({}, ("--topics", "nowhere.tsv"), 1, "nowhere.tsv"),
        ({}, ("--order", "sideways"), 2, "sideways"),
    ],
    ids=["short line", "empty", "no common topic", "conflict", "measure", "missing file", "order"],
)
def test_a_wrong_input_is_one_message_and_an_exit_code(
    files: Path, change: dict[str, str], arguments: tuple[str, ...], code: int, message: str
) -> None:
    for name, text in change.items():
        (files / name).write_text(text)
    done = init(files, "made", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (files / "made").exists()


def test_a_changed_receipt_ends_verify_with_file_line_and_digests(files: Path) -> None:
    init(files)
    receipts = files / "made" / "receipts" / "b.jsonl"
    receipts.write_text(receipts.read_text().replace('"score":2', '"score":2.5'))
    for command in ("verify", "compare"):
        done = run(command, files / "made")
        assert done.returncode == 1
        assert "b.jsonl:1: the line was changed" in done.stderr
        assert "expected sha256:" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_folder_that_is_no_experiment_says_how_to_make_one(tmp_path: Path) -> None:
    for command in ("verify", "compare", "open"):
        done = run(command, tmp_path / "nowhere")
        assert done.returncode == 1
        assert "comparekit init" in done.stderr


def test_a_policy_file_goes_into_the_manifest(files: Path) -> None:
    (files / "policy.toml").write_text('[corpus]\nname = "docs"\ndigest = "sha256:1"\n[budget]\ndepth = 5\n')
    assert init(files, "made", "--policy-a", "policy.toml", "--policy-b", "policy.toml").returncode == 0
    found = json.loads(run("compare", files / "made", "--format", "json").stdout)["body"]
    assert found["comparability"]["level"] == "comparable"
    assert found["rules"]["overlap"]["depth"] == 5
    (files / "policy.toml").write_text('[corpse]\nname = "docs"\n')
    assert 'no part "corpse"' in init(files, "other", "--policy-a", "policy.toml").stderr


def test_nothing_to_compare_is_exit_code_2_and_what_is_silent_is_named(files: Path) -> None:
    (files / "qrels.txt").write_text("q1 0 x 0\n")
    done = init(files)
    assert (done.returncode, "1 of 2 pinned topics have no judgment" in done.stderr) == (0, True)
    compared = run("compare", files / "made")
    assert compared.returncode == 2
    assert "no topic can be compared on nDCG@10" in compared.stderr
    assert "nDCG@10" in compared.stdout


@pytest.mark.parametrize("choice", [("--relevant-from", "nan"), ("--smallest-effect", "-1")])
def test_choices_out_of_range_are_one_sentence(files: Path, choice: tuple[str, str]) -> None:
    done = init(files, "made", *choice)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "out of range" in done.stderr


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    listed = run("--help").stdout
    for command in ("init", "seal", "verify", "compare", "open"):
        assert command in listed
        assert f"`{command}" in readme
