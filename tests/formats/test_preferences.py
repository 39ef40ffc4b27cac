"""Files of preferences between two documents."""

from collections import Counter
from pathlib import Path

import pytest

from comparekit.errors import FormatError
from comparekit.files import from_bytes
from comparekit.formats import Preferred, read_preferences


def test_every_answer_is_read_as_it_stands_with_its_line() -> None:
    rows, report = read_preferences(from_bytes("x.pref", "q1 a b b\n\nq1\tb\ta\tb\nq2 c ü\u00a0 tie\n".encode()))
    assert rows == (
        Preferred("q1", "a", "b", "b", 1), Preferred("q1", "b", "a", "b", 3), Preferred("q2", "c", "ü\u00a0", None, 4),
    )  # fmt: skip
    assert (report.format, report.rows) == ("preferences", 3)
    assert [(each.what, each.lines) for each in report.repairs] == [("blank-lines", (2,))]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("q1 a b b\nq1 a b\n", r"x\.pref:2: the line is malformed: expected topic left right preferred, got 3 fields"),
        ("q1 a b c\n", r"x\.pref:1: the preferred document is neither of the two: expected a, b or tie, got 'c'"),
        ("q1 a a a\n", r"x\.pref:1: a document is compared with itself: got 'a'"),
        ("q1 0 F d 1\n", "no format for preferences fits"),
        ("", "the file is empty"),
    ],
)
def test_what_is_no_preference_is_refused_with_its_line(text: str, what: str) -> None:
    with pytest.raises(FormatError, match=what):
        read_preferences(from_bytes("x.pref", text.encode()))


def test_a_document_called_tie_can_be_preferred() -> None:
    rows, _ = read_preferences(from_bytes("x.pref", b"q1 tie b tie\n"))
    assert rows[0].preferred == "tie"


def test_the_preferences_of_cast_load_whole(shared_data: Path) -> None:
    folder = shared_data / "prefs_cast2019"
    rows, report = read_preferences(folder / "TREC-CAsT-2019.pref.gz")
    # README of the data: 14,573 by the crowd on 12,490 pairs of 171 topics, and 3,743 by assessors.
    assert (len(rows), len({row.topic for row in rows}), report.repairs) == (14_573, 171, ())
    answers = Counter((row.topic, *sorted((row.left, row.right))) for row in rows)
    assert len(answers) == 12_490
    both = {(row.topic, *sorted((row.left, row.right)), row.preferred) for row in rows}
    # ... 853 pairs judged both ways: for some answers the one document, for others the other.
    assert len(both) - len(answers) == 853
    assert len(read_preferences(folder / "TREC-CAsT-2019.local.pref")[0]) == 3_743
