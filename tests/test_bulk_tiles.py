"""Compiled races over expansion tiles against the rules engine, turn for turn, among many boats."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from made_up import course_on, lake_from
from test_turn_log import same

from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.hexgrid import FACINGS, Hex, Side
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.course import Course, Tile, TileKind
from rulekit.powerboats.move import legal_facings, move
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.simulate.bulk import Contest
from rulekit.simulate.bulk_kernel import (
    AT,
    AWAY,
    BACK,
    COLUMNS,
    CRASHED,
    DAMAGE,
    FACING,
    FINISHED,
    HAND,
    LEFT,
    RACING,
    ROW,
    SITUATION,
    SUNK,
    Fleet,
)
from rulekit.simulate.bulk_tiles import TiledWater, tile_turn, tile_ways
from rulekit.simulate.solved import Solved
from rulekit.simulate.turn_log import TurnLog, fallen_back, turns_of
from rulekit.solve.tables import Numbered

SHIPPED = ("practice-tiles", "lagoon-b-tiles", "skerries-a-tiles")

POND = settle(
    course_on(
        lake_from("\n".join((" " if row % 2 else "") + " ".join("." * 11) for row in range(9))),
        "B6", "E", [("G2", "left")], strip=4,
    )
)  # fmt: skip
"""Eleven columns and nine rows; the strip is C6 to F6, the finish buoy stands on G6."""


def random_tile(rng: Random, kind: TileKind, free: list[Hex]) -> Tile:
    """A tile on three free hexes in a row, each hex with a detail of its own."""
    along = rng.choice(FACINGS)
    hexes = next(
        line for line in iter(lambda: [rng.choice(free).step(along, k) for k in (0, 1, 2)], None) if {*line} <= {*free}
    )
    lying = (hexes[0], hexes[1], hexes[2])
    if kind is TileKind.CURRENT:
        flow = rng.choice(FACINGS)
        return Tile(kind, lying, flow=tuple(rng.choice((flow, flow, rng.choice(FACINGS))) for _ in range(3)))
    if kind is TileKind.MAELSTROM:
        return Tile(kind, lying, spin=(rng.choice((Side.LEFT, Side.RIGHT)),) * 3)
    return Tile(kind, lying, rocks=(1, 2, 3)) if kind is TileKind.LOW_WATER else Tile(kind, lying)


def tiled_pond(seed: int, tiles: int = 9, land: int = 4) -> Course:
    """The pond with islets and tiles at random, off the strip."""
    rng = Random(seed)
    free = sorted(POND.water - {*POND.strip})
    islets = frozenset(rng.sample(free, land))
    lake = replace(POND.lake, water=POND.lake.water - islets, land=POND.lake.land | islets)
    free, laid = [at for at in free if at not in islets], list[Tile]()
    for kind in [*TileKind, *rng.choices(list(TileKind), k=tiles - len(TileKind))]:
        laid.append(random_tile(rng, kind, free))
        free = [at for at in free if at not in laid[-1].hexes]
    return replace(POND, lake=lake, tiles=tuple(laid))


def waters(course: Course, readings: str) -> Waters:
    return Waters(course, PowerboatsReadings.parse([readings]))


def unsolved(one: Waters) -> Solved:
    """A course's tables for moves alone."""
    none: Any = None
    return Solved(Numbered(one), none, none)


READINGS = (
    "dice-max=4",
    "dice-max=4,x1-border=stop,x1-current=crash",
    "dice-max=4,sink-at=2,x1-dice=most-dice",
    "dice-max=4,x1-path=plain,sink-at=6",
)


@pytest.mark.parametrize("seed", range(12))
def test_every_move_among_boats_is_that_of_the_rules(seed: int) -> None:
    """Boats anywhere, the others most of all where the one to move comes by, lands or flies."""
    one, rng = waters(tiled_pond(seed), READINGS[seed % 4]), Random(seed)
    found, seen = unsolved(one), Counter[str]()
    water = found.own_water()
    assert isinstance(water, TiledWater)
    for _ in range(1500):
        boat = random_boat(rng, found)
        facing = rng.choice(FACINGS)
        alone = move(one, boat, facing)
        others = random_others(rng, one, boat, alone)
        landing = move(one, boat, facing, others)
        fleet = fleet_of(found, boat, facing, others)
        tile_turn(water, found.throws, fleet, 0, found.hand_number(boat.hand), 1)
        assert told(found, fleet) == expected(found, one, landing), (boat, facing, others, landing)
        count(seen, one, boat, alone, landing)
    assert min(seen[name] for name in ("fell back over tiles", "flew short", "sunk by boats", "as if alone")) > 0, seen


def random_boat(rng: Random, found: Solved) -> Boat:
    one, hands = found.numbered.waters, found.race.dice.hands
    at = rng.choice([*found.numbered.hexes, *(at for at in one.effects if rng.random() < 0.5 or one.is_redoubt(at))])
    hand = hands.tuple_of(rng.randrange(hands.count))
    return Boat(at, rng.choice(FACINGS), hand, rng.randrange(one.last), rng.randrange(one.readings.sink_at))


def random_others(rng: Random, one: Waters, boat: Boat, alone: Landing) -> set[Hex]:
    """Five other boats or fewer."""
    near = [at for at in [*alone.way[1:], *alone.way[-2:]] if at in one.water]
    # A flight ends on one line with its redoubt: boats on the hexes before its end cut it shorter still.
    near += [alone.boat.at.step(facing) for facing in FACINGS]
    places = [at for at in near if at in one.water and at != boat.at]
    return set(rng.choices(places, k=rng.randrange(6))) if places else set()


def fleet_of(found: Solved, boat: Boat, facing: int, others: set[Hex]) -> Fleet:
    """Seat 0 is the boat, heading the way that it is to go; three more have left."""
    fleet = np.zeros((4 + len(others), COLUMNS), np.int32)
    fleet[:, AT], fleet[:, SITUATION], fleet[:, LEFT] = AWAY, FINISHED, 0
    damage, progress, place, _, hand = found.numbered.state(boat)
    fleet[0, [ROW, AT, FACING, HAND, DAMAGE]] = progress * found.race.hexes + place, place, facing, hand, damage
    for seat, at in enumerate(sorted(others), 4):
        fleet[seat, AT] = found.numbered.number[at]
    fleet[[0, *range(4, len(fleet))], SITUATION], fleet[[0, *range(4, len(fleet))], LEFT] = RACING, -1
    return fleet


def told(found: Solved, fleet: Fleet) -> tuple[int, ...]:
    """Status, and what is left of the boat."""
    progress = min(fleet[0, ROW] // found.race.hexes, found.race.progresses)
    columns = (SITUATION, AT, FACING, HAND, DAMAGE, CRASHED, BACK)
    return (*(int(fleet[0, column]) for column in columns), int(progress))


def expected(found: Solved, one: Waters, landing: Landing) -> tuple[int, ...]:
    boat = landing.boat
    status = FINISHED if landing.finished else SUNK if landing.sunk else RACING
    at = found.numbered.number[boat.at] if status == RACING else AWAY
    own = status, at, int(boat.facing), found.hand_number(boat.hand), boat.damage, int(landing.crashed)
    return (*own, fallen_back(landing), boat.progress)


def count(seen: Counter[str], one: Waters, boat: Boat, alone: Landing, landing: Landing) -> None:
    met = any(at in one.effects for at in landing.way[1:])
    seen["fell back over tiles"] += met and fallen_back(landing) > 0
    seen["flew short"] += landing.way != alone.way
    seen["sunk by boats"] += landing.sunk and not alone.sunk
    seen["as if alone"] += met and landing == alone


@pytest.mark.parametrize("seed", range(4))
def test_legal_directions_are_those_of_the_rules(seed: int) -> None:
    one, rng = waters(tiled_pond(seed), READINGS[seed]), Random(seed)
    found = unsolved(one)
    water = found.own_water()
    assert isinstance(water, TiledWater)
    for _ in range(400):
        boat = random_boat(rng, found)
        fleet = fleet_of(found, boat, boat.facing, set())
        ways = tile_ways(water, found.throws, fleet, 0, found.hand_number(boat.hand))
        legal = legal_facings(one, boat)
        assert ways == tuple(boat.facing.steer(left) in legal for left in (-1, 0, 1))


def both(one: Contest, matches: int) -> list[TurnLog]:
    """The log of each race, proved the same by both routes."""
    one.check()
    assert one.compiled
    logs = [turns_of(one, number, 0, matches) for number in range(len(one.races))]
    for number, log in enumerate(logs):
        same(log, turns_of(one, number, 0, matches, by_rules=True))
    return logs


CROWDS = [("solo",) * 6, ("racer", "solo", "racer"), ("lookahead", "solo", "racer", "solo")]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("policies", CROWDS, ids="-".join)
def test_crowded_races_are_those_of_the_rules(policies: tuple[str, ...], seed: int) -> None:
    pond = waters(tiled_pond(seed + 20), READINGS[seed].replace("dice-max=4", "dice-max=3"))
    logs = both(Contest((pond, pond), policies, seed, cap=40), 1 if "lookahead" in policies else 5)
    assert logs[0].match.size > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("policies", CROWDS, ids="-".join)
def test_races_on_shipped_courses_are_those_of_the_rules(policies: tuple[str, ...], name: str) -> None:
    one = Waters(settle(read_course(read_source(name)).course))
    (log,) = both(Contest((one,), policies, 3, cap=80), 1 if "lookahead" in policies else 5)
    assert log.fell_back.any() or "lookahead" in policies
