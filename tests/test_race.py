"""Races of several boats: one test a rule from PB-13 to PB-23, and what holds in every race."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import course_on, lake_from, random_course

from rulekit.errors import BadInput
from rulekit.hexgrid import FACINGS, Facing, Hex, Side, parse_facing, parse_hex
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.course import Course
from rulekit.powerboats.dice import Choice, as_hand
from rulekit.powerboats.race import (
    Entry,
    Race,
    Status,
    apply,
    begin,
    free_places,
    legal_choices,
    legal_landings,
    placing_order,
    put,
    standings,
)
from rulekit.powerboats.route import settle, start_places
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings

OPEN = course_on(
    lake_from("\n".join((" " if row % 2 else "") + " ".join("." * 14) for row in range(13))),
    "A13", "E", [("G6", "left")], strip=4,
)  # fmt: skip
"""A lake without land: the strip B13 to E13 along the bottom, a buoy in the middle."""


def waters(*readings: str, **changes: Side) -> Waters:
    course = replace(settle(OPEN), **changes)  # type: ignore[arg-type]
    return Waters(course, PowerboatsReadings.parse(readings))


def boat(at: str, facing: str, dice: str = "", progress: int = 1, damage: int = 0) -> Boat:
    return Boat(parse_hex(at), parse_facing(facing), as_hand(map(int, dice)), progress, damage)


def race_of(lake: Waters, *boats: Boat, mover: int = 0) -> Race:
    """A race under way."""
    return Race(lake, 0, tuple(Entry(Status.RACING, one, one.damage) for one in boats), mover)


def go(race: Race, dice: str, facing: str) -> Race:
    """The boat to move goes that way with these dice."""
    found = {landing.steer: landing for landing in legal_landings(race, as_hand(map(int, dice)))}
    return apply(race, found[parse_facing(facing)])


def placed(race: Race) -> Race:
    """Every boat on the first free place, facing east."""
    while race.placer is not None:
        race = put(race, free_places(race)[0].at, Facing.E)
    return race


# PB-13, PB-14: placing and turn order


def test_pb_13_placing_goes_counter_clockwise_and_the_start_player_last() -> None:
    race = begin(waters(), [0] * 4, start_player=1)
    assert placing_order(race) == [0, 3, 2, 1]
    order = []
    while race.placer is not None:
        order.append(race.placer)
        race = put(race, free_places(race)[0].at, Facing.E)
    assert order == [0, 3, 2, 1]
    assert race.mover == 1


def test_pb_13_a_boat_on_the_strip_has_passed_the_start_one_behind_has_not() -> None:
    race = begin(waters(start=Side.RIGHT), [0, 0])
    race = put(race, parse_hex("B13"), Facing.NW)
    behind = next(place.at for place in free_places(race) if not place.progress)
    race = put(race, behind, Facing.E)
    first, second = race.entries[1].boat, race.entries[0].boat
    assert first == Boat(parse_hex("B13"), Facing.NW, (), 1, 0)
    assert second is not None
    assert (second.progress, second.hand) == (0, ())


def test_pb_13_two_boats_cannot_start_on_one_hex() -> None:
    race = put(begin(waters(), [0, 0]), parse_hex("B13"), Facing.E)
    assert parse_hex("B13") not in {place.at for place in free_places(race)}
    with pytest.raises(BadInput, match="PB-13"):
        put(race, parse_hex("B13"), Facing.E)
    with pytest.raises(BadInput, match="PB-13"):
        put(race, parse_hex("G3"), Facing.E)


@pytest.mark.parametrize(("reading", "rows"), [("rows-2", 2), ("strip-only", 0), ("rows-1", 1), ("rows-4", 4)])
def test_pb_13_witness_behind(reading: str, rows: int) -> None:
    """Crossed rightward the strip has the open water above it behind it: four hexes and a half in each row."""
    lake = waters(f"behind={reading}", start=Side.RIGHT)
    places = start_places(lake.course, lake.readings)
    depths = [13 - (place.at.r + 1) for place in places if not place.progress]
    assert len(places) - len(depths) == 4
    assert set(depths) == set(range(1, rows + 1))


def test_pb_14_turns_run_clockwise_over_boats_that_race() -> None:
    race = placed(begin(waters("first-turn=may-stay"), [0] * 3, start_player=2))
    order = []
    for _ in range(6):
        assert race.mover is not None
        order.append(race.mover)
        race = go(race, "", "E")
    assert order == [2, 0, 1, 2, 0, 1]
    gone = replace(race.entries[0], status=Status.SUNK, left_at=0)
    race = replace(race, entries=(gone, *race.entries[1:]))
    assert race.mover == 2
    assert go(race, "", "E").mover == 1


@pytest.mark.parametrize("seats", [0, 7])
def test_pb_4_number_of_boats(seats: int) -> None:
    with pytest.raises(BadInput, match="PB-4"):
        begin(waters(), [0] * seats)


def test_pb_13_too_few_places() -> None:
    with pytest.raises(BadInput, match="too few for 5 boats"):
        begin(waters("behind=strip-only"), [0] * 5)


# PB-15, PB-16: dice


@pytest.mark.parametrize(("reading", "may_stay"), [("may-stay", True), ("must-roll", False)])
def test_pb_16_witness_first_turn(reading: str, may_stay: bool) -> None:
    race = race_of(waters(f"first-turn={reading}"), boat("C7", "E"))
    assert set(legal_choices(race)) == ({Choice((), 0)} if may_stay else set()) | {Choice((), 1)}


def test_pb_15_witness_reroll() -> None:
    race = race_of(waters("reroll=one"), boat("C7", "E", "32"))
    assert Choice((), 2) not in legal_choices(race)
    assert Choice((), 2) in legal_choices(race_of(waters(), boat("C7", "E", "32")))


def test_pb_4_witness_dice_stock() -> None:
    """Five dice in the box, all on boats: nobody adds one, a boat without dice stays; a finished boat gives back."""
    fleet = (boat("C7", "E", "32"), boat("C9", "E", "111"), boat("C3", "E"))
    short = race_of(waters("dice-stock=5"), *fleet)
    assert max(choice.change((3, 2)) for choice in legal_choices(short)) == 0
    assert legal_choices(replace(short, mover=2)) == (Choice((), 0),)
    assert max(choice.change((3, 2)) for choice in legal_choices(race_of(waters(), *fleet))) == 1
    left = replace(short.entries[1], status=Status.FINISHED, left_at=0)
    assert Choice((), 1) in legal_choices(replace(short, entries=(short.entries[0], left, short.entries[2]), mover=2))


# PB-17 … PB-20 among boats: golden 4 to 7 as turns of a race


def test_golden_4_a_boat_behind_another_one() -> None:
    race = race_of(waters(), boat("C4", "E", "321"), boat("F4", "W"))
    assert Choice((2, 1), 0) in legal_choices(race)
    race = go(race, "21", "E")
    assert race.entries[0] == Entry(Status.RACING, boat("E4", "E", "21"), turns=1)
    assert race.entries[1].boat == boat("F4", "W")
    assert race.mover == 1


def test_golden_5_over_two_boats() -> None:
    race = race_of(waters(), boat("C4", "E", "21"), boat("D4", "W"), boat("F4", "W"))
    assert Choice((), 2) in legal_choices(race)
    assert go(race, "32", "E").entries[0].boat == boat("H4", "E", "32")


def test_pb_19_falling_back_over_several_boats() -> None:
    race = race_of(waters(), boat("C4", "E"), *(boat(at, "W") for at in ("D4", "E4", "G4", "H4")))
    assert go(race, "32", "E").entries[0].boat == boat("F4", "E", "32")
    assert go(race, "2", "E").entries[0].boat == boat("C4", "E", "2")


def test_pb_20_golden_6_crash_before_falling_back() -> None:
    """Two hexes clear on all sides, a boat on the second: 1 damage, no dice, one hex ahead; the other one unharmed."""
    land = {parse_hex("D7").step(facing, 3) for facing in (Facing.E, Facing.NE, Facing.SE)}
    lake = replace(OPEN.lake, water=OPEN.lake.water - land, land=frozenset(land))
    course = replace(settle(OPEN), lake=lake)
    race = race_of(Waters(course), boat("D7", "E", "33"), boat("F7", "W", "2"))
    assert Choice((), 1) in legal_choices(race)
    race = go(race, "3", "E")
    assert race.entries[0].boat == boat("E7", "E", "", damage=1)
    assert race.entries[0].was_damaged
    assert race.entries[1].boat == boat("F7", "W", "2")


def test_pb_17_boats_do_not_open_or_close_directions() -> None:
    alone = legal_landings(race_of(waters(), boat("C4", "E")), (3, 3))
    among = legal_landings(race_of(waters(), boat("C4", "E"), boat("D4", "E"), boat("C3", "E")), (3, 3))
    assert [landing.steer for landing in alone] == [landing.steer for landing in among]


# PB-21 … PB-23: leaving the race


def finishing(*readings: str, **last: int) -> Race:
    """Three boats above the strip that must cross it downwards; the first and second can reach it."""
    lake = waters(*readings, finish=Side.RIGHT)
    return race_of(
        lake,
        boat("B9", "SE", "", lake.last - 1, last.get("damage", 0)),
        boat("C9", "SE", "", lake.last - 1),
        boat("J3", "E", "", 1),
    )


def test_pb_22_a_finished_boat_leaves_the_lake() -> None:
    race = go(finishing(), "31", "SE")
    first = race.entries[0]
    assert (first.status, first.left_at, first.boat and first.boat.at) == (Status.FINISHED, 0, parse_hex("D13"))
    assert parse_hex("D13") not in race.taken(1)
    race = go(race, "22", "SE")
    assert race.entries[1].status is Status.FINISHED
    assert race.mover == 2
    assert standings(race) == (0, 1, 2)


def test_pb_19_one_that_falls_back_before_the_strip_has_not_finished() -> None:
    race = finishing()
    blocker = replace(race.entries[2], boat=boat("D13", "E"))
    race = go(replace(race, entries=(*race.entries[:2], blocker)), "31", "SE")
    assert race.entries[0].status is Status.RACING
    assert race.entries[0].boat == boat("C12", "SE", "31", race.waters.last - 1)


def test_pb_22_a_boat_that_sinks_behind_the_line_keeps_its_place() -> None:
    start = parse_hex("B9")
    race = finishing(damage=2)
    land = {start.step(Facing.E), start.step(Facing.SW)}
    lake = replace(race.waters.course.lake, water=OPEN.lake.water - land, land=frozenset(land))
    race = replace(race, waters=Waters(replace(race.waters.course, lake=lake)))
    race = go(race, "33", "SE")
    assert race.entries[0].status is Status.FINISHED
    assert race.entries[0].damage == 4
    assert race.entries[0].was_damaged


@pytest.mark.parametrize(("reading", "status"), [("races-on", Status.RACING), ("stops", Status.STOPPED)])
def test_pb_23_witness_last_boat(reading: str, status: Status) -> None:
    race = go(go(finishing(f"last-boat={reading}"), "31", "SE"), "22", "SE")
    assert race.entries[2].status is status
    assert race.over == (status is Status.STOPPED)
    assert standings(race) == (0, 1, 2)


def test_pb_21_26_sunk_boats_rank_last_the_later_to_sink_the_better() -> None:
    lake = waters(finish=Side.RIGHT)
    fleet = [boat("A1", "W", "", 1, 3), boat("A3", "W", "", 1, 3), boat("B9", "SE", "", lake.last - 1)]
    race = race_of(lake, *fleet)
    race = go(race, "3", "W")
    race = go(race, "3", "W")
    assert [entry.status for entry in race.entries[:2]] == [Status.SUNK, Status.SUNK]
    assert not race.over
    race = go(race, "31", "SE")
    assert race.over
    assert race.mover is None
    assert standings(race) == (2, 1, 0)
    with pytest.raises(BadInput, match="no boat is to move"):
        legal_choices(race)


def test_a_solo_boat_is_not_the_last_of_several() -> None:
    race = race_of(waters("last-boat=stops"), boat("C7", "E"))
    assert not go(race, "", "E").over


# What holds in every race

READINGS = ("", "last-boat=stops", "dice-stock=6", "behind=rows-4", "first-turn=must-roll", "sink-at=2", "reroll=one")


def at_random(race: Race, rng: Random, turns: int = 60) -> Iterator[Race]:
    """A race played at random: every position."""
    while race.placer is not None:
        race = put(race, rng.choice(free_places(race)).at, rng.choice(FACINGS))
        yield race
    for _ in range(turns):
        if race.over:
            return
        choice = rng.choice(legal_choices(race))
        hand = as_hand((*choice.kept, *rng.choices(race.waters.readings.faces, k=choice.rolled)))
        race = apply(race, rng.choice(legal_landings(race, hand)))
        yield race


def made(seed: int) -> Race | None:
    """A random race of 2 to 6 boats, None where the course has too few places to start from."""
    rng = Random(seed)
    course: Course = settle(random_course(rng, 9, 9, 0.1, buoys=rng.choice((1, 2, 3)), strip=3))
    readings = PowerboatsReadings.parse([rng.choice(READINGS)])
    try:
        return begin(Waters(course, readings), [rng.choice((0, 0, 1)) for _ in range(rng.randint(2, 6))])
    except BadInput:
        return None


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_invariants_of_every_position(seed: int) -> None:
    race, rng = made(seed), Random(seed + 1)
    if race is None:
        return
    before = race
    for after in at_random(race, rng):
        on_lake = [entry.boat for entry in after.entries if entry.boat and entry.status is Status.RACING]
        assert len({one.at for one in on_lake}) == len(on_lake)
        assert all(one.at in after.waters.water for one in on_lake)
        assert all(0 <= one.progress < after.waters.last for one in on_lake)
        assert all(one.damage < after.waters.readings.sink_at for one in on_lake)
        for seat, (old, new) in enumerate(zip(before.entries, after.entries, strict=True)):
            assert new.damage >= old.damage
            if old.status in (Status.FINISHED, Status.SUNK, Status.STOPPED):
                assert new == old
            elif seat != before.mover and seat != before.placer:
                assert new.boat == old.boat
        stock = after.waters.readings.dice_stock
        assert stock is None or sum(len(one.hand) for one in on_lake) <= stock
        assert sorted(standings(after)) == list(range(after.seats))
        assert after.over == (not on_lake and after.placer is None)
        before = after


def test_random_races_of_the_invariants_reach_all_ends() -> None:
    """The property is not empty: among the races are finishers, sunk boats and stopped ones."""
    ends = set()
    for seed in range(30):
        race = made(seed)
        if race is not None:
            *_, last = at_random(race, Random(seed + 1), 150)
            ends |= {entry.status for entry in last.entries}
    assert {Status.SUNK, Status.STOPPED} <= ends


def test_hexes_of_boats_that_left_are_free() -> None:
    race = finishing()
    taken: frozenset[Hex] = race.taken(2)
    assert taken == {parse_hex("B9"), parse_hex("C9")}
    assert go(race, "31", "SE").taken(2) == {parse_hex("C9")}


def test_pb_21_a_boat_that_sinks_does_not_fall_back_first() -> None:
    """It is gone at once: nothing stands in its way any more (PB-20 counts damage before boats)."""
    race = race_of(waters(), boat("C4", "W", damage=3), boat("A4", "E"), boat("B4", "E"))
    sunk = next(landing for landing in legal_landings(race, (3, 3, 3, 3, 3)) if landing.sunk)
    end = sunk.boat.at
    blocked = race_of(waters(), boat("C4", "W", damage=3), boat("G3", "E"), Boat(end, Facing.E))
    assert next(one for one in legal_landings(blocked, (3, 3, 3, 3, 3)) if one.steer is sunk.steer).boat.at == end
