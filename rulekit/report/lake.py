"""The report of a lake: an atlas of its legal courses, each solved exactly."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean

import numpy as np

from rulekit.errors import BadInput
from rulekit.files.write import spot_word
from rulekit.hexgrid import Hex, hex_name
from rulekit.plot.picture import lake_picture
from rulekit.powerboats.lake import Lake
from rulekit.powerboats.placing import FEWEST_SPOTS, MOST_SPOTS, Placed, all_courses, counted
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.report.board import lake_board
from rulekit.report.charts import Dot, dots
from rulekit.report.forms import decimal, decimals, shares, short, words
from rulekit.report.heat import Heat
from rulekit.report.lake_words import advice, statements, summary
from rulekit.report.parts import Board, Column, Method, Origin, Plot, Report, Row, Section, Table
from rulekit.solve.best import Best, best_race, check_size
from rulekit.solve.tables import Numbered

LETTERS = "ABC"

FOURTH = 3
"""Four boats start from four hexes: the last one has to take the fourth best."""

SELDOM = 1e-4
"""Hexes where less happens in the mean over all courses stay plain."""

CHARTED = 24
"""A letter with more courses is charted by its quantiles only."""

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Solved:
    """A course of the atlas: its letter, its placing and its best race; None where no race ends for sure."""

    letter: str
    number: int
    placed: Placed
    row: Row
    visits: dict[Hex, float]
    crashes: dict[Hex, float]


@dataclass(frozen=True)
class Atlas:
    """What an atlas is to hold: a lake, the letters, the readings, and how many courses by lot (None: all)."""

    lake: Lake
    letters: Sequence[str]
    readings: PowerboatsReadings
    sample: int | None
    origin: Origin
    tell: Tell


def letters_of(lake: Lake, asked: Sequence[str]) -> list[str]:
    """The letters whose courses are told: those asked for, or all that the lake has enough spots of.

    Raises BadInput for a letter that is none of the game's, and where the lake has no letter with enough spots.
    """
    for letter in asked:
        if letter.upper() not in LETTERS:
            raise BadInput(f"--spots {letter}: the letters are A, B and C")
    known = [letter for letter in LETTERS if FEWEST_SPOTS <= len(lake.spots_of(letter)) <= MOST_SPOTS]
    if not known and not asked:
        raise BadInput(f"the lake {lake.name!r} has no letter with {FEWEST_SPOTS} to {MOST_SPOTS} spots: no course can "
                       "be laid on it")  # fmt: skip
    return sorted({letter.upper() for letter in asked}) or known


def lake_report(atlas: Atlas, seed: int) -> Report:
    """The atlas; raises BadInput where no course is legal or one is too large to be solved."""
    placed, reasons = _legal(atlas)
    chosen = _chosen(placed, atlas.sample, seed)
    solved = [_solve(atlas, letter, number, one, f"course {k} of {len(chosen)}")
              for k, (letter, number, one) in enumerate(chosen, 1)]  # fmt: skip
    rows = [one.row for one in solved]
    told = f"{len(solved)} of {len(placed)}" if len(solved) < len(placed) else f"all {len(solved)}"
    return Report(
        "lake", atlas.lake.name,
        f"An atlas of {told} legal courses on the {', '.join(atlas.letters)} spots, each with its exact best race of "
        "one boat.",
        list(summary(rows, counted(reasons), len(placed))), list(statements(rows)), list(advice(rows)),
        list(_sections(atlas, solved)), list(METHODS), atlas.origin,
    )  # fmt: skip


METHODS = (
    Method("Turns", "Expected turns of one boat that plays the course as well as can be, from its best start (exact).",
           "what you wish for; courses of one letter alike"),
    Method("Sinks", "The chance that this boat sinks before the finish.", "near 0: nobody has to sit out"),
    Method("Crashes", "Moves with damage of this boat in a race."),
    Method("Fourth start", "How much longer the race is from the fourth best start hex than from the best: what the "
           "last of four boats loses where all place theirs well.", "small: placing the boats does not decide"),
    Method("Worst start", "The same of the worst start hex, which nobody has to take."),
    Method("Route", "Unit moves of the shortest legal route."),
)  # fmt: skip


def _legal(atlas: Atlas) -> tuple[list[tuple[str, int, Placed]], Counter[str]]:
    """All legal courses with letter and number, and why the others are not."""
    found: list[tuple[str, int, Placed]] = []
    reasons: Counter[str] = Counter()
    for letter in atlas.letters:
        number = 0
        for one in all_courses(atlas.lake, letter, f"{atlas.lake.name}, race {letter}", atlas.readings):
            atlas.tell(f"looking for legal courses: {len(found)}")
            if isinstance(one, Placed):
                number += 1
                found.append((letter, number, one))
            else:
                reasons[one] += 1
    if not found:
        raise BadInput(f"no course on the {', '.join(atlas.letters)} spots is legal: {counted(reasons)}")
    return found, reasons


def _chosen(
    placed: Sequence[tuple[str, int, Placed]], sample: int | None, seed: int
) -> Sequence[tuple[str, int, Placed]]:
    if sample is None or sample >= len(placed):
        return placed
    drawn = sorted(Random(f"report sample {seed}").sample(range(len(placed)), sample))
    return [placed[k] for k in drawn]


def _solve(atlas: Atlas, letter: str, number: int, placed: Placed, told: str) -> Solved:
    atlas.tell(f"solving {told}")
    waters = Waters(placed.course, atlas.readings)
    check_size(waters)
    numbered = Numbered(waters)
    best = best_race(numbered, numbered.starts)
    passage = best.passage
    counts = [{at: float(count) for at, count in zip(numbered.hexes, column, strict=True) if count}
              for column in (passage.visits, passage.crashes)]  # fmt: skip
    return Solved(letter, number, placed, _row(letter, number, placed, best), *counts)


def _row(letter: str, number: int, placed: Placed, best: Best) -> Row:
    values = np.array([start.value for start in best.starts])
    by_hex: dict[Hex, float] = {}
    for start, value in zip(best.starts, values, strict=True):
        by_hex[start.boat.at] = min(value, by_hex.get(start.boat.at, np.inf))
    ends = sorted(float(value) for value in by_hex.values() if np.isfinite(value))
    arrows = [buoy.arrow.word for buoy in placed.course.buoys if buoy.arrow is not None]
    return {
        "course": f"{letter}{number}", "letter": letter,
        "buoys": " ".join(spot_word(spot) for spot in placed.order),
        "hexes": " ".join(hex_name(spot.at) for spot in placed.order),
        "arrows": " ".join(arrows), "route": len(placed.route) - 1,
        "turns": best.passage.turns, "sink": best.passage.sink, "crashes": float(best.passage.crashes.sum()),
        "fourth": ends[min(FOURTH, len(ends) - 1)] - ends[0], "start_range": ends[-1] - ends[0],
        "start": hex_name(best.start.boat.at),
    }  # fmt: skip


def _sections(atlas: Atlas, solved: Sequence[Solved]) -> Iterator[Section]:
    rows = [one.row for one in solved]
    lead = "Every course by its letter and its number in the order of the spots; buoys 0 (the strip), 1, 2, 3."
    yield Section("courses", "All courses", lead, [*_plots(rows), courses_table(rows)])
    lead = "What happens where, in the mean over all courses told here."
    yield Section("where", "Where boats go, and where they crash", lead, [_board(atlas, solved)])


COLUMNS = (
    words("course"),
    words("buoys"),
    words("arrows"),
    Column("route", "route, steps"),
    decimals("turns", "turns"),
    shares("sink", "sinks"),
    decimals("crashes", "crashes"),
    decimals("fourth", "fourth start, turns"),
    decimals("start_range", "worst start, turns"),
)


def courses_table(rows: Sequence[Row]) -> Table:
    """All courses; sorted by their letters and numbers."""
    caption = "Exact figures of one boat that plays as well as can be. Click a head to sort."
    return Table("courses", "Courses", caption, COLUMNS, rows)


def _plots(rows: Sequence[Row]) -> Iterator[Plot]:
    for key, title, caption in (
        (
            "turns",
            "Turns",
            "Expected turns of the best race: the mean of each letter's courses, and the shortest to the longest.",
        ),
        (
            "fourth",
            "Fourth start",
            "Turns that the fourth best start hex costs: the mean and the least to the greatest.",
        ),
        ("crashes", "Crashes", "Crashes in the best race: the mean and the least to the greatest."),
    ):
        yield dots(f"courses-{key}", title, caption, [_dot(rows, key, letter) for letter in letters_in(rows)], decimal)


def letters_in(rows: Sequence[Row]) -> list[str]:
    """The letters that have courses here."""
    return list(dict.fromkeys(str(row["letter"]) for row in rows))


def _dot(rows: Sequence[Row], key: str, letter: str) -> Dot:
    values = [float(row[key] or 0) for row in rows if row["letter"] == letter]
    return Dot(f"{letter} ({len(values)})", mean(values), min(values), max(values))


def _board(atlas: Atlas, solved: Sequence[Solved]) -> Board:
    heats = [
        Heat(
            "visits", "Visits", "Turns that begin on the hex, in 100 races of one boat, the mean of all courses.",
            _mean([one.visits for one in solved]), lambda count: f"{decimal(count)} turns begin here in 100 races",
            short, lambda count: f"{count:.0f}", root=True, low=0.0, plain="no turn begins here",
        ),
        Heat(
            "crashes", "Crashes", "Moves with damage that end on the hex, in 100 races of one boat, the mean of all.",
            _mean([one.crashes for one in solved]), lambda count: f"{decimal(count)} crashes end here", short,
            lambda count: f"{count:.1f}", root=True, low=0.0, plain="no crash ends here",
        ),
    ]  # fmt: skip
    caption = "Letters are the spots where buoys stand; hatched hexes are land."
    return lake_board(lake_picture(atlas.lake), atlas.lake.name, caption, heats)


def _mean(counts: Sequence[dict[Hex, float]]) -> dict[Hex, float]:
    """In 100 races, the mean over courses."""
    total: Counter[Hex] = Counter()
    for one in counts:
        total.update(one)
    return {at: 100 * count / len(counts) for at, count in total.items() if count / len(counts) > SELDOM}
