"""
How far do people agree, and how much of it is more than chance?

Every coefficient is worked out in fractions, so it is exact until it is shown. Only items with two or more answers
count; where a single label is in use, chance agreement is complete and the coefficient is undefined, never 0 or 1.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, Literal

from comparekit.errors import InputError
from comparekit.figures import Figure

Label = str | int | float
Level = Literal["nominal", "ordinal", "interval"]
Ratings = Mapping[Any, Mapping[str, Label]]
"""What each assessor said of each item."""

ONE_LABEL = "one label"
NOTHING_SHARED = "no item with two answers"
SKEWED = Fraction(4, 5)


@dataclass(frozen=True, slots=True)
class Agreement:
    """
    One coefficient: its `figure` (1 is perfect, 0 is chance, below 0 is worse than chance) and what it rests on.

    `n` counts the items with two or more answers, `answers` the answers on them. `observed` and `expected` are the
    two shares it was made of: of agreement for raw and kappa, of disagreement (a mean distance) for alpha.
    `note` warns of what makes the figure hard to read.
    """

    name: str
    figure: Figure
    n: int
    answers: int
    observed: Figure
    expected: Figure
    note: str = ""


def ratings_of(answers: Iterable[tuple[Hashable, str, Label]]) -> Ratings:
    """Ratings from (item, assessor, label); of two labels by one assessor on one item the later stays."""
    ratings: dict[Hashable, dict[str, Label]] = {}
    for item, assessor, label in answers:
        ratings.setdefault(item, {})[assessor] = label
    return ratings


def raw_agreement(ratings: Ratings) -> Agreement:
    """The share of pairs of answers that agree, in [0, 1]: a mean over items, whatever chance would have given."""
    units = _units(ratings)
    observed = _observed(units)
    return _agreement("raw agreement", units, observed, observed, Fraction(0), reason=NOTHING_SHARED)


def kappa(ratings: Ratings) -> Agreement:
    """Cohen's kappa where exactly two assessors share items, else Fleiss' kappa."""
    names = sorted({name for said in ratings.values() if len(said) > 1 for name in said})
    return cohen_kappa(ratings, pair=(names[0], names[1])) if len(names) == 2 else fleiss_kappa(ratings)


def cohen_kappa(ratings: Ratings, *, pair: tuple[str, str]) -> Agreement:
    """
    Two assessors' agreement on the items both answered, in [-1, 1]; chance is the product of their own habits.

    Cohen (1960), "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20(1),
    equation 1. doi:10.1177/001316446002000104
    """
    one, other = pair
    units = [[said[one], said[other]] for said in ratings.values() if one in said and other in said]
    habits = [Counter(unit[place] for unit in units) for place in (0, 1)]
    agreeing = sum(habits[0][label] * habits[1][label] for label in habits[0])
    expected = Fraction(agreeing, len(units) ** 2) if units else None
    return _corrected("Cohen's kappa", units, expected)


def fleiss_kappa(ratings: Ratings) -> Agreement:
    """
    The agreement of any number of assessors, not necessarily the same for every item, in [-1, 1].

    Every answer counts once towards the habits that make chance agreement. With the same number of answers on every
    item this is Fleiss' coefficient itself.

    Fleiss (1971), "Measuring nominal scale agreement among many raters", Psychological Bulletin 76(5), equations 1
    to 7. doi:10.1037/h0031619
    """
    units = _units(ratings)
    counts = Counter(label for unit in units for label in unit)
    total = sum(counts.values())
    expected = Fraction(sum(count**2 for count in counts.values()), total**2) if units else None
    return _corrected("Fleiss' kappa", units, expected)


def krippendorff_alpha(ratings: Ratings, *, level: Level = "nominal") -> Agreement:
    """
    Krippendorff's alpha, at most 1, for any number of assessors and with answers missing.

    `level` says what a disagreement costs: all the same ("nominal"), by how many answers lie between two labels
    ("ordinal"), or by the square of their difference ("interval"). The last two need numbers as labels, and raise
    `InputError` on others.

    Krippendorff (2011), "Computing Krippendorff's alpha-reliability", University of Pennsylvania, section C.
    """
    name = f"Krippendorff's alpha ({level})"
    units = _units(ratings)
    counts = Counter(label for unit in units for label in unit)
    total = sum(counts.values())
    apart = _distances(counts, level)
    expected = sum((counts[c] * counts[k] * cost for (c, k), cost in apart.items()), Fraction(0))
    if not expected:
        return _agreement(name, units, None, None, None, reason=ONE_LABEL if units else NOTHING_SHARED)
    observed = sum((_coincidences(units, c, k) * cost for (c, k), cost in apart.items()), Fraction(0))
    value = 1 - (total - 1) * observed / expected
    return _agreement(name, units, value, 2 * observed / total, 2 * expected / (total * (total - 1)))


def item_agreement(labels: Sequence[Label]) -> Fraction:
    """The share of pairs of answers on one item that agree; needs two answers or more."""
    pairs = len(labels) * (len(labels) - 1)
    return Fraction(sum(count * (count - 1) for count in Counter(labels).values()), pairs)


def _units(ratings: Ratings) -> list[list[Label]]:
    return [list(said.values()) for said in ratings.values() if len(said) > 1]


def _observed(units: Sequence[Sequence[Label]]) -> Fraction | None:
    # Items come in as few kinds as there are patterns of labels; a sum over kinds keeps the fractions small.
    kinds = Counter(item_agreement(unit) for unit in units)
    return sum((share * count for share, count in kinds.items()), Fraction(0)) / len(units) if units else None


def _corrected(name: str, units: Sequence[Sequence[Label]], expected: Fraction | None) -> Agreement:
    """Observed agreement corrected for chance."""
    observed = _observed(units)
    if observed is None or expected is None:
        return _agreement(name, units, None, None, None, reason=NOTHING_SHARED)
    if expected == 1:
        return _agreement(name, units, None, observed, expected, reason=ONE_LABEL)
    return _agreement(name, units, (observed - expected) / (1 - expected), observed, expected)


def _agreement(
    name: str,
    units: Sequence[Sequence[Label]],
    value: Fraction | None,
    observed: Fraction | None,
    expected: Fraction | None,
    *,
    reason: str = "",
) -> Agreement:
    shown = [Figure(None, reason) if part is None else Figure(float(part)) for part in (value, observed, expected)]
    return Agreement(name, shown[0], len(units), sum(map(len, units)), shown[1], shown[2], _skew(units))


def _skew(units: Sequence[Sequence[Label]]) -> str:
    """A warning where nearly all answers are one label: chance then explains nearly all agreement."""
    counts = Counter(label for unit in units for label in unit)
    if len(counts) < 2:
        return ""
    label, most = counts.most_common(1)[0]
    total = sum(counts.values())
    if Fraction(most, total) < SKEWED:
        return ""
    return f"skewed: {most} of {total} answers are {label!r}, so coefficients corrected for chance are low"


def _distances(counts: Mapping[Label, int], level: Level) -> dict[tuple[Label, Label], Fraction]:
    """What a disagreement between two labels costs, for each pair of labels in use."""
    if level == "nominal":
        return dict.fromkeys(combinations(sorted(counts, key=repr), 2), Fraction(1))
    labels = sorted(_numbers(counts))
    if level == "interval":
        return {(c, k): (Fraction(k) - Fraction(c)) ** 2 for c, k in combinations(labels, 2)}
    # Where a label stands: half its own answers after all those below it.
    below = Fraction(0)
    place = {labels[0]: below} if labels else {}
    for before, after in pairwise(labels):
        below += Fraction(counts[before] + counts[after], 2)
        place[after] = below
    return {(c, k): (place[k] - place[c]) ** 2 for c, k in combinations(labels, 2)}


def _numbers(labels: Iterable[Label]) -> Iterator[int | float]:
    for label in labels:
        if isinstance(label, str):
            raise InputError("ordinal and interval agreement need numbers as labels", got=repr(label))
        yield label


def _coincidences(units: Sequence[Sequence[Label]], c: Label, k: Label) -> Fraction:
    """How often two labels were given to one item, each item weighing as much as its answers."""
    found: Counter[int] = Counter()
    for unit in units:
        found[len(unit) - 1] += unit.count(c) * unit.count(k)
    return sum((Fraction(count, others) for others, count in found.items()), Fraction(0))
