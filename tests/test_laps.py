"""Solved laps of a car: exact fractions, plain iteration, bounds, rules and readings, the command."""

import json
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulekit.cli import cli
from rulekit.errors import BadInput
from rulekit.files.source import read_source
from rulekit.files.track import read_track
from rulekit.ps.dice import Colour, values
from rulekit.ps.track import FINISH, PIT_LONG, PIT_SHORT, STOP, Track
from rulekit.ps.ways import Ending, Ways, start_in_box, start_on
from rulekit.readings import Fuel, PsReadings
from rulekit.solve.laps import Laps, solve_laps

CASES = Path(__file__).parent / "cases" / "tracks"
TINY = read_track(read_source(str(CASES / "tiny.toml"))).track
RING = read_track(read_source(str(CASES / "ring-a.toml"))).track
SINK = 9
SIXES = 11
LEFT = Fraction(1, 3 ** (SIXES + 1))
Shown = list[tuple[int, Fraction]]


def readings(*answers: str) -> PsReadings:
    return PsReadings.parse(list(answers))


def shown(colour: Colour) -> Shown:
    return list(islice(values(colour), 3 if colour is not Colour.RED else 2 * (SIXES + 1)))


class Exact:
    """The optimum without a pit lane in fractions: damage only grows, a move on lacks no more crossings than before, so
    the states are solved one column after the other. `tail` is what a red beyond the last one listed costs."""

    def __init__(self, track: Track, rules: PsReadings, laps: int, tail: int) -> None:
        self.track, self.most, self.tail = track, laps + 1, tail
        self.ways = Ways(track, rules, self.most)
        self.known: dict[tuple[int, int, int], Fraction] = {}
        columns: dict[int, list[int]] = {}
        for space, column in enumerate(track.from_line):
            columns.setdefault(column, []).append(space)
        for damage in (3, 2, 1, 0):
            for lacking in range(1, self.most + 1):
                for column in sorted(columns, reverse=True):
                    self._solve(lacking, damage, columns[column])

    def _solve(self, lacking: int, damage: int, spaces: Iterable[int]) -> None:
        """Spaces side by side: as long as a step beside still changes something."""
        for _ in range(9):
            fresh = {(lacking, damage, space): self.turn(lacking, damage, space) for space in spaces}
            if fresh.items() <= self.known.items():
                return
            self.known |= fresh
        raise AssertionError("steps beside in a circle")

    def turn(self, lacking: int, damage: int, space: int) -> Fraction:
        return 1 + min(self._colour(lacking, damage, space, colour) for colour in Colour)

    def _colour(self, lacking: int, damage: int, space: int, colour: Colour) -> Fraction:
        start, longest = start_on(self.track, space), 6 * SIXES + 5
        total = Fraction(self.tail) * LEFT if colour is Colour.RED else Fraction(0)
        for value, chance in shown(colour):
            found = self.ways.endings(start, colour, value, lacking, longest)
            total += chance * min(self._after(lacking - line, damage + hurt, end) for end, line, hurt in found)
        return total

    def _after(self, lacking: int, damage: int, end: int) -> Fraction:
        if end == FINISH:
            return Fraction(0)
        if damage == 4:
            return Fraction(SINK)
        return self.known.get((min(lacking, self.most), damage, end), Fraction(10**6))


@pytest.mark.parametrize("reading", ["triangle=required", "triangle=aid"])
def test_optimum_in_fractions(reading: str) -> None:
    track = replace(TINY, pit=None, box_1=None)
    low, high = (Exact(track, readings(reading), 1, tail) for tail in (0, 40))
    laps = solve_laps(track, readings(reading), 1, sink_cost=SINK)
    hurt = 0
    assert max(high.known.values()) < 40
    for (lacking, damage, space), exact in low.known.items():
        found = laps.figures(space, lacking, damage)
        assert found.lower <= high.known[lacking, damage, space]
        assert found.upper >= exact
        assert float(exact) - 1e-9 <= found.value <= float(high.known[lacking, damage, space]) + 1e-9
        assert high.known[lacking, damage, space] - exact < Fraction(1, 5000)
        hurt += found.value > laps.figures(space, lacking, 0).value + 1e-6
    assert hurt > 20


class Plain:
    """The optimum with pit lane and fuel by plain iteration over a dictionary, a state at a time."""

    def __init__(self, track: Track, rules: PsReadings, laps: int) -> None:
        self.track, self.rules, self.most = track, rules, laps + 1
        self.ways = Ways(track, rules, self.most)
        self.full = {Fuel.NONE: 0, Fuel.LIMITED: 1, Fuel.FULL: track.tank.get(laps, 0)}[rules.fuel]
        self.starts = {space: start_on(track, space) for space in (*range(len(track.spaces)), PIT_SHORT, PIT_LONG)}
        self.seen: dict[tuple[int, Colour, int, int], frozenset[Ending]] = {}
        tanks, lacks = range(self.full + 1), range(1, self.most + 1)
        states = list(product(lacks, tanks, (3, 2, 1, 0), (*self.starts, STOP)))
        self.known = dict.fromkeys(states, 500.0)
        worst = 1.0
        while worst > 1e-7:
            worst = 0.0
            for state in states:
                fresh = self.stop(*state[:3]) if state[3] == STOP else self.turn(*state)
                worst = max(worst, abs(fresh - self.known[state]))
                self.known[state] = fresh

    def stop(self, lacking: int, tank: int, damage: int) -> float:
        """Three turns to pit space 3: repaired or refuelled; six to pit space 6: both (PS-21)."""
        return min(
            3 + self.known[lacking, tank, 0, PIT_SHORT],
            3 + self.known[lacking, self.full, damage, PIT_SHORT],
            6 + self.known[lacking, self.full, 0, PIT_LONG],
        )

    def turn(self, lacking: int, tank: int, damage: int, space: int) -> float:
        return 1 + min(self._colour(lacking, tank, damage, space, colour) for colour in Colour)

    def _colour(self, lacking: int, tank: int, damage: int, space: int, colour: Colour) -> float:
        dice, used = shown(colour), self.rules.fuel is Fuel.FULL
        if used and tank == 0 and colour is not Colour.BLUE:
            dice, colour, damage = [(3, Fraction(1))], Colour.YELLOW, damage + 1
        total = 0.0
        for value, chance in dice:
            after = max(0, tank - (self.track.fuel_of(value) if used else 0))
            found = self._endings(space, colour, value, lacking)
            total += float(chance) * min(self._after(lacking - line, after, damage + hurt, end)
                                         for end, line, hurt in found)  # fmt: skip
        return total

    def _endings(self, space: int, colour: Colour, value: int, lacking: int) -> frozenset[Ending]:
        key = space, colour, value, lacking
        if key not in self.seen:
            self.seen[key] = self.ways.endings(self.starts[space], colour, value, lacking, 6 * SIXES + 5)
        return self.seen[key]

    def _after(self, lacking: int, tank: int, damage: int, end: int) -> float:
        if damage >= 4:
            return SINK
        if end == FINISH:
            return SINK if self.rules.fuel is Fuel.LIMITED and tank == 0 else 0.0
        return self.known[min(lacking, self.most), tank, damage, end]


@pytest.mark.parametrize("fuel", ["none", "limited", "full"])
def test_optimum_by_plain_iteration(fuel: str) -> None:
    rules = readings(f"fuel={fuel}")
    plain, laps = Plain(TINY, rules, 1), solve_laps(TINY, rules, 1, sink_cost=SINK)
    number = {STOP: laps.places.stop, PIT_SHORT: laps.places.stop + 1, PIT_LONG: laps.places.stop + 2}
    for (lacking, tank, damage, space), value in plain.known.items():
        found = laps.figures(number.get(space, space), lacking, damage, tank)
        assert found.value == pytest.approx(value, abs=2e-4), (lacking, tank, damage, space)
    assert laps.states == len(plain.known) + 2 * (laps.full + 1) * 4 * 12


@pytest.mark.parametrize("fuel", ["none", "limited", "full"])
@pytest.mark.parametrize("cost", [0.0, 1.0, 50.0])
def test_bounds_are_close_and_figures_add_up(fuel: str, cost: float) -> None:
    laps = solve_laps(TINY, readings(f"fuel={fuel}"), sink_cost=cost)
    for place, race in [laps.race(), laps.standing_lap(), laps.flying_lap()]:
        assert race.lower <= race.value <= race.upper, place
        assert race.upper - race.lower < 1e-6
        assert race.value == pytest.approx(race.turns + cost * (race.sink + race.unplaced), abs=1e-6)
        assert 0 <= race.sink <= 1


def race_value(track: Track, *answers: str, **options: Any) -> float:
    return solve_laps(track, readings(*answers), **options).race()[1].value


def test_fuel_readings_make_a_difference() -> None:
    none, limited, full = (race_value(TINY, f"fuel={fuel}") for fuel in ("none", "limited", "full"))
    assert none + 1 < limited  # the stop takes turns
    assert none < full


def test_ps_22_under_limited_fuel_a_car_that_has_refuelled_drives_as_without_fuel_rules() -> None:
    limited, none = solve_laps(TINY, readings("fuel=limited")), solve_laps(TINY, readings())
    assert limited.values[:, 1] == pytest.approx(none.values[:, 0], abs=1e-8)


def test_ps_22_not_refuelling_is_the_lowest_place() -> None:
    """Where that costs little, nobody stops; where it costs much, everybody does."""
    cheap, dear = (
        laps.figures(laps.places.behind_line[2], 1, tank=0)
        for laps in (solve_laps(TINY, readings("fuel=limited"), sink_cost=cost) for cost in (1.0, 500.0))
    )
    assert cheap.unplaced > 0.99
    assert dear.unplaced < 0.01
    assert dear.turns > cheap.turns + 2


def test_ps_22_the_largest_key_not_above_the_speed_holds() -> None:
    assert [TINY.fuel_of(speed) for speed in (1, 3, 4, 5, 7, 9, 35)] == [1, 1, 2, 2, 3, 3, 3]


def test_ps_19_on_an_empty_tank_red_and_yellow_move_three_and_cost_a_point() -> None:
    """From the straight's first space: blue has its choice of 1 to 3, the others are put three spaces on, surely."""
    laps, space = solve_laps(TINY, readings("fuel=full")), TINY.by_name["main right 1"]
    ways = Ways(TINY, readings("fuel=full"), 2)
    three = ways.endings(start_on(TINY, space), Colour.YELLOW, 3, 1, 9)
    assert {TINY.name_of(ending.end) for ending in three} == {"main right 4", "main middle 3"}
    best = min(laps.figures(ending.end, 1, 1, 0).value for ending in three)
    assert laps.figures(space, 1, 0, 0).value == pytest.approx(1 + best)
    assert laps.colour(space, 1, 0, 0) is not Colour.BLUE


def test_ps_19_nobody_takes_its_fourth_point_for_an_empty_tank() -> None:
    laps = solve_laps(TINY, readings("fuel=full"))
    assert {laps.colour(space, lacking, 3, 0) for space in range(len(TINY.spaces)) for lacking in (1, 2)} == {
        Colour.BLUE
    }


def test_ps_20_the_fourth_point_is_the_last() -> None:
    laps = solve_laps(replace(TINY, pit=None), readings(), sink_cost=SINK)
    for space in range(len(TINY.spaces)):
        values_ = [laps.figures(space, 2, damage) for damage in range(4)]
        assert [one.value for one in values_] == sorted(one.value for one in values_)
    assert any(laps.figures(space, 2, 3).sink > laps.figures(space, 2).sink for space in range(len(TINY.spaces)))


def test_ps_21_repair_takes_three_turns_and_all_damage_off() -> None:
    laps = solve_laps(TINY, readings())
    stop = laps.places.stop
    for damage in range(4):
        assert laps.figures(stop, 2, damage).value == pytest.approx(3 + laps.figures(stop + 1, 2, 0).value)


def test_ps_21_both_take_six_turns() -> None:
    laps = solve_laps(TINY, readings("fuel=full"))
    stop, full = laps.places.stop, laps.full
    for damage in range(4):
        for tank in range(full + 1):
            ways = (
                3 + laps.figures(stop + 1, 2, 0, tank).value,
                3 + laps.figures(stop + 1, 2, damage, full).value,
                6 + laps.figures(stop + 2, 2, 0, full).value,
            )
            assert laps.figures(stop, 2, damage, tank).value == pytest.approx(min(ways))


def test_pit_entry_makes_a_difference() -> None:
    lost, exact = (
        race_value(RING, "fuel=limited", f"pit-entry={answer}", laps=1) for answer in ("steps-lost", "exact")
    )
    assert lost + 0.01 < exact


def test_start_entry_makes_a_difference() -> None:
    ahead, beside = (solve_laps(RING, readings(f"start-entry={a}")) for a in ("inner-ahead", "inner-beside"))
    box = ahead.places.boxes[0]
    assert ahead.figures(box, 4).value != pytest.approx(beside.figures(box, 4).value, abs=1e-3)


def test_ps_23_a_race_of_one_lap_is_a_standing_lap() -> None:
    laps: Laps = solve_laps(RING, readings(), 1)
    assert laps.race() == laps.standing_lap()
    longer = [race_value(RING, laps=n) for n in (1, 2, 3)]
    assert longer[0] + 2 < longer[1] < longer[2] - 2


def test_ps_23_moved_back_over_the_line_costs_the_lap() -> None:
    ways = Ways(TINY, readings(), 2)
    flown = [
        ending
        for space in range(len(TINY.spaces))
        for ending in ways.endings(start_on(TINY, space), Colour.YELLOW, 9, 2, 9)
        if ending.line < 0
    ]
    assert flown
    assert all(ending.damage for ending in flown)


def test_the_best_box_need_not_be_the_pole() -> None:
    place, race = solve_laps(RING, readings()).race()
    laps = solve_laps(RING, readings())
    assert race.value == min(laps.figures(box, 4).value for box in laps.places.boxes)
    assert place in laps.places.boxes
    assert start_in_box(RING, 1, readings()).made == 1


def test_without_a_grid_a_race_starts_behind_the_line() -> None:
    laps = solve_laps(replace(RING, box_1=None), readings())
    assert laps.race()[0] in laps.places.behind_line


def test_full_fuel_needs_tank_and_table() -> None:
    with pytest.raises(BadInput, match="tank for 2 laps"):
        solve_laps(TINY, readings("fuel=full"), 2)
    with pytest.raises(BadInput, match="consumption"):
        solve_laps(replace(TINY, use={}), readings("fuel=full"))


def run(*words: str, **options: Any) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["solve", *words], **options)
    return result.exit_code, result.output


def test_command_json() -> None:
    code, text = run(str(CASES / "tiny.toml"), "-f", "json", "--force", "-q", "--sink-cost", "20")
    assert code == 0
    found = json.loads(text)
    assert {"objective", "value", "lower", "upper", "turns", "sink", "best_start", "states", "sweeps"} <= set(found)
    assert found["lower"] <= found["value"] <= found["upper"]
    assert len(found["starts"]) == 12
    assert len(found["rows"]) == len(TINY.spaces)
    assert {row["colour"] for row in found["rows"]} <= {"blue", "red", "yellow"}
    assert found["flying_lap"]["value"] < found["standing_lap"]["value"] == found["value"]


def test_command_table_and_warning() -> None:
    code, text = run(str(CASES / "ring-a.toml"), "--sink-cost", "1")
    assert code == 0
    assert "warning:" in text
    code, text = run(str(CASES / "ring-a.toml"), "--reading", "fuel=limited", "--laps", "2", "--damage", "3")
    assert code == 0
    assert "compulsory stop" in text
    assert "with 3 points of damage" in text
    assert max(map(len, text.splitlines())) <= 100


def test_command_from_standard_input() -> None:
    text = (CASES / "ring-a.toml").read_text(encoding="utf-8")
    code, told = run("-", "-f", "csv", input=text)
    assert code == 0
    assert told.splitlines()[0] == "space,colour,value,last_colour,last_value"


@pytest.mark.parametrize("kind", ["colour", "value"])
def test_pictures(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "laps.svg"
    assert run(str(CASES / "ring-a.toml"), "--plot", str(file), "--plot-kind", kind, "-q", "--laps", "1")[0] == 0
    words = "best die: yellow" if kind == "colour" else "turns"
    assert words in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--objective", "deadline", "--within", "9"], "for courses"),
        (["--at", "K14"], "--at speaks of boats"),
        (["--policy", "greedy"], "--policy speaks of boats"),
        (["--damage", "4"], "PS-20"),
        (["--sink-cost", "-1"], "--sink-cost"),
        (["--plot-kind", "value"], "add --plot"),
        (["--reading", "fuel=full", "--laps", "9"], "tank for 9 laps"),
        (["--reading", "fuel=ful"], "full"),
    ],
)
def test_options_that_say_nothing_are_refused(words: list[str], message: str) -> None:
    code, text = run(str(CASES / "ring-a.toml"), *words)
    assert code == 2
    assert message in text


def test_laps_are_refused_for_courses() -> None:
    code, text = run("practice-a", "--laps", "3")
    assert code == 2
    assert "--laps" in text
