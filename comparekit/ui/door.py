"""The door: drop two runs and judgments, and look at them as an experiment."""

import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import streamlit as st

from comparekit.declaration import DEFAULT_MEASURES
from comparekit.files import Source, from_bytes
from comparekit.grading import Conflict
from comparekit.measures import parse_measure
from comparekit.ordering import Order
from comparekit.pinning import Choices
from comparekit.records import Progress
from comparekit.sealing import init_experiment
from comparekit.ui import address
from comparekit.ui.loading import Upload, keep, run
from comparekit.ui.text import Html, show, tag


@dataclass(frozen=True, slots=True)
class Slot:
    """One file that may be dropped."""

    key: str
    label: str
    help: str


NEEDED = (
    Slot("a", "Baseline run (A)", "TREC run, CSV or TSV with named columns, or JSONL; gzipped or not."),
    Slot("b", "Candidate run (B)", "The same topics, answered by the other ranker."),
    Slot("qrels", "Judgments", "TREC qrels, BEIR TSV, or CSV with topic, document and grade."),
)
OPTIONAL = (
    Slot("topics", "Topics", "Ids and texts: TSV, CSV, JSONL, BEIR, TREC XML or SMART."),
    Slot("documents", "Documents", "Titles and texts: JSONL or a BEIR corpus."),
    Slot("strata", "Strata", "A table of topics and their strata, with a header."),
)
SHAPES = (
    ("Run", "51 Q0 doc-17 1 14.93 bm25              TREC: topic, Q0, document, rank, score, tag"),
    ("", "qid,docno,score                        CSV or TSV with a header; a rank column is read too"),
    ("", '{"qid": "51", "docno": "doc-17", "score": 14.93}      JSONL, one result a line'),
    ("Judgments", "51 0 doc-17 2                          TREC qrels: topic, 0, document, grade"),
    ("Topics", '{"id": "51", "text": "bread without oven"}'),
    ("Documents", '{"id": "doc-17", "title": "…", "text": "…"}'),
    ("Strata", "topic,length,area                      one column a stratum; an empty cell is no stratum"),
)
_ORDERS = {
    "score": "By score, then document id",
    "trec_eval": "As trec_eval does (single precision)",
    "rank": "By the rank column",
}
_CONFLICTS = {"refuse": "Refuse", "max": "Take the highest", "last": "Take the last", "mean": "Take the mean"}


def draw(*, can_go_back: bool) -> None:
    """The page on which files are dropped; on success the address leads to the experiment made of them."""
    show(
        tag("h1", "Compare your own files"),
        tag(
            "p",
            "Drop two runs and the judgments they are measured by. The files stay on this machine: they are sealed ",
            "into a temporary experiment, every repair is listed, and nothing is kept after this server stops.",
            class_="ck-lead",
        ),
    )
    files = _slots(NEEDED)
    with st.expander("Topics, documents, strata and rules (optional)"):
        files |= _slots(OPTIONAL)
        choices = _choices()
    with st.container(horizontal=True, vertical_alignment="center", key="door"):
        ready = all(slot.key in files for slot in NEEDED)
        if st.button("Compare", type="primary", disabled=not ready):
            _make(files, choices)
        if can_go_back:
            st.page_link("app.py", label="Cancel", query_params={})
    if not ready:
        missing = [
            slot.label.lower() if slot.key == "qrels" else slot.label for slot in NEEDED if slot.key not in files
        ]
        show(tag("p", "Still needed: ", ", ".join(missing), ".", class_="ck-muted"))
    show(_formats())


def _formats() -> Html:
    shapes = "\n".join(f"{name:<10}{shape}" for name, shape in SHAPES)
    return tag(
        "details",
        tag("summary", "Shapes that are read"),
        tag("pre", tag("code", shapes), class_="ck-code", tabindex="0"),
    )


def _slots(slots: tuple[Slot, ...]) -> dict[str, Any]:
    columns = st.columns(len(slots))
    dropped = {
        slot.key: column.file_uploader(slot.label, help=slot.help, key=f"file-{slot.key}")
        for slot, column in zip(slots, columns, strict=True)
    }
    return {key: file for key, file in dropped.items() if file is not None}


def _choices() -> Mapping[str, Any]:
    columns = st.columns(4)
    return {
        "order": columns[0].selectbox(
            "Order of a list", get_args(Order), format_func=_ORDERS.__getitem__, key="choice-order"
        ),
        "target": columns[1].text_input("Measure that decides", "nDCG@10", key="choice-target"),
        "smallest_effect": columns[2].number_input(
            "Smallest difference that matters",
            min_value=0.0001,
            value=0.01,
            step=0.005,
            format="%.4f",
            key="choice-effect",
        ),
        "conflict": columns[3].selectbox(
            "Where grades conflict", get_args(Conflict), format_func=_CONFLICTS.__getitem__, key="choice-conflict"
        ),
    }


def _make(files: Mapping[str, Any], choices: Mapping[str, Any]) -> None:
    target = str(parse_measure(str(choices["target"])))
    chosen = Choices(**{**choices, "target": target, "measures": DEFAULT_MEASURES, "name": "Your files"})
    raw = {key: (file.name, file.getvalue()) for key, file in files.items()}
    upload: Upload = run(_key(raw, chosen), lambda tell: _sealed(raw, chosen, tell))
    st.query_params.clear()
    st.query_params[address.UPLOAD] = keep(upload)
    st.rerun()


def _key(raw: Mapping[str, tuple[str, bytes]], choices: Choices) -> str:
    digests = [f"{key} {name} {hashlib.sha256(data).hexdigest()}" for key, (name, data) in sorted(raw.items())]
    return f"upload {digests} {choices}"


def _sealed(raw: Mapping[str, tuple[str, bytes]], choices: Choices, tell: Progress) -> Upload:
    tell("Reading the files", 0.0)
    sources: dict[str, Source] = {key: from_bytes(name, data) for key, (name, data) in raw.items()}
    home = tempfile.TemporaryDirectory(prefix="comparekit-")
    repairs = init_experiment(
        Path(home.name) / "experiment",
        a=sources["a"],
        b=sources["b"],
        qrels=sources["qrels"],
        topics=sources.get("topics"),
        documents=sources.get("documents"),
        strata=sources.get("strata"),
        choices=choices,
        progress=tell,
    )
    return Upload(home, repairs)
