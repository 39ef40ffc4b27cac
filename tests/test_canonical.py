"""Canonical bytes and digests."""

import json
import math
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from comparekit.canonical import MAX_DEPTH, canonical, digest_of, is_digest, parse, parse_canonical, sha256_of, short
from comparekit.errors import InputError, RecordError

TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | TEXT
    | st.floats(allow_nan=False, allow_infinity=False, min_value=-9e15, max_value=9e15),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


# Number forms from RFC 8785, appendix B, and key order from its section 3.2.3.
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1.0, b"1"),
        (1e-7, b"1e-7"),
        (0.000001, b"0.000001"),
        (-0.0, b"0"),
        (5e-324, b"5e-324"),
        (0.1 + 0.2, b"0.30000000000000004"),
        (12.34000015258789, b"12.34000015258789"),
        ({"\uffff": 1, "\U00010000": 2}, '{"\U00010000":2,"\uffff":1}'.encode()),
        ({"b": [1, 2.5], "a": None}, b'{"a":null,"b":[1,2.5]}'),
        ("a\u2028b", '"a\u2028b"'.encode()),
    ],
)
def test_canonical_bytes_are_those_of_the_rfc(value: Any, expected: bytes) -> None:
    assert canonical(value) == expected


@given(VALUES)
def test_canonical_bytes_read_back_to_themselves(value: Any) -> None:
    assert canonical(parse_canonical(canonical(value))) == canonical(value)


@given(st.dictionaries(TEXT, st.integers(0, 9), min_size=2, max_size=6))
def test_the_order_of_insertion_does_not_change_a_digest(members: dict[str, int]) -> None:
    assert digest_of(dict(reversed(members.items()))) == digest_of(members)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e20, 2.0**53, 2**53, -(2**60)])
def test_numbers_outside_the_domain_are_refused(value: float) -> None:
    with pytest.raises(RecordError, match="cannot be recorded"):
        canonical({"score": value})


@pytest.mark.parametrize("text", ["\x00", "a\rb", "\x1b[31m", "\x7f", "\x9f"])
def test_control_characters_are_refused(text: str) -> None:
    with pytest.raises(RecordError, match="control character: got U\\+00"):
        canonical([text])


def test_lone_surrogates_are_refused() -> None:
    with pytest.raises(RecordError, match="not valid Unicode"):
        canonical("\ud800")


def test_keys_must_be_text() -> None:
    with pytest.raises(RecordError, match="key is not text"):
        canonical({1: "a"})


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 100_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    with pytest.raises(InputError, match=r"receipts\.jsonl:3: .*(nested too deeply|not a JSON record)"):
        parse_canonical(b"[" * depth + b"]" * depth, path="receipts.jsonl", line=3)


@given(VALUES | st.floats(allow_nan=False, allow_infinity=False, min_value=-9e15, max_value=9e15))
def test_the_quick_way_writes_what_the_rfc_package_writes(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b'{"a":1,"a":2}', "stands twice"),
        (b'{"a":NaN}', "not a JSON number"),
        (b'{"a":12345678901234567}', "beyond 2\\*\\*53"),
        (b'{"a":1', "not a JSON record"),
        (b'"\xff"', "not a JSON record"),
    ],
)
def test_malformed_lines_are_refused_with_file_and_line(line: bytes, what: str) -> None:
    with pytest.raises(RecordError, match=f"r.jsonl:7: .*{what}"):
        parse(line, path="r.jsonl", line=7)


@pytest.mark.parametrize(
    "line", [b'{"a": 1}', b'{"a":1.0}', b'{"b":1,"a":2}', b'{"a":"\\u0041"}', b'{"a":-0}', b'{"a":1}\r']
)
def test_other_spellings_of_a_value_are_not_canonical(line: bytes) -> None:
    with pytest.raises(RecordError, match="not canonical JSON, first difference at byte"):
        parse_canonical(line)


def test_digests_are_written_with_their_algorithm() -> None:
    # FIPS 180-2, SHA-256 of "abc".
    digest = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256_of(b"abc") == digest
    assert is_digest(digest)
    assert not is_digest("sha256:abc")
    assert short(digest) == "ba7816bf8f01"


@given(VALUES)
def test_canonical_json_is_json(value: Any) -> None:
    assert json.loads(canonical(value)) == json.loads(json.dumps(value))
