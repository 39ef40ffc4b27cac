"""Which grade several people's answers make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparekit.settling import RULES, Rule, Settled, settle


@pytest.mark.parametrize(
    ("rule", "grades", "expected"),
    [
        ("majority", [2, 0, 2], Settled(2, "majority")),
        ("majority", [2, 0], Settled(None, "unresolved")),
        ("majority", [2, 2, 1, 0], Settled(None, "unresolved")),
        ("median", [2, 0, 2], Settled(2, "median")),
        ("median", [1, 2], Settled(1.5, "median")),
        ("adjudicated", [2, 0, 2], Settled(None, "unresolved")),
        ("adjudicated", [2, 2], Settled(2, "unanimous")),
    ],
)
def test_a_rule_settles_grades(rule: Rule, grades: list[float], expected: Settled) -> None:
    assert settle(grades, rule=rule) == expected


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.sampled_from(sorted(RULES)), st.randoms())
def test_the_order_of_grades_changes_nothing(grades: list[float], rule: Rule, random: object) -> None:
    mixed = list(grades)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert settle(mixed, rule=rule) == settle(grades, rule=rule)


def test_rulings_count_under_their_own_rule_only_and_must_not_contradict() -> None:
    assert settle([0, 2], rule="adjudicated", rulings=[1]) == Settled(1, "adjudicated")
    assert settle([2, 2], rule="adjudicated", rulings=[1]).grade == 1
    assert settle([0, 2], rule="adjudicated", rulings=[1, 2]).grade is None
    assert settle([0, 2], rule="adjudicated", rulings=[None]).grade is None
    assert settle([0, 2], rule="majority", rulings=[1]).grade is None
    assert settle([], rule="median") == Settled(None, "unresolved")
