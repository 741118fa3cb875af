"""The measurements compare equal things: their checks hold, and can fail."""

from fractions import Fraction

import pytest
from bench.bench_odds import as_fractions, check, compare, enumerate_totals

from rulekit.powerboats.dice import all_totals, choices
from rulekit.readings import PowerboatsReadings

OPTIONS = choices((3, 2, 1), PowerboatsReadings())


def test_odds_against_icepool_and_dyce() -> None:
    pytest.importorskip("dyce")
    pytest.importorskip("icepool")
    ratios = compare("3 dice", (3, 2, 1), 1)
    assert {ratio.other for ratio in ratios} >= {"icepool, plain", "dyce, best", "enumeration"}
    assert all(ratio.ours > 0 and ratio.theirs > 0 for ratio in ratios)


def test_odds_against_enumeration() -> None:
    check(all_totals(OPTIONS, (1, 2, 3)), {"enumeration": lambda: enumerate_totals(OPTIONS, (1, 2, 3))})


def test_a_way_that_gives_something_else_is_found_out() -> None:
    with pytest.raises(AssertionError, match="wrong die"):
        check(all_totals(OPTIONS, (1, 2, 3)), {"wrong die": lambda: enumerate_totals(OPTIONS, (1, 2, 2))})


def test_weights_become_chances() -> None:
    assert as_fractions({3: 2, 1: 1}) == {1: Fraction(1, 3), 3: Fraction(2, 3)}
