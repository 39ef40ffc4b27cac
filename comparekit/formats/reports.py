"""The report that every reader ends with, and the warnings that every format earns alike."""

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from comparekit.files import Source
from comparekit.formats.rows import ImportReport
from comparekit.formats.values import similar, similar_topics
from comparekit.repairs import Repair

FEW = 100_000


def report_of(
    source: Source,
    format: str,
    topics: pa.ChunkedArray,
    docs: pa.ChunkedArray,
    repairs: Iterable[Repair] = (),
    *,
    by_text: bool = False,
) -> ImportReport:
    """The report on a run or a judgment file, with the ids that look alike; `by_text` when topics are named by text."""
    alike = similar_topics(pc.unique(topics).to_pylist(), file=source.name, by_text=by_text)
    suspects = _suspects(docs, ascii_only=source.data.isascii())
    alike += similar(suspects.to_pylist(), "documents", file=source.name)
    return ImportReport(source.name, format, source.digest, len(docs), (*source.repairs, *repairs, *alike))


def _suspects(docs: pa.ChunkedArray, *, ascii_only: bool) -> pa.Array:
    # Millions of ids are looked at only where two Unicode forms of one text are possible at all.
    if len(docs) <= FEW:
        return pc.unique(docs)
    return pc.unique(docs.filter(pc.invert(pc.string_is_ascii(docs)))) if not ascii_only else pa.array([], pa.string())
