"""Placing the expansion tiles: a test for each sentence of X1-2 and X1-3, and many seeds."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from board_text import source_of
from made_up import course_on, lake_from

from rulekit.files.course import read_course
from rulekit.files.lake import read_lake
from rulekit.files.source import read_source
from rulekit.files.write import CourseText, tiling_remarks
from rulekit.hexgrid import Facing, Side, hex_name, parse_facing, parse_hex
from rulekit.powerboats import placing
from rulekit.powerboats.check import check
from rulekit.powerboats.course import Course, TileKind
from rulekit.powerboats.lake import Lake, Spot
from rulekit.powerboats.placing import spots_for
from rulekit.powerboats.tiling import BOX, Clashing, Tiling, free_spots, land_first, lay_tiles, ways
from rulekit.readings import PowerboatsReadings

USUAL = Counter({TileKind.REDOUBT: 2, TileKind.CURRENT: 2, TileKind.MAELSTROM: 2, TileKind.LOW_WATER: 1})
ERROR = PowerboatsReadings.parse(["x1-clash=error"])

SEA = lake_from("\n".join((" " if row % 2 else "") + " ".join("." * 16) for row in range(16)))


def sea(*spots: str, land: str = "") -> Course:
    """A course along the bottom of open water; spots as `letter hex side tile`, land as hexes."""
    ground = frozenset(map(parse_hex, land.split()))
    told = [Spot(letter, parse_hex(at), parse_facing(side), tile) for letter, at, side, tile in map(str.split, spots)]
    lake = Lake("sea", SEA.water - ground, SEA.land | ground, tuple(told))
    return replace(course_on(lake, "A16", "E", [("O15", "left")]), lake=lake)


def tiles_of(tiling: Tiling) -> list[tuple[str, ...]]:
    return [tuple(map(hex_name, tile.hexes)) for tile in tiling.tiles]


def on_lake(name: str, random: Random, letter: str) -> Course:
    """A course with the buoys in any order."""
    lake = read_lake(read_source(name)).lake
    spots = list(spots_for(lake, letter))
    random.shuffle(spots)
    return placing.course_on(lake, spots, "x")


def test_x1_1_the_box() -> None:
    assert Counter(printed.kind for printed in BOX) == USUAL
    assert {printed.spin for printed in BOX} == {None, Side.LEFT, Side.RIGHT}


@pytest.mark.parametrize("name", ["lagoon", "skerries"])
def test_x1_2_seven_spots_remain(name: str) -> None:
    """12 less the 4 with buoys are 8; the one on the lake tile of buoy 0's spot is left out."""
    course = on_lake(name, Random(1), "B")
    free = free_spots(course)
    zero = next(spot.tile for spot in course.lake.spots if spot.at == course.start_buoy)
    assert len(course.lake.spots) == 12
    assert len(free) == 7
    assert {spot.letter for spot in free} == {"A", "C"}
    assert zero not in {spot.tile for spot in free}


def test_x1_2_a_tile_starts_over_the_side_of_the_letter() -> None:
    (way,) = tiles_of(lay_tiles(sea("B C5 NE 1"), Random(0)))
    assert way == ("C4", "D3", "D2")


def test_x1_3_land_letters_are_served_before_water_letters() -> None:
    course = sea("B A1 SE 1", "B C1 SE 2", "B F5 E 1", "B I1 SE 3", land="F5 C1")
    assert [hex_name(spot.at) for spot in land_first(course, free_spots(course))] == ["C1", "F5", "A1", "I1"]


def test_x1_3_a_water_letters_tile_that_would_cross_is_shifted_by_three() -> None:
    course = sea("B E5 E 1", "C G3 SW 2", land="E5")
    first, second = lay_tiles(course, Random(0)).laid
    assert (hex_name(first.spot.at), first.shifted) == ("E5", False)
    assert [hex_name(at) for at in first.tile.hexes] == ["F5", "G5", "H5"]
    assert [hex_name(at) for at in ways(second.spot)[0]] == ["F4", "F5", "E6"]
    assert (second.shifted, [hex_name(at) for at in second.tile.hexes]) == (True, ["G3", "G2", "H1"])
    assert second.tile.hexes == tuple(at.step(Facing.NE, 3) for at in reversed(ways(second.spot)[0]))


@pytest.mark.parametrize(
    ("spot", "reason"),
    [
        ("C E5 E 1", "land on F5"),
        ("C A9 W 1", "the edge of the lake"),
        ("C C15 SW 1", "the start strip on B16"),
        ("C N15 E 1", "the buoy on O15"),
    ],
)
def test_x1_3_whatever_lies_in_the_way_shifts_a_tile(spot: str, reason: str) -> None:
    (laid,) = lay_tiles(sea(spot, land="F5"), Random(0)).laid
    assert laid.shifted
    on_land = lay_tiles(sea(spot, land=f"F5 {spot.split()[1]}"), Random(0))
    (left,) = (one for one in on_land.left_out if one.spot)
    assert left.reason == f"it would cross {reason}, and the letter's own hex is land (X1-3)"


def test_x1_clash_left_out_is_reported() -> None:
    course = sea("B E5 E 1", "C G3 SW 2", land="E5 G2")
    tiling = lay_tiles(course, Random(0))
    assert len(tiling.laid) == 1
    (clash,) = (one for one in tiling.left_out if one.spot)
    assert clash.spot is not None
    assert hex_name(clash.spot.at) == "G3"
    assert clash.reason.startswith("it would cross the ")
    assert clash.reason.endswith(" tile on F5 one way and land on G2 the other (X1-3)")
    assert f"the {clash.kind.value} tile of the spot @2C (G3) is left out: {clash.reason}" in tiling_remarks(tiling)


def test_x1_clash_error_witness() -> None:
    course = sea("B E5 E 1", "C G3 SW 2", land="E5 G2")
    with pytest.raises(Clashing, match=r"no room at the spot on G3: it would cross the .* tile on F5") as raised:
        lay_tiles(course, Random(0), ERROR)
    assert raised.value.exit_code == 1
    assert lay_tiles(sea("B E5 E 1"), Random(0), ERROR).laid


def test_which_tile_where_and_which_way_round_is_drawn() -> None:
    """On one course every tile comes to every spot, and both ways round about equally often."""
    course = on_lake("lagoon", Random(3), "A")
    where: Counter[tuple[object, ...]] = Counter()
    away: Counter[bool] = Counter()
    outwards: Counter[bool] = Counter()
    for seed in range(700):
        for laid in lay_tiles(course, Random(seed)).laid:
            where[laid.spot, laid.tile.kind] += 1
            if laid.tile.flow:
                away[laid.tile.flow[0] == laid.spot.side] += 1
            if laid.tile.rocks:
                outwards[laid.tile.rocks == (1, 2, 3)] += 1
    assert len(where) == 7 * 4
    for (_, kind), count in where.items():
        expected = 100 * USUAL[kind]  # type: ignore[index]
        assert abs(count - expected) < 5 * expected**0.5
    assert abs(away[True] - 700) < 5 * 350**0.5
    assert abs(outwards[True] - 350) < 5 * 175**0.5


def one_of(kind: TileKind) -> Callable[[Course], set[tuple[object, ...]]]:
    """What the tile of a kind shows on the sea's one spot, over many seeds."""

    def shown(course: Course) -> set[tuple[object, ...]]:
        tiles = [lay_tiles(course, Random(seed)).tiles[0] for seed in range(300)]
        return {(*tile.flow, *tile.spin, *tile.rocks) for tile in tiles if tile.kind is kind}

    return shown


def test_x1_3_as_drawn() -> None:
    """Flow along the strip, one way or the other; one maelstrom left, one right; rocks 1, 2, 3 or 3, 2, 1."""
    course = sea("B E5 NE 1")
    assert one_of(TileKind.CURRENT)(course) == {(Facing.NE,) * 3, (Facing.SW,) * 3}
    assert one_of(TileKind.MAELSTROM)(course) == {(Side.LEFT,) * 3, (Side.RIGHT,) * 3}
    assert one_of(TileKind.LOW_WATER)(course) == {(1, 2, 3), (3, 2, 1)}
    assert one_of(TileKind.REDOUBT)(course) == {()}


EIGHT = ["B2", "G2", "L2", "B4", "G4", "L4", "B6", "G6"]


def test_more_spots_than_tiles() -> None:
    """A lake without tiles leaves 8 spots free: one of them, drawn, stays empty, and the report says so."""
    assert len(free_spots(on_lake("practice", Random(2), "A"))) == 8
    course = sea(*(f"B {at} E {tile}" for tile, at in enumerate(EIGHT)))
    tilings = [lay_tiles(course, Random(seed)) for seed in range(60)]
    assert {len(tiling.laid) for tiling in tilings} == {7}
    assert {hex_name(spot.at) for tiling in tilings for spot in tiling.empty} == set(EIGHT)
    assert [len(tiling.empty) for tiling in tilings] == [1] * 60
    (remark,) = tiling_remarks(tilings[0])
    (spot,) = tilings[0].empty
    assert (
        remark
        == f"the spot @{spot.tile}B ({hex_name(spot.at)}) stays empty: there are more free spots than tiles (X1-2)"
    )


def test_a_tile_without_room_takes_a_spot_to_spare() -> None:
    """Eight land spots; one is hemmed in by land: no seed leaves a tile out, and that spot always stays empty."""
    spots = [f"B {at} E {tile}" for tile, at in enumerate(EIGHT)]
    course = sea(*spots, land="B2 G2 L2 B4 G4 L4 B6 G6 C4")
    for seed in range(30):
        tiling = lay_tiles(course, Random(seed), ERROR)
        assert (len(tiling.laid), [hex_name(spot.at) for spot in tiling.empty]) == (7, ["B4"])


def test_fewer_spots_than_tiles() -> None:
    tiling = lay_tiles(sea("B E5 E 1", "B C9 E 2"), Random(0))
    assert (len(tiling.laid), len(tiling.left_out), tiling.empty) == (2, 5, ())
    assert Counter(tile.kind for tile in tiling.tiles) + Counter(one.kind for one in tiling.left_out) == USUAL
    assert all("left out: no spot is left for it (X1-2)" in remark for remark in tiling_remarks(tiling))


def test_a_lake_without_spots_gets_no_tiles() -> None:
    assert lay_tiles(sea(), Random(0)).laid == ()


@pytest.mark.parametrize("name", ["lagoon", "skerries", "practice"])
def test_tiles_of_many_seeds_are_valid(name: str) -> None:
    lake = read_lake(read_source(name)).lake
    for seed in range(40):
        letter = "ABC"[seed % 3]
        spots = list(spots_for(lake, letter))
        Random(seed).shuffle(spots)
        course = placing.course_on(lake, spots, "x")
        tiling = lay_tiles(course, Random(seed))
        assert len(tiling.laid) + len(tiling.left_out) == 7
        assert len(tiling.laid) == 7 or name == "practice"
        covered = [at for tile in tiling.tiles for at in tile.hexes]
        assert len(set(covered)) == 3 * len(tiling.tiles)
        assert set(covered) <= course.water - set(course.strip)


@pytest.mark.parametrize(("name", "seed"), [("lagoon", 4), ("skerries", 5), ("practice", 6), ("practice", 7)])
def test_written_tiles_are_read_back_and_judged_clean(name: str, seed: int) -> None:
    course = on_lake(name, Random(seed), "C")
    tiling = lay_tiles(course, Random(seed))
    course = replace(course, tiles=tiling.tiles)
    spots = {spot.at: spot for spot in course.lake.spots}
    order = [spots[course.start_buoy], *(spots[buoy.at] for buoy in course.buoys)]
    file = read_course(source_of(str(CourseText(course, name, "made", order, "C", tiling=tiling))))
    assert file.course.tiles == tiling.tiles
    assert {fault.code for fault in file.faults} <= {"expansion-count"}
    assert [finding for finding in check(file.course, "C") if finding.where.startswith("expansion")] == []
