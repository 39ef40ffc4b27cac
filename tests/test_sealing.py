"""From runs to receipts: every state survives, and unknown things stay unknown."""

import json
from pathlib import Path

from comparekit import compare, init_experiment, open_experiment
from comparekit.pinning import Choices
from comparekit.sealing import name_of

LINES = [
    {"qid": "q1", "results": [{"docid": "d1", "rank": 1, "score": 2.0}]},
    {"qid": "q2", "results": []},
    {"qid": "q3", "state": "failed", "results": []},
]


def test_empty_and_failed_topics_keep_their_state(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    (tmp_path / "b.run").write_text("".join(f"q{n} Q0 d1 1 1 b\n" for n in range(1, 5)))
    (tmp_path / "qrels.txt").write_text("".join(f"q{n} 0 d1 1\n" for n in range(1, 5)))
    init_experiment(
        tmp_path / "made", a=tmp_path / "a.jsonl", b=tmp_path / "b.run", qrels=tmp_path / "qrels.txt",
        choices=Choices(missing="empty", measures=("RR",)),
    )  # fmt: skip
    found = compare(open_experiment(tmp_path / "made"))
    assert [found.topic(f"q{n}").state_a for n in range(1, 5)] == ["answered", "empty", "failed", "missing"]
    paired = found.result(found.measures[1]).paired
    # By hand: q1 a tie, q2 empty and q4 missing, declared empty, are wins of B; q3 failed and is not comparable.
    assert (paired.wins, paired.ties, paired.losses, paired.not_comparable) == (2, 1, 0, 1)
    assert found.topic("q4").answered
    assert not found.topic("q3").answered


def test_who_judged_is_kept_and_never_invented(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 1 a\n")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    init_experiment(tmp_path / "made", a=tmp_path / "a.run", b=tmp_path / "a.run", qrels=tmp_path / "qrels.txt")
    (line,) = (tmp_path / "made" / "judgments.jsonl").read_text().splitlines()
    assert json.loads(line) == {"doc": "d1", "grade": 1, "topic": "q1"}


def test_names_come_from_files_without_their_endings() -> None:
    assert name_of("bm25+bert-mp(zs).run") == "bm25+bert-mp(zs)"
    assert name_of("r\u00fcn 1.trec.gz") == "r_n_1"
    assert name_of(".run") == "run"
