"""
Did it get better? One sentence on the target, in plain words, with the figures it rests on.

The interval decides; p values are evidence beside it. Guards and holes may only qualify what is said here.
"""

import math
from dataclasses import dataclass
from typing import Literal

from comparekit.errors import DeclarationError
from comparekit.inference import Inference

MIN_TOPICS = 6

Kind = Literal["better", "perhaps better", "no difference", "perhaps worse", "worse", "undecided"]
MIRRORED: dict[Kind, Kind] = {
    "better": "worse",
    "perhaps better": "perhaps worse",
    "no difference": "no difference",
    "perhaps worse": "perhaps better",
    "worse": "better",
    "undecided": "undecided",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """
    What the target says about B, seen from A.

    `needed_topics` is, where undecided, the number of topics at which the interval's half-width would be the smallest
    effect; None where too few topics give no width, or it is already narrower. `as_empty` is the verdict with missing
    topics as empty answers, while nobody declared what they are: this one is then `provisional`.
    """

    kind: Kind
    sentence: str
    needed_topics: int | None = None
    as_empty: "Verdict | None" = None

    @property
    def provisional(self) -> bool:
        """Whether missing topics could still change the figures."""
        return self.as_empty is not None


def classify(
    inference: Inference,
    *,
    smallest_effect: float,
    measure: str,
    better: Literal["higher", "lower"] | None = "higher",
    a: str = "A",
    b: str = "B",
    as_empty: Inference | None = None,
) -> Verdict:
    """
    Classify the target measure; with s the `smallest_effect` and [lo, hi] the interval of the delta (B - A), in order:

    fewer than six comparable topics: undecided; -s < lo and hi < s, as where all deltas are zero: no difference that
    matters, even where it is precisely not zero; lo >= s: better; lo > 0: better, perhaps by less than matters; both
    mirrored: worse; else undecided. Where lower is `better` the interval is turned round first. Swapping A and B
    mirrors the kind.

    Raises `DeclarationError` for a smallest effect that is not above zero.
    """
    if not 0.0 < smallest_effect < math.inf:
        raise DeclarationError("the smallest effect that matters is a number above 0", got=smallest_effect)
    kind = _kind(inference, smallest_effect, lower=better == "lower")
    needed = _needed_topics(inference, smallest_effect) if kind == "undecided" else None
    parts = [_headline(kind, measure, a=a, b=b) + ": " + _figures(inference, smallest_effect)]
    if kind == "undecided":
        parts.append(_what_would_decide(inference, smallest_effect, needed))
    if as_empty is None:
        return Verdict(kind, " ".join(parts), needed)
    other = classify(as_empty, smallest_effect=smallest_effect, measure=measure, better=better, a=a, b=b)
    parts.append(f"Provisional, because topics are missing. With those as empty answers: {other.sentence}")
    return Verdict(kind, " ".join(parts), needed, other)


def _kind(inference: Inference, smallest: float, *, lower: bool) -> Kind:
    low, high = inference.interval.low, inference.interval.high
    if inference.n < MIN_TOPICS or low is None or high is None:
        return "undecided"
    if lower:
        low, high = -high, -low
    if -smallest < low and high < smallest:
        return "no difference"
    if low > 0:
        return "better" if low >= smallest else "perhaps better"
    if high < 0:
        return "worse" if high <= -smallest else "perhaps worse"
    return "undecided"


def _needed_topics(inference: Inference, smallest: float) -> int | None:
    half = inference.interval.half_width
    if inference.n < MIN_TOPICS or half is None or half <= smallest:
        return None
    # The width of an interval of a mean shrinks with the square root of the number of topics.
    return math.ceil(inference.n * (half / smallest) ** 2)


def _headline(kind: Kind, measure: str, *, a: str, b: str) -> str:
    return {
        "better": f"{b} is better on {measure}",
        "perhaps better": f"{b} is better on {measure}, perhaps by less than matters",
        "no difference": f"No difference that matters between {a} and {b} on {measure}",
        "perhaps worse": f"{b} is worse on {measure}, perhaps by less than matters",
        "worse": f"{b} is worse on {measure}",
        "undecided": f"Undecided between {a} and {b} on {measure}",
    }[kind]


def _figures(inference: Inference, smallest: float) -> str:
    decimals = max(3, -math.floor(math.log10(smallest)))
    topics = f"{inference.n:,} topic{'' if inference.n == 1 else 's'}"
    effect = f"the smallest difference that matters is {smallest:.{decimals}f}."
    if inference.mean.value is None:
        return f"no topic can be compared; {effect}"
    mean, interval = _signed(inference.mean.value, decimals), inference.interval
    if interval.low is None or interval.high is None:
        return f"{mean} ({topics}, no interval); {effect}"
    ends = f"{_signed(interval.low, decimals)} to {_signed(interval.high, decimals)}"
    return f"{mean} ({100 * interval.level:.0f} % interval {ends}, {topics}); {effect}"


def _what_would_decide(inference: Inference, smallest: float, needed: int | None) -> str:
    if inference.n < MIN_TOPICS:
        return f"At least {MIN_TOPICS} comparable topics are needed."
    if needed is None:
        return "The interval is already that narrow, but zero is inside it."
    return f"With about {needed:,} topics the interval would be {smallest:g} to either side."


def _signed(value: float, decimals: int) -> str:
    """Three decimals or more and a sign, which zero has not."""
    rounded = round(value, decimals)
    return f"{rounded:+.{decimals}f}".replace("-", "\u2212") if rounded else f"{0:.{decimals}f}"
