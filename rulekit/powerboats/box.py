"""Lakes built from square tiles in a frame, as they come in a box (PB-1, PB-2)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rulekit.errors import did_you_mean
from rulekit.hexgrid import Facing, Hex, by_name, from_offset, hex_name
from rulekit.powerboats.lake import Lake, Spot


class Mark(NamedTuple):
    """A letter on a tile: where (column and row from 0) and at which side of its hex it is printed."""

    letter: str
    column: int
    row: int
    side: Facing


@dataclass(frozen=True)
class Face:
    """One side of a tile: land and letters by (column, row); every other hex of it is water."""

    columns: int
    rows: int
    land: frozenset[tuple[int, int]]
    marks: tuple[Mark, ...] = ()

    def turned(self) -> "Face":
        """The face turned by 180°; with an even number of rows its hexes fall on hexes again."""
        last_column, last_row = self.columns - 1, self.rows - 1
        land = frozenset((last_column - column, last_row - row) for column, row in self.land)
        marks = tuple(Mark(m.letter, last_column - m.column, last_row - m.row, m.side.steer(3)) for m in self.marks)
        return Face(self.columns, self.rows, land, marks)


@dataclass(frozen=True)
class LakeTile:
    """A tile: its id and its sides, the light one where there is one."""

    id: str
    dark: Face
    light: Face | None = None


class Slot(NamedTuple):
    """A tile as it lies in a layout."""

    tile: str
    turned: bool = False
    light: bool = False

    def __str__(self) -> str:
        """The text form: `r` turned by 180°, `*` light side up.

        >>> print(Slot("5", turned=True, light=True))
        5r*
        """
        return f"{self.tile}{'r' * self.turned}{'*' * self.light}"


Layout = tuple[tuple[Slot, ...], ...]


def parse_slot(text: str) -> Slot:
    """The slot of a text such as `5`, `5r`, `6*`, `5r*`.

    Raises ValueError where the text is none.

    >>> parse_slot("6*")
    Slot(tile='6', turned=False, light=True)
    """
    match = re.fullmatch(r"([A-Za-z0-9]*[A-Za-qs-z0-9])(r?)(\*?)", text)
    if not match:
        raise ValueError(
            f"{text!r} is no tile of a layout: an id, then r where it is turned, then * for its light side"
        )
    return Slot(match[1], bool(match[2]), bool(match[3]))


def parse_layout(rows: Sequence[str]) -> Layout:
    """The layout of rows of slots; raises ValueError as `parse_slot`."""
    return tuple(tuple(parse_slot(word) for word in row.split()) for row in rows)


def layout_rows(layout: Layout) -> list[str]:
    """The text form of a layout, one text a row."""
    return [" ".join(map(str, row)) for row in layout]


@dataclass(frozen=True)
class Frame:
    """The shore: hexes around the tiles, and the place that the block of tiles takes, in axial coordinates."""

    water: frozenset[Hex]
    land: frozenset[Hex]
    block: frozenset[Hex]

    @cached_property
    def origin(self) -> Hex:
        """The block's first hex: the leftmost of its top row."""
        return by_name(self.block)[0]


class Misfit(NamedTuple):
    """Why a layout cannot be laid: the row and the place in it (from 0), a code and the words."""

    row: int
    place: int
    code: str
    message: str


@dataclass(frozen=True)
class Box:
    """A set of tiles of one size with an even number of rows, and the frame, where there is one."""

    name: str
    tiles: Mapping[str, LakeTile]
    frame: Frame | None = None

    @property
    def size(self) -> tuple[int, int]:
        """(columns, rows) of every tile."""
        dark = next(iter(self.tiles.values())).dark
        return dark.columns, dark.rows

    def misfits(self, layout: Layout) -> list[Misfit]:
        """What keeps a layout from being laid; nothing where it can be."""
        found = [*self._wrong_slots(layout), *_ragged(layout)]
        return found or list(self._frame_misfit(layout))

    def _wrong_slots(self, layout: Layout) -> Iterator[Misfit]:
        seen: set[str] = set()
        for row, slots in enumerate(layout):
            for index, slot in enumerate(slots):
                tile = self.tiles.get(slot.tile)
                if tile is None:
                    near = did_you_mean(slot.tile, self.tiles)
                    yield Misfit(row, index, "layout-tile", f"there is no tile {slot.tile!r} in this lake{near}")
                elif slot.tile in seen:
                    yield Misfit(row, index, "layout-repeat", f"tile {slot.tile} stands in the layout already")
                elif slot.light and tile.light is None:
                    yield Misfit(row, index, "light-side", f"tile {slot.tile} has no light side")
                seen.add(slot.tile)

    def _frame_misfit(self, layout: Layout) -> Iterator[Misfit]:
        if self.frame is None:
            return
        want = {self._moved(hexagon) for hexagon in self._block_hexes(layout)}
        wrong = by_name(want ^ self.frame.block)
        if wrong:
            columns, rows = self._block_size(layout)
            what = "needs a * there" if wrong[0] in want else "has a * too many there"
            size = f"the block of tiles is {columns} × {rows} hexes"
            message = f"{size} and does not fill the frame's *: {hex_name(wrong[0])} {what}"
            yield Misfit(0, 0, "frame", message)

    def _block_size(self, layout: Layout) -> tuple[int, int]:
        columns, rows = self.size
        return columns * len(layout[0]), rows * len(layout)

    def _block_hexes(self, layout: Layout) -> Iterator[Hex]:
        columns, rows = self._block_size(layout)
        return (from_offset(column, row) for row in range(rows) for column in range(columns))

    def _moved(self, hexagon: Hex) -> Hex:
        """A hex of the block where it lies in the frame: moved axially, so that its rows zigzag as the tiles' do."""
        if self.frame is None:
            return hexagon
        return Hex(hexagon.q + self.frame.origin.q, hexagon.r + self.frame.origin.r)

    def lake(self, layout: Layout) -> Lake:
        """The board of a layout. Raises ValueError where it cannot be laid (see `misfits`)."""
        for misfit in self.misfits(layout):
            raise ValueError(misfit.message)
        water = set(self.frame.water) if self.frame else set()
        land = set(self.frame.land) if self.frame else set()
        spots: list[Spot] = []
        tile_of: dict[Hex, str] = {}
        for slot, corner in self._corners(layout):
            face = self.face(slot)
            for offset in _offsets(face):
                at = self._on_board(corner, offset)
                (land if offset in face.land else water).add(at)
                tile_of[at] = slot.tile
            spots += [Spot(m.letter, self._on_board(corner, (m.column, m.row)), m.side, slot.tile) for m in face.marks]
        return Lake(self.name, frozenset(water), frozenset(land), tuple(spots), tile_of)

    def _corners(self, layout: Layout) -> Iterator[tuple[Slot, tuple[int, int]]]:
        columns, rows = self.size
        for row, slots in enumerate(layout):
            for index, slot in enumerate(slots):
                yield slot, (index * columns, row * rows)

    def _on_board(self, corner: tuple[int, int], offset: tuple[int, int]) -> Hex:
        return self._moved(from_offset(corner[0] + offset[0], corner[1] + offset[1]))

    def face(self, slot: Slot) -> Face:
        """The side of a tile that a slot shows, turned as it lies.

        Raises ValueError where the tile has no such side.
        """
        tile = self.tiles[slot.tile]
        face = tile.light if slot.light else tile.dark
        if face is None:
            raise ValueError(f"tile {slot.tile} has no light side")
        return face.turned() if slot.turned else face


def _offsets(face: Face) -> Iterator[tuple[int, int]]:
    return ((column, row) for row in range(face.rows) for column in range(face.columns))


def _ragged(layout: Layout) -> Iterator[Misfit]:
    if not layout or not layout[0]:
        yield Misfit(0, 0, "layout", "the layout has no tiles")
        return
    for row, slots in enumerate(layout):
        if len(slots) != len(layout[0]):
            message = f"this row of the layout has {len(slots)} tiles, the first {len(layout[0])}"
            yield Misfit(row, 0, "layout", message)
