"""What a receipt set says of itself: policy, counts, digests, origin and repairs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from comparekit.canonical import parse_canonical, sha256_of
from comparekit.errors import RecordError
from comparekit.policy import complete, policy_digest
from comparekit.records import Pinned, member, only, read_data

MANIFEST_SCHEMA = "comparekit.receipts.v1"

_MANIFEST = (
    "schema",
    "name",
    "policy",
    "policy_digest",
    "topics",
    "receipts",
    "producer",
    "created_at",
    "source",
    "repairs",
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a receipt set says of itself: name, policy, counts, digests, where it came from and what was repaired."""

    name: str
    policy: Mapping[str, Any]
    policy_digest: str
    topics: Mapping[str, Any]
    receipts: Pinned
    producer: str
    created_at: str | None
    source: Mapping[str, Any] | None
    repairs: tuple[Mapping[str, Any], ...]
    digest: str


def read_manifest(path: Path) -> Manifest:
    """The manifest of a receipt set; raises `RecordError` unless it is canonical and agrees with itself."""
    data = read_data(path)
    body = parse_canonical(data, path=path)
    if not isinstance(body, dict) or body.get("schema") != MANIFEST_SCHEMA:
        raise RecordError("not a manifest of receipts", path=path, expected=MANIFEST_SCHEMA)
    only(body, _MANIFEST, path=path)
    absent = [key for key in _MANIFEST if key not in body]
    if absent:
        raise RecordError(f'member "{absent[0]}" is missing', path=path, expected=", ".join(_MANIFEST))
    for key, kind in (("name", str), ("policy", dict), ("policy_digest", str), ("topics", dict), ("receipts", dict)):
        member(body, key, kind, path=path)
    computed = policy_digest(body["policy"])
    if computed != body["policy_digest"]:
        raise RecordError("the policy was changed", path=path, expected=body["policy_digest"], got=computed)
    if complete(body["policy"], path=path) != body["policy"]:
        raise RecordError(
            "the policy lacks a part", path=path, todo="What was not recorded is null; seal the run again."
        )
    return manifest_of(body, digest=sha256_of(data))


def receipts_file(manifest: Path) -> Path:
    """The file of lines that belongs to a manifest."""
    stem = manifest.name.removesuffix(".manifest.json")
    found = [
        path for path in (manifest.with_name(f"{stem}.jsonl"), manifest.with_name(f"{stem}.jsonl.gz")) if path.exists()
    ]
    if len(found) != 1:
        what = "the receipts of this manifest are missing" if not found else "this manifest has two files of receipts"
        raise RecordError(what, path=manifest, expected=f"one of {stem}.jsonl and {stem}.jsonl.gz")
    return found[0]


def manifest_of(body: Mapping[str, Any], *, digest: str) -> Manifest:
    """A manifest from its record; `digest` is that of its bytes."""
    return Manifest(
        name=body["name"],
        policy=body["policy"],
        policy_digest=body["policy_digest"],
        topics=body["topics"],
        receipts=Pinned.of(body["receipts"]),
        producer=body["producer"],
        created_at=body["created_at"],
        source=body["source"],
        repairs=tuple(body["repairs"]),
        digest=digest,
    )
