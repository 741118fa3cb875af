"""Graph checks on small random courses, each against a search by brute force (PB-10…PB-12)."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import course_on, courses, lake_from, random_course

from rulekit.graphs.bays import Bay, bays
from rulekit.graphs.legs import Layer, Tree, legs, pairs_over, shortest_pair
from rulekit.graphs.lifted import Lifted
from rulekit.graphs.shores import land_share, longest_straights, parts, passages
from rulekit.hexgrid import Facing, Hex, by_name, distance, hex_name, parse_hex
from rulekit.powerboats.course import Course
from rulekit.powerboats.lake import Lake
from rulekit.powerboats.route import Place, route, settle, shortest_chain


def words(hexes: Iterable[Hex]) -> str:
    """The names of hexes."""
    return " ".join(map(hex_name, hexes))


few = settings(max_examples=25)


def without(course: Course, at: Hex) -> Course:
    """The course with a hex filled up."""
    lake = course.lake
    return replace(course, lake=Lake(lake.name, lake.water - {at}, lake.land | {at}))


@few
@given(courses(columns=7, rows=7, land=0.3))
def test_choke_points_and_shared_hexes_by_filling_every_hex(course: Course) -> None:
    course = settle(course)
    chain, lifted = route(course), Lifted(course)
    if chain is not None:
        lengths = {at: route(without(course, at)) for at in course.water}
        assert set(lifted.choke) == {at for at, other in lengths.items() if other is None}
        longer = {at for at, other in lengths.items() if other is None or len(other) > len(chain)}
        assert set(lifted.shared) == longer
        assert lifted.detours(course.water) == {
            at: None if other is None else len(other) - 1 for at, other in lengths.items()
        }


@few
@given(courses(columns=7, rows=7, land=0.35))
def test_dead_water_by_a_search_from_every_place(course: Course) -> None:
    course = settle(course)
    lifted = Lifted(course)
    reached, waiting = set(lifted.starts), list(lifted.starts)
    while waiting:
        at, progress = waiting.pop()
        for step in at.neighbours():
            if step in course.water and progress < course.gates:
                place = Place(step, lifted.gates.after_step(progress, at, step))
                if place not in reached:
                    reached.add(place)
                    waiting.append(place)
    live = {place.at for place in reached if shortest_chain(lifted.gates, lifted.near, [place])}
    assert set(lifted.dead) == course.water - live


def floods(water: set[Hex]) -> list[set[Hex]]:
    """Waters that hang together."""
    left, found = set(water), []
    while left:
        part, waiting = set[Hex](), [left.pop()]
        while waiting:
            at = waiting.pop()
            part.add(at)
            near = {step for step in at.neighbours() if step in left}
            left -= near
            waiting += near
        found.append(part)
    return found


@few
@given(courses(columns=8, rows=8, land=0.35))
def test_bays_of_a_course_by_closing_every_hex(course: Course) -> None:
    course = settle(course)
    lifted = Lifted(course)
    live = set(lifted.live)
    used = set(course.strip)
    for progress in range(course.gates):
        for a in live:
            for b in a.neighbours():
                if b in live and lifted.gates.gates[progress].passes(a, b):
                    used |= {a, b}
    found = {
        (mouth, frozenset(part))
        for mouth in live
        for part in floods(live - {mouth})
        if not part & used and len(live) > 1
    }
    outermost = {one for one in found if not any(one[1] < other[1] for other in found)}
    told = {(bay.mouth, frozenset(bay.hexes)) for bay in lifted.bays}
    assert told <= outermost
    assert {at for _, part in told for at in part} == {at for _, part in found for at in part}


def step_by_step(lifted: Lifted, hexes: tuple[Hex, ...], progress: int) -> list[int]:
    """Progress along a chain."""
    found = [progress]
    for a, b in pairwise(hexes):
        assert distance(a, b) == 1
        found.append(lifted.gates.after_step(found[-1], a, b))
    return found


@few
@given(courses(columns=8, rows=8, land=0.2))
def test_legs_are_chains_that_pass_their_gates_and_keep_apart(course: Course) -> None:
    course = settle(course)
    lifted = Lifted(course)
    found = legs(lifted)
    if route(course) is not None:
        assert len(found) == 2 * len(course.buoys)
    for to, on in zip(found[::2], found[1::2], strict=True):
        assert (to.start, to.end, on.start, on.end) == (to.buoy - 1, to.buoy, to.buoy, to.buoy + 1)
        assert step_by_step(lifted, to.hexes, to.buoy) == [to.buoy] * (len(to.hexes) - 1) + [to.buoy + 1]
        assert step_by_step(lifted, on.hexes, on.buoy + 1) == [on.buoy + 1] * (len(on.hexes) - 1) + [on.buoy + 2]
        assert course.water.issuperset(to.hexes + on.hexes)
        assert to.hexes[-1] == on.hexes[0]
        assert set(to.crosses) == set(on.crosses) == set(to.hexes[:-1]) & set(on.hexes)
        assert _begins_at_its_gate(lifted, to.hexes[0], to.buoy)


def check_pairs_by_trying_all(lifted: Lifted) -> None:
    """The search for pairs ends early; here every step over every line is tried."""
    for buoy in range(1, lifted.gates.last - 1):
        before, after = Layer(lifted, buoy), Layer(lifted, buoy + 1)
        reach = Tree(before.ways, before.entries)
        steps = [(a, b) for a, b in before.exits if a in reach.came and b in after.onward.came]
        apart = [pair for a, b in steps for pair in pairs_over(before, after, reach.chain(a), b)]
        found = shortest_pair(before, after)
        assert (found is None) == (not steps)
        if found and apart:
            assert not found.shared
            assert found.steps == min(pair.steps for pair in apart)
        elif found:
            assert found.shared
            assert found.steps == min(reach.steps[a] + 1 + after.onward.steps[b] + 1 for a, b in steps)


@few
@given(courses(columns=8, rows=8, land=0.25))
def test_no_other_step_over_the_line_has_a_shorter_pair(course: Course) -> None:
    check_pairs_by_trying_all(Lifted(settle(course)))


@pytest.mark.parametrize(
    ("seed", "size", "land"),
    [(112, 8, 0.25), (310, 9, 0.15), (443, 9, 0.15), (476, 9, 0.15), (590, 9, 0.15), (701, 8, 0.25), (781, 9, 0.15)],
)
def test_courses_where_the_first_pair_found_is_not_the_shortest(seed: int, size: int, land: float) -> None:
    """Rare ones, found by trying some thousand seeds."""
    course = random_course(Random(seed), size, size, land, 1 + seed % 3, 1 + seed % 3)
    check_pairs_by_trying_all(Lifted(settle(course)))


def _begins_at_its_gate(lifted: Lifted, at: Hex, buoy: int) -> bool:
    if buoy == 1:
        return at in lifted.course.strip
    passes = lifted.gates.gates[buoy - 1].passes
    return any(step in lifted.course.water and passes(step, at) for step in at.neighbours())


CANAL = lake_from(
    """
. . . . # # # # # # #
 . . . . # # # . . . #
. . . . . . . . . . .
 . . . . # # # . . . #
. . . . # # # # # # #
"""
)


def test_a_buoy_behind_a_canal_has_no_legs_that_keep_apart() -> None:
    course = settle(course_on(CANAL, "A1", "SE", [("I3", "left")], strip=2))
    lifted = Lifted(course)
    canal = {"E3", "F3", "G3"}
    to, on = legs(lifted)
    assert canal <= {hex_name(at) for at in to.crosses}
    assert canal <= {hex_name(at) for at in lifted.choke}
    assert to.crosses == on.crosses


def test_a_buoy_in_the_open_has_legs_that_keep_apart() -> None:
    sea = lake_from("\n".join(" " * (row & 1) + ". " * 11 for row in range(9)))
    to, on = legs(Lifted(settle(course_on(sea, "B5", "E", [("H5", "left")], strip=2))))
    assert to.crosses == on.crosses == ()


POOL = lake_from(
    """
. . . # . .
 . . # . . .
. . . . . #
 . . # . # .
. . . # # .
"""
)


def test_figures_of_a_lake_by_hand() -> None:
    assert land_share(POOL) == Fraction(7, 30)
    assert [words(passage) for passage in passages(POOL.water)] == ["C3 D3"]
    main, rest = parts(POOL.water)
    assert (len(main), words(rest)) == (21, "F4 F5")
    (bay,) = bays(main)
    assert (hex_name(bay.mouth), words(bay.hexes)) == ("C3", "E1 F1 D2 E2 F2 D3 E3 D4")


def test_straights_by_walking_from_everywhere() -> None:
    water = POOL.water
    best = max(next(k for k in range(99) if at.step(facing, k) not in water) for at in water for facing in Facing)
    rows = longest_straights(water)
    assert {row.length for row in rows} == {best}
    for row in rows:
        assert all(row.first.step(row.facing, k) in water for k in range(best))
        assert row.first.step(row.facing, -1) not in water
        assert row.last == row.first.step(row.facing, best - 1)


@pytest.mark.parametrize(
    ("names", "found"),
    [("A1 B1 C1", ["B1"]), ("A1 B1 A2", []), ("A1 C1", []), ("A1", []), ("A1 B1 C1 D1", ["B1 C1"])],
)
def test_passages_by_hand(names: str, found: list[str]) -> None:
    water = frozenset(map(parse_hex, names.split()))
    assert [words(passage) for passage in passages(water)] == found


def bays_by_closing(water: set[Hex], keep: set[Hex]) -> list[Bay]:
    """Bays by the definition: close every hex, flood what is left, drop the main water and bays inside others."""
    found = []
    for mouth in water:
        around = [part for part in floods(water - {mouth}) if any(distance(mouth, at) == 1 for at in part)]
        pieces = sorted((tuple(by_name(part)) for part in around), key=lambda piece: (-len(piece), piece))
        main = [piece for piece in pieces if keep & set(piece)] or pieces[:1]
        found += [Bay(mouth, piece) for piece in pieces if piece not in main]
    found.sort(key=lambda bay: (-len(bay.hexes), bay))
    covered: set[Hex] = set()
    outer = []
    for bay in found:
        if not covered.issuperset(bay.hexes):
            outer.append(bay)
            covered.update(bay.hexes)
    return outer


@settings(max_examples=200)
@given(st.sets(st.builds(Hex, st.integers(0, 6), st.integers(0, 5))), st.sets(st.integers(0, 20), max_size=3))
def test_bays_of_any_water_by_closing_every_hex(water: set[Hex], places: set[int]) -> None:
    keep = {at for number, at in enumerate(sorted(water)) if number in places}
    assert bays(water, keep) == bays_by_closing(water, keep)
    assert bays(water) == bays_by_closing(water, set())


def test_bays_of_the_largest_board_take_no_time() -> None:
    canal = [Hex(q, 0) for q in range(10_000)]
    began = process_time()
    found = bays(canal)
    assert process_time() - began < 5
    assert [(bay.mouth.q, len(bay.hexes)) for bay in found] == [(4999, 4999), (5000, 4999)]


def test_no_water_at_all() -> None:
    assert (parts(()), passages(frozenset()), bays(()), longest_straights(frozenset())) == ([], [], [], [])
    assert land_share(Lake("none", frozenset(), frozenset())) == 0
