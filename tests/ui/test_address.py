"""The address: what it says is followed, what it cannot mean is told once and replaced."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit.comparison import Comparison
from comparekit.results import ALL, Selection
from comparekit.ui import address


def test_an_empty_address_is_the_target_on_all_topics(shipped: Comparison) -> None:
    assert address.View(shipped.target, ALL) == address.read_view({}, shipped)


def test_a_measure_need_not_be_declared(shipped: Comparison) -> None:
    assert "P(rel=3)@1" == str(address.read_view({"measure": "P(rel=3)@1"}, shipped).measure)


def test_a_stratum_is_a_name_and_a_value(shipped: Comparison) -> None:
    view = address.read_view({"stratum": "length", "value": "short"}, shipped)
    assert (Selection(("length", "short")), ()) == (view.selection, view.problems)


def test_a_stratum_without_a_value_is_the_topics_that_have_none(shipped: Comparison) -> None:
    view = address.read_view({"stratum": "length"}, shipped)
    assert ALL == view.selection
    assert "length = (none)" in view.problems[0]


@given(st.dictionaries(st.sampled_from(["measure", "stratum", "value", "split"]), st.text()))
def test_no_address_breaks_a_page(shipped: Comparison, params: dict[str, str]) -> None:
    view = address.read_view(params, shipped)
    assert shipped.mask(view.selection).any()
    assert str(view.measure)


@pytest.mark.parametrize(
    ("asked", "page"), [("", 1), ("0", 1), ("2", 2), ("99", 3), ("-1", 1), ("1e9", 1), ("9" * 40, 1), ("٣", 1)]
)
def test_a_page_number_is_the_nearest_there_is(asked: str, page: int) -> None:
    assert page == address.read_page({"page": asked}, pages=3)


def test_unknown_orders_and_depths_fall_back() -> None:
    assert ("worst", 10) == (address.read_order({"order": "up"}), address.read_depth({"depth": "11"}))
    assert ("best", 50) == (address.read_order({"order": "best"}), address.read_depth({"depth": "50"}))


def test_links_carry_the_view_and_nothing_else() -> None:
    params = {"measure": "AP", "topic": "q1", "page": "3", "files": "yes", "upload": "t"}
    assert {"measure": "AP", "upload": "t", "topic": "q2"} == address.carried(params, topic="q2")
    assert {"upload": "t"} == address.carried(params, measure=None)


def test_a_link_escapes_what_stands_in_it() -> None:
    assert "topic?topic=a%26b%3Dc" == address.link("topic", {"topic": "a&b=c"})
