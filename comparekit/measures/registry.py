"""Which ways of measuring are there, and what does each say about itself?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from comparekit.columns import Floats

Value = int | float | str | bool
Better = Literal["higher", "lower"]
Cutoff = Literal["required", "optional", "none"]

REASONS = (
    "",
    "no relevant document is judged",
    "no document of this topic is judged",
    "nothing was retrieved",
)
DEFINED, NOTHING_RELEVANT, NOTHING_JUDGED, NOTHING_RETRIEVED = range(4)


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """A measure of every topic: `value` is NaN where it is undefined, and `reason` says why (see `REASONS`)."""

    value: Floats
    reason: npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Param:
    """
    One parameter of a family: its default and what else it may be.

    Text must be among `choices`, a number above `above` and below `below`. `with_cutoff` are the choices that make
    sense only with a cutoff. `printed` parameters are printed even at their default.
    """

    default: Value
    help: str
    choices: tuple[str, ...] = ()
    above: float = float("-inf")
    below: float = float("inf")
    with_cutoff: tuple[str, ...] = ()
    printed: bool = False

    @property
    def allowed(self) -> str:
        """What the parameter may be, in words."""
        if isinstance(self.default, bool):
            return "True or False"
        if self.choices:
            return "one of " + ", ".join(map(repr, self.choices))
        return f"a number above {self.above:g}" + (f" and below {self.below:g}" if self.below < float("inf") else "")

    def accepts(self, value: Value) -> bool:
        """Whether `value` is allowed."""
        if isinstance(self.default, bool) or isinstance(value, bool):
            return isinstance(self.default, bool) and isinstance(value, bool)
        if self.choices or isinstance(value, str):
            return value in self.choices
        return self.above < value < self.below


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """One way of measuring, with all that a table, a tooltip or a page of documentation says about it."""

    name: str
    label: str
    help: str
    better: Better | None
    low: float
    high: float
    source: str
    cutoff: Cutoff
    params: Mapping[str, Param]
    aliases: tuple[str, ...]
    compute: Callable[..., Values]


_FAMILIES: dict[str, Family] = {}


def measure(
    name: str,
    *,
    label: str,
    help: str,
    source: str,
    cutoff: Cutoff,
    better: Better | None = "higher",
    low: float = 0.0,
    high: float = 1.0,
    params: Mapping[str, Param],
    aliases: tuple[str, ...] = (),
) -> Callable[[Callable[..., Values]], Callable[..., Values]]:
    """
    Register the decorated function as a family.

    It is called with `JudgedLists` and its parameters by name (`cutoff` is None where none is given). `judged_only`
    is not passed on: where it is True, the lists come without their unjudged results.
    """

    def register(compute: Callable[..., Values]) -> Callable[..., Values]:
        _FAMILIES[name] = Family(name, label, help, better, low, high, source, cutoff, params, aliases, compute)
        return compute

    return register


def families() -> tuple[Family, ...]:
    """All families, by name."""
    return tuple(_FAMILIES[name] for name in sorted(_FAMILIES, key=str.casefold))


def family_of(name: str) -> Family:
    """The family with exactly this name; raises `KeyError` on any other."""
    return _FAMILIES[name]
