"""What was told to be saved is on disk: after kill -9, and because it is synced before anybody is told."""

import os
import random
import re
import shutil
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from comparekit.store import Store, open_store
from tests.store.conftest import ROOT, lacking
from tests.store.making import LONG, child, vote, write_on, write_one

ROUNDS, KILLS = 20 if LONG else 1, 50
STEPS = "pwrite64,fdatasync,fsync,unlink"


def killed(place: str, run: str, *, once: str, after: float) -> list[str]:
    """The ids of what a process was told to be saved until it was killed, `after` seconds from what it says `once`."""
    acknowledged = []
    with child(write_on, place, run) as (process, pipe):
        while pipe.poll(60) and pipe.recv() != once:
            pass
        time.sleep(after)
        process.kill()
        process.join(20)
        try:
            while pipe.poll(0):
                acknowledged.append(pipe.recv())
        except (EOFError, OSError):  # the last word may be cut in half
            pass
    return [each for each in acknowledged if each != "opened"]


def holds(store: Store, run: str, acknowledged: list[str], *, after: int) -> None:
    """All that was acknowledged stands once and in order, and at most one more; sent again, it is the same row."""
    found = [each for each in store.events(after=after) if each.event_id.startswith(f"e{run}-")]
    ids = [each.event_id for each in found]
    assert ids[: len(acknowledged)] == acknowledged
    assert len(ids) <= len(acknowledged) + 1
    unsure = vote(f"{run}-{len(acknowledged)}")
    again = store.append(unsure)
    assert found[-1:] == [again] if len(ids) > len(acknowledged) else again.seq == store.head[0]
    assert store.append(unsure) == again


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_kill_loses_nothing_that_was_saved(place: str, seed: int) -> None:
    """In every third round the process is killed while it starts, on what the one killed before it left behind."""
    dice = random.Random(seed)
    before: dict[str, list[str]] = {}
    saved = checked = 0
    with open_store(place) as watching:
        for number in range(KILLS):
            starting = number % 3 == 2
            run = f"run{number}"
            if starting:
                before[run] = killed(place, run, once="started", after=dice.uniform(0, 0.03))
            else:
                before[run] = killed(place, run, once="opened", after=dice.uniform(0.06, 0.18))
            saved += len(before[run])
            if number % 3 == 1:
                continue
            if starting:
                with open_store(place) as store:
                    for each, acknowledged in before.items():
                        holds(store, each, acknowledged, after=checked)
                before.clear()
            else:
                # A record that was open all the time reads on, whatever the other left behind.
                holds(watching, run, before.pop(run), after=checked)
            checked = watching.head[0]
        assert watching.verify().events >= saved > KILLS


def killed_at(place: str, step: int, trace: Path) -> bool:
    """Whether a process that adds one event was killed as it came to its `step`-th write, sync or removal."""
    with child(write_one, place) as (process, pipe):
        assert pipe.poll(60)
        assert pipe.recv() == "opened"
        command = ["strace", "-f", "-p", str(process.pid), "-o", str(trace)]
        command += ["-e", f"inject={STEPS}:signal=SIGKILL:when={step}", "-e", f"trace={STEPS}"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tracer:
            assert tracer.stderr is not None
            if "attached" not in (told := tracer.stderr.readline()):
                lacking(f"strace may not trace here: {told}")
            pipe.send("go")
            saved = pipe.poll(30) and _said(pipe) == "e2"
            process.join(20)
            tracer.wait(20)
    return not saved


def _said(pipe: Connection) -> object:
    try:
        return pipe.recv()
    except EOFError:
        return None


def test_kill_at_every_step_of_saving_leaves_the_event_whole_or_not_at_all(memory: Path, tmp_path: Path) -> None:
    if shutil.which("strace") is None:
        lacking("strace is not installed; on Debian, as root: apt-get install strace")
    taken_back = 0
    for step in range(1, 100):
        folder = memory / f"step-{step}"
        folder.mkdir()
        place = folder / "judgments.sqlite"
        with open_store(place) as store:
            first = store.append(vote(1))
        killed = killed_at(str(place), step, tmp_path / "trace")
        taken_back += Path(f"{place}-journal").exists()
        with open_store(place) as store:
            assert store.events()[:1] == (first,)
            assert killed or [each.event_id for each in store.events()] == ["e1", "e2"]
            assert store.append(vote(2)).seq == store.verify().events == 2
        if not killed:
            break
    # Head, event, two indexes and the first page go to the journal and to the file; it is synced between.
    assert not killed
    assert step > 10
    assert taken_back > 5


def test_the_record_and_its_folder_are_synced_before_anybody_is_told(tmp_path: Path) -> None:
    strace = shutil.which("strace")
    if strace is None:
        lacking("strace is not installed; on Debian, as root: apt-get install strace")
    trace, folder = tmp_path / "trace", tmp_path / "record"
    folder.mkdir()
    code = (
        "import os, sys\n"
        "from comparekit.store import open_store\n"
        "from tests.store.making import vote\n"
        "with open_store(sys.argv[1]) as store:\n"
        "    store.append(vote(1))\n"
        "    os.write(2, b'asked')\n"
        "    store.append(vote(2))\n"
        "    os.write(2, b'saved')\n"
    )
    place = folder / "judgments.sqlite"
    command = [str(strace), "-f", "-y", "-e", "trace=fsync,fdatasync,write", "-o", str(trace)]
    done = subprocess.run(
        [*command, sys.executable, "-c", code, str(place)],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    if "ptrace" in done.stderr:
        lacking("strace may not trace here")
    assert done.returncode == 0, done.stderr
    between = trace.read_text().split('"asked"')[1].split('"saved"')[0]
    synced = re.findall(r"(?:fsync|fdatasync)\(\d+<([^>]+)>\) += 0", between)
    assert synced.count(str(place)) >= 1
    assert f"{place}-journal" in synced
    assert synced[-1] == str(folder)


def test_a_new_record_is_whole_before_it_gets_its_name_and_the_name_is_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    link, fsync = os.link, os.fsync

    def named(*names: Path) -> None:
        order.append("named")
        link(*names)

    def synced(handle: int) -> None:
        order.append("synced")
        fsync(handle)

    monkeypatch.setattr(os, "link", named)
    monkeypatch.setattr(os, "fsync", synced)
    with open_store(tmp_path / "judgments.sqlite"):
        assert order == ["named", "synced"]
