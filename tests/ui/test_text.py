"""The one way of untrusted text to a page: escaped always, visible always, undefined never zero."""

import html
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit.ui.text import (
    count,
    ident,
    interval,
    join,
    number,
    p_value,
    percent,
    prose,
    short,
    signed,
    tag,
    visible,
)


class Words(HTMLParser):
    """The words of some HTML, and the elements that they stand in."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.words, self.elements = "", []  # type: str, list[str]
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += data


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\x00")))
def test_any_text_comes_out_letter_for_letter_and_makes_no_element(text: str) -> None:
    shown = Words(tag("p", prose(text), title=text))
    assert ["p", "bdi"] == shown.elements
    assert html.unescape(html.escape(text)) == shown.words


def test_an_element_inside_an_element_is_not_escaped_twice() -> None:
    assert "<p><b>&lt;</b>&amp;</p>" == tag("p", tag("b", "<"), "&")


def test_attributes_that_are_none_or_false_are_left_out() -> None:
    assert '<a aria-label="x" class="y" hidden></a>' == tag(
        "a", aria_label="x", class_="y", hidden=True, title=None, rel=False
    )


def test_an_attribute_cannot_be_closed_from_inside() -> None:
    assert '<a title="&quot;&gt;&lt;b&gt;"></a>' == tag("a", title='"><b>')


def test_parts_that_are_none_are_left_out() -> None:
    assert "a&lt;" == join("a", None, "<")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("31_1", "31_1"),
        (" a ", " a "),
        ("a\u200bb", "a[U+200B]b"),
        ("\u202eabc", "[U+202E]abc"),
        ("a\nb", "a[U+000A]b"),
        ("é", "é"),
    ],
)
def test_what_cannot_be_seen_in_an_id_is_written_out(text: str, shown: str) -> None:
    assert shown == visible(text)
    assert shown == Words(ident(text)).words


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0314, "+0.031"),
        (-0.25, "−0.250"),
        (0.0, "0.000"),
        (-0.0, "0.000"),
        (-0.0004, "0.000"),
        (None, "–"),
        (float("nan"), "–"),
    ],
)
def test_a_difference_has_three_decimals_and_a_sign_and_zero_has_none(value: float | None, shown: str) -> None:
    assert shown == signed(value)


def test_undefined_is_a_dash_and_never_zero() -> None:
    assert ("–", "–", "–", "–") == (number(None), number(float("nan")), p_value(None), interval(None, 0.1))


def test_a_p_value_is_never_zero() -> None:
    assert ("< 0.001", "0.001", "1.000") == (p_value(1e-9), p_value(0.001), p_value(1.0))


def test_counts_agree_with_their_nouns() -> None:
    assert ("1 topic", "0 topics", "7,000 topics", "2 losses") == (
        count(1, "topic"), count(0, "topic"), count(7000, "topic"), count(2, "loss", "losses"),
    )  # fmt: skip


def test_a_share_of_nothing_is_a_dash() -> None:
    assert ("–", "33 %") == (percent(0, 0), percent(1, 3))


def test_a_digest_is_shortened_to_twelve_digits() -> None:
    assert "0123456789ab" == short("sha256:0123456789abcdef")
