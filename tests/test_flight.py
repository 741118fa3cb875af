"""Redoubts: a test for each sentence of X1-5 and X1-6, worked out by hand."""

import pytest
from made_up_tiles import WALL, boat, go, hexes, home, sea, told, way

from rulekit.hexgrid import Facing, hex_name, parse_hex
from rulekit.powerboats.dice import choices
from rulekit.powerboats.move import landings, legal_facings, move
from rulekit.powerboats.turn import outcomes

# X1-5


def test_x1_5_twice_the_steps_left_straight_on() -> None:
    assert told(go(sea(WALL), "D7 E 31")) == "J7 E 31"  # two steps to F7, four flown
    assert told(go(sea(WALL), "D7 E 21")) == "H7 E 21"


def test_x1_5_from_any_side_the_way_it_faces() -> None:
    assert told(go(sea("redoubt F7 E"), "E8 NE 11")) == "G5 NE 11"


def test_x1_5_islands_count_as_steps_and_do_no_harm() -> None:
    assert told(go(sea(WALL, land="G7 H7 I7"), "D7 E 31")) == "J7 E 31"


@pytest.mark.parametrize(
    ("under", "end"),
    [
        ("low-water H7 NE 1/2/3", "H7 E 2 damage 1"),
        ("low-water H7 NE 3/2/1", "H7 E - damage 3"),
        ("current H7 NE SE", "H8 E 21"),
        ("maelstrom H7 NE right", "H7 SE 21"),
    ],
)
def test_x1_5_the_landing_strikes(under: str, end: str) -> None:
    assert told(go(sea(WALL, under), "D7 E 21")) == end


@pytest.mark.parametrize(
    ("tiles", "land", "start", "last"),
    [
        ([WALL], "H7", "D7 E 21", "H7"),
        ([WALL, "redoubt H7 NE"], "", "D7 E 21", "H7"),
        (["redoubt E10 NW"], "", "D10 E 11", "G10"),  # the buoy
        (["redoubt L7 NE"], "", "K7 E 31", "R7"),
        (["redoubt F7 E"], "", "E7 E 11", "H7"),  # another hex of the same tile
    ],
)
def test_x1_5_landing_on_anything_but_water_is_out(tiles: list[str], land: str, start: str, last: str) -> None:
    end = go(sea(*tiles, land=land), start)
    assert (end.sunk, end.boat.damage, end.boat.hand, end.finished) == (True, 4, (), False)
    assert hex_name(end.boat.at) == last


def test_x1_5_out_with_damage_or_another_limit() -> None:
    """Out is out, whatever the boat can bear."""
    end = go(sea(WALL, land="H7", readings="sink-at=9"), "D7 E 21", damage=1)
    assert (end.sunk, end.boat.damage) == (True, 5)


def test_x1_border_witness() -> None:
    """From L7 six hexes east; the lake ends at N7."""
    assert go(sea("redoubt L7 NE"), "K7 E 31").sunk
    assert told(go(sea("redoubt L7 NE", readings="x1-border=stop"), "K7 E 31")) == "N7 E 31"
    assert told(go(sea("redoubt L7 NE", land="N7", readings="x1-border=stop"), "K7 E 31")) == "M7 E 31"
    assert go(sea("redoubt N7 NW", readings="x1-border=stop"), "M7 E 31").sunk  # no water behind the redoubt
    assert go(sea(WALL, land="H7", readings="x1-border=stop"), "D7 E 21").sunk  # land in the lake stays land


def test_x1_5_landing_on_a_boat_one_hex_back_along_the_flight() -> None:
    assert told(go(sea(WALL), "D7 E 31", taken="J7")) == "I7 E 31"
    assert told(go(sea(WALL), "D7 E 31", taken="J7 I7")) == "H7 E 31"
    assert told(go(sea(WALL), "D7 E 31", taken="I7")) == "J7 E 31"


@pytest.mark.parametrize(
    ("tiles", "land", "taken", "dice"),
    [
        ([WALL], "I7", "J7", "31"),
        ([WALL, "redoubt I7 NE"], "", "J7", "31"),
        ([WALL], "", "J7 I7 H7 G7", "31"),  # back to where it took off
        ([WALL], "", "G7 H7", "21"),
    ],
)
def test_x1_5_back_on_land_or_a_redoubt_is_out(tiles: list[str], land: str, taken: str, dice: str) -> None:
    end = go(sea(*tiles, land=land), f"D7 E {dice}", taken=taken)
    assert (end.sunk, end.boat.damage) == (True, 4)


def test_x1_5_back_on_a_buoy_is_out() -> None:
    assert go(sea("redoubt E10 NW"), "C10 E 22", taken="I10").boat.at == parse_hex("H10")
    assert go(sea("redoubt E10 NW"), "C10 E 22", taken="I10 H10").sunk


def test_x1_5_back_on_a_tile_strikes() -> None:
    assert told(go(sea(WALL, "low-water I7 NE 1/1/1"), "D7 E 31", taken="J7")) == "I7 E 3 damage 1"
    assert told(go(sea(WALL, "current I7 NE SE"), "D7 E 31", taken="J7")) == "I8 E 31"


def test_x1_5_a_boat_carried_onto_a_redoubt_flies_the_way_it_faces() -> None:
    """F7 carries it NE to F6; with two steps left it flies four hexes east from there."""
    end = go(sea("current F7 E NE", "redoubt F6 NW"), "E7 E 21")
    assert told(end) == "J6 E 21"
    assert way(end) == "E7 F7 F6 J6"


def test_x1_5_hexes_flown_over_have_no_effect() -> None:
    assert told(go(sea(WALL, "low-water G7 E 1/2/3"), "D7 E 31")) == "J7 E 31"
    assert told(go(sea(WALL, "redoubt G7 E"), "D7 E 31")) == "J7 E 31"


def test_x1_5_gates_flown_over_count_step_by_step() -> None:
    """B9, the redoubt B10 and a flight SE: C11, C12, D13. The strip is entered from the north: finished, then out."""
    end = move(home("redoubt C10 W"), boat("B9 SE 3", progress=2), Facing.SE)
    assert (end.finished, end.sunk) == (True, True)
    end = move(home("redoubt C11 W"), boat("B9 SE 21", progress=2), Facing.SE)
    assert (hex_name(end.boat.at), end.finished, end.sunk) == ("D13", True, False)


def test_x1_5_gates_count_over_land_too() -> None:
    """The line of the buoy G10 leads away from the strip's middle; on row 7 it lies between K7 and L7.

    N7 W: the redoubt M7, then L7 and K7 in flight. The buoy is rounded, over an island too.
    """
    for land in ("", "L7"):
        end = go(sea("redoubt M7 NE", land=land), "N7 W 11")
        assert (told(end), end.boat.progress) == ("K7 W 11", 2)
    assert go(sea("redoubt L7 NE"), "M7 W 1").boat.progress == 1


def test_x1_5_flying_over_a_buoys_own_hex_rounds_nothing() -> None:
    """From H10 over the buoy G10 to F10: from one side of its line to the other, but not round it."""
    end = go(sea("redoubt H10 NE"), "I10 W 11")
    assert (told(end), end.boat.progress) == ("F10 W 11", 1)


def test_x1_5_gates_count_only_to_the_landing() -> None:
    """The finish lies under the flight, but the boat goes back before it: not finished (PB-19)."""
    end = move(home("redoubt C11 W"), boat("B9 SE 21", progress=2), Facing.SE, hexes("D13"))
    assert (told(end), end.boat.progress) == ("C12 SE 21", 2)


# X1-6


def test_x1_6_a_move_that_ends_on_a_redoubt_binds() -> None:
    end = go(sea(WALL), "D7 E 2")
    assert told(end) == "F7 E 2"
    assert legal_facings(sea(WALL), end.boat) == (Facing.E,)


def test_x1_6_the_next_total_is_doubled_and_flown() -> None:
    (only,) = landings(sea(WALL), boat("F7 E 21"))
    assert told(only) == "L7 E 21"
    assert landings(sea(WALL, land="L7"), boat("F7 E 21"))[0].sunk


def test_x1_6_after_the_usual_dice_choice() -> None:
    bound = boat("F7 E 21")
    found = list(outcomes(sea(WALL), bound))
    assert [choice for choice, _ in found] == list(choices((2, 1), OPEN_READINGS))
    assert {len(legal) for _, thrown in found for _, legal in thrown} == {1}


OPEN_READINGS = sea().readings


def test_x1_6_with_total_0_it_stays_and_is_bound_as_long_as_it_stands_there() -> None:
    waters = sea(WALL)
    (only,) = landings(waters, boat("F7 E -"))
    assert told(only) == "F7 E -"
    (again,) = landings(waters, only.boat)
    assert told(again) == "F7 E -"


def test_x1_6_a_boat_carried_onto_a_redoubt_with_its_last_step_is_bound() -> None:
    """The current F7 carries it to the redoubt F6."""
    waters = sea("current F7 E NE", "redoubt F6 NW")
    end = go(waters, "D7 E 2")
    assert told(end) == "F6 E 2"
    assert legal_facings(waters, end.boat) == (Facing.E,)
