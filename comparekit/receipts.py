"""Receipt sets: what one ranker answered to every topic, as immutable lines under one policy."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from comparekit.canonical import canonical, is_digest, parse_fast, sha256_of
from comparekit.columns import Lists, lists_of
from comparekit.errors import RecordError
from comparekit.files import write_new
from comparekit.manifests import MANIFEST_SCHEMA, Manifest, manifest_of, read_manifest, receipts_file
from comparekit.matching import repeated
from comparekit.policy import policy_digest
from comparekit.records import (
    NAME,
    Progress,
    encode,
    member,
    no_progress,
    only,
    pack,
    parsed,
    read_data,
    require_pinned,
    split_lines,
)
from comparekit.states import MISSING, STATES, States

SCHEMA = "comparekit.receipt.v1"
_RECEIPT = ("schema", "policy", "topic", "state", "budget", "results", "elapsed_ms", "annotations")
_RESULT = ("doc", "score", "explanation", "text_digest")


class ReceiptSet:
    """
    One ranker's receipts: the manifest, the lists as columns, and each receipt as it was written.

    `lists` has the topics that were answered; `states` maps every topic with a receipt to its state.
    """

    def __init__(
        self, manifest: Manifest, *, lists: Lists, lines: Sequence[bytes], topics: Sequence[str], states: States
    ) -> None:
        self.manifest = manifest
        self.lists = lists
        self.states = states
        self.topics = tuple(topics)
        self._line_of = {topic: position for position, topic in enumerate(self.topics)}
        self._lines = lines

    @property
    def name(self) -> str:
        """The name the manifest gives."""
        return self.manifest.name

    def state(self, topic: str) -> int:
        """The state of one topic: a position in `STATES`; a topic without a receipt is missing."""
        line = self._line_of.get(topic)
        return MISSING if line is None else int(self.states[line])

    def receipt(self, topic: str) -> Mapping[str, Any] | None:
        """The whole receipt of one topic, or None when there is none."""
        line = self._line_of.get(topic)
        return None if line is None else dict(parse_fast(self._lines[line]))

    def receipt_digest(self, topic: str) -> str | None:
        """The digest of one topic's receipt: SHA-256 of its line."""
        line = self._line_of.get(topic)
        return None if line is None else self.manifest.receipts.lines[line]


def receipt(
    topic: str,
    *,
    policy: str,
    results: Iterable[Mapping[str, Any]],
    state: str | None = None,
    limit: int | None = None,
    settled: bool | None = None,
    elapsed_ms: int | None = None,
    annotations: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """
    One receipt, ready to be written.

    `policy` is the policy's digest; `results` are `{"doc", "score", "explanation"?, "text_digest"?}` in rank order;
    without a `state` it follows from them: `answered` or `empty`. `limit` is how many results were asked for,
    `settled` whether the ranker finished within its budget (None: not recorded).
    """
    ranked = list(results)
    body = {
        "schema": SCHEMA,
        "policy": policy,
        "topic": topic,
        "state": state or ("answered" if ranked else "empty"),
        "budget": {"limit": limit, "settled": settled, "children": []},
        "results": ranked,
        "annotations": dict(annotations or {}),
    }
    return body if elapsed_ms is None else {**body, "elapsed_ms": elapsed_ms}


def write_receipts(
    folder: Path,
    name: str,
    receipts: Iterable[Mapping[str, Any]],
    *,
    policy: Mapping[str, Any],
    topics: Mapping[str, Any],
    producer: str = "comparekit",
    created_at: str | None = None,
    source: Mapping[str, Any] | None = None,
    repairs: Iterable[Mapping[str, Any]] = (),
    packed: bool = False,
) -> Manifest:
    """
    Write `NAME.jsonl` (or `.jsonl.gz`) and `NAME.manifest.json` into a folder; nothing existing is replaced.

    `topics` is `{"count", "digest"}` of the topics that were asked. Receipts are ordered by topic, so that equal
    answers give equal bytes.
    """
    if not NAME.fullmatch(name):
        raise RecordError("not a name for a receipt set", expected="letters, digits and . _ + - ( )", got=repr(name))
    data, pinned = encode(sorted(receipts, key=lambda each: str(each["topic"])))
    body = {
        "schema": MANIFEST_SCHEMA,
        "name": name,
        "policy": policy,
        "policy_digest": policy_digest(policy),
        "topics": topics,
        "receipts": pinned.record(),
        "producer": producer,
        "created_at": created_at,
        "source": source,
        "repairs": list(repairs),
    }
    manifest = canonical(body)
    write_new(folder / (f"{name}.jsonl.gz" if packed else f"{name}.jsonl"), pack(data) if packed else data)
    write_new(folder / f"{name}.manifest.json", manifest)
    return manifest_of(body, digest=sha256_of(manifest))


def read_receipts(path: Path, *, progress: Progress = no_progress) -> ReceiptSet:
    """
    The receipt set whose manifest stands at `path`.

    The bytes are compared with the manifest before anything is read; the whole set is refused at the first line
    that differs (`DigestMismatch`) or is malformed (`RecordError`), with file and line.
    """
    manifest = read_manifest(path)
    file = receipts_file(path)
    progress(f"Verifying {manifest.name}", 0.0)
    data = read_data(file)
    require_pinned(data, manifest.receipts, path=file)
    lines = split_lines(data, path=file)
    topics: list[str] = []
    docs: list[str] = []
    scores: list[float | None] = []
    lengths = np.zeros(len(lines), dtype=np.int64)
    states = np.zeros(len(lines), dtype=np.int8)
    for position, line in enumerate(lines):
        if position % 256 == 0:
            progress(f"Reading {manifest.name}", position / len(lines))
        body = parse_fast(line, path=file, line=position + 1)
        _require_receipt(body, manifest.policy_digest, path=file, line=position + 1)
        results = body["results"]
        topics.append(body["topic"])
        states[position] = STATES.index(body["state"])
        lengths[position] = len(results)
        try:
            docs.extend([each["doc"] for each in results])
            scores.extend([each["score"] for each in results])
        except (KeyError, TypeError):
            _require_results(results, path=file, line=position + 1)
    _require_order(topics, path=file)
    lists = lists_of(
        topics, lengths=lengths, docs=pa.chunked_array([pa.array(docs, pa.string())]), scores=_floats(scores)
    )
    again = repeated(lists)
    if len(again):
        number = int(np.searchsorted(lists.offsets, again[0], side="right"))
        raise RecordError(
            "a document stands twice in one list", path=file, line=number, got=repr(lists.docs[int(again[0])].as_py())
        )
    return ReceiptSet(manifest, lists=lists, lines=lines, topics=topics, states=states)


def check_receipts(path: Path) -> Manifest:
    """Prove a receipt set line by line: digests, canonical form, policy, schema; raises at the first mismatch."""
    manifest = read_manifest(path)
    file = receipts_file(path)
    data = read_data(file)
    require_pinned(data, manifest.receipts, path=file)
    topics = []
    for line, body in parsed(data, path=file):
        _require_receipt(body, manifest.policy_digest, path=file, line=line)
        _require_results(body["results"], path=file, line=line)
        topics.append(body["topic"])
    _require_order(topics, path=file)
    return manifest


def _require_receipt(body: Any, policy: str, *, path: Path, line: int) -> None:
    if not isinstance(body, dict) or body.get("schema") != SCHEMA:
        raise RecordError("not a receipt", path=path, line=line, expected=SCHEMA)
    only(body, _RECEIPT, path=path, line=line)
    for key, kind in (("topic", str), ("state", str), ("budget", dict), ("results", list), ("annotations", dict)):
        member(body, key, kind, path=path, line=line)
    if body.get("policy") != policy or not is_digest(policy):
        raise RecordError(
            "the receipt belongs to another policy", path=path, line=line, expected=policy, got=body.get("policy")
        )
    if body["state"] not in STATES[:MISSING] or (body["state"] == "answered") != bool(body["results"]):
        raise RecordError(
            "the state does not fit the results",
            path=path,
            line=line,
            expected="answered with results, or empty or failed without",
            got=f"{body['state']} with {len(body['results'])}",
        )


def _require_results(results: Sequence[Any], *, path: Path, line: int) -> None:
    seen: set[str] = set()
    for number, result in enumerate(results, start=1):
        if not isinstance(result, dict):
            raise RecordError(f"result {number} is not an object", path=path, line=line)
        only(result, _RESULT, path=path, line=line)
        doc = member(result, "doc", str, path=path, line=line)
        member(result, "score", (int, float, type(None)), path=path, line=line)
        if doc in seen:
            raise RecordError(f"a document stands twice, again as result {number}", path=path, line=line, got=repr(doc))
        seen.add(doc)


def _require_order(topics: Sequence[str], *, path: Path) -> None:
    for position, (before, after) in enumerate(pairwise(topics), start=2):
        if before >= after:
            raise RecordError(
                "receipts do not stand in the order of their topics, or a topic stands twice",
                path=path,
                line=position,
                expected=f"a topic after {before!r}",
                got=repr(after),
            )


def _floats(scores: Sequence[float | None]) -> npt.NDArray[np.float64]:
    return np.array([np.nan if score is None else score for score in scores], dtype=np.float64)
