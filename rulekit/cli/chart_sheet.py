"""A fitted chart as a sheet: maps with codes, tables, the rules of its use, as a picture or as text."""

from collections.abc import Iterator
from dataclasses import replace
from math import isfinite
from pathlib import Path
from string import ascii_uppercase

import numpy as np

from rulekit.cli.output import tabulated
from rulekit.hexgrid import FACINGS, Facing, Hex, hex_name
from rulekit.plot.chart import Grid, Leg, Sheet
from rulekit.plot.picture import course_picture
from rulekit.powerboats.boat import Boat
from rulekit.solve.chart import Tried
from rulekit.solve.passage import Passage
from rulekit.solve.tables import Numbered

WAYS = ("R", "S", "L")
SELDOM = 1e-3
"""Instructions that are read less often in a race are printed fainter."""


def chart_file(path: Path, tried: Tried, numbered: Numbered, start: Boat) -> bytes:
    """The chart as text (.txt) or as a picture; raises BadInput for another suffix."""
    sheet = sheet_of(tried, numbered, start)
    if path.suffix.lower() == ".txt":
        return text_of(sheet).encode()
    from rulekit.plot.chart import draw_chart, sheet_size
    from rulekit.plot.figure import render, suffix_of

    return render(lambda figure: draw_chart(figure, sheet), sheet_size(sheet), suffix_of(path))


def sheet_of(tried: Tried, numbered: Numbered, start: Boat) -> Sheet:
    """The sheet as plain values."""
    name = numbered.waters.course.name
    return Sheet(
        f"{name}: a chart to play from",
        [*_remarks(tried, start)],
        [*_legs(tried, numbered)],
        [_dice_grid(tried), _helm_grid(tried)],
    )


def _remarks(tried: Tried, start: Boat) -> Iterator[str]:
    chart = tried.chart
    usual = _code(*chart.usual)
    yield (
        f"Start on {hex_name(start.at)} facing {start.facing.name}. Before each turn take the map of the leg that you"
        " are on and read the code at the side of your hex that your bow points to: a letter and a number."
        + (f" No code: {usual}." if chart.rare is not None and chart.rare.any() else "")
    )
    yield (
        "1. Dice: look up your hand in the column of the letter. 33+1 says: keep two 3s, roll one die; +1: keep none,"
        " roll one; 33: keep two 3s, roll none; 0: no dice. Dice not kept go back or are rolled."
    )
    yield (
        "2. Helm: look up the total in the row of the number: L turn left, S straight on, R turn right. If that is not"
        " legal: straight, else right, else left."
    )
    yield (
        f"Evaluated exactly: {tried.own.turns:.2f} turns in the mean, sunk in {100 * tried.own.sink:.2g} % of races;"
        f" counting a sunk boat as {tried.sunk:g} turns, {_loss(tried, tried.own)} than the best race"
        f" ({tried.optimum:.2f})."
    )
    yield f"With the directions of the best race instead of step 2: {_loss(tried, tried.best)}."


def _loss(tried: Tried, passage: Passage) -> str:
    """What a race costs more than the optimum."""
    loss = tried.loss(passage)
    return f"{100 * max(0.0, loss):.1f} % more" if isfinite(loss) else "endlessly more, since it may never finish"


def _code(letter: int, helm: int) -> str:
    return f"{ascii_uppercase[letter]}{helm + 1}"


def _legs(tried: Tried, numbered: Numbered) -> Iterator[Leg]:
    waters, race = numbered.waters, tried.chart.race
    whole = course_picture(waters.course, waters.readings, with_route=False)
    board = replace(whole, lake=replace(whole.lake, spots=()))  # their letters would be taken for codes
    for progress in range(race.progresses):
        codes = dict(_codes(tried, numbered, progress))
        if codes:
            passed = f"{progress} of {race.progresses} gates passed"
            yield Leg(f"Leg {progress}: {passed}", board, codes)


def _codes(tried: Tried, numbered: Numbered, progress: int) -> Iterator[tuple[tuple[Hex, Facing], str]]:
    chart, race = tried.chart, tried.chart.race
    for place, at in enumerate(numbered.hexes):
        row = progress * race.hexes + place
        for facing in FACINGS:
            printed = not chart.rare[row, facing] if chart.rare is not None else True
            if printed and chart.visits[row, facing] > 0:
                yield (at, facing), _code(int(chart.letters[row, facing]), int(chart.helm.places[row, facing]))


def _used(tried: Tried) -> list[int]:
    """Letters that some printed place has."""
    chart = tried.chart
    been = chart.visits > 0
    return sorted({*np.unique(chart.letters[been]).tolist(), chart.usual[0]})


def _dice_grid(tried: Tried) -> Grid:
    chart, hands = tried.chart, tried.chart.race.dice.hands
    letters = _used(tried)
    read = [hand for hand in range(hands.count) if chart.hands[letters, hand].any()]
    order = sorted(read, key=lambda hand: (hands.pip_count[hand], hands.size[hand]))
    rows = [f"{_hand(hands.tuple_of(hand))} = {hands.pip_count[hand]}" for hand in order]
    cells = [[_instruction(tried, letter, hand) for letter in letters] for hand in order]
    faint = [[bool(chart.hands[letter, hand] < SELDOM) for letter in letters] for hand in order]
    columns = [ascii_uppercase[letter] for letter in letters]
    return Grid("1. Dice: keep + roll, by hand and letter (bold: often needed)", columns, rows, cells, faint)


def _hand(dice: tuple[int, ...]) -> str:
    return "".join(map(str, dice)) or "none"


def _instruction(tried: Tried, letter: int, hand: int) -> str:
    race = tried.chart.race
    kept, rolled = race.dice.throws.choice(int(tried.chart.tables[letter, hand]))
    dice = "".join(map(str, race.dice.hands.tuple_of(kept)))
    return f"{dice}+{rolled}" if rolled else dice or "0"


def _helm_grid(tried: Tried) -> Grid:
    helm = tried.chart.helm
    been = tried.chart.visits > 0
    numbers = sorted({*np.unique(helm.places[been]).tolist(), tried.chart.usual[1]})
    totals = [str(total) for total in range(helm.ways.shape[1])]
    cells = [[WAYS[way] for way in helm.ways[number]] for number in numbers]
    faint = [[False] * len(totals) for _ in numbers]
    return Grid("2. Helm: direction by total and number", totals, [str(number + 1) for number in numbers], cells, faint)


def text_of(sheet: Sheet) -> str:
    """The sheet as plain text: for each leg a table of hexes and facings instead of a map."""
    parts = [sheet.title, "\n".join(sheet.remarks)]
    for leg in sheet.legs:
        hexes = sorted({at for at, _ in leg.codes}, key=lambda at: (at.r, at.q))
        rows = [[hex_name(at), *(leg.codes.get((at, facing), "") for facing in FACINGS)] for at in hexes]
        parts.append(f"{leg.title}\n\n{tabulated(['hex', *(facing.name for facing in FACINGS)], rows)}")
    for grid in sheet.grids:
        rows = [[name, *cells] for name, cells in zip(grid.rows, grid.cells, strict=True)]
        parts.append(f"{grid.title}\n\n{tabulated(['', *grid.columns], rows)}")
    return "\n\n".join(parts) + "\n"
