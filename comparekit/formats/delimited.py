"""
CSV and TSV with a header: runs, judgments, topics, documents and strata, by the names of their columns.

BEIR's judgments (`query-id`, `corpus-id`, `score`) are one of these. Where only the text of a query is given and no
id, the text exactly as written is the topic's id.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.formats.building import JudgmentBuilder, RunBuilder
from comparekit.formats.names import SPELLINGS, spelled
from comparekit.formats.records import Record, read_document_records, read_strata_rows, read_topic_records, texts_of
from comparekit.formats.registry import Options, register, sample_lines
from comparekit.formats.rows import ImportReport, JudgmentRows, RunRows
from comparekit.formats.sheets import Sheet, first_line, header_of, open_sheet
from comparekit.formats.values import number
from comparekit.topics import Topic

ORDER = 50
NAMED = "a CSV or TSV table whose header names the columns"
Fits = Callable[[Source, Options], bool]


def _table_with(*needed: tuple[str, ...], trec_fields: int = -1) -> Fits:
    """
    Whether a file is a table whose header has, of each tuple of roles, at least one.

    A table with other names fits too, and its reader says which are missing, unless its first line is a TREC line:
    ids may hold commas, and TREC files may be called `.tsv`.
    """

    def fits(source: Source, options: Options) -> bool:
        names = header_of(source)
        if options.columns or all(any(spelled(role, names) for role in roles) for roles in needed):
            return True
        return _is_table(source) and not _is_trec(first_line(source), trec_fields)

    return fits


def _is_trec(line: str, width: int) -> bool:
    # Of bytes, since a no-break space parts words of text but not fields.
    split = (line.encode().split(), line.encode().split(b"\t"))
    return any(len(fields) == width and number(fields[3].decode().strip()) is not None for fields in split)


def _is_table(source: Source) -> bool:
    if source.name.removesuffix(".gz").casefold().endswith((".csv", ".tsv")):
        return True
    lines = sample_lines(source)[:5]
    commas = {line.count(",") for line in lines}
    return len(commas) == 1 and commas != {0} and not lines[0].startswith(("{", "[", "<"))


@register(
    "delimited",
    "run",
    expects=f"{NAMED}: topic, doc, score, rank",
    fits=_table_with(("topic", "query"), ("doc",), trec_fields=6),
    order=ORDER,
)
def read_run_table(source: Source, options: Options) -> RunRows:
    """A run, one row a retrieved document. Without scores it is read only for a caller who orders by rank."""
    sheet = open_sheet(source, options)
    topic, doc = sheet.required("topic", "query"), sheet.required("doc")
    score = sheet.column("score") if options.keep_going else sheet.required("score")
    query, rank, tag = (sheet.column(role) for role in ("query", "rank", "tag"))
    run = RunBuilder(source, options)
    for line, cells in sheet.rows:
        run.add(cells[topic], cells[doc], score=_cell(cells, score), rank=_cell(cells, rank), line=line)
        run.note_texts(cells[doc], texts_of(dict(zip(sheet.names, cells, strict=True))))
        if query is not None:
            run.topic_texts.setdefault(cells[topic], cells[query])
        if tag is not None:
            run.tags[cells[tag]] = None
    run.unread |= dict.fromkeys(sheet.others("topic", "query", "doc", "score", "rank", "tag", "title", "text", "url"))
    return run.built("delimited", repairs=sheet.repairs, by_text=topic == query)


@register(
    "delimited",
    "judgments",
    expects=f"{NAMED}: topic, doc, grade",
    fits=_table_with(("topic", "query"), ("doc",), ("grade",), trec_fields=4),
    order=ORDER,
)
def read_judgment_table(source: Source, options: Options) -> JudgmentRows:
    """Judgments, one row each; an empty grade is an unjudged row."""
    sheet = open_sheet(source, options)
    topic, doc, grade = sheet.required("topic", "query"), sheet.required("doc"), sheet.required("grade")
    assessor, origin = sheet.column("assessor"), sheet.column("source")
    judgments = JudgmentBuilder(source)
    for line, cells in sheet.rows:
        told = {"assessor": _cell(cells, assessor), "source": _cell(cells, origin)}
        judgments.add(cells[topic], cells[doc], grade=cells[grade], line=line, **told)
    judgments.unread |= dict.fromkeys(sheet.others("topic", "query", "doc", "grade", "assessor", "source"))
    return judgments.built("delimited", repairs=sheet.repairs, by_text=topic == sheet.column("query"))


def _fits_topics(source: Source, options: Options) -> bool:
    # A first cell that is not an id's name is an id: `id<TAB>text` files have no header.
    names = header_of(source)
    if "\t" in first_line(source) and not options.columns:
        return names[0] in SPELLINGS["topic_id"] and spelled("topic_text", names[1:]) is not None
    return _table_with(("topic_text",))(source, options)


@register("delimited", "topics", expects=f"{NAMED}: id, text", fits=_fits_topics, order=ORDER)
def read_topic_table(source: Source, options: Options) -> tuple[tuple[Topic, ...], ImportReport]:
    """Topics: id, text, task, need, split; a topic without an id goes by its text."""
    sheet = open_sheet(source, options)
    if "topic" not in (options.columns or {}):
        sheet.required("topic_id", "topic_text")
    records = _records(sheet, {"topic": "id", "text": "text", "task": "task", "need": "need", "split": "split"})
    return read_topic_records(source, "delimited", records, sheet.repairs)


@register(
    "id-tab-text",
    "topics",
    expects="an id, a tab and a text a line",
    fits=lambda source, _: "\t" in first_line(source),
    order=60,
)
def read_topic_lines(source: Source, options: Options) -> tuple[tuple[Topic, ...], ImportReport]:
    """Topics without a header: the first cell is the id, the second the text; quotes mean nothing."""
    sheet = open_sheet(source, replace(options, columns={"topic": "#1", "text": "#2"}))
    if len(sheet.names) != 2:
        raise FormatError(
            "the line has another number of cells",
            path=source.path,
            line=1,
            expected="2 (id, text)",
            got=str(len(sheet.names)),
            todo='Say which cells count, as columns={"topic": "#1", "text": "#2"}.',
        )
    records = ((line, {"id": cells[0], "text": cells[1]}) for line, cells in sheet.rows)
    return read_topic_records(source, "id-tab-text", records, sheet.repairs)


@register(
    "delimited",
    "documents",
    expects=f"{NAMED}: id, title, text",
    fits=_table_with(("doc_id",), ("title", "text")),
    order=ORDER,
)
def read_document_table(source: Source, options: Options) -> tuple[tuple[dict[str, str], ...], ImportReport]:
    """Documents: id, title, text, url, and every other column under its own name."""
    sheet = open_sheet(source, options)
    if "doc" not in (options.columns or {}):
        sheet.required("doc_id")
    records = _records(sheet, {"doc": "id", "title": "title", "text": "text", "url": "url"})
    return read_document_records(source, "delimited", records, sheet.repairs)


@register(
    "delimited",
    "strata",
    expects=f"{NAMED}: the topic, and one column a stratum",
    fits=lambda source, _: len(header_of(source)) > 1,
    order=ORDER,
)
def read_strata_table(source: Source, options: Options) -> tuple[dict[str, dict[str, str | None]], ImportReport]:
    """
    Strata: every column beside the topic's is one, by its name; an empty cell is no stratum, `NA` is a label.

    When `columns` names strata, only these are read, under the caller's names.
    """
    sheet = open_sheet(source, options)
    topic = sheet.required("topic", "topic_id")
    chosen = {name: sheet.position(column) for name, column in (options.columns or {}).items() if name != "topic"}
    chosen = chosen or {name: position for position, name in enumerate(sheet.names) if position != topic}
    rows = (
        (line, cells[topic], {name: cells[position] for name, position in chosen.items()}) for line, cells in sheet.rows
    )
    return read_strata_rows(source, "delimited", rows, sheet.repairs)


def _cell(cells: list[str], position: int | None) -> str | None:
    return None if position is None else cells[position]


def _records(sheet: Sheet, roles: Mapping[str, str]) -> Iterator[tuple[int, Record]]:
    """The rows as records; a column that the caller named is called what the table of spellings tries first."""
    chosen = {
        sheet.names[sheet.position(column)]: roles[role]
        for role, column in (sheet.options.columns or {}).items()
        if role in roles
    }
    names = [chosen.get(name, f"{name} (not chosen)" if name in chosen.values() else name) for name in sheet.names]
    return ((line, dict(zip(names, cells, strict=True))) for line, cells in sheet.rows)
