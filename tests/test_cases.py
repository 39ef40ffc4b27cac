"""
Inputs that break other tools, from the files to the answer.

Each expected value is worked out by hand in the case's own `expect.md`, by a second route named there.
"""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from comparekit import Comparison, compare, init_experiment, open_experiment, parse_measure
from comparekit.errors import FormatError, InputError, NothingExecuted
from comparekit.formats.spreadsheet import guarded, unguarded
from comparekit.pinning import Choices
from comparekit.tabular import to_csv

Made = Callable[..., Comparison]


@pytest.fixture
def made(shared_cases: Path, tmp_path: Path) -> Made:
    """Make an experiment of a case's files and compare it; files are named by role."""

    def make(case: str, *, choices: Choices | None = None, **files: str) -> Comparison:
        paths = {role: shared_cases / case / name for role, name in files.items()}
        folder = tmp_path / f"made-{len(list(tmp_path.iterdir()))}"
        init_experiment(folder, choices=choices or Choices(measures=("RR", "P@1")), **paths)  # type: ignore[arg-type]
        return compare(open_experiment(folder))

    return make


def trec(**more: str) -> dict[str, str]:
    return {"a": "run_a.trec", "b": "run_b.trec", "qrels": "qrels.txt", **more}


def by_topic(comparison: Comparison, measure: str) -> dict[str, tuple[float, float]]:
    table = comparison.table(parse_measure(measure))
    return {topic: (a, b) for topic, a, b in zip(table["topic"], table["a"], table["b"], strict=True)}


def outcomes(comparison: Comparison, measure: str) -> tuple[int, int, int, int]:
    paired = comparison.result(parse_measure(measure)).paired
    return paired.wins, paired.ties, paired.losses, paired.not_comparable


def test_r01_ids_typed_as_numbers_meet_ids_typed_as_text(made: Made) -> None:
    found = made("R01", a="run_a.trec", b="list_b.jsonl", qrels="qrels.txt", topics="topics.tsv")
    assert by_topic(found, "RR") == {"101": (1, 0.5), "102": (0.5, 1), "103": (0, 1)}
    assert outcomes(found, "RR") == (2, 0, 1, 0)


def test_r02_leading_zeros_stay(made: Made) -> None:
    found = made("R02", a="run_a.csv", b="run_b.csv", qrels="qrels.csv", topics="topics.csv")
    assert by_topic(found, "RR") == {"007": (1, 0.5), "7": (0.5, 1)}
    assert outcomes(found, "RR") == (1, 0, 1, 0)


def test_r04_ids_that_look_like_numbers_stay_letter_for_letter(made: Made) -> None:
    found = made("R04", a="run_a.csv", b="run_b.csv", qrels="qrels.csv", topics="topics.csv")
    assert set(by_topic(found, "RR").values()) == {(1.0, 0.5)}
    ids = {row["topic"] for row in csv.DictReader(io.StringIO(to_csv(found, [parse_measure("RR")])))}
    assert ids == {"1e5", "100000", "31_1", "311", "1.0", "1", "TRUE", "9007199254740993", "9007199254740992"}


def test_r05_a_hash_inside_an_id_is_no_comment(made: Made) -> None:
    found = made("R05", **trec(topics="topics.tsv"))
    assert by_topic(found, "P@1") == {"q1": (1, 0)}
    assert found.alignment.grades.docs.to_pylist() == ["vol#0#12", "vol#0#13"]
    assert any(each["count"] == 1 and each["lines"] == [1] for each in found.b.manifest.repairs)


def test_r07_addresses_as_ids_come_back_letter_for_letter(made: Made) -> None:
    found = made("R07", **trec(topics="topics.tsv"))
    view = found.topic("q1")
    assert (
        {row.doc for row in view.rows_a}
        == {row.doc for row in view.rows_b}
        >= {"https://example.org/a%3Fx=1", "c:\\old\\plan.txt"}
    )
    assert by_topic(found, "RR") == {"q1": (1, 0.2)}


def test_r08_ids_that_differ_in_blanks_stay_apart(made: Made) -> None:
    found = made("R08", a="run_a.csv", b="run_b.csv", qrels="qrels.csv", topics="topics.csv")
    assert by_topic(found, "RR") == {"q1": (0.5, 1)}
    assert {row.doc for row in found.topic("q1").rows_a} == {"A B.pdf", "A_B.pdf", "A  B.pdf"}


def test_r10_topics_that_differ_in_case_or_blanks_stay_apart(made: Made) -> None:
    found = made("R10", **trec(topics="topics.tsv"))
    assert [topic.text for topic in found.experiment.topics.topics] == ["Dairy", "dairy", "dairy "]
    assert by_topic(found, "RR") == {"t1": (1, 0.5), "t2": (1, 1), "t3": (0.5, 1)}
    assert outcomes(found, "RR") == (1, 1, 1, 0)


def test_r11_a_mark_at_the_start_is_not_part_of_an_id(made: Made) -> None:
    found = made("R11", a="run_bom.trec", b="run_plain.trec", qrels="qrels_utf16.txt")
    assert by_topic(found, "RR") == {"q1": (1, 1), "q2": (0.5, 0.5)}
    with pytest.raises(FormatError, match=r"topics_cp1252\.csv:2: .*UTF-8"):
        made("R11", a="run_plain.trec", b="run_plain.trec", qrels="qrels_plain.txt", topics="topics_cp1252.csv")


@pytest.mark.parametrize(
    ("case", "topics", "first"),
    [("R14", "topics.csv", "red, green and blue"), ("R14", "topics.tsv", '"half inch pipe')],
)
def test_r14_commas_quotes_and_line_breaks_in_texts_stay(
    shared_cases: Path, tmp_path: Path, case: str, topics: str, first: str
) -> None:
    for name, text in (("a.run", "q1 Q0 d 1 1 a\n"), ("b.run", "q1 Q0 d 1 1 b\n"), ("q.txt", "q1 0 d 1\n")):
        (tmp_path / name).write_text(text)
    init_experiment(
        tmp_path / "x",
        a=tmp_path / "a.run",
        b=tmp_path / "b.run",
        qrels=tmp_path / "q.txt",
        topics=shared_cases / case / topics,
    )
    found = open_experiment(tmp_path / "x").topics
    assert len(found) == 3
    assert found["q1"].text == first


@pytest.mark.parametrize("name", ["empty.trec", "blank.trec", "header_only.csv"])
def test_r16_an_empty_run_is_named(made: Made, name: str) -> None:
    with pytest.raises(FormatError, match=f"{name}.*empty|{name}.*no rows|{name}.*no row"):
        made("R16", a="run_other_ids.trec", b=name, qrels="qrels_other_ids.txt")


def test_r16_no_topic_in_common_shows_ids_of_both(made: Made) -> None:
    with pytest.raises(NothingExecuted, match=r"0 of 2 topics .*'31\.1', '32\.4'.*'31', '32'"):
        made("R16", a="run_other_ids.trec", b="run_other_ids.trec", qrels="qrels_other_ids.txt")


def test_r17_scores_that_are_no_numbers_are_refused_or_left_to_the_rank(made: Made) -> None:
    with pytest.raises(FormatError, match=r"run_nan\.trec:1: "):
        made("R17", a="run_nan.trec", b="run_nan_shuffled.trec", qrels="qrels.txt")
    found = made(
        "R17",
        a="run_nan.trec",
        b="run_nan_shuffled.trec",
        qrels="qrels.txt",
        choices=Choices(order="rank", measures=("RR",)),
    )
    assert set(by_topic(found, "RR").values()) == {(1.0, 1.0)}


def test_r20_ties_follow_one_rule_on_both_sides_and_are_marked(made: Made) -> None:
    found = made("R20", **trec(topics="topics.tsv"))
    assert by_topic(found, "RR") == {"q1": (1, 0.5)}
    assert by_topic(found, "nDCG@2")["q1"][1] == pytest.approx(0.6309, abs=5e-5)
    assert [row.tied for row in found.topic("q1").rows_a] == [True, True]
    by_rank = made("R20", **trec(), choices=Choices(order="rank", measures=("RR",)))
    assert by_topic(by_rank, "RR") == {"q1": (1, 1)}


def test_r22_the_order_of_rows_does_not_change_a_bit(made: Made) -> None:
    found = made("R22", a="run_a.trec", b="run_a_shuffled.trec", qrels="qrels.txt")
    view = found.topic("q1")
    assert [row.doc for row in view.rows_a] == [row.doc for row in view.rows_b] == ["d9", "d5", "d1", "d2"]
    first = [by_topic(found, name) for name in ("nDCG@2", "nDCG@10", "P@1", "RR")]
    assert [by_topic(found, name) for name in ("nDCG@2", "nDCG@10", "P@1", "RR")] == first
    assert first[3] == {"q1": (0.5, 0.5)}


def test_r23_distances_are_told_and_never_turned_in_silence(made: Made) -> None:
    found = made("R23", **trec())
    assert by_topic(found, "RR")["q1"][0] == pytest.approx(1 / 3)
    assert any("opposite" in each["message"] or "rise" in each["message"] for each in found.a.manifest.repairs)
    assert by_topic(made("R23", **trec(), choices=Choices(order="rank")), "RR")["q1"][0] == 1


def test_r25_a_document_counts_once(made: Made) -> None:
    found = made("R25", **trec())
    assert by_topic(found, "nDCG@3") == {"q1": (1, 1)}
    assert [each["count"] for each in found.a.manifest.repairs if "duplicate" in each["what"]] == [1]


def test_r26_fractions_of_grades_stay(made: Made) -> None:
    a, b = by_topic(made("R26", **trec()), "nDCG@3")["q1"]
    assert (a, b) == (pytest.approx(0.692817, abs=5e-7), pytest.approx(0.981718, abs=5e-7))


def test_r28_repeats_count_once_and_conflicts_need_a_rule(made: Made) -> None:
    with pytest.raises(FormatError, match=r"qrels\.txt:"):
        made("R28", **trec())
    found = made("R28", **trec(), choices=Choices(conflict="max"))
    assert by_topic(found, "nDCG@2")["q1"][0] == pytest.approx(0.8597, abs=5e-5)
    assert by_topic(found, "nDCG@3")["q1"][1] == 1


def test_r29_the_threshold_is_part_of_the_name(made: Made) -> None:
    found = made("R29", **trec())
    expected = {
        "P@2": 0.5,
        "RR": 1,
        "AP": 0.805556,
        "P(rel=2)@2": 0,
        "RR(rel=2)": 1 / 3,
        "AP(rel=2)": 0.416667,
        "nDCG@4": 0.705891,
    }
    assert {name: by_topic(found, name)["q1"][0] for name in expected} == pytest.approx(expected, abs=5e-7)


def test_r31_the_ideal_is_made_of_all_judgments(made: Made) -> None:
    found = by_topic(made("R31", **trec()), "nDCG@10")
    assert found["q1"] == (pytest.approx(0.339160, abs=5e-7), pytest.approx(0.540995, abs=5e-7))
    assert found["q2"] == (1, 1)


def test_r32_reciprocal_rank_keeps_to_its_cutoff(made: Made) -> None:
    found = made("R32", **trec())
    assert [by_topic(found, name)["q1"] for name in ("RR@3", "RR@10", "RR")] == [(0, 0.5), (0.25, 0.5), (0.25, 0.5)]


def test_r34_topics_without_relevant_judgments_are_left_out_and_listed(made: Made) -> None:
    found = made("R34", **trec())
    result = found.result(parse_measure("nDCG@10"))
    assert (result.inference.n, result.paired.mean_a.value) == (2, 1)
    assert result.paired.mean_b.value == pytest.approx(0.815465, abs=5e-7)
    assert dict(result.paired.left_out) == {"no relevant document is judged": 1}
    assert outcomes(found, "nDCG@10") == (0, 1, 1, 1)


def test_r35_missing_and_unjudged_topics_are_counted_and_shown_both_ways(made: Made) -> None:
    found = made("R35", **trec(topics="topics.tsv"))
    result = found.result(parse_measure("RR"))
    assert (result.inference.n, result.paired.mean_a.value, result.paired.mean_b.value) == (1, 1, 0.5)
    assert result.as_empty is not None
    assert (result.as_empty.n, result.as_empty.mean.value) == (3, pytest.approx(1 / 2 - 2 / 3))
    assert found.alignment.topics_without_judgments == ("q9",)
    declared = made("R35", **trec(topics="topics.tsv"), choices=Choices(missing="empty", measures=("RR",)))
    assert outcomes(declared, "RR") == (1, 0, 2, 1)


def test_r37_overlap_is_right_on_uneven_lists(made: Made, shared_cases: Path, tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"q{n} 0 a 1\n" for n in range(1, 6)))
    case = shared_cases / "R37"
    init_experiment(tmp_path / "x", a=case / "run_a.trec", b=case / "run_b.trec", qrels=qrels)
    found = compare(open_experiment(tmp_path / "x")).overlap
    assert found.rbo.tolist() == pytest.approx([1, 0.995217, 0.391500, 0.490384, 0.254250], abs=5e-7)
    assert (found.low <= found.rbo).all()
    assert (found.low > 0).all()


def test_r38_a_run_against_itself_has_no_difference_to_test(made: Made) -> None:
    result = (found := made("R38", **trec())).result(found.target)
    assert outcomes(found, str(found.target)) == (0, 6, 0, 0)
    assert {test.p.value for test in result.inference.tests} <= {1.0, None}
    assert (result.inference.interval.low, result.inference.interval.high) in ((0, 0), (None, None))
    assert set(found.overlap.rbo.tolist()) == {1.0}
    assert "nan" not in json.dumps(to_csv(found, found.measures))


def test_r40_small_samples_are_tested_exactly(made: Made) -> None:
    five = made("R40", a="five_a.trec", b="five_b.trec", qrels="five_qrels.txt").result(parse_measure("P@10"))
    assert five.inference.randomization.p.value == 0.0625
    twenty = made("R40", a="twenty_a.trec", b="twenty_b.trec", qrels="twenty_qrels.txt").result(parse_measure("P@10"))
    assert twenty.inference.randomization.p.value == pytest.approx(2 / 2**20, rel=1e-9)


def test_r41_one_topic_and_constant_deltas_are_told_not_guessed(made: Made) -> None:
    one = made("R41", a="one_a.trec", b="one_b.trec", qrels="one_qrels.txt").result(parse_measure("P@10")).inference
    assert one.mean.value == pytest.approx(0.3)
    assert one.interval.reason == "1 topic"
    assert {test.p.value for test in one.tests} == {None}
    six = made("R41", a="six_a.trec", b="six_b.trec", qrels="six_qrels.txt").result(parse_measure("P@10")).inference
    assert (six.interval.low, six.interval.high) == (pytest.approx(0.3), pytest.approx(0.3))
    assert six.randomization.p.value == 0.03125
    assert six.t.p.value is None


def test_r43_equal_on_paper_is_a_tie(made: Made) -> None:
    found = made("R43", **trec())
    assert outcomes(found, "AP") == (0, 1, 0, 0)
    assert repr(found.result(parse_measure("AP")).paired.delta[0]) in ("np.float64(0.0)", "0.0")


def test_r44_relative_change_is_of_the_means(made: Made) -> None:
    paired = made("R44", **trec()).result(parse_measure("P@10")).paired
    assert paired.delta.tolist() == [0.2, -0.2, -0.1]
    assert paired.relative_change.value == pytest.approx(-0.1)


def test_r46_topics_without_a_stratum_are_not_lost(made: Made) -> None:
    found = made("R46", **trec(strata="strata.csv"))
    rows = {row.label: (row.n, row.mean.value) for row in found.strata(parse_measure("P@10")).rows}
    assert rows == {
        "head": (2, pytest.approx(0.1)), "tail": (1, pytest.approx(0.2)), "NA": (1, 0), "(none)": (2, 0),
    }  # fmt: skip
    assert found.result(parse_measure("P@10")).inference.mean.value == pytest.approx(0.066667, abs=5e-7)


def test_r61_cells_that_start_a_formula_are_guarded_and_come_back(shared_cases: Path, tmp_path: Path) -> None:
    case = shared_cases / "R61" / "list.jsonl"
    ids = [json.loads(line)["qid"] for line in case.read_text().splitlines()]
    (tmp_path / "q.txt").write_text("".join(f"{name} 0 none 1\n" for name in ids))
    init_experiment(tmp_path / "x", a=case, b=case, qrels=tmp_path / "q.txt")
    found = compare(open_experiment(tmp_path / "x"))
    texts = [topic.text for topic in found.experiment.topics.topics]
    assert [text for text in texts if guarded(text) == text and text[:1] in "=+-@\t\r"] == []
    assert [unguarded(guarded(text)) for text in texts] == texts
    assert all(
        row["topic"] in {guarded(name) for name in ids}
        for row in csv.DictReader(io.StringIO(to_csv(found, found.measures)))
    )


def test_r64_packed_files_are_read_by_content_or_refused(made: Made) -> None:
    found = made("R64", a="two_members.trec.gz", b="plain_named_gz.trec.gz", qrels="../R05/qrels.txt")
    assert found.alignment.a.length.tolist() == [2, 1]
    with pytest.raises(FormatError, match=r"cut\.trec\.gz"):
        made("R64", a="cut.trec.gz", b="gz_named_plain.trec", qrels="../R05/qrels.txt")


def test_r65_pickles_are_refused_and_never_run(
    shared_cases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, str(shared_cases / "R65" / "make_pickle.py")], check=True, cwd=tmp_path)
    (tmp_path / "q.txt").write_text("q1 0 d 1\n")
    for name in ("frame.pkl", "frame.csv", "frame.jsonl", "frame.parquet"):
        (tmp_path / "frame.pkl").rename(tmp_path / name)
        with pytest.raises(InputError, match="frame"):
            init_experiment(tmp_path / "x", a=tmp_path / name, b=tmp_path / name, qrels=tmp_path / "q.txt")
        (tmp_path / name).rename(tmp_path / "frame.pkl")
    assert not (tmp_path / "PICKLE_RAN").exists()
