"""The board in a terminal: the picture style of the files, with the marks written into it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil

from rulekit.errors import shortened
from rulekit.hexgrid import FACING_DIGIT, Hex, Side, column_letters, hex_name, to_offset
from rulekit.plot.picture import Picture
from rulekit.powerboats.course import Course, Tile, TileKind

SENSE = {Side.LEFT: "<", Side.RIGHT: ">"}
"""Behind a buoy or a maelstrom: the way round."""


class Ink(Enum):
    """Colours of a terminal as the numbers of its escape codes; 0 is the terminal's own."""

    PLAIN = "0"
    FAINT = "2"
    WATER = "34"
    LAND = "33"
    SPOT = "36"
    ROUTE = "32"
    STRIP = "1"
    BUOY = "1;7"
    TILE = "35"
    FLAW = "1;41"
    BOAT = "1;44"


@dataclass(frozen=True, slots=True)
class Glyph:
    """Two characters for a hex, the second mostly a space, and their ink."""

    text: str
    ink: Ink = Ink.PLAIN


def board_text(picture: Picture, width: int = 80, colour: bool = False, legend: bool = True) -> str:
    """The board with rulers, and a legend below unless it is unwanted; `colour` adds escape codes.

    A board that is wider than `width` characters is cut into parts, one below the other.
    """
    glyphs = board_glyphs(picture)
    parts = [_part(glyphs, span, colour) for span in _spans(glyphs, width)]
    return "\n\n".join(
        [shortened(picture.title, width), *parts, *(["\n".join(_legend(picture, width))] if legend else [])]
    )


def board_glyphs(picture: Picture) -> dict[Hex, Glyph]:
    """What stands at each hex: the lake, over it tiles, route, strip, buoys, boats, faults."""
    lake = picture.lake
    glyphs = dict.fromkeys(lake.water, Glyph(". ", Ink.WATER)) | dict.fromkeys(lake.land, Glyph("# ", Ink.LAND))
    for spot in lake.spots:
        letter = spot.letter if spot.at in lake.land else spot.letter.lower()
        glyphs[spot.at] = Glyph(letter + FACING_DIGIT[spot.side], Ink.SPOT)
    glyphs |= dict.fromkeys(picture.route, Glyph("* ", Ink.ROUTE))
    if picture.course:
        glyphs |= _course_glyphs(picture.course)
    for flaw in picture.flaws:
        glyphs[flaw.at] = Glyph(glyphs.get(flaw.at, Glyph("? ")).text if flaw.sign == "ring" else "X ", Ink.FLAW)
    for boat in picture.boats:
        glyphs[boat.at] = Glyph((boat.label or "^")[:1] + FACING_DIGIT[boat.facing], Ink.BOAT)
    columns, rows = _extent(lake.hexes)
    return {at: glyph for at, glyph in glyphs.items() if at.r in rows and to_offset(at)[0] in columns}


def _course_glyphs(course: Course) -> dict[Hex, Glyph]:
    glyphs = {
        hexagon: Glyph(_effect(tile, k), Ink.TILE) for tile in course.tiles for k, hexagon in enumerate(tile.hexes)
    }
    glyphs |= dict.fromkeys(course.strip, Glyph("= ", Ink.STRIP))
    for number, buoy in enumerate(course.buoys, 1):
        glyphs[buoy.at] = Glyph(f"{number}"[-1] + (SENSE[buoy.arrow] if buoy.arrow is not None else " "), Ink.BUOY)
    return glyphs | {course.start_buoy: Glyph("0 ", Ink.BUOY), course.finish_buoy: Glyph("F ", Ink.BUOY)}


def _effect(tile: Tile, place: int) -> str:
    if tile.kind is TileKind.CURRENT:
        return f"~{FACING_DIGIT[tile.flow[place]]}"
    if tile.kind is TileKind.MAELSTROM:
        return f"@{SENSE[tile.spin[place]]}"
    return f"o{tile.rocks[place]}" if tile.kind is TileKind.LOW_WATER else "R "


def _spans(glyphs: dict[Hex, Glyph], width: int) -> list[range]:
    """The columns of each part of the board, about the same number in each."""
    columns, rows = _extent(glyphs)
    room = max(1, (width - _margin(rows) - 1) // 2)
    share = ceil(len(columns) / ceil(len(columns) / room))
    return [columns[k : k + share] for k in range(0, len(columns), share)]


def _extent(glyphs: Iterable[Hex]) -> tuple[range, range]:
    columns, rows = zip(*map(to_offset, glyphs), strict=True)
    return range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)


def _margin(rows: range) -> int:
    return len(f"{rows[-1] + 1}: ")


def _part(glyphs: dict[Hex, Glyph], columns: range, colour: bool) -> str:
    _, rows = _extent(glyphs)
    margin = _margin(rows)
    by_place = {to_offset(hexagon): glyph for hexagon, glyph in glyphs.items()}
    ruler = _ruler(columns, margin)
    lines = [_row(by_place, columns, row, margin, colour) for row in rows]
    return "\n".join([*ruler, *lines])


def _ruler(columns: range, margin: int) -> Iterator[str]:
    """The column letters over the hexes of the odd rows; a line above for the first of two letters."""
    names = [column_letters(column) for column in columns]
    if any(len(name) > 1 for name in names):
        yield (" " * margin + " ".join(name[-2] if len(name) > 1 else " " for name in names)).rstrip()
    yield " " * margin + " ".join(name[-1] for name in names)


def _row(glyphs: dict[tuple[int, int], Glyph], columns: range, row: int, margin: int, colour: bool) -> str:
    cells = [glyphs.get((column, row), Glyph("  ")) for column in columns]
    body = " " * (row % 2) + "".join(_inked(cell, colour) for cell in cells)
    return f"{f'{row + 1}: ':>{margin}}{body}".rstrip()


def _inked(glyph: Glyph, colour: bool) -> str:
    if not colour or glyph.ink is Ink.PLAIN or not glyph.text.strip():
        return glyph.text
    shown = glyph.text.rstrip()
    return f"\x1b[{glyph.ink.value}m{shown}\x1b[0m{glyph.text[len(shown) :]}"


def _legend(picture: Picture, width: int) -> Iterator[str]:
    yield from wrapped(list(_signs(picture)), width)
    if picture.course:
        yield ""
        yield from _course_lines(picture.course)
    if picture.route:
        ends = f"from {hex_name(picture.route[0])} to {hex_name(picture.route[-1])}"
        yield f"route   {len(picture.route) - 1} steps {ends}"
    yield from (f"fault   {told}" for told in dict.fromkeys(map(picture.told, picture.flaws)))
    yield from picture.remarks


def _signs(picture: Picture) -> Iterator[str]:
    yield ". water"
    yield "# land"
    if picture.lake.spots:
        yield "A9 spot on land, a9 in water: 9 is its side as on a number pad"
    if picture.course:
        yield "= strip"
        yield "1< rounded leftward, 1> rightward"
    if picture.route:
        yield "* route"
    kinds = {tile.kind for tile in picture.course.tiles} if picture.course else set()
    yield from (words for kind, words in TILE_SIGNS.items() if kind in kinds)
    if any(flaw.sign == "cross" for flaw in picture.flaws):
        yield "X fault"
    if picture.boats:
        yield "boats: label and heading, as on a number pad"


TILE_SIGNS = {
    TileKind.REDOUBT: "R redoubt",
    TileKind.CURRENT: "~9 current that way, as on a number pad",
    TileKind.MAELSTROM: "@< maelstrom to the left, @> to the right",
    TileKind.LOW_WATER: "o2 low water with that many rocks",
}


def wrapped(signs: Sequence[str], width: int) -> Iterator[str]:
    """The signs of a legend in lines of at most `width` characters, where a single one is no longer."""
    line = ""
    for sign in signs:
        if line and len(line) + 3 + len(sign) > width:
            yield line
            line = ""
        line = f"{line}   {sign}" if line else sign
    yield line


def _course_lines(course: Course) -> Iterator[str]:
    inside = course.finish_buoy in course.lake.water | course.lake.land
    last = f"at {hex_name(course.finish_buoy)}" if inside else "outside the lake"
    ends = f"strip   from 0 at {hex_name(course.start_buoy)} to F {last}"
    crossed = [f"{word} {side.word}" for word, side in (("start", course.start), ("finish", course.finish)) if side]
    yield f"{ends}, {', '.join(crossed)}" if crossed else ends
    marks = [
        f"{number} {hex_name(buoy.at)} {buoy.arrow.word if buoy.arrow else ''}".rstrip()
        for number, buoy in enumerate(course.buoys, 1)
    ]
    yield f"buoys   {', '.join(marks)}"
