"""What a person's answer becomes: a new event, complete, ready to be recorded."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from comparekit.errors import InputError
from comparekit.events import ADJUDICATION, ANSWERS, GRADE, PREFERENCE, NewEvent
from comparekit.experiment import Experiment
from comparekit.pairs import Pair
from comparekit.sides import Sealed
from comparekit.standing import grade_scope

Ruling = Literal["a", "b", "same", "unresolved"]


def preference_event(
    sealed: Sealed,
    *,
    event_id: str,
    answer: str,
    elapsed_ms: int,
    guideline: str,
    reasons: Iterable[str] = (),
    comment: str = "",
    ranks: bool = True,
    fold: bool = False,
    supersedes: str | None = None,
) -> NewEvent:
    """
    The answer to a pair; with `supersedes`, in the place of an earlier one.

    `event_id` is made when the pair is shown and used again when the same answer is sent again. `ranks` and `fold`
    say how the lists were shown. Raises `InputError` for an unknown answer.
    """
    if answer not in ANSWERS:
        raise InputError("there is no such answer", expected=", ".join(ANSWERS), got=repr(answer))
    payload = {
        "schema": PREFERENCE,
        "experiment": sealed.experiment,
        "topic": sealed.topic,
        "receipt_a": sealed.receipt_a,
        "receipt_b": sealed.receipt_b,
        "left": sealed.left,
        "answer": answer,
        "reasons": list(reasons),
        "comment": comment,
        "elapsed_ms": elapsed_ms,
        "repeat": sealed.repeat,
        "guideline": guideline,
        "shown": {"depth": sealed.depth, "ranks": ranks, "fold": fold},
        "queue": sealed.queue,
    }
    return _event(event_id, sealed.assessor, sealed.comparison, payload, supersedes)


def grade_event(
    experiment: Experiment,
    *,
    event_id: str,
    assessor: str,
    topic: str,
    doc: str,
    grade: float | None,
    elapsed_ms: int,
    guideline: str,
    reason: str = "",
    comment: str = "",
    text_digest: str | None = None,
    supersedes: str | None = None,
) -> NewEvent:
    """A grade of one document, or "cannot judge" where it is None; raises `InputError` for one off the scale."""
    require_grade(experiment, grade)
    payload = {
        "schema": GRADE,
        "experiment": experiment.declaration.digest,
        "topic": topic,
        "doc": doc,
        "grade": grade,
        "reason": reason,
        "comment": comment,
        "elapsed_ms": elapsed_ms,
        "guideline": guideline,
        "text_digest": text_digest,
    }
    return _event(event_id, assessor, grade_scope(experiment.topics.digest), payload, supersedes)


def pair_ruling(
    experiment: Experiment, pair: Pair, *, event_id: str, assessor: str, value: Ruling, reason: str = ""
) -> NewEvent:
    """An adjudicator's decision on a pair of lists."""
    item = {"topic": pair.topic, "doc": None, "receipt_a": pair.receipt_a, "receipt_b": pair.receipt_b}
    payload = _ruling(experiment, "preference", item, value, reason)
    return _event(event_id, assessor, pair.digest, payload, None)


def grade_ruling(
    experiment: Experiment,
    *,
    event_id: str,
    assessor: str,
    topic: str,
    doc: str,
    grade: float | None,
    reason: str = "",
) -> NewEvent:
    """An adjudicator's grade of a document, or "unresolved" where it is None; raises as `grade_event` does."""
    require_grade(experiment, grade)
    item = {"topic": topic, "doc": doc, "receipt_a": None, "receipt_b": None}
    payload = _ruling(experiment, "grade", item, "unresolved" if grade is None else grade, reason)
    return _event(event_id, assessor, grade_scope(experiment.topics.digest), payload, None)


def require_grade(experiment: Experiment, grade: float | None) -> None:
    """Raise `InputError` for a grade outside the declared scale; None, which is no grade, is always allowed."""
    scale = experiment.declaration.scale
    if grade is not None and scale is not None and not scale[0] <= grade <= scale[1]:
        raise InputError("the grade is off the scale", expected=f"{scale[0]:g} to {scale[1]:g}", got=f"{grade:g}")


def _ruling(
    experiment: Experiment, of: str, item: Mapping[str, Any], value: str | float, reason: str
) -> dict[str, Any]:
    digest = experiment.declaration.digest
    return {"schema": ADJUDICATION, "experiment": digest, "of": of, **item, "value": value, "reason": reason}


def _event(
    event_id: str, assessor: str, comparison: str, payload: Mapping[str, Any], supersedes: str | None
) -> NewEvent:
    kind: Literal["vote", "revise"] = "vote" if supersedes is None else "revise"
    return NewEvent(
        event_id=event_id, kind=kind, supersedes=supersedes, assessor=assessor, comparison=comparison, payload=payload
    )
