"""Opening an experiment: once for everybody, under its content's fingerprint, telling how far it is."""

import hashlib
import os
import secrets
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from comparekit.comparison import Comparison, compare
from comparekit.declaration import FILE, read_declaration
from comparekit.evaluation import evaluation
from comparekit.experiment import open_experiment
from comparekit.judgments import PINNED
from comparekit.minting import minted_folder
from comparekit.records import Progress
from comparekit.repairs import Repair
from comparekit.results import Result
from comparekit.ui.address import View
from comparekit.ui.text import show, tag

ROOT = Path(__file__).parents[2]
FIXTURE = ROOT / "fixtures" / "experiment"
VARIABLE = "COMPAREKIT_EXPERIMENT"
KEPT = 4
"""How many opened experiments stay in memory."""
_TICK = 0.15
_POOL = ThreadPoolExecutor(max_workers=2, thread_name_prefix="comparekit")


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """A comparison and its evaluation receipt, computed in full."""

    comparison: Comparison
    receipt: Mapping[str, Any]


class Job:
    """Work on another thread, and the words it last said of itself."""

    def __init__(self, work: Callable[[Progress], Any]) -> None:
        self.words, self.share = "Starting", 0.0
        self.future: Future[Any] = _POOL.submit(work, self._tell)

    def _tell(self, words: str, share: float) -> None:
        self.words, self.share = words, share


@dataclass(frozen=True, slots=True, eq=False)
class Upload:
    """An experiment made from dropped files: its folder lives as long as this process."""

    home: tempfile.TemporaryDirectory[str]
    repairs: tuple[Repair, ...]

    @property
    def folder(self) -> Path:
        """The experiment's folder."""
        return Path(self.home.name) / "experiment"


@st.cache_resource(show_spinner=False)
def uploads() -> dict[str, Upload]:
    """Every experiment made from dropped files, by the token in its address."""
    return {}


def keep(upload: Upload) -> str:
    """Keep an upload; returns the token that opens it."""
    token = secrets.token_urlsafe(16)
    uploads()[token] = upload
    return token


def pinned_folder() -> Path | None:
    """The experiment this server was started on: the one given, else the shipped one; None when there is neither."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given)
    return FIXTURE if given is None and FIXTURE.exists() else None


def load(folder: Path, *, judgments: str = PINNED, exploratory: bool = False, quiet: bool = False) -> Loaded:
    """
    Open a folder and compare its two receipt sets, once for as long as no file in it changes.

    With `quiet` the page only says that it is opening: the words of progress name files.
    """
    key = f"{fingerprint(folder)} {exploratory} {judgments}"
    loaded: Loaded = run(key, lambda tell: _load(folder, judgments, exploratory, tell), quiet=quiet)
    return loaded


def measured(comparison: Comparison, view: View, *, everything: bool = False) -> Result:
    """
    The result that a view asks for; with `everything`, every declared measure and the strata as well.

    What was never asked for before takes a moment, and the page says so; later it is at hand.
    """
    with st.spinner("Measuring the chosen topics"):
        result = comparison.result(view.measure, view.selection)
        for measure in comparison.measures if everything else ():
            comparison.result(measure, view.selection)
        if everything:
            comparison.result(view.measure)
            comparison.strata(view.measure)
        return result


def run(key: str, work: Callable[[Progress], Any], *, quiet: bool = False) -> Any:
    """The result of some work, done once for a key by whoever asks first; the page tells how far it is."""
    job = _job(key, work)
    place = st.empty()
    while not wait([job.future], timeout=_TICK).done:
        with place:
            _draw("Opening" if quiet else job.words, job.share)
    place.empty()
    if job.future.exception() is not None:
        _job.clear(key, work)
    return job.future.result()


def fingerprint(folder: Path) -> str:
    """A digest of the names, sizes and times of an experiment's files; the files are verified when they are read."""
    seen = hashlib.sha256(str(folder).encode("utf-8", "surrogateescape"))
    for path in sorted(each for each in (*folder.glob("*"), *folder.glob("*/*")) if each.is_file()):
        found = path.stat()
        seen.update(f"\0{path}\0{found.st_size}\0{found.st_mtime_ns}".encode("utf-8", "surrogateescape"))
    return seen.hexdigest()


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _job(key: str, _work: Callable[[Progress], Any]) -> Job:
    return Job(_work)


def _load(folder: Path, judgments: str, exploratory: bool, tell: Progress) -> Loaded:
    minted = None if judgments == PINNED else minted_folder(read_declaration(folder / FILE))
    experiment = open_experiment(
        folder, judgments=judgments, minted=minted, progress=lambda words, share: tell(words, 0.5 * share)
    )
    tell("Comparing list by list", 0.5)
    comparison = compare(experiment, exploratory=exploratory)
    for done, measure in enumerate(comparison.measures):
        tell(f"Measuring {measure}", 0.55 + 0.35 * done / len(comparison.measures))
        comparison.result(measure)
    tell("Measuring every stratum", 0.9)
    comparison.strata(comparison.target)
    comparison.table(comparison.target)
    return Loaded(comparison, evaluation(comparison))


def _draw(words: str, share: float) -> None:
    bar = tag("div", tag("span", "", style=f"width:{100 * share:.0f}%"), class_="ck-progress")
    show(tag("div", tag("p", words, " …"), bar, class_="ck-loading", role="status"))
