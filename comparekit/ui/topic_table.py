"""A table of topics in which every row opens its topic: one element, drawn with textContent only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from comparekit.comparison import Comparison
from comparekit.measures import Measure
from comparekit.paired import tails
from comparekit.results import Result
from comparekit.ui import address
from comparekit.ui.address import Order
from comparekit.ui.lists import register
from comparekit.ui.summary import gain_of
from comparekit.ui.text import number, signed, visible

STRATUM = "stratum: "
MOST = 100
"""How many rows one end of the distribution shows."""
_element = register("topics")


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of a table under one heading; `whole` is how many there are where only some are shown."""

    label: str
    positions: Sequence[int]
    whole: int | None = None

    @property
    def more(self) -> str:
        """What was left out, if anything."""
        if self.whole is None or self.whole <= len(self.positions):
            return ""
        return f"The first {len(self.positions):,} of {self.whole:,}; the per-topic CSV on the Evidence page has all."


def topic_table(
    comparison: Comparison,
    result: Result,
    *,
    groups: Sequence[Group],
    params: Mapping[str, str],
    key: str,
    label: str,
    shown: int = 10,
) -> None:
    """
    Draw topics of a result, the first `shown` of each group at once; a click or Enter opens the Topic page.

    Every row carries the address it leads to, so it can be opened in a tab of its own as well.
    """
    data = {
        "label": label,
        "shown": shown,
        "measure": str(result.measure),
        "groups": [
            {
                "label": each.label,
                "whole": each.whole or len(each.positions),
                "more": each.more,
                "rows": rows(comparison, result, each.positions, params),
            }
            for each in groups
        ],
    }
    opened = _element(key=key, data=data, on_open_change=lambda: None).open
    if opened is not None:
        st.switch_page("pages/topic.py", query_params={**params, address.TOPIC: str(opened)})


def tails_table(comparison: Comparison, result: Result, *, params: Mapping[str, str]) -> None:
    """The largest losses and gains of a result, and what could not be compared."""
    ends = tails(result.paired, shown=MOST)
    absent = np.flatnonzero(~result.paired.is_comparable).tolist()
    groups = [
        Group("Largest losses", ends.worst.tolist(), result.paired.losses),
        Group("Largest gains", ends.best.tolist(), result.paired.wins),
        Group("Not comparable", absent[:MOST], len(absent)),
    ]
    key = f"tails {result.measure} {result.selection.label}"
    topic_table(comparison, result, groups=groups, params=params, key=key, label="Topics")


def rows(
    comparison: Comparison, result: Result, positions: Sequence[int], params: Mapping[str, str]
) -> list[dict[str, Any]]:
    """What the element is told of topics at some places of a result; the largest change of all is a full bar."""
    table = comparison.table(result.measure, result.selection)
    unsure = comparison.overlap.large_residual[result.positions[list(positions)]].tolist()
    largest = float(np.nanmax(np.abs(result.paired.delta), initial=0.0)) or 1.0
    strata = [name for name in table.columns if str(name).startswith(STRATUM)]
    gain = gain_of(result.measure) if result.measure.better else 0
    records = table.iloc[list(positions)].to_dict("records")
    return [
        {
            **_row(record, strata, largest=largest, gain=gain),
            "unsure": flag,
            "href": address.link("topic", {**params, address.TOPIC: record["topic"]}),
        }
        for record, flag in zip(records, unsure, strict=True)
    ]


def ordered(table: pd.DataFrame, *, order: Order, measure: Measure) -> list[int]:
    """The positions of a table's rows in one order; what cannot be compared comes last."""
    if order == "id":
        return list(range(len(table)))
    gain = table["delta"].to_numpy() * gain_of(measure) * (1 if order == "worst" else -1)
    return [int(position) for position in np.argsort(gain, kind="stable")]


def _row(record: Mapping[Any, Any], strata: Sequence[Any], *, largest: float, gain: int) -> dict[str, Any]:
    delta = record["delta"]
    known = delta == delta
    return {
        "topic": record["topic"],
        "id": visible(record["topic"]),
        "text": record["text"],
        "strata": [str(record[name]) for name in strata if record[name] is not None and record[name] == record[name]],
        "a": number(record["a"]),
        "b": number(record["b"]),
        "delta": signed(delta),
        "share": delta / largest if known else 0.0,
        "side": int(np.sign(delta)) * gain if known else 0,
        "story": record["reason"] or record["story"],
        "rbo": number(record["rbo"]),
    }
