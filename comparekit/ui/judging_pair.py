"""The two lists, or the one document, that are judged: one element of a page, told only opaque tokens and texts."""

import secrets
from collections.abc import Iterable
from typing import Any

from comparekit.sides import BlindDocument, BlindHole, BlindPair
from comparekit.study import Study
from comparekit.ui.judging_desk import DWELL
from comparekit.ui.lists import LONGEST_TEXT, register, terms

_element = register("judging")


def draw_pair(pair: BlindPair, study: Study, *, token: str, keys: str) -> None:
    """Both lists; `token` is what the buttons carry, `keys` are those that may reach them."""
    _element(key="judged", data=payload(pair, study, token=token, keys=keys))


def draw_hole(hole: BlindHole, *, token: str, keys: str) -> None:
    """One document to be graded."""
    told = {"left": [_document(hole.document)], "right": None, "ranks": False, "fold": False}
    _element(key="judged", data={**told, **_frame(hole.text, token=token, keys=keys), "shown": token})


def payload(pair: BlindPair, study: Study, *, token: str, keys: str) -> dict[str, Any]:
    """What the element is told of a pair."""
    return {
        "left": _documents(pair.left),
        "right": _documents(pair.right),
        "ranks": study.ranks,
        "fold": study.fold,
        "shown": f"{token} {study.depth} {study.ranks} {study.fold}",
        **_frame(pair.text, token=token, keys=keys),
    }


def _frame(text: str, *, token: str, keys: str) -> dict[str, Any]:
    # The nonce is new in every run: it tells the element that the page is as the server last drew it.
    return {
        "token": token,
        "nonce": secrets.token_hex(4),
        "terms": terms(text),
        "keys": list(keys),
        "dwell": round(1000 * DWELL),
    }


def _documents(found: Iterable[BlindDocument]) -> list[dict[str, Any]]:
    return [_document(each) for each in found]


def _document(found: BlindDocument) -> dict[str, Any]:
    return {
        "doc": found.token,
        "title": found.title,
        "text": found.text[:LONGEST_TEXT],
        "fields": {name: value[:200] for name, value in list(found.fields.items())[:6]},
    }
