"""One JSON object that maps topics."""

import pytest

from comparekit.errors import FormatError
from comparekit.files import Source, from_bytes
from comparekit.formats import read_judgments, read_run, read_strata, read_topics


def mapping(text: str) -> Source:
    return from_bytes("map.json", text.encode())


@pytest.mark.parametrize(
    "text", ['{"q1": {"d1": 0.5, "007": 2}, "q2": {}}', '{\n "q1": {\n  "d1": 0.5, "007": 2\n },\n "q2": {}}']
)
def test_a_run_maps_topics_to_documents_to_scores(text: str) -> None:
    run = read_run(mapping(text))
    assert (["q1", "q1"], ["d1", "007"], [0.5, 2.0]) == (
        run.topics.to_pylist(),
        run.docs.to_pylist(),
        run.scores.tolist(),
    )
    assert (None, ("q2",), "json-map") == (run.ranks, run.empty_topics, run.report.format)


def test_judgments_map_topics_to_documents_to_grades() -> None:
    rows, report = read_judgments(mapping('{"q1": {"d1": -1, "d2": null}}'))
    assert (["d1"], [-1.0], ["unjudged-rows"]) == (
        rows.docs.to_pylist(),
        rows.grades.tolist(),
        [each.what for each in report.repairs],
    )


def test_topics_map_ids_to_fields_or_texts() -> None:
    topics, _ = read_topics(mapping('{\n"7": {"Query": "a", "Narrative": "b"},\n"007": "c"}'))
    assert [("7", "a", "b"), ("007", "c", "")] == [(topic.id, topic.text, topic.need) for topic in topics]


def test_strata_map_topics_to_labels() -> None:
    file = mapping('{"t1": {"Query": "a", "Domain": "x"}, "t2": {"Query": "b", "Domain": null}}')
    assert {"t1": {"domain": "x"}, "t2": {"domain": None}} == read_strata(file, columns={"domain": "Domain"})[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n"q1": {"d1": 1},\n"q2": [1]}', ":3: a topic must hold an object"),
        ('{\n"q1": {"d1": 1},\n"q2": {"d1": "high"}}', ":3: the score is not a finite number: got 'high'"),
        ('{\n"q1": {"d1": 1},\n"q1": {"d2": 1}}', "the name 'q1' stands twice"),
        ('{\n"q1": {"d1": 1, "": 2}}', ":2: the document id is empty"),
    ],
)
def test_a_malformed_map_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_run(mapping(text))
