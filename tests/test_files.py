"""Files are read by content, within limits, and written whole or not at all."""

import codecs
import gzip
import hashlib
import os
import pickle
import zlib
from pathlib import Path

import pytest

from comparekit.errors import FormatError, InputError, LimitExceeded
from comparekit.files import MIB, NEVER_READ, UPLOAD_LIMITS, Limits, Source, from_bytes, read_bytes, write_new

TEXT = b"q1 Q0 d1 1 9.0 alpha\n"


def written(folder: Path, data: bytes, name: str = "run.trec") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def kinds(source: Source) -> list[str]:
    return [each.what for each in source.repairs]


def test_the_digest_is_of_the_bytes_on_disk(tmp_path: Path) -> None:
    packed = gzip.compress(TEXT)
    source = read_bytes(written(tmp_path, packed, "run.gz"))
    assert (TEXT, f"sha256:{hashlib.sha256(packed).hexdigest()}") == (source.data, source.digest)
    assert ("run.gz", ()) == (source.name, source.repairs)


def test_every_member_of_a_gzip_file_is_read(tmp_path: Path) -> None:
    source = read_bytes(written(tmp_path, gzip.compress(TEXT) + gzip.compress(b"more") + b"\0" * 512, "run.gz"))
    assert TEXT + b"more" == source.data


@pytest.mark.parametrize("size", [0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB + 7])
def test_sizes_around_the_block_come_back_whole(tmp_path: Path, size: int) -> None:
    data = os.urandom(size // 2).hex().encode()
    assert data == read_bytes(written(tmp_path, data)).data
    assert data == read_bytes(written(tmp_path, gzip.compress(data, 1), "packed.gz")).data


@pytest.mark.parametrize("cut", range(1, 11))
def test_a_cut_gzip_file_is_refused_by_name(tmp_path: Path, cut: int) -> None:
    path = written(tmp_path, gzip.compress(TEXT)[:-cut], "cut.trec.gz")
    with pytest.raises(FormatError, match=r"cut\.trec\.gz: the gzip data is cut off"):
        read_bytes(path)


def test_a_second_member_that_is_cut_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cut off"):
        read_bytes(written(tmp_path, gzip.compress(TEXT) + gzip.compress(TEXT)[:-9], "cut.gz"))


@pytest.mark.parametrize("tail", [b"junk after the member", gzip.compress(TEXT)[:-8] + b"\0" * 8])
def test_damaged_gzip_data_is_refused(tmp_path: Path, tail: bytes) -> None:
    with pytest.raises(FormatError, match="the gzip data is damaged"):
        read_bytes(written(tmp_path, gzip.compress(TEXT) + tail, "bad.gz"))


def test_a_bomb_is_stopped_while_it_unpacks(tmp_path: Path) -> None:
    packer = zlib.compressobj(wbits=31)
    bomb = b"".join([packer.compress(bytes(MIB)) for _ in range(100)]) + packer.flush()
    with pytest.raises(LimitExceeded, match=r"too large once unpacked: expected at most 67,108,864 bytes"):
        read_bytes(written(tmp_path, bomb, "bomb.trec.gz"), limits=UPLOAD_LIMITS)


def test_a_plain_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LimitExceeded, match="too large: expected at most 10 bytes"):
        read_bytes(written(tmp_path, TEXT), limits=Limits(total_bytes=10))


@pytest.mark.parametrize(("name", "data"), [("packed.trec", gzip.compress(TEXT)), ("plain.trec.gz", TEXT)])
def test_a_wrong_ending_is_read_by_content_and_reported(tmp_path: Path, name: str, data: bytes) -> None:
    source = read_bytes(written(tmp_path, data, name))
    assert (TEXT, ["wrong-ending"]) == (source.data, kinds(source))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_is_taken_away_and_reported(tmp_path: Path, encoding: str) -> None:
    source = read_bytes(written(tmp_path, "q1 Ünïcode 𝔘\n".encode(encoding)))
    assert "q1 Ünïcode 𝔘\n".encode() == source.data
    assert ["byte-order-mark" if encoding == "utf-8-sig" else "encoding"] == kinds(source)


def test_big_endian_utf_16_is_read(tmp_path: Path) -> None:
    data = codecs.BOM_UTF16_BE + TEXT.decode().encode("utf-16-be")
    assert TEXT == read_bytes(written(tmp_path, data)).data


def test_cut_utf_16_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="not valid UTF-16"):
        read_bytes(written(tmp_path, codecs.BOM_UTF16_LE + b"q\0x"))


@pytest.mark.parametrize(
    "before", [b"", b"a\n", b"\xc3\xbc\n", b"x" * (MIB - 1) + b"\n", b"x" * (MIB - 2) + b"\n\xc3\xbc"]
)
def test_another_encoding_is_refused_with_its_line(tmp_path: Path, before: bytes) -> None:
    path = written(tmp_path, before + b"M\xfcller\n")
    with pytest.raises(FormatError, match=rf":{before.count(10) + 1}: the text is not valid UTF-8: got the byte 0xfc"):
        read_bytes(path)


def test_the_line_is_right_where_a_character_lies_across_two_blocks(tmp_path: Path) -> None:
    path = written(tmp_path, b"x" * (MIB - 2) + "€".encode() + b"\xfc\n")
    with pytest.raises(FormatError, match=":1: the text is not valid UTF-8"):
        read_bytes(path)


def test_half_a_surrogate_pair_is_not_utf_8(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r":2: the text is not valid UTF-8"):
        read_bytes(written(tmp_path, b"q1\n\xed\xa0\x80\n"))


@pytest.mark.parametrize("magic", [magic for magic, _ in NEVER_READ])
@pytest.mark.parametrize("name", ["frame.pkl", "frame.csv", "frame.jsonl"])
def test_binary_kinds_are_refused_whatever_their_name(tmp_path: Path, magic: bytes, name: str) -> None:
    with pytest.raises(FormatError, match="this kind of file is not read"):
        read_bytes(written(tmp_path, magic + b"rest", name))
    with pytest.raises(FormatError, match="this kind of file is not read"):
        read_bytes(written(tmp_path, gzip.compress(magic + b"rest"), f"{name}.gz"))


class Marker:
    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (Path("PICKLE_RAN"),)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_never_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protocol: int) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FormatError, match="a Python pickle, which is never loaded"):
        read_bytes(written(tmp_path, pickle.dumps(Marker(), protocol), "runs.csv"))
    assert not (tmp_path / "PICKLE_RAN").exists()


def test_what_is_not_a_regular_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe: this is not a regular file"):
        read_bytes(tmp_path / "pipe")
    with pytest.raises(InputError, match="cannot be read: got Is a directory"):
        read_bytes(tmp_path)
    with pytest.raises(InputError, match="cannot be read: got No such file or directory"):
        read_bytes(tmp_path / "absent.trec")


def test_bytes_at_hand_are_read_alike() -> None:
    source = from_bytes("../folder/run.trec.gz", gzip.compress(TEXT))
    assert ("run.trec.gz", TEXT, ()) == (source.name, source.data, source.repairs)


def test_an_upload_has_the_smaller_limit() -> None:
    with pytest.raises(LimitExceeded, match="67,108,864"):
        from_bytes("run.trec", bytes(64 * MIB + 1))


def test_a_new_file_is_written_whole_and_alone(tmp_path: Path) -> None:
    write_new(tmp_path / "a.jsonl", b"one\n")
    assert [("a.jsonl", b"one\n")] == [(each.name, each.read_bytes()) for each in tmp_path.iterdir()]


def test_a_file_is_never_replaced(tmp_path: Path) -> None:
    path = written(tmp_path, b"old")
    with pytest.raises(InputError, match="exists already"):
        write_new(path, b"new")
    assert [b"old"] == [each.read_bytes() for each in tmp_path.iterdir()]


def test_writing_into_an_absent_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_new(tmp_path / "absent" / "a.jsonl", b"one")
