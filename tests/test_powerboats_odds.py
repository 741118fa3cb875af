"""Crash, damage and sinking of a choice against every throw counted, and the choices worth looking at."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.errors import BadInput
from rulekit.powerboats.dice import Choice, Hand, as_hand
from rulekit.powerboats.odds import (
    Odds,
    check_hand,
    crash_by_free,
    hands_at,
    odds,
    record,
    risk,
    safest,
    waters,
    worth_looking_at,
)
from rulekit.readings import PowerboatsReadings

USUAL = PowerboatsReadings()
HANDS = st.lists(st.integers(1, 3), max_size=5).map(as_hand)
FREE = st.integers(0, 12)


def row(hand: Hand, kept: Hand, rolled: int, free: int | None = None, damage: int = 0, *texts: str) -> Odds:
    readings = PowerboatsReadings.parse(texts)
    return next(entry for entry in odds(hand, readings, free, damage) if entry.choice == (kept, rolled))


@settings(deadline=None, max_examples=60)
@given(st.data(), HANDS, FREE, st.integers(0, 5), st.integers(1, 3))
def test_risk_is_every_throw_counted(data: st.DataObject, hand: Hand, free: int, damage: int, left: int) -> None:
    readings = PowerboatsReadings(sink_at=damage + left)
    entry = data.draw(st.sampled_from(odds(hand, readings, free, damage)))
    throws = [sum(throw, sum(entry.choice.kept)) for throw in product((1, 2, 3), repeat=entry.choice.rolled)]
    share = Fraction(1, len(throws))
    assert entry.risk is not None
    assert entry.risk.crash == share * sum(total > free for total in throws)
    assert entry.risk.sink == share * sum(max(0, total - free) + damage >= damage + left for total in throws)
    assert entry.risk.expected_damage == share * sum(max(0, total - free) for total in throws)
    taken = Counter(max(0, total - free) for total in throws)
    assert entry.risk.damage == {counters: share * often for counters, often in taken.items()}


def test_golden_example_1_three_of_nine_throws_reach_7() -> None:
    entry = row((3, 2), (3,), 2)
    assert entry.totals.fractions() == {total: Fraction(ways, 9) for total, ways in enumerate((1, 2, 3, 2, 1), 5)}


def test_golden_example_3_two_counters_where_5_meets_3_clear() -> None:
    entry = row((3, 2, 2), (2,), 1, 3)
    assert entry.risk is not None
    assert entry.risk.damage == {0: Fraction(1, 3), 1: Fraction(1, 3), 2: Fraction(1, 3)}


def test_golden_example_6_one_counter_where_3_meets_2_clear() -> None:
    entry = row((3, 3), (), 1, 2)
    assert entry.risk is not None
    assert entry.risk.damage == {0: Fraction(2, 3), 1: Fraction(1, 3)}


def test_witness_sink_at() -> None:
    chances = [row((3, 3), (3, 3), 0, 3, 0, text).risk for text in ("sink-at=4", "sink-at=3")]
    assert [found.sink for found in chances if found] == [0, 1]


def test_damage_so_far_counts() -> None:
    assert [found.sink for damage in range(4) if (found := row((3,), (3,), 1, 4, damage).risk)] == [
        0,
        0,
        Fraction(1, 3),
        Fraction(2, 3),
    ]


def test_a_boat_sinks_only_by_a_crash() -> None:
    assert all(entry.risk and entry.risk.sink == 0 for entry in odds((3,), USUAL, 6, 3))


def test_a_sunk_boat_has_no_odds() -> None:
    with pytest.raises(BadInput, match="has sunk"):
        odds((3,), USUAL, 6, 4)


@given(HANDS, st.integers(0, 20))
def test_crash_by_free_is_the_risk_at_each(hand: Hand, most: int) -> None:
    for entry in odds(hand, USUAL):
        assert crash_by_free(entry.totals, most) == {
            free: risk(entry.totals, free, 4).crash for free in range(most + 1)
        }


@given(HANDS, FREE)
def test_nothing_left_out_beats_what_is_worth_looking_at(hand: Hand, free: int) -> None:
    rows = odds(hand, USUAL, free)
    shown = worth_looking_at(rows, (free,))
    assert len(shown) == len({entry.choice for entry in shown})
    for entry in rows:
        mean, crash = entry.totals.mean, entry.totals.above(free)
        assert any(other.totals.mean >= mean and other.totals.above(free) <= crash for other in shown)


@given(HANDS, st.none() | FREE)
def test_to_keep_all_and_the_safest_of_each_kind_are_always_shown(hand: Hand, free: int | None) -> None:
    rows = odds(hand, USUAL, free)
    columns = waters(sum(hand), max(entry.totals.last for entry in rows)) if free is None else (free,)
    shown = worth_looking_at(rows, columns)
    assert Choice(hand, 0) in [entry.choice for entry in shown]
    assert {(entry.change > 0) - (entry.change < 0) for entry in shown} == {
        (entry.change > 0) - (entry.change < 0) for entry in rows
    }
    means = [entry.totals.mean for entry in shown]
    assert means == sorted(means)


@given(HANDS, FREE)
def test_the_safest_is_not_beaten(hand: Hand, free: int) -> None:
    rows = odds(hand, USUAL)
    for sign in (-1, 0, 1):
        some = [entry for entry in rows if (entry.change > 0) - (entry.change < 0) == sign]
        best = safest(rows, sign, free)
        assert (best is None) == (not some)
        assert best is None or best.totals.above(free) == min(entry.totals.above(free) for entry in some)


def test_hands_at_a_speed() -> None:
    assert [len(hand) for hand in hands_at(7, USUAL)] == [3, 3, 4, 4, 5, 5, 6]
    assert hands_at(0, USUAL) == ((),)
    assert hands_at(3, PowerboatsReadings(dice_stock=1)) == ((3,),)
    assert len(hands_at(18, PowerboatsReadings(dice_max=None))[-1]) == 18


@pytest.mark.parametrize(
    ("speed", "texts", "message"),
    [
        (99, [], "6 dice .* add up to 18 at most, not 99 .with --dice-max 18, the most, up to 54.$"),
        (20, [], r"18 at most, not 20 \(--dice-max 7 would do\)"),
        (20, ["dice-stock=6"], "18 at most, not 20$"),
        (-1, [], "0 or more, not -1"),
        (3, ["faces=2/4"], r"cannot add up to 3 \(the nearest: 2 and 4\)"),
        (90, ["faces=1/2/3/4/5/6/7/8/9/10", "dice-max=18"], "hands of at most 18 dice"),
    ],
)
def test_impossible_speeds(speed: int, texts: list[str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        hands_at(speed, PowerboatsReadings.parse(texts))


@pytest.mark.parametrize(
    ("hand", "texts", "message"),
    [
        ((9, 4), [], r"no die shows 4 or 9: its faces are 1/2/3 \(did you mean 3,3\?\)"),
        ((1,) * 40, [], "40 dice are too many: a hand has at most 18"),
        ((1, 1, 1), ["dice-stock=2"], "more than the stock holds"),
    ],
)
def test_impossible_hands(hand: Hand, texts: list[str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        check_hand(hand, PowerboatsReadings.parse(texts))


def test_too_many_choices_of_all_hands_together() -> None:
    readings = PowerboatsReadings.parse(["change=18", "dice-max=18"])
    with pytest.raises(BadInput, match=r"the 49 hands of speed 30 have 74675 choices, .*lower --dice-max or --change"):
        hands_at(30, readings)
    assert len(hands_at(36, PowerboatsReadings.parse(["dice-max=18"]))) == 37


def test_too_many_choices_to_list() -> None:
    readings = PowerboatsReadings.parse(["faces=1/2/3/4/5/6/7/8/9/10/11/12", "change=18", "dice-max=none"])
    with pytest.raises(BadInput, match="too many to list"):
        odds((12, *range(12, 0, -1)), readings)


def test_a_record_has_exact_strings() -> None:
    found = record(row((3, 2), (3,), 2, 7, 2), 9, at_least=[7], at_most=[5])
    assert found == {
        "hand": [3, 2],
        "keep": [3],
        "roll": 2,
        "change": 1,
        "mean": "7",
        "sd": pytest.approx((4 / 3) ** 0.5),
        "at_least": {"7": "2/3"},
        "at_most": {"5": "1/9"},
        "free": 7,
        "crash": "1/3",
        "expected_damage": "4/9",
        "sink": "1/9",
        "damage": {"0": "2/3", "1": "2/9", "2": "1/9"},
        "totals": {"5": "1/9", "6": "2/9", "7": "1/3", "8": "2/9", "9": "1/9"},
    }


def test_a_record_without_clear_water_has_the_crash_chance_by_it() -> None:
    found = record(row((3, 2), (3, 2), 1), 9)
    crash = {"0": "1", "1": "1", "2": "1", "3": "1", "4": "1", "5": "1", "6": "2/3", "7": "1/3", "8": "0", "9": "0"}
    assert found["crash_by_free"] == crash
    assert not {"free", "crash", "damage", "sink", "at_least"} & set(found)


@given(st.integers(0, 30), st.integers(1, 40))
def test_columns_of_clear_water(speed: int, most: int) -> None:
    columns = waters(speed, most)
    assert list(columns) == sorted(set(columns))
    assert all(1 <= water < most for water in columns)
