"""Choices of a hand against the rule played out die by die, and witnesses of every reading that touches dice."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.powerboats.dice import (
    Choice,
    Hand,
    all_totals,
    as_hand,
    choices,
    count_hands_of_speed,
    hands_of_size,
    hands_of_speed,
    rolled_hands,
)
from rulekit.readings import FirstTurn, PowerboatsReadings, Reroll

USUAL = PowerboatsReadings()
FACES = st.lists(st.integers(1, 5), min_size=1, max_size=4).map(lambda faces: tuple(sorted(faces)))
DIALS = st.builds(
    PowerboatsReadings,
    reroll=st.sampled_from(Reroll),
    first_turn=st.sampled_from(FirstTurn),
    change=st.integers(0, 3),
    dice_max=st.none() | st.integers(1, 6),
    dice_stock=st.none() | st.integers(5, 8),
    faces=FACES,
)


def played(hand: Hand, readings: PowerboatsReadings, stock: int | None = None) -> set[tuple[Hand, int]]:
    """PB-15 and PB-16 followed literally: remove some dice or add some, then pick up any of those left to roll."""
    return {(as_hand(kept), rolled) for kept, rolled in _played(hand, readings, stock)}


def _played(hand: Hand, readings: PowerboatsReadings, stock: int | None) -> Iterator[tuple[tuple[int, ...], int]]:
    for removed in range(min(readings.change, len(hand)) + 1):
        for left in combinations(hand, len(hand) - removed):
            for added in _additions(len(hand), removed, readings, stock):
                for again in range(len(left) + 1):
                    if readings.reroll is Reroll.ONE and (again > 1 or (again and (removed or added))):
                        continue
                    for kept in combinations(left, len(left) - again):
                        yield kept, again + added


def _additions(size: int, removed: int, readings: PowerboatsReadings, stock: int | None) -> list[int]:
    most = 0 if removed else (readings.change if size else max(1, readings.change))
    if stock is None and readings.dice_stock is not None:
        stock = readings.dice_stock - size
    possible = [
        added
        for added in range(most + 1)
        if not added
        or ((readings.dice_max is None or size + added <= readings.dice_max) and (stock is None or added <= stock))
    ]
    if size == 0 and readings.first_turn is FirstTurn.MUST_ROLL and len(possible) > 1:
        possible.remove(0)
    return possible


def drawn_hand(data: st.DataObject, readings: PowerboatsReadings, most: int = 5) -> Hand:
    return as_hand(data.draw(st.lists(st.sampled_from(readings.faces), max_size=most)))


@settings(max_examples=200)
@given(st.data(), DIALS)
def test_choices_are_those_of_the_rule_played_out(data: st.DataObject, readings: PowerboatsReadings) -> None:
    hand = drawn_hand(data, readings)
    found = [tuple(choice) for choice in choices(hand, readings)]
    assert len(found) == len(set(found)) > 0
    assert set(found) == played(hand, readings)


@given(st.data(), DIALS, st.integers(0, 3))
def test_the_stock_left_limits_what_is_added(data: st.DataObject, readings: PowerboatsReadings, stock: int) -> None:
    hand = drawn_hand(data, readings)
    assert {tuple(choice) for choice in choices(hand, readings, stock)} == played(hand, readings, stock)


@settings(deadline=None)
@given(st.data(), DIALS)
def test_hands_after_the_roll_are_every_throw_counted(data: st.DataObject, readings: PowerboatsReadings) -> None:
    hand = drawn_hand(data, readings, most=3)
    choice = data.draw(st.sampled_from(choices(hand, readings)))
    throws = product(readings.faces, repeat=choice.rolled)
    assert dict(choice.hands(readings.faces)) == Counter(as_hand(choice.kept + throw) for throw in throws)


@given(st.data(), DIALS)
def test_totals_are_the_sums_of_the_hands(data: st.DataObject, readings: PowerboatsReadings) -> None:
    hand = drawn_hand(data, readings)
    options = choices(hand, readings)
    for choice, totals in zip(options, all_totals(options, readings.faces), strict=True):
        sums: Counter[int] = Counter()
        for after, ways in choice.hands(readings.faces).items():
            sums[sum(after)] += ways
        assert dict(totals.ways()) == dict(sorted(sums.items()))
        assert totals == choice.totals(readings.faces)


def test_golden_example_1_keep_the_3_reroll_the_2_add_one() -> None:
    choice = Choice((3,), 2)
    assert choice in choices((3, 2), USUAL)
    assert choice.change((3, 2)) == 1
    assert choice.hands(USUAL.faces)[3, 3, 1] == 2
    assert choice.totals(USUAL.faces).probability(7) > 0


@pytest.mark.parametrize(
    ("hand", "kept", "rolled"),
    [((3, 2, 2), (2,), 1), ((3, 2, 1), (2, 1), 0), ((2, 1), (), 2), ((3, 3), (), 1), ((3, 1), (3, 1), 0)],
    ids=["example 3", "example 4", "example 5", "example 6", "example 7"],
)
def test_choices_of_the_other_golden_examples(hand: Hand, kept: Hand, rolled: int) -> None:
    assert Choice(kept, rolled) in choices(hand, USUAL)


@pytest.mark.parametrize(("hand", "count"), [((), 2), ((1,), 5), ((3, 3, 1), 17), ((3, 2, 1), 23), ((2, 2), 8)])
def test_counts_of_choices_by_hand(hand: Hand, count: int) -> None:
    assert len(choices(hand, USUAL)) == count


def options(hand: Hand, *texts: str) -> set[tuple[Hand, int]]:
    return {(choice.kept, choice.rolled) for choice in choices(hand, PowerboatsReadings.parse(texts))}


def test_witness_reroll_one_keeps_the_number_of_dice_and_rolls_one_again() -> None:
    assert options((3, 2), "reroll=one") == {((3, 2), 0), ((3,), 1), ((2,), 1), ((3, 2), 1), ((3,), 0), ((2,), 0)}
    assert ((3,), 2) in options((3, 2)) - options((3, 2), "reroll=one")


def test_witness_first_turn_must_roll() -> None:
    assert options(()) == {((), 0), ((), 1)}
    assert options((), "first-turn=must-roll") == {((), 1)}
    assert options((1,), "first-turn=must-roll") == options((1,)), "only boats without dice have to"


def test_a_boat_that_must_roll_stays_where_the_stock_is_empty() -> None:
    readings = PowerboatsReadings(first_turn=FirstTurn.MUST_ROLL)
    assert [tuple(choice) for choice in choices((), readings, stock_left=0)] == [((), 0)]


def test_witness_dice_stock() -> None:
    assert ((2, 1), 1) in options((2, 1), "dice-stock=3")
    assert ((2, 1), 1) not in options((2, 1), "dice-stock=2")
    assert ((2, 1), 1) in {tuple(choice) for choice in choices((2, 1), USUAL, stock_left=1)}
    assert ((2, 1), 1) not in {tuple(choice) for choice in choices((2, 1), USUAL, stock_left=0)}


def test_witness_dice_max_stops_adding_and_nothing_else() -> None:
    assert options((2, 1), "dice-max=2") == {choice for choice in options((2, 1)) if len(choice[0]) + choice[1] <= 2}
    assert options((2, 1), "dice-max=1") == options((2, 1), "dice-max=2"), "too large a hand need not shrink"


def test_witness_change() -> None:
    assert {len(kept) + rolled for kept, rolled in options((2, 1), "change=2")} == {0, 1, 2, 3, 4}
    assert {len(kept) + rolled for kept, rolled in options((2, 1), "change=0")} == {2}
    assert options((), "change=0") == {((), 0), ((), 1)}, "PB-16 gives a boat without dice one all the same"


def test_witness_faces_named_twice_are_twice_as_likely() -> None:
    assert dict(rolled_hands(1, (1, 1, 3))) == {(3,): 1, (1,): 2}
    assert dict(rolled_hands(2, (1, 1, 3))) == {(3, 3): 1, (3, 1): 4, (1, 1): 4}


@given(st.integers(0, 5), FACES)
def test_rolled_hands_make_up_all_throws(dice: int, faces: tuple[int, ...]) -> None:
    hands = rolled_hands(dice, faces)
    assert sum(hands.values()) == len(faces) ** dice
    assert list(hands) == sorted(hands, reverse=True)


@given(st.integers(-2, 20), FACES, st.integers(0, 5))
def test_hands_of_a_speed(speed: int, faces: tuple[int, ...], most: int) -> None:
    every = [hand for dice in range(most + 1) for hand in hands_of_size(dice, faces) if sum(hand) == speed]
    assert list(hands_of_speed(speed, faces, most)) == every
    assert count_hands_of_speed(speed, faces, most) == len(every)


@pytest.mark.parametrize(
    ("hand", "choice", "words"),
    [
        ((3, 3, 1), Choice((3, 3, 1), 0), "keep all"),
        ((3, 3, 1), Choice((3, 3), 1), "keep 3 3, roll 1"),
        ((3, 3, 1), Choice((3, 3, 1), 1), "keep 3 3 1, roll 1 (add)"),
        ((3, 3, 1), Choice((3, 1), 0), "keep 3 1 (remove)"),
        ((3, 3, 1), Choice((), 5), "roll 5 (add 2)"),
        ((3,), Choice((), 0), "no dice left (remove)"),
        ((), Choice((), 0), "stay without dice"),
        ((), Choice((), 1), "roll 1 (add)"),
    ],
)
def test_choices_in_words(hand: Hand, choice: Choice, words: str) -> None:
    assert choice.told(hand) == words


@given(st.data(), DIALS)
def test_words_tell_choices_apart(data: st.DataObject, readings: PowerboatsReadings) -> None:
    hand = drawn_hand(data, readings)
    options = choices(hand, readings)
    assert len({choice.told(hand) for choice in options}) == len(options)


def test_changing_the_limit_is_all_that_a_replaced_reading_does() -> None:
    wide = choices((3, 3, 1), replace(USUAL, dice_max=4))
    assert wide == choices((3, 3, 1), replace(USUAL, dice_max=None))
