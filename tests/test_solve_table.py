"""The words of the readable tables of `solve`."""

from dataclasses import replace

import numpy as np
import pytest
from test_tables import numbered
from test_tables import pond as small_pond

from rulekit.cli.solve_table import deadline, front, turns
from rulekit.hexgrid import Facing, Hex
from rulekit.powerboats.boat import Boat
from rulekit.solve.best import Best, Deadline, Start, Trade, best_race
from rulekit.solve.tables import Numbered


@pytest.fixture(scope="module")
def pond() -> Numbered:
    return numbered(small_pond(), "dice-max=2")


def race(pond: Numbered, finished: tuple[float, ...], unhurt: float = 1.0, crashes: float = 0.0) -> str:
    """The table of a made-up race."""
    best = best_race(pond, pond.starts)
    chances, hexes = np.array(finished), np.zeros(len(pond.hexes))
    passage = replace(
        best.passage, finished=chances, sunk=np.zeros(len(chances)), crashes=hexes + crashes, unhurt=unhurt
    )
    return turns(Best(pond, best.solution, best.starts, passage), 7, [])


@pytest.mark.parametrize(
    ("finished", "told"),
    [
        ((0.0, 0.5, 0.3, 0.2), "Half of the races have finished by turn 2, nine in ten by turn 4."),
        ((0.0, 0.5, 0.3), "Half of the races have finished by turn 2; so many sink that nine in ten never do."),
        ((0.1, 0.3), "Fewer than half of the races ever finish: the others sink."),
    ],
)
def test_when_races_have_finished(pond: Numbered, finished: tuple[float, ...], told: str) -> None:
    assert told in race(pond, finished).splitlines()


def test_races_without_a_crash_take_no_damage(pond: Numbered) -> None:
    assert "takes damage in 0 %, 0.00 crashes" in race(pond, (1.0,), unhurt=1 - 1e-13)
    assert "takes damage in <0.001 %" in race(pond, (1.0,), unhurt=1 - 1e-7, crashes=1e-8)


def starts(*values: float) -> tuple[Start, ...]:
    return tuple(Start(Boat(Hex(0, 0), Facing(k), (), 1), value, value, value) for k, value in enumerate(values))


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ((0.5, 0.5, 0.4, 0.3), "E (NE equal)"),
        ((0.4, 0.5, 0.5, 0.5, 0.3), "NE (NW and W equal)"),
        ((0.4, 0.5, 0.3), "NE"),
        ((0.5, 0.5, 0.5, 0.5, 0.5, 0.5), "any"),
    ],
)
def test_facings_as_good_as_the_best_are_named(pond: Numbered, values: tuple[float, ...], told: str) -> None:
    row = deadline(pond, Deadline((0.5,), starts(*values))).splitlines()[-1]
    assert row.split("  ")[0].strip() == "A1"
    assert row.removeprefix("A1").strip().startswith(f"{told}  ")


def test_the_fastest_race_does_not_sink_on_purpose(pond: Numbered) -> None:
    boat = Boat(Hex(0, 0), Facing.E, (), 1)
    words = front(pond, [Trade(1.3, 1.0, 1.0, boat), Trade(9.0, 0.2, 30.0, boat), Trade(12.0, 0.0, 99.0, boat)])
    assert "The fastest of these races take 9.00 turns and sink in 20.0 %; the safest take 12.00" in words
    assert "sinking on purpose ends a race soonest" in words
    assert words.count("sinks on purpose") == 1
    assert "purpose" not in front(pond, [Trade(9.0, 0.2, 30.0, boat), Trade(12.0, 0.0, 99.0, boat)])
