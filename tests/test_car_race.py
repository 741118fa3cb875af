"""Races of cars, sentence by sentence: PS-6, PS-8, PS-19 to PS-24."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from rulekit.errors import BadInput
from rulekit.files.source import read_source
from rulekit.files.track import read_track
from rulekit.ps.car import Car, Plan, Status
from rulekit.ps.dice import Colour
from rulekit.ps.moves import Kind
from rulekit.ps.race import (
    Die,
    Event,
    Moved,
    Phase,
    Picked,
    Planned,
    Race,
    Thrown,
    apply,
    begin,
    ends,
    legal_moves,
    legal_picks,
    legal_plans,
    points_taken,
)
from rulekit.ps.scoring import final_order, points_of, score
from rulekit.ps.terms import Terms
from rulekit.ps.track import FINISH, OUT, PIT_SHORT, STOP
from rulekit.readings import PsReadings

RING = read_track(read_source("tests/cases/tracks/ring-a.toml")).track
BLUE, RED, YELLOW = Colour


def terms(*answers: str, **changes: Any) -> Terms:
    return Terms(replace(RING, **changes), PsReadings.parse(answers), RING.laps)


def space(name: str) -> int:
    """A space, or `stop`, `pit 3`, `box 4`, `finish`, `out`."""
    special = {RING.name_of(place): place for place in range(OUT, 0)}
    return special[name] if name in special else RING.by_name[name]


def car(at: str, **state: Any) -> Car:
    """A car, on its first lap unless told."""
    return Car(space(at), **{"box": 5, "tank": 30, "crossings": 0 if at.startswith("box") else 1, **state})


def placed(place: int) -> Car:
    return Car(FINISH, 1, crossings=4, place=place)


def race_of(*cars: Car | str, held: Terms | None = None, mover: int = 0) -> Race:
    """A race under way, three cars a player; a text is the space of a car on its first lap."""
    found = tuple(car(one) if isinstance(one, str) else one for one in cars)
    return Race(held or terms(), found, mover, (0,) * (len(found) // 3))


def thrown(race: Race, *dice: tuple[Colour, int]) -> Race:
    """The race after these dice have been picked and thrown."""
    found = sorted((Die(*die) for die in dice), key=lambda die: list(Colour).index(die.colour))
    race = apply(race, Picked(tuple(die.colour for die in found)))
    return apply(race, Thrown(tuple(die.value for die in found)))


def go(race: Race, number: int, die: tuple[Colour, int], end: str, kind: str = "move") -> Race:
    """A car is moved to an end."""
    return apply(race, move(race, number, die, end, kind))


def move(race: Race, number: int, die: tuple[Colour, int], end: str, kind: str = "move") -> Moved:
    (found,) = {
        one
        for one in legal_moves(race)
        if (one.car, one.die, one.outcome.kind) == (number, Die(*die), Kind(kind)) and one.outcome.end == space(end)
    }
    return found


def told(race: Race, number: int, die: tuple[Colour, int]) -> set[tuple[str, str]]:
    """(kind, end) of all that a car can do with a die."""
    return {(end.kind.value, RING.name_of(end.end)) for end in ends(race, number, Die(*die))}


FAR = ("corner left 1", "corner middle 1", "corner right 1")
"""Three cars of others, out of the way."""


# PS-6


def test_ps_6_a_player_picks_one_die_for_each_of_its_cars_that_is_to_move() -> None:
    race = race_of("main left 1", "main middle 1", "main right 1", *FAR)
    assert len(legal_picks(race)) == 10
    assert all(len(pick.colours) == 3 for pick in legal_picks(race))
    assert len(legal_picks(race_of("main left 1", "main middle 1", placed(1), *FAR))) == 6
    assert len(legal_picks(race_of("main left 1", car("out", place=6), placed(1), *FAR))) == 3


def test_ps_6_out_of_three_of_each_colour() -> None:
    race = race_of("main left 1", "main middle 1", "main right 1", *FAR)
    for colour in Colour:
        assert Picked((colour,) * 3) in legal_picks(race)
    with pytest.raises(BadInput, match="PS-6"):
        apply(race, Picked((BLUE,) * 4))


def test_ps_6_rolls_all_at_once_then_gives_each_car_one_die_and_moves_the_cars_in_any_order() -> None:
    race = thrown(race_of("main left 1", "main middle 1", "main right 1", *FAR), (BLUE, 1), (RED, 5), (YELLOW, 7))
    pairs = {(one.car, one.die) for one in legal_moves(race)}
    assert len(pairs) == 9
    race = go(race, 1, (YELLOW, 7), "main middle 8")
    assert {(one.car, one.die) for one in legal_moves(race)} == {
        (number, die) for number in (0, 2) for die in (Die(BLUE, 1), Die(RED, 5))
    }
    race = go(go(race, 2, (BLUE, 1), "main right 2"), 0, (RED, 5), "main left 6")
    assert (race.mover, race.phase) == (1, Phase.PICK)


def test_ps_6_a_car_moves_with_the_others_where_they_are_then() -> None:
    race = thrown(race_of("main left 1", "main left 2", "main right 1", *FAR), (BLUE, 1), (RED, 5), (YELLOW, 7))
    assert told(race, 0, (YELLOW, 7)) == {("stay", "main left 1")}
    race = go(race, 1, (RED, 5), "main left 7")
    assert ("move", "main middle 8") not in told(race, 0, (YELLOW, 7))
    assert ("move", "main middle 7") in told(race, 0, (YELLOW, 7))


def test_ps_6_equal_dice_are_told_once() -> None:
    race = thrown(race_of("main left 1", "main middle 1", "main right 1", *FAR), (RED, 5), (RED, 5), (RED, 4))
    moves = legal_moves(race)
    assert len(moves) == len(set(moves))
    race = go(race, 0, (RED, 5), "main left 6")
    assert race.dice == (Die(RED, 5), Die(RED, 4))


def test_ps_6_cars_in_the_pit_take_no_die() -> None:
    race = race_of("main left 1", "stop", "pit 2", *FAR)
    assert race.movable == (0,)
    assert len(legal_picks(race)) == 3
    alone = race_of("stop", "pit 2", "pit 5", *FAR)
    assert legal_picks(alone) == (Picked(()),)
    after = apply(alone, Picked(()))
    assert (after.mover, after.turns) == (1, (1, 0))


def test_ps_6_two_to_four_players_with_three_cars_each() -> None:
    for players in (2, 3, 4):
        race = begin(terms(), range(1, 3 * players + 1), 1)
        assert (race.players, len(race.cars), race.mover) == (players, 3 * players, 1)
    for boxes in ((), (1, 2), (1, 2, 2), (2, 3, 4), (1, 2, 3, 4)):
        with pytest.raises(BadInput, match="three cars a player"):
            begin(terms(), boxes, 0)
    with pytest.raises(BadInput, match="three cars a player"):
        begin(terms(), (1, 2, 3), 1)


def test_ps_6_turns_go_round_and_players_without_cars_are_passed_over() -> None:
    gone = (placed(1), placed(2), car("out", place=12))
    race = race_of("main left 1", placed(3), placed(4), *gone, "main right 9", placed(5), placed(6), *FAR, mover=3)
    movers = []
    for _ in range(4):
        movers.append(race.mover)
        race = thrown(race, *[(BLUE, 1)] * len(race.movable))
        while race.dice:
            race = apply(race, legal_moves(race)[0])
    assert movers == [3, 0, 2, 3]


@pytest.mark.parametrize(
    "event",
    [Thrown((1, 1, 1)), Planned(0, Plan.REPAIR), Picked((RED, BLUE, BLUE)), Picked(())],
    ids=["no dice picked", "no car asked", "out of order", "too few dice"],
)
def test_nothing_else_may_happen(event: Event) -> None:
    with pytest.raises(BadInput):
        apply(race_of("main left 1", "main middle 1", "main right 1", *FAR), event)


def test_dice_show_what_they_can_show() -> None:
    race = apply(race_of("main left 1", "main middle 1", "main right 1", *FAR), Picked((BLUE, RED, YELLOW)))
    assert race.phase is Phase.THROW
    for values in ((4, 4, 7), (1, 6, 7), (1, 4, 4), (1, 4)):
        with pytest.raises(BadInput, match="PS-5"):
            apply(race, Thrown(values))
    assert apply(race, Thrown((3, 17, 9))).dice == (Die(BLUE, 3), Die(RED, 17), Die(YELLOW, 9))


def test_a_move_must_be_one_that_the_die_allows() -> None:
    race = thrown(race_of("main left 1", "main middle 1", "main right 1", *FAR), (BLUE, 1), (BLUE, 1), (BLUE, 2))
    right = move(race, 0, (BLUE, 1), "main left 2")
    with pytest.raises(BadInput, match="cannot end"):
        apply(race, right._replace(outcome=right.outcome._replace(end=space("main left 3"))))
    for wrong in (right._replace(car=3), right._replace(die=Die(BLUE, 3))):
        with pytest.raises(BadInput, match="PS-6"):
            apply(race, wrong)


# PS-8


BOXES = (car("box 3", box=3), car("box 2", box=2), car("box 1", box=1))


def test_ps_8_the_first_move_goes_from_the_box_onto_the_inner_lane() -> None:
    """Box 3 leads to the inner lane's column 4, which is the first step; red goes beside with its second one."""
    race = race_of(*BOXES, *FAR)
    assert told(race, 0, (RED, 4)) == {
        ("move", "main middle 6"),  # ahead, beside, ahead, ahead and the like
        ("move", "main left 5"),  # ahead, beside, ahead, beside
    }
    assert told(race, 0, (BLUE, 2)) == {("move", "main middle 4")}


def test_ps_8_start_entry_beside() -> None:
    """The entry leads beside the box, and a step beside may not follow it."""
    race = race_of(*BOXES, *FAR, held=terms("start-entry=inner-beside"))
    assert told(race, 0, (BLUE, 2)) == {("wait", "box 3")}
    assert told(race, 0, (BLUE, 3)) == {("move", "main middle 4")}
    assert told(race, 2, (BLUE, 2)) == {("move", "main right 1"), ("move", "main right 2")}


def test_ps_8_no_car_but_the_last_in_the_line_up_may_end_it_on_the_inner_lane() -> None:
    race = race_of(*BOXES, *FAR)
    for number in (0, 1):
        for die in ((BLUE, 2), (BLUE, 3), (RED, 4), (YELLOW, 7)):
            assert not any("right" in end for _, end in told(race, number, die))
    assert ("move", "main right 3") in told(race, 2, (BLUE, 2))
    assert ("move", "main right 5") in told(race, 2, (RED, 4))


def test_ps_8_the_last_may_not_be_another_once_it_has_left() -> None:
    race = race_of(BOXES[0], BOXES[1], "main left 9", *FAR)
    assert told(race, 1, (BLUE, 1)) == {("wait", "box 2")}


def test_ps_8_if_it_cannot_avoid_that_it_stays_where_it_is() -> None:
    race = thrown(race_of(*BOXES, *FAR), (BLUE, 1), (BLUE, 1), (BLUE, 3))
    assert told(race, 0, (BLUE, 1)) == {("wait", "box 3")}
    after = go(race, 0, (BLUE, 1), "box 3", "wait")
    assert after.cars[0] == race.cars[0]
    assert (after.dice, after.waiting) == ((Die(BLUE, 1), Die(BLUE, 3)), (1, 2))


def test_ps_8_it_stays_where_free_ways_end_on_the_inner_lane_although_it_could_strike_elsewhere() -> None:
    """The middle lane is barred but for one space, from which a car would strike."""
    others = ("main middle 5", "main middle 6", "main left 4")
    race = race_of(*BOXES, *others)
    assert told(race, 0, (RED, 4)) == {("wait", "box 3")}
    assert any(kind == "strike" for kind, _ in told(race_of(*BOXES, *others, held=terms("strike=free")), 0, (RED, 4)))


def test_ps_8_a_car_on_its_first_space_keeps_it_in_its_box_without_damage() -> None:
    for reading, blocker in (("inner-ahead", "main right 4"), ("inner-beside", "main right 3")):
        race = race_of(*BOXES, blocker, *FAR[1:], held=terms(f"start-entry={reading}"))
        race = thrown(race, (YELLOW, 7), (BLUE, 1), (BLUE, 1))
        assert told(race, 0, (YELLOW, 7)) == {("wait", "box 3")}
        assert go(race, 0, (YELLOW, 7), "box 3", "wait").cars[0].damage == 0


def test_ps_8_cars_in_boxes_stand_in_nobodys_way() -> None:
    race = race_of("main right 1", *BOXES[:2], *FAR)
    assert ("move", "main right 8") in told(race, 0, (YELLOW, 7))


def test_ps_8_on_its_next_move_a_car_may_end_on_the_inner_lane() -> None:
    assert ("move", "main right 6") in told(
        race_of(car("main middle 6", box=3, crossings=0), *BOXES[:2], *FAR), 0, (BLUE, 1)
    )


# PS-19


def full(**changes: Any) -> Terms:
    return terms("fuel=full", **changes)


def test_ps_19_on_an_empty_tank_red_and_yellow_move_three_spaces_and_cost_a_point() -> None:
    race = race_of(car("main left 1", tank=0), *BOXES[:2], *FAR, held=full())
    for die in ((RED, 5), (YELLOW, 9)):
        assert told(race, 0, die) == {("move", "main left 4"), ("move", "main middle 3")}
        after = go(thrown(race, die, (BLUE, 1), (BLUE, 1)), 0, die, "main left 4")
        assert (after.cars[0].damage, after.cars[0].tank) == (1, 0)


def test_ps_19_as_speed_3_made_in_full() -> None:
    """Blue 3 may leave steps and begin beside; red on an empty tank may not, and speeds only where 3 does."""
    race = race_of(car("corner middle 1", tank=0), *BOXES[:2], *FAR[:1], "main left 1", FAR[2], held=full())
    assert told(race, 0, (YELLOW, 9)) <= told(race, 0, (BLUE, 3))
    assert all(kind == "move" for kind, _ in told(race, 0, (YELLOW, 9)))
    behind = race_of(car("main left 1", tank=0), *BOXES[:2], "main left 2", *FAR[1:], held=full())
    assert told(behind, 0, (RED, 4)) == {("stay", "main left 1")}


def test_ps_19_on_an_empty_tank_blue_may_be_used() -> None:
    race = thrown(race_of(car("main left 1", tank=0), *BOXES[:2], *FAR, held=full()), (BLUE, 3), (BLUE, 1), (BLUE, 1))
    assert told(race, 0, (BLUE, 3)) == told(race_of("main left 1", *BOXES[:2], *FAR), 0, (BLUE, 3))
    assert go(race, 0, (BLUE, 3), "main left 4").cars[0].damage == 0


def test_ps_19_belongs_to_the_full_fuel_rules() -> None:
    for fuel in ("none", "limited"):
        race = race_of(car("main left 1", tank=0), *BOXES[:2], *FAR, held=terms(f"fuel={fuel}"))
        assert ("move", "main left 8") in told(race, 0, (YELLOW, 7))


def test_ps_19_the_point_comes_on_top_of_that_for_having_nowhere_to_go() -> None:
    race = race_of(car("main left 1", tank=0), *BOXES[:2], "main left 2", *FAR[1:], held=full())
    (stay,) = ends(race, 0, Die(RED, 4))
    assert points_taken(race, 0, Die(RED, 4), stay) == 2
    (stay,) = ends(race_of("main left 1", *BOXES[:2], "main left 2", *FAR[1:], held=full()), 0, Die(RED, 4))
    assert points_taken(race, 1, Die(BLUE, 1), stay) == 1


# PS-20


def test_ps_20_the_fourth_point_removes_the_car_to_the_lowest_place_still_free() -> None:
    """Golden example 7."""
    race = race_of(car("main left 1", damage=3), *BOXES[:2], "main left 2", car("out", place=6), placed(1))
    race = thrown(race, (RED, 4), (BLUE, 1), (BLUE, 2))
    race = go(race, 0, (RED, 4), "main left 1", "stay")
    gone = race.cars[0]
    assert (gone.status, gone.place, gone.damage) == (Status.OUT, 5, 4)
    assert gone.space not in race.taken(3)


def test_ps_20_a_car_with_fewer_points_stays() -> None:
    race = race_of(car("main left 1", damage=2), *BOXES[:2], "main left 2", *FAR[1:])
    race = go(thrown(race, (RED, 4), (BLUE, 1), (BLUE, 2)), 0, (RED, 4), "main left 1", "stay")
    assert (race.cars[0].status, race.cars[0].damage, race.cars[0].place) == (Status.TRACK, 3, None)


def test_ps_20_its_player_rolls_one_die_fewer() -> None:
    race = race_of(car("out", place=6), *BOXES[:2], *FAR)
    assert {len(pick.colours) for pick in legal_picks(race)} == {2}


def test_ps_20_a_car_that_is_moved_back_into_its_fourth_point_is_taken_off_the_track() -> None:
    barred = ("main middle 4", "main left 4", "main right 4")
    race = race_of(car("main middle 2", damage=3), *BOXES[:2], *barred)
    race = thrown(race, (YELLOW, 8), (BLUE, 1), (BLUE, 1))
    strike = next(one for one in legal_moves(race) if one.car == 0 and one.outcome.kind is Kind.STRIKE)
    race = apply(race, strike)
    assert (race.cars[0].space, race.cars[0].place) == (OUT, 6)


def test_ps_20_the_point_for_an_empty_tank_comes_before_the_finish() -> None:
    last = car("main left 12", tank=0, damage=3, crossings=3)
    race = thrown(race_of(last, *BOXES[:2], *FAR, held=full()), (RED, 4), (BLUE, 1), (BLUE, 1))
    race = go(race, 0, (RED, 4), "finish", "finish")
    assert (race.cars[0].status, race.cars[0].place) == (Status.OUT, 6)


# PS-21


def at_stop(*plans: Plan, fuel: str = "full", **state: Any) -> tuple[list[str], Race]:
    """Where a car stands turn by turn from the stop space on, until it takes a die; the others do nothing."""
    race = race_of(car("stop", **state), placed(1), placed(2), *FAR, held=terms(f"fuel={fuel}"))
    seen, answers = [], iter(plans)
    while not race.movable:
        if race.phase is Phase.PLAN:
            race = apply(race, Planned(0, next(answers)))
        else:
            race = replace(apply(race, Picked(())), mover=0)
            seen.append(RING.name_of(race.cars[0].space))
    return seen, race


def test_ps_21_a_car_may_end_its_move_on_the_stop_space_and_steps_left_over_are_lost() -> None:
    race = race_of("corner right 7", *BOXES[:2], *FAR)
    for die in ((BLUE, 3), (RED, 4), (RED, 5)):
        assert ("pit", "stop") in told(race, 0, die)
    assert ("pit", "stop") not in told(race, 0, (BLUE, 2))


def test_ps_21_pit_entry_exact() -> None:
    race = race_of("link right 1", *BOXES[:2], *FAR, held=terms("pit-entry=exact"))
    assert ("pit", "stop") in told(race, 0, (BLUE, 1))
    assert ("pit", "stop") not in told(race, 0, (BLUE, 2))


@pytest.mark.parametrize("plan", [Plan.REPAIR, Plan.REFUEL])
def test_ps_21_refuel_or_repair_takes_spaces_1_to_3(plan: Plan) -> None:
    seen, race = at_stop(plan, damage=2, tank=5)
    assert seen == ["pit 1", "pit 2", "pit 3"]
    assert (race.cars[0].damage, race.cars[0].tank) == ((0, 5) if plan is Plan.REPAIR else (2, 30))
    assert told(race, 0, (BLUE, 1)) == {("move", "main right 3")}


def test_ps_21_both_takes_spaces_1_to_6() -> None:
    seen, race = at_stop(Plan.BOTH, damage=2, tank=5)
    assert seen == ["pit 1", "pit 2", "pit 3", "pit 4", "pit 5", "pit 6"]
    assert (race.cars[0].damage, race.cars[0].tank) == (0, 30)
    assert told(race, 0, (BLUE, 1)) == {("move", "main right 6")}


def test_ps_21_without_fuel_rules_there_is_only_repair_and_nothing_to_ask() -> None:
    seen, race = at_stop(fuel="none", damage=3)
    assert seen == ["pit 1", "pit 2", "pit 3"]
    assert race.cars[0].damage == 0
    assert legal_plans(race) == (Plan.REPAIR,)


def test_ps_21_from_space_3_it_moves_normally_out_of_the_pit() -> None:
    race = race_of(car("pit 3", plan=Plan.REFUEL), *BOXES[:2], *FAR, held=full())
    assert told(race, 0, (BLUE, 3)) >= {("move", "main right 5"), ("move", "main middle 4"), ("move", "main right 3")}
    race = go(thrown(race, (BLUE, 3), (BLUE, 1), (BLUE, 1)), 0, (BLUE, 3), "main right 5")
    assert (race.cars[0].status, race.cars[0].plan) == (Status.TRACK, None)


def test_ps_21_a_car_that_cannot_leave_the_pit_has_nowhere_to_go() -> None:
    race = race_of(car("pit 3", plan=Plan.REPAIR), *BOXES[:2], "main right 3", *FAR[1:])
    race = go(thrown(race, (BLUE, 3), (BLUE, 1), (BLUE, 1)), 0, (BLUE, 3), "pit 3", "stay")
    assert (race.cars[0].damage, race.cars[0].plan) == (1, Plan.REPAIR)
    assert race.cars[0].takes_die


def test_ps_21_an_exit_beyond_the_line_counts_the_lap() -> None:
    beyond = replace(RING.pit, exit_short=space("main right 13"))  # type: ignore[type-var]
    race = race_of(car("pit 3", plan=Plan.REPAIR, crossings=2), *BOXES[:2], *FAR, held=terms(pit=beyond))
    race = go(thrown(race, (BLUE, 1), (BLUE, 1), (BLUE, 1)), 0, (BLUE, 1), "main right 13")
    assert race.cars[0].crossings == 3


def test_ps_21_places_of_the_pit_lane_hold_a_car_each() -> None:
    race = race_of("link right 1", "stop", placed(1), *FAR)
    assert ("pit", "stop") not in told(race, 0, (BLUE, 1))
    rival = race_of("main left 9", "stop", "pit 2", "pit 1", *FAR[1:])
    after = apply(rival, Picked((BLUE,)))
    assert [one.space for one in after.cars[1:3]] == [STOP, PIT_SHORT]
    assert [one.damage for one in after.cars] == [0] * 6


def test_ps_21_cars_in_the_pit_go_on_before_the_dice_the_foremost_first() -> None:
    race = apply(race_of("link right 1", "pit 1", "stop", *FAR), Picked((BLUE,)))
    assert [RING.name_of(one.space) for one in race.cars[1:3]] == ["pit 2", "pit 1"]
    assert ("pit", "stop") in told(race, 0, (BLUE, 1))


def test_ps_21_a_car_held_up_in_the_pit_tries_again_at_the_end_of_the_turn() -> None:
    race = race_of(car("pit 3", plan=Plan.REPAIR), "pit 2", placed(1), *FAR)
    race = thrown(race, (BLUE, 1))
    assert race.cars[1].space == PIT_SHORT + 1
    race = go(race, 0, (BLUE, 1), "main right 3")
    assert race.cars[1].space == PIT_SHORT


def test_ps_21_a_car_that_has_just_entered_does_not_go_on_in_the_same_turn() -> None:
    race = thrown(race_of("link right 1", placed(1), placed(2), *FAR), (BLUE, 1))
    race = go(race, 0, (BLUE, 1), "stop", "pit")
    assert (race.cars[0].space, race.mover) == (STOP, 1)


def test_ps_21_the_question_comes_at_space_3_on_its_players_turn() -> None:
    race = race_of("pit 3", "pit 3", "main left 1", *FAR, held=full())
    race = replace(race, cars=(race.cars[0], car("main left 2"), *race.cars[2:]))
    assert (race.phase, race.planner) == (Phase.PLAN, 0)
    with pytest.raises(BadInput, match="PS-21"):
        apply(race, Planned(1, Plan.BOTH))
    assert apply(race, Planned(0, Plan.BOTH)).movable == (1, 2)
    assert apply(race, Planned(0, Plan.REPAIR)).movable == (0, 1, 2)


# PS-22


def test_ps_22_none_counts_nothing() -> None:
    race = thrown(race_of(car("main left 1", tank=0), *BOXES[:2], *FAR), (YELLOW, 8), (BLUE, 1), (BLUE, 1))
    assert go(race, 0, (YELLOW, 8), "main left 9").cars[0].tank == 0


def test_ps_22_limited_a_car_that_never_refuelled_gets_the_lowest_place_free() -> None:
    done = [race_of(car("main left 12", crossings=3, refuelled=refuelled), placed(1), *BOXES[:1], *FAR,
                    held=terms("fuel=limited")) for refuelled in (True, False)]  # fmt: skip
    places = [go(thrown(race, (RED, 4), (BLUE, 1)), 0, (RED, 4), "finish", "finish").cars[0].place for race in done]
    assert places == [2, 6]


def test_ps_22_limited_refuelling_in_the_pit_counts_alone_or_with_repair() -> None:
    for plan in Plan:
        _, race = at_stop(plan, fuel="limited")
        assert race.cars[0].refuelled is (plan is not Plan.REPAIR)


@pytest.mark.parametrize(("die", "left"), [((BLUE, 2), 29), ((RED, 4), 28), ((YELLOW, 8), 27), ((RED, 17), 25)])
def test_ps_22_full_each_move_uses_points_by_the_table(die: tuple[Colour, int], left: int) -> None:
    race = thrown(race_of("main left 1", *BOXES[:2], *FAR, held=full()), die, (BLUE, 1), (BLUE, 1))
    one = next(one for one in legal_moves(race) if one.car == 0 and one.die == Die(*die))
    assert apply(race, one).cars[0].tank == left


def test_ps_22_full_a_tank_holds_what_the_table_says_for_the_number_of_laps() -> None:
    for laps, tank in RING.tank.items():
        race = begin(Terms(RING, PsReadings.parse(["fuel=full"]), laps), (1, 2, 3), 0)
        assert {one.tank for one in race.cars} == {tank}


def test_ps_22_full_a_move_that_needs_more_than_is_left_is_made_and_empties_the_tank() -> None:
    race = thrown(race_of(car("main left 1", tank=1), *BOXES[:2], *FAR, held=full()), (YELLOW, 8), (BLUE, 1), (BLUE, 1))
    moved = go(race, 0, (YELLOW, 8), "main left 9").cars[0]
    assert (moved.tank, moved.damage) == (0, 0)


def test_ps_22_full_a_car_that_stays_uses_none() -> None:
    race = race_of("main left 1", *BOXES[:2], "main left 2", *FAR[1:], held=full())
    race = thrown(race, (YELLOW, 8), (BLUE, 1), (BLUE, 1))
    assert go(race, 0, (YELLOW, 8), "main left 1", "stay").cars[0].tank == 30
    assert go(race, 1, (BLUE, 1), "box 3", "wait").cars[1].tank == 30


def test_ps_22_no_such_race_without_its_tables_or_a_pit() -> None:
    refused: list[tuple[dict[str, Any], list[str], str]] = [
        ({"use": {}}, ["fuel=full"], "table of consumption"),
        ({"tank": {4: 40}}, ["fuel=full"], "tank for 3 laps: 'Ring A' has them for 4"),
        ({"tank": {}}, ["fuel=full"], "has them for none"),
        ({"pit": None}, ["fuel=limited"], "nobody can refuel"),
        ({"pit": None}, ["fuel=full"], "nobody can refuel"),
        ({"box_1": None}, [], "no race can start"),
    ]
    for changes, answers, message in refused:
        with pytest.raises(BadInput, match=message):
            terms(*answers, **changes)
    with pytest.raises(BadInput, match="at least one lap"):
        Terms(RING, PsReadings(), 0)
    assert terms(pit=None, use={}, tank={}).tank == 0


# PS-23


def test_ps_23_the_first_crossing_begins_lap_1_and_each_later_one_completes_a_lap() -> None:
    for crossings, laps in ((0, 0), (1, 0), (2, 1), (3, 2)):
        race = race_of(car("main left 12", crossings=crossings), *BOXES[:2], *FAR)
        assert race.cars[0].laps == max(0, laps)
        race = thrown(race, (BLUE, 1), (BLUE, 1), (BLUE, 1))
        if crossings < 3:
            after = go(race, 0, (BLUE, 1), "main left 13").cars[0]
            assert (after.crossings, after.laps) == (crossings + 1, crossings)


def test_ps_23_being_moved_back_over_the_line_takes_that_back() -> None:
    """Without a triangle on the line's far side a car flies from the hairpin."""
    race = race_of(car("main middle 13", crossings=2), *BOXES[:2], *FAR)
    race = go(thrown(race, (RED, 5), (BLUE, 1), (BLUE, 1)), 0, (RED, 5), "main left 8", "fly")
    assert (race.cars[0].crossings, race.cars[0].laps) == (1, 0)


def test_ps_23_a_car_that_has_begun_no_lap_has_none_to_lose() -> None:
    race = race_of(car("main middle 13", crossings=0), *BOXES[:2], *FAR)
    race = go(thrown(race, (RED, 5), (BLUE, 1), (BLUE, 1)), 0, (RED, 5), "main left 8", "fly")
    assert race.cars[0].crossings == 0


def test_ps_23_the_last_lap_ends_the_move_there() -> None:
    """With steps left, into a curve that it would have flown from: it is over the line."""
    race = race_of(car("main middle 12", crossings=3), *BOXES[:2], *FAR)
    assert told(race, 0, (YELLOW, 9)) == {("finish", "finish")}
    assert {kind for kind, _ in told(race, 0, (BLUE, 2))} == {"finish", "move"}
    assert told(race_of(car("main middle 12", crossings=2), *BOXES[:2], *FAR), 0, (YELLOW, 9)) != {("finish", "finish")}


def test_ps_23_and_puts_the_car_on_the_highest_place_still_free_and_off_the_track() -> None:
    race = race_of(car("main middle 12", crossings=3), placed(1), placed(3), *FAR)
    race = go(thrown(race, (YELLOW, 9)), 0, (YELLOW, 9), "finish", "finish")
    assert (race.cars[0].place, race.cars[0].status, race.cars[0].crossings) == (2, Status.FINISHED, 4)
    assert race.taken(3) == {space(name) for name in FAR[1:]}
    assert race.mover == 1


def test_ps_23_a_free_way_to_the_finish_binds() -> None:
    """Where another way of the die would end in striking or flying, the car has to finish."""
    race = race_of(car("main middle 13", crossings=1), *BOXES[:2], *FAR)
    assert {kind for kind, _ in told(race, 0, (RED, 5))} == {"fly"}
    race = race_of(car("main middle 12", crossings=3), *BOXES[:2], *FAR)
    assert {kind for kind, _ in told(race, 0, (RED, 5))} == {"finish"}


def test_ps_23_a_car_right_behind_the_line_bars_the_step_over_it() -> None:
    race = race_of(car("main middle 12", crossings=3), *BOXES[:2], "main middle 13", *FAR[1:])
    assert told(race, 0, (YELLOW, 9)) == {("stay", "main middle 12")}


def test_the_race_is_over_when_every_car_has_left() -> None:
    race = race_of(car("main middle 12", crossings=3), placed(1), placed(2), placed(3), placed(4), car("out", place=6))
    race = go(thrown(race, (YELLOW, 9)), 0, (YELLOW, 9), "finish", "finish")
    assert (race.over, race.phase, race.mover) == (True, Phase.OVER, None)
    assert race.cars[0].place == 5
    with pytest.raises(BadInput):
        apply(race, Picked(()))


# PS-24


def result(*places: int, points: tuple[int, ...] = (10, 6, 4, 3, 2, 1)) -> Race:
    cars = tuple(placed(place) for place in places)
    return Race(terms(points=points), cars, None, (0,) * (len(cars) // 3))


def test_ps_24_the_player_with_the_highest_sum_of_place_points_wins() -> None:
    race = result(1, 5, 6, 2, 3, 4)
    assert score(race).points == (13, 13)
    found = score(result(1, 4, 6, 2, 3, 5))
    assert (found.points, found.ranks) == ((14, 12), (1, 2))
    assert found.car_points == (10, 3, 1, 6, 4, 2)
    assert final_order(result(2, 3, 5, 1, 4, 6)) == (1, 0)


def test_ps_24_equal_the_better_best_car() -> None:
    assert final_order(result(1, 5, 6, 2, 3, 4)) == (0, 1)
    assert final_order(result(2, 3, 4, 1, 5, 6)) == (1, 0)


def test_ps_24_a_place_behind_the_end_of_the_table_scores_nothing() -> None:
    assert [points_of((3, 1), place) for place in (1, 2, 3, 12)] == [3, 1, 0, 0]
    with pytest.raises(BadInput, match="not over"):
        score(race_of("main left 1", placed(1), placed(2)))


def test_ps_24_a_removed_car_scores_its_place_as_any_other() -> None:
    race = result(1, 2, 3)
    race = replace(race, cars=(*race.cars[:2], car("out", place=3)))
    assert Counter(score(race).car_points) == Counter((10, 6, 4))
