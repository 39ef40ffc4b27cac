"""An experiment's two receipt sets laid over its topics and judgments."""

import numpy as np

from comparekit.alignment import Alignment, align
from comparekit.declaration import Declaration
from comparekit.experiment import Experiment
from comparekit.overlap import Overlap, overlap, tied_topics
from comparekit.receipts import ReceiptSet
from comparekit.states import FAILED, MISSING, States


def lay_out(experiment: Experiment, a: ReceiptSet, b: ReceiptSet) -> Alignment:
    """Both sides and the judgments in the order of the pinned topics."""
    scale = experiment.declaration.scale
    return align(
        experiment.topics.ids,
        a=a.lists,
        b=b.lists,
        grades=experiment.judgments.grades,
        state_a=_states(a, experiment.topics.ids),
        state_b=_states(b, experiment.topics.ids),
        top_grade=scale[1] if scale else None,
    )


def overlap_of(found: Alignment, declaration: Declaration, *, depth: int) -> Overlap:
    """The overlap of both lists where both sides gave an answer, as declared."""
    ties = (tied_topics(lists.offsets, lists.scores, depth=depth) for lists in (found.a_lists, found.b_lists))
    left_out = (FAILED,) if declaration.missing == "empty" else (FAILED, MISSING)
    answered = ~(np.isin(found.state_a, left_out) | np.isin(found.state_b, left_out))
    return overlap(
        found.shared_topic,
        found.shared_rank_a,
        found.shared_rank_b,
        length_a=found.a.length,
        length_b=found.b.length,
        depth=depth,
        p=declaration.persistence,
        tied=np.logical_or(*ties),
    ).where(answered)


def _states(receipts: ReceiptSet, topics: tuple[str, ...]) -> States:
    return np.array([receipts.state(topic) for topic in topics], dtype=np.int8)
