"""
Which list stands left, and what may be sent to the browser of somebody who must not know which is which?

A `BlindPair` is safe to send: texts and opaque tokens only. What the tokens stand for is `Sealed`, which stays on the
server and is read when the answer is saved.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from comparekit.canonical import canonical
from comparekit.comparison import Comparison
from comparekit.documents import Document
from comparekit.errors import InputError
from comparekit.pairs import DEPTH, pairs, shown_depth
from comparekit.queueing import Hole, Task
from comparekit.topic_view import ranking

Side = Literal["a", "b"]

OTHER: Mapping[Side, Side] = {"a": "b", "b": "a"}
ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*:\S|\bwww\.|[\\/]\S+[\\/]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BlindDocument:
    """
    One document as the browser gets it: no id, no score, no rank, no address.

    `token` is the same for one document on both sides of one task and differs between tasks and assessors.
    `title` and `text` are empty where none was pinned.
    """

    token: str
    title: str
    text: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BlindPair:
    """
    Two lists without any sign of who made them; every field may be sent to the browser.

    `token` names this task for this assessor. `left` and `right` are best first.
    """

    token: str
    topic: str
    text: str
    task: str | None
    need: str
    why: str
    left: tuple[BlindDocument, ...]
    right: tuple[BlindDocument, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Sealed:
    """
    What a `BlindPair` stands for; never sent, and without a repr, so that no message can carry it by accident.

    `left` says which ranker stands left.
    """

    token: str
    experiment: str
    assessor: str
    topic: str
    comparison: str
    receipt_a: str
    receipt_b: str
    left: Side
    repeat: int
    queue: str
    depth: int


@dataclass(frozen=True, slots=True)
class BlindHole:
    """One document to be graded; every field may be sent to the browser."""

    token: str
    topic: str
    text: str
    task: str | None
    need: str
    why: str
    document: BlindDocument


def side_of(secret: bytes, *, assessor: str, topic: str, repeat: int = 0) -> Side:
    """
    The ranker that stands left: fixed for an assessor and a topic, swapped in the repeat, and unknown without the key.

    Over many topics or assessors each side comes up as often as heads in fair tosses.
    """
    first: Side = "b" if _keyed(secret, "side", assessor, topic)[0] & 1 else "a"
    return OTHER[first] if repeat % 2 else first


def sealed(comparison: Comparison, task: Task, *, secret: bytes, assessor: str, depth: int = DEPTH) -> Sealed:
    """What is needed to save the answer to a task; raises `InputError` when the comparison has no such pair."""
    pair = pairs(comparison).get(task.topic)
    if pair is None or pair.digest != task.comparison:
        raise InputError("this pair is not to be judged here", todo="Take the next one.")
    return Sealed(
        token=_token(secret, "task", task.comparison, task.topic, str(task.repeat), assessor),
        experiment=comparison.experiment.declaration.digest,
        assessor=assessor,
        topic=task.topic,
        comparison=task.comparison,
        receipt_a=pair.receipt_a,
        receipt_b=pair.receipt_b,
        left=side_of(secret, assessor=assessor, topic=task.topic, repeat=task.repeat),
        repeat=task.repeat,
        queue=task.queue,
        depth=shown_depth(comparison, depth),
    )


def blind_pair(comparison: Comparison, task: Task, *, secret: bytes, assessor: str, depth: int = DEPTH) -> BlindPair:
    """Both lists of a task down to `depth`, safe to send; raises as `sealed` does."""
    hidden = sealed(comparison, task, secret=secret, assessor=assessor, depth=depth)
    topic = comparison.experiment.topics[task.topic]
    lists = {side: tuple(_documents(comparison, hidden, side, secret)) for side in OTHER}
    return BlindPair(
        token=hidden.token,
        topic=topic.id,
        text=topic.text,
        task=topic.task,
        need=topic.need,
        why=task.why,
        left=lists[hidden.left],
        right=lists[OTHER[hidden.left]],
    )


def blind_hole(comparison: Comparison, hole: Hole, *, secret: bytes, assessor: str) -> BlindHole:
    """One document to be graded, safe to send."""
    topic = comparison.experiment.topics[hole.topic]
    token = _token(secret, "hole", hole.topic, hole.doc, assessor)
    return BlindHole(
        token=token,
        topic=topic.id,
        text=topic.text,
        task=topic.task,
        need=topic.need,
        why=hole.why,
        document=_blind(comparison, hole.doc, token=token),
    )


def _documents(comparison: Comparison, hidden: Sealed, side: Side, secret: bytes) -> Iterator[BlindDocument]:
    alignment = comparison.alignment
    lists = alignment.a_lists if side == "a" else alignment.b_lists
    position = comparison.experiment.topics.position[hidden.topic]
    for doc in ranking(lists, position)[: hidden.depth]:
        yield _blind(comparison, doc, token=_token(secret, "document", hidden.token, doc))


def _blind(comparison: Comparison, doc: str, *, token: str) -> BlindDocument:
    found = comparison.experiment.documents.get(doc)
    if found is None:
        return BlindDocument(token, "", "", {})
    names = {name.casefold() for name in (comparison.a_name, comparison.b_name)}
    return BlindDocument(token, found.title, found.text, dict(_fields(found, names)))


def _fields(document: Document, rankers: set[str]) -> Iterator[tuple[str, str]]:
    """The other fields, without the document's id, without addresses and paths, and without a ranker's name."""
    for name, value in document.fields.items():
        told = f"{name} {value}".casefold()
        if document.id not in value and not ADDRESS.search(value) and not any(ranker in told for ranker in rankers):
            yield name, value


def _token(secret: bytes, *parts: str) -> str:
    return _keyed(secret, *parts).hex()[:32]


def _keyed(secret: bytes, *parts: str) -> bytes:
    # Canonical JSON parts the fields, so that no two lists of parts give one message.
    return hmac.new(secret, canonical(list(parts)), hashlib.sha256).digest()
