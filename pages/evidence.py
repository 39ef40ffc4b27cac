"""Evidence: can this be trusted and repeated?"""

import streamlit as st

from comparekit.evaluation import evaluation_json
from comparekit.experiment import verify
from comparekit.tabular import to_csv
from comparekit.ui import record, shell
from comparekit.ui.loading import Loaded
from comparekit.ui.text import show, tag


def draw_verification(loaded: Loaded) -> None:
    """What was verified on opening, and everything again on request."""
    experiment = loaded.comparison.experiment
    show(record.verified(loaded), record.files(experiment), record.assessors(experiment))
    if st.button("Prove every line again"):
        with st.spinner("Proving every line"):
            show(record.sentences(verify(experiment.folder)))


def draw_downloads(loaded: Loaded) -> None:
    """The evaluation receipt, whole, and every figure of every topic."""
    comparison = loaded.comparison
    with st.container(horizontal=True):
        st.download_button(
            "Evaluation receipt (JSON)",
            lambda: evaluation_json(comparison),
            "evaluation.json",
            "application/json",
            on_click="ignore",
        )
        st.download_button(
            "Every topic and measure (CSV)",
            lambda: to_csv(comparison, comparison.measures),
            "topics.csv",
            "text/csv",
            on_click="ignore",
        )


with shell.begin("Evidence") as loaded:
    found, body = loaded.comparison, loaded.receipt["body"]
    draw_verification(loaded)
    draw_downloads(loaded)
    show(
        tag("h2", "Repairs"),
        record.repairs(found.experiment),
        tag("h2", "Policies"),
        record.policies(found),
        tag("h2", "Counts"),
        record.counts(body),
        tag("h2", "Rules"),
        record.rules(body),
        tag("h2", "Digests"),
        record.digests(loaded.receipt),
        tag("h2", "Environment"),
        record.environment(loaded.receipt),
        tag("h2", "Repeat it on the command line"),
        record.commands(found.experiment.folder.name),
    )
