"""Receipt sets: written once, refused when anything was changed."""

import random
from pathlib import Path
from typing import Any

import pytest

from comparekit.canonical import canonical, sha256_of
from comparekit.errors import DigestMismatch, InputError, RecordError
from comparekit.manifests import read_manifest
from comparekit.policy import complete, policy_digest
from comparekit.receipts import check_receipts, read_receipts, receipt, write_receipts
from comparekit.states import ANSWERED, EMPTY, FAILED, MISSING

POLICY = complete({"ranker": {"name": "bm25", "parameters": {"k1": 0.9}}, "budget": {"depth": 10}})
DIGEST = policy_digest(POLICY)


def lines() -> list[dict[str, Any]]:
    results = [{"doc": f"d\u2028{n}", "score": 1 / (n + 1), "explanation": {"value": 1, "parts": []}} for n in range(3)]
    return [
        receipt("q2", policy=DIGEST, results=results, limit=10, elapsed_ms=4),
        receipt("q1", policy=DIGEST, results=[], limit=10),
        receipt("q3", policy=DIGEST, results=[], state="failed"),
    ]


def write(folder: Path, **more: Any) -> Path:
    write_receipts(folder, "bm25", lines(), policy=POLICY, topics={"count": 4, "digest": sha256_of(b"")}, **more)
    return folder / "bm25.manifest.json"


def test_a_set_reads_back_as_written(tmp_path: Path) -> None:
    found = read_receipts(write(tmp_path))
    assert [found.state(topic) for topic in ("q1", "q2", "q3", "q4")] == [EMPTY, ANSWERED, FAILED, MISSING]
    assert found.receipt("q2") == lines()[0]
    assert found.receipt("q4") is None
    assert found.lists.docs.to_pylist() == ["d\u20280", "d\u20281", "d\u20282"]
    assert found.lists.scores.tolist() == [1.0, 0.5, 1 / 3]
    assert found.receipt_digest("q2") == sha256_of(canonical(lines()[0]))


def test_the_order_of_writing_does_not_change_a_byte(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, receipts in ((one, lines()), (other, lines()[::-1])):
        folder.mkdir()
        write_receipts(folder, "bm25", receipts, policy=POLICY, topics={"count": 4, "digest": sha256_of(b"")})
    for name in ("bm25.jsonl", "bm25.manifest.json"):
        assert (one / name).read_bytes() == (other / name).read_bytes()


def test_a_packed_set_has_the_digests_of_the_plain_one(tmp_path: Path) -> None:
    (tmp_path / "packed").mkdir()
    plain, packed = read_manifest(write(tmp_path)), read_manifest(write(tmp_path / "packed", packed=True))
    assert packed.receipts == plain.receipts
    assert check_receipts(tmp_path / "packed" / "bm25.manifest.json").digest == plain.digest


def test_an_existing_set_is_never_replaced(tmp_path: Path) -> None:
    write(tmp_path)
    with pytest.raises(InputError, match="exists"):
        write(tmp_path)


def test_no_edit_of_one_byte_goes_unseen(tmp_path: Path) -> None:
    manifest = write(tmp_path)
    file = tmp_path / "bm25.jsonl"
    whole, chance = file.read_bytes(), random.Random(20)
    for _ in range(400):
        at, byte = chance.randrange(len(whole)), chance.randrange(256)
        if whole[at] == byte:
            continue
        file.write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
        with pytest.raises(InputError, match=r"bm25\.jsonl:?\d?"):
            read_receipts(manifest)


def test_no_cut_goes_unseen(tmp_path: Path) -> None:
    manifest = write(tmp_path)
    file = tmp_path / "bm25.jsonl"
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        with pytest.raises(InputError, match=r"bm25\.jsonl:\d"):
            read_receipts(manifest)


@pytest.mark.parametrize(
    "edit",
    [
        lambda rows: [rows[1], rows[0], rows[2]],
        lambda rows: rows[:2],
        lambda rows: [*rows, rows[2]],
        lambda rows: [rows[0], rows[0], rows[2]],
        lambda rows: [rows[0].replace(b":", b": ", 1), *rows[1:]],
        lambda rows: [row + b"\r" for row in rows],
        lambda rows: [b"\xef\xbb\xbf" + rows[0], *rows[1:]],
    ],
    ids=["swapped", "dropped", "doubled", "repeated", "spaced", "crlf", "bom"],
)
def test_lines_moved_dropped_or_respelt_are_refused(tmp_path: Path, edit: Any) -> None:
    manifest = write(tmp_path)
    file = tmp_path / "bm25.jsonl"
    file.write_bytes(b"".join(row + b"\n" for row in edit(file.read_bytes().splitlines())))
    with pytest.raises(RecordError, match=r"bm25\.jsonl"):
        read_receipts(manifest)


def test_a_mismatch_names_its_line_and_both_digests(tmp_path: Path) -> None:
    manifest = write(tmp_path)
    file = tmp_path / "bm25.jsonl"
    file.write_bytes(file.read_bytes().replace(b'"score":0.5', b'"score":0.6'))
    with pytest.raises(DigestMismatch, match=r"bm25\.jsonl:2: .*expected sha256:[0-9a-f]{64}, got sha256:[0-9a-f]{64}"):
        check_receipts(manifest)


def test_a_line_of_another_policy_is_refused(tmp_path: Path) -> None:
    strange = receipt("q9", policy=policy_digest(complete({})), results=[])
    write_receipts(tmp_path, "bm25", [*lines(), strange], policy=POLICY, topics={"count": 4, "digest": ""})
    with pytest.raises(RecordError, match="belongs to another policy"):
        read_receipts(tmp_path / "bm25.manifest.json")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"state": "empty"}, "state does not fit"),
        ({"results": []}, "state does not fit"),
        ({"state": "missing"}, "state does not fit"),
        ({"query": "x"}, 'unknown member "query"'),
        ({"schema": "comparekit.receipt.v2"}, "not a receipt"),
        ({"results": [{"doc": 7, "score": 1}]}, '"doc" is missing or of the wrong type'),
        ({"results": [{"doc": "d", "score": 2}, {"doc": "d", "score": 1}]}, "stands twice"),
    ],
)
def test_malformed_receipts_are_refused(tmp_path: Path, change: dict[str, Any], what: str) -> None:
    write_receipts(tmp_path, "bm25", [{**lines()[0], **change}], policy=POLICY, topics={"count": 4, "digest": ""})
    with pytest.raises(RecordError, match=what):
        check_receipts(tmp_path / "bm25.manifest.json")


def test_a_changed_policy_is_refused(tmp_path: Path) -> None:
    manifest = write(tmp_path)
    manifest.write_bytes(manifest.read_bytes().replace(b'"k1":0.9', b'"k1":0.8'))
    with pytest.raises(RecordError, match="policy was changed"):
        read_manifest(manifest)


def test_a_policy_says_null_where_nothing_was_recorded() -> None:
    assert complete({})["analyzer"] == {"name": None, "version": None, "config": None}
    with pytest.raises(RecordError, match='has no part "rankers"'):
        complete({"rankers": {}})
