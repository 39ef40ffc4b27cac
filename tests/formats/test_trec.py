"""TREC runs and judgments, as regular files and with every oddity met in the wild."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit.errors import FormatError, LimitExceeded
from comparekit.files import Limits, from_bytes
from comparekit.formats import JudgmentRows, RunRows, read_judgments, read_run

ids = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters=" \ufeff"), min_size=1, max_size=12)
numbers = st.floats(allow_nan=False, allow_infinity=False)


def run_of(text: str, **options: bool) -> RunRows:
    return read_run(from_bytes("some.run", text.encode()), **options)  # type: ignore[arg-type]


def judged(text: str) -> JudgmentRows:
    return read_judgments(from_bytes("some.qrels", text.encode()))[0]


def rows(run: RunRows) -> list[tuple[str, str, int, float]]:
    assert run.ranks is not None
    return list(zip(run.topics.to_pylist(), run.docs.to_pylist(), run.ranks.tolist(), run.scores.tolist(), strict=True))


def kinds(read: RunRows | JudgmentRows) -> dict[str, int]:
    return {each.what: each.count for each in read.report.repairs}


def test_a_regular_run_is_read_as_it_stands() -> None:
    run = run_of("q2 Q0 d1 1 2.5 alpha\nq1 xx d1 0 -1e3 beta\nq2 Q0 d1 7 .5 alpha\n")
    assert [("q2", "d1", 1, 2.5), ("q1", "d1", 0, -1000.0), ("q2", "d1", 7, 0.5)] == rows(run)
    assert (("alpha", "beta"), None, 3, ()) == (run.tags, run.lines, run.report.rows, run.report.repairs)
    assert ("some.run", "trec-run") == (run.report.name, run.report.format)


@pytest.mark.parametrize(
    "text",
    [
        "q1\tQ0\td1\t1\t2.0\ta\nq1\tQ0\td2\t2\t1.0\ta\n",
        "q1  Q0   d1 1  2.0 a\nq1 Q0 d2 2 1.0 a\n",
        "  q1 Q0 d1 1 2.0 a \n q1 Q0 d2 2 1.0 a\t\n",
        "q1 Q0\td1 1\t 2.0 a\nq1 Q0 d2 2 1.0 a",
        "q1 Q0 d1 1 2.0 a\r\nq1 Q0 d2 2 1.0 a\r\n",
        "q1 Q0 d1 1 +2.0 a\nq1 Q0 d2 2.0 1E0 a",
        "\n\nq1 Q0 d1 1 2.0 a\n   \nq1 Q0 d2 2 1.0 a\n\n",
        "# made in spring\nq1 Q0 d1 1 2.0 a\n#\nq1 Q0 d2 2 1.0 a\n# end",
    ],
)
def test_the_same_run_comes_out_of_any_layout(text: str) -> None:
    assert [("q1", "d1", 1, 2.0), ("q1", "d2", 2, 1.0)] == rows(run_of(text))


def test_skipped_lines_are_reported_and_the_rest_keep_their_numbers() -> None:
    run = run_of("# one comment\nq1 Q0 d1 1 2.0 a\n\nq1 Q0 d2 2 1.0 a\n")
    assert {"comment-lines": 1, "blank-lines": 1} == kinds(run)
    assert run.lines is not None
    assert [2, 4] == run.lines.tolist()


def test_a_topic_may_begin_with_a_hash_sign() -> None:
    run = run_of("# a comment of 3 words\n#2 Q0 d1 1 2.0 a\n# Q0 d1 1 1.0 a\n")
    assert [("#2", "d1", 1, 2.0), ("#", "d1", 1, 1.0)] == rows(run)
    assert {"comment-lines": 1} == kinds(run)
    assert [("#2", 1.0)] == [*zip((read := judged("# a b c\n#2 0 d 1\n")).topics.to_pylist(), read.grades, strict=True)]


@pytest.mark.parametrize(
    "doc", ["vol#0#12", "http://x.org/?a=1&b=%3F#c", "c:\\old", '"', "NA", "nan", "0042", "1e5", "ｎ", "a,b"]
)
@pytest.mark.parametrize("prefix", ["", "# careful\n"])
def test_document_ids_are_kept_letter_for_letter(doc: str, prefix: str) -> None:
    assert [doc, "d2"] == run_of(f"{prefix}q1 Q0 {doc} 1 2 a\nq1 Q0 d2 2 1 a\n").docs.to_pylist()
    assert [doc] == judged(f"{prefix}q1 0 {doc} 1\n").docs.to_pylist()


def test_blanks_inside_a_field_need_tabs_between_fields() -> None:
    run = run_of("q 1\tQ0\tA  B.pdf\t1\t 2.0\tall of it\nq 1\tQ0\tA B.pdf\t2\t1.0\tall\n")
    assert [("q 1", "A  B.pdf", 1, 2.0), ("q 1", "A B.pdf", 2, 1.0)] == rows(run)
    assert ("all of it", "all") == run.tags


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q1 d1 1 2.0 a", r":2: .* expected 6 \(topic iteration doc rank score tag\), got 5\. Ids with blanks"),
        ("q1 Q0 A B.pdf 1 2.0 a", ":2: .* got 7"),
        ("q1  d1 1 2.0 a", "got 5"),
        ("q1 Q0 d1 1 2.0 ", "got 5"),
        ("q1 0 d1 1", "got 4. This looks like judgments."),
        ("q1 Q0 d1 first 2.0 a", ":2: .*expected a rank that is a whole number, got 'first'"),
        ("q1 Q0 d1 1.5 2.0 a", "got '1.5'"),
        ("q1 Q0 \x01d1 1 2.0 a", r":2: a control character .* got U\+0001"),
        ("q1 Q0 d\x001 1 2.0 a", r"U\+0000"),
        ("q1 Q0 d\x7f 1 2.0 a", r"U\+007F"),
        ("q1 Q0 d\x85 1 2.0 a", r"U\+0085"),
        ("q1 Q0 d\r1 1 2.0 a", r"U\+000D"),
        ("\tQ0\td1\t1\t2.0\ta", "got 5"),
    ],
)
def test_a_malformed_line_is_named(line: str, message: str) -> None:
    with pytest.raises(FormatError, match=r"some\.run" + (message if message[0] == ":" else f":2: .*{message}")):
        run_of(f"q1 Q0 d0 1 3.0 a\n{line}\nq1 Q0 d9 9 0.5 a\n")


@pytest.mark.parametrize(
    "score", ["nan", "inf", "-inf", "Infinity", "1e400", "-1e999", "high", "1_000", "0x10", "1,5", "١", "--1"]
)
def test_a_score_that_is_no_finite_number_is_refused_or_left_out(score: str) -> None:
    text = f"q1 Q0 d1 2 3.0 a\nq1 Q0 d2 1 {score} a\n"
    with pytest.raises(FormatError, match=rf"some\.run:2: the score is not a finite number: got '{score}'\. .*ranks"):
        run_of(text)
    run = run_of(text, keep_going=True)
    assert np.array_equal([3.0, np.nan], run.scores, equal_nan=True)
    assert [(2,)] == [each.lines for each in run.report.repairs if each.what == "unusable-scores"]


@pytest.mark.parametrize("text", ["", "\n \n\t\n"])
def test_an_empty_file_says_so(text: str) -> None:
    with pytest.raises(FormatError, match="the file is empty"):
        run_of(text)
    with pytest.raises(FormatError, match="the file is empty"):
        judged(text)


def test_a_file_of_comments_has_no_rows() -> None:
    with pytest.raises(FormatError, match="comments and no rows"):
        run_of("# nothing\n# here\n")


def test_a_line_over_the_limit_is_refused() -> None:
    source = from_bytes("some.run", b"# " + b"x" * 200 + b"\nq1 Q0 d1 1 2.0 a\n")
    with pytest.raises(LimitExceeded, match=r"some\.run:1: the line is too long: expected at most 100 bytes, got 202"):
        read_run(source, limits=Limits(line_bytes=100))


def test_grades_may_be_fractional_and_negative() -> None:
    read = judged("q1 0.5  d1 0.5\nq1 1 d2 -2\nq1 Q0 d3 2.70\nq1 0 d1 1\n")
    assert [0.5, -2.0, 2.7, 1.0] == read.grades.tolist()
    assert ["d1", "d2", "d3", "d1"] == read.docs.to_pylist()
    assert (None, None) == (read.assessors, read.sources)


@pytest.mark.parametrize("grade", ["high", "nan", "inf", "1e400", "1_0"])
def test_a_grade_that_is_no_number_is_refused(grade: str) -> None:
    with pytest.raises(FormatError, match=rf"some\.qrels:2: .*a grade that is a finite number, got '{grade}'"):
        judged(f"q1 0 d1 1\nq1 0 d2 {grade}\n")


def test_a_run_is_no_judgment_file() -> None:
    with pytest.raises(FormatError, match=r"expected 4 .* got 6\. This looks like a run\."):
        judged("q1 Q0 d1 1 2.0 a\n")


def test_ids_that_look_alike_are_listed_and_kept_apart() -> None:
    run = run_of("Q1 Q0 é 1 2.0 a\nq1 Q0 e\u0301 1 2.0 a\nq2 Q0 x 1 1.0 a\n")
    assert [("Q1", "q1"), ("é", "e\u0301")] == [
        each.topics for each in run.report.repairs if each.what == "similar-ids"
    ]
    assert 3 == len(set(run.topics.to_pylist()))


@given(st.lists(st.tuples(ids, ids, st.integers(-(10**17), 10**17), numbers, ids), min_size=1, max_size=8))
def test_any_ids_and_numbers_come_back_on_both_paths(expected: list[tuple[str, str, int, float, str]]) -> None:
    text = "".join(f"{topic} Q0 {doc} {rank} {score!r} {tag}\n" for topic, doc, rank, score, tag in expected)
    regular, careful = run_of(text), run_of(f"\n{text}")
    assert [row[:4] for row in expected] == rows(regular) == rows(careful)
    assert tuple(dict.fromkeys(row[4] for row in expected)) == regular.tags == careful.tags
    assert (None, False) == (regular.lines, careful.lines is None)


def test_cases_of_hash_signs(shared_cases: Path) -> None:
    run = read_run(shared_cases / "R05" / "run_b.trec")
    assert ["vol#0#13", "vol#0#12"] == run.docs.to_pylist()
    assert {"comment-lines": 1} == kinds(run)


def test_cases_of_addresses(shared_cases: Path) -> None:
    a, b = (read_run(shared_cases / "R07" / name).docs.to_pylist() for name in ("run_a.trec", "run_b.trec"))
    assert set(a) == set(b)
    assert 5 == len(set(a))


def test_cases_of_unusable_scores(shared_cases: Path) -> None:
    for name, lines in (("run_nan.trec", (1, 4, 6, 7)), ("run_nan_shuffled.trec", (4, 5, 7, 8))):
        path = shared_cases / "R17" / name
        with pytest.raises(FormatError, match=rf"{name}:{lines[0]}: the score"):
            read_run(path)
        run = read_run(path, keep_going=True)
        assert [lines] == [each.lines for each in run.report.repairs]
        assert 4 == int(np.isnan(run.scores).sum())
