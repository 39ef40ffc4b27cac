"""SMART, the format of the old collections."""

from pathlib import Path

import pytest

from comparekit.errors import FormatError
from comparekit.files import from_bytes
from comparekit.formats import read_documents, read_judgments, read_topics


def test_fields_are_read_and_cross_references_are_not() -> None:
    text = (
        b".I 001\r\n.T \r\nA title\r\n.A\r\nMe, A.\r\n.W\r\n  one\r\ntwo\r\n.X\r\n1\t5\t1\r\n.I 2\n.W\n.5 is a number\n"
    )
    documents, _ = read_documents(from_bytes("x.all", text))
    assert {"id": "001", "title": "A title", "text": "one two", "author": "Me, A."} == documents[0]
    assert {"id": "2", "title": "", "text": ".5 is a number"} == documents[1]


def test_topics_agree_with_the_plain_file(shared_data: Path) -> None:
    smart, _ = read_topics(shared_data / "cisi" / "source" / "CISI.QRY")
    plain, _ = read_topics(shared_data / "cisi" / "topics.tsv")
    assert [(topic.id, topic.text) for topic in plain] == [(topic.id, topic.text) for topic in smart]


def test_documents_agree_with_the_plain_file(shared_data: Path) -> None:
    smart, _ = read_documents(shared_data / "cisi" / "source" / "CISI.ALL.gz")
    plain, _ = read_documents(shared_data / "cisi" / "docs.jsonl.gz")
    assert [(each["id"], each["title"], each["text"]) for each in plain] == [
        (each["id"], each["title"], each["text"]) for each in smart
    ]


def test_lists_of_relevant_documents_are_not_taken_for_qrels(shared_data: Path) -> None:
    smart, report = read_judgments(shared_data / "cisi" / "source" / "CISI.REL")
    plain, _ = read_judgments(shared_data / "cisi" / "qrels.txt")
    assert "smart-rel" == report.format
    assert (plain.topics, plain.docs, plain.grades.tolist()) == (smart.topics, smart.docs, smart.grades.tolist())


@pytest.mark.parametrize("text", ["q1 0 0 0\n", "q1 0 0 0.0\n", "q1 0 0 0.0\nq2 0 0 0.0\n", "q1 1 0 0\nq1 2 0 0\n"])
def test_qrels_of_a_document_called_0_are_qrels(text: str) -> None:
    rows, report = read_judgments(from_bytes("qrels", text.encode()))
    assert ("trec-qrels", {"0"}, 0.0) == (report.format, set(rows.docs.to_pylist()), rows.grades.sum())


def test_a_malformed_line_of_relevant_documents_is_named() -> None:
    with pytest.raises(FormatError, match=r"x\.rel:9000: the line is malformed: expected 4 fields, got 2"):
        read_judgments(from_bytes("x.rel", b"1 27 0 0.0\n" + b"1 28 0 0.0\n" * 8998 + b"1 28\n"))
