"""Which formats there are: each file of this folder registers what it can read, and the first that fits is taken."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Literal

from comparekit.errors import FormatError
from comparekit.files import LIMITS, Limits, Source

Kind = Literal["run", "topics", "judgments", "documents", "strata", "preferences"]
SAMPLE_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Options:
    """
    What the caller says about a file.

    `columns` maps our names (topic, doc, score, rank, grade, …) to the file's. `keep_going` turns unusable scores
    into NaN and reports them, for a caller who orders by rank. `topic` names the topic of a file that holds one list.
    """

    columns: Mapping[str, str] | None = None
    limits: Limits = LIMITS
    keep_going: bool = False
    topic: str | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """
    One format of one kind of file.

    `expects` describes it for the error that lists all. `fits` looks at a file and says whether this is it.
    Among formats that fit, the lowest `order` is taken: what is told apart by its first bytes comes first.
    """

    name: str
    kind: Kind
    expects: str
    fits: Callable[[Source, Options], bool]
    read: Callable[[Source, Options], Any]
    order: int


_FORMATS: list[Format] = []


def register(
    name: str, kind: Kind, *, expects: str, fits: Callable[[Source, Options], bool], order: int
) -> Callable[[Callable[[Source, Options], Any]], Callable[[Source, Options], Any]]:
    """Decorate the reader of one format."""

    def add(read: Callable[[Source, Options], Any]) -> Callable[[Source, Options], Any]:
        _FORMATS.append(Format(name, kind, expects, fits, read, order))
        return read

    return add


@cache
def formats(kind: Kind) -> tuple[Format, ...]:
    """All formats of one kind of file, in the order they are tried."""
    package = __name__.rpartition(".")[0]
    for module in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")
    return tuple(sorted((each for each in _FORMATS if each.kind == kind), key=lambda each: (each.order, each.name)))


def find(kind: Kind, source: Source, options: Options, *, name: str | None = None) -> Format:
    """
    The format a file is in, or the one called `name`.

    Raises `FormatError` when the file is empty, when `name` is unknown, or when nothing fits: then it lists what was
    tried and what each expects.
    """
    if not source.data or source.data.isspace():
        raise FormatError("the file is empty", path=source.path, todo="Export it again.")
    if name is not None:
        return _named(kind, name)
    for each in formats(kind):
        if each.fits(source, options):
            return each
    expected = "; ".join(f"{each.name}: {each.expects}" for each in formats(kind))
    raise FormatError(
        f"no format for {kind} fits", path=source.path, expected=expected, got=excerpt(source), todo="Name the format."
    )


def _named(kind: Kind, name: str) -> Format:
    known = {each.name: each for each in formats(kind)}
    if name not in known:
        raise FormatError(f"no format for {kind} has this name", expected=", ".join(known), got=name)
    return known[name]


def excerpt(source: Source) -> str:
    """The beginning of the first line that is not blank, quoted."""
    return repr(source.data[:SAMPLE_BYTES].lstrip().split(b"\n", 1)[0][:60].decode(errors="replace"))


def sample_lines(source: Source) -> list[str]:
    """The first lines of a file that are not blank and surely whole."""
    head = source.data[:SAMPLE_BYTES]
    whole = head if len(source.data) <= SAMPLE_BYTES else head[: head.rfind(b"\n") + 1] or head
    return [line for line in whole.decode(errors="replace").split("\n") if line.strip()]
