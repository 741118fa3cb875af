"""A car's move and the judgement of curves: golden examples, rules one by one, answers of an independent program."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from rulekit.hexgrid import Side
from rulekit.ps.dice import SPEEDS, Colour, above, can_show, values
from rulekit.ps.limits import Unmarked, colour_of, longest_way, makes_its_steps, space_limits, with_limit
from rulekit.ps.moves import Kind, Outcome, outcomes
from rulekit.ps.track import PIT_SHORT, Mark, Pit, Section, Space, Track
from rulekit.readings import PsReadings

CASES = Path(__file__).parent / "cases" / "tracks"
EXPECTED = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))
MARKS = {
    "=": frozenset[Mark](), "^": frozenset({Mark.TRIANGLE}), "s": frozenset({Mark.TRIANGLE, Mark.SIGMA}),
    "u": frozenset({Mark.MU}), "U": frozenset({Mark.MU, Mark.TRIANGLE}),
}  # fmt: skip


def lane_spaces(section: int, lane: int, row: str) -> Iterator[Space]:
    """The spaces of one lane's row, `-` going on the space before it."""
    starts = [k for k, letter in enumerate(row) if letter != "-"]
    for first, after in zip(starts, [*starts[1:], len(row)], strict=True):
        yield Space(section, lane, first + 1, after, MARKS[row[first]])


def circuit(*parts: tuple[str, int | None, Side | None, tuple[str, str, str]], line: int = 1) -> Track:
    """A track of (id, limit, turn, three rows) sections; the line runs in the first one."""
    sections = tuple(Section(name, len(rows[0]), turn, limit) for name, limit, turn, rows in parts)
    spaces = tuple(
        space for k, part in enumerate(parts) for lane in range(3) for space in lane_spaces(k, lane, part[3][lane])
    )
    return Track("made up", sections, spaces, (0, line), Side.LEFT)


def from_case(name: str) -> Track:
    """A handed track, read without rulekit's own reader."""
    data = tomllib.loads((CASES / name).read_text(encoding="utf-8"))
    parts, line = [], 0
    for section in data["section"]:
        rows = [row[8:].replace(" ", "") for row in section["picture"].strip().split("\n")]
        line = rows[0].index("|") if "|" in rows[0] else line
        turn = Side[section["turn"].upper()] if "turn" in section else None
        clean = tuple(row.replace("|", "") for row in rows)
        parts.append((section["id"], section.get("limit"), turn, (clean[0], clean[1], clean[2])))
    track = circuit(*parts, line=line)
    pit = Pit(*(track.by_name[data["pit"][key]] for key in ("entry", "exit-short", "exit-long")))
    return replace(track, pit=pit)


RING = from_case("ring-a.toml")
STRAIGHTS = ("=" * 12,) * 3
# A hairpin to the left within limit 4: the inner (left) lane has half as many spaces as the outer one.
HAIRPIN = circuit(
    ("main", None, None, ("=" * 8 + "^^^^",) * 3), ("bend", 4, Side.LEFT, ("=-=-=-", "=-==-=", "======")), line=6
)


def ends(track: Track, at: str, colour: str, value: int, *cars: str) -> set[tuple[str, str]]:
    """(kind, end) of every outcome."""
    taken = {track.by_name[car] for car in cars}
    found = outcomes(track, track.by_name[at], Colour(colour), value, taken)
    return {(outcome.kind.value, track.name_of(outcome.end)) for outcome in found}


@pytest.mark.parametrize("reading", ["default", "triangle=aid"])
@pytest.mark.parametrize("case", EXPECTED["ring-a.toml"]["moves"], ids=lambda case: str(case["id"]))
def test_moves_of_an_independent_program(case: dict, reading: str) -> None:  # type: ignore[type-arg]
    readings = PsReadings.parse([] if reading == "default" else [reading])
    taken = {RING.by_name[car] for car in case["cars"]}
    found = outcomes(RING, RING.by_name[case["space"]], Colour(case["die"]), case["value"], taken, readings)
    told = sorted({(outcome.kind.value, RING.name_of(outcome.end), outcome.line) for outcome in found})
    assert told == [tuple(row) for row in case[reading]]


def test_limits_of_an_independent_program() -> None:
    found = {RING.name_of(row.space): row for row in space_limits(RING)}
    want = {f"{row['section']} {row['lane']} {row['column']}": row for row in EXPECTED["ring-a.toml"]["limits"]["rows"]}
    assert set(found) == set(want)
    for name, row in want.items():
        mine = found[name]
        assert [RING.sections[curve].id for curve in mine.front_of] == row["front_of"], name
        assert [mark.value for mark in Mark if mark in mine.mark] == row["mark"], name
        assert [mark.value for mark in Mark if mark in mine.earned] == row["earned"], name
        assert (list(mine.speeds_safe), list(mine.speeds_fly)) == (row["speeds_safe"], row["speeds_fly"]), name
        assert {colour.value: str(chance) for colour, chance in mine.fly.items()} == row["fly"], name


def test_curves_of_an_independent_program() -> None:
    unmarked = Unmarked(RING)
    for row in EXPECTED["ring-a.toml"]["limits"]["curves"]:
        curve = next(k for k, section in enumerate(RING.sections) if section.id == row["section"])
        assert (curve in unmarked.idle, curve in unmarked.closed) == (row["idle"], row["closed"])
        assert curve not in unmarked.deadly


def test_golden_1_behind_a_car() -> None:
    """No legal first step with red or yellow; with blue the first step goes beside."""
    assert ends(HAIRPIN, "main middle 2", "yellow", 7, "main middle 3") == {("stay", "main middle 2")}
    assert ("move", "main left 2") in ends(HAIRPIN, "main middle 2", "blue", 1, "main middle 3")


def test_golden_2_blue_steps_may_be_left_unused() -> None:
    one_beside = ("move", "main left 2")
    assert one_beside in ends(HAIRPIN, "main middle 2", "blue", 2)
    three = ends(HAIRPIN, "main middle 2", "blue", 3)
    assert {("move", "main middle 3"), ("move", "main middle 4"), ("move", "main middle 5")} <= three
    assert ("move", "main middle 2") not in three


def test_golden_3_flying_where_the_pattern_runs_out() -> None:
    """Limit 4, speed 5, inside the curve on the outer lane: ahead, then off; back 5 from where it left; no free way."""
    track = circuit(("main", None, None, STRAIGHTS), ("bend", 4, Side.LEFT, ("=-=-=-", "=-==-=", "^=====")), line=6)
    (outcome,) = outcomes(track, track.by_name["bend right 1"], Colour.RED, 5)
    assert (outcome.kind, track.name_of(outcome.end)) == (Kind.FLY, "main right 9")
    assert track.name_of(outcome.origin or 0) == "bend right 2"


def test_golden_4_striking_after_a_step_beside() -> None:
    """Speed 8, cars ahead on both remaining ways: strikes, back 8."""
    cars = ("main middle 4", "main left 4", "main right 4")
    assert ends(HAIRPIN, "main middle 2", "yellow", 8, *cars) == {
        ("strike", "main left 10"),
        ("strike", "bend right 1"),
    }


def test_golden_5_within_the_limit_any_order() -> None:
    within = ends(HAIRPIN, "bend middle 1", "blue", 3)
    assert {("move", "bend left 5"), ("move", "bend right 6"), ("move", "bend middle 6")} <= within


def test_golden_6_red_throws_again() -> None:
    assert can_show(Colour.RED, 17)
    assert [value for value, _ in zip(values(Colour.RED), range(6), strict=False)][5] == (17, Fraction(1, 27))


def test_colours_add_up() -> None:
    assert sum((chance for _, chance in values(Colour.YELLOW)), Fraction(0)) == 1
    assert above(Colour.RED, 3) == 1
    assert [above(Colour.RED, value) for value in (4, 5, 9, 10, 11)] == [
        Fraction(2, 3), Fraction(1, 3), Fraction(1, 3), Fraction(2, 9), Fraction(1, 9)
    ]  # fmt: skip


def test_ps_13_without_a_triangle_a_car_flies_at_its_first_speeding_step() -> None:
    track = circuit(("main", None, None, STRAIGHTS), ("bend", 4, Side.LEFT, ("=-=-=-", "=-==-=", "======")), line=6)
    (outcome,) = outcomes(track, track.by_name["main left 12"], Colour.RED, 5)
    assert (outcome.kind, track.name_of(outcome.end), outcome.line) == (Kind.FLY, "main right 7", 0)
    assert ends(track, "main left 12", "red", 5, "bend left 1") == {("stay", "main left 12")}


@pytest.mark.parametrize(
    "reading", ["triangle=aid", "line-crossing=diagonal", "exit-step=flies", "strike=free", "pit-entry=exact"]
)
def test_every_reading_of_moves_makes_a_difference(reading: str) -> None:
    """A witness for each answer that is not the default: some space, die and value where the outcomes differ."""
    usual, other = PsReadings(), PsReadings.parse([reading])
    assert any(
        outcomes(RING, space, colour_of(speed), speed, frozenset(), usual)
        != outcomes(RING, space, colour_of(speed), speed, frozenset(), other)
        for space in range(len(RING.spaces))
        for speed in SPEEDS
    )


def test_pit_exit_is_one_step_ahead() -> None:
    (outcome,) = outcomes(RING, PIT_SHORT, Colour.BLUE, 1)
    assert (outcome.kind, RING.name_of(outcome.end)) == (Kind.MOVE, "main right 3")


def spelled_out(track: Track, space: int, speed: int, readings: PsReadings) -> set[str]:
    """Second route on an empty track: whole paths as strings of A (ahead), L, R (beside or diagonal), each checked
    against the rules' sentences after it is complete; the ends of those that pass."""
    found: set[str] = set()
    required = readings == PsReadings()
    on_triangle = Mark.TRIANGLE in track.spaces[space].marks
    paths: list[tuple[int, str, str]] = [(space, "", "")]
    for _ in range(speed):
        paths = [longer for path in paths for longer in _longer(track, path, speed, required and not on_triangle)]
        if colour_of(speed) is Colour.BLUE:
            found |= {track.name_of(at) for at, _, _ in paths}
    return found | {track.name_of(at) for at, _, _ in paths}


def _longer(track: Track, path: tuple[int, str, str], speed: int, no_speeding: bool) -> Iterator[tuple[int, str, str]]:
    """Every path one step longer that keeps the rules; `run` are the steps in the curve it is speeding in."""
    at, word, run = path
    here = track.sections[track.spaces[at].section]
    if here.limit and speed > here.limit and word and Mark.MU in track.spaces[at].marks and run:
        return
    ahead = track.ahead[at]
    there = track.sections[track.spaces[ahead].section]
    leaves = track.spaces[at].last == here.columns
    for move, to in (("A", ahead), *(("LR"[side > 0], track.diagonal(at, side)) for side in (-1, 1))):
        if to is None or (move != "A" and (not there.is_curve or leaves or (not word and speed > 3))):
            continue
        if there.limit and speed > there.limit:
            outward = "L" if there.turn is Side.RIGHT else "R"
            due = "A" if leaves else ("A" + outward)[len(run) % 2]
            if move == due and not no_speeding:
                yield to, word + move, ("" if leaves else run) + move
        else:
            yield to, word + move, ""
    if not here.is_curve and word[-1:] not in ("l", "r") and (word or speed <= 3):
        for side in (-1, 1):
            if (to := track.beside(at, side)) is not None:
                yield to, word + "lr"[side > 0], ""


@pytest.mark.parametrize("reading", ["", "triangle=aid"])
@pytest.mark.parametrize("track", [RING, HAIRPIN], ids=["ring", "hairpin"])
def test_free_moves_against_whole_paths(track: Track, reading: str) -> None:
    track = replace(track, pit=None)
    readings = PsReadings.parse([reading] if reading else [])
    for space in range(len(track.spaces)):
        for speed in SPEEDS[:8]:
            found = outcomes(track, space, colour_of(speed), speed, frozenset(), readings)
            moves = {track.name_of(outcome.end) for outcome in found if outcome.kind is Kind.MOVE}
            assert moves == spelled_out(track, space, speed, readings), (track.name_of(space), speed)


def test_longest_way_agrees_with_single_speeds() -> None:
    for space in range(0, len(RING.spaces), 3):
        longest = longest_way(RING, space)
        for speed in (10, 11, 16, 17, 22, 23):
            assert makes_its_steps(RING, space, speed) == (longest is None or speed <= longest), RING.name_of(space)


def test_a_limit_out_of_reach_is_idle() -> None:
    assert 1 in Unmarked(with_limit(HAIRPIN, 1, 19)).idle
    assert 1 not in Unmarked(HAIRPIN).idle


def test_moving_back_jumps_cars_and_goes_further_where_one_stands() -> None:
    track = circuit(("main", None, None, STRAIGHTS), ("bend", 4, Side.LEFT, ("=-=-=-", "=-==-=", "======")), line=6)
    (outcome,) = outcomes(track, track.by_name["main left 12"], Colour.RED, 5, {track.by_name["main right 7"]})
    assert track.name_of(outcome.end) == "main right 6"
    assert outcome == Outcome(Kind.FLY, track.by_name["main right 6"], track.by_name["main left 12"], -1)
