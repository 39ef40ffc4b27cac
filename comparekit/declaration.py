"""What an experiment declares before anybody looks: experiment.toml."""

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from comparekit.canonical import MAX_INTEGER, is_digest, sha256_of
from comparekit.errors import ComparekitError, DeclarationError
from comparekit.grading import Conflict
from comparekit.measures import Measure, parse_measure

SCHEMA = "comparekit.experiment.v1"
FILE = "experiment.toml"
DEFAULT_MEASURES = ("nDCG@10", "AP", "RR@10", "P@10", "R@100", "Judged@10")

MOST_RESAMPLES = 1_000_000

Missing = Literal["undeclared", "empty", "failed"]


@dataclass(frozen=True, slots=True)
class Target:
    """The measure that decides, and the smallest difference of its mean that matters (in the measure's own unit)."""

    measure: Measure
    smallest_effect: float


@dataclass(frozen=True, slots=True)
class Guard:
    """A measure that must not fall by more than `tolerance`, and the way of gaming the target that it sees."""

    measure: Measure
    tolerance: float
    against: str


@dataclass(frozen=True, slots=True)
class Declaration:
    """
    Everything that was decided before looking.

    `scale` holds the lowest and the highest grade; from `relevant_from` on a document is marked relevant on the page
    (measures carry their own `rel=`). `conflict` says which grade holds where one document was graded differently.
    `missing` says what a topic without a receipt is. `tie_band` is the largest difference that is still a tie.
    `depth` is how deep lists are compared; None follows the recorded budgets. `pinned` maps file names, and
    `receipts` names of receipt sets, to digests.
    """

    name: str
    baseline: str
    candidate: str
    task: str | None
    target: Target
    guards: tuple[Guard, ...]
    measures: tuple[Measure, ...]
    scale: tuple[float, float] | None
    relevant_from: float
    conflict: Conflict
    missing: Missing
    tie_band: float
    depth: int | None
    persistence: float
    seed: int
    resamples: int
    pinned: Mapping[str, str]
    receipts: Mapping[str, str]
    digest: str

    @property
    def all_measures(self) -> tuple[Measure, ...]:
        """Target first, then guards, then what else is shown; each once."""
        return tuple(dict.fromkeys([self.target.measure, *(guard.measure for guard in self.guards), *self.measures]))


class _Table:
    """A TOML table that is read member by member; whatever was not asked for in the end is unknown."""

    def __init__(self, members: Mapping[str, Any], *, name: str, path: Path) -> None:
        self._members, self._name, self._path = dict(members), name, path
        self._asked: list[str] = []

    def take(self, key: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
        self._asked.append(key)
        if key not in self._members:
            if default is ...:
                raise self.wrong(key, "is missing", todo="Add it.")
            return default
        value = self._members[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            names = " or ".join(each.__name__ for each in (kind if isinstance(kind, tuple) else (kind,)))
            raise self.wrong(key, "has the wrong type", expected=names, got=repr(value))
        return value

    def choice(self, key: str, options: Iterable[str], default: str) -> Any:
        value = self.take(key, str, default)
        if value not in tuple(options):
            raise self.wrong(key, "is not one of the choices", expected=", ".join(options), got=repr(value))
        return value

    def number(self, key: str, *, low: float, default: Any = ..., above: bool = False, whole: bool = False) -> Any:
        value = self.take(key, int if whole else (int, float), default)
        if value is not None and not (low < value < MAX_INTEGER if above else low <= value < MAX_INTEGER):
            raise self.wrong(key, "is out of range", expected=f"{'above' if above else 'at least'} {low:g}", got=value)
        return value

    def table(self, key: str) -> "_Table":
        return _Table(self.take(key, dict, {}), name=self._label(key), path=self._path)

    def done(self) -> None:
        for key in self._members:
            if key not in self._asked:
                near = difflib.get_close_matches(key, self._asked, 1)
                hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(self._asked)}."
                raise self.wrong(key, "is not known", todo=hint)

    def wrong(self, key: str, what: str, **parts: Any) -> DeclarationError:
        return DeclarationError(f"{self._label(key)} {what}", path=self._path, **parts)

    def _label(self, key: str) -> str:
        return f"{self._name}.{key}" if self._name else key


def read_declaration(path: Path) -> Declaration:
    """The declaration of an experiment; raises `DeclarationError` with the key, what was expected and found."""
    data, top = _opened(path)
    top.choice("schema", [SCHEMA], SCHEMA)
    target, judgments, overlap = top.table("target"), top.table("judgments"), top.table("overlap")
    resampling = top.table("resampling")
    declaration = Declaration(
        name=top.take("name", str),
        baseline=top.take("baseline", str),
        candidate=top.take("candidate", str),
        task=top.take("task", str, None),
        target=Target(_measure(target, "measure"), float(target.number("smallest_effect", low=0.0, above=True))),
        guards=tuple(_guard(each, number, path) for number, each in enumerate(top.take("guards", list, []), start=1)),
        measures=tuple(_measures(top)),
        scale=_scale(judgments),
        relevant_from=float(judgments.number("relevant_from", low=float("-inf"), default=1)),
        conflict=judgments.choice("conflict", get_args(Conflict), "refuse"),
        missing=top.choice("missing", get_args(Missing), "undeclared"),
        tie_band=float(top.number("tie_band", low=0.0, default=0.0)),
        depth=overlap.number("depth", low=1, default=None, whole=True),
        persistence=_persistence(overlap),
        seed=resampling.number("seed", low=0, default=20100301, whole=True),
        resamples=_resamples(resampling),
        pinned=_digests(top, "pinned"),
        receipts=_digests(top, "receipts"),
        digest=sha256_of(data),
    )
    for table in (target, judgments, overlap, resampling, top):
        table.done()
    if declaration.baseline == declaration.candidate:
        raise top.wrong("candidate", "is the baseline itself", got=repr(declaration.candidate))
    return declaration


def _opened(path: Path) -> tuple[bytes, _Table]:
    try:
        data = path.read_bytes()
        return data, _Table(tomllib.loads(data.decode("utf-8")), name="", path=path)
    except OSError as error:
        raise DeclarationError(
            "there is no experiment here",
            path=path,
            expected=FILE,
            todo="Make one with: comparekit init --a RUN --b RUN --qrels QRELS -o FOLDER",
        ) from error
    except ValueError as error:
        raise DeclarationError(f"not a TOML file ({error})", path=path) from error


def _resamples(resampling: _Table) -> int:
    resamples: int = resampling.number("resamples", low=100, default=10_000, whole=True)
    if resamples > MOST_RESAMPLES:
        raise resampling.wrong("resamples", "is out of range", expected=f"at most {MOST_RESAMPLES:,}", got=resamples)
    return resamples


def _persistence(overlap: _Table) -> float:
    p = float(overlap.number("p", low=0.0, default=0.9, above=True))
    if not p < 1:
        raise overlap.wrong("p", "is out of range", expected="above 0 and below 1", got=p)
    return p


def _measure(table: _Table, key: str) -> Measure:
    return _parsed(table.take(key, str), table, key)


def _measures(top: _Table) -> list[Measure]:
    return [_parsed(str(name), top, "measures") for name in top.take("measures", list, list(DEFAULT_MEASURES))]


def _parsed(name: str, table: _Table, key: str) -> Measure:
    try:
        return parse_measure(name)
    except ComparekitError as error:
        raise table.wrong(key, f"names no measure ({error})") from error


def _guard(record: Any, number: int, path: Path) -> Guard:
    if not isinstance(record, dict):
        raise DeclarationError(f"guards {number} is not a table", path=path, expected="[[guards]]")
    table = _Table(record, name=f"guards[{number}]", path=path)
    guard = Guard(
        _measure(table, "measure"),
        float(table.number("tolerance", low=0.0)),
        table.take("against", str, ""),
    )
    table.done()
    return guard


def _scale(judgments: _Table) -> tuple[float, float] | None:
    scale = judgments.take("scale", list, None)
    if scale is None:
        return None
    grades = [grade for grade in scale if isinstance(grade, int | float) and abs(grade) < MAX_INTEGER]
    if len(scale) != 2 or len(grades) != 2 or not grades[0] < grades[1]:
        raise judgments.wrong("scale", "is not a scale", expected="[lowest grade, highest grade]", got=scale)
    return float(grades[0]), float(grades[1])


def _digests(top: _Table, key: str) -> Mapping[str, str]:
    digests = top.take(key, dict, {})
    for name, digest in digests.items():
        if not is_digest(digest):
            raise top.wrong(f"{key}.{name}", "is not a digest", expected="sha256: and 64 hex digits", got=repr(digest))
    return dict(digests)
