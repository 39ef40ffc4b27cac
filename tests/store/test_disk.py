"""A disk that is full or cannot be written: told as that, nothing lost, and nothing made in another place."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from comparekit.errors import StoreError, StoreFull, StoreReadOnly
from comparekit.store import open_store
from tests.store.conftest import Mount, lacking
from tests.store.making import as_somebody, child, vote, while_the_folder_is_closed, within_a_file_size

Disk = tuple[Path, Mount]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A user's data folder in which nothing may appear."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    yield
    assert os.listdir(folder) == []


def fill(folder: Path, *, leave: int = 0) -> Path:
    """Take all the room of a disk, or all but some bytes."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            pass
        file.truncate(file.tell() - leave)
    return filler


def test_a_full_disk_refuses_an_answer_and_takes_it_when_there_is_room(small_disk: Disk) -> None:
    disk, _ = small_disk
    with open_store(disk / "judgments.sqlite") as store:
        recorded = [store.append(vote(0))]
        filler = fill(disk, leave=16 * 4096)
        for number in range(1, 500):
            refused = vote(number, comment="x" * 900)
            try:
                recorded.append(store.append(refused))
            except StoreFull:
                break
        for _ in range(3):
            with pytest.raises(StoreFull, match=r"no room to write .*Send the answer again; it is recorded once"):
                store.append(refused)
        assert store.events() == tuple(recorded)
        assert store.verify().events == len(recorded)
        filler.unlink()
        assert store.append(refused).seq == len(recorded) + 1
        assert store.append(refused).seq == len(recorded) + 1
    with open_store(disk / "judgments.sqlite") as store:
        assert store.verify().events == len(recorded) + 1


def test_a_record_on_a_full_disk_opens_and_is_read(small_disk: Disk) -> None:
    disk, _ = small_disk
    with open_store(disk / "judgments.sqlite") as store:
        store.append(vote(1))
    filler = fill(disk)
    with open_store(disk / "judgments.sqlite") as store:
        assert not store.read_only
        assert len(store.events()) == 1
        with pytest.raises(StoreFull):
            store.append(vote(2))
        filler.unlink()
        assert store.append(vote(2)).seq == 2


@pytest.mark.parametrize("room", [0, 1, 3, 6])
def test_a_record_that_cannot_be_made_whole_is_not_made(small_disk: Disk, room: int) -> None:
    disk, _ = small_disk
    filler = fill(disk, leave=room * 4096)
    with pytest.raises(StoreFull, match="no room to write"):
        open_store(disk / "judgments.sqlite")
    assert os.listdir(disk) == ["filler"]
    filler.unlink()
    with open_store(disk / "judgments.sqlite") as store:
        assert store.append(vote(1)).seq == 1


def test_a_copy_that_does_not_fit_leaves_no_part_of_it(small_disk: Disk, tmp_path: Path) -> None:
    disk, _ = small_disk
    with open_store(tmp_path / "judgments.sqlite") as store:
        store.append_all(vote(number, comment="x" * 1000) for number in range(60))
        fill(disk, leave=4 * 4096)
        with pytest.raises(StoreFull, match="no room to write"):
            store.backup(disk / "copy.sqlite")
        assert os.listdir(disk) == ["filler"]
        (disk / "filler").unlink()
        assert store.backup(disk / "copy.sqlite").events == 60


def test_a_file_that_may_not_grow_refuses_an_answer(memory: Path, tmp_path: Path) -> None:
    place = str(tmp_path / "judgments.sqlite")
    with child(within_a_file_size, place, 120_000) as (_, pipe):
        assert pipe.poll(60)
        fitted, error, read, verified = pipe.recv()
    assert (error, read, verified) == ("StoreFull", fitted, fitted)
    assert fitted > 20
    with open_store(place) as store:
        assert store.append(vote(fitted, comment="x" * 500)).seq == fitted + 1


def test_a_record_on_a_disk_that_cannot_be_written_opens_for_reading(small_disk: Disk) -> None:
    disk, mount = small_disk
    place = disk / "judgments.sqlite"
    with open_store(place) as store:
        recorded = store.append(vote(1))
    mount("ro")
    with open_store(place) as store:
        assert store.read_only
        assert "nothing can be written" in store.why_read_only
        assert store.events() == (recorded,)
        with pytest.raises(StoreReadOnly, match="nothing can be recorded: nothing can be written in its folder"):
            store.append(vote(2))
    with pytest.raises(StoreReadOnly, match="nothing can be written there"):
        open_store(disk / "other.sqlite")
    mount("rw")
    with open_store(place) as store:
        assert not store.read_only
        assert store.append(vote(2)).seq == 2


def _nothing(path: Path) -> None:
    pass


def _closed_folder(path: Path) -> None:
    path.parent.chmod(0o555)


def _closed_file(path: Path) -> None:
    path.chmod(0o444)


def _hidden_file(path: Path) -> None:
    path.chmod(0o000)


@pytest.mark.parametrize(
    ("close", "expected"),
    [
        (_nothing, {"read_only": False, "append": "recorded"}),
        (_closed_folder, {"read_only": True, "append": "StoreReadOnly"}),
        (_closed_file, {"read_only": True, "append": "StoreReadOnly"}),
        (_hidden_file, {"open": "StoreError"}),
    ],
    ids=["nothing", "folder", "file", "hidden file"],
)
def test_what_somebody_without_rights_may_do(
    memory: Path, close: Callable[[Path], None], expected: dict[str, object]
) -> None:
    if os.geteuid() != 0:
        lacking("only root can become somebody else")
    folder = memory / "theirs"
    folder.mkdir(mode=0o777)
    try:
        path = folder / "judgments.sqlite"
        with open_store(path) as store:
            store.append(vote(1))
        os.chown(folder, 65534, 65534)
        os.chown(path, 65534, 65534)
        close(path)
        with child(as_somebody, str(path)) as (_, pipe):
            assert pipe.poll(60)
            told = pipe.recv()
        assert {key: told[key] for key in expected} == expected
        assert os.listdir(folder) == ["judgments.sqlite"]
    finally:
        shutil.rmtree(folder)


def test_an_open_record_whose_folder_is_closed_says_so_and_goes_on_later(memory: Path) -> None:
    if os.geteuid() != 0:
        lacking("only root can become somebody else")
    folder = memory / "theirs"
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    try:
        with child(while_the_folder_is_closed, str(folder / "judgments.sqlite")) as (_, pipe):
            assert [pipe.recv() for _ in range(3) if pipe.poll(60)] == ["recorded 1", "StoreReadOnly 1", "recorded 2"]
    finally:
        shutil.rmtree(folder)


def test_a_folder_that_may_not_be_written_gets_no_record(memory: Path) -> None:
    if os.geteuid() != 0:
        lacking("only root can become somebody else")
    folder = memory / "closed"
    folder.mkdir(mode=0o555)
    with child(as_somebody, str(folder / "judgments.sqlite")) as (_, pipe):
        assert pipe.poll(60)
        told = pipe.recv()
    assert told["open"] == "StoreReadOnly"
    assert "nothing can be written there" in told["why"]
    assert os.listdir(folder) == []
    folder.rmdir()


def test_a_file_that_went_away_is_not_made_again(tmp_path: Path) -> None:
    path = tmp_path / "judgments.sqlite"
    with open_store(path) as store:
        store.append(vote(1))
    path.unlink()
    with pytest.raises(StoreError, match="there is no record of answers"):
        open_store(path, read_only=True)
    assert not path.exists()
