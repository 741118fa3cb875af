"""Races followed turn by turn: against the rules engine played forward, damage behind the finish counted (PB-22)."""

from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np
import pytest
from made_up import course_on, lake_from
from solve_lakes import random_race
from test_solve import by_hand
from test_tables import every_boat, numbered, pond
from test_tile_tables import with_tiles

from rulekit.hexgrid import Facing, Hex, parse_hex
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.course import Course, Tile, TileKind
from rulekit.powerboats.dice import Choice
from rulekit.powerboats.move import landings, move
from rulekit.powerboats.turn import outcomes, throws
from rulekit.solve.bounds import solve
from rulekit.solve.passage import follow_best, follow_policy
from rulekit.solve.policy import Policy, best_policy
from rulekit.solve.tables import Numbered

TURNS = 300
RARE = 1e-11


@dataclass
class Played:
    """A race played forward over the engine: chances and expected numbers."""

    finished: float
    unhurt: float
    sunk: float
    crashes: dict[Hex, float]
    behind: float  # crashes of boats that have finished
    sunk_behind: float


def played(found: Numbered, policy: Policy, start: Boat) -> Played:
    """Every throw of a policy's race, until next to none is left."""
    told = Played(0.0, 0.0, 0.0, defaultdict(float), 0.0, 0.0)
    now = {start: 1.0}
    for _ in range(TURNS):
        after: dict[Boat, float] = defaultdict(float)
        for boat, often in now.items():
            kept, rolled = policy.dice_choice(*found.state(boat))
            choice = Choice(found.race.dice.hands.tuple_of(kept), rolled)
            for chance, thrown in throws(found.waters, boat, choice):
                ahead = thrown.facing.steer(policy.direction(*found.state(thrown)))
                count(told, found, start, boat, move(found.waters, thrown, ahead), often * float(chance), after)
        now = {boat: often for boat, often in after.items() if often > RARE}
    return told


def count(
    told: Played, found: Numbered, start: Boat, boat: Boat, landing: Landing, often: float, after: dict[Boat, float]
) -> None:
    hurt = landing.boat.damage > boat.damage
    if hurt:
        told.crashes[next(at for at in reversed(landing.way) if at in found.number)] += often
        told.behind += often * landing.finished
        told.sunk_behind += often * (landing.finished and landing.sunk)
    if landing.finished:
        told.finished += often
        told.unhurt += often * (landing.boat.damage == start.damage)
    elif landing.sunk:
        told.sunk += often
    else:
        after[landing.boat] += often


WALLED = """
# . . . . #
 . . . . . .
# . . . . .
 . . . . . .
. . . . . .
"""


def walled() -> Course:
    """A wall two hexes behind the line."""
    return course_on(lake_from(WALLED), "B1", "SE", [("D4", "auto")], strip=1)


CASES: list[tuple[Course, tuple[str, ...]]] = [
    (walled(), ("dice-max=2", "sink-at=2")),
    (walled(), ("dice-max=2", "faces=2/3", "sink-at=3")),
    (pond(), ("dice-max=3", "sink-at=2")),
    (with_tiles(pond(), 3), ("dice-max=2", "sink-at=2")),
    (with_tiles(pond(), 8), ("dice-max=3", "sink-at=3", "faces=1/4")),
]


@pytest.mark.parametrize(("course", "readings"), CASES)
def test_damage_is_what_the_rules_engine_counts(course: Course, readings: tuple[str, ...]) -> None:
    found = numbered(course, *readings)
    solution = solve(found.race)
    policy = best_policy(solution)
    starts = [boat for boat in found.starts if np.isfinite(solution.value(*found.state(boat)))]
    assert starts
    for start in (starts[0], starts[-1]):
        told, state = played(found, policy, start), found.state(start)
        for passage in (follow_policy(policy, state), follow_best(solution, state)):
            assert passage.unhurt == pytest.approx(told.unhurt, abs=1e-7)
            assert passage.sink == pytest.approx(told.sunk, abs=1e-7)
            assert passage.finished.sum() == pytest.approx(told.finished, abs=1e-7)
            by_hex = [told.crashes[at] for at in found.hexes]
            assert list(passage.crashes) == pytest.approx(by_hex, abs=1e-7)


def test_boats_do_crash_and_sink_behind_the_line() -> None:
    """Or the test above would see nothing."""
    course, readings = CASES[1]
    found = numbered(course, *readings)
    told = played(found, best_policy(solve(found.race)), Boat(parse_hex("C2"), Facing.W, (), 2, 2))
    assert min(told.behind, told.sunk_behind) > 0.1
    assert told.unhurt < told.finished


def test_a_certain_crash_behind_the_line_counts() -> None:
    found = numbered(walled(), "faces=3", "dice-max=1")
    passage = follow_best(solve(found.race), found.state(Boat(parse_hex("C2"), Facing.W, (), 2)))
    assert (list(passage.finished), passage.unhurt, passage.sink) == ([1.0], 0.0, 0.0)
    assert {found.hexes[k]: passage.crashes[k] for k in np.flatnonzero(passage.crashes)} == {parse_hex("A2"): 1.0}


def test_outcomes_by_hand_crash_where_straight_moves_do() -> None:
    race = random_race(6, 5, 5, 3, levels=3, most=3)
    policy = best_policy(solve(race))
    passages = [
        follow_policy(replace(policy, race=own), (0, 0, 7, 2, 0)) for own in (race, replace(race, moves=by_hand(race)))
    ]
    assert np.allclose(passages[0].crashes, passages[1].crashes, atol=1e-12)
    assert passages[0].unhurt == pytest.approx(passages[1].unhurt, abs=1e-12)


def test_of_equal_directions_the_best_one_spares_the_boat() -> None:
    """All finish, one over rocks: that would cost a counter in the next race (PB-24)."""
    rocks = Tile(TileKind.LOW_WATER, (parse_hex("B3"),), rocks=(1,))
    course = replace(course_on(lake_from(WALLED), "B1", "SE", [("D4", "auto")], strip=3), tiles=(rocks,))
    found = numbered(course, "faces=1/2", "dice-max=2")
    policy = best_policy(solve(found.race))
    damages: set[tuple[int, ...]] = set()
    for boat in every_boat(found):
        ends = {landing.steer: landing for landing in landings(found.waters, boat)}
        if all(landing.finished for landing in ends.values()):
            own = ends[boat.facing.steer(policy.direction(*found.state(boat)))]
            assert own.boat.damage == min(landing.boat.damage for landing in ends.values())
            damages.add(tuple(sorted({landing.boat.damage - boat.damage for landing in ends.values()})))
    assert (0, 1) in damages


def test_of_equal_dice_the_best_ones_spare_the_boat() -> None:
    """Of the choices that finish for sure, the one with the least expected damage behind the line."""
    found = numbered(walled(), "faces=2/3", "dice-max=2")
    policy, told = best_policy(solve(found.race)), found.race.dice.hands.tuple_of
    dearer = 0
    for boat in every_boat(found):
        harms = {}
        for choice, thrown in outcomes(found.waters, boat):
            home = [(chance, [end.boat.damage for end in legal if end.finished]) for chance, legal in thrown]
            if all(damages for _, damages in home):
                harms[choice] = sum(chance * (min(damages) - boat.damage) for chance, damages in home)
        if harms:
            kept, rolled = policy.dice_choice(*found.state(boat))
            assert harms[Choice(told(kept), rolled)] == min(harms.values()), boat
            fewest = min(harms, key=lambda choice: (choice.rolled, len(choice.kept), sum(choice.kept)))
            dearer += harms[fewest] > min(harms.values())
    assert dearer
