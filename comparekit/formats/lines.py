"""Lines of text files: only a newline ends one, and each keeps its number."""

from collections.abc import Iterator

from comparekit.errors import LimitExceeded
from comparekit.files import Limits, Source
from comparekit.repairs import Repair, repair


def numbered_lines(data: bytes, source: Source, limits: Limits) -> Iterator[tuple[int, bytes]]:
    """
    Every line with its number, from 1, without its newline; blank ones too.

    U+2028, U+2029 and U+0085 may stand inside texts, so `splitlines` would cut records in two.
    Raises `LimitExceeded` at a line that is too long.
    """
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    for line, raw in enumerate(lines, start=1):
        if len(raw) > limits.line_bytes:
            expected = f"at most {limits.line_bytes:,} bytes"
            raise LimitExceeded(
                "the line is too long", path=source.path, line=line, expected=expected, got=f"{len(raw):,}"
            )
        yield line, raw


def blank_lines(lines: list[int], source: Source) -> tuple[Repair, ...]:
    """The repair that says which blank lines were skipped; nothing when there were none."""
    return (repair("blank-lines", "Blank lines were skipped.", file=source.name, lines=lines),) if lines else ()
