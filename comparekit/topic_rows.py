"""One row a topic: the table that pages, exports and the terminal share."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from comparekit.overlap import Overlap
from comparekit.results import OUTCOMES, Result
from comparekit.topics import TopicSet


def topic_rows(
    result: Result, *, topics: TopicSet, overlap: Overlap, depth: int, stories: Sequence[str]
) -> pd.DataFrame:
    """
    One row a selected topic, in topic order: topic, text, a, b, delta, outcome, reason, rbo, changed, story, and one
    column `stratum: NAME` a stratum. Undefined figures are NaN beside their reason.
    """
    chosen = [topics.topics[position] for position in result.positions]
    paired = result.paired
    columns: dict[str, Any] = {
        "topic": [topic.id for topic in chosen],
        "text": [topic.text for topic in chosen],
        "a": paired.a,
        "b": paired.b,
        "delta": paired.delta,
        "outcome": [OUTCOMES[code] for code in paired.outcome.tolist()],
        "reason": [paired.reason_of(position) for position in range(len(chosen))],
        "rbo": overlap.rbo[result.positions],
        "changed": overlap.changed[depth][result.positions],
        "story": [stories[position] for position in result.positions],
    }
    for name in topics.strata:
        columns[f"stratum: {name}"] = [topic.strata.get(name) for topic in chosen]
    return pd.DataFrame(columns)
