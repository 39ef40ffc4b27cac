"""
The lenient readers: foreign files in, rows with ids as text out, every repair reported.

Each takes a path, or a `Source` that was read already. The format is found by content (see `registry`), unless
`format` names one. `columns` maps our column names to the file's, for CSV and TSV.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from comparekit.files import LIMITS, Limits, Source, read_bytes
from comparekit.formats.registry import Kind, Options, find
from comparekit.formats.rows import ImportReport, JudgmentRows, Preferred, RunRows
from comparekit.topics import Topic

__all__ = [
    "ImportReport",
    "JudgmentRows",
    "Preferred",
    "RunRows",
    "Topic",
    "read_documents",
    "read_judgments",
    "read_preferences",
    "read_run",
    "read_strata",
    "read_topics",
]

Columns = Mapping[str, str] | None


def read_run(
    path: Path | str | Source,
    *,
    columns: Columns = None,
    limits: Limits = LIMITS,
    keep_going: bool = False,
    topic: str | None = None,
    format: str | None = None,
) -> RunRows:
    """
    Read what one ranker returned.

    With `keep_going`, scores that are missing or not finite become NaN and are reported, for a caller who orders by
    rank; without, they are refused. `topic` names the topic of a file that holds one
    list, such as an engine's response.

    Raises `FormatError` naming file, line, what was expected and got; `LimitExceeded`; `InputError` when unreadable.
    """
    options = Options(columns=columns, limits=limits, keep_going=keep_going, topic=topic)
    return cast(RunRows, _read("run", path, options, format))


def read_judgments(
    path: Path | str | Source, *, columns: Columns = None, limits: Limits = LIMITS, format: str | None = None
) -> tuple[JudgmentRows, ImportReport]:
    """
    Read graded judgments as they stand: repeats and conflicts stay in, unjudged rows are left out and reported.

    Raises as `read_run` does.
    """
    rows = cast(JudgmentRows, _read("judgments", path, Options(columns=columns, limits=limits), format))
    return rows, rows.report


def read_topics(
    path: Path | str | Source, *, columns: Columns = None, limits: Limits = LIMITS, format: str | None = None
) -> tuple[tuple[Topic, ...], ImportReport]:
    """Read information needs, in the order of the file. Raises as `read_run` does."""
    options = Options(columns=columns, limits=limits)
    return cast(tuple[tuple[Topic, ...], ImportReport], _read("topics", path, options, format))


def read_documents(
    path: Path | str | Source, *, columns: Columns = None, limits: Limits = LIMITS, format: str | None = None
) -> tuple[tuple[dict[str, str], ...], ImportReport]:
    """
    Read documents, in the order of the file: each a dict of texts with `id`, `title`, `text`, and what else it has.

    Raises as `read_run` does.
    """
    options = Options(columns=columns, limits=limits)
    return cast(tuple[tuple[dict[str, str], ...], ImportReport], _read("documents", path, options, format))


def read_strata(
    path: Path | str | Source, *, columns: Columns = None, limits: Limits = LIMITS, format: str | None = None
) -> tuple[dict[str, dict[str, str | None]], ImportReport]:
    """
    Read which strata each topic belongs to: topic, then the stratum's name, then its value.

    An empty cell is `None`; `NA` is a label like any other. Raises as `read_run` does.
    """
    options = Options(columns=columns, limits=limits)
    return cast(tuple[dict[str, dict[str, str | None]], ImportReport], _read("strata", path, options, format))


def read_preferences(
    path: Path | str | Source, *, columns: Columns = None, limits: Limits = LIMITS, format: str | None = None
) -> tuple[tuple[Preferred, ...], ImportReport]:
    """
    Read stated preferences between two documents, in the order of the file; repeats and contradictions stay in.

    Raises as `read_run` does.
    """
    options = Options(columns=columns, limits=limits)
    return cast(tuple[tuple[Preferred, ...], ImportReport], _read("preferences", path, options, format))


def _read(kind: Kind, path: Path | str | Source, options: Options, name: str | None) -> Any:
    source = path if isinstance(path, Source) else read_bytes(path, limits=options.limits)
    return find(kind, source, options, name=name).read(source, options)
