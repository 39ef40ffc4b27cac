"""
What does `nDCG(dcg='exp-log2')@10` mean, and how is it written?

A `Measure` is a family with its parameters and cutoff fixed. What a person types is what it prints, in the
spelling of ir_measures.
"""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from comparekit.alignment import JudgedLists
from comparekit.errors import MeasureError
from comparekit.measures.registry import Better, Family, Value, Values, families, family_of

_SHAPE = re.compile(r"\s*(?P<name>\w+)\s*(?:\((?P<params>[^()]*)\))?\s*(?:@\s*(?P<cutoff>\d{1,9}))?\s*", re.ASCII)
_PAIR = re.compile(r"\s*(?P<name>\w+)\s*=\s*(?P<value>'[^']*'|\"[^\"]*\"|[^\s,'\"]+)\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Measure:
    """
    A family with its parameters and cutoff fixed: a value that prints, compares and hashes.

    `params` holds every parameter of the family in the family's order, defaults too.
    """

    name: str
    params: tuple[tuple[str, Value], ...]
    cutoff: int | None

    def __str__(self) -> str:
        known = self.family.params
        written = [
            f"{name}={value!r}" for name, value in self.params if known[name].printed or value != known[name].default
        ]
        parameters = f"({','.join(written)})" if written else ""
        return f"{self.name}{parameters}" + ("" if self.cutoff is None else f"@{self.cutoff}")

    @property
    def family(self) -> Family:
        """The way of measuring."""
        return family_of(self.name)

    @property
    def label(self) -> str:
        """The name for people."""
        return self.family.label if self.cutoff is None else f"{self.family.label} at {self.cutoff}"

    @property
    def help(self) -> str:
        """What it says, in a sentence or two."""
        return self.family.help

    @property
    def better(self) -> Better | None:
        """Which direction is an improvement; None where neither is."""
        return self.family.better

    @property
    def low(self) -> float:
        """The least value there can be."""
        return self.family.low

    @property
    def high(self) -> float:
        """The greatest value there can be."""
        return self.family.high

    @property
    def source(self) -> str:
        """The paper that defines it."""
        return self.family.source

    def values(self, lists: JudgedLists) -> Values:
        """
        The measure of every topic.

        A topic without a relevant judgment is undefined; a topic with one that retrieved nothing scores 0.
        Raises `MeasureError` when the measure needs the top grade of the scale and none is declared.
        """
        params = dict(self.params)
        if params.pop("judged_only", False):
            lists = lists.condensed()
        if self.family.cutoff == "none":
            return self.family.compute(lists, **params)
        return self.family.compute(lists, cutoff=self.cutoff, **params)


def parse_measure(text: str) -> Measure:
    """
    The measure that `text` names, such as "P(rel=2)@5"; `str` of it is the same text with defaults left out.

    Raises `MeasureError` on an unknown name (naming near ones), parameter or value.
    """
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        raise MeasureError(f"{text!r} is not a measure", expected="a name such as nDCG@10 or P(rel=2)@5")
    family = _family(shape["name"])
    given = _given(shape["params"] or "", text)
    cutoff = given.pop("cutoff", None) if shape["cutoff"] is None else int(shape["cutoff"])
    params = _checked(family, given, text)
    return Measure(family.name, params, _checked_cutoff(family, dict(params), cutoff, text))


def _family(name: str) -> Family:
    known = {spelling: family for family in families() for spelling in (family.name, *family.aliases)}
    if name in known:
        return known[name]
    folded = {spelling.casefold(): family.name for spelling, family in known.items()}
    near = dict.fromkeys(folded[each] for each in difflib.get_close_matches(name.casefold(), folded))
    every = ", ".join(family.name for family in families())
    raise MeasureError(
        f"there is no measure {name!r}",
        todo=f"Did you mean {' or '.join(near)}?" if near else f"There are {every}.",
    )


def _given(text: str, whole: str) -> dict[str, Value]:
    """The parameters as they were written."""
    given: dict[str, Value] = {}
    for part in filter(str.strip, text.split(",")):
        pair = _PAIR.fullmatch(part)
        if pair is None or pair["name"] in given:
            what = f"{whole!r} has a parameter that cannot be read"
            raise MeasureError(what, expected="name=value, once", got=part.strip())
        given[pair["name"]] = _value(pair["value"], whole)
    return given


def _value(text: str, whole: str) -> Value:
    if text[0] in "'\"":
        return text[1:-1]
    if text in ("True", "False"):
        return text == "True"
    try:
        number = float(text)
    except ValueError:
        what = f"{whole!r} has a value that cannot be read"
        raise MeasureError(what, expected="a number, True, False or 'text'", got=text) from None
    return int(number) if number.is_integer() else number


def _checked(family: Family, given: Mapping[str, Value], text: str) -> tuple[tuple[str, Value], ...]:
    """Every parameter of the family, given or default."""
    for name, value in given.items():
        if name not in family.params:
            what = f"{family.name} has no parameter {name!r}, as {text!r} says"
            raise MeasureError(what, expected=", ".join(family.params) or "none")
        if not family.params[name].accepts(value):
            what = f"{text!r} has a value that is not allowed"
            raise MeasureError(what, expected=f"{name} as {family.params[name].allowed}", got=repr(value))
    return tuple((name, given.get(name, param.default)) for name, param in family.params.items())


def _checked_cutoff(family: Family, params: Mapping[str, Value], cutoff: Value | None, text: str) -> int | None:
    needed = any(params[name] in param.with_cutoff for name, param in family.params.items())
    if cutoff is None and (needed or family.cutoff == "required"):
        raise MeasureError(f"{text!r} needs a cutoff", todo=f"Write {text}@10, for example.")
    if cutoff is None:
        return None
    if family.cutoff == "none":
        raise MeasureError(f"{family.name} has no cutoff, as {text!r} says", todo=f"Write {family.name}.")
    if not isinstance(cutoff, int) or isinstance(cutoff, bool) or cutoff < 1:
        raise MeasureError(f"{text!r} has a cutoff that is not allowed", expected="a whole number from 1", got=cutoff)
    return cutoff
