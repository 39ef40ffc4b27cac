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

from comparekit.errors import ComparekitError, InputError, NotComparable
from comparekit.judgments import PINNED
from comparekit.ui import address, door, frame
from comparekit.ui.loading import Loaded, load, pinned_folder, uploads
from comparekit.ui.text import show, tag

PAGES = (
    ("app.py", "Overview"),
    ("pages/changed.py", "Changed"),
    ("pages/topic.py", "Topic"),
    ("pages/evidence.py", "Evidence"),
)
_HERE = Path(__file__).parent
_STYLE = "".join((_HERE / name).read_text("utf-8") for name in ("tokens.css", "app.css"))
_log = logging.getLogger("comparekit.ui")


@contextmanager
def begin(title: str) -> Iterator[Loaded]:
    """Draw the frame, open the experiment, and run the page inside; whatever goes wrong ends in one calm box."""
    st.set_page_config(page_title=f"{title} · comparekit", page_icon="⚖️", layout="wide")
    st.html(f"<style>{_STYLE}</style>")
    _navigation()
    try:
        loaded = _open()
        frame.head(loaded.comparison, digest=loaded.receipt["digest"])
        yield loaded
    except ComparekitError as error:
        _refuse(error)
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


def _navigation() -> None:
    params = address.carried(st.query_params)
    with st.container(horizontal=True, gap="small", key="nav"):
        for path, label in PAGES:
            link(path, label, params)
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


def _folder() -> Path | None:
    token = st.query_params.get(address.UPLOAD)
    if token is None:
        return pinned_folder()
    if token not in uploads():
        raise InputError("the files behind this link are no longer kept", todo="Compare your own files again.")
    return uploads()[token].folder


def _refuse(error: ComparekitError) -> None:
    number = secrets.token_hex(4)
    _log.error("error %s", number, exc_info=error)
    show(frame.error_box(error, number=number))
    if isinstance(error, NotComparable) and address.EXPLORATORY not in st.query_params:
        params = address.carried(st.query_params, exploratory="yes")
        link("app.py", "Open as exploratory", params)


def _unexpected(error: Exception) -> ComparekitError:
    wrapped = ComparekitError(
        "something went wrong in comparekit itself",
        todo="Please report it with the error number; the log has the details.",
    )
    wrapped.__cause__ = error
    return wrapped
