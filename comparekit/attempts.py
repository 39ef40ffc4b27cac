"""
Which attempt is this, under which id is it recorded, and which one does an undo take back?

The id of an attempt follows from who answers what, and how often they did before. Two tabs showing one pair therefore
make one event, and so does an answer that is sent again; after an undo the same pair is a new attempt.
"""

import hashlib
import hmac
from collections.abc import Container, Iterable, Sequence

from comparekit.canonical import canonical
from comparekit.events import Event, NewEvent, current
from comparekit.standing import ADJUDICATION

WITHDRAW = "withdraw"


def attempts(events: Iterable[Event], *, assessor: str, comparison: str, item: tuple[str, str | int]) -> list[Event]:
    """What an assessor ever answered to one item, withdrawn or not, in the order of record; see `item_of_answer`."""
    return [
        event
        for event in events
        if event.assessor == assessor
        and event.comparison == comparison
        and event.kind != WITHDRAW
        and event.payload.get("schema") != ADJUDICATION
        and item_of_answer(event) == item
    ]


def item_of_answer(event: Event) -> tuple[str, str | int]:
    """The topic and the document of a grade; the topic and the repeat, 0 or 1, of a preference."""
    payload = event.payload
    return payload["topic"], payload["doc"] if "doc" in payload else payload["repeat"]


def standing_one(before: Sequence[Event], events: Iterable[Event]) -> str | None:
    """The id of the last of some attempts, such as a skip, where it was not taken back; else None."""
    withdrawn = {event.supersedes for event in events if event.kind == WITHDRAW}
    last = before[-1].event_id if before else None
    return None if last in withdrawn else last


def attempt_id(secret: bytes, *, assessor: str, comparison: str, item: tuple[str, str | int], number: int) -> str:
    """The event id of an assessor's attempt at an item; `number` counts from 0."""
    said = canonical(["attempt", assessor, comparison, *item, number])
    return hmac.new(secret, said, hashlib.sha256).hexdigest()[:32]


def latest(events: Iterable[Event], *, assessor: str, comparisons: Container[str]) -> Event | None:
    """The answer that this assessor recorded last among those that stand; None when there is none."""
    mine = [
        event
        for event in current(tuple(events))
        if event.assessor == assessor
        and event.comparison in comparisons
        and event.payload.get("schema") != ADJUDICATION
    ]
    return max(mine, key=lambda event: event.seq, default=None)


def withdrawal(event: Event) -> NewEvent:
    """The event that takes an answer back; there is one for each, however often it is sent."""
    return NewEvent(
        event_id=hashlib.sha256(f"{WITHDRAW} {event.event_id}".encode()).hexdigest()[:32],
        kind="withdraw",
        supersedes=event.event_id,
        assessor=event.assessor,
        comparison=event.comparison,
        payload=event.payload,
    )
