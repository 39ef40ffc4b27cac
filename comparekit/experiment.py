"""An experiment: the folder that pins topics, documents, judgments and receipt sets, opened and verified."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from comparekit import documents as documents_module
from comparekit import judgments as judgments_module
from comparekit.canonical import parse_canonical, sha256_of
from comparekit.declaration import FILE, Declaration, read_declaration
from comparekit.documents import Documents, no_documents
from comparekit.errors import DigestMismatch, InputError, RecordError
from comparekit.judgments import PINNED, Judgments, read_judgments
from comparekit.manifests import read_manifest
from comparekit.minted import FOLDER, SetManifest, minted_sets, read_set
from comparekit.receipts import ReceiptSet, check_receipts, read_receipts
from comparekit.records import Pinned, Progress, no_progress, read_data, require_pinned
from comparekit.topics import TopicSet, read_topics

SOURCES = "sources.json"
SOURCES_SCHEMA = "comparekit.sources.v1"
TOPICS, JUDGMENTS, DOCUMENTS = "topics.jsonl", "judgments.jsonl", "documents.jsonl"


@dataclass(frozen=True, slots=True)
class Source:
    """One pinned file: what pins its bytes, the file it was made from, and what was repaired on the way."""

    pinned: Pinned
    origin: Mapping[str, Any] | None
    repairs: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, eq=False)
class Experiment:
    """
    An opened experiment; everything in it was verified by digest.

    `receipts` holds the baseline and the candidate that were asked for, by name; `sources` what is known of every
    pinned file; `unpinned` names receipt sets that the declaration does not pin.
    """

    folder: Path
    declaration: Declaration
    topics: TopicSet
    documents: Documents
    judgments: Judgments
    receipts: Mapping[str, ReceiptSet]
    sources: Mapping[str, Source]
    unpinned: tuple[str, ...]


def open_experiment(
    folder: Path | str,
    *,
    a: str | None = None,
    b: str | None = None,
    judgments: str = PINNED,
    minted: Path | None = None,
    progress: Progress = no_progress,
) -> Experiment:
    """
    Open a folder: verify every byte it rests on, then read it; all or nothing.

    `a` and `b` name receipt sets other than the declared baseline and candidate; `judgments` a judgment set, which may
    also lie in the folder `minted`.
    Raises an `InputError` with file and line at the first thing that is not as it was pinned.
    """
    folder = Path(folder)
    declaration = read_declaration(folder / FILE)
    sources = read_sources(folder, declaration)
    progress("Verifying topics and judgments", 0.0)
    names = tuple(dict.fromkeys((a or declaration.baseline, b or declaration.candidate)))
    graded = _judgments(folder, judgments, declaration, sources, minted)
    return Experiment(
        folder=folder,
        declaration=declaration,
        topics=read_topics(_pinned(folder, TOPICS, sources), path=folder / TOPICS),
        documents=_documents(folder, sources),
        judgments=graded,
        receipts={name: _receipts(folder, name, declaration, progress) for name in names},
        sources=sources,
        unpinned=tuple(name for name in names if name not in declaration.receipts),
    )


def pinned_topics(folder: Path) -> TopicSet:
    """The topics of an experiment, verified; its receipt sets are not opened."""
    sources = read_sources(folder, read_declaration(folder / FILE))
    return read_topics(_pinned(folder, TOPICS, sources), path=_existing(folder, TOPICS))


def receipt_sets(folder: Path) -> tuple[str, ...]:
    """The names of all receipt sets in an experiment's folder."""
    return tuple(
        sorted(path.name.removesuffix(".manifest.json") for path in (folder / "receipts").glob("*.manifest.json"))
    )


def judgment_sets(folder: Path, minted: Path | None = None) -> tuple[str, ...]:
    """The names of all judgment sets in an experiment's folder and in the folder `minted`, the pinned one first."""
    return (PINNED, *minted_sets((folder / FOLDER, minted)))


def pinned_judgments(experiment: Experiment) -> bytes:
    """The lines of the pinned judgment set as they were recorded, whatever set the experiment was opened under."""
    return _pinned(experiment.folder, JUDGMENTS, experiment.sources)


def verify(folder: Path | str, *, progress: Progress = no_progress) -> list[str]:
    """
    Hash everything again and prove every line; returns one sentence a file.

    Raises the first mismatch as an `InputError` with file, line, expected and got.
    """
    folder = Path(folder)
    declaration = read_declaration(folder / FILE)
    sources = read_sources(folder, declaration)
    report = [f"{FILE}: declared, digest {declaration.digest}"]
    for name, source in sources.items():
        progress(f"Verifying {name}", 0.0)
        data = _pinned(folder, name, sources)
        _CHECKS[name](data, path=folder / name)
        report.append(f"{name}: {source.pinned.count} lines, digest {source.pinned.digest}")
    for name in receipt_sets(folder):
        progress(f"Verifying {name}", 0.0)
        path = _manifest_path(folder, name)
        manifest = check_receipts(path)
        _require_manifest(path, manifest.digest, declaration)
        note = "" if name in declaration.receipts else " (not pinned by the declaration)"
        report.append(f"receipts/{name}: {manifest.receipts.count} receipts, digest {manifest.receipts.digest}{note}")
    for name in declaration.receipts:
        read_manifest(_manifest_path(folder, name))
    for name, path in minted_sets((folder / FOLDER,)).items():
        data, made = _minted(path, declaration, sources)
        judgments_module.check(data, path=path)
        report.append(f"{FOLDER}/{name}: {made.judgments.count} lines, digest {made.judgments.digest}")
    return report


def read_sources(folder: Path, declaration: Declaration) -> Mapping[str, Source]:
    """What is known of every pinned file; raises `DigestMismatch` when the record itself was changed."""
    path = folder / SOURCES
    data = read_data(path)
    _require_digest(path, sha256_of(data), declaration.pinned.get(SOURCES))
    body = parse_canonical(data, path=path)
    if not isinstance(body, dict) or body.get("schema") != SOURCES_SCHEMA:
        raise RecordError("not a record of sources", path=path, expected=SOURCES_SCHEMA)
    sources = {
        name: Source(Pinned.of(entry["pinned"]), entry["origin"], tuple(entry["repairs"]))
        for name, entry in body["files"].items()
    }
    for name, source in sources.items():
        _require_digest(path, source.pinned.digest, declaration.pinned.get(name), name=name)
    return sources


def _require_digest(path: Path, got: str, expected: str | None, *, name: str = "") -> None:
    if expected is None:
        raise RecordError(
            f"the declaration pins no {name or path.name}", path=path.with_name(FILE), todo="Make the experiment again."
        )
    if got != expected:
        raise DigestMismatch(
            f"{name or path.name} is not what the declaration pins",
            path=path,
            line=1,
            expected=expected,
            got=got,
            todo="Restore the file.",
        )


def _require_manifest(path: Path, got: str, declaration: Declaration) -> None:
    expected = declaration.receipts.get(path.name.removesuffix(".manifest.json"))
    if expected is not None:
        _require_digest(path, got, expected)


def _pinned(folder: Path, name: str, sources: Mapping[str, Source]) -> bytes:
    if name not in sources:
        raise RecordError(f"{name} is not pinned", path=folder / SOURCES, todo="Make the experiment again.")
    path = _existing(folder, name)
    data = read_data(path)
    require_pinned(data, sources[name].pinned, path=path)
    return data


def _existing(folder: Path, name: str) -> Path:
    packed = folder / f"{name}.gz"
    return packed if packed.exists() and not (folder / name).exists() else folder / name


def _documents(folder: Path, sources: Mapping[str, Source]) -> Documents:
    if DOCUMENTS not in sources:
        return no_documents()
    return Documents(_pinned(folder, DOCUMENTS, sources), path=_existing(folder, DOCUMENTS))


def _judgments(
    folder: Path, name: str, declaration: Declaration, sources: Mapping[str, Source], minted: Path | None
) -> Judgments:
    data = _pinned(folder, JUDGMENTS, sources)
    if name == PINNED:
        return read_judgments(data, path=folder / JUDGMENTS, conflict=declaration.conflict)
    sets = minted_sets((folder / FOLDER, minted))
    if name not in sets:
        known = " or ".join((PINNED, *sets))
        raise InputError(f'there is no judgment set "{name}"', path=folder / FOLDER, expected=known)
    data, _ = _minted(sets[name], declaration, sources)
    return read_judgments(data, path=sets[name], name=name, conflict=declaration.conflict)


def _minted(path: Path, declaration: Declaration, sources: Mapping[str, Source]) -> tuple[bytes, SetManifest]:
    parents = {PINNED: sources[JUDGMENTS].pinned.digest}
    return read_set(path, experiment=declaration.digest, parents=parents)


def _receipts(folder: Path, name: str, declaration: Declaration, progress: Progress) -> ReceiptSet:
    path = _manifest_path(folder, name)
    found = read_receipts(path, progress=progress)
    _require_manifest(path, found.manifest.digest, declaration)
    return found


def _manifest_path(folder: Path, name: str) -> Path:
    if name not in receipt_sets(folder):
        known = ", ".join(receipt_sets(folder)) or "none"
        raise InputError(f'there is no receipt set "{name}"', path=folder / "receipts", expected=known)
    return folder / "receipts" / f"{name}.manifest.json"


def _check_topics(data: bytes, *, path: Path) -> None:
    read_topics(data, path=path)


_CHECKS = {TOPICS: _check_topics, JUDGMENTS: judgments_module.check, DOCUMENTS: documents_module.check}
