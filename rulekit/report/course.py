"""What the exact solution tells of one course: the board with its values, the best race, its starts, its hexes."""

from collections.abc import Iterator
from math import isfinite

import numpy as np

from rulekit.hexgrid import Hex, hex_name
from rulekit.plot.picture import course_picture
from rulekit.report.board import course_board
from rulekit.report.charts import bars
from rulekit.report.forms import decimal, decimals, hundredths, percent, shares, short, words
from rulekit.report.heat import Heat
from rulekit.report.parts import Board, Plot, Row, Section, Table
from rulekit.solve.best import Best, Start
from rulekit.study.evidence import SolvedCourse

SELDOM = 1e-5
"""What happens less often in a race leaves the water plain."""

VISITED = 0.01
"""Hexes where a turn begins in fewer than one race of a hundred tell no crash chance: hardly anybody is ever there."""

FINISHING = 5e-4
"""Finishing turns with less are not drawn."""

SHOWN_HEXES = 12

BEST_RACE = "one boat alone that plays as well as can be"


def board_of(course: SolvedCourse) -> Board:
    """The board with crash chance, crashes, visits and the turns left on each leg."""
    waters = course.numbered.waters
    picture = course_picture(waters.course, waters.readings)
    caption = f"All values are exact and of {BEST_RACE}."
    return course_board(picture, "The board", caption, list(heats(course)))


def heats(course: SolvedCourse) -> Iterator[Heat[Hex]]:
    """The layers of the board."""
    passage, harm = course.best.passage, course.harm
    risk = {at: float(chance) for at, chance, begun in zip(course.numbered.hexes, harm.risk, harm.begun, strict=True)
            if begun > VISITED and chance > SELDOM}  # fmt: skip
    yield Heat(
        "risk", "Crash chance", "The chance that a turn begun on the hex brings damage, in percent.", risk,
        lambda share: f"a turn from here crashes in {percent(share)}", lambda share: short(100 * share),
        lambda share: f"{100 * share:.0f}", root=True, low=0.0, plain="no crash to speak of from here",
    )  # fmt: skip
    crashes = _in_hundred(course, passage.crashes)
    yield Heat(
        "crashes", "Crashes", "Moves with damage that end on the hex, in 100 races.", crashes,
        lambda count: f"{decimal(count)} crashes end here in 100 races", short, _ends, root=True, low=0.0,
    )  # fmt: skip
    yield Heat(
        "visits", "Visits", "Turns that begin on the hex, in 100 races.", _in_hundred(course, passage.visits),
        lambda count: f"{decimal(count)} turns begin here in 100 races", short, _ends, root=True, low=0.0,
        plain="no turn begins here",
    )  # fmt: skip
    for progress in range(1, course.best.solution.race.progresses):
        yield _value(course, progress)


def _ends(count: float) -> str:
    return f"{count:.0f}" if count >= 10 else f"{count:.1f}"


def _in_hundred(course: SolvedCourse, counts: np.ndarray) -> dict[Hex, float]:
    return {at: 100 * float(count) for at, count in zip(course.numbered.hexes, counts, strict=True) if count > SELDOM}


def _value(course: SolvedCourse, progress: int) -> Heat[Hex]:
    """Turns left from every hex to a boat without dice that has passed so many gates, in its best facing."""
    best = course.best
    states = best.solution.states()[best.start.boat.damage, progress, :, 0]
    found = zip(course.numbered.hexes, np.min(states, axis=-1), strict=True)
    values = {at: float(value) for at, value in found if isfinite(value)}
    buoys = best.solution.race.progresses - 2
    leg = f"to buoy {progress}" if progress <= buoys else "to the finish"
    caption = (
        f"Turns to the finish for a boat at rest on its way {leg}, in its best facing; sinking counts as "
        f"{best.solution.sunk:g}."
    )
    before = "turns left: " if progress == 1 else ""
    return Heat(f"value{progress}", f"Value {leg}", caption, values, lambda value: f"{before}{value:.1f} {leg}",
                lambda value: f"{value:.0f}", lambda value: f"{value:.1f}")  # fmt: skip


def best_section(course: SolvedCourse, name: str = "best", title: str = "The best race") -> Section:
    """The best race: its figures in words, its finishing turns, its starts."""
    best = course.best
    return Section(
        name, title, f"The exact optimum of {BEST_RACE}: nobody can be faster on average.",
        [finishing(best, name), starts_table(best, name)], list(best_words(best)),
    )  # fmt: skip


def best_words(best: Best) -> Iterator[str]:
    """The best race in words."""
    passage, start = best.passage, best.start
    yield (
        f"From {hex_name(start.boat.at)} facing {start.boat.facing.name} it takes {passage.turns:.2f} turns on average "
        f"(certified {start.lower:.7f} to {start.upper:.7f}, sinking counted as {best.solution.sunk:g} turns)."
    )
    hurt, crashes = percent(max(0.0, 1 - passage.unhurt)), decimal(float(passage.crashes.sum()))
    sinks = percent(passage.sink)
    yield f"The boat is damaged in {hurt} of races, crashes {crashes} times a race, and sinks in {sinks}."


def finishing(best: Best, name: str) -> Plot:
    """The finishing turns as bars."""
    chances = [(turn, float(chance)) for turn, chance in enumerate(best.passage.finished, 1) if chance > FINISHING]
    caption = "The turn in which the best race finishes; the spread is the dice alone."
    return bars(f"{name}-finishing", "Finishing turn", caption, chances or [(0, 0.0)], "turns")


def starts_table(best: Best, name: str) -> Table:
    """Every start with its value in the best facing."""
    ranked = sorted(_by_place(best), key=lambda start: start.value)
    least = ranked[0].value
    rows: list[Row] = [
        {
            "hex": hex_name(start.boat.at), "facing": start.boat.facing.name,
            "place": "on the strip" if start.boat.progress else "behind it",
            "turns": start.value, "longer": start.value - least,
        }
        for start in ranked
    ]  # fmt: skip
    columns = (
        words("hex", "start"),
        words("facing", "best facing"),
        words("place", "where"),
        hundredths("turns", "turns"),
        hundredths("longer", "longer than the best"),
    )
    caption = "Expected turns from each start (exact). Large differences make the placing of boats decide."
    return Table(f"{name}-starts", "Starts", caption, columns, rows, SHOWN_HEXES)


def _by_place(best: Best) -> list[Start]:
    """Each start hex with its best facing."""
    found: dict[tuple[Hex, int], Start] = {}
    for start in best.starts:
        key = start.boat.at, start.boat.progress
        if isfinite(start.value) and (key not in found or start.value < found[key].value):
            found[key] = start
    return list(found.values())


def hexes_table(course: SolvedCourse, name: str = "hexes") -> Table:
    """Every hex where something happens, the most crashes first."""
    passage, harm = course.best.passage, course.harm
    columns = zip(course.numbered.hexes, harm.risk, passage.crashes, passage.sinkings, passage.visits, strict=True)
    rows: list[Row] = [
        {
            "hex": hex_name(at), "crash_chance": float(risk), "crashes": 100 * float(crashes),
            "sinkings": 100 * float(sinkings), "visits": 100 * float(visits),
        }
        for at, risk, crashes, sinkings, visits in columns
        if max(crashes, sinkings, visits) > SELDOM
    ]  # fmt: skip
    rows.sort(key=lambda row: -float(row["crashes"] or 0))
    shown = (
        words("hex"),
        decimals("crashes", "crashes that end here"),
        shares("crash_chance", "crash chance of a turn from here"),
        decimals("sinkings", "boats that sink here"),
        decimals("visits", "turns begun here"),
    )
    caption = f"Counts in 100 races of {BEST_RACE} (exact), the most crashes first; all hexes are in the CSV file."
    return Table(name, "Hexes", caption, shown, rows, SHOWN_HEXES)
