"""One measure over one selection of topics: what a face is given to show."""

from dataclasses import dataclass

from comparekit.columns import Ints
from comparekit.inference import Inference
from comparekit.measures import Measure
from comparekit.paired import Paired, Tails
from comparekit.verdict import Verdict

OUTCOMES = {1: "win", 0: "tie", -1: "loss", 2: "not comparable"}


@dataclass(frozen=True, slots=True)
class Selection:
    """
    Which topics are looked at: those of one stratum (name and value; the value None is a stratum of its own),
    and of one split. Held-out topics are closed and belong to no selection.
    """

    stratum: tuple[str, str | None] | None = None
    split: str | None = None

    @property
    def label(self) -> str:
        """How the selection is called, for people."""
        parts = (
            [f"{self.stratum[0]} = {self.stratum[1] if self.stratum[1] is not None else '(none)'}"]
            if self.stratum
            else []
        )
        return ", ".join(parts + ([f"split {self.split}"] if self.split else [])) or "all topics"


ALL = Selection()


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """
    One measure over one selection.

    `paired` holds both values, the delta (B minus A) and the outcome of every selected topic; `inference` speaks of
    the comparable ones; `as_empty` is the same with missing topics scored 0, while nobody declared what they are.
    `positions` are the selected topics' places among the pinned ones. The verdict exists for the target only.
    """

    measure: Measure
    selection: Selection
    positions: Ints
    paired: Paired
    inference: Inference
    tails: Tails
    as_empty: Inference | None
    verdict: Verdict | None
