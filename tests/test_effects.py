"""Expansion tiles: the golden example and a test for each sentence of X1-4 and X1-7 to X1-10, worked out by hand."""

from dataclasses import replace

import pytest
from made_up_tiles import ROCK, WALL, boat, go, hexes, home, sea, told, way

from rulekit.hexgrid import Facing, hex_name, parse_hex
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.effects import without
from rulekit.powerboats.move import landings, legal_facings, move
from rulekit.powerboats.turn import perft
from rulekit.readings import RockDice


def test_golden_example() -> None:
    """Dice 3+3, the second step onto a hex with 1 rock: 1 damage, 4 steps left become 3, one die of 3 goes, speed 3."""
    end = go(sea("low-water F7 NE 1/2/3"), "D7 E 33")
    assert told(end) == "I7 E 3 damage 1"


# X1-4


@pytest.mark.parametrize(("dice", "end"), [("21", "F6 NE 21"), ("2", "F7 NE 2"), ("1", "E7 E 1")])
def test_x1_4_strikes_at_once_in_mid_move_or_at_its_end(dice: str, end: str) -> None:
    assert told(go(sea("maelstrom F7 E left"), f"D7 E {dice}")) == end


def test_x1_4_from_any_side() -> None:
    for side in Facing:
        start = parse_hex("F7").step(side.steer(3))
        end = move(sea(ROCK), Boat(start, side, (1,)), side)
        assert told(end) == f"F7 {side.name} - damage 1"


def test_x1_4_falls_back_along_the_hexes_really_entered() -> None:
    """E7, the maelstrom F7, then NE through F6 to G5; F6 and G5 are taken: back to F7, not over water to the west."""
    end = go(sea("maelstrom F7 E left"), "E7 E 21", taken="F6 G5")
    assert told(end) == "F7 NE 21"


def test_x1_4_carried_hexes_are_really_entered_too() -> None:
    """F7 carries the boat NW to E6; that is taken, so it goes back to F7."""
    assert told(go(sea("current F7 E NW"), "E7 E 1", taken="E6")) == "F7 E 1"
    assert told(go(sea("current F7 E NW"), "E7 E 1", taken="E6 F7")) == "E7 E 1"


def test_x1_4_the_hex_where_it_ends_so_does_not_strike_again() -> None:
    """Back on the rocks of F7: 1 damage, not 2; back on the maelstrom F7, turned there and on F6: not a third time."""
    assert told(go(sea("low-water F7 NE 1/2/3"), "E7 E 3", taken="G7")) == "F7 E - damage 1"
    assert told(go(sea("maelstrom F7 NE left"), "E7 E 2", taken="F6")) == "F7 NW 2"
    end = go(sea("maelstrom F7 E right"), "E7 E 2", taken="F8")
    assert told(end) == "F7 SE 2"


def test_x1_4_what_the_tiles_it_ran_over_did_stands() -> None:
    """Over one rock, then back before it: the damage, the lost die and the facing stay."""
    end = go(sea("low-water F7 NE 1/2/3"), "E7 E 33", taken="F7 G7 H7 I7 J7")
    assert told(end) == "E7 E 3 damage 1"
    end = go(sea("maelstrom F7 E left"), "E7 E 2", taken="F7 F6")
    assert told(end) == "E7 NE 2"


def test_x1_4_rocks_that_bring_the_fourth_counter_sink_at_once() -> None:
    end = go(sea(ROCK), "E7 E 33", damage=3)
    assert (end.sunk, end.boat.damage, hex_name(end.boat.at), end.left_over) == (True, 4, "F7", 4)
    assert way(end) == "E7 F7"


# X1-7


def test_x1_7_carried_one_hex_facing_kept_no_step_spent() -> None:
    end = go(sea("current F7 E NW"), "E7 E 2")
    assert told(end) == "F6 E 2"  # F7, carried to E6, one step left: F6
    assert way(end) == "E7 F7 E6 F6"


def test_x1_7_with_the_stream() -> None:
    """E7 E: F7 carries to G7, that to H7, that to I7: with one step."""
    assert told(go(sea("current F7 E E"), "E7 E 1")) == "I7 E 1"


def test_x1_7_into_another_effect_hex() -> None:
    assert told(go(sea("current F7 NW SE", "low-water F8 SE 2/1/3"), "E7 E 33")) == "I8 E 3 damage 2"
    assert told(go(sea("current F7 E SE", "maelstrom F8 SE right"), "E7 E 1")) == "F8 SE 1"


def test_x1_7_against_a_current_each_step_is_spent_and_undone() -> None:
    """From E7 east onto F7, which flows west: back to E7, three times."""
    end = go(sea("current F7 E W"), "E7 E 3")
    assert told(end) == "E7 E 3"
    assert way(end) == "E7 F7 E7 F7 E7 F7 E7"
    assert end.left_over == 0


def test_x1_7_each_hex_it_is_carried_over_is_a_step_for_gates() -> None:
    """B12 east onto C12, whose current flows SE onto the strip, entered from the north."""
    end = move(home("current C12 NE SE/E/E"), boat("B12 E 1", progress=2), Facing.E)
    assert (hex_name(end.boat.at), end.finished, end.boat.progress) == ("D13", True, 3)
    taken = move(home("current C12 NE SE/E/E"), boat("B12 E 1", progress=2), Facing.E, hexes("D13"))
    assert (told(taken), taken.boat.progress) == ("C12 E 1", 2)


@pytest.mark.parametrize(
    ("tile", "land", "start", "stays"),
    [
        ("current F7 E SE", "F8", "E7 E 1", "F7 E 1"),
        ("current F10 NW E", "", "E10 E 1", "F10 E 1"),  # the buoy G10
        ("current D1 E NE", "", "C1 E 1", "D1 E 1"),  # out of the lake
    ],
)
def test_x1_7_carried_into_an_obstacle_it_stays(tile: str, land: str, start: str, stays: str) -> None:
    assert told(go(sea(tile, land=land), start)) == stays


def test_x1_7_staying_costs_no_further_step() -> None:
    assert told(go(sea("current F7 NW SE", land="F8"), "E7 E 2")) == "G7 E 2"


def test_x1_current_witness() -> None:
    """G7 and H7 flow SE too, onto water: only F7 is blocked. One step of three is made."""
    stays = go(sea("current F7 NW SE", land="F8"), "E7 E 3")
    assert told(stays) == "H7 E 3"
    crash = go(sea("current F7 NW SE", land="F8", readings="x1-current=crash"), "E7 E 3")
    assert told(crash) == "F7 E - damage 1 crashed"


def test_x1_7_a_chain_that_comes_back_stops_there() -> None:
    """F7 carries NW to E6, E6 E to F6, F6 SW back to F7: there it stops, one step made."""
    ring = sea("current F7 E NW", "current D6 E E/E/SW")
    assert [hex_name(at) for at in ring.effects][3:] == ["D6", "E6", "F6"]
    end = go(ring, "E7 E 1")
    assert way(end) == "E7 F7 E6 F6 F7"
    assert told(end) == "F7 E 1"


def test_x1_7_the_hex_where_the_step_began_does_not_count() -> None:
    """E7 is a current itself (flowing NE): carried back onto it from F7 the boat is carried on to E6."""
    waters = sea("current E7 E NE/W/E")
    end = go(waters, "E7 E 1")
    assert way(end) == "E7 F7 E7 E6"
    assert told(end) == "E6 E 1"


def test_x1_7_a_flight_that_comes_back_to_such_a_hex_stops_there() -> None:
    """G7 W onto F7, carried over G7 to the redoubt H7, two flown west: F7 again, where the chain ends."""
    end = go(sea("current E7 E E", "redoubt H7 NE"), "G7 W 2")
    assert (way(end), told(end)) == ("G7 F7 G7 H7 F7", "F7 W 2")


# X1-8


@pytest.mark.parametrize(("spin", "end"), [("left", "G5 NE 3"), ("right", "G9 SE 3")])
def test_x1_8_turned_one_side_and_on_with_the_rest(spin: str, end: str) -> None:
    assert told(go(sea(f"maelstrom F7 E {spin}"), "E7 E 3")) == end


def test_x1_8_the_next_maelstrom_hex_turns_it_again() -> None:
    """F7 turns it to NE, F6 to NW, F5 to W: it goes on to E5."""
    assert told(go(sea("maelstrom F7 E left", "maelstrom F6 NW left"), "E7 E 22")) == "E5 W 22"


def test_x1_8_at_the_end_of_a_move() -> None:
    assert told(go(sea("maelstrom F7 E right"), "E7 E 1")) == "F7 SE 1"


# X1-9


@pytest.mark.parametrize(
    ("rocks", "start", "end"),
    [
        (1, "E7 E 33", "J7 E 3 damage 1"),  # 5 left, 4 after the rock
        (2, "E7 E 33", "I7 E 3 damage 2"),
        (3, "E7 E 33", "H7 E 3 damage 3"),
        (3, "E7 E 3", "F7 E - damage 3"),  # not below 0
        (2, "E7 E 1", "F7 E - damage 2"),  # total below k: all dice go
    ],
)
def test_x1_9_damage_steps_and_dice(rocks: int, start: str, end: str) -> None:
    assert told(go(sea(f"low-water F7 NE {rocks}/1/1"), start)) == end


def test_x1_9_each_hex_with_rocks_strikes() -> None:
    """1 + 2 rocks on the way: 5 left, 4; 3, 1; then the hex of 3 rocks sinks it."""
    end = go(sea(ROCK), "E7 E 222")
    assert (told(end), end.left_over) == ("H7 E 2 damage 6 sunk", 0)


@pytest.mark.parametrize(
    ("hand", "rocks", "left"),
    [
        ((3, 3), 1, (3,)),
        ((3, 1), 1, (3,)),
        ((3, 2), 1, (3,)),
        ((3, 2, 1), 3, (2, 1)),  # the 3 alone: as many pips as 2 + 1, fewer dice
        ((2, 2), 3, ()),
        ((2, 2, 1), 3, (2,)),
        ((2, 1, 1), 2, (1, 1)),
        ((3, 1, 1), 2, (3,)),
        ((1, 1), 3, ()),
        ((3, 3, 3), 3, (3, 3)),
        ((), 2, ()),
    ],
)
def test_x1_9_the_cheapest_dice_go(hand: tuple[int, ...], rocks: int, left: tuple[int, ...]) -> None:
    assert without(hand, rocks) == left


def test_x1_dice_witness() -> None:
    """Two pips of 2, 1, 1: the die of 2, or both of 1."""
    assert told(go(sea("low-water F7 NE 2/1/1"), "E7 E 211")) == "G7 E 11 damage 2"
    most = sea("low-water F7 NE 2/1/1", readings="x1-dice=most-dice")
    assert told(go(most, "E7 E 211")) == "G7 E 2 damage 2"
    assert without((3, 2, 1), 3, RockDice.MOST) == (3,)


# X1-10


def test_x1_10_a_direction_allows_the_total_if_no_step_is_left_over() -> None:
    """Three ahead lies land, but the maelstrom before it turns the boat away: straight allows the total."""
    waters = sea("maelstrom F7 E left", land="G7")
    assert Facing.E in legal_facings(waters, boat("E7 E 3"))
    assert Facing.E not in legal_facings(sea(land="G7"), boat("E7 E 3"))


def test_x1_10_the_bare_water_may_allow_what_the_tile_forbids() -> None:
    """The maelstrom turns the boat against land: straight is forbidden although the row is clear."""
    waters = sea("maelstrom F7 E left", land="F6")
    assert legal_facings(waters, boat("E7 E 3")) == (Facing.NE, Facing.SE)


def test_x1_path_witness() -> None:
    plain = sea("maelstrom F7 E left", land="F6", readings="x1-path=plain")
    assert legal_facings(plain, boat("E7 E 3")) == (Facing.NE, Facing.E, Facing.SE)
    away = sea("maelstrom F7 E left", land="G7", readings="x1-path=plain")
    assert legal_facings(away, boat("E7 E 3")) == (Facing.NE, Facing.SE)


def test_x1_10_the_longest_path_has_the_fewest_steps_left_over() -> None:
    """Land after one hex to the left and right; straight, a current carries the boat on without a step.

    T = 6 from E7: left E6 (5 left over), right E8 (5); straight F7 carries to I7, J7 by the second step: 4 left over.
    """
    waters = sea("current F7 E E", land="F5 F9 K7")
    assert legal_facings(waters, boat("E7 E 33")) == (Facing.E,)
    (only,) = landings(waters, boat("E7 E 33"))
    assert (told(only), only.left_over) == ("J7 E - damage 4 crashed sunk", 4)


def test_x1_10_left_over_steps_at_an_obstacle_are_damage() -> None:
    waters = sea("current F7 E E", land="F5 F9 K7")
    (only,) = landings(waters, boat("E7 E 3"))
    assert (told(only), only.left_over) == ("J7 E - damage 1 crashed", 1)


def test_x1_10_a_flight_that_ends_out_has_all_flown_steps_left_over() -> None:
    """Four flown from F7: 4 left over. Left and right are worse only when they leave five."""
    waters = sea(WALL, land="J7")
    assert go(waters, "E7 E 3").left_over == 4
    assert legal_facings(waters, boat("E7 E 3")) == (Facing.NE, Facing.SE)


def test_x1_10_such_a_flight_is_compulsory_only_where_others_are_no_better() -> None:
    """T = 3: the flight leaves 4; blocked left and right leave 3 each, so the flight is not even allowed."""
    waters = sea(WALL, land="J7 E6 E8")
    assert legal_facings(waters, boat("E7 E 3")) == (Facing.NE, Facing.SE)
    assert go(waters, "E7 E 2").left_over == 0
    equal = sea(WALL, land="H7 E6 E8")
    assert (go(equal, "E7 E 2").left_over, legal_facings(equal, boat("E7 E 2"))) == (
        2,
        (Facing.NE, Facing.E, Facing.SE),
    )


def test_x1_10_steps_left_when_rocks_sank_it_are_left_over() -> None:
    waters = sea("low-water F7 E 2/1/1")
    weak = replace(boat("E7 E 33"), damage=2)
    assert move(waters, weak, Facing.E).left_over == 3  # 6, 5 after the step, 3 after the rocks
    assert legal_facings(waters, weak) == (Facing.NE, Facing.SE)
    assert legal_facings(waters, boat("E7 E 33")) == (Facing.NE, Facing.E, Facing.SE)


def test_x1_10_boats_are_ignored_by_the_test() -> None:
    """A boat on the landing hex puts the flier on land, and still the direction is allowed."""
    waters = sea(WALL, land="I7")
    ends = {end.steer: end for end in landings(waters, boat("D7 E 31"), hexes("J7"))}
    assert set(ends) == {Facing.NE, Facing.E, Facing.SE}
    assert ends[Facing.E].sunk


# Composition


X1_READINGS = ("x1-border=stop", "x1-current=crash", "x1-path=plain", "x1-dice=most-dice")


@pytest.mark.parametrize("start", ["E7 E 21", "B2 W 3", "N12 SE 32", "F10 E 11"])
def test_a_bare_course_under_expansion_rules_gives_the_base_counts(start: str) -> None:
    own = boat(start)
    counts = {perft(sea(readings=reading, land="E5 H7"), own, 1) for reading in ("", *X1_READINGS)}
    assert len(counts) == 1
    far = sea("low-water A1 E 1/2/3", "redoubt A3 E", land="E5 H7")
    if start != "B2 W 3":
        assert perft(far, own, 1) in counts
