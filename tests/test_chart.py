"""The chart: a person who knows nothing but the sheet, played through the rules engine, gets what is printed on it."""

from collections import defaultdict
from itertools import pairwise

import pytest
from click.testing import CliRunner
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from test_reach import afloat, pond
from test_tile_tables import tiled_lake

from rulekit.cli import cli
from rulekit.cli.chart_sheet import sheet_of, text_of
from rulekit.hexgrid import FACINGS, parse_hex
from rulekit.plot.chart import Grid, Leg, Sheet, draw_chart, sheet_size
from rulekit.plot.picture import course_picture
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.dice import Choice, choices
from rulekit.powerboats.move import landings
from rulekit.powerboats.turn import throws
from rulekit.solve.best import best_race, own_or_legal_starts
from rulekit.solve.chart import Tried, fit_chart
from rulekit.solve.tables import Numbered

TURNS = 25


def fitted(numbered: Numbered) -> tuple[Tried, Boat]:
    """A small chart of few rounds, and its start."""
    best = best_race(numbered, own_or_legal_starts(numbered, [], 0))
    boat = best.start.boat
    return fit_chart(best.solution, numbered.state(boat), letters=5, rounds=5), boat


class Reader:
    """Plays by the words of a sheet alone."""

    def __init__(self, sheet: Sheet) -> None:
        self.codes = [leg.codes for leg in sheet.legs]
        self.legs = {int(leg.title.split()[1].rstrip(":")): leg.codes for leg in sheet.legs}
        self.dice, self.helm = (
            {row: dict(zip(grid.columns, cells, strict=True)) for row, cells in zip(grid.rows, grid.cells, strict=True)}
            for grid in sheet.grids
        )
        self.usual = sheet.remarks[0].partition("No code: ")[2].rstrip(".")

    def code(self, boat: Boat) -> str:
        """The code at the bow."""
        return self.legs.get(boat.progress, {}).get((boat.at, boat.facing), self.usual)

    def choice(self, boat: Boat) -> Choice:
        """The dice that the sheet says."""
        name = "".join(map(str, boat.hand)) or "none"
        told = self.dice[f"{name} = {sum(boat.hand)}"][self.code(boat)[0]]
        kept, _, rolled = told.partition("+")
        return Choice(tuple(map(int, "" if kept == "0" else kept)), int(rolled or 0))

    def landing(self, numbered: Numbered, before: Boat, thrown: Boat) -> Landing:
        """The direction that the sheet says, or what it says in its place."""
        legal = {before.facing.steer(left): left for left in (1, 0, -1)}
        found = {legal[landing.steer]: landing for landing in landings(numbered.waters, thrown)}
        told = {"L": 1, "S": 0, "R": -1}[self.helm[self.code(before)[1:]][str(sum(thrown.hand))]]
        return next(found[left] for left in (told, 0, -1, 1) if left in found)


@pytest.mark.parametrize(
    "numbered",
    [
        pond("dice-max=3"),
        pond("dice-max=2", "reroll=one", "faces=1/2/4"),
        tiled_lake(12, "dice-max=2"),
        tiled_lake(22, "dice-max=2", "sink-at=2"),
    ],
    ids=["bare", "other dice", "tiles", "tiles, sinking soon"],
)
def test_playing_by_the_sheet_gives_what_was_evaluated(numbered: Numbered) -> None:
    tried, start = fitted(numbered)
    reader = Reader(sheet_of(tried, numbered, start))
    now = {start: 1.0}
    for turn in range(min(TURNS, len(tried.own.finished))):
        after: defaultdict[Boat, float] = defaultdict(float)
        finished = sunk = 0.0
        for boat, weight in now.items():
            choice = reader.choice(boat)
            assert choice in choices(boat.hand, numbered.waters.readings)
            for chance, thrown in throws(numbered.waters, boat, choice):
                to = reader.landing(numbered, boat, thrown)
                part = weight * float(chance)
                finished += part if to.finished else 0.0
                sunk += part if to.sunk and not to.finished else 0.0
                if afloat(to):
                    after[to.boat] += part
        now = after
        assert finished == pytest.approx(tried.own.finished[turn], abs=1e-9)
        assert sunk == pytest.approx(tried.own.sunk[turn], abs=1e-9)


def test_losses_are_against_the_optimum() -> None:
    tried, _ = fitted(pond("dice-max=3"))
    assert tried.own.ends
    assert 0 <= tried.loss(tried.own) < 1
    assert tried.loss(tried.best) >= 0  # infinite where the race may never end
    assert tried.cost(tried.own) == pytest.approx(tried.own.turns + tried.sunk * tried.own.sink)


def small_sheet(title: str, remarks: list[str]) -> Sheet:
    """One map of a few hexes, and tables of few columns under long titles."""
    one = pond().waters
    codes = {(parse_hex("C2"), facing): f"A1{int(facing)}" for facing in FACINGS}
    leg = Leg("Leg 1: 1 of 3 gates passed", course_picture(one.course, one.readings, with_route=False), codes)
    titles = "1. Dice: keep + roll, by hand and letter (bold: often needed)", "2. Helm: direction by total and number"
    return Sheet(
        title, remarks, [leg], [Grid(name, ["A", "B"], ["row"], [["x", "y"]], [[False, True]]) for name in titles]
    )


def words_on(figure: Figure) -> dict[str, Bbox]:
    """Every text on a figure, and its box in pixels."""
    figure.canvas.draw()
    return {text.get_text(): text.get_window_extent() for ax in figure.axes for text in ax.texts}


def test_words_of_a_small_sheet_are_whole_and_apart() -> None:
    remark = " ".join(f"word{k}" for k in range(40))
    sheet = small_sheet("a long name " * 9, [remark, "short"])
    figure = Figure(sheet_size(sheet), dpi=300)
    draw_chart(figure, sheet)
    boxes = words_on(figure)
    assert all(box.x0 > 0 and box.x1 < figure.bbox.width and box.y0 > 0 for box in boxes.values())
    first, second = (boxes[grid.title] for grid in sheet.grids)
    assert first.x1 < second.x0
    lines = [text for text in boxes if text.startswith("word")]
    assert len(lines) > 2
    assert " ".join(lines) == remark
    assert min(boxes[above].y0 - boxes[below].y1 for above, below in pairwise([*lines, "short"])) > 0
    codes = [boxes[f"A1{int(facing)}"] for facing in FACINGS[1:3]]
    assert codes[0].x0 > codes[1].x1


def test_sheet_as_text_says_its_loss() -> None:
    numbered = pond("dice-max=3")
    tried, start = fitted(numbered)
    text = text_of(sheet_of(tried, numbered, start))
    assert f"{100 * tried.loss(tried.own):.1f} % more than the best race" in text
    assert "Leg 1" in text
    assert "1. Dice" in text
    assert "2. Helm" in text


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--chart", "x.gif"], ".svg, .png or .pdf"),
        (["--chart", "x.svg", "--objective", "pareto"], "--objective turns only"),
    ],
)
def test_command_faults(args: list[str], told: str) -> None:
    found = CliRunner().invoke(cli, ["solve", "practice-a", *args])
    assert found.exit_code == 2
    assert told in found.stderr
