"""How pairs are shown to assessors, and how they are spread over them: what must be the same for everybody."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from comparekit.canonical import sha256_of
from comparekit.errors import InputError

_GUIDELINES = Path(__file__).parent / "guidelines"
_RANGES: Mapping[str, tuple[float, float]] = {
    "depth": (1, 100),
    "answers_needed": (1, 100),
    "random_share": (0, 1),
    "repeat_share": (0, 1),
    "seed": (0, 2**31),
}


@dataclass(frozen=True, slots=True)
class Study:
    """
    The settings of a study; `depth`, `ranks` and `fold` are stored with every answer, because they may sway it.

    `depth` is how many documents of a list are shown, `ranks` whether they are numbered, `fold` whether ranks at which
    both lists show the same document fold into a line. `answers_needed` is how many people answer a topic;
    `random_share` (0 to 1) of the topics is drawn blindly beside the informative ones, `repeat_share` (0 to 1) comes
    back with the sides swapped.
    """

    depth: int = 10
    ranks: bool = True
    fold: bool = True
    answers_needed: int = 2
    random_share: float = 0.2
    repeat_share: float = 0.1
    seed: int = 20100301


@dataclass(frozen=True, slots=True)
class Guideline:
    """What assessors are told to do; its digest is its version and is stored with every answer."""

    name: str
    text: str

    @property
    def digest(self) -> str:
        """The version."""
        return sha256_of(self.text.encode("utf-8"))


def read_guideline(name: str) -> Guideline:
    """The shipped guideline of that name: `preference` or `grade`."""
    return Guideline(name, (_GUIDELINES / f"{name}.md").read_text("utf-8"))


def read_study(record: Mapping[str, Any], *, path: Path) -> Study:
    """The `[judging]` table of an access.toml; raises `InputError` on what is unknown or out of range."""
    kinds = {each.name: each.type for each in fields(Study)}
    for key, value in record.items():
        if key not in kinds:
            raise InputError(f'judging has no "{key}"', path=path, expected=", ".join(sorted(kinds)))
        _require(key, value, kinds[key], path=path)
    return Study(**record)


def _require(key: str, value: Any, kind: Any, *, path: Path) -> None:
    if kind is bool or isinstance(value, bool):
        if kind is bool and isinstance(value, bool):
            return
        raise InputError(f"judging.{key} has the wrong type", path=path, expected=kind.__name__, got=repr(value))
    low, high = _RANGES[key]
    if not isinstance(value, int if kind is int else (int, float)) or not low <= value <= high:
        raise InputError(f"judging.{key} is out of range", path=path, expected=f"{low:g} to {high:g}", got=repr(value))
