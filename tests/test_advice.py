"""The solver's advice against the rules: two routes to the same expected turns."""

from dataclasses import replace
from random import Random

import pytest

from rulekit.errors import BadInput
from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.hexgrid import FACINGS, Facing, parse_hex
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.course import Tile, TileKind
from rulekit.powerboats.dice import as_hand
from rulekit.powerboats.race import Entry, Race, Status, begin
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.simulate.advice import SoloAdvice
from rulekit.simulate.policies import choosing, least, placing, steering

READINGS = PowerboatsReadings.parse(["dice-max=3"])
WATERS = Waters(settle(read_course(read_source("practice-a")).course), READINGS)


@pytest.fixture(scope="module")
def advice() -> SoloAdvice:
    return SoloAdvice(WATERS)


def race_of(*boats: Boat) -> Race:
    return Race(WATERS, 0, tuple(Entry(Status.RACING, boat) for boat in boats), 0)


def random_boat(rng: Random) -> Boat:
    hand = as_hand(rng.choices((1, 2, 3), k=rng.randrange(4)))
    at = rng.choice(sorted(WATERS.water))
    return Boat(at, rng.choice(FACINGS), hand, rng.randrange(WATERS.last), rng.randrange(4))


def test_the_best_choice_costs_what_the_solver_says(advice: SoloAdvice) -> None:
    """One step by the engine's rules on the solver's values gives the solver's value of the state: Bellman's equation
    of the rules, at random states."""
    rng = Random(1)
    for _ in range(150):
        boat = random_boat(rng)
        value = advice.solution.value(*advice.numbered.state(boat))
        assert min(advice.costs(choosing(race_of(boat)))) == pytest.approx(value, abs=1e-6)


def test_the_best_direction_is_in_the_choice(advice: SoloAdvice) -> None:
    race = race_of(Boat(parse_hex("E7"), Facing.SE, (2, 1)))
    question = choosing(race)
    keep = next(k for k, choice in enumerate(question.options) if choice == ((2, 1), 0))
    assert advice.costs(question)[keep] == pytest.approx(min(advice.costs(steering(race, (2, 1)))))


def test_a_boat_in_the_way_costs(advice: SoloAdvice) -> None:
    mine = Boat(parse_hex("E7"), Facing.SE, (2, 1))
    free = steering(race_of(mine), (2, 1))
    best = free.options[least(advice.costs(free))]
    blocked = steering(race_of(mine, Boat(best.boat.at, Facing.E)), (2, 1))
    costs = advice.costs(free), advice.costs(blocked)
    assert min(costs[1]) > min(costs[0])


def test_starts_are_worth_what_the_solver_says(advice: SoloAdvice) -> None:
    question = placing(begin(WATERS, [1, 0]))
    costs = advice.costs(question)
    assert len(costs) == len(advice.numbered.starts)
    damaged = placing(replace(begin(WATERS, [0, 1]), start_player=0))
    assert min(advice.costs(damaged)) > min(costs)


def test_what_cannot_be_solved_is_said() -> None:
    with pytest.raises(BadInput, match="--dice-max"):
        SoloAdvice(Waters(WATERS.course, PowerboatsReadings.parse(["dice-max=none"])))
    tile = Tile(TileKind.REDOUBT, (parse_hex("E7"),))
    with pytest.raises(BadInput, match="tiles"):
        SoloAdvice(Waters(replace(WATERS.course, tiles=(tile,)), READINGS))
