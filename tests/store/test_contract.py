"""What a record promises, held against both databases."""

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event as hooks
from sqlalchemy.engine import Engine

from comparekit.errors import EventConflict, InputError, RecordError, StoreError, StoreReadOnly
from comparekit.events import ROOT, Event, NewEvent, current, require_chain
from comparekit.store import Store, open_store
from tests.store.making import PAIR, said, ticking, told_by, vote


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    with open_store(place, clock=ticking()) as opened:
        yield opened


def test_a_new_record_is_empty(store: Store) -> None:
    assert store.events() == ()
    assert store.head == (0, ROOT)
    assert store.verify().events == 0
    assert (store.read_only, store.why_read_only) == (False, "")


def test_what_is_appended_is_read_again_as_it_was_returned(store: Store) -> None:
    recorded = [store.append(vote(number)) for number in range(5)]
    assert store.events() == tuple(recorded)
    assert store.head == (5, recorded[-1].digest)
    assert [each.seq for each in recorded] == [1, 2, 3, 4, 5]
    require_chain(recorded)


def test_only_what_is_new_is_read_on(store: Store) -> None:
    recorded = [store.append(vote(number)) for number in range(5)]
    assert store.events(after=3) == tuple(recorded[3:])
    assert store.events(after=5) == store.events(after=99) == ()


def test_a_record_is_there_when_it_is_opened_again(place: str) -> None:
    with open_store(place) as first:
        recorded, secret = first.append(vote(1)), first.secret()
    with open_store(place) as second:
        assert second.events() == (recorded,)
        assert second.secret() == secret
        assert len(secret) == 32


def test_an_answer_sent_again_is_recorded_once(store: Store) -> None:
    first = store.append(vote(1))
    store.append(vote(2))
    assert store.append(vote(1)) == first
    assert len(store.events()) == 2


def test_another_answer_under_the_same_id_is_refused_and_the_first_stands(store: Store) -> None:
    first = store.append(vote(1))
    for other in (vote(1, answer="right"), vote(1, assessor="bob"), vote(1, elapsed_ms=1)):
        with pytest.raises(EventConflict, match="another answer is recorded under this id"):
            store.append(other)
    assert store.events() == (first,)


def test_several_are_recorded_together_or_not_at_all(store: Store) -> None:
    store.append(vote(1))
    with pytest.raises(EventConflict):
        store.append_all([vote(2), vote(3), vote(1, answer="right")])
    assert [each.event_id for each in store.events()] == ["e1"]
    assert [each.seq for each in store.append_all([vote(2), vote(1), vote(3)])] == [2, 1, 3]


def test_a_history_read_back_gives_the_same_chain(store: Store, tmp_path: Path) -> None:
    store.append_all(vote(number) for number in range(4))
    with open_store(tmp_path / "other.sqlite") as other:
        other.append_all(store.events())
        assert other.events() == store.events()
        assert other.head == store.head
        other.append_all(store.events())
        assert other.head == store.head


def test_a_revision_names_an_event_of_the_same_assessor_about_the_same_pair(store: Store) -> None:
    first = store.append(vote(1))
    revision = NewEvent("r1", "revise", "e1", "ann", PAIR, said("t1", answer="right"))
    for wrong, why in (
        (replace(revision, supersedes="nothing"), "was not recorded"),
        (replace(revision, assessor="bob"), "only an assessor's own event"),
        (replace(revision, supersedes=None), "names another"),
    ):
        with pytest.raises(RecordError, match=why):
            store.append(wrong)
    second = store.append(revision)
    assert current(store.events()) == (second,)
    withdrawal = NewEvent("w1", "withdraw", "r1", "ann", PAIR, second.payload)
    store.append(withdrawal)
    assert current(store.events()) == ()
    with pytest.raises(RecordError, match="was not recorded"):
        store.append(replace(withdrawal, event_id="w2", supersedes="w1"))
    assert first in store.events()


def test_a_record_opened_for_reading_is_not_written(place: str) -> None:
    with pytest.raises(StoreError, match="there is no record of answers"):
        open_store(place, read_only=True)
    with open_store(place) as store:
        recorded = store.append(vote(1))
    with open_store(place, read_only=True) as store:
        assert store.read_only
        assert "for reading only" in store.why_read_only
        assert store.events() == (recorded,)
        with pytest.raises(StoreReadOnly, match="nothing can be recorded"):
            store.append(vote(2))


def test_a_copy_is_a_record_with_the_same_chain_and_secret(store: Store, tmp_path: Path) -> None:
    recorded = tuple(store.append(vote(number)) for number in range(3))
    target = tmp_path / "copy.sqlite"
    report = store.backup(target)
    assert (report.events, report.head, report.place) == (3, store.head, str(target))
    assert target.stat().st_mode & 0o777 == 0o600
    with open_store(target) as copy:
        assert copy.events() == recorded
        assert copy.secret() == store.secret()
        assert copy.append(vote(4)).prev_digest == recorded[-1].digest
    with pytest.raises(StoreError, match="exists already"):
        store.backup(target)
    assert [path.name for path in tmp_path.iterdir()] == ["copy.sqlite"]


# What people do: double clicks, two tabs, a page that is stopped.


def test_one_answer_from_many_threads_at_once_is_one_row(store: Store) -> None:
    found: list[Event] = []
    start = threading.Barrier(12)

    def press() -> None:
        start.wait(20)
        found.append(store.append(vote("same")))

    threads = [threading.Thread(target=press) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(found) == 12
    assert store.events() == (found[0],)
    assert all(each == found[0] for each in found)


def test_two_tabs_with_two_stores_record_one_answer_and_the_second_is_told(place: str) -> None:
    with open_store(place) as one, open_store(place) as other:
        first = one.append(vote(1))
        assert other.append(vote(1)) == first
        with pytest.raises(EventConflict):
            other.append(vote(1, elapsed_ms=5))
        assert other.append(vote(2)).seq == 2
        assert one.append(vote(3)).prev_digest == other.events()[1].digest


class Stopped(BaseException):
    """What a page raises when it is stopped: not an `Exception`."""


def test_a_page_that_is_stopped_while_it_records_leaves_no_transaction_open(place: str) -> None:
    stopping = [False]

    def clock() -> datetime:
        if stopping[0]:
            raise Stopped
        return datetime(2026, 5, 1, tzinfo=UTC)

    with open_store(place, clock=clock) as store, open_store(place) as other:
        stopping[0] = True
        with pytest.raises(Stopped):
            store.append(vote(1))
        assert other.append(vote(2)).seq == 1
        stopping[0] = False
        assert store.append(vote(1)).seq == 2


@pytest.mark.parametrize("moment", ["before_cursor_execute", "commit"])
def test_stopping_inside_the_database_leaves_nothing_half_done(place: str, moment: str) -> None:
    with open_store(place) as store:
        store.append(vote(0))

        def stop(*arguments: object) -> None:
            if moment == "commit" or str(arguments[2]).startswith("UPDATE store_head"):
                raise Stopped

        writer = store._backend.writer
        assert isinstance(writer, Engine)
        hooks.listen(writer, moment, stop)
        with pytest.raises(Stopped):
            store.append(vote(1))
        hooks.remove(writer, moment, stop)
        with open_store(place) as other:
            assert [each.event_id for each in other.events()] == ["e0"]
            assert other.append(vote(2)).seq == 2
        assert store.append(vote(1)).seq == 3


def test_an_answer_that_was_cut_off_after_it_was_saved_is_found_again(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(place) as store:
        writer = store._backend.writer
        assert isinstance(writer, Engine)
        commit = writer.dialect.do_commit

        def commit_and_stop(connection: Any) -> None:
            commit(connection)
            raise Stopped

        with monkeypatch.context() as cut:
            cut.setattr(writer.dialect, "do_commit", commit_and_stop)
            with pytest.raises(Stopped):
                store.append(vote(1))
        saved = store.events()
        assert [each.event_id for each in saved] == ["e1"]
        assert (store.append(vote(1)),) == saved == store.events()


# Clocks.


def test_a_clock_that_jumps_changes_neither_order_nor_chain(place: str) -> None:
    now = datetime(2026, 5, 1, 12, tzinfo=UTC)
    jumps = [now, now, now - timedelta(days=1), now.replace(year=2036), now, now, now - timedelta(hours=1)]
    with open_store(place, clock=told_by(jumps)) as store:
        recorded = [store.append(vote(number)) for number in range(6)]
        assert [each.seq for each in recorded] == [1, 2, 3, 4, 5, 6]
        assert store.events() == tuple(recorded)
        assert store.verify().clock_steps_back == 3
    assert recorded[2].recorded_at == "2036-05-01T12:00:00.000Z"
    assert recorded[1].recorded_at == "2026-04-30T12:00:00.000Z"


def test_times_are_universal_whatever_zone_the_clock_tells(place: str) -> None:
    zone = datetime.fromisoformat("2026-05-01T01:30:00.123456+02:00")
    with open_store(place, clock=lambda: zone) as store:
        assert store.append(vote(1)).recorded_at == "2026-04-30T23:30:00.123Z"


def test_a_clock_without_a_zone_is_refused(place: str) -> None:
    with pytest.raises(StoreError, match="without a zone"):
        open_store(place, clock=lambda: datetime(2026, 5, 1))  # noqa: DTZ001


def test_a_time_that_went_by_before_the_answer_is_refused(store: Store) -> None:
    with pytest.raises(RecordError, match='"elapsed_ms".*whole milliseconds from 0, got -1'):
        store.append(vote(1, elapsed_ms=-1))


# Text, byte for byte.

NAMES = [
    "Jos\u00e9", "Jose\u0301", "\uff21\uff22", "\ufb01sh", "\u0130stanbul", "a\u200bb", "\U0001f600", "\uffff",
    '"; DROP TABLE preference_event; --', "]", "%", "_", "%s", ":name", "\\", "'", "ann bob", "-rf", "\u202eabc",
]  # fmt: skip


def test_names_that_look_alike_or_like_commands_are_kept_byte_for_byte(store: Store) -> None:
    for number, name in enumerate(NAMES):
        store.append(vote(number, assessor=name, comment=name, topic=name))
    assert [each.assessor for each in store.events()] == NAMES
    assert [each.payload["comment"] for each in store.events()] == NAMES
    assert len(current(store.events())) == len(NAMES)


def test_hostile_ids_are_ids(store: Store) -> None:
    for name in NAMES:
        store.append(replace(vote(1, topic=name), event_id=name))
    assert [each.event_id for each in store.events()] == NAMES
    assert store.append(replace(vote(1, topic="%"), event_id="%")).seq == NAMES.index("%") + 1


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "a\udfffb", "\x1b[2J"])
def test_text_that_cannot_be_recorded_is_refused_before_the_database_sees_it(store: Store, text: str) -> None:
    wrong: list[Callable[[], NewEvent]] = [
        lambda: vote(1, comment=text),
        lambda: vote(1, reasons=[text]),
        lambda: vote(1, assessor=text),
        lambda: replace(vote(1), event_id=text),
    ]
    for make in wrong:
        with pytest.raises(InputError, match="control character|not valid Unicode"):
            store.append(make())
    assert store.events() == ()


def test_a_long_comment_is_kept_and_a_huge_one_refused(store: Store) -> None:
    long = "ü" * 60_000
    assert store.append(vote(1, comment=long)).payload["comment"] == long
    with pytest.raises(InputError, match="too long"):
        store.append(vote(2, comment="x" * 300_000))
    assert store.events()[0].payload["comment"] == long


# Showing.


def test_the_place_is_shown_without_a_password(store: Store) -> None:
    assert "secret" not in store.place
    assert store.place in store.verify().place


def test_every_connection_is_closed_again(place: str) -> None:
    with open_store(place) as store:
        store.append(vote(1))
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        with open_store(place) as store:
            store.events()
    assert len(os.listdir("/proc/self/fd")) <= before + 2
