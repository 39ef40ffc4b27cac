"""Finding the format of a file by what is in it."""

import gzip
from contextlib import suppress
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparekit.errors import ComparekitError, FormatError
from comparekit.files import from_bytes
from comparekit.formats import read_documents, read_judgments, read_run, read_strata, read_topics
from comparekit.formats.registry import Kind, formats

READERS = (read_run, read_topics, read_judgments, read_documents, read_strata)
NAMES = st.sampled_from(["x.csv", "x.tsv", "x.jsonl", "x.json", "x.trec", "x.xml", "x.gz"])
PIECES = st.sampled_from(
    (
        b'q1| |\t|\n|\r|,|;|"|{|}|[|]|:|#|1|0.5|<top>|</top>|<doc>|&#1;|Q0|.I |qid|docid|score|null|NaN|\\u|\\ud800'
        b'|"hits"|"turn"|\'|id\ttext\n|qid,docid,score,grade\n|{"q":{"d":1}}|\xff\xfe|\xef\xbb\xbf|\x80|\x00|\xc2\x85|\xc2\xa0'
    ).split(b"|")
)


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_format_says_what_it_expects(kind: Kind) -> None:
    found = formats(kind)
    assert found
    assert all(each.expects and each.name for each in found)
    assert len(found) == len({each.name for each in found})


def test_an_unknown_format_lists_what_was_tried() -> None:
    with pytest.raises(
        FormatError, match=r"x: no format for run fits: expected .*jsonl: .*trec-run: lines of 6 fields.*got 'hello'"
    ):
        read_run(from_bytes("x", b"hello\n"))


def test_a_format_can_be_chosen_by_name() -> None:
    assert "trec-run" == read_run(from_bytes("x.csv", b"q1 Q0 d 1 1 a\n"), format="trec-run").report.format
    with pytest.raises(FormatError, match=r"no format for run has this name: expected engine-response, .*got trec"):
        read_run(from_bytes("x.csv", b"q1 Q0 d 1 1 a\n"), format="trec")


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("data", [b"", b"\n", b" \t\r\n \n", b"\xef\xbb\xbf", gzip.compress(b"")])
def test_nothing_at_all_is_an_empty_file(read, data: bytes) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(FormatError, match="the file is empty"):
        read(from_bytes("x.gz", data))


@pytest.mark.parametrize("name", ["run.tsv", "run.csv", "run.txt", "run"])
def test_a_trec_run_is_known_by_its_lines_and_not_its_name(name: str) -> None:
    for doc, line in (
        ("d,1", "q1\tQ0\td,1\t1\t2.0\ta\n"),
        ("d,1", "q1 Q0 d,1 1 2.0 a\n"),
        ("d,\xa01", "q1 Q0 d,\xa01 1 2.0 a\n"),
        ("d, 1", "q1\tQ0\td, 1\t1\t2.0\ta\n"),
    ):
        assert [doc] == read_run(from_bytes(name, line.encode())).docs.to_pylist()


@settings(max_examples=300)
@given(st.binary(max_size=200) | st.lists(PIECES, max_size=30).map(b"".join), NAMES)
def test_only_our_own_errors_come_out_of_any_bytes(data: bytes, name: str) -> None:
    for read in READERS:
        for raw in (data, gzip.compress(data)):
            with suppress(ComparekitError):
                read(from_bytes(name, raw))
