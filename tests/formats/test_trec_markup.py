"""Topics and documents in SGML and XML, without expanding anything."""

from contextlib import suppress
from pathlib import Path

import pytest

from comparekit.errors import ComparekitError, FormatError
from comparekit.files import from_bytes
from comparekit.formats import Topic, read_documents, read_topics

CLASSIC = """
<top>
<num> Number: 301
<title> Topic: International  Organized
Crime

<desc> Description:
Identify organizations.

<narr> Narrative:
Relevant if R&D &amp; more.
</top>

<top>
<num> Number: 0302
<title> Poliomyelitis
</top>
"""


def topics_of(text: str) -> tuple[Topic, ...]:
    return read_topics(from_bytes("topics.xml", text.encode()))[0]


def test_classic_topics_with_unclosed_tags_are_read() -> None:
    first, second = topics_of(CLASSIC)
    assert ("301", "International Organized Crime", "Identify organizations. Relevant if R&D & more.") == (
        first.id,
        first.text,
        first.need,
    )
    assert ("0302", "Poliomyelitis", "") == (second.id, second.text, second.need)


@pytest.mark.parametrize(
    "text",
    [
        '<topics task="x"><topic number="1"><query>a b</query><question>c</question><narrative>d</narrative></topic>',
        "<topics>\n<topic><number>1</number><title>a\nb</title><description>c</description><narrative>d</narrative></topic>",
        "<?xml version='1.0'?><xml><top><num> 1</num><title>\na b\n</title><desc>c</desc><narr>d</narr></top></xml>",
        "<!-- <topic number='9'/> --><topics><topic number='1'><title>a b</title><desc>c d</desc></topic></topics>",
    ],
)
def test_xml_topics_are_read_alike(text: str) -> None:
    assert [("1", "a b", "c d")] == [(topic.id, topic.text, topic.need) for topic in topics_of(text)]


def test_references_are_resolved_once_and_halves_are_left() -> None:
    topic = topics_of("<top><num>1</num><title>&amp;lt; &#233;&#xe9; &#xD800; &copy; &#9999999;</title></top>")[0]
    assert "&lt; éé &#xD800; &copy; &#9999999;" == topic.text


@pytest.mark.parametrize("doctype", ['<!DOCTYPE x [<!ENTITY a "&b;&b;">]>', '<!doctype x SYSTEM "file:///etc/passwd">'])
def test_declarations_are_refused_so_nothing_can_grow(doctype: str) -> None:
    with pytest.raises(FormatError, match="document type declarations are not read"):
        topics_of(f"{doctype}<top><num>1</num><title>&a;</title></top>")


def test_a_topic_without_number_is_named_with_its_line() -> None:
    with pytest.raises(FormatError, match=r"topics\.xml:3: the topic has no number: got title"):
        topics_of("<xml>\n<top><num>1<title>a</top>\n<top><title>b</top>")


def test_documents_keep_every_element() -> None:
    source = from_bytes("docs.xml", b"<doc>\n<docno>1</docno><title>A\nB</title><author>me</author><text></text></doc>")
    assert ({"id": "1", "title": "A B", "text": "", "author": "me"},) == read_documents(source)[0]


@pytest.mark.parametrize("piece", ["<top>", "<top ", "<!--", "<num>1", "<title a", "&#", "<topic number='"])
def test_what_never_ends_is_read_in_little_time(piece: str) -> None:
    # A pattern that looks for each end anew takes minutes for this.
    with suppress(ComparekitError):
        topics_of("<top>" + piece * 200_000)


def test_real_topics_agree_with_the_plain_file(shared_data: Path) -> None:
    marked, _ = read_topics(shared_data / "cranfield" / "source" / "cran.qry.xml")
    plain, _ = read_topics(shared_data / "cranfield" / "topics.tsv")
    assert [topic.text for topic in plain] == [topic.text for topic in marked]


def test_real_documents_agree_with_the_plain_file(shared_data: Path) -> None:
    marked, _ = read_documents(shared_data / "cranfield" / "source" / "cran.all.1400.xml.gz")
    plain, _ = read_documents(shared_data / "cranfield" / "docs.jsonl.gz")
    assert [(each["id"], each["title"]) for each in plain] == [(each["id"], each["title"]) for each in marked]


def test_a_file_that_ends_inside_a_topic_was_cut() -> None:
    text = '<topics><topic number="1"><query>a</query></topic>\n<topic number="2"><query>tw'
    with pytest.raises(FormatError, match=r"topics\.xml:2: an element is not closed: the file was cut"):
        topics_of(text)
