"""A file that is damaged, foreign, newer or not a file at all is refused as it is, and nothing foreign is raised."""

import ast
import os
import random
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from comparekit import store_schema, store_sqlite
from comparekit.errors import StoreCorrupt, StoreError, StoreReadOnly, StoreTooNew
from comparekit.events import Event
from comparekit.store import open_store
from comparekit.store_schema import Migration
from tests.store.making import ticking, vote

FLIPS, CUTS = 3000, 50
State = tuple[tuple[Event, ...], bytes]


@pytest.fixture
def folder(memory: Path, tmp_path: Path) -> Iterator[Path]:
    made = memory / tmp_path.name
    made.mkdir()
    yield made
    shutil.rmtree(made)


@pytest.fixture
def sound(folder: Path) -> Path:
    """A record of about 40 KiB."""
    path = folder / "judgments.sqlite"
    with open_store(path, clock=ticking()) as store:
        store.append_all(vote(number, comment="words " * 150) for number in range(12))
    return path


def changed_outside(path: Path, *statements: str, triggers: bool = True) -> None:
    """Run statements as any other program would."""
    with closing(sqlite3.connect(path)) as other:
        kept = other.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in kept if triggers else ():
            other.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            other.execute(statement)
        for _, sql in kept if triggers else ():
            other.execute(sql)
        other.commit()


def state(path: Path) -> State:
    with open_store(path, clock=ticking()) as store:
        return store.events(), store.secret()


def refused_untouched(path: Path, error: type[StoreError], match: str) -> None:
    before = path.read_bytes()
    with pytest.raises(error, match=match):
        open_store(path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_every_flipped_bit_is_seen_or_changes_nothing_that_was_said(sound: Path) -> None:
    whole, expected = sound.read_bytes(), state(sound)
    dice = random.Random(20260501)
    refused = 0
    for _ in range(FLIPS):
        damaged = bytearray(whole)
        damaged[dice.randrange(len(whole))] ^= 1 << dice.randrange(8)
        sound.write_bytes(damaged)
        try:
            assert state(sound) == expected
        except StoreError:
            refused += 1
        assert sound.read_bytes() == damaged
        assert os.listdir(sound.parent) == [sound.name]
    # About half of the bytes of a record this small carry something.
    assert refused > FLIPS / 3


def test_every_cut_is_seen(sound: Path) -> None:
    whole = sound.read_bytes()
    for cut in [1, 100, *random.Random(7).sample(range(2, len(whole)), CUTS - 2)]:
        sound.write_bytes(whole[:-cut])
        refused_untouched(sound, StoreCorrupt, "damaged|not a record")


def test_a_changed_answer_is_named_with_the_way_back(sound: Path) -> None:
    changed_outside(sound, "UPDATE preference_event SET payload = replace(payload, 'left\"', 'same\"') WHERE seq = 7")
    refused_untouched(
        sound, StoreCorrupt, "event 7 was changed after it was recorded.*comparekit store backup --store BACKUP"
    )


def test_a_removed_answer_is_seen_wherever_it_stood(sound: Path) -> None:
    whole = sound.read_bytes()
    for seq, match in ((1, "event 2 was changed"), (6, "event 7 was changed"), (12, "ends at event 11")):
        sound.write_bytes(whole)
        changed_outside(sound, f"DELETE FROM preference_event WHERE seq = {seq}")
        refused_untouched(sound, StoreCorrupt, match)


def test_answers_that_changed_places_are_seen(sound: Path) -> None:
    changed_outside(
        sound,
        "UPDATE preference_event SET seq = 100 WHERE seq = 3",
        "UPDATE preference_event SET seq = 3 WHERE seq = 4",
        "UPDATE preference_event SET seq = 4 WHERE seq = 100",
    )
    refused_untouched(sound, StoreCorrupt, "event 3 was changed")


def test_another_secret_is_seen(sound: Path) -> None:
    changed_outside(sound, f"UPDATE store_identity SET secret = '{'0' * 64}'")
    refused_untouched(sound, StoreCorrupt, "the secret of the record was changed")


def test_a_missing_protection_is_seen(sound: Path) -> None:
    changed_outside(sound, "DROP TRIGGER preference_event_no_update", triggers=False)
    refused_untouched(sound, StoreCorrupt, "what keeps them append-only")


def test_what_is_changed_while_the_record_is_open_is_seen_when_it_is_read(sound: Path) -> None:
    with open_store(sound) as store:
        changed_outside(sound, "UPDATE preference_event SET assessor = 'bob' WHERE seq = 5")
        for read in (store.events, lambda: store.events(after=4), store.verify):
            with pytest.raises(StoreCorrupt, match="event 5 was changed"):
                read()


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"", "not a record of answers"),
        (b"SQLite format 3\0", "damaged"),
        (b"topic,answer\n1,left\n" * 400, "damaged"),
        (b"\0" * 8192, "damaged"),
    ],
    ids=["empty", "header only", "text", "zeros"],
)
def test_what_is_not_a_record_is_refused(folder: Path, content: bytes, match: str) -> None:
    path = folder / "judgments.sqlite"
    path.write_bytes(content)
    refused_untouched(path, StoreCorrupt, match)


def test_a_database_of_something_else_is_refused(folder: Path) -> None:
    path = folder / "judgments.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE preference_event (seq INTEGER)")
        other.commit()
    refused_untouched(path, StoreCorrupt, "not a record of answers")


def test_a_record_of_a_later_version_is_left_alone(sound: Path) -> None:
    changed_outside(sound, "PRAGMA user_version = 2", triggers=False)
    refused_untouched(sound, StoreTooNew, "a later version made this record.*expected at most 1, got 2")


def test_a_version_that_the_record_does_not_know_of_is_refused(sound: Path) -> None:
    changed_outside(sound, "PRAGMA user_version = 0", triggers=False)
    refused_untouched(sound, StoreCorrupt, "which version it is")


def test_a_record_in_write_ahead_mode_is_refused(sound: Path) -> None:
    with closing(sqlite3.connect(sound)) as other:
        other.execute("PRAGMA journal_mode = WAL")
    before = sound.read_bytes()
    with pytest.raises(StoreError, match="write-ahead mode.*journal_mode = DELETE"):
        open_store(sound)
    assert sound.read_bytes() == before


def test_an_older_record_is_brought_up_to_date_whole_or_not_at_all(
    sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(sound)

    def second(*statements: str) -> None:
        later = Migration(2, "notes", {"sqlite": statements, "postgresql": ()})
        monkeypatch.setattr(store_schema, "MIGRATIONS", (*store_schema.MIGRATIONS[:1], later))
        for module in (store_sqlite, store_schema):
            monkeypatch.setattr(module, "VERSION", 2)
        monkeypatch.setattr("comparekit.store_backend.VERSION", 2)
        store_sqlite._schema.cache_clear()

    second("CREATE TABLE note (one INTEGER) STRICT", "CREATE TABLE broken (")
    refused_untouched(sound, StoreError, "record of answers")
    with pytest.raises(StoreReadOnly, match="up to date first"):
        open_store(sound, read_only=True)
    second("CREATE TABLE note (one INTEGER) STRICT")
    assert state(sound) == before
    with closing(sqlite3.connect(sound)) as other:
        assert other.execute("PRAGMA user_version").fetchall() == [(2,)]
        assert [row[0] for row in other.execute("SELECT version FROM store_migration")] == [1, 2]
    monkeypatch.undo()
    store_sqlite._schema.cache_clear()
    refused_untouched(sound, StoreTooNew, "a later version")


# Places that are no files.


def _link(path: Path) -> None:
    path.symlink_to(path.parent / "elsewhere.sqlite")


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (os.mkdir, "this is a folder"),
        (os.mkfifo, "not a regular file"),
        (_socket, "not a regular file"),
        (_link, "is a link"),
    ],
    ids=["folder", "fifo", "socket", "dangling link"],
)
def test_what_is_not_a_file_is_refused_and_nothing_is_made(
    folder: Path, make: Callable[[Path], None], match: str
) -> None:
    path = folder / "s.sqlite"
    make(path)
    with pytest.raises(StoreError, match=match):
        open_store(path)
    assert os.listdir(folder) == [path.name]


def test_a_link_to_a_record_is_refused_with_where_it_leads(sound: Path) -> None:
    link = sound.parent / "link.sqlite"
    link.symlink_to(sound)
    with pytest.raises(StoreError, match=f"is a link .*got {sound}"):
        open_store(link)


def test_a_second_name_of_a_record_is_refused(sound: Path) -> None:
    os.link(sound, sound.parent / "other.sqlite")
    for path in (sound, sound.parent / "other.sqlite"):
        with pytest.raises(StoreError, match="has two names"):
            open_store(path)


def test_a_name_left_behind_while_the_record_was_made_is_removed(sound: Path) -> None:
    before = state(sound)
    os.link(sound, sound.parent / f".{sound.name}.abc.new")
    assert state(sound) == before
    assert os.listdir(sound.parent) == [sound.name]


def test_a_folder_that_is_not_there_is_not_made(folder: Path) -> None:
    with pytest.raises(StoreError, match="the folder of the record of answers is not there"):
        open_store(folder / "typo" / "judgments.sqlite")
    assert os.listdir(folder) == []


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_a_name_that_no_file_can_have_is_refused(folder: Path, name: str) -> None:
    with pytest.raises(StoreError, match="cannot be"):
        open_store(folder / name)


def test_a_name_with_marks_of_an_address_is_a_name(folder: Path) -> None:
    path = folder / "a?mode=memory&x#%41 ü.sqlite"
    with open_store(path) as store:
        store.append(vote(1))
    assert os.listdir(folder) == [path.name]


@pytest.mark.parametrize("url", ["mysql://host/x", "sqlite:///x.db", "http://host"])
def test_addresses_of_other_databases_are_refused(url: str) -> None:
    with pytest.raises(StoreError, match="no store is kept there"):
        open_store(url)


# The place, unless one is given.


def test_the_users_own_record_is_for_its_owner_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPAREKIT_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    with open_store() as store:
        path = Path(store.place)
    assert path == folder / "data" / "comparekit" / "judgments.sqlite"
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_environment_names_another_record(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.setenv("COMPAREKIT_STORE", str(folder / "team.sqlite"))
    with open_store() as store:
        assert store.place == str(folder / "team.sqlite")
    assert os.listdir(folder) == ["team.sqlite"]


def test_no_code_opens_the_file_but_sqlite() -> None:
    """A process that opens and closes the file in another way drops the locks that SQLite holds on it."""
    found = {
        f"{path.name}: {ast.unparse(call)}"
        for path in Path(store_sqlite.__file__).parent.glob("store*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call)
        and re.search(r"(^|\.)(open|copy(file|2|tree)?|(read|write)_(bytes|text))$", ast.unparse(call.func))
    }
    assert found == {"store_sqlite.py: os.open(folder, os.O_RDONLY)"}


def test_opening_a_record_loads_no_page() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import comparekit.store, sys; print('streamlit' in sys.modules)"],
        capture_output=True, text=True, check=True, cwd=Path(store_sqlite.__file__).parents[1],
    )  # fmt: skip
    assert done.stdout.strip() == "False"
