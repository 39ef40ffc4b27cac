"""The Judge page: two lists without names for one need, answered by one key."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from comparekit.access import Access, Person, configured_access
from comparekit.answers import preference_event
from comparekit.attempts import attempt_id, attempts, item_of_answer, latest, standing_one, withdrawal
from comparekit.comparison import Comparison
from comparekit.events import Event
from comparekit.queueing import Progress, Task, build_queue, next_task, progress
from comparekit.sides import Sealed, blind_pair, sealed
from comparekit.study import Guideline, Study, read_guideline
from comparekit.ui import judging_bar, judging_head
from comparekit.ui.judging_bar import Bar
from comparekit.ui.judging_desk import Desk, the_desk
from comparekit.ui.judging_pair import draw_pair
from comparekit.ui.judging_store import Book, book
from comparekit.ui.loading import Loaded


@dataclass(frozen=True)
class Round:
    """Everything one run of the page rests on."""

    comparison: Comparison
    person: Person
    access: Access
    study: Study
    guideline: Guideline
    book: Book
    queue: Sequence[Task]
    events: Sequence[Event]

    @cached_property
    def last(self) -> Event | None:
        """This assessor's last answer that stands."""
        judged = frozenset(task.comparison for task in self.queue)
        return latest(self.events, assessor=self.person.name, comparisons=judged)

    @cached_property
    def progress(self) -> Progress:
        """How far this assessor and all together are."""
        needed = self.study.answers_needed
        return progress(self.queue, self.events, assessor=self.person.name, answers_needed=needed)

    def task(self, desk: Desk) -> Task | None:
        """What is not saved yet or was put back by an undo, else what comes next."""
        kept = desk.item if desk.unsaved is not None else desk.again
        found = next((each for each in self.queue if each.item == kept), None)
        needed = self.study.answers_needed
        return found or next_task(self.queue, self.events, assessor=self.person.name, answers_needed=needed)

    def sealed(self, task: Task) -> Sealed:
        """What the answer to a task needs; it never leaves the server."""
        name, depth = self.person.name, self.study.depth
        return sealed(self.comparison, task, secret=self.book.secret, assessor=name, depth=depth)

    def before(self, task: Task) -> list[Event]:
        """This assessor's earlier answers to a task, whether they stand or not."""
        item = (task.topic, task.repeat)
        return attempts(self.events, assessor=self.person.name, comparison=task.comparison, item=item)


def judge_pairs(loaded: Loaded, person: Person) -> None:
    """Act on what was pressed, then draw the next pair."""
    access = configured_access()
    desk = the_desk("pairs")
    _act(desk, _round(loaded, person, access))
    round = _round(loaded, person, access)
    task = round.task(desk)
    if task is None:
        _nothing_left(desk, round)
    else:
        _draw(desk, round, task)


def _round(loaded: Loaded, person: Person, access: Access) -> Round:
    study, record = judging_head.chosen_study(access), book()
    queue = _queue(f"{loaded.receipt['digest']} {study}", loaded.comparison, study)
    guideline = read_guideline("preference")
    return Round(loaded.comparison, person, access, study, guideline, record, queue, record.events())


@st.cache_resource(max_entries=8, show_spinner=False)
def _queue(key: str, _comparison: Comparison, _study: Study) -> Sequence[Task]:
    return build_queue(
        _comparison,
        seed=_study.seed,
        random_share=_study.random_share,
        repeat_share=_study.repeat_share,
        depth=_study.depth,
    )


def _draw(desk: Desk, round: Round, task: Task) -> None:
    secret, name = round.book.secret, round.person.name
    pair = blind_pair(round.comparison, task, secret=secret, assessor=name, depth=round.study.depth)
    before = round.before(task)
    desk.lay(pair.token, task.item, attempt=len(before), supersedes=standing_one(before, round.events))
    with judging_head.head():
        judging_head.draw_need(pair.text, topic=pair.topic, task=pair.task, need=pair.need, why=pair.why)
        judging_head.draw_side(round.progress, round.person, round.guideline, study=round.study, access=round.access)
    bar = Bar(judging_bar.PREFERENCES, (judging_bar.BOTH_BAD,), round.book.locked, round.last is not None)
    draw_pair(pair, round.study, token=desk.token, keys=bar.keys(desk))
    bar.draw(desk)


def _nothing_left(desk: Desk, round: Round) -> None:
    desk.lay("done", None)
    judging_head.draw_end(round.progress, any_pair=bool(round.queue))
    Bar(locked=round.book.locked, can_undo=round.last is not None).draw(desk)


def _act(desk: Desk, round: Round) -> None:
    """What the last press means."""
    what = desk.taken()
    if not what or desk.resolve(round.book, what) or desk.turned(what):
        return
    if what == "undo":
        _undo(desk, round)
    elif not desk.too_early():
        answer, _, reason = what.partition(":")
        _answer(desk, round, answer, reason)


def _answer(desk: Desk, round: Round, answer: str, reason: str) -> None:
    task = next((each for each in round.queue if each.item == desk.item), None)
    if task is None:
        return
    note = judging_bar.noted(desk)
    event = preference_event(
        round.sealed(task),
        event_id=attempt_id(
            round.book.secret,
            assessor=round.person.name,
            comparison=task.comparison,
            item=(task.topic, task.repeat),
            number=desk.attempt,
        ),
        answer=answer,
        elapsed_ms=desk.elapsed_ms,
        guideline=round.guideline.digest,
        reasons=(reason,) if reason else note.reasons,
        comment=note.comment,
        ranks=round.study.ranks,
        fold=round.study.fold,
        supersedes=desk.supersedes,
    )
    desk.save(round.book, event, words=_told(round, task.topic, answer))


def _undo(desk: Desk, round: Round) -> None:
    last = round.last
    if last is None:
        return
    topic, repeat = item_of_answer(last)
    words = f"Taken back: {_told(round, topic, last.payload['answer'])}"
    desk.save(round.book, withdrawal(last), words=words, then=(last.comparison, topic, repeat))


def _told(round: Round, topic: str, answer: str) -> str:
    text = round.comparison.experiment.topics[topic].text or topic
    return f"{judging_bar.words_of(answer)} for “{text if len(text) <= 60 else text[:60].rstrip() + '…'}”"
