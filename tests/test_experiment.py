"""Opening and verifying an experiment: all or nothing, and every change is named."""

import shutil
from pathlib import Path

import pytest

from comparekit import compare, init_experiment, open_experiment, verify
from comparekit.errors import DeclarationError, DigestMismatch, InputError, NotComparable, NothingExecuted, RecordError
from comparekit.pinning import Choices
from comparekit.results import Selection

RUN_A = "q1 Q0 a 1 3 alpha\nq1 Q0 b 2 2 alpha\nq2 Q0 c 1 3 alpha\nq3 Q0 d 1 1 alpha\n"
RUN_B = "q1 Q0 b 1 3 beta\nq1 Q0 a 2 2 beta\nq2 Q0 c 1 3 beta\nq2 Q0 x 2 2 beta\n"
QRELS = "q1 0 b 2\nq1 0 a 0\nq2 0 c 1\nq3 0 d 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("alpha.run", RUN_A), ("beta.run", RUN_B), ("qrels.txt", QRELS)):
        (tmp_path / name).write_text(text)
    documents = "".join(f'{{"id": "{name}", "title": "T{name}", "text": "text {name}"}}\n' for name in "abcdx")
    (tmp_path / "docs.jsonl").write_text(documents)
    (tmp_path / "strata.csv").write_text("topic,kind\nq1,head\nq2,\n")
    init_experiment(
        tmp_path / "made",
        a=tmp_path / "alpha.run",
        b=tmp_path / "beta.run",
        qrels=tmp_path / "qrels.txt",
        documents=tmp_path / "docs.jsonl",
        strata=tmp_path / "strata.csv",
        choices=Choices(measures=("RR", "P@1"), target="nDCG@10"),
    )
    return tmp_path / "made"


def test_init_makes_a_folder_that_verifies_and_compares(folder: Path) -> None:
    assert len(verify(folder)) == 6
    comparison = compare(open_experiment(folder))
    result = comparison.result(comparison.measures[1])
    # By hand: RR of q1 is 1/2 then 1, of q2 1 and 1; q3 is missing in B.
    assert (result.paired.wins, result.paired.ties, result.paired.losses, result.paired.not_comparable) == (1, 1, 0, 1)
    assert result.inference.mean.value == 0.25


def test_making_it_twice_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    init_experiment(
        tmp_path / "again" / "made",
        a=tmp_path / "alpha.run",
        b=tmp_path / "beta.run",
        qrels=tmp_path / "qrels.txt",
        documents=tmp_path / "docs.jsonl",
        strata=tmp_path / "strata.csv",
        choices=Choices(measures=("RR", "P@1")),
    )
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert files == sorted(
        path.relative_to(tmp_path / "again" / "made")
        for path in (tmp_path / "again" / "made").rglob("*")
        if path.is_file()
    )
    for name in files:
        assert (folder / name).read_bytes() == (tmp_path / "again" / "made" / name).read_bytes()


def test_an_existing_folder_is_never_touched(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this folder exists already"):
        init_experiment(folder, a=tmp_path / "alpha.run", b=tmp_path / "beta.run", qrels=tmp_path / "qrels.txt")


@pytest.mark.parametrize("name", ["topics.jsonl", "judgments.jsonl", "documents.jsonl", "receipts/beta.jsonl"])
def test_an_edited_line_is_named_in_verify_and_in_open(folder: Path, name: str) -> None:
    lines = (folder / name).read_bytes().split(b"\n")
    lines[1] = lines[1].replace(b":", b": ", 1)
    (folder / name).write_bytes(b"\n".join(lines))
    for check in (verify, open_experiment):
        with pytest.raises(
            DigestMismatch, match=f"{Path(name).name}:2: the line was changed.*expected sha256:.*got sha256:"
        ):
            check(folder)


def test_a_changed_manifest_or_record_of_sources_is_refused(folder: Path) -> None:
    for name, before, after in (("sources.json", b"alpha", b"gamma"), ("sources.json", b'"rows":4', b'"rows":5')):
        whole = (folder / name).read_bytes()
        if before in whole:
            (folder / name).write_bytes(whole.replace(before, after))
            with pytest.raises(DigestMismatch, match=r"sources\.json"):
                open_experiment(folder)
            (folder / name).write_bytes(whole)
    manifest = folder / "receipts" / "beta.manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b'"created_at":null', b'"created_at":"x"'))
    with pytest.raises(DigestMismatch, match=r"beta\.manifest\.json is not what the declaration pins"):
        open_experiment(folder)


@pytest.mark.parametrize(
    "name", ["topics.jsonl", "receipts/alpha.jsonl", "receipts/alpha.manifest.json", "sources.json", "experiment.toml"]
)
def test_a_missing_file_is_one_clear_error(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(InputError, match=r"topics|alpha|sources|experiment"):
        open_experiment(folder)


def test_a_missing_folder_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(DeclarationError, match=r"there is no experiment here.*comparekit init"):
        open_experiment(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ('measure = "nDCG@10"', 'measure = "nDGC@10"', "target.measure names no measure"),
        ("smallest_effect = 0.01", "smallest_effect = 0", "target.smallest_effect is out of range"),
        ('missing = "undeclared"', 'missing = "maybe"', "missing is not one of the choices"),
        ("tie_band", "tieband", "tieband is not known. Did you mean tie_band"),
        ('candidate = "beta"', 'candidate = "alpha"', "candidate is the baseline itself"),
        ("scale = [0, 2]", "scale = [2, 0]", "judgments.scale is not a scale"),
        ("p = 0.9", "p = 1.5", "overlap.p is out of range"),
        ("[target]", "[target", "not a TOML file"),
    ],
)
def test_a_declaration_names_the_key_that_is_wrong(folder: Path, before: str, after: str, what: str) -> None:
    path = folder / "experiment.toml"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))
    with pytest.raises(DeclarationError, match=what):
        open_experiment(folder)


def test_receipts_for_other_topics_are_refused_unless_exploratory(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other.tsv").write_text("q1\tanother text\nq2\t\nq3\t\n")
    init_experiment(
        tmp_path / "other",
        a=tmp_path / "alpha.run",
        b=tmp_path / "beta.run",
        qrels=tmp_path / "qrels.txt",
        topics=tmp_path / "other.tsv",
        choices=Choices(name_b="gamma"),
    )
    for path in (tmp_path / "other" / "receipts").glob("gamma*"):
        shutil.copy(path, folder / "receipts")
    experiment = open_experiment(folder, b="gamma")
    assert experiment.unpinned == ("gamma",)
    with pytest.raises(NotComparable, match=r"gamma answered other topics"):
        compare(experiment, b="gamma")
    assert compare(experiment, b="gamma", exploratory=True).comparability.level == "exploratory"


def test_an_unknown_receipt_set_or_judgment_set_names_those_there_are(folder: Path) -> None:
    with pytest.raises(InputError, match='no receipt set "nobody": expected alpha, beta'):
        open_experiment(folder, b="nobody")
    with pytest.raises(InputError, match='no judgment set "v9": expected pinned'):
        open_experiment(folder, judgments="v9")


def test_runs_without_a_common_topic_make_no_experiment(tmp_path: Path) -> None:
    for name, text in (("a.run", "31 Q0 d1 1 1 x\n"), ("b.run", "31 Q0 d1 1 1 y\n"), ("q.txt", "31.1 0 d1 1\n")):
        (tmp_path / name).write_text(text)
    with pytest.raises(
        NothingExecuted,
        match=r"0 of 1 topics of a\.run are among the 1 of q\.txt: expected ids such as '31.1', got '31'",
    ):
        init_experiment(tmp_path / "made", a=tmp_path / "a.run", b=tmp_path / "b.run", qrels=tmp_path / "q.txt")
    assert not (tmp_path / "made").exists()


def test_topics_without_a_stratum_are_a_stratum_of_their_own(folder: Path) -> None:
    comparison = compare(open_experiment(folder))
    assert comparison.stratum_values("kind") == ("head", None)
    assert comparison.mask(Selection(stratum=("kind", None))).tolist() == [False, True, True]


def test_a_duplicate_in_a_record_file_is_refused(folder: Path) -> None:
    (folder / "topics.jsonl").write_bytes(b"")
    with pytest.raises(RecordError, match=r"topics\.jsonl:1: lines are missing"):
        open_experiment(folder)
