"""Responses of search engines as they came over the wire."""

import json
from pathlib import Path
from typing import Any

import pytest

from comparekit.errors import FormatError
from comparekit.files import from_bytes
from comparekit.formats import RunRows, read_run


def response(value: Any, *, indent: int | None = None, keep_going: bool = False) -> RunRows:
    source = from_bytes("response.json", json.dumps(value, indent=indent).encode())
    return read_run(source, topic="q1", keep_going=keep_going)


def hit(index: str, name: str, score: float | None = 1.0) -> dict[str, Any]:
    return {"_index": index, "_id": name, "_score": score, "_source": {"title": f"{index} {name}"}}


@pytest.mark.parametrize("indent", [None, 1])
def test_an_elasticsearch_response_is_one_list(indent: int | None) -> None:
    run = response({"hits": {"hits": [hit("shop", "7", 2.5), hit("shop", "0007", 1)]}}, indent=indent)
    assert run.ranks is not None
    assert (["q1", "q1"], ["7", "0007"], [2.5, 1.0], [1, 2]) == (
        run.topics.to_pylist(),
        run.docs.to_pylist(),
        run.scores.tolist(),
        run.ranks.tolist(),
    )
    assert ("engine-response", {"title": "shop 7"}) == (run.report.format, run.document_texts["7"])


def test_one_id_in_two_indices_is_two_documents() -> None:
    run = response({"hits": {"hits": [hit("en", "7"), hit("de", "7"), hit("en", "8")]}})
    assert ["en/7", "de/7", "en/8"] == run.docs.to_pylist()
    assert ["index-in-id"] == [each.what for each in run.report.repairs]


def test_solr_and_vespa_responses_are_read() -> None:
    solr = response({"response": {"docs": [{"id": "a", "score": 2.0, "title": "A"}]}})
    vespa = response({"root": {"children": [{"id": "id:x:y::1", "relevance": 0.5, "fields": {"title": "A"}}]}})
    assert (["a"], [2.0], {"a": {"title": "A"}}) == (solr.docs.to_pylist(), solr.scores.tolist(), solr.document_texts)
    assert (["id:x:y::1"], [0.5]) == (vespa.docs.to_pylist(), vespa.scores.tolist())


def test_a_response_without_scores_is_ordered_by_place_alone() -> None:
    with pytest.raises(FormatError, match="the score is not a finite number: got nothing"):
        response({"hits": {"hits": [hit("shop", "7", None)]}})
    assert ["7"] == response({"hits": {"hits": [hit("shop", "7", None)]}}, keep_going=True).docs.to_pylist()


def test_a_response_without_results_answered_with_nothing() -> None:
    assert ("q1",) == response({"hits": {"hits": []}}).empty_topics


def test_the_topic_of_a_response_must_be_named() -> None:
    with pytest.raises(FormatError, match=r"does not say which topic it answers\. Name it"):
        read_run(from_bytes("r.json", b'{"hits": {"hits": []}}'))


@pytest.mark.parametrize("value", [{"hits": {"total": 3}}, {"hits": {"hits": [1]}}, {"response": {"docs": {}}}])
def test_a_response_without_a_list_is_refused(value: Any) -> None:
    with pytest.raises(FormatError, match="no list of results"):
        response(value)


def test_a_result_without_id_is_refused() -> None:
    with pytest.raises(FormatError, match="the document id must be text or a number: got None"):
        response({"hits": {"hits": [{"_index": "shop", "_score": 1.0}]}})


def test_cases_of_one_id_in_two_indices(shared_cases: Path) -> None:
    run = read_run(shared_cases / "R19" / "response_a.json", topic="q1")
    assert ["shop_en/7", "shop_de/7", "shop_en/8"] == run.docs.to_pylist()


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("elasticsearch7_qe_getdocidwithrequest.json.gz", 1),
        ("elasticsearch_knn_06-bbq-search-8-18-output.json", 2),
        ("solr_statedecoded_response.json", 10),
        ("vespa_rag_blueprint_resp.json", 10),
    ],
)
def test_real_responses_are_read(shared_data: Path, name: str, rows: int) -> None:
    assert rows == read_run(shared_data / "engine_responses" / name, topic="q1", keep_going=True).report.rows
