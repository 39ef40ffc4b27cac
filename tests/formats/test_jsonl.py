"""JSON lines and arrays: ids as written, lines by newline alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit.errors import FormatError, LimitExceeded
from comparekit.files import Limits, Source, from_bytes
from comparekit.formats import ImportReport, RunRows, read_documents, read_judgments, read_run, read_strata, read_topics

ids = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=12)


def lines(*records: Any) -> Source:
    texts = [each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in records]
    return from_bytes("some.jsonl", "".join(f"{text}\n" for text in texts).encode())


def pairs(run: RunRows) -> list[tuple[str, str]]:
    return list(zip(run.topics.to_pylist(), run.docs.to_pylist(), strict=True))


def kinds(report: ImportReport) -> dict[str, int]:
    return {each.what: each.count for each in report.repairs}


@pytest.mark.parametrize("written", ["101", "9007199254740993", "1.0", "1e5", "-0", "100000000000000000000000000000"])
def test_a_number_as_id_becomes_the_text_written_in_the_file(written: str) -> None:
    nested = f'{{"qid": {written}, "results": [{{"docid": {written}, "score": 1, "rank": 1}}]}}'
    flat = f'{{"qid": {written}, "docno": {written}, "score": 1}}'
    assert [(written, written)] == pairs(read_run(lines(nested))) == pairs(read_run(lines(flat)))
    assert [written] == read_judgments(lines(f'{{"qid": {written}, "docid": "d", "grade": 1}}'))[0].topics.to_pylist()
    assert written == read_topics(lines(f'{{"id": {written}, "text": "t"}}'))[0][0].id
    assert written == read_documents(lines(f'{{"_id": {written}, "text": "t"}}'))[0][0]["id"]


@pytest.mark.parametrize("value", ["true", "null", "NaN", "[1]", '{"a": 1}', "Infinity"])
def test_what_is_neither_text_nor_number_is_no_id(value: str) -> None:
    with pytest.raises(FormatError, match=r"some\.jsonl:2: the (topic|document)( id)? "):
        read_run(lines('{"qid": "q", "docno": "d", "score": 1}', f'{{"qid": "q", "docno": {value}, "score": 1}}'))


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x1c", "\x0b"])
def test_only_a_newline_ends_a_record(mark: str) -> None:
    text = f"tide{mark}tables"
    escaped = json.dumps(text, ensure_ascii=mark < " ")
    run = read_run(
        lines(f'{{"qid": "q1", "query": {escaped}, "results": [{{"docid": "d1", "score": 1, "title": {escaped}}}]}}')
    )
    assert ({"q1": text}, {"d1": {"title": text}}) == (run.topic_texts, run.document_texts)


@pytest.mark.parametrize("names", [("qid", "docno"), ("topic", "doc"), ("query_id", "doc_id"), ("topic", "docid")])
def test_flat_rows_go_by_any_accepted_spelling(names: tuple[str, str]) -> None:
    run = read_run(lines({names[0]: "q1", names[1]: "d1", "score": 2.5, "rank": 0}))
    assert [("q1", "d1")] == pairs(run)
    assert ([2.5], [0], "jsonl") == (run.scores.tolist(), run.ranks.tolist(), run.report.format)  # type: ignore[union-attr]


def test_flat_rows_without_ranks_have_none() -> None:
    assert read_run(lines({"qid": "q", "docno": "d", "score": 1})).ranks is None
    with pytest.raises(FormatError, match=":2: the row has no rank, although others have"):
        read_run(lines({"qid": "q", "docno": "d", "score": 1, "rank": 1}, {"qid": "q", "docno": "e", "score": 1}))


def test_a_nested_result_without_rank_stands_at_its_place() -> None:
    run = read_run(lines({"qid": "q", "results": [{"docid": "d", "score": 1}, {"docid": "e", "score": 2}]}))
    assert run.ranks is not None
    assert ([1, 2], {"ranks-from-place": 2}) == (run.ranks.tolist(), kinds(run.report))


def test_a_topic_answered_with_nothing_is_told_from_an_absent_one() -> None:
    run = read_run(
        lines({"qid": "q1", "results": []}, {"qid": "q2", "results": [{"docid": "d", "score": 1, "rank": 1}]})
    )
    assert (("q1",), [("q2", "d")]) == (run.empty_topics, pairs(run))


def test_a_failed_topic_has_no_list_and_is_reported() -> None:
    run = read_run(
        lines({"topic": "q1", "state": "failed", "results": []}, {"topic": "q2", "results": [{"doc": "d", "score": 1}]})
    )
    assert ((), 1) == (run.empty_topics, kinds(run.report)["failed-topics"])


def test_a_list_without_ids_goes_by_its_exact_text() -> None:
    results = [{"docid": "m1", "rank": 1, "score": 1}]
    run = read_run(lines(*({"query": text, "results": results} for text in ("Dairy", "dairy", "dairy ", "milk"))))
    assert ["Dairy", "dairy", "dairy ", "milk"] == run.topics.to_pylist()
    assert {"similar-topics": 3} == kinds(run.report)


@pytest.mark.parametrize("score", ["null", "NaN", "Infinity", "-Infinity", "1e400", '"high"', "[]"])
def test_a_score_that_is_no_finite_number_is_refused_or_left_out(score: str) -> None:
    file = lines(
        '{"qid": "q", "docno": "d", "score": 1, "rank": 2}',
        f'{{"qid": "q", "docno": "e", "score": {score}, "rank": 1}}',
    )
    with pytest.raises(FormatError, match=r"some\.jsonl:2: the score is not a finite number"):
        read_run(file)
    run = read_run(file, keep_going=True)
    assert np.array_equal([1.0, np.nan], run.scores, equal_nan=True)
    assert [(2,)] == [each.lines for each in run.report.repairs if each.what == "unusable-scores"]


def test_an_array_is_read_like_lines_and_keeps_line_numbers() -> None:
    file = from_bytes(
        "some.json", b'[\n {"qid": "q", "docno": "d", "score": 1},\n\n {"qid": "q",\n "docno": "e", "score": 2}]'
    )
    run = read_run(file)
    assert run.lines is not None
    assert ([("q", "d"), ("q", "e")], [2, 4]) == (pairs(run), run.lines.tolist())


def test_blank_lines_are_reported() -> None:
    run = read_run(lines("", {"qid": "q", "docno": "d", "score": 1}, "  "))
    assert {"blank-lines": 2} == kinds(run.report)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ('{"qid": "q", "docno": "d", "score": 1', "malformed JSON"),
        ('{"qid": "q", "docno": "d", "docno": "e", "score": 1}', "the name 'docno' stands twice"),
        ('{"qid": "q\\ud800", "docno": "d", "score": 1}', "half of a surrogate pair"),
        ('{"qid": "q\\u0000", "docno": "d", "score": 1}', r"control character .*U\+0000"),
        ('{"docno": "d", "score": 1}', "the topic is missing: expected one of topic, qid"),
        ('{"qid": "q", "score": 1}', "the document is missing: .*got qid, score"),
        ('{"qid": "q", "results": {}}', "the results must be a list"),
        ('{"qid": "q", "results": ["d"]}', "a result must be an object"),
        ("[1]", "not a JSON object"),
    ],
)
def test_a_malformed_record_is_named(record: str, message: str) -> None:
    with pytest.raises(FormatError, match=rf"some\.jsonl:2: .*{message}"):
        read_run(lines('{"qid": "q", "docno": "d0", "score": 1}', record))


def test_json_nested_too_deep_is_refused() -> None:
    deep = '{"qid": "q", "docno": "d", "score": 1, "x": ' + "[" * 40 + "]" * 40 + "}"
    with pytest.raises(LimitExceeded, match="expected at most 32 levels, got 41"):
        read_run(lines('{"qid": "q", "docno": "d", "score": 1}', deep))
    assert 1 == read_run(lines('{"qid": "q", "docno": "d", "score": 1, "x": "' + "[" * 99 + '"}')).report.rows
    with pytest.raises((FormatError, LimitExceeded)):
        read_run(lines("[" * 100_000))


def test_escaped_quotes_without_end_are_read_in_little_time() -> None:
    with pytest.raises(FormatError, match="malformed JSON"):
        read_run(lines('{"qid": "q", "docno": "d", "score": 1}', "{}" * 40 + '"' + '\\"' * 1_000_000))


def test_a_record_longer_than_a_line_may_be_is_refused() -> None:
    with pytest.raises(LimitExceeded, match=":1: the line is too long"):
        read_run(lines({"qid": "q", "docno": "d" * 100, "score": 1}), limits=Limits(line_bytes=64))


def test_judgments_tell_assessor_and_source() -> None:
    rows, report = read_judgments(
        lines(
            {"topic": "t", "doc": "d", "grade": 0.5, "source": "human", "assessor": "ann"},
            {"topic": "t", "doc": "d", "grade": "2.000"},
            {"topic": "t", "doc": "e", "grade": None},
        )
    )
    assert [0.5, 2.0] == rows.grades.tolist()
    assert (("ann", None), ("human", None)) == (rows.assessors, rows.sources)
    assert {"unjudged-rows": 1} == kinds(report)


def test_topics_tell_all_that_is_pinned() -> None:
    record = {
        "id": "t",
        "text": "x",
        "task": "known-item",
        "need": "n",
        "strata": {"a": "1", "b": None},
        "split": "tuning",
    }
    topic = read_topics(lines(record))[0][0]
    assert ("t", "x", "known-item", "n", {"a": "1", "b": None}, "tuning") == (
        topic.id,
        topic.text,
        topic.task,
        topic.need,
        topic.strata,
        topic.split,
    )


def test_beir_queries_and_corpus_are_read() -> None:
    topics, _ = read_topics(lines({"_id": "1", "text": "some query", "metadata": {}}))
    documents, report = read_documents(lines({"_id": "d1", "title": "T", "text": "body", "metadata": {"a": 1}}))
    assert ("1", "some query") == (topics[0].id, topics[0].text)
    assert ({"id": "d1", "title": "T", "text": "body"},) == documents
    assert ["Not read: metadata."] == [each.message for each in report.repairs]


def test_documents_keep_single_values_as_text() -> None:
    documents, _ = read_documents(lines({"asin": "B0", "price": 9.50, "stock": True, "brand": None, "url": "http://x"}))
    assert ({"id": "B0", "title": "", "text": "", "url": "http://x", "price": "9.5", "stock": "true"},) == documents


def test_strata_come_from_the_member_or_from_named_fields() -> None:
    assert {"t": {"band": "head"}} == read_strata(lines({"id": "t", "strata": {"band": "head"}}))[0]
    assert {"t": {"class": "a"}} == read_strata(lines({"id": "t", "k": "a", "z": "b"}), columns={"class": "k"})[0]


@given(
    st.lists(st.tuples(ids, ids, st.floats(allow_nan=False, allow_infinity=False)), min_size=1, max_size=6),
    st.booleans(),
)
def test_any_ids_and_scores_come_back(expected: list[tuple[str, str, float]], escaped: bool) -> None:
    records = (json.dumps({"qid": t, "docno": d, "score": s}, ensure_ascii=escaped) for t, d, s in expected)
    run = read_run(lines(*records))
    assert expected == list(zip(run.topics.to_pylist(), run.docs.to_pylist(), run.scores.tolist(), strict=True))


def test_cases_of_ids_as_numbers(shared_cases: Path) -> None:
    assert ["101", "101", "102", "103", "103"] == read_run(shared_cases / "R01" / "list_b.jsonl").topics.to_pylist()
    big = read_run(shared_cases / "R04" / "list_big.jsonl")
    assert [("9007199254740993", "9007199254740993"), ("9007199254740992", "9007199254740992")] == pairs(big)


def test_cases_of_lists_without_ids(shared_cases: Path) -> None:
    run = read_run(shared_cases / "R10" / "list_noid.jsonl")
    assert (["Dairy", "dairy", "dairy "], {"similar-topics": 3}) == (run.topics.to_pylist(), kinds(run.report))


def test_cases_of_unusual_line_ends(shared_cases: Path) -> None:
    run = read_run(shared_cases / "R13" / "list.jsonl")
    assert {"q1": "tide\u2028tables", "q2": "moon", "q3": "sun"} == run.topic_texts
    assert ["Tides", "Moon\u2029rise", "Sun\x85set"] == [each["title"] for each in run.document_texts.values()]


def test_cases_of_missing_scores(shared_cases: Path) -> None:
    path = shared_cases / "R17" / "list_null.jsonl"
    with pytest.raises(FormatError, match=r"list_null\.jsonl:1: the score is not a finite number: got nothing"):
        read_run(path)
    assert [(1, 2)] == [each.lines for each in read_run(path, keep_going=True).report.repairs]


def test_cases_of_formulas_are_not_altered(shared_cases: Path) -> None:
    run = read_run(shared_cases / "R61" / "list.jsonl")
    assert ["+1+1", "-2+3", "@SUM(A1:A2)", "=1+1"] == run.docs.to_pylist()[1:5]
    assert ("\t=1+1", "\r=1+1") == (run.topic_texts["q5"], run.topic_texts["q6"])
