"""The hall that every face looks into: one experiment, two rankers, and everything that can be said of them."""

import threading
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from comparekit.alignment import Alignment, JudgedLists
from comparekit.changes import changes, stories
from comparekit.columns import Bools, Floats
from comparekit.comparability import Comparability, common_depth, comparability
from comparekit.errors import InputError, NothingExecuted
from comparekit.experiment import Experiment
from comparekit.inference import Inference, infer
from comparekit.laying import lay_out, overlap_of
from comparekit.measures import Measure, Values, parse_measure
from comparekit.overlap import Overlap, Parity, parity_with_rbo
from comparekit.paired import Paired, pair, tails
from comparekit.receipts import ReceiptSet
from comparekit.results import ALL, OUTCOMES, Result, Selection
from comparekit.states import STATES
from comparekit.strata import StrataTable, strata_table
from comparekit.topic_rows import topic_rows
from comparekit.topic_view import MeasuredTopic, TopicView, shown_rows
from comparekit.topics import HELD_OUT
from comparekit.verdict import Verdict, classify

PARITY_SAMPLE = 50
T = TypeVar("T")


class Comparison:
    """Everything that can be said of two receipt sets, each figure computed when it is first asked for, and kept."""

    def __init__(self, experiment: Experiment, *, a: ReceiptSet, b: ReceiptSet, exploratory: bool = False) -> None:
        self.experiment = experiment
        self.a, self.b = a, b
        self.comparability: Comparability = comparability(
            a.manifest, b.manifest, topics=experiment.topics, exploratory=exploratory
        )
        self._kept: dict[Any, Any] = {}
        self._lock = threading.RLock()
        self.alignment: Alignment = lay_out(experiment, a, b)
        self.depth, self.depth_rule = common_depth(a, b, declared=experiment.declaration.depth)
        self.overlap: Overlap = overlap_of(self.alignment, experiment.declaration, depth=self.depth)

    @property
    def a_name(self) -> str:
        """The baseline's name."""
        return self.a.name

    @property
    def b_name(self) -> str:
        """The candidate's name."""
        return self.b.name

    @property
    def target(self) -> Measure:
        """The declared target measure."""
        return self.experiment.declaration.target.measure

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The declared measures, the target first."""
        return self.experiment.declaration.all_measures

    @cached_property
    def open_topics(self) -> Bools:
        """Which pinned topics may be looked at: all but the held-out ones."""
        return np.array([topic.split != HELD_OUT for topic in self.experiment.topics.topics], dtype=np.bool_)

    @property
    def held_out(self) -> int:
        """How many topics are closed."""
        return int((~self.open_topics).sum())

    def mask(self, selection: Selection = ALL) -> Bools:
        """Which pinned topics a selection holds; raises `InputError` for an unknown stratum."""
        return self._once(("mask", selection), lambda: self._mask(selection))

    def result(self, measure: Measure, selection: Selection = ALL) -> Result:
        """One measure over one selection."""
        return self._once(("result", measure, selection), lambda: self._result(measure, selection))

    def strata(self, measure: Measure) -> StrataTable:
        """One measure by stratum, over all open topics; every p corrected over all strata together."""
        return self._once(("strata", measure), lambda: self._strata(measure))

    @cached_property
    def stories(self) -> list[str]:
        """One line a topic: what changed in the top ten."""
        told = changes(self.alignment, depth=10, relevant_from=self.experiment.declaration.relevant_from)
        return stories(told, state_a=self.alignment.state_a, state_b=self.alignment.state_b)

    @cached_property
    def parity(self) -> Parity:
        """How often the overlap agrees with the `rbo` package, on a seeded sample of topics."""
        return parity_with_rbo(
            self.overlap,
            self.alignment.a_lists,
            self.alignment.b_lists,
            seed=self.experiment.declaration.seed,
            sample=PARITY_SAMPLE,
        )

    def values(self, measure: Measure) -> tuple[Values, Values]:
        """A measure's value on every pinned topic, for A and for B."""
        return self._once(
            ("values", measure), lambda: (measure.values(self.alignment.a), measure.values(self.alignment.b))
        )

    def judged(self, cutoff: int, selection: Selection = ALL) -> tuple[float | None, float | None]:
        """The mean share of judged documents among the shown top of A and of B; None where nothing was shown."""
        found = self.values(parse_measure(f"Judged@{cutoff}"))
        return _mean(found[0].value[self.mask(selection)]), _mean(found[1].value[self.mask(selection)])

    def holes(self, cutoff: int) -> dict[str, int]:
        """How many shown documents of the top of A and of B nobody judged, over all open topics."""
        return {
            side: _holes(lists, cutoff, self.open_topics)
            for side, lists in (("a", self.alignment.a), ("b", self.alignment.b))
        }

    def stratum_values(self, name: str) -> tuple[str | None, ...]:
        """The values of one stratum among the open topics, in alphabetical order; None, if met, comes last."""
        topics = zip(self.experiment.topics.topics, self.open_topics, strict=True)
        values = {topic.strata.get(name) for topic, is_open in topics if is_open}
        return tuple(sorted(values, key=lambda value: (value is None, value or "")))

    def table(self, measure: Measure, selection: Selection = ALL) -> pd.DataFrame:
        """One row a selected topic with its figures, outcome, reason and story; see `topic_rows`."""
        result = self.result(measure, selection)
        return self._once(("table", measure, selection), lambda: topic_rows(
            result, topics=self.experiment.topics, overlap=self.overlap, depth=self.depth, stories=self.stories,
        ))  # fmt: skip

    def topic(self, topic: str, *, depth: int = 10) -> TopicView:
        """
        One topic with both lists down to `depth`; raises `InputError` for an unknown or a held-out topic.
        """
        topics = self.experiment.topics
        if topic not in topics:
            raise InputError("there is no such topic", got=repr(topic))
        position = topics.position[topic]
        if not self.open_topics[position]:
            raise InputError("this topic is held out", got=repr(topic), todo="Held-out topics stay closed.")
        return self._topic(topic, position, depth)

    def _topic(self, topic: str, position: int, depth: int) -> TopicView:
        alignment = self.alignment
        shown = partial(shown_rows, position, grades=alignment.grades, documents=self.experiment.documents, depth=depth)
        return TopicView(
            topic=self.experiment.topics.topics[position],
            state_a=STATES[alignment.state_a[position]],
            state_b=STATES[alignment.state_b[position]],
            rows_a=shown(alignment.a_lists, other=alignment.b_lists, receipts=self.a),
            rows_b=shown(alignment.b_lists, other=alignment.a_lists, receipts=self.b),
            length_a=int(alignment.a.length[position]),
            length_b=int(alignment.b.length[position]),
            values=tuple(self._measured(measure, position) for measure in self.measures),
            rbo=_number(self.overlap.rbo[position]),
            residual=_number(self.overlap.residual[position]),
            answered=bool(self.overlap.answered[position]),
            changed=bool(self.overlap.changed[self.depth][position]),
            story=self.stories[position],
            receipt_a=self.a.receipt_digest(topic),
            receipt_b=self.b.receipt_digest(topic),
        )

    def _measured(self, measure: Measure, position: int) -> MeasuredTopic:
        paired = self._paired(measure)
        return MeasuredTopic(
            measure,
            _number(paired.a[position]),
            _number(paired.b[position]),
            _number(paired.delta[position]),
            OUTCOMES[int(paired.outcome[position])],
            paired.reason_of(position),
        )

    def _mask(self, selection: Selection) -> Bools:
        topics = self.experiment.topics.topics
        mask = self.open_topics.copy()
        if selection.stratum is not None:
            name, value = selection.stratum
            if name not in self.experiment.topics.strata:
                raise InputError(
                    "there is no such stratum", expected=", ".join(self.experiment.topics.strata), got=repr(name)
                )
            mask &= np.array([topic.strata.get(name) == value for topic in topics], dtype=np.bool_)
        if selection.split is not None:
            mask &= np.array([topic.split == selection.split for topic in topics], dtype=np.bool_)
        return mask

    def _paired(self, measure: Measure) -> Paired:
        declaration, alignment = self.experiment.declaration, self.alignment
        a, b = self.values(measure)
        return self._once(("paired", measure), lambda: pair(
            a, b, state_a=alignment.state_a, state_b=alignment.state_b, missing=declaration.missing,
            tie_band=declaration.tie_band, better=measure.better,
        ))  # fmt: skip

    def _result(self, measure: Measure, selection: Selection) -> Result:
        mask = self.mask(selection)
        paired = self._paired(measure).take(mask)
        inference = self._infer(paired.comparable)
        as_empty = self._infer(paired.as_empty.comparable) if paired.as_empty and paired.provisional else None
        verdict = self._classified(inference, as_empty) if measure == self.target else None
        return Result(measure, selection, np.flatnonzero(mask), paired, inference, tails(paired), as_empty, verdict)

    def _classified(self, inference: Inference, as_empty: Inference | None) -> Verdict:
        target = self.experiment.declaration.target
        return classify(
            inference,
            smallest_effect=target.smallest_effect,
            measure=str(target.measure),
            better=target.measure.better,
            a=self.a_name,
            b=self.b_name,
            as_empty=as_empty,
        )

    def _infer(self, deltas: Floats) -> Inference:
        declaration = self.experiment.declaration
        return infer(deltas, seed=declaration.seed, resamples=declaration.resamples)

    def _strata(self, measure: Measure) -> StrataTable:
        topics, declaration = self.experiment.topics, self.experiment.declaration
        labels = {name: [topic.strata.get(name) for topic in topics.topics] for name in topics.strata}
        mask = self.open_topics
        chosen = {
            name: [value for value, kept in zip(values, mask, strict=True) if kept] for name, values in labels.items()
        }
        return strata_table(
            self._paired(measure).take(mask),
            chosen,
            seed=declaration.seed,
            resamples=declaration.resamples,
        )

    def _once(self, key: Any, compute: Callable[[], T]) -> T:
        """What was computed for `key`, computed once however many sessions ask at the same time."""
        if key not in self._kept:
            with self._lock:
                if key not in self._kept:
                    self._kept[key] = compute()
        kept: T = self._kept[key]
        return kept


def compare(
    experiment: Experiment, *, a: str | None = None, b: str | None = None, exploratory: bool = False
) -> Comparison:
    """
    Compare two receipt sets of an opened experiment, the declared ones unless named.

    Raises `NotComparable` when they answered other topics (unless `exploratory`), `NothingExecuted` when no open
    topic was answered by both.
    """
    declaration = experiment.declaration
    comparison = Comparison(
        experiment,
        a=_opened(experiment, a or declaration.baseline),
        b=_opened(experiment, b or declaration.candidate),
        exploratory=exploratory,
    )
    _require_work(comparison)
    return comparison


def _opened(experiment: Experiment, name: str) -> ReceiptSet:
    if name not in experiment.receipts:
        raise InputError(f'receipt set "{name}" was not opened', expected=", ".join(experiment.receipts))
    return experiment.receipts[name]


def _require_work(comparison: Comparison) -> None:
    if not (comparison.overlap.answered & comparison.open_topics).any():
        raise NothingExecuted(
            "no topic was answered by both sides",
            expected="topics in common",
            got=f"{len(comparison.a.topics)} topics in A, {len(comparison.b.topics)} in B, none in both",
        )


def _holes(lists: JudgedLists, cutoff: int, opened: Bools) -> int:
    judged = opened[lists.topic] & (lists.rank <= cutoff)
    return int(np.minimum(lists.length, cutoff)[opened].sum()) - int(judged.sum())


def _mean(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
