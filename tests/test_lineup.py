"""The line-up by throws, sentence by sentence (PS-7)."""

from itertools import permutations
from random import Random

import pytest

from rulekit.errors import BadInput
from rulekit.ps.lineup import LineUp, new_line_up, thrown

Dice = tuple[int, ...]
WITH_SUM: dict[int, Dice] = {
    3: (1, 1, 1), 4: (1, 1, 2), 5: (1, 3, 1), 6: (2, 2, 2), 7: (3, 1, 3), 8: (3, 3, 2), 9: (3, 3, 3),
}  # fmt: skip


def sums(lineup: LineUp, *values: int) -> LineUp:
    """Those who are to throw throw these sums, in the order of the seats."""
    return thrown(lineup, {player: WITH_SUM[value] for player, value in zip(lineup.throwers, values, strict=True)})


def after(players: int, *rounds: tuple[int, ...]) -> LineUp:
    lineup = new_line_up(players)
    for values in rounds:
        lineup = sums(lineup, *values)
    return lineup


def test_in_three_rounds_each_player_throws_for_one_car() -> None:
    lineup = new_line_up(3)
    cars = []
    for values in ((3, 4, 5), (9, 8, 7), (6, 4, 5)):
        assert lineup.throwers == (0, 1, 2)
        cars.append(lineup.car)
        lineup = sums(lineup, *values)
    assert cars == [0, 1, 2]
    assert lineup.car is None


def test_higher_sums_get_the_better_places_of_that_round_and_the_pole_is_box_3n() -> None:
    lineup = after(4, (3, 9, 5, 4), (6, 7, 8, 9), (9, 8, 7, 6))
    assert lineup.boxes == (9, 5, 4, 12, 6, 3, 11, 7, 2, 10, 8, 1)
    assert after(2, (4, 9)).boxes == (5, 0, 0, 6, 0, 0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_order_of_a_round_is_told_by_its_sums(players: int) -> None:
    for order in permutations((9, 7, 5, 3)[:players]):
        boxes = after(players, order).boxes
        ranks = sorted(range(players), key=lambda player: -order[player])
        assert [boxes[3 * player] for player in ranks] == list(range(3 * players, 2 * players, -1))


def test_ties_throw_again_for_the_places_that_they_share() -> None:
    lineup = after(4, (6, 9, 6, 6))
    assert lineup.car == 0
    assert lineup.throwers == (0, 2, 3)
    lineup = sums(lineup, 4, 4, 9)
    assert lineup.throwers == (0, 2)
    lineup = sums(lineup, 3, 9)
    assert lineup.car == 1
    assert [lineup.boxes[3 * player] for player in range(4)] == [9, 12, 10, 11]


def test_two_pairs_of_ties_throw_again_at_once_and_stay_apart() -> None:
    lineup = after(4, (4, 8, 4, 8))
    assert lineup.throwers == (0, 1, 2, 3)
    lineup = sums(lineup, 9, 3, 8, 5)
    assert [lineup.boxes[3 * player] for player in range(4)] == [10, 11, 9, 12]


def test_then_all_throw_once_more_and_the_highest_begins() -> None:
    lineup = after(3, (3, 4, 5), (3, 4, 5), (3, 4, 5))
    assert lineup.throwers == (0, 1, 2)
    assert not lineup.settled
    lineup = sums(lineup, 4, 7, 5)
    assert lineup.settled
    assert lineup.starter == 1


def test_of_those_who_would_begin_only_the_highest_throw_again() -> None:
    lineup = after(4, (3, 4, 5, 6), (3, 4, 5, 6), (3, 4, 5, 6), (7, 5, 7, 5))
    assert lineup.throwers == (0, 2)
    assert sums(lineup, 3, 4).starter == 2


def test_nobody_throws_alone() -> None:
    lineup = new_line_up(1)
    assert lineup.settled
    assert (lineup.boxes, lineup.starter) == ((3, 2, 1), 0)


def test_no_other_throws() -> None:
    lineup = new_line_up(2)
    for dice in ({}, {0: (1, 2, 3)}, {0: (1, 2, 3), 1: (1, 2, 3), 2: (1, 1, 1)}):
        with pytest.raises(BadInput, match="not the players who throw"):
            thrown(lineup, dice)
    for wrong in ((1, 2), (1, 2, 4), (1, 2, 3, 3)):
        with pytest.raises(BadInput, match="three blue dice"):
            thrown(lineup, {0: (1, 1, 1), 1: wrong})
    for players in (0, 5):
        with pytest.raises(BadInput, match="1 to 4"):
            new_line_up(players)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_by_any_dice_every_box_is_taken_once_and_the_rounds_stand_one_behind_the_other(players: int) -> None:
    rng = Random(players)
    for _ in range(200):
        lineup = new_line_up(players)
        while not lineup.settled:
            lineup = thrown(lineup, {seat: tuple(rng.choices((1, 2, 3), k=3)) for seat in lineup.throwers})
        assert sorted(lineup.boxes) == list(range(1, 3 * players + 1))
        for car in range(3):
            taken = {lineup.boxes[3 * player + car] for player in range(players)}
            assert taken == set(range(players * (2 - car) + 1, players * (3 - car) + 1))
        assert lineup.starter in range(players)
