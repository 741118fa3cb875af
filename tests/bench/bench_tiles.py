"""A course with expansion tiles against the same course without them: building the tables, solving, and racing, apart.

The second is the yardstick, not a rival: a ratio below 1 tells how much the tiles cost. Tables are built anew each run.
"""

from collections.abc import Callable
from dataclasses import replace

from rulekit.files.course import read_course
from rulekit.files.source import read_source
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.simulate.bulk import Contest, play
from rulekit.solve.bounds import solve
from rulekit.solve.tables import Numbered

from .bench_simulate import rate
from .measure import Ratio, medians

COURSES = ("practice-tiles", "lagoon-b-tiles")
RUNS = 3
RACES = {"solo": 20_000, "racer": 200}


def tables(waters: Waters) -> Callable[[], object]:
    """Building the tables that the sweeps read."""
    return lambda: Numbered(waters).race.order


def solving(waters: Waters) -> Callable[[], object]:
    """Solving to certified bounds of 1e-6, tables at hand."""
    race = Numbered(waters).race
    return lambda: solve(race)


def turn(waters: Waters, policy: str) -> float:
    """Seconds of a boat's turn in races of four boats under a policy, tables at hand."""
    contest, races = Contest((waters,), (policy,) * 4, 1), RACES[policy]
    play(contest, 0, 1)
    return 1.0 / rate(lambda: int(play(contest, 0, races).turns.sum()))


def compare(name: str) -> list[Ratio]:
    """The ratios of a course."""
    tiled = Waters(settle(read_course(read_source(name)).course))
    bare = Waters(replace(tiled.course, tiles=()))
    works = {"tables": (tables(tiled), tables(bare)), "solve": (solving(tiled), solving(bare))}
    found = medians({f"{key} {k}": work for key, pair in works.items() for k, work in enumerate(pair)}, RUNS)
    ratios = [Ratio(f"{name}: {key}", "without tiles", found[f"{key} 0"], found[f"{key} 1"]) for key in works]
    turns = [(policy, turn(tiled, policy), turn(bare, policy)) for policy in RACES]
    return ratios + [Ratio(f"{name}: a turn of {policy}", "without tiles", *times) for policy, *times in turns]


def main() -> list[Ratio]:
    """The ratios of all courses."""
    return [ratio for name in COURSES for ratio in compare(name)]
