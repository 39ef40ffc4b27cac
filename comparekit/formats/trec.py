"""
TREC runs and judgments (qrels): one line a document, fields parted by blanks or tabs.

A regular file goes to pyarrow as it is. Any other is read line by line, by the same rules and with exact line numbers:

- Blanks and tabs part fields. Where that gives a wrong number of them but the tabs alone give the right one, only the
  tabs part fields, and blanks inside a field belong to it.
- A line that begins with `#` is a comment, unless it has the right number of fields and a number in the fourth, the
  rank or the grade: a topic id may begin with `#` too.
- Blank lines and comments are skipped and reported. Anything else that is not a row is refused with its line.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.formats.lines import blank_lines, numbered_lines
from comparekit.formats.registry import Options, register, sample_lines
from comparekit.formats.reports import report_of
from comparekit.formats.rows import JudgmentRows, RunRows
from comparekit.formats.values import number, unusable_score, unusable_scores, whole_number
from comparekit.repairs import Repair, repair

Names = tuple[str, ...]
Lines = npt.NDArray[np.int64] | None

RUN: Names = ("topic", "iteration", "doc", "rank", "score", "tag")
QRELS: Names = ("topic", "iteration", "doc", "grade")
VALUE = {RUN: "score", QRELS: "grade"}
TYPES = {
    "topic": pa.string(),
    "doc": pa.string(),
    "rank": pa.int64(),
    "score": pa.float64(),
    "tag": pa.dictionary(pa.int32(), pa.string()),
    "grade": pa.float64(),
}
SCANNED = 1 << 18
PARSED = 1 << 22
C1_CONTROLS = re.compile(rb"\xc2[\x80-\x9f]")
CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")


def _has_fields(source: Source, options: Options) -> bool:
    lines = [line for line in sample_lines(source) if not line.lstrip().startswith("#")]
    return not lines or len(lines[0].encode().split()) >= 3


@register("trec-run", "run", expects=f"lines of {len(RUN)} fields, {' '.join(RUN)}", fits=_has_fields, order=90)
def read_trec_run(source: Source, options: Options) -> RunRows:
    """A run. The second field may be anything; ranks may start anywhere, have gaps and contradict the scores."""
    table, lines, repairs = _read(source, RUN, options)
    tags = dict.fromkeys(tag for chunk in table["tag"].chunks for tag in chunk.dictionary.to_pylist())
    report = report_of(source, "trec-run", table["topic"], table["doc"], repairs)
    scores, ranks = table["score"].to_numpy(), table["rank"].to_numpy()
    return RunRows(table["topic"], table["doc"], scores, ranks, lines, tuple(tags), report)


@register(
    "trec-qrels", "judgments", expects=f"lines of {len(QRELS)} fields, {' '.join(QRELS)}", fits=_has_fields, order=90
)
def read_trec_qrels(source: Source, options: Options) -> JudgmentRows:
    """Judgments. The second field may be anything; grades may be fractional and negative."""
    table, lines, repairs = _read(source, QRELS, options)
    report = report_of(source, "trec-qrels", table["topic"], table["doc"], repairs)
    return JudgmentRows(table["topic"], table["doc"], table["grade"].to_numpy(), lines, None, report)


def _read(source: Source, names: Names, options: Options) -> tuple[pa.Table, Lines, tuple[Repair, ...]]:
    data = source.data
    repairs: tuple[Repair, ...] = ()
    if b"\r" in data and b"\r\n" in data:
        data = data.replace(b"\r\n", b"\n")
        repairs = (repair("line-ends", "Lines end in CR LF.", file=source.name, count=1),)
    table = _regular_table(data, names)
    if table is not None:
        return table, None, repairs
    table, lines, skipped = _careful_table(source, data, names, options)
    return table, lines, (*repairs, *skipped.repairs(source))


def _regular_table(data: bytes, names: Names) -> pa.Table | None:
    """The columns of a file without any oddity, at pyarrow's speed, or `None`."""
    delimiter = b"\t" if b"\t" in data[: data.find(b"\n")] else b" "
    if not _is_regular(data, delimiter):
        return None
    wanted = [name for name in names if name != "iteration"]
    try:
        table = pyarrow.csv.read_csv(
            pa.BufferReader(data),
            pyarrow.csv.ReadOptions(column_names=names, block_size=PARSED),
            pyarrow.csv.ParseOptions(delimiter=delimiter.decode(), quote_char=False, double_quote=False),
            pyarrow.csv.ConvertOptions(
                column_types=TYPES, include_columns=wanted, strings_can_be_null=False, null_values=[]
            ),
        )
    except pa.ArrowInvalid:
        return None
    return table if np.isfinite(table[VALUE[names]].to_numpy()).all() else None


def _is_regular(data: bytes, delimiter: bytes) -> bool:
    """Whether every field is parted from the next by one `delimiter`, every line ends in one newline, and no more."""
    if data[0] <= 32 or b"\x7f" in data or (not data.isascii() and C1_CONTROLS.search(data)):
        return False
    octets = np.frombuffer(data, np.uint8)
    for at in range(0, len(data), SCANNED):
        block = octets[at : at + SCANNED + 1]
        parting = block <= 32
        if (parting[1:] & parting[:-1]).any():
            return False
        expected = np.count_nonzero(block == delimiter[0]) + np.count_nonzero(block == 10)
        if np.count_nonzero(parting) != expected:
            return False
    return True


@dataclass(slots=True)
class _Skipped:
    blank: list[int] = field(default_factory=list)
    comments: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)

    def repairs(self, source: Source) -> tuple[Repair, ...]:
        comments = repair("comment-lines", "Comment lines were skipped.", file=source.name, lines=self.comments)
        told = (comments,) if self.comments else ()
        return (*told, *blank_lines(self.blank, source), *unusable_scores(self.scores, source))


def _careful_table(source: Source, data: bytes, names: Names, options: Options) -> tuple[pa.Table, Lines, _Skipped]:
    """The same columns, read line by line."""
    _refuse_controls(source, data)
    skipped = _Skipped()
    lines: list[int] = []
    rows: list[list[Any]] = []
    for line, raw in numbered_lines(data, source, options.limits):
        fields = _fields(raw, len(names))
        row = _row(fields, names)
        if not fields:
            skipped.blank.append(line)
        elif fields[0].startswith(b"#") and (row is None or row[3] is None):
            skipped.comments.append(line)
        else:
            rows.append(_checked(row, fields, names, source=source, line=line, options=options, skipped=skipped))
            lines.append(line)
    if not rows:
        raise FormatError("the file holds comments and no rows", path=source.path, todo="Export it again.")
    return _table(rows, names), np.array(lines, np.int64), skipped


def _table(rows: list[list[Any]], names: Names) -> pa.Table:
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    return pa.table({name: pa.array(columns[name], kind) for name, kind in TYPES.items() if name in columns})


def _fields(raw: bytes, width: int) -> list[bytes]:
    fields = raw.split()
    if len(fields) != width and raw.count(b"\t") == width - 1:
        return [part.strip(b" ") for part in raw.split(b"\t")]
    return fields


def _row(fields: list[bytes], names: Names) -> list[Any] | None:
    """The values of a line, `None` for a number that is none; `None` altogether when the fields are too many or few."""
    if len(fields) != len(names):
        return None
    row: list[Any] = [each.decode() for each in fields]
    if names is QRELS:
        row[3] = number(row[3])
    else:
        row[3], row[4] = whole_number(row[3]), number(row[4])
    return row


def _checked(
    row: list[Any] | None,
    fields: list[bytes],
    names: Names,
    *,
    source: Source,
    line: int,
    options: Options,
    skipped: _Skipped,
) -> list[Any]:
    if row is None or not row[0] or not row[2]:
        raise _wrong_fields(fields, names, source=source, line=line)
    if row[3] is None:
        expected = "a grade that is a finite number" if names is QRELS else "a rank that is a whole number"
        raise FormatError(
            "the row is malformed", path=source.path, line=line, expected=expected, got=repr(fields[3].decode())
        )
    if names is RUN and row[4] is None:
        if not options.keep_going:
            raise unusable_score(fields[4].decode(), source=source, line=line)
        skipped.scores.append(line)
        row[4] = float("nan")
    return row


def _wrong_fields(fields: list[bytes], names: Names, *, source: Source, line: int) -> FormatError:
    other = {len(RUN): "This looks like a run.", len(QRELS): "This looks like judgments."}
    return FormatError(
        "the line has another number of fields",
        path=source.path,
        line=line,
        expected=f"{len(names)} ({' '.join(names)})",
        got=f"{sum(map(bool, fields))}",
        todo=other.get(len(fields), "Ids with blanks need tabs between the fields, CSV or JSONL."),
    )


def _refuse_controls(source: Source, data: bytes) -> None:
    found = CONTROLS.search(data)
    if found:
        line = data.count(b"\n", 0, found.start()) + 1
        got = f"U+{ord(found.group().decode()):04X}"
        raise FormatError("a control character stands in the line", path=source.path, line=line, got=got)
