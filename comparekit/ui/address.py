"""
What is being looked at, as it stands in the page's address, so that a link opens what its sender saw.

Reading is pure: a value that means nothing here is told once and replaced by the default.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args
from urllib.parse import urlencode

from comparekit.comparison import Comparison
from comparekit.errors import ComparekitError
from comparekit.measures import Measure, parse_measure
from comparekit.results import ALL, Selection

MEASURE: Final = "measure"
STRATUM: Final = "stratum"
VALUE: Final = "value"
SPLIT: Final = "split"
JUDGMENTS: Final = "judgments"
ORDER: Final = "order"
FIND: Final = "find"
TOPIC: Final = "topic"
SORT: Final = "sort"
DEPTH: Final = "depth"
PAGE: Final = "page"
FILES: Final = "files"
UPLOAD: Final = "upload"
EXPLORATORY: Final = "exploratory"

CARRIED = (MEASURE, STRATUM, VALUE, SPLIT, JUDGMENTS, ORDER, DEPTH, UPLOAD, EXPLORATORY)
"""What a link to another page keeps."""

Order = Literal["worst", "best", "id"]
ORDERS: tuple[Order, ...] = get_args(Order)
DEPTHS = (5, 10, 20, 50, 100)


@dataclass(frozen=True, slots=True)
class View:
    """The measure and the topics that are looked at, and what of the address could not be followed."""

    measure: Measure
    selection: Selection
    problems: tuple[str, ...] = ()


def read_view(params: Mapping[str, str], comparison: Comparison) -> View:
    """The view that an address asks for."""
    problems: list[str] = []
    measure = _measure(params.get(MEASURE), comparison, problems)
    stratum = _stratum(params, comparison, problems)
    split = _split(params.get(SPLIT), comparison, problems)
    return View(measure, Selection(stratum, split) if stratum or split else ALL, tuple(problems))


def read_order(params: Mapping[str, str]) -> Order:
    """The order of topics that an address asks for; the largest losses first when it asks for none."""
    asked = params.get(ORDER)
    return next((order for order in ORDERS if order == asked), "worst")


def read_depth(params: Mapping[str, str]) -> int:
    """How much of both lists an address asks to see."""
    asked = params.get(DEPTH, "")
    return next((depth for depth in DEPTHS if str(depth) == asked), 10)


def read_page(params: Mapping[str, str], *, pages: int) -> int:
    """The page of a long table, from 1; the nearest there is."""
    asked = params.get(PAGE, "")
    return min(max(int(asked), 1), max(pages, 1)) if asked.isascii() and asked.isdigit() and len(asked) < 9 else 1


def strata_of(comparison: Comparison) -> list[tuple[str, str | None]]:
    """Every stratum that topics may be limited to."""
    names = comparison.experiment.topics.strata
    return [(name, value) for name in names for value in comparison.stratum_values(name)]


def splits_of(comparison: Comparison) -> list[str]:
    """The splits among the open topics, when there is more than one."""
    topics = zip(comparison.experiment.topics.topics, comparison.open_topics.tolist(), strict=True)
    found = {topic.split for topic, is_open in topics if is_open}
    return sorted(split for split in found if split) if len(found) > 1 else []


def carried(params: Mapping[str, str], **more: str | None) -> dict[str, str]:
    """What a link to another page says: the present view, changed by `more` (None takes something out)."""
    kept: dict[str, str | None] = {key: params[key] for key in CARRIED if key in params}
    return {key: value for key, value in {**kept, **more}.items() if value is not None}


def link(page: str, params: Mapping[str, str]) -> str:
    """A relative address of a page."""
    return f"{page}?{urlencode(params)}" if params else page


def _measure(asked: str | None, comparison: Comparison, problems: list[str]) -> Measure:
    if not asked:
        return comparison.target
    try:
        return parse_measure(asked)
    except ComparekitError as error:
        problems.append(
            f"The measure “{asked}” is not known: {error.what}. {error.todo} Shown instead: {comparison.target}."
        )
        return comparison.target


def _stratum(params: Mapping[str, str], comparison: Comparison, problems: list[str]) -> tuple[str, str | None] | None:
    if STRATUM not in params:
        return None
    asked = (params[STRATUM], params.get(VALUE))
    if asked in strata_of(comparison):
        return asked
    problems.append(f"No topic has the stratum “{asked[0]} = {asked[1] or '(none)'}”. All topics are shown instead.")
    return None


def _split(asked: str | None, comparison: Comparison, problems: list[str]) -> str | None:
    if not asked or asked in splits_of(comparison):
        return asked or None
    problems.append(f"There is no open split “{asked}”. All open topics are shown instead.")
    return None
