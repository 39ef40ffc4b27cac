"""Every real run, judgment, topic and document file loads whole, or is refused in one sentence."""

import json
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

from comparekit.errors import FormatError
from comparekit.formats import read_documents, read_judgments, read_run, read_strata, read_topics

COLLECTIONS = {
    "cast2021_doc": "2021_manual_evaluation_topics_v1.0.json.gz",
    "cisi": "topics.tsv",
    "codec_doc": "topics.json",
    "cranfield": "topics.tsv",
    "dl19_passage": "topics.dl19-passage.txt",
    "dl_hard_doc": "topics.tsv",
    "esci_us": "topics.tsv",
    "trec_covid_r1": "topics.covid-round1.xml",
}
TOPICS = {
    "cast2021_doc": 239,
    "cisi": 112,
    "codec_doc": 42,
    "cranfield": 225,
    "dl19_passage": 43,
    "dl_hard_doc": 50,
    "esci_us": 150,
    "trec_covid_r1": 30,
}


def figures(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder / "expected" / "figures.json").read_text())
    return told


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_run_has_the_lines_topics_and_tag_that_its_figures_say(shared_data: Path, collection: str) -> None:
    for name, told in figures(shared_data / collection)["runs"].items():
        folder = shared_data / collection / "runs"
        run = read_run(next(path for path in (folder / name, folder / f"{name}.gz") if path.exists()))
        expected = (told["lines"], told["topics_in_run"], told["warts"].get("negative_scores", 0))
        got = (run.report.rows, len(pc.unique(run.topics)), int((run.scores < 0).sum()))
        assert (name, *expected) == (name, *got)
        assert told["tag"] in run.tags


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_judgment_file_has_the_grades_that_its_figures_say(shared_data: Path, collection: str) -> None:
    told = figures(shared_data / collection)
    rows, report = read_judgments(shared_data / collection / told["qrels"])
    values = pc.value_counts(rows.grades)
    grades = {f"{each['values']:g}": each["counts"] for each in values.to_pylist()}
    assert (told["judgments"], told["judged_topics"]) == (report.rows, len(pc.unique(rows.topics)))
    assert {f"{float(grade):g}": count for grade, count in told["grades"].items()} == grades


@pytest.mark.parametrize(("collection", "name"), COLLECTIONS.items())
def test_every_topic_file_has_its_topics(shared_data: Path, collection: str, name: str) -> None:
    topics, report = read_topics(shared_data / collection / name)
    assert TOPICS[collection] == len({topic.id for topic in topics}) == report.rows
    assert all(topic.text for topic in topics)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("cisi/docs.jsonl.gz", 1460),
        ("cranfield/docs.jsonl.gz", 1400),
        ("esci_us/source/ubi_ecommerce_products.json.gz", 6764),
    ],
)
def test_every_document_file_has_its_documents(shared_data: Path, name: str, count: int) -> None:
    documents, report = read_documents(shared_data / name)
    assert count == len(documents) == report.rows == len({document["id"] for document in documents})


@pytest.mark.parametrize(("collection", "count"), [("cisi", 112), ("cranfield", 225), ("esci_us", 150)])
def test_every_strata_file_has_its_topics(shared_data: Path, collection: str, count: int) -> None:
    strata, _ = read_strata(shared_data / collection / "strata.tsv")
    assert count == len(strata)
    assert all({"words", "length_band", "difficulty"} == set(labels) for labels in strata.values())


@pytest.mark.parametrize(
    ("name", "rows", "repairs"),
    [
        ("small_files/ir_measures/compat.run", 1927, set()),
        ("small_files/ir_measures/cwl.run", 30, set()),
        ("small_files/polyfuse/1-a.run", 5, set()),
        ("small_files/polyfuse/1-b.run", 5, set()),
        ("small_files/polyfuse/2-a.run", 255, set()),
        ("small_files/polyfuse/2-b.run", 255, set()),
        ("small_files/pyterrier/two_queries_result", 1410, set()),
        ("small_files/ranx/run.json", 5, set()),
        ("small_files/ranx/run.trec", 5, set()),
        ("small_files/ranx/run.trec.gz", 5, set()),
        ("small_files/tira/ranking-output-invalid-duplicate-documents/run.txt", 11, set()),
        ("small_files/tira/ranking-outputs/run.txt", 10, set()),
        ("small_files/tira/wows26-complete/run.txt.gz", 201, set()),
        ("small_files/trectools/input.uic0301_top30", 300, set()),
        ("small_files/trectools/r4.run", 9, set()),
        ("trec_eval_tests/results.test", 1500, set()),
        ("trec_eval_tests/results-302.test", 500, set()),
        ("trec_eval_tests/results.trunc", 584, set()),
        ("trec_eval_tests/results.comment.test.gz", 30100, set()),
    ],
)
def test_other_peoples_small_runs_are_read(shared_data: Path, name: str, rows: int, repairs: set[str]) -> None:
    # Counted with wc -l.
    report = read_run(shared_data / name).report
    assert (rows, repairs) == (report.rows, {each.what for each in report.repairs})


@pytest.mark.parametrize(
    ("name", "rows", "repairs"),
    [
        ("prefs_cast2019/TREC-CAST-2019.local.qrels", 173, {"line-ends"}),
        ("prefs_cast2019/TREC-CAsT-2019.qrels.gz", 29350, set()),
        ("trec_eval_tests/qrels.123", 10362, set()),
        ("trec_eval_tests/qrels.comments.123", 10362, {"comment-lines"}),
        ("trec_eval_tests/qrels.test", 3681, set()),
        ("trec_eval_tests/qrels.test.with-comments", 3681, {"comment-lines"}),
        ("trec_eval_tests/qrels.comment.test", 5890, set()),
        ("cranfield/source/cranqrel.trec.txt", 1837, {"line-ends"}),
        ("small_files/ir_measures/cwl.qrels", 23, set()),
        ("small_files/ranx/qrels.json", 5, set()),
        ("small_files/tira/valid-qrels/qrels.txt", 10, set()),
        ("quepid/Broad_Query_Set_rated.csv", 3668, set()),
        ("quepid/Broad_Query_Set_unrated.csv", 6, {"unjudged-rows", "blank-lines"}),
        ("quepid/Chorus_Electronics_basic.csv", 207, {"blank-lines"}),
        ("opensearch_srw/judgments_example.csv", 3, set()),
    ],
)
def test_other_peoples_judgments_are_read(shared_data: Path, name: str, rows: int, repairs: set[str]) -> None:
    report = read_judgments(shared_data / name)[1]
    assert (rows, repairs) == (report.rows, {each.what for each in report.repairs})


def test_a_rated_table_with_several_raters_needs_the_column_named(shared_data: Path) -> None:
    path = shared_data / "quepid" / "Broad_Query_Set_individual_ratings.csv"
    with pytest.raises(FormatError, match=r"no column for the grade: .*'final_rating'"):
        read_judgments(path)
    assert read_judgments(path, columns={"grade": "final_rating"})[1].rows > 3000


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("small_files/tira/ranking-output-invalid-too-few-columns/run.txt", r"run\.txt:4: .*expected 6 .*got 4"),
        ("small_files/pyterrier/light_results", r"light_results:1: .*expected 6 .*got 3"),
        ("small_files/ranx/run.parquet", "not read: got parquet"),
        ("small_files/ranx/run.lz4", "not read: got lz4"),
        ("trec_eval_tests/prefs.test", r"prefs\.test:1: .*got 5"),
        ("trec_eval_tests/qrels.test", "This looks like judgments"),
        ("quepid/static_queryset.csv", "no column for the score"),
    ],
)
def test_what_is_no_run_is_refused_in_one_sentence(shared_data: Path, name: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_run(shared_data / name)


@pytest.mark.parametrize("name", ["TREC-CAsT-2019.local.pref", "TREC-CAsT-2019.pref.gz"])
def test_preferences_are_not_taken_for_judgments(shared_data: Path, name: str) -> None:
    with pytest.raises(FormatError, match=r":1: .*a grade that is a finite number"):
        read_judgments(shared_data / "prefs_cast2019" / name)


@pytest.mark.parametrize("name", ["empty.trec", "blank.trec", "header_only.csv"])
def test_cases_of_empty_runs(shared_cases: Path, name: str) -> None:
    with pytest.raises(FormatError, match=f"{name}.*: the file is empty"):
        read_run(shared_cases / "R16" / name)


def test_cases_of_empty_judgments(shared_cases: Path) -> None:
    with pytest.raises(FormatError, match="the file is empty"):
        read_judgments(shared_cases / "R16" / "empty_qrels.txt")


def test_cases_of_encodings(shared_cases: Path) -> None:
    folder = shared_cases / "R11"
    assert read_run(folder / "run_plain.trec").topics == read_run(folder / "run_bom.trec").topics
    assert read_judgments(folder / "qrels_plain.txt")[0].docs == read_judgments(folder / "qrels_utf16.txt")[0].docs
    with pytest.raises(FormatError, match=r"topics_cp1252\.csv:2: .*Windows-1252"):
        read_topics(folder / "topics_cp1252.csv")


def test_cases_of_compressed_files(shared_cases: Path) -> None:
    folder = shared_cases / "R64"
    run = read_run(folder / "two_members.trec.gz")
    assert (["q1", "q1", "q2"], ["d1", "d2", "d3"]) == (run.topics.to_pylist(), run.docs.to_pylist())
    for name in ("gz_named_plain.trec", "plain_named_gz.trec.gz"):
        assert ["wrong-ending"] == [each.what for each in read_run(folder / name).report.repairs]
    with pytest.raises(FormatError, match=r"cut\.trec\.gz: the gzip data is cut off"):
        read_run(folder / "cut.trec.gz")
