"""
Which topic, or which document, should a person look at next?

The most informative pairs come first; a random share is drawn besides, so that the answers can speak for all changed
topics; some pairs come back with their sides swapped. Nothing here names a ranker or says which way anything points.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log2
from typing import Literal

import numpy as np
from scipy.stats import rankdata

from comparekit.alignment import JudgedLists
from comparekit.columns import Floats
from comparekit.comparison import Comparison
from comparekit.errors import InputError
from comparekit.events import Event
from comparekit.pairs import DEPTH, Pair, differing, pairs, shown_depth
from comparekit.resampling import DECIMALS
from comparekit.standing import NO_OPINION, SKIP, Item, Standing, standing
from comparekit.topic_view import ranking

Queue = Literal["informative", "random"]

RANDOM_WHY = "Drawn at random, so that the answers speak for every topic whose lists differ."
WHYS = (
    "The two lists differ a great deal near the top.",
    "Many of the documents near the top were never judged.",
    "The measures hardly tell the two lists apart.",
)
HOLE_WHYS = ("Nobody has judged this document, and it weighs much.", "Nobody has judged this document.")
HEAVY = 0.25
GAP = 10


@dataclass(frozen=True, slots=True)
class Task:
    """
    One pair to be judged: `comparison` is the digest of both receipts, `repeat` is 1 where it comes back swapped.

    `why` says in plain words why it is asked; `queue` whether it is informative or was drawn at random.
    """

    topic: str
    repeat: int
    why: str
    queue: Queue
    comparison: str

    @property
    def item(self) -> Item:
        """What identifies this task among the events."""
        return self.comparison, self.topic, self.repeat


@dataclass(frozen=True, slots=True)
class Hole:
    """One document that nobody judged, and in plain words why it is asked."""

    topic: str
    doc: str
    why: str


@dataclass(frozen=True, slots=True)
class Progress:
    """
    How far one assessor and all together are.

    `answered`, `cannot_judge`, `skipped` and `left` count this assessor's tasks, repeats included; skipped ones are
    still left. `topics` counts the topics of the queue, `enough` those with as many answers as they need, `answers`
    the answers of all assessors.
    """

    answered: int
    cannot_judge: int
    skipped: int
    left: int
    topics: int
    enough: int
    answers: int


def build_queue(
    comparison: Comparison, *, seed: int, random_share: float = 0.2, repeat_share: float = 0.1, depth: int = DEPTH
) -> tuple[Task, ...]:
    """
    Every pair that differs within the shown `depth`, in the order to be judged; the same for every assessor.

    `random_share` of the topics are drawn evenly from all that differ, and stand between the others, which come by
    `information`, best first, dealt out over the strata. About `repeat_share` of the topics come back swapped, `GAP`
    or more tasks later where there are as many. Swapping A and B changes nothing.

    Raises `InputError` for a share outside [0, 1].
    """
    for share in (random_share, repeat_share):
        if not 0 <= share <= 1:
            raise InputError("a share of the queue is out of range", expected="0 to 1", got=share)
    found = pairs(comparison)
    changed = differing(comparison, depth=depth)
    position = comparison.experiment.topics.position
    topics = [topic for topic in found if changed[position[topic]]]
    generator = np.random.Generator(np.random.SFC64(seed))
    drawn = [topics[at] for at in generator.permutation(len(topics))[: round(random_share * len(topics))]]
    ranks = information(comparison, topics, depth=depth)
    value = dict(zip(topics, ranks.mean(axis=0).tolist(), strict=True))
    why = dict(zip(topics, (WHYS[part] for part in ranks.argmax(axis=0).tolist()), strict=True))
    by_lot = set(drawn)
    rest = _dealt([topic for topic in topics if topic not in by_lot], comparison, value)
    firsts = [
        _task(found[topic], RANDOM_WHY, "random") if topic in by_lot else _task(found[topic], why[topic], "informative")
        for topic in _interleaved(rest, drawn)
    ]
    return tuple(_with_repeats(firsts, repeat_share, generator))


def information(comparison: Comparison, topics: Sequence[str], *, depth: int = DEPTH) -> Floats:
    """
    How much a person's answer would tell: three rows, one column a topic, each the rank among `topics` in (0, 1].

    Rows are `WHYS`. Difference near the top: 1 less the rank-biased overlap. Holes near the top: the share of unjudged
    documents in both lists, rank r weighing p to the power r - 1. Closeness: how little the target's delta goes beyond
    the tie band, an undefined one not at all. The queue goes by the mean of the three ranks.
    """
    at = [comparison.experiment.topics.position[topic] for topic in topics]
    parts = [part[at] for part in _parts(comparison, depth)]
    return np.stack([rankdata(np.round(part, DECIMALS)) / max(1, len(at)) for part in parts])


def next_task(queue: Sequence[Task], events: Iterable[Event], *, assessor: str, answers_needed: int = 1) -> Task | None:
    """
    The next task of this assessor, or None when nothing is left; it depends on the events only, so work resumes.

    A topic that `answers_needed` other assessors have answered is not asked again, and nobody waits for anybody.
    What was skipped comes after all others, first skipped first. A repeat comes once its first showing was answered,
    and not at once after it while anything else is left.
    """
    now = standing(events)
    mine = now.by(assessor)
    left = _left(queue, now, assessor=assessor, answers_needed=answers_needed)
    fresh = [task for task in left if task.item not in mine]
    latest = max((event for event in mine.values() if event.payload["answer"] != SKIP), key=_seq, default=None)
    just_seen = latest.payload["topic"] if latest else None
    skipped = sorted((task for task in left if task.item in mine), key=lambda task: mine[task.item].seq)
    rested = [task for task in (*fresh, *skipped) if not (task.repeat and task.topic == just_seen)]
    return next(iter(rested or fresh or skipped), None)


def progress(queue: Sequence[Task], events: Iterable[Event], *, assessor: str, answers_needed: int = 1) -> Progress:
    """How far one assessor and all together are with a queue."""
    now = standing(events)
    mine = now.by(assessor)
    said = [mine[task.item].payload["answer"] for task in queue if task.item in mine]
    topics = {task.topic: task for task in queue if not task.repeat}
    answers = [len(now.answered(task.item)) for task in topics.values()]
    return Progress(
        answered=sum(answer not in NO_OPINION for answer in said),
        cannot_judge=said.count("cannot_judge"),
        skipped=said.count(SKIP),
        left=len(_left(queue, now, assessor=assessor, answers_needed=answers_needed)),
        topics=len(topics),
        enough=sum(count >= answers_needed for count in answers),
        answers=sum(answers),
    )


def hole_queue(comparison: Comparison, *, depth: int = DEPTH) -> tuple[Hole, ...]:
    """
    Every document within the first `depth` of either list of an open topic that nobody judged, heaviest first.

    The weight is how far its grade could move the difference: the distance between its two discounts
    1 / log2(rank + 1), 0 where it is not listed. What both lists show at the same rank moves nothing and comes last.
    """
    alignment = comparison.alignment
    found = []
    for position in np.flatnonzero(comparison.open_topics).tolist():
        judged = set(ranking(alignment.grades, position))
        lists = (alignment.a_lists, alignment.b_lists)
        one, other = ({doc: 1 / log2(rank + 1) for rank, doc in enumerate(ranking(each, position)[:depth], start=1)}
                      for each in lists)  # fmt: skip
        topic = alignment.topics[position]
        weights = {doc: abs(one.get(doc, 0.0) - other.get(doc, 0.0)) for doc in one.keys() | other.keys()}
        found += [(-weight, topic, doc) for doc, weight in weights.items() if doc not in judged]
    return tuple(Hole(topic, doc, HOLE_WHYS[weight > -HEAVY]) for weight, topic, doc in sorted(found))


def next_hole(
    holes: Sequence[Hole], events: Iterable[Event], *, assessor: str, scope: str, answers_needed: int = 1
) -> Hole | None:
    """The next document for this assessor to grade, or None; `scope` is the comparison that grades are filed under."""
    graded = standing(events).graders(scope)
    for hole in holes:
        by = graded.get((hole.topic, hole.doc), {})
        if assessor not in by and sum(grade is not None for grade in by.values()) < answers_needed:
            return hole
    return None


def _parts(comparison: Comparison, depth: int) -> tuple[Floats, Floats, Floats]:
    """Difference, holes and closeness of every pinned topic; more is more to learn."""
    alignment, declaration = comparison.alignment, comparison.experiment.declaration
    depth = shown_depth(comparison, depth)
    judged_a, all_a = _weighed(alignment.a, depth, declaration.persistence)
    judged_b, all_b = _weighed(alignment.b, depth, declaration.persistence)
    delta = np.zeros(len(alignment.topics))
    result = comparison.result(comparison.target)
    delta[result.positions] = np.nan_to_num(result.paired.delta)
    holes = 1 - (judged_a + judged_b) / np.maximum(all_a + all_b, 1.0)
    difference = 1 - np.nan_to_num(comparison.overlap.rbo, nan=1.0)
    return difference, holes, -np.maximum(np.abs(delta) - declaration.tie_band, 0.0)


def _weighed(lists: JudgedLists, depth: int, p: float) -> tuple[Floats, Floats]:
    """The weight of the judged documents and of all documents in the first `depth`, per topic."""
    top = lists.rank <= depth
    judged = np.bincount(lists.topic[top], weights=p ** (lists.rank[top] - 1.0), minlength=lists.topics)
    return judged.astype(np.float64), (1 - p ** np.minimum(lists.length, depth)) / (1 - p)


def _dealt(topics: Sequence[str], comparison: Comparison, value: Mapping[str, float]) -> list[str]:
    """Topics by value, dealt out over the strata: first the best of every stratum, then the second best, and so on."""
    pinned = comparison.experiment.topics
    best = sorted(topics, key=lambda topic: (-value[topic], topic))
    seen: dict[tuple[str, str | None], int] = {}
    turn = {}
    for topic in best:
        cells = [(name, pinned[topic].strata.get(name)) for name in pinned.strata]
        turn[topic] = max((seen.get(cell, 0) for cell in cells), default=0)
        seen.update({cell: seen.get(cell, 0) + 1 for cell in cells})
    return sorted(best, key=lambda topic: turn[topic])


def _interleaved(rest: Sequence[str], drawn: Sequence[str]) -> list[str]:
    """Both sequences in their order, the drawn ones spread evenly."""
    total = len(rest) + len(drawn)
    order: list[str] = []
    for at in range(total):
        due = (at + 1) * len(drawn) // total
        taken = at * len(drawn) // total
        order.append(drawn[taken] if due > taken else rest[at - taken])
    return order


def _with_repeats(firsts: Sequence[Task], share: float, generator: np.random.Generator) -> list[Task]:
    """The tasks with one of every 1 / `share` coming back at least `GAP` tasks later, or at the end."""
    count = max(bool(share) and bool(firsts), round(len(firsts) * share))
    cuts = [len(firsts) * block // count for block in range(count + 1)] if count else []
    again = {int(generator.integers(low, high)) for low, high in pairwise(cuts)}
    order: list[Task] = []
    waiting: list[tuple[int, Task]] = []
    for at, task in enumerate(firsts):
        order.append(task)
        if at in again:
            waiting.append((len(order) + GAP, Task(task.topic, 1, task.why, task.queue, task.comparison)))
        while waiting and waiting[0][0] <= len(order):
            order.append(waiting.pop(0)[1])
    return order + [task for _, task in waiting]


def _task(pair: Pair, why: str, queue: Queue) -> Task:
    return Task(pair.topic, 0, why, queue, pair.digest)


def _left(queue: Sequence[Task], now: Standing, *, assessor: str, answers_needed: int) -> list[Task]:
    mine: Mapping[Item, Event] = now.by(assessor)
    return [task for task in queue if _is_left(task, mine, now, assessor=assessor, answers_needed=answers_needed)]


def _is_left(task: Task, mine: Mapping[Item, Event], now: Standing, *, assessor: str, answers_needed: int) -> bool:
    said = mine.get(task.item)
    if said is not None and said.payload["answer"] != SKIP:
        return False
    if task.repeat:
        first = mine.get((task.comparison, task.topic, 0))
        return first is not None and first.payload["answer"] not in NO_OPINION
    return len(now.answered(task.item) - {assessor}) < answers_needed


def _seq(event: Event) -> int:
    return event.seq
