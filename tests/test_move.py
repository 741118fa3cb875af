"""A boat's move: the golden examples, one test a rule, and moves whose answers come from an independent program."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from made_up import course_on, lake_from

from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.hexgrid import Facing, Hex, Side, hex_name, parse_facing, parse_hex
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.course import Course
from rulekit.powerboats.dice import Choice, as_hand
from rulekit.powerboats.move import clear_water, landings, legal_facings, move
from rulekit.powerboats.route import settle
from rulekit.powerboats.turn import outcomes, throws
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings

CASES = Path(__file__).parent / "cases" / "moves"
EXPECTED = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))


def waters(course: Course, *readings: str) -> Waters:
    return Waters(settle(course), PowerboatsReadings.parse(readings))


def handed(name: str) -> Waters:
    return waters(read_course(read_source(str(CASES / name))).course)


@pytest.fixture(scope="module")
def handed_waters() -> dict[str, Waters]:
    return {name: handed(name) for name in sorted({case["course"] for case in EXPECTED})}


def boat(at: str, facing: str, dice: str = "", progress: int = 1, damage: int = 0) -> Boat:
    """A boat by names; dice as digits."""
    return Boat(parse_hex(at), parse_facing(facing), as_hand(map(int, dice)), progress, damage)


def told(landing: Landing) -> tuple[str, str]:
    return hex_name(landing.boat.at), landing.boat.facing.name


@pytest.mark.parametrize("case", EXPECTED, ids=lambda case: f"{case['id']}-{case['course']}")
def test_moves_of_an_independent_program(handed_waters: dict[str, Waters], case: dict) -> None:  # type: ignore[type-arg]
    """250 moves of random matches on bare lakes and among expansion tiles, computed by another program."""
    told_boat = case["boats"][case["seat"]]
    hand = as_hand(case["throw"]["keep"] + case["throw"]["rolled"])
    mover = boat(told_boat["at"], told_boat["facing"], "", told_boat["progress"], told_boat["damage"])
    taken = {parse_hex(other["at"]) for seat, other in enumerate(case["boats"]) if seat != case["seat"]}
    legal = {
        landing.steer: landing for landing in landings(handed_waters[case["course"]], replace(mover, hand=hand), taken)
    }
    steer = {"left": mover.facing.steer(1), "straight": mover.facing, "right": mover.facing.steer(-1)}
    assert set(legal) == {steer[word] for word in case["legal"]}
    landing, after = legal[steer[case["take"]]], case["after"]
    assert landing.boat.damage == after["damage"]
    assert (landing.finished, landing.sunk and not landing.finished) == (
        after["status"] == "finished",
        after["status"] == "sunk",
    )
    if after["status"] == "racing":
        assert told(landing) == (after["at"], after["facing"])
        assert landing.boat.hand == as_hand(after["dice"])
        assert landing.boat.progress == after["progress"]


OPEN = course_on(
    lake_from("\n".join((" " if row % 2 else "") + " ".join("." * 14) for row in range(13))),
    "A13", "E", [("G10", "left")], strip=4,
)  # fmt: skip
"""A lake without land; the strip lies along the bottom."""


def with_land(*hexes: Hex) -> Course:
    """The open lake with land on some hexes."""
    land = frozenset(hexes)
    return replace(OPEN, lake=replace(OPEN.lake, water=OPEN.lake.water - land, land=land))


def hemmed_in(start: Boat, **clear: int) -> Waters:
    """The open lake with so much clear water left, straight and right of a boat, then land."""
    steers = {"left": 1, "straight": 0, "right": -1}
    return waters(with_land(*(start.at.step(start.facing.steer(steers[way]), far + 1) for way, far in clear.items())))


def test_golden_1_the_number_of_dice_grows() -> None:
    """Dice 3,2: keep the 3, re-roll the 2, add one; the two roll 1 and 3: speed 7."""
    lake = waters(OPEN)
    hands = {thrown.hand for _, thrown in throws(lake, boat("A7", "E", "32"), Choice((3,), 2))}
    assert (3, 3, 1) in hands
    (ahead,) = (end for end in landings(lake, boat("A7", "E", "331")) if end.steer is Facing.E)
    assert told(ahead) == ("H7", "E")


def test_golden_2_only_the_direction_that_allows_the_total() -> None:
    """T = 7; w(left) = 0, w(straight) = 6, w(right) >= 7: only right is legal."""
    start = boat("C4", "E", "331")
    lake = hemmed_in(start, left=0, straight=6)
    assert clear_water(lake, start.at, Facing.SE) >= 7
    assert legal_facings(lake, start) == (Facing.SE,)


def test_golden_3_crash_on_the_longest_path() -> None:
    """T = 5, longest path 3 (right only): moves 3, 2 damage, no dice left."""
    start = boat("C4", "E", "32")
    (only,) = landings(hemmed_in(start, left=0, straight=2, right=3), start)
    assert (told(only), only.boat.damage, only.boat.hand, only.crashed) == (("E7", "SE"), 2, (), True)


def test_golden_4_behind_a_boat() -> None:
    """Dice 3,2,1: remove the 3: T = 3. A boat stands 3 ahead: ends 2 ahead, no damage, dice still 2,1."""
    ahead = move(waters(OPEN), boat("C4", "E", "21"), Facing.E, {parse_hex("F4")})
    assert (told(ahead), ahead.boat.damage, ahead.boat.hand) == (("E4", "E"), 0, (2, 1))


def test_golden_5_boats_are_passed_freely() -> None:
    """T = 5 passes two boats and ends 5 ahead."""
    ahead = move(waters(OPEN), boat("C4", "E", "32"), Facing.E, {parse_hex("D4"), parse_hex("F4")})
    assert told(ahead) == ("H4", "E")


def test_golden_6_crash_and_boat_together() -> None:
    """T = 3, w = 2 in all three directions, a boat on the second hex ahead: 1 damage, ends 1 ahead, no dice."""
    start = boat("D7", "E", "3")
    lake = hemmed_in(start, left=2, straight=2, right=2)
    ahead = {end.steer: end for end in landings(lake, start, {parse_hex("F7")})}
    assert set(ahead) == {Facing.E, Facing.NE, Facing.SE}
    end = ahead[Facing.E]
    assert (told(end), end.boat.damage, end.boat.hand, end.crashed) == (("E7", "E"), 1, (), True)


def finish_course() -> Waters:
    """One buoy in the middle of the left, the strip upright below it, to be crossed eastwards at the finish."""
    return waters(replace(OPEN, start=Side.LEFT, finish=Side.LEFT))


def test_golden_7_the_finish_is_reached_or_passed() -> None:
    """Dice untouched, the strip 4 ahead: finished. With too high a total straight ahead, a clear left is compulsory."""
    lake = finish_course()
    behind = move(lake, boat("C13", "NW", "1"), Facing.NW)
    assert behind.boat.at not in lake.course.strip
    ahead = boat("D9", "SE", "31", progress=lake.last - 1)
    upward = replace(lake.course, finish=Side.RIGHT)
    over = move(Waters(upward, lake.readings), ahead, Facing.SE)
    assert (hex_name(over.boat.at), over.crashed, over.finished) == ("E12", True, False)
    ahead = boat("B9", "SE", "31", progress=lake.last - 1)
    done = move(Waters(upward, lake.readings), ahead, Facing.SE)
    assert (hex_name(done.boat.at), done.finished, done.boat.progress) == ("D13", True, lake.last)
    too_fast = boat("B9", "SE", "321", progress=lake.last - 1)
    assert Facing.SE not in legal_facings(Waters(upward, lake.readings), too_fast)


def test_pb_16_17_a_boat_without_dice_turns_or_stays() -> None:
    ends = landings(waters(OPEN), boat("C4", "E"))
    assert [(told(end), end.boat.hand) for end in ends] == [(("C4", side), ()) for side in ("NE", "E", "SE")]


def test_pb_19_the_own_hex_at_worst() -> None:
    ahead = move(waters(OPEN), boat("C4", "E", "2"), Facing.E, {parse_hex("D4"), parse_hex("E4")})
    assert told(ahead) == ("C4", "E")
    assert ahead.boat.hand == (2,)


def test_pb_19_gates_count_only_as_far_as_the_boat_ends() -> None:
    lake = Waters(replace(finish_course().course, finish=Side.RIGHT))
    start = boat("B9", "SE", "31", progress=lake.last - 1)
    back = move(lake, start, Facing.SE, {parse_hex("D13")})
    assert (told(back), back.finished, back.boat.progress) == (("C12", "SE"), False, lake.last - 1)


def test_pb_21_22_a_boat_that_sinks_behind_the_line_has_finished() -> None:
    lake = Waters(replace(finish_course().course, finish=Side.RIGHT))
    sunk = move(lake, boat("B9", "SE", "33", progress=lake.last - 1, damage=2), Facing.SE)
    assert (sunk.finished, sunk.sunk, sunk.crashed, sunk.boat.damage) == (True, True, True, 4)


@pytest.mark.parametrize(("sink_at", "sinks"), [("4", False), ("2", True)])
def test_sink_at(sink_at: str, sinks: bool) -> None:
    lake = waters(with_land(parse_hex("E4")), f"sink-at={sink_at}")
    assert move(lake, boat("C4", "E", "3"), Facing.E).sunk == sinks


def test_chances_of_a_turn_add_up() -> None:
    lake = waters(with_land(parse_hex("E4"), parse_hex("D3")))
    for _, thrown in outcomes(lake, boat("C4", "E", "32")):
        assert sum(chance for chance, _ in thrown) == 1
        assert all(legal for _, legal in thrown)
