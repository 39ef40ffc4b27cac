"""
Preferences between two documents: one line an answer, `topic left right preferred`, parted by blanks or tabs.

The last field repeats the preferred document's id, or says `tie`, where neither of the two is called so.
"""

from comparekit.errors import FormatError
from comparekit.files import Source
from comparekit.formats.lines import blank_lines, numbered_lines
from comparekit.formats.registry import Options, register, sample_lines
from comparekit.formats.rows import ImportReport, Preferred

FIELDS = ("topic", "left", "right", "preferred")
TIE = "tie"


def _fits(source: Source, options: Options) -> bool:
    lines = sample_lines(source)
    return bool(lines) and len(lines[0].split()) == len(FIELDS)


@register("preferences", "preferences", expects=f"lines of 4 fields, {' '.join(FIELDS)}", fits=_fits, order=90)
def read_preference_lines(source: Source, options: Options) -> tuple[tuple[Preferred, ...], ImportReport]:
    """Every answer as it stands, the left document first."""
    found: list[Preferred] = []
    blank: list[int] = []
    for line, raw in numbered_lines(source.data, source, options.limits):
        fields = [field.decode() for field in raw.split()]
        if fields:
            found.append(_preferred(fields, source=source, line=line))
        else:
            blank.append(line)
    repairs = (*source.repairs, *blank_lines(blank, source))
    return tuple(found), ImportReport(source.name, "preferences", source.digest, len(found), repairs)


def _preferred(fields: list[str], *, source: Source, line: int) -> Preferred:
    if len(fields) != len(FIELDS):
        raise FormatError(
            "the line is malformed", path=source.path, line=line, expected=" ".join(FIELDS), got=f"{len(fields)} fields"
        )
    topic, left, right, preferred = fields
    if left == right:
        raise FormatError("a document is compared with itself", path=source.path, line=line, got=repr(left))
    if preferred in (left, right):
        return Preferred(topic, left, right, preferred, line)
    if preferred == TIE:
        return Preferred(topic, left, right, None, line)
    raise FormatError(
        "the preferred document is neither of the two",
        path=source.path,
        line=line,
        expected=f"{left}, {right} or {TIE}",
        got=repr(preferred),
    )
