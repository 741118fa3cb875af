"""The circuit in a terminal: the straightened track in the characters of the files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from rulekit.errors import shortened
from rulekit.files.strip import LINE, ON, SYMBOL
from rulekit.hexgrid import Side
from rulekit.plot.circuit_picture import CarMark, CircuitPicture
from rulekit.plot.text import wrapped
from rulekit.ps.track import LANES, PIT_LONG, PIT_SHORT, Mark, Section, Track

MARGIN = 8
"""Room for the lanes' names."""

DOUBLE, SINGLE = "‖ ", "¦ "
"""Between a curve and what is beside it; between two straights."""

TURNS = {Side.LEFT: "<", Side.RIGHT: ">"}
TICKS = 5

INKS = {"^": "32", "s": "32", "u": "31;1", "U": "31;1", "S": "31;1", LINE: "1;7"}
"""Colours of a terminal, as the numbers of its escape codes, by character."""
CAR_INKS = ("1;44", "1;41", "1;42", "1;45")
"""Of cars, by seat."""


@dataclass(frozen=True)
class Part:
    """What stands on a stretch of a section: its lines of equal width from the names down to the right lane."""

    name: str
    turn: str
    ticks: str
    lanes: tuple[tuple[str, ...], ...]
    end: str

    @property
    def width(self) -> int:
        """Characters that it takes with the line at its end."""
        return max(2 * len(self.lanes[0]), len(self.name) + 1, len(self.turn) + 1) + len(self.end)


def circuit_text(picture: CircuitPicture, width: int = 80, colour: bool = False, legend: bool = True) -> str:
    """The straightened track, cut into rows of at most `width` characters; below it what the signs mean (`legend`).

    `colour` adds escape codes.
    """
    track = picture.track
    parts = [part for number in range(len(track.sections)) for part in _parts(picture, number, width)]
    inks = _inks(picture) if colour else {}
    rows = ["\n".join(_row(row, inks)) for row in _rows(parts, width)]
    signs = ["\n".join(_legend(picture, width))] if legend else []
    return "\n\n".join([shortened(picture.title, width), *rows, *signs])


def _inks(picture: CircuitPicture) -> Mapping[str, str]:
    """The colours of the signs and of the cars, by character."""
    return INKS | {_sign(car): CAR_INKS[car.seat % len(CAR_INKS)] for car in picture.cars}


def _sign(car: CarMark) -> str:
    return (car.label or "c")[0]


def _parts(picture: CircuitPicture, number: int, width: int) -> Iterator[Part]:
    """A section in one part, or in several where it is wider than a row."""
    track = picture.track
    section = track.sections[number]
    lanes = [_lane(picture, number, lane) for lane in range(3)]
    ticks = _ticks(lanes[0])
    after = track.sections[(number + 1) % len(track.sections)]
    most = max(1, (width - MARGIN - 2) // 2)
    for begin in range(0, len(lanes[0]), most):
        whole = begin + most >= len(lanes[0])
        end = (DOUBLE if section.is_curve or after.is_curve else SINGLE) if whole else ""
        head = (section.id, _turn(section)) if not begin else ("…", "")
        cut = tuple(tuple(lane[begin : begin + most]) for lane in lanes)
        yield Part(*head, "".join(ticks[begin : begin + most]).rstrip(), cut, end)


def _turn(section: Section) -> str:
    limit = "–" if section.limit is None else section.limit
    return "" if section.turn is None else f"{TURNS[section.turn]}{limit}"


def _lane(picture: CircuitPicture, section: int, lane: int) -> list[str]:
    """A lane's characters, the start/finish line among them."""
    track = picture.track
    cars = {car.space: _sign(car) for car in picture.cars}
    shown = []
    for column in range(1, track.sections[section].columns + 1):
        space = track.at_column[section, lane, column]
        begins = track.spaces[space].first == column
        shown.append((cars.get(space) or symbol_of(track.spaces[space].marks)) if begins else ON)
    if track.line[0] == section:
        shown.insert(track.line[1], LINE)
    return shown


def symbol_of(marks: frozenset[Mark]) -> str:
    """A space's character; a σ without its triangle, which no file can tell, as one with it."""
    return SYMBOL.get(marks) or SYMBOL[marks | {Mark.TRIANGLE}]


def _ticks(lane: Sequence[str]) -> list[str]:
    """Two characters over each column, a number over the first and every fifth."""
    ticks, column = [], 0
    for symbol in lane:
        column += symbol != LINE
        shown = symbol != LINE and (column == 1 or column % TICKS == 0)
        ticks.append(f"{column if shown else '':<2}"[:2])
    return ticks


def _rows(parts: Sequence[Part], width: int) -> list[list[Part]]:
    rows: list[list[Part]] = [[]]
    for part in parts:
        if rows[-1] and MARGIN + sum(own.width for own in rows[-1]) + part.width > width:
            rows.append([])
        rows[-1].append(part)
    return rows


def _row(parts: Sequence[Part], inks: Mapping[str, str]) -> Iterator[str]:
    yield (" " * MARGIN + "".join(part.name.ljust(part.width) for part in parts)).rstrip()
    if any(part.turn for part in parts):
        yield (" " * MARGIN + "".join(part.turn.ljust(part.width) for part in parts)).rstrip()
    yield (" " * MARGIN + "".join(part.ticks.ljust(part.width) for part in parts)).rstrip()
    for lane, name in enumerate(LANES):
        yield name.ljust(MARGIN) + "".join(_cells(part, lane, inks) for part in parts).rstrip()


def _cells(part: Part, lane: int, inks: Mapping[str, str]) -> str:
    cells = "".join(f"{_inked(symbol, inks)} " for symbol in part.lanes[lane])
    return cells + " " * (part.width - len(part.end) - 2 * len(part.lanes[lane])) + part.end


def _inked(symbol: str, inks: Mapping[str, str]) -> str:
    return f"\x1b[{inks[symbol]}m{symbol}\x1b[0m" if symbol in inks else symbol


SIGNS: Mapping[str, str] = {
    "=": "= a space", "-": "- it goes on", "^": "^ triangle", "s": "s σ (with triangle)", "u": "u μ",
    "U": "U μ with triangle", "S": "S μ with σ", LINE: "| start/finish line",
}  # fmt: skip


CURVE_SIGNS = ("<4 curve to the left with limit 4", ">4 to the right", "‖ double line")


def _legend(picture: CircuitPicture, width: int) -> Iterator[str]:
    track = picture.track
    sections = range(len(track.sections))
    shown = {symbol for section in sections for lane in range(3) for symbol in _lane(picture, section, lane)}
    signs = [words for symbol, words in SIGNS.items() if symbol in shown]
    yield from wrapped([*signs, *CURVE_SIGNS, "driven from left to right"], width)
    yield ""
    for fact in _facts(track):
        yield from wrap(fact, width, subsequent_indent=" " * MARGIN)
    yield from picture.remarks


def _facts(track: Track) -> Iterator[str]:
    yield f"race    {track.laps} laps, the infield on the {track.inside.word}"
    if track.box_1 is not None:
        yield f"grid    box 1 beside {track.name_of(track.box_1)}, box 12 the foremost"
    if track.pit:
        pit = track.pit
        ways = ", ".join(
            f"out of {track.name_of(place)} to {track.name_of(space)}"
            for place, space in ((PIT_SHORT, pit.exit_short), (PIT_LONG, pit.exit_long))
        )
        yield f"pit     in from {track.name_of(pit.entry)}, {ways}"
