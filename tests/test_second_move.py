"""The engine's moves against a second way to them, written from the rules alone: thousands of random positions."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from made_up import random_course
from made_up_tiles import OPEN, boat, sea
from second_move import sea_of, second_legal, second_move, second_perft, slowed

from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.hexgrid import FACINGS, Side, by_name
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.course import Course, Tile, TileKind
from rulekit.powerboats.effects import without
from rulekit.powerboats.move import legal_facings, move
from rulekit.powerboats.route import settle
from rulekit.powerboats.turn import perft
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings, RockDice

CASES = Path(__file__).parent / "cases" / "moves"
READINGS = (
    "", "", "x1-border=stop", "x1-current=crash", "x1-path=plain", "x1-dice=most-dice", "rounding=line", "sink-at=7",
    "x1-border=stop,x1-current=crash,x1-path=plain,sink-at=2",
)  # fmt: skip


def compare(course: Course, random: Random, positions: int) -> int:
    """Compare the engine with the second way on random positions; the number of moves compared."""
    water = by_name(course.water)
    compared = 0
    for _ in range(positions):
        readings = PowerboatsReadings.parse([random.choice(READINGS)])
        waters, plain = Waters(course, readings), sea_of(course, readings)
        hand = tuple(sorted((random.randint(1, 3) for _ in range(random.randint(0, 4))), reverse=True))
        own = Boat(
            random.choice(water), random.choice(FACINGS), hand, random.randrange(course.gates), random.randrange(2)
        )
        taken = frozenset(random.sample(water, random.randint(0, 6))) - {own.at}
        assert [int(side) for side in legal_facings(waters, own)] == second_legal(plain, own), own
        for steer in (1, 0, -1):
            facing = own.facing.steer(steer)
            engine, second = move(waters, own, facing, taken), second_move(plain, own, facing, taken)
            after = engine.boat
            assert (after.damage, engine.finished) == (second.damage, second.progress == course.gates), (own, facing)
            assert engine.sunk == (second.out or second.damage >= readings.sink_at), (own, facing)
            assert (engine.left_over, engine.crashed) == (second.left_over, second.crashed), (own, facing)
            if not engine.sunk:
                found = (after.at, after.facing, after.hand, after.progress)
                assert found == (second.at, second.facing, second.dice, second.progress), (own, facing, taken)
            compared += 1
    return compared


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.glob("*.toml")))
def test_random_positions_of_the_cases(name: str) -> None:
    course = settle(read_course(read_source(str(CASES / name))).course)
    assert compare(course, Random(name), 150) == 450


def crowded(seed: int) -> Course:
    """A small random lake where a third of the water has effects, each hex its own."""
    random = Random(seed)
    course = settle(random_course(random, 8, 8, 0.1, strip=2))
    free = sorted(course.water - set(course.strip))
    hexes = random.sample(free, len(free) // 3)
    return replace(course, tiles=tuple(effect(random, (at,)) for at in hexes))


def effect(random: Random, at: tuple) -> Tile:  # type: ignore[type-arg]
    kind = random.choice(list(TileKind))
    if kind is TileKind.CURRENT:
        return Tile(kind, at, flow=(random.choice(FACINGS),))
    if kind is TileKind.MAELSTROM:
        return Tile(kind, at, spin=(random.choice(list(Side)),))
    return Tile(kind, at, rocks=(random.randint(1, 3),) if kind is TileKind.LOW_WATER else ())


@pytest.mark.parametrize("seed", range(12))
def test_random_positions_of_crowded_waters(seed: int) -> None:
    """Chains of every kind: rings of currents, flights onto currents, maelstroms beside redoubts, boats all over."""
    compare(crowded(seed), Random(seed), 150)


def test_slower_dice_by_trying_every_set() -> None:
    for size in range(6):
        for code in range(3**size):
            hand = tuple(sorted((code // 3**k % 3 + 1 for k in range(size)), reverse=True))
            for rocks in (1, 2, 3):
                assert without(hand, rocks) == slowed(hand, rocks, most=False)
                assert without(hand, rocks, RockDice.MOST) == slowed(hand, rocks, most=True)


@pytest.mark.parametrize("name", ["bare-01.toml", "bare-04.toml", "bare-07.toml"])
@pytest.mark.parametrize("reading", READINGS[2:6])
def test_a_bare_course_under_expansion_rules_gives_the_base_games_counts(name: str, reading: str) -> None:
    """The count with every answer of the expansion is that of the base game, and that of the second way."""
    course = settle(read_course(read_source(str(CASES / name))).course)
    for seed in range(3):
        at = Random(seed).choice(by_name(course.water))
        own = Boat(at, FACINGS[seed], (2, 1), 1)
        base = perft(Waters(course), own, 1)
        assert perft(Waters(course, PowerboatsReadings.parse([reading])), own, 1) == base
        assert second_perft(sea_of(course, PowerboatsReadings()), own, 1) == base


def test_tiles_out_of_reach_change_no_count() -> None:
    own = boat("K3 NE 21")
    assert perft(sea("redoubt A8 E", "low-water A6 E 1/2/3", course=OPEN), own, 1) == perft(sea(course=OPEN), own, 1)
