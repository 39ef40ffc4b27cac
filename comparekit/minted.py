"""Judgment sets that were minted: where they are, what they say of themselves, and whether they are still that."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from comparekit.canonical import is_digest, parse_canonical, sha256_of
from comparekit.errors import DigestMismatch, InputError, RecordError
from comparekit.records import Pinned, member, only, read_data, require_pinned

SET_SCHEMA = "comparekit.judgments.v1"
FOLDER = "judgments"
SUFFIX = ".manifest.json"
_MANIFEST: Mapping[str, type | tuple[type, ...]] = {
    "schema": str,
    "name": str,
    "experiment": str,
    "parent": dict,
    "rule": dict,
    "graders": (dict, type(None)),
    "judgments": dict,
    "counts": dict,
    "provenance": list,
    "unresolved": list,
    "store": (dict, type(None)),
    "producer": str,
    "created_at": (str, type(None)),
}


@dataclass(frozen=True, slots=True)
class SetManifest:
    """
    What a minted judgment set says of itself.

    `experiment` is the declaration's digest, `parent` the name and digest of the set it was made from. `graders` maps
    each chosen grader to their number of grades, None where names were left out. `provenance` says of every judgment
    that is not the parent's which events made it and how, `unresolved` which documents got none.
    """

    name: str
    experiment: str
    parent: Mapping[str, str]
    rule: Mapping[str, str]
    graders: Mapping[str, int] | None
    judgments: Pinned
    counts: Mapping[str, Any]
    provenance: tuple[Mapping[str, Any], ...]
    unresolved: tuple[Mapping[str, Any], ...]
    digest: str


def minted_sets(folders: Iterable[Path | None]) -> Mapping[str, Path]:
    """
    Every complete judgment set in some folders, by name: the file of its lines.

    Raises `InputError` when two folders hold a set of one name.
    """
    found: dict[str, Path] = {}
    for folder in folders:
        for manifest in sorted(folder.glob(f"*{SUFFIX}")) if folder else ():
            name = manifest.name.removesuffix(SUFFIX)
            if name in found:
                raise InputError(
                    f'there are two judgment sets "{name}"', path=manifest, got=found[name], todo="Rename one folder."
                )
            found[name] = manifest.with_name(f"{name}.jsonl")
    return dict(sorted(found.items()))


def read_set(path: Path, *, experiment: str, parents: Mapping[str, str]) -> tuple[bytes, SetManifest]:
    """
    The bytes of a minted set and its manifest, verified.

    `experiment` is the digest of the declaration it must belong to, `parents` the digests of the sets it may be made
    from, by name. Raises `DigestMismatch` or `RecordError` at the first thing that is not as it was minted.
    """
    place = path.with_name(path.name.removesuffix(".jsonl") + SUFFIX)
    manifest = read_set_manifest(place)
    _require(place, "the declaration this set was minted for", manifest.experiment, experiment)
    parent = manifest.parent["name"]
    _require(place, f'the parent set "{parent}"', manifest.parent["digest"], parents.get(parent))
    data = read_data(path)
    require_pinned(data, manifest.judgments, path=path)
    return data, manifest


def read_set_manifest(path: Path) -> SetManifest:
    """The manifest of a minted set; raises `RecordError` unless it is canonical and complete."""
    data = read_data(path)
    body = parse_canonical(data, path=path)
    if not isinstance(body, dict) or body.get("schema") != SET_SCHEMA:
        raise RecordError("not a manifest of a judgment set", path=path, expected=SET_SCHEMA)
    only(body, _MANIFEST, path=path)
    for key, kind in _MANIFEST.items():
        member(body, key, kind, path=path)
    if body["name"] != path.name.removesuffix(SUFFIX) or not is_digest(body["parent"].get("digest")):
        raise RecordError("the manifest belongs to another set", path=path, got=repr(body["name"]))
    return SetManifest(
        name=body["name"],
        experiment=body["experiment"],
        parent=body["parent"],
        rule=body["rule"],
        graders=body["graders"],
        judgments=Pinned.of(body["judgments"]),
        counts=body["counts"],
        provenance=tuple(body["provenance"]),
        unresolved=tuple(body["unresolved"]),
        digest=sha256_of(data),
    )


def _require(path: Path, what: str, expected: str, got: str | None) -> None:
    if got != expected:
        raise DigestMismatch(
            f"{what} is not what it was",
            path=path,
            expected=expected,
            got=got or "nothing",
            todo="Mint the set again.",
        )
