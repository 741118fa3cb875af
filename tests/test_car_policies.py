"""Policies for cars: each answers legally and as it says; weighing against brute force; the blocker holds others up."""

import math
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

from rulekit.files.source import read_source
from rulekit.files.track import read_track
from rulekit.ps.car import Car, Plan, player_of
from rulekit.ps.dice import Colour
from rulekit.ps.moves import DAMAGING
from rulekit.ps.race import Die, Moved, Picked, Race, Thrown, apply, ends_among, legal_moves
from rulekit.ps.scoring import score
from rulekit.ps.terms import Terms
from rulekit.ps.track import FINISH, PIT_SHORT
from rulekit.readings import PsReadings
from rulekit.simulate.car_block import MOST, Block
from rulekit.simulate.car_bulk import CarContest, play_cars
from rulekit.simulate.car_policies import CAR_POLICIES, due_plan, wants_fuel
from rulekit.simulate.car_questions import Moving, Picking, Pitting, question
from rulekit.simulate.car_table import car_players, car_step, play_race
from rulekit.simulate.car_values import car_values, columns_at
from rulekit.simulate.car_weigh import CHANCES, LISTED, Cost, best_move, best_pick
from rulekit.simulate.streams import Purpose, stream

ORCHARD = replace(read_track(read_source("orchard")).track, tank={1: 14})
RING = replace(read_track(read_source("tests/cases/tracks/ring-a.toml")).track, tank={1: 10})
PLAIN, LIMITED, FULL = (Terms(ORCHARD, PsReadings.parse([f"fuel={fuel}"]), 1) for fuel in ("none", "limited", "full"))
"""Races of one lap, which are soon over."""

BLUE, RED, YELLOW = Colour
FAR = ("slope left 1", "slope middle 1", "slope right 1")


def car(at: str, terms: Terms = PLAIN, **state: Any) -> Car:
    return Car(ORCHARD.by_name[at], 5, **{"tank": terms.tank, "crossings": 1, **state})


def placed(place: int) -> Car:
    return Car(FINISH, 1, crossings=2, place=place)


def race_of(*cars: Car | str, terms: Terms = PLAIN) -> Race:
    found = tuple(car(one, terms) if isinstance(one, str) else one for one in cars)
    return Race(terms, found, 0, (0,) * (len(found) // 3))


def thrown(race: Race, *dice: Die) -> Race:
    race = apply(race, Picked(tuple(die.colour for die in dice)))
    return apply(race, Thrown(tuple(die.value for die in dice)))


def asked(race: Race, policy: str) -> Picked | Moved | Plan:
    found = question(race)
    return found.options[CAR_POLICIES[policy](found, Random(1))]


@cache
def states() -> tuple[Race, ...]:
    """Moments of races between different policies, in each fuel reading, as far as they are questions."""
    found = []
    for game, terms in enumerate((PLAIN, LIMITED, FULL)):
        moments: list[Race] = []
        play_race(
            terms, [CAR_POLICIES["random"], CAR_POLICIES["cautious"]], 4, game, 60,
            lambda race, _, seen=moments: seen.append(race),  # type: ignore[misc]
        )  # fmt: skip
        found += [race for race in moments[::7] if not race.picked or race.dice][:14]
    in_pit = replace(found[-1].cars[0], space=PIT_SHORT, plan=None, damage=1, place=None)
    pitting = replace(found[-1], cars=(in_pit, *found[-1].cars[1:]), mover=0, dice=(), waiting=())
    return (*found, pitting)


# The five policies


@pytest.mark.parametrize("name", CAR_POLICIES)
def test_every_policy_answers_every_question(name: str) -> None:
    kinds = set()
    for race in states()[-1::-4]:
        found = question(race)
        answer = CAR_POLICIES[name](found, Random(0))
        assert 0 <= answer < len(found.options)
        kinds.add(type(found))
    assert kinds == {Picking, Moving, Pitting}


@pytest.mark.parametrize("name", CAR_POLICIES)
@pytest.mark.parametrize("fuel", ["none", "limited", "full"])
def test_every_policy_ends_a_race(name: str, fuel: str) -> None:
    terms = Terms(RING, PsReadings.parse([f"fuel={fuel}"]), 1)
    race = play_race(terms, [CAR_POLICIES[name], CAR_POLICIES["cautious"]], 11)
    assert race.over
    assert sorted(score(race).places) == [1, 2, 3, 4, 5, 6]


def test_random_takes_every_option_equally_often() -> None:
    found = question(race_of("main left 1", placed(1), placed(2), *FAR))
    rng = stream(1, 0, 0, Purpose.POLICY)
    counts = Counter(CAR_POLICIES["random"](found, rng) for _ in range(3000))
    assert len(counts) == 3
    assert max(abs(count - 1000) for count in counts.values()) < 120


def test_greedy_goes_furthest() -> None:
    alone = race_of("main left 1", placed(1), placed(2), *FAR)
    assert asked(alone, "greedy") == Picked((YELLOW,))
    race = thrown(race_of("main left 1", "main middle 1", placed(1), *FAR), Die(RED, 4), Die(YELLOW, 8))
    gained = 0
    for _ in range(2):
        move = asked(race, "greedy")
        assert isinstance(move, Moved)
        assert move.outcome.kind not in DAMAGING
        race = apply(race, move)
        gained += move.die.value
    columns = [columns_at(PLAIN, one.space, one.crossings) for one in race.cars[:2]]
    start = columns_at(PLAIN, ORCHARD.by_name["main left 1"], 1)
    assert sum(columns) - 2 * start == gained


def test_greedy_counts_damage_only_between_equals_but_a_lost_car_is_the_worst() -> None:
    """On an empty tank red brings three spaces and a point, blue two on the mean."""
    for damage, colour in ((0, RED), (2, RED), (3, BLUE)):
        race = race_of(car("press left 1", tank=0, damage=damage), placed(1), placed(2), *FAR, terms=FULL)
        assert asked(race, "greedy") == Picked((colour,))


def test_cautious_takes_no_risk_that_it_can_avoid() -> None:
    """Before the hairpin on the inside lane without a triangle only blue is sure; on the open straight yellow is."""
    for at, colour in (("hairpin middle 1", BLUE), ("main left 1", RED)):
        race = race_of(at, placed(1), placed(2), *FAR)
        pick = asked(race, "cautious")
        assert isinstance(pick, Picked)
        assert risk(race, pick.colours[0]) == min(risk(race, other) for other in Colour)
        assert (pick.colours[0] is BLUE) == (colour is BLUE)


def risk(race: Race, colour: Colour) -> float:
    """Chance that the first car takes damage."""
    return sum(
        float(chance) * all(end.kind in DAMAGING for end in ends_among(race, 0, die, race.taken(0)))
        for die, chance in zip(LISTED[colour], CHANCES[colour], strict=True)
    )


def test_solo_picks_what_the_solved_laps_take() -> None:
    """For a car alone on the track, but where two colours are worth about the same."""
    laps, agreed = car_values(PLAIN).laps, 0
    for space in range(len(ORCHARD.spaces)):
        for damage in (0, 3):
            only = Car(space, 5, crossings=1, damage=damage)
            pick = asked(Race(PLAIN, (only, placed(1), placed(2)), 0, (0,)), "solo")
            assert isinstance(pick, Picked)
            best = laps.colour(space, 1, damage)
            agreed += pick.colours == (best,)
    assert agreed > 0.96 * 2 * len(ORCHARD.spaces)


@pytest.mark.parametrize("terms", [PLAIN, FULL], ids=["none", "full"])
def test_solo_alone_needs_the_turns_that_the_solved_laps_tell(terms: Terms) -> None:
    """Within four standard errors; one car, from box 1."""
    laps, turns = car_values(terms).laps, []
    start = (Car(FINISH - 1, 1, terms.tank), placed(1), placed(2))
    for game in range(60):
        race, seated = Race(terms, start, 0, (0,)), car_players([CAR_POLICIES["solo"]], 8, game)
        while not race.over:
            race = car_step(race, seated)
        turns.append(race.turns[0])
    error = stdev(turns) / math.sqrt(len(turns))
    exact = laps.figures(laps.places.boxes[0], 2).turns
    assert abs(mean(turns) - exact) < 4 * error, (mean(turns), exact, error)
    assert error < 0.5


def test_solo_does_in_the_pit_what_is_worth_most() -> None:
    found = car_values(FULL)
    for damage, tank, plan in ((0, 0, Plan.REFUEL), (3, FULL.tank, Plan.REPAIR), (3, 1, Plan.BOTH)):
        ready = Car(PIT_SHORT, 5, tank, damage, 1)
        race = Race(FULL, (ready, placed(1), placed(2)), 0, (0,))
        costs = {other: found.of_plan(race, 0, other) for other in Plan}
        assert asked(race, "solo") is min(costs, key=costs.__getitem__)
        if plan is not Plan.BOTH:
            assert asked(race, "solo") is plan


def test_the_others_do_in_the_pit_what_is_due() -> None:
    for terms, state, needs, plan in (
        (FULL, {"tank": 8}, False, Plan.REPAIR),
        (FULL, {"tank": 5}, True, Plan.REFUEL),
        (FULL, {"tank": 5, "damage": 1}, True, Plan.BOTH),
        (LIMITED, {}, True, Plan.REFUEL),
        (LIMITED, {"refuelled": True, "damage": 1}, False, Plan.REPAIR),
    ):
        race = Race(terms, (replace(Car(PIT_SHORT, 5, crossings=1), **state), placed(1), placed(2)), 0, (0,))  # type: ignore[arg-type]
        assert wants_fuel(race, 0) is needs
        assert due_plan(race, 0) is plan
        assert asked(race, "cautious") is plan
        assert asked(race, "greedy") is (Plan.REFUEL if needs else Plan.REPAIR)


# Weighing against brute force


def costs_of(name: str, race: Race) -> Cost:
    """A policy's costs."""
    return Block(race).cost if name == "blocker" else car_values(race.terms).after


@pytest.mark.parametrize("name", ["solo", "blocker"])
def test_moves_against_every_end_of_the_turn_played_out(name: str) -> None:
    """The engine plays every row of moves to the end of the turn; no car may take another end than its cheapest."""
    looked = 0
    for race in states():
        if len(race.dice) < 2 or looked == 8:
            continue
        cost, looked = costs_of(name, race), looked + 1
        found = question(race)
        assert isinstance(found, Moving)
        totals = {move: cost(race, *move) + played_out(apply(race, move), cost, race.mover) for move in found.options}
        cheapest = {move for move in totals if cost(race, *move) <= least_of(race, move, cost) + 1e-9}
        best = min(totals[move] for move in cheapest)
        assert totals[found.options[best_move(found, cost)]] == pytest.approx(best, abs=1e-7)
    assert looked == 8


def least_of(race: Race, move: Moved, cost: Cost) -> float:
    return min(cost(race, *other) for other in legal_moves(race) if other[:2] == move[:2])


def played_out(race: Race, cost: Cost, mover: int | None) -> float:
    """The least cost of the rest of the turn."""
    if race.mover != mover or not race.dice:
        return 0.0
    moves = legal_moves(race)
    return min(
        cost(race, *move) + played_out(apply(race, move), cost, mover)
        for move in moves
        if cost(race, *move) <= least_of(race, move, cost) + 1e-9
    )


def test_picks_against_every_throw_dealt_in_every_way() -> None:
    looked = 0
    for race in states():
        found = question(race)
        if not isinstance(found, Picking) or len(race.movable) < 2:
            continue
        looked += 1
        cost = car_values(race.terms).after
        means = [mean_of(race, pick.colours, cost) for pick in found.options]
        assert means[best_pick(found, cost)] == pytest.approx(min(means), abs=1e-7)
        if looked == 6:
            return
    raise AssertionError("too few questions")


def mean_of(race: Race, colours: tuple[Colour, ...], cost: Cost) -> float:
    mates = {race.cars[other].space for other in race.movable}
    least = {
        (number, die): min(
            cost(race, number, die, end) for end in ends_among(race, number, die, race.taken(number) - mates)
        )
        for number in race.movable for colour in set(colours) for die in LISTED[colour]
    }  # fmt: skip
    total = 0.0
    for shown in product(*(list(zip(LISTED[colour], CHANCES[colour], strict=True)) for colour in colours)):
        dealt = [sum(least[number, die] for number, (die, _) in zip(race.movable, order, strict=True))
                 for order in permutations(shown)]  # fmt: skip
        total += math.prod(float(chance) for _, chance in shown) * min(dealt)
    return total


def test_listed_dice_have_all_the_chance() -> None:
    for colour in Colour:
        assert sum(CHANCES[colour]) == pytest.approx(1)
        assert len(LISTED[colour]) == len(CHANCES[colour])
    assert [die.value for die in LISTED[RED]] == [4, 5, 10, 11, 16, 17, 22, 23]
    assert CHANCES[RED][-1] == pytest.approx(2 / 81)


# The blocker


def test_blocker_stops_right_ahead_of_another_where_that_costs_it_little() -> None:
    """Two ways of blue 2 are about as good for itself; a rival behind one of them has nothing but blue then."""
    rival = "main middle 5"
    race = thrown(race_of("main left 4", placed(1), placed(2), rival, placed(3), placed(4)), Die(BLUE, 3))
    block = Block(race)
    ahead, clear = ORCHARD.by_name["main middle 6"], ORCHARD.by_name["main left 7"]
    plain = car_values(PLAIN).after
    by_end = {move.outcome.end: move for move in legal_moves(race)}
    assert block.cost(race, *by_end[ahead]) < plain(race, *by_end[ahead]) - 0.1
    assert block.cost(race, *by_end[clear]) >= plain(race, *by_end[clear]) - 0.1


def test_no_end_is_worth_a_turn_to_a_blocker() -> None:
    assert MOST < 1
    for race in states():
        found = question(race)
        if isinstance(found, Moving):
            block, plain = Block(race), car_values(race.terms).after
            gains = [plain(race, *move) - block.cost(race, *move) for move in found.options]
            assert min(gains) >= -1e-9
            assert max(gains) <= MOST + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "races"),
    [("orchard", 2, 400), ("orchard", 4, 2400), ("ravenhill", 2, 200), ("ravenhill", 4, 500)],
)
def test_blocker_lowers_the_places_of_the_others(name: str, players: int, races: int) -> None:
    """Against solo in the same seat of the same races, all others solo: the 95 % interval lies above 0."""
    terms = Terms(read_track(read_source(name)).track, PsReadings(), 3)
    later = []
    for seat in range(players):
        among = tuple("blocker" if other == seat else "solo" for other in range(players))
        places = [
            play_cars(CarContest(terms, policies, 20261130 + seat, rotate=False), 0, races // players).places
            for policies in (among, ("solo",) * players)
        ]
        others = [car for car in range(3 * players) if player_of(car) != seat]
        assert min(found.min() for found in places) > 0
        later += list((places[0] - places[1])[:, others].mean(axis=1))
    error = stdev(later) / math.sqrt(len(later))
    assert mean(later) - 1.96 * error > 0, (mean(later), error)


def test_blocker_alone_is_solo() -> None:
    race = race_of("main left 1", "main middle 1", "press left 1")
    assert asked(race, "blocker") == asked(race, "solo")


# The table


def test_a_seed_is_a_race_and_what_one_seat_draws_moves_no_other() -> None:
    solo, chance = CAR_POLICIES["solo"], CAR_POLICIES["random"]
    one, two = play_race(PLAIN, [solo, chance], 3, 1), play_race(PLAIN, [solo, chance], 3, 1)
    assert one == two
    assert play_race(PLAIN, [solo, chance], 3, 2) != one
    seats = car_players([solo, chance], 3)
    seats[1].dice.word()
    assert (seats[0].dice.drawn, seats[0].own.drawn, seats[1].own.drawn) == (0, 0, 0)
