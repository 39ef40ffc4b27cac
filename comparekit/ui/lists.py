"""Two ranked lists side by side: one element of a page, drawn with textContent only."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from comparekit.comparison import Comparison
from comparekit.topic_view import Shown, TopicView
from comparekit.ui import address
from comparekit.ui.text import visible

LONGEST_TEXT = 20_000
NOTICES = {
    "empty": "Empty: the ranker ran and found nothing.",
    "failed": "Failed: the ranker gave no answer to this topic. It is not comparable.",
    "missing": "Missing: there is no receipt for this topic. It is not comparable.",
}
_WORD = re.compile(r"\w+")
_COMMON = frozenset((
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "how", "i", "in", "is",
    "it", "my", "of", "on", "or", "that", "the", "their", "this", "to", "was", "what", "when", "where", "which",
    "who", "why", "with", "without", "you", "your",
))  # fmt: skip
_HERE = Path(__file__).parent


def register(name: str) -> Any:
    """An element of the page from NAME.js and NAME.css beside this file, and what all such elements share."""
    css, js = (
        "\n".join((_HERE / file).read_text("utf-8") for file in files)
        for files in (("tokens.css", f"{name}.css"), ("words.js", f"{name}.js"))
    )
    return st.components.v2.component(f"comparekit_{name}", css=css, js=js)


_element = register("lists")


def two_lists(comparison: Comparison, view: TopicView, *, depth: int) -> None:
    """Draw both answers to one topic, with what moved, entered and left."""
    _element(key="two-lists", data=payload(comparison, view, depth=depth))


def payload(comparison: Comparison, view: TopicView, *, depth: int) -> dict[str, Any]:
    """What the element is told; every text in it is shown as text."""
    relevant_from = comparison.experiment.declaration.relevant_from
    sides = (
        ("a", comparison.a_name, "baseline", view.rows_a, view.state_a),
        ("b", comparison.b_name, "candidate", view.rows_b, view.state_b),
    )
    return {
        "topic": view.topic.id,
        "depth": depth,
        "terms": terms(view.topic.text),
        "comparable": view.answered,
        **{
            side: {
                "name": name,
                "role": role,
                "notice": NOTICES.get(state, ""),
                "results": [
                    {
                        **_result(row, depth=depth, relevant_from=relevant_from),
                        "judge": judge_link(view.topic.id, row.doc),
                    }
                    for row in rows
                ],
            }
            for side, name, role, rows, state in sides
        },
    }


def judge_link(topic: str, doc: str) -> str:
    """Where one document can be graded, in the same experiment."""
    same = {key: value for key, value in address.carried(st.query_params).items() if key == address.UPLOAD}
    return address.link("judge", {**same, "mode": "grade", address.TOPIC: topic, "doc": doc})


def terms(text: str) -> list[str]:
    """The words of a topic that are worth marking in a text."""
    return sorted({word for word in map(str.lower, _WORD.findall(text)) if word not in _COMMON})


def _result(row: Shown, *, depth: int, relevant_from: float) -> dict[str, Any]:
    return {
        "doc": row.doc,
        "name": visible(row.doc),
        "rank": row.rank,
        "other": row.other_rank,
        "otherShown": row.other_rank is not None and row.other_rank <= depth,
        "title": row.title,
        "text": row.text[:LONGEST_TEXT],
        "url": row.url,
        "grade": None if row.grade is None else f"{row.grade:g}",
        "relevant": row.grade is not None and row.grade >= relevant_from,
        "score": None if row.score is None else f"{row.score:.6g}",
        "tied": row.tied,
        "explanation": _explained(row.explanation),
    }


def _explained(explanation: Any) -> str:
    if explanation is None:
        return ""
    if isinstance(explanation, Mapping) and "value" in explanation and "description" in explanation:
        return "\n".join(_parts(explanation, indent=0))[:LONGEST_TEXT]
    text = explanation if isinstance(explanation, str) else json.dumps(explanation, ensure_ascii=False, indent=2)
    return text[:LONGEST_TEXT]


def _parts(explanation: Mapping[str, Any], *, indent: int) -> Iterator[str]:
    """The sum that Lucene and its kin explain a score by, one part a line."""
    yield f"{'  ' * indent}{explanation.get('value')}  {explanation.get('description')}"
    for detail in explanation.get("details") or ():
        if isinstance(detail, Mapping):
            yield from _parts(detail, indent=indent + 1)


__all__ = ["judge_link", "payload", "register", "terms", "two_lists"]
