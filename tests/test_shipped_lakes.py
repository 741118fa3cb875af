"""The lakes that ship: what their tiles promise, and that courses can be built on every layout (PB-1, PB-2, PB-6)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from rulekit.files.lake import read_lake
from rulekit.files.source import read_source
from rulekit.graphs.shores import longest_straights, parts, passages
from rulekit.powerboats.box import Box, Layout, Slot
from rulekit.powerboats.lake import Lake, Spot
from rulekit.powerboats.placing import course_on, shuffled_layout
from rulekit.powerboats.route import route

BOXES = ("lagoon", "skerries")
STRIP = 4


def box_of(name: str) -> tuple[Box, Layout]:
    file = read_lake(read_source(name))
    assert file.box is not None
    assert file.layout is not None
    return file.box, file.layout


BOX = {name: box_of(name) for name in BOXES}
SIDES = [(name, tile, light) for name in BOXES for tile in BOX[name][0].tiles for light in (False, True)]


def one_tile(name: str, tile: str, light: bool) -> Lake:
    """A tile's side as a lake of its own."""
    return replace(BOX[name][0], frame=None).lake(((Slot(tile, light=light),),))


def strips_are_free(lake: Lake, letter: str) -> bool:
    """Whether buoy 0 can stand on any spot of a letter, whatever the order of the others."""
    spots = lake.spots_of(letter)
    return all(_strip_is_free(lake, spot, {other.at for other in spots}) for spot in spots)


def _strip_is_free(lake: Lake, spot: Spot, marks: set[object]) -> bool:
    line = [spot.at.step(spot.side, k) for k in range(1, STRIP + 2)]
    return set(line[:STRIP]) <= lake.water and line[STRIP] in lake.water | lake.land and marks.isdisjoint(line)


@pytest.mark.parametrize(("name", "tile", "light"), SIDES)
def test_a_tile_has_its_size_its_letters_and_room_for_their_strips(name: str, tile: str, light: bool) -> None:
    lake = one_tile(name, tile, light)
    assert BOX[name][0].size == (8, 12)
    assert len({spot.letter for spot in lake.spots}) == len(lake.spots) == 2
    assert all(strips_are_free(lake, spot.letter) for spot in lake.spots)


@pytest.mark.parametrize(("name", "tile", "light"), SIDES)
def test_a_tile_has_a_narrow_passage_whatever_lies_beside_it(name: str, tile: str, light: bool) -> None:
    lake = one_tile(name, tile, light)
    around = {step for at in lake.hexes for step in at.neighbours()}.difference(lake.hexes)
    shut, open_ = ({at for found in passages(water) for at in found} for water in (lake.water, lake.water | around))
    assert lake.water & shut & open_


@pytest.mark.parametrize("name", BOXES)
@pytest.mark.parametrize(("light", "least", "most"), [(False, 0.12, 0.16), (True, 0.20, 0.24)])
def test_shares_of_land(name: str, light: bool, least: float, most: float) -> None:
    lakes = [one_tile(name, tile, light) for tile in BOX[name][0].tiles]
    assert least < sum(len(lake.land) for lake in lakes) / sum(len(lake.hexes) for lake in lakes) < most


@pytest.mark.parametrize("name", BOXES)
def test_the_letters_of_a_box(name: str) -> None:
    """The same letters on both sides of a tile, so that every mix of sides shows four of each, on land and in water."""
    dark, light = ([one_tile(name, tile, side) for tile in BOX[name][0].tiles] for side in (False, True))
    for one, other in zip(dark, light, strict=True):
        assert {spot.letter for spot in one.spots} == {spot.letter for spot in other.spots}
    for lakes in (dark, light):
        shown = Counter((spot.letter, spot.at in lake.land) for lake in lakes for spot in lake.spots)
        assert {letter: shown[letter, True] + shown[letter, False] for letter in "ABC"} == {"A": 4, "B": 4, "C": 4}
        assert {ashore for _, ashore in shown} == {True, False}


@pytest.mark.parametrize("name", BOXES)
def test_the_frame_has_water_along_the_tiles_and_land_outside(name: str) -> None:
    frame = BOX[name][0].frame
    assert frame is not None
    ring = {step for at in frame.block for step in at.neighbours()} - frame.block
    assert ring <= frame.water | frame.land
    assert len(ring & frame.water) > 0.8 * len(ring)
    assert frame.land


@pytest.mark.parametrize("name", BOXES)
def test_long_straights_cross_tile_borders(name: str) -> None:
    lake = read_lake(read_source(name)).lake
    for row in longest_straights(lake.water):
        tiles = {lake.tile_of.get(row.first.step(row.facing, k)) for k in range(row.length)} - {None}
        assert len(tiles) >= 2


@pytest.mark.parametrize("name", [*BOXES, "practice"])
def test_all_water_hangs_together(name: str) -> None:
    assert len(parts(read_lake(read_source(name)).lake.water)) == 1


def draws(name: str, number: int) -> Iterator[tuple[Lake, list[Spot]]]:
    """Layouts by lot, each with an order of the spots of one letter."""
    box, layout = BOX[name]
    random = Random(f"layouts of {name}")
    for k in range(number):
        lake = box.lake(shuffled_layout(box, layout, random))
        yield lake, random.sample(lake.spots_of("ABC"[k % 3]), 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOXES)
def test_courses_on_a_thousand_layouts(name: str) -> None:
    """500 layouts of each lake: every strip of every letter is free, and at least 99 courses in 100 can be raced."""
    raced = 0
    for lake, order in draws(name, 500):
        assert all(strips_are_free(lake, letter) for letter in "ABC")
        # One pair of crossings will do: a route over any shows that the course can be raced.
        raced += route(course_on(lake, order, "x")) is not None
    assert raced >= 495
