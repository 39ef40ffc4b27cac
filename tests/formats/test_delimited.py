"""CSV and TSV: every cell is text, and columns are found by name."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit.errors import FormatError
from comparekit.files import Source, from_bytes
from comparekit.formats import ImportReport, read_documents, read_judgments, read_run, read_strata, read_topics
from comparekit.formats.spreadsheet import guarded, unguarded

TRICKY = (
    "007",
    "7",
    "1e5",
    "100000",
    "31_1",
    "311",
    "1.0",
    "1",
    "TRUE",
    "9007199254740993",
    "NA",
    "null",
    "A  B.pdf",
    " x",
)
texts = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufeff"), min_size=1, max_size=12)


def table(text: str, name: str = "some.csv") -> Source:
    return from_bytes(name, text.encode())


def as_csv(rows: Sequence[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def kinds(report: ImportReport) -> dict[str, int]:
    return {each.what: each.count for each in report.repairs}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_ids_that_look_like_numbers_stay_text(delimiter: str) -> None:
    lines = "".join(f"{each}{delimiter}{each}{delimiter}1{delimiter}2\n" for each in TRICKY)
    header = delimiter.join(("qid", "docid", "rank", "score"))
    run = read_run(table(f"{header}\n{lines}"))
    assert list(TRICKY) == run.topics.to_pylist() == run.docs.to_pylist()
    assert ("delimited", len(TRICKY)) == (run.report.format, run.report.rows)


@pytest.mark.parametrize(
    "header",
    [
        "qid,docid,score,rank",
        "topic,doc,score,rank",
        "query_id,doc_id,score,position",
        "Query ID,DocNo,Score,Doc Position",
    ],
)
def test_columns_go_by_any_accepted_spelling(header: str) -> None:
    run = read_run(table(f"{header}\nq1,d1,2.5,1\n"))
    assert (["q1"], ["d1"], [2.5]) == (run.topics.to_pylist(), run.docs.to_pylist(), run.scores.tolist())
    assert run.ranks is not None
    assert [1] == run.ranks.tolist()


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("query-id\tcorpus-id\tscore", "beir.tsv"),
        ("qid,docid,grade", "some.csv"),
        ("query_id;doc_id;relevance", "some.txt"),
        ("score,topic,docno", "some.csv"),
        ("qid,docno,label", "some.csv"),
    ],
)
def test_judgments_go_by_any_accepted_spelling(header: str, name: str) -> None:
    delimiter = next(each for each in "\t;," if each in header)
    cells = {
        "score": "0.5",
        "grade": "0.5",
        "relevance": "0.5",
        "label": "0.5",
        "query-id": "7",
        "qid": "7",
        "query_id": "7",
        "topic": "7",
    }
    row = delimiter.join(cells.get(each, "007") for each in header.split(delimiter))
    rows, report = read_judgments(table(f"{header}\n{row}\n", name))
    assert (["7"], ["007"], [0.5], "delimited") == (
        rows.topics.to_pylist(),
        rows.docs.to_pylist(),
        rows.grades.tolist(),
        report.format,
    )


def test_a_missing_column_is_named_with_the_columns_found() -> None:
    with pytest.raises(
        FormatError, match=r"some\.csv:1: no column for the grade: .*got 'query', 'docid', 'final_rating'.*columns="
    ):
        read_judgments(table("query,docid,final_rating\nlaptop,1,3\n"))
    rows, _ = read_judgments(table("query,docid,final_rating\nlaptop,1,3\n"), columns={"grade": "final_rating"})
    assert [3.0] == rows.grades.tolist()


def test_a_column_that_is_not_there_cannot_be_chosen() -> None:
    with pytest.raises(FormatError, match="there is no column 'stars'"):
        read_judgments(table("qid,docid,grade\nq,d,1\n"), columns={"grade": "stars"})
    with pytest.raises(FormatError, match="two columns are called 'grade'"):
        read_judgments(table("qid,docid,grade,grade\nq,d,1,1\n"))


def test_a_table_without_header_is_read_by_numbered_columns() -> None:
    run = read_run(
        table("q1\td1\t1\nq1\td2\t2\n", "marco.tsv"),
        columns={"topic": "#1", "doc": "#2", "rank": "#3"},
        keep_going=True,
    )
    assert (["q1", "q1"], ["d1", "d2"]) == (run.topics.to_pylist(), run.docs.to_pylist())
    assert run.lines is not None
    assert [1, 2] == run.lines.tolist()


def test_without_a_score_column_only_the_ranks_can_order() -> None:
    text = "qid,docid,rank\nq1,d1,1\nq1,d2,2\n"
    with pytest.raises(FormatError, match="no column for the score"):
        read_run(table(text))
    run = read_run(table(text), keep_going=True)
    assert np.isnan(run.scores).all()
    assert {"unusable-scores": 2} == kinds(run.report)


@pytest.mark.parametrize("score", ["", "nan", "inf", "1e400", "high"])
def test_an_unusable_score_is_refused_with_its_line(score: str) -> None:
    with pytest.raises(FormatError, match=r"some\.csv:3: the score is not a finite number"):
        read_run(table(f"qid,docid,score\nq1,d1,1\nq1,d2,{score}\n"))


@pytest.mark.parametrize("rank", ["first", "", "1.5"])
def test_an_unusable_rank_is_refused_with_its_line(rank: str) -> None:
    with pytest.raises(FormatError, match=r"some\.csv:2: the rank is not a whole number"):
        read_run(table(f"qid,docid,score,rank\nq1,d1,1,{rank}\n"))


def test_an_empty_grade_is_unjudged_and_not_zero() -> None:
    rows, report = read_judgments(table("qid,docid,grade\nq1,d1,0\nq1,d2,\nq1,d3, \n\n,,\n"))
    assert ["d1"] == rows.docs.to_pylist()
    assert {"unjudged-rows": 2, "blank-lines": 2} == kinds(report)


def test_a_grade_that_is_no_number_is_refused_with_its_line() -> None:
    with pytest.raises(FormatError, match=r"some\.csv:3: the grade is unusable: expected a finite number, got 'good'"):
        read_judgments(table("qid,docid,grade\nq1,d1,0\nq1,d2,good\n"))


def test_quotes_enclose_commas_quotes_and_line_breaks_in_csv() -> None:
    topics, _ = read_topics(table('qid,query\nq1,"red, green"\nq2,"the ""quiet"" one"\nq3,"two\nlines"\nq4,5" pipe\n'))
    assert ["red, green", 'the "quiet" one', "two\nlines", '5" pipe'] == [topic.text for topic in topics]


def test_quotes_mean_nothing_in_tsv() -> None:
    topics, report = read_topics(table('q1\t"half inch pipe\nq2\tother "x"\nq3\tend"\n', "topics.tsv"))
    assert ['"half inch pipe', 'other "x"', 'end"'] == [topic.text for topic in topics]
    assert "id-tab-text" == report.format


def test_lines_are_counted_through_quoted_line_breaks() -> None:
    run = read_run(table('qid,docid,score,title\nq1,d1,3,"a\nb\nc"\nq1,d2,2,x\n'))
    assert run.lines is not None
    assert ([2, 5], {"title": "a\nb\nc"}) == (run.lines.tolist(), run.document_texts["d1"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('qid,docid,score\nq1,"d1,3\nq1,d2,2\n', ":2: the row is malformed"),
        ('qid,docid,score\nq1,"d1"x,3\n', ":2: the row is malformed"),
        ("qid,docid,score\nq1,d1,3\nq1,d2\n", r":3: .*expected 3 \(qid, docid, score\), got 2"),
        ("qid,docid,score\nq1,d1,3,4\n", ":2: .* got 4"),
        ("qid,docid,score\n,d1,3\n", ":2: the topic id is empty"),
        ("qid,docid,score\nq1,,3\n", ":2: the document id is empty"),
        ('qid,docid,score\nq1,"a\tb",3\n', r":2: a control character stands in the document id: got U\+0009"),
        ("qid,docid,score\nq1,a\x00b,3\n", r"U\+0000"),
    ],
)
def test_a_malformed_row_is_named(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=rf"some\.csv{message}" if message[0] == ":" else message):
        read_run(table(text))


def test_a_header_without_rows_is_an_empty_file() -> None:
    for read in (read_run, read_judgments, read_topics, read_documents, read_strata):
        with pytest.raises(FormatError, match="the file is empty: it has a header and no rows"):
            read(table("qid,docid,rank,score,grade,query,id,text\n"))


def test_topics_take_a_header_only_where_its_first_cell_names_ids() -> None:
    assert ["1"] == [topic.id for topic in read_topics(table("qid\tquery\n1\tsome\n", "t.tsv"))[0]]
    assert ["QID", "1"] == [topic.id for topic in read_topics(table("QID\tquery\n1\tsome\n", "t.tsv"))[0]]


def test_a_topic_table_tells_need_task_and_split() -> None:
    topics, report = read_topics(table("id,text,task,narrative,split,colour\nq1,a,known-item,why,held-out,red\n"))
    assert [("q1", "a", "known-item", "why", "held-out")] == [(t.id, t.text, t.task, t.need, t.split) for t in topics]
    assert ["Not read: colour."] == [each.message for each in report.repairs]


def test_topics_that_differ_by_case_or_a_blank_are_never_merged() -> None:
    topics, report = read_topics(table("t1\tDairy\nt2\tdairy\nt3\tdairy \n", "t.tsv"))
    assert (["Dairy", "dairy", "dairy "], ()) == ([topic.text for topic in topics], report.repairs)
    rows, report = read_judgments(table("query,docid,grade\nDairy,m1,1\ndairy,m1,0\n"))
    assert (["Dairy", "dairy"], {"similar-topics": 2}) == (rows.topics.to_pylist(), kinds(report))


def test_documents_keep_every_column() -> None:
    documents, _ = read_documents(table("docid,title,text,price\n007,Kettle,boils,9.50\n"))
    assert ({"id": "007", "title": "Kettle", "text": "boils", "price": "9.50"},) == documents


def test_an_empty_stratum_is_none_and_na_is_a_label() -> None:
    strata, report = read_strata(table("qid,stratum,band\nt1,head,a\nt2,,NA\nt3,null, \n"))
    assert {"t1": ("head", "a"), "t2": (None, "NA"), "t3": ("null", " ")} == {
        k: tuple(v.values()) for k, v in strata.items()
    }
    assert 3 == report.rows


def test_a_topic_with_two_strata_is_refused() -> None:
    with pytest.raises(FormatError, match=r"some\.csv:3: the topic has other strata above"):
        read_strata(table("qid,stratum\nt1,head\nt1,tail\n"))


def test_strata_without_a_header_are_named_by_the_caller(shared_data: Path) -> None:
    chosen = {"topic": "#1", "answer type": "#4"}
    strata, report = read_strata(shared_data / "dl_hard_doc" / "annotations.tsv", columns=chosen)
    assert (400, {"answer type": "long answer"}) == (report.rows, strata["50122"])


def test_a_guard_against_formulas_is_taken_off_and_reported() -> None:
    run = read_run(table("qid,docid,score\nq1,'-12,-0.25\n'=q2,it's,1\n"))
    assert (["q1", "=q2"], ["-12", "it's"], [-0.25, 1.0]) == (
        run.topics.to_pylist(),
        run.docs.to_pylist(),
        run.scores.tolist(),
    )
    assert [(2, 3)] == [each.lines for each in run.report.repairs if each.what == "spreadsheet-guard"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-12", "@x", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠x", "'=1", "''=1"])
def test_what_a_spreadsheet_would_run_is_guarded(text: str) -> None:
    assert ("'" + text, text) == (guarded(text), unguarded(guarded(text)))


@given(st.text())
def test_the_guard_can_always_be_taken_off(text: str) -> None:
    assert text == unguarded(guarded(text))
    assert guarded(text)[:1] not in tuple("=+-@\t\r＝＋－＠")


@given(st.lists(st.tuples(texts, texts, st.floats(allow_nan=False, allow_infinity=False)), min_size=1, max_size=6))
def test_any_ids_and_scores_come_back_from_csv(expected: list[tuple[str, str, float]]) -> None:
    rows = [(guarded(topic), guarded(doc), repr(score)) for topic, doc, score in expected]
    run = read_run(table(as_csv([("qid", "docid", "score"), *rows])))
    assert expected == list(zip(run.topics.to_pylist(), run.docs.to_pylist(), run.scores.tolist(), strict=True))


@pytest.mark.parametrize("case", ["R02", "R04"])
def test_cases_of_ids_that_look_like_numbers(shared_cases: Path, case: str) -> None:
    topics, _ = read_topics(shared_cases / case / "topics.csv")
    run, rows = read_run(shared_cases / case / "run_a.csv"), read_judgments(shared_cases / case / "qrels.csv")[0]
    names = [topic.id for topic in topics]
    assert {"R02": 2, "R04": 9}[case] == len(set(names))
    assert names == list(dict.fromkeys(run.topics.to_pylist())) == rows.topics.to_pylist()


def test_cases_of_ids_with_blanks(shared_cases: Path) -> None:
    assert ["A_B.pdf", "A B.pdf", "A  B.pdf"] == read_run(shared_cases / "R08" / "run_a.csv").docs.to_pylist()


def test_cases_of_quotes_and_commas(shared_cases: Path) -> None:
    topics, _ = read_topics(shared_cases / "R14" / "topics.csv")
    assert ["red, green and blue", 'the "quiet" one', "first line\nsecond line"] == [topic.text for topic in topics]
    assert '"half inch pipe' == read_topics(shared_cases / "R14" / "topics.tsv")[0][0].text


def test_cases_of_topics_without_a_stratum(shared_cases: Path) -> None:
    strata, _ = read_strata(shared_cases / "R46" / "strata.csv")
    assert {"t01": "head", "t02": "head", "t03": None, "t04": "tail", "t05": "NA"} == {
        topic: labels["stratum"] for topic, labels in strata.items()
    }
