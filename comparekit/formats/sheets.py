"""
Tables of text cells: CSV, TSV and their kin, with the line each row begins at.

The header line alone says what parts the cells: a tab if it has one, else a comma or a semicolon, whichever it has
more of. In TSV quotes have no meaning; in CSV they may enclose commas, doubled quotes and line breaks. Every cell is
text. Marks against spreadsheet formulas (see `spreadsheet`) are taken off in CSV.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.formats.lines import blank_lines, numbered_lines
from comparekit.formats.names import SPELLINGS, spelled
from comparekit.formats.registry import SAMPLE_BYTES, Options
from comparekit.formats.spreadsheet import unguarded
from comparekit.repairs import Repair, repair

# The module's own limit is 131,072 characters a cell; ours is the limit on lines.
csv.field_size_limit(2**31 - 1)

Row = tuple[int, list[str]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: its column names, its rows with their line numbers (from 1), and what was repaired."""

    source: Source
    options: Options
    names: list[str]
    rows: list[Row]
    repairs: tuple[Repair, ...]

    def column(self, *roles: str) -> int | None:
        """
        The position of the column that plays the first of `roles` that is found, `None` when none is.

        The caller's `columns` come first. Raises `FormatError` when they name one that does not exist.
        """
        chosen = (self.options.columns or {}).get(roles[0])
        found = chosen or next(filter(None, (spelled(role, self.names) for role in roles)), None)
        return None if found is None else self.position(found)

    def position(self, name: str) -> int:
        """Where a column stands. Raises `FormatError` when there is none of that name, or two."""
        if self.names.count(name) == 1:
            return self.names.index(name)
        what = f"two columns are called {name!r}" if name in self.names else f"there is no column {name!r}"
        raise FormatError(what, path=self.source.path, line=1, got=self._listed(), todo="Name another column.")

    def required(self, *roles: str) -> int:
        """As `column`; raises `FormatError` naming the columns found when none plays the role."""
        position = self.column(*roles)
        if position is None:
            raise FormatError(
                f"no column for the {roles[0].replace('_', ' ')}",
                path=self.source.path,
                line=1,
                expected="one of " + ", ".join(dict.fromkeys(name for role in roles for name in SPELLINGS[role])),
                got=self._listed(),
                todo=f'Use columns={{"{roles[0].partition("_")[0]}": "…"}}; "#2" where there is no header.',
            )
        return position

    def others(self, *roles: str) -> list[str]:
        """The names of the columns that play none of `roles`."""
        known = {position for position in map(self.column, roles) if position is not None}
        return [name for position, name in enumerate(self.names) if position not in known]

    def _listed(self) -> str:
        return ", ".join(map(repr, self.names))


def open_sheet(source: Source, options: Options) -> Sheet:
    """
    Read a table whole.

    Without a header, which the caller says by naming columns by number (`#3`), the columns are called `#1`, `#2`, ….
    Raises `FormatError` at a row that has more or fewer cells than the header, or whose quotes do not close.
    """
    tabs = delimiter_of(source) == "\t"
    parted = list(_tab_rows(source, options) if tabs else _quoted_rows(source, options))
    blank = [line for line, cells in parted if not any(map(str.strip, cells))]
    rows = [(line, cells) for line, cells in parted if any(map(str.strip, cells))]
    names = [f"#{position + 1}" for position in range(len(rows[0][1]))] if rows and headless(options) else []
    names = names or (rows.pop(0)[1] if rows else [])
    if not rows:
        raise FormatError("the file is empty: it has a header and no rows", path=source.path, todo="Export it again.")
    _check_widths(rows, names, source)
    rows, guards = (rows, ()) if tabs else _unguarded_rows(rows, source)
    return Sheet(source, options, names, rows, (*blank_lines(blank, source), *guards))


def _check_widths(rows: list[Row], names: list[str], source: Source) -> None:
    for line, cells in rows:
        if len(cells) != len(names):
            what, expected = "the row has another number of cells than the header", f"{len(names)} ({', '.join(names)})"
            raise FormatError(what, path=source.path, line=line, expected=expected[:200], got=str(len(cells)))


def _tab_rows(source: Source, options: Options) -> Iterator[Row]:
    for line, raw in numbered_lines(source.data, source, options.limits):
        yield line, raw.rstrip(b"\r").decode().split("\t")


def _quoted_rows(source: Source, options: Options) -> Iterator[Row]:
    texts = (raw.decode() + "\n" for _, raw in numbered_lines(source.data, source, options.limits))
    reader = csv.reader(texts, delimiter=delimiter_of(source), strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        todo = "Double the quotes inside quoted cells, and close each."
        raise FormatError("the row is malformed", path=source.path, line=line, got=str(error), todo=todo) from error


def _unguarded_rows(rows: list[Row], source: Source) -> tuple[list[Row], tuple[Repair, ...]]:
    clean = [(line, [unguarded(cell) for cell in cells]) for line, cells in rows]
    lines = [line for (line, cells), (_, before) in zip(clean, rows, strict=True) if cells != before]
    if not lines:
        return rows, ()
    message = "An apostrophe against spreadsheet formulas was taken off."
    return clean, (repair("spreadsheet-guard", message, file=source.name, lines=lines),)


def header_of(source: Source) -> list[str]:
    """The cells of the first line, for finding out what a file is."""
    line, delimiter = first_line(source), delimiter_of(source)
    if delimiter == "\t":
        return line.split("\t")
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def headless(options: Options) -> bool:
    """Whether columns are told by number (`#3`), which is how a caller says that there is no header."""
    named = (options.columns or {}).values()
    return bool(named) and all(name[:1] == "#" and name[1:].isdecimal() for name in named)


def first_line(source: Source) -> str:
    """The first line that is not blank."""
    return source.data[:SAMPLE_BYTES].lstrip(b"\r\n").split(b"\n", 1)[0].rstrip(b"\r").decode(errors="replace")


def delimiter_of(source: Source) -> str:
    """What parts the cells, by the first line."""
    line = first_line(source)
    if "\t" in line:
        return "\t"
    return ";" if line.count(";") > line.count(",") else ","
