"""The Judge page in its other mode: one document that nobody graded, on the experiment's scale, by one key."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from comparekit.access import Access, Person, configured_access
from comparekit.answers import grade_event
from comparekit.attempts import attempt_id, attempts, latest, standing_one, withdrawal
from comparekit.canonical import digest_of
from comparekit.comparison import Comparison
from comparekit.events import Event
from comparekit.queueing import Hole, hole_queue, next_hole
from comparekit.scales import Step, steps
from comparekit.sides import blind_hole
from comparekit.standing import grade_scope, standing
from comparekit.study import Guideline, Study, read_guideline
from comparekit.topic_view import ranking
from comparekit.ui import address, frame, judging_bar, judging_head
from comparekit.ui.judging_bar import Bar, Choice
from comparekit.ui.judging_desk import Desk, the_desk
from comparekit.ui.judging_pair import draw_hole
from comparekit.ui.judging_store import Book, book
from comparekit.ui.loading import Loaded
from comparekit.ui.text import visible

DOC = "doc"
ASKED = "Asked for on the Topic page."


@dataclass(frozen=True)
class Round:
    """Everything one run of the page rests on; `asked` is a document that the address names."""

    comparison: Comparison
    person: Person
    access: Access
    study: Study
    guideline: Guideline
    book: Book
    queue: Sequence[Hole]
    events: Sequence[Event]
    asked: Hole | None

    @property
    def scope(self) -> str:
        """What grades are filed under."""
        return grade_scope(self.comparison.experiment.topics.digest)

    @property
    def last(self) -> Event | None:
        """This assessor's last grade that stands."""
        return latest(self.events, assessor=self.person.name, comparisons=(self.scope,))

    def hole(self, desk: Desk) -> Hole | None:
        """What is not saved yet, was put back or asked for, else what comes next; what was put off comes last."""
        kept = desk.item if desk.unsaved is not None else desk.again
        if kept is not None:
            return kept if isinstance(kept, Hole) else None
        if self.asked is not None:
            return self.asked
        later = [hole for hole in self.queue if hole in desk.put_off]
        order = [*(hole for hole in self.queue if hole not in desk.put_off), *later]
        needed = self.study.answers_needed
        return next_hole(order, self.events, assessor=self.person.name, scope=self.scope, answers_needed=needed)

    def before(self, hole: Hole) -> list[Event]:
        """This assessor's earlier grades of a document, whether they stand or not."""
        item = (hole.topic, hole.doc)
        return attempts(self.events, assessor=self.person.name, comparison=self.scope, item=item)

    @property
    def counts(self) -> tuple[int, int]:
        """How many documents of the queue this assessor and anybody graded."""
        graded = standing(self.events).graders(self.scope)
        said = [graded.get((hole.topic, hole.doc), {}) for hole in self.queue]
        return sum(self.person.name in each for each in said), sum(bool(each) for each in said)


def grade_documents(loaded: Loaded, person: Person) -> None:
    """Act on what was pressed, then draw the next document."""
    access = configured_access()
    desk = the_desk("grades")
    _act(desk, _round(loaded, person, access))
    round = _round(loaded, person, access)
    hole = round.hole(desk)
    if hole is None:
        desk.lay("done", None)
        judging_head.draw_graded(*round.counts, whole=len(round.queue))
        Bar(locked=round.book.locked, can_undo=round.last is not None).draw(desk)
    else:
        _draw(desk, round, hole)


def _round(loaded: Loaded, person: Person, access: Access) -> Round:
    study, record = judging_head.chosen_study(access), book()
    comparison = loaded.comparison
    queue = _queue(f"{loaded.receipt['digest']} {study.depth}", comparison, study.depth)
    guideline, asked = read_guideline("grade"), _asked(comparison)
    return Round(comparison, person, access, study, guideline, record, queue, record.events(), asked)


@st.cache_resource(max_entries=8, show_spinner=False)
def _queue(key: str, _comparison: Comparison, _depth: int) -> Sequence[Hole]:
    return hole_queue(_comparison, depth=_depth)


def _asked(comparison: Comparison) -> Hole | None:
    """The document that the address asks for; one that may not be graded is told once and left."""
    topic, doc = st.query_params.get(address.TOPIC), st.query_params.get(DOC)
    if topic is None or doc is None:
        return None
    if _may_be_graded(comparison, topic, doc):
        return Hole(topic, doc, ASKED)
    frame.notes([f"There is no open topic “{visible(topic)}” with this document. The next one is shown instead."])
    return None


def _may_be_graded(comparison: Comparison, topic: str, doc: str) -> bool:
    """Whether the topic is open and the document in one of its lists."""
    topics, alignment = comparison.experiment.topics, comparison.alignment
    if topic not in topics or not comparison.open_topics[topics.position[topic]]:
        return False
    return any(doc in ranking(lists, topics.position[topic]) for lists in (alignment.a_lists, alignment.b_lists))


def _draw(desk: Desk, round: Round, hole: Hole) -> None:
    blind = blind_hole(round.comparison, hole, secret=round.book.secret, assessor=round.person.name)
    before = round.before(hole)
    desk.lay(blind.token, hole, attempt=len(before), supersedes=standing_one(before, round.events))
    mine, anybody = round.counts
    with judging_head.head():
        judging_head.draw_need(blind.text, topic=blind.topic, task=blind.task, need=blind.need, why=blind.why)
        judging_head.draw_grading_side(
            mine, anybody, whole=len(round.queue), person=round.person, guideline=round.guideline, access=round.access
        )
    scale = [_choice(step) for step in steps(round.comparison.experiment)]
    bar = Bar(scale, locked=round.book.locked, can_undo=round.last is not None)
    draw_hole(blind, token=desk.token, keys=bar.keys(desk))
    bar.draw(desk)


def _choice(step: Step) -> Choice:
    return Choice(step.key, f"grade:{step.name}", f"{step.name} {step.meaning}")


def _act(desk: Desk, round: Round) -> None:
    what = desk.taken()
    if not what or desk.resolve(round.book, what) or desk.turned(what):
        return
    if what == "undo":
        _undo(desk, round)
    elif not desk.too_early():
        answer, _, said = what.partition(":")
        if answer == "skip":
            _skip(desk)
        else:
            _answer(desk, round, said, cannot=answer != "grade")
        _forget_asked()


def _skip(desk: Desk) -> None:
    # Not an answer, so not a record: the document only moves to the end of this session's queue.
    desk.put_off = [*(hole for hole in desk.put_off if hole != desk.item), desk.item]
    desk.again = None
    desk.tell("", "Put off; it comes back after the others.")


def _answer(desk: Desk, round: Round, said: str, *, cannot: bool) -> None:
    hole = desk.item
    if not isinstance(hole, Hole):
        return
    experiment, note = round.comparison.experiment, judging_bar.noted(desk)
    grade = None if cannot else next(each.grade for each in steps(experiment) if each.name == said)
    document = experiment.documents.get(hole.doc)
    event = grade_event(
        experiment,
        event_id=attempt_id(
            round.book.secret,
            assessor=round.person.name,
            comparison=round.scope,
            item=(hole.topic, hole.doc),
            number=desk.attempt,
        ),
        assessor=round.person.name,
        topic=hole.topic,
        doc=hole.doc,
        grade=grade,
        elapsed_ms=desk.elapsed_ms,
        guideline=round.guideline.digest,
        reason=said if cannot else "",
        comment=note.comment,
        text_digest=None if document is None else digest_of(document.record()),
        supersedes=desk.supersedes,
    )
    desk.save(round.book, event, words="Cannot judge" if cannot else f"Grade {said}")


def _undo(desk: Desk, round: Round) -> None:
    last = round.last
    if last is not None:
        payload = last.payload
        found = (each for each in round.queue if (each.topic, each.doc) == (payload["topic"], payload["doc"]))
        back = next(found, Hole(payload["topic"], payload["doc"], ASKED))
        desk.save(round.book, withdrawal(last), words="Taken back", then=back)


def _forget_asked() -> None:
    """The address named one document; the next ones come from the queue."""
    for name in (DOC, address.TOPIC):
        st.query_params.pop(name, None)
