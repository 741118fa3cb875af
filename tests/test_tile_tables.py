"""Solving among expansion tiles: every table entry against the rules engine, optima and chances against brute force."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import isfinite
from random import Random
from typing import Any

import numpy as np
import pytest
from made_up import CASES, course_on, lake_from, random_course
from test_named import some_boats
from test_reach import Brute, exact
from test_tables import as_end, bellman, every_boat, pond, tiny

from rulekit.cli.output import Output
from rulekit.cli.position import load_waters
from rulekit.hexgrid import FACINGS, Facing, Side, parse_hex
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.course import Course, Tile, TileKind
from rulekit.powerboats.move import landings
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.simulate.advice import SoloAdvice
from rulekit.simulate.bulk import FINISHED, Contest, play
from rulekit.simulate.policies import POLICIES as AT_TABLE
from rulekit.simulate.policies import choosing, steering
from rulekit.solve import tile_tables
from rulekit.solve.best import best_race, by_deadline
from rulekit.solve.bounds import solve
from rulekit.solve.kernel import end_of
from rulekit.solve.model import Straights, Tiled
from rulekit.solve.named import policy_named
from rulekit.solve.policy import best_policy, evaluate
from rulekit.solve.reach import reach
from rulekit.solve.tables import Numbered

MOVES = CASES.parent / "moves"
LAKE = """
. . . . . .
 . . # . . .
. . . . . .
 . . . . . .
"""
DETAILS = {
    TileKind.REDOUBT: ("", range(1)),
    TileKind.CURRENT: ("flow", FACINGS),
    TileKind.MAELSTROM: ("spin", tuple(Side)),
    TileKind.LOW_WATER: ("rocks", (1, 2, 3)),
}
EVERY_KIND = (
    TileKind.REDOUBT, TileKind.CURRENT, TileKind.CURRENT, TileKind.MAELSTROM, TileKind.LOW_WATER, TileKind.LOW_WATER
)  # fmt: skip


def with_tiles(course: Course, seed: int, kinds: tuple[TileKind, ...] = EVERY_KIND) -> Course:
    """The course with tiles of one hex at random, of these kinds."""
    rng = Random(seed)
    places = rng.sample(sorted(course.water), len(kinds))
    tiles = []
    for at, kind in zip(places, kinds, strict=True):
        name, details = DETAILS[kind]
        detail: dict[str, Any] = {name: (rng.choice(list(details)),)} if name else {}
        tiles.append(Tile(kind, (at,), **detail))
    return replace(course, tiles=tuple(tiles))


def numbered(course: Course, *readings: str) -> Numbered:
    """A course in numbers."""
    answers = PowerboatsReadings.parse(readings)
    return Numbered(Waters(settle(course, answers), answers))


def tiled_lake(seed: int, *readings: str) -> Numbered:
    """A lake of two dozen hexes with tiles of every kind."""
    course = course_on(lake_from(LAKE), "C2", "W", [("D3", "auto")], strip=1)
    return numbered(with_tiles(course, seed), *readings)


def table_ends(found: Numbered, boat: Boat) -> list[object]:
    """Where a thrown hand's legal moves lead, by the tables."""
    race = found.race
    damage, progress, place, facing, hand = found.state(boat)
    finished = race.rows * race.row_cells
    ends: list[object] = []
    for steer in range(3):
        row = progress * race.hexes + place
        gain, cell = end_of(race.board, race.dice_tables, damage, row, hand, facing, steer)
        group, lane = divmod(int(cell), 8)
        to, left = divmod(group, race.dice.hands.count)
        if cell < finished and damage + gain < race.levels:
            told = race.dice.hands.tuple_of(left)
            ends.append((damage + gain, *divmod(to, race.hexes), lane, told))
        elif cell < finished + race.row_cells:
            ends.append("sunk" if cell < finished else "finished")
    return ends


@pytest.mark.parametrize(
    ("seed", "readings"),
    [
        (1, ("dice-max=2",)),
        (2, ("dice-max=3", "sink-at=2")),
        pytest.param(3, ("dice-max=2", "x1-border=stop", "sink-at=6"), marks=pytest.mark.slow),
        (4, ("dice-max=2", "x1-current=crash")),
        (5, ("dice-max=2", "x1-path=plain")),
        pytest.param(6, ("dice-max=3", "x1-dice=most-dice", "sink-at=3"), marks=pytest.mark.slow),
        (7, ("dice-max=3", "x1-path=plain", "x1-current=crash", "x1-border=stop", "sink-at=2")),
        (8, ("dice-max=2", "faces=1/4", "sink-at=1")),
        (9, ("dice-max=2", "faces=1/1/2", "rounding=line")),
        pytest.param(10, ("dice-max=3", "x1-dice=most-dice"), marks=pytest.mark.slow),
        (11, ("dice-max=2", "x1-border=stop", "x1-dice=most-dice", "sink-at=2")),
    ],
)
def test_every_move_is_what_the_rules_say(seed: int, readings: tuple[str, ...]) -> None:
    found = tiled_lake(seed, *readings)
    ends = Counter[str]()
    for boat in every_boat(found):
        ruled = [as_end(found, landing) for landing in landings(found.waters, boat)]
        assert Counter(table_ends(found, boat)) == Counter(ruled), boat
        ends.update(end if isinstance(end, str) else "afloat" for end in ruled)
    assert set(ends) == {"afloat", "sunk", "finished"}


@pytest.mark.parametrize("name", [path.name for path in sorted(MOVES.glob("tiles-*.toml"))])
def test_moves_on_larger_lakes_are_what_the_rules_say(name: str) -> None:
    answers = PowerboatsReadings.parse(["x1-border=stop", "sink-at=3"] if name < "tiles-2" else [])
    found = Numbered(load_waters(str(MOVES / name), None, answers, Output(quiet=True)))
    rng, hands = Random(name), found.race.dice.hands
    for _ in range(1000):
        told = hands.tuple_of(rng.randrange(hands.count))
        progress, damage = rng.randrange(found.waters.last), rng.randrange(answers.sink_at)
        boat = Boat(rng.choice(found.hexes), rng.choice(FACINGS), told, progress, damage)
        ruled = [as_end(found, landing) for landing in landings(found.waters, boat)]
        assert Counter(table_ends(found, boat)) == Counter(ruled), boat


def test_where_rocks_sink_the_ways_depend_on_the_damage() -> None:
    found = tiled_lake(10, "dice-max=3")
    assert isinstance(found.race.moves, Tiled)
    block = found.race.moves.block
    assert (block[0] != block[3]).any()
    assert (block[0] == block[3]).any()


def test_rocks_take_dice_and_steps() -> None:
    course = course_on(lake_from(". . . . . . . . . ."), "A1", "E", [("J1", "left")], strip=1)
    tile = Tile(TileKind.LOW_WATER, (parse_hex("F1"),), rocks=(1,))
    found = numbered(replace(course, tiles=(tile,)))
    boat = Boat(parse_hex("D1"), Facing.E, (3, 3))
    place = found.number[parse_hex("I1")]
    assert table_ends(found, boat) == [(1, 1, place, int(Facing.E), (3,))]


def test_a_bare_course_through_the_tables_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    found = numbered(pond(), "dice-max=3")
    straights = found.race.moves
    assert isinstance(straights, Straights)
    monkeypatch.setattr(tile_tables, "_meets_tile", lambda lake, moves: np.ones(lake.kind.size, np.bool_))
    listed = tile_tables.tiled(found.waters, found.hexes, straights, found.race.dice.hands)
    assert isinstance(listed, Tiled)
    assert (listed.block >= 0).all()
    other = replace(found.race, moves=listed)
    values = [solve(race).states() for race in (found.race, other)]
    assert np.isfinite(values[0]).sum() > 1000
    np.testing.assert_allclose(values[1], values[0], rtol=0, atol=1e-6)
    spent = [evaluate(best_policy(solve(race))).turns[0, :480] for race in (found.race, other)]
    np.testing.assert_allclose(spent[1], spent[0], rtol=0, atol=1e-4)


def test_tiles_that_no_boat_can_meet_change_nothing() -> None:
    lake = lake_from(". . . . # .\n . . . # # .")
    course = course_on(lake, "A1", "E", [("C2", "left")], strip=1)
    tile = Tile(TileKind.CURRENT, (parse_hex("F1"),), flow=(Facing.SE,))
    found = numbered(replace(course, tiles=(tile,)), "dice-max=2")
    assert isinstance(found.race.moves, Tiled)  # from the hex beside it
    bare = numbered(course, "dice-max=2")
    far = found.number[parse_hex("B2")]
    assert (found.race.moves.block[:, far] == -1).all()
    one, other = solve(found.race), solve(bare.race)
    np.testing.assert_allclose(one.states()[:, :, far], other.states()[:, :, far], rtol=0, atol=1e-6)


TINY = [
    (186, 4, 4, 11, ("dice-max=2",)),
    (75, 4, 3, 10, ("dice-max=2", "x1-path=plain")),
    (256, 4, 3, 9, ("dice-max=2", "sink-at=2", "x1-border=stop", "change=2")),
    (112, 4, 3, 3, ("dice-max=1", "faces=1/2", "sink-at=6", "x1-current=crash")),
    (90, 4, 3, 6, ("dice-max=3", "x1-dice=most-dice", "sink-at=2")),
]


def tiny_tiled(seed: int, columns: int, rows: int, tiles: int, *readings: str) -> Numbered:
    """At most eight hexes, with a tile of every kind."""
    course = settle(tiny(seed, columns, rows), PowerboatsReadings.parse(readings))
    return numbered(with_tiles(course, tiles, tuple(TileKind)), *readings, "behind=strip-only")


@pytest.mark.parametrize(("seed", "columns", "rows", "tiles", "readings"), TINY)
def test_finishing_in_time_by_brute_force_over_the_rules(
    seed: int, columns: int, rows: int, tiles: int, readings: tuple[str, ...]
) -> None:
    found = tiny_tiled(seed, columns, rows, tiles, *readings)

    @cache
    def missed(boat: Boat, left: int) -> Fraction:
        if not left:
            return Fraction(1)
        return bellman(found, boat, lambda end: after(end, left - 1))

    def after(end: Landing, left: int) -> Fraction:
        return Fraction(0) if end.finished else Fraction(1) if end.sunk else missed(end.boat, left)

    late = [boat for boat in every_boat(found) if boat.progress == found.waters.last - 1]
    boats = Random(seed).sample(late, min(40, len(late)))
    chances: set[Fraction] = set()
    for left in (1, 2, 3):
        for start in by_deadline(found, boats, left).starts:
            chance = 1 - missed(start.boat, left)
            assert Fraction(start.lower) <= chance <= Fraction(start.upper)
            chances.add(chance)
    assert len(chances) > 3


@pytest.mark.parametrize(("seed", "columns", "rows", "tiles", "readings"), TINY)
def test_bounds_satisfy_bellman_inequalities_over_the_rules(
    seed: int, columns: int, rows: int, tiles: int, readings: tuple[str, ...]
) -> None:
    found = tiny_tiled(seed, columns, rows, tiles, *readings)
    solution = solve(found.race, within=1e-8)
    boats = [boat for boat in every_boat(found) if isfinite(solution.value(*found.state(boat)))]
    assert len(boats) > 50
    for side in (0, 1):

        def bound(boat: Boat, side: int = side) -> Fraction:
            value = solution.bounds(*found.state(boat))[side]
            return Fraction(value) if isfinite(value) else Fraction(10**9)

        def value(end: Landing, bound: object = bound) -> Fraction:
            return Fraction(0) if end.finished else Fraction(50) if end.sunk else bound(end.boat)  # type: ignore[operator]

        for boat in Random(seed).sample(boats, 50):
            gap = 1 + bellman(found, boat, value) - bound(boat)
            assert gap <= 0 if side else gap >= 0


@pytest.mark.parametrize("readings", [("dice-max=2",), ("dice-max=2", "sink-at=2", "x1-path=plain")], ids=",".join)
@pytest.mark.parametrize("safe", [False, True])
def test_reach_is_every_throw_counted(readings: tuple[str, ...], safe: bool) -> None:
    found = tiled_lake(11, *readings)
    brute, sinks_at = Brute(found.waters, safe), found.waters.readings.sink_at
    redoubt = next(at for at in found.hexes if found.waters.is_redoubt(at))
    for boat in (Boat(found.hexes[3], Facing.SW, (2,), 1, sinks_at - 1), Boat(redoubt, Facing.W, (1,), 0, 0)):
        for turns in (1, 2):
            told = exact(found, reach(found.race, found.state(boat), turns, safe=safe))
            assert {at: chance for at in found.hexes if (chance := brute.chance(boat, turns, at))} == told


def test_the_best_policy_costs_what_the_best_race_does() -> None:
    found = tiled_lake(12, "dice-max=3", "sink-at=2")
    solution = solve(found.race)
    worth = evaluate(best_policy(solution))
    for boat in Random(1).sample(every_boat(found), 200):
        state = found.state(boat)
        turns, sink = worth.at(*state)
        assert turns + 50 * sink == pytest.approx(solution.value(*state), abs=1e-4)
    best = best_race(found, found.starts)
    assert best.passage.turns + 50 * best.passage.sink == pytest.approx(best.start.value, abs=1e-6)


@pytest.mark.parametrize("readings", [("dice-max=2",), ("dice-max=3", "sink-at=2", "x1-path=plain")], ids=",".join)
@pytest.mark.parametrize("name", ["greedy", "cautious"])
def test_named_policies_decide_as_at_the_table(name: str, readings: tuple[str, ...]) -> None:
    found = tiled_lake(13, *readings)
    policy, hands = policy_named(name)(found, 50.0), found.race.dice.hands
    for boat, race in some_boats(found, 200):
        question = choosing(race)
        wanted = question.options[AT_TABLE[name](question, Random(0))]
        kept, rolled = policy.dice_choice(*found.state(boat))
        assert (hands.tuple_of(kept), rolled) == tuple(wanted), boat
        steer = steering(race, boat.hand)
        landing = steer.options[AT_TABLE[name](steer, Random(0))]
        assert boat.facing.steer(policy.direction(*found.state(boat))) == landing.steer, boat


def test_advice_among_tiles() -> None:
    course = with_tiles(random_course(Random(5), 6, 5, 0.1, strip=2), 3)
    answers = PowerboatsReadings.parse(["dice-max=2"])
    waters = Waters(settle(course, answers), answers)
    advice = SoloAdvice(waters)
    assert min(advice.solution.value(*advice.numbered.state(boat)) for boat in advice.numbered.starts) > 1


def test_solo_races_among_tiles_by_the_rules() -> None:
    answers = PowerboatsReadings.parse(["dice-max=2"])
    waters = load_waters("practice-tiles", None, answers, Output(quiet=True))
    contest = Contest((waters,), ("solo", "greedy"), seed=4)
    contest.check()
    assert not contest.compiled
    found = play(contest, 0, 4)
    mine = found.status[0, np.arange(4), np.arange(4) % 2]
    assert (mine == FINISHED).sum() >= 3
