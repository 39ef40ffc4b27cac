"""What the readers hand on: rows as they stood in the file, with ids as text and every repair reported."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from comparekit.repairs import Repair


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What was read: the file's base name, the format it turned out to be in, its digest, rows, and all repairs."""

    name: str
    format: str
    digest: str
    rows: int
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class RunRows:
    """
    One row a retrieved document, in the order of the file, duplicates and all.

    `scores` are float64, NaN where none was given. `ranks` are as written, `None` when the file has none.
    `lines` are the rows' line numbers, `None` when row i is line i + 1. `tags` are the distinct run tags in order.
    `empty_topics` were answered with nothing and `failed_topics` not at all, which only nested formats can say.
    `topic_texts` and `document_texts` are what some formats tell besides.
    """

    topics: pa.ChunkedArray
    docs: pa.ChunkedArray
    scores: npt.NDArray[np.float64]
    ranks: npt.NDArray[np.int64] | None
    lines: npt.NDArray[np.int64] | None
    tags: tuple[str, ...]
    report: ImportReport
    empty_topics: tuple[str, ...] = ()
    topic_texts: Mapping[str, str] = field(default_factory=dict)
    document_texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    failed_topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class JudgmentRows:
    """
    One row a judgment, in the order of the file; repeats and conflicts are still in it.

    `grades` are float64 as written, fractional and negative ones too. `assessors` and `sources` stand beside each
    row, or are `None` when the format has none.
    """

    topics: pa.ChunkedArray
    docs: pa.ChunkedArray
    grades: npt.NDArray[np.float64]
    lines: npt.NDArray[np.int64] | None
    assessors: tuple[str | None, ...] | None
    report: ImportReport
    sources: tuple[str | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class Preferred:
    """One stated preference between two documents of a topic; `preferred` is one of them, None for neither."""

    topic: str
    left: str
    right: str
    preferred: str | None
    line: int
