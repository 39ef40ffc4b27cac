"""Per-topic figures as CSV that a spreadsheet cannot mistake for formulas."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from comparekit.comparison import Comparison
from comparekit.formats.spreadsheet import guarded
from comparekit.measures import Measure
from comparekit.results import ALL, Selection

COLUMNS = ("topic", "measure", "a", "b", "delta", "outcome", "reason", "rbo", "changed")


def rows(comparison: Comparison, measures: Iterable[Measure], selection: Selection = ALL) -> Iterator[tuple[Any, ...]]:
    """One row a topic and measure, in topic order, in the order of `COLUMNS`; what is undefined is None."""
    for measure in measures:
        table = comparison.table(measure, selection)
        columns = (table[name].tolist() for name in ("topic", "a", "b", "delta", "outcome", "reason", "rbo", "changed"))
        for topic, a, b, delta, outcome, reason, rbo, changed in zip(*columns, strict=True):
            yield topic, str(measure), _figure(a), _figure(b), _figure(delta), outcome, reason, _figure(rbo), changed


def to_csv(comparison: Comparison, measures: Iterable[Measure], selection: Selection = ALL) -> str:
    """The CSV of `rows`: figures with all their digits, empty where undefined, text cells guarded."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    # An exploratory comparison bears that word wherever it goes.
    mark = [comparison.comparability.level] if comparison.comparability.level == "exploratory" else []
    writer.writerow([*COLUMNS, *(["comparability"] if mark else [])])
    for row in rows(comparison, measures, selection):
        writer.writerow([*(guarded(cell) if isinstance(cell, str) else _cell(cell) for cell in row), *mark])
    return out.getvalue()


def _figure(value: float) -> float | None:
    return None if value != value else value


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else repr(value)
