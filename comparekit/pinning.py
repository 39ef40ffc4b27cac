"""Writing an experiment's pinned files, and the declaration that names their digests."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from comparekit.canonical import MAX_INTEGER, canonical, sha256_of
from comparekit.declaration import DEFAULT_MEASURES, FILE, SCHEMA, Missing, read_declaration
from comparekit.errors import InputError
from comparekit.experiment import SOURCES, SOURCES_SCHEMA
from comparekit.files import write_new
from comparekit.grading import Conflict
from comparekit.importing import Imported
from comparekit.manifests import Manifest
from comparekit.ordering import Order
from comparekit.records import encode, pack

PACK_FROM = 32 << 20
"""Content from this many bytes on is gzipped on disk."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What `init` writes into the declaration; everything may be edited there before the first look."""

    order: Order = "score"
    conflict: Conflict = "refuse"
    missing: Missing = "undeclared"
    target: str = "nDCG@10"
    smallest_effect: float = 0.01
    measures: Sequence[str] = DEFAULT_MEASURES
    relevant_from: float = 1.0
    tie_band: float = 0.0
    depth: int | None = None
    name: str | None = None
    task: str | None = None
    name_a: str | None = None
    name_b: str | None = None
    policy_a: Mapping[str, Any] | None = None
    policy_b: Mapping[str, Any] | None = None


def pin(folder: Path, *, files: Mapping[str, Imported], manifests: Iterable[Manifest], declaration: str) -> None:
    """
    Write the pinned files of an experiment, the record of their sources, and experiment.toml.

    `files` maps file names to their records; `declaration` is the text of experiment.toml without its digests,
    which are added at its end. Raises `DeclarationError` when that text does not hold.
    """
    sources: dict[str, Any] = {}
    for name, imported in files.items():
        data, pinned = encode(imported.records)
        packed = len(data) > PACK_FROM
        write_new(folder / (f"{name}.gz" if packed else name), pack(data) if packed else data)
        sources[name] = {
            "pinned": pinned.record(),
            "origin": imported.origin,
            "repairs": [asdict(each) for each in imported.repairs],
        }
    body = canonical(_plain({"schema": SOURCES_SCHEMA, "files": sources}))
    write_new(folder / SOURCES, body)
    pins = {name: source["pinned"]["digest"] for name, source in sources.items()} | {SOURCES: sha256_of(body)}
    tables = _table("pinned", pins) + _table("receipts", {each.name: each.digest for each in manifests})
    write_new(folder / FILE, f"{declaration.rstrip()}\n{tables}".encode())
    read_declaration(folder / FILE)


def declare(choices: Choices, *, title: str, a: str, b: str, scale: tuple[float, float]) -> str:
    """The text of a declaration with every choice spelled out, for a person to read and edit before looking."""
    if not abs(choices.relevant_from) < MAX_INTEGER or not 0 < choices.smallest_effect < MAX_INTEGER:
        raise InputError(
            "a choice is out of range",
            expected="relevant_from finite, smallest_effect above 0",
            got=f"{choices.relevant_from} and {choices.smallest_effect}",
        )
    task = (
        f"task = {_text(choices.task)}"
        if choices.task
        else '# task = "informational"    # or known-item, transactional'
    )
    depth = (
        f"depth = {choices.depth}"
        if choices.depth
        else "# depth = 100    # default: the smaller recorded budget, else the longest list"
    )
    return f"""\
# What was decided before looking. The digest of this file goes into every result.
schema = "{SCHEMA}"
name = {_text(title)}
baseline = {_text(a)}
candidate = {_text(b)}
{task}

# Shown beside the target; P, R, RR, AP, nDCG, RBP, Success, Judged, bpref, with rel=, cutoff and more.
measures = [{", ".join(map(_text, choices.measures))}]

# A topic without a receipt: "undeclared" (left out, and both figures shown), "empty" (scores 0) or "failed" (left out).
missing = {_text(choices.missing)}

# The largest difference on one topic that still counts as a tie.
tie_band = {choices.tie_band!r}

[target]
measure = {_text(choices.target)}
# The smallest mean difference that matters, in the measure's own unit.
smallest_effect = {choices.smallest_effect!r}

# [[guards]]
# measure = "RR@10"
# tolerance = 0.02
# against = "breadth bought with a worse first result"

[judgments]
# The lowest and the highest grade of the scale; from relevant_from on a document is marked relevant.
scale = [{_number(scale[0])}, {_number(scale[1])}]
relevant_from = {_number(choices.relevant_from)}
# Where one document was graded differently: "refuse", "max", "last" or "mean".
conflict = {_text(choices.conflict)}

[overlap]
# Persistence of rank-biased overlap: 0.9 looks at about ten results.
p = 0.9
{depth}

[resampling]
seed = 20100301
resamples = 10000
"""


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(member) for key, member in value.items()}
    return [_plain(member) for member in value] if isinstance(value, list | tuple) else value


def _table(name: str, members: Mapping[str, str]) -> str:
    lines = "".join(f"{_text(key)} = {_text(value)}\n" for key, value in sorted(members.items()))
    return f"\n[{name}]\n{lines}"


def _text(text: str) -> str:
    # A JSON string is a TOML basic string, but for DEL, which the domain rules keep out.
    return json.dumps(text, ensure_ascii=False)


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)
