"""
The frame of every page: set-up, navigation, the experiment that is open, and what happens when something is wrong.

With a pages/ folder a deep link on a fresh server runs the page alone, without app.py, so all of this stands in the
page: `with shell.begin("Topic") as loaded:` is its first line.
"""

import logging
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from comparekit.errors import ComparekitError, InputError, NotComparable, StoreError
from comparekit.judgments import PINNED
from comparekit.ui import access_gate, address, door, frame
from comparekit.ui.loading import Loaded, load, pinned_folder, uploads
from comparekit.ui.text import show, tag

PAGES = (
    ("app.py", "Overview"),
    ("pages/changed.py", "Changed"),
    ("pages/topic.py", "Topic"),
    ("pages/judge.py", "Judge"),
    ("pages/judgments.py", "Judgments"),
    ("pages/evidence.py", "Evidence"),
)
JUDGE = PAGES[3]
_HERE = Path(__file__).parent
_STYLE = "".join((_HERE / name).read_text("utf-8") for name in ("tokens.css", "app.css"))
_log = logging.getLogger("comparekit.ui")


@contextmanager
def begin(title: str, *, blind: bool = False) -> Iterator[Loaded]:
    """
    Draw the frame, open the experiment, and run the page inside; whatever goes wrong ends in one calm box.

    Whoever may not see the page is turned away before anything is opened. A `blind` page is for judging: neither its
    head nor its progress nor an error says which ranker is which.
    """
    st.set_page_config(page_title=f"{title} · comparekit", page_icon="⚖️", layout="wide")
    st.html(f"<style>{_STYLE}</style>")
    try:
        person = access_gate.admit("judge" if blind else "read")
        _navigation(door=not blind, everything=person is None or person.may("read"))
        loaded = _open_blind() if blind else _open()
        if not blind:
            frame.head(loaded.comparison, digest=loaded.receipt["digest"])
        yield loaded
    except ComparekitError as error:
        _refuse(error, blind=blind)
        st.stop()
    except Exception as error:  # noqa: BLE001 - this is the page: nobody is shown a traceback
        _refuse(_unexpected(error))
        st.stop()


def link(path: str, label: str, params: Mapping[str, str]) -> None:
    """A link to a page; only its words where the page runs by itself and there is nothing to go to."""
    try:
        st.page_link(path, label=label, query_params=params)
    except StreamlitPageNotFoundError:
        show(tag("span", label))


def _navigation(*, door: bool, everything: bool) -> None:
    params = address.carried(st.query_params)
    with st.container(horizontal=True, gap="small", key="nav"):
        for path, label in PAGES if everything else (JUDGE,):
            link(path, label, params)
        if not door:
            return
        with st.container(horizontal=True, horizontal_alignment="right", key="door-link"):
            if address.UPLOAD in params:
                link("app.py", "Back to the pinned experiment", {})
            link("app.py", "Compare your own files", {address.FILES: "yes"})


def _open() -> Loaded:
    folder = _folder()
    if folder is None or address.FILES in st.query_params:
        door.draw(can_go_back=folder is not None)
        st.stop()
    judgments = st.query_params.get(address.JUDGMENTS, PINNED)
    return load(folder, judgments=judgments, exploratory=address.EXPLORATORY in st.query_params)


def _open_blind() -> Loaded:
    """The experiment of this server under its pinned judgments, opened without a word about its files."""
    folder = _folder()
    if folder is None:
        show(tag("h1", "There is nothing to judge yet"), tag("p", "The dashboard was started without an experiment."))
        st.stop()
    return load(folder, quiet=True)


def _folder() -> Path | None:
    token = st.query_params.get(address.UPLOAD)
    if token is None:
        return pinned_folder()
    if token not in uploads():
        raise InputError("the files behind this link are no longer kept", todo="Compare your own files again.")
    return uploads()[token].folder


def _refuse(error: ComparekitError, *, blind: bool = False) -> None:
    number = secrets.token_hex(4)
    _log.error("error %s", number, exc_info=error)
    show(frame.error_box(_blinded(error) if blind else error, number=number))
    if blind:
        return
    if isinstance(error, NotComparable) and address.EXPLORATORY not in st.query_params:
        params = address.carried(st.query_params, exploratory="yes")
        link("app.py", "Open as exploratory", params)


def _blinded(error: ComparekitError) -> ComparekitError:
    """What may be said where the name of a file would tell a ranker: troubles of the record, else nothing."""
    if isinstance(error, StoreError):
        return error
    return ComparekitError(
        "this experiment cannot be opened", todo="Tell whoever runs the dashboard; the log has the details."
    )


def _unexpected(error: Exception) -> ComparekitError:
    wrapped = ComparekitError(
        "something went wrong in comparekit itself",
        todo="Please report it with the error number; the log has the details.",
    )
    wrapped.__cause__ = error
    return wrapped
