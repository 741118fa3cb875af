"""Lake files: tiles with a layout and a frame, or one free-form map (PB-1…PB-3)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulekit.errors import Fault
from rulekit.files.board import (
    BLOCK,
    LAND,
    MOST_HEXES,
    SPOTS,
    WATER,
    Cell,
    Picture,
    read_picture,
    size_message,
)
from rulekit.files.findings import Findings, Place
from rulekit.files.schema import Table, need_kind
from rulekit.files.source import Source
from rulekit.files.toml import Document, parse
from rulekit.hexgrid import Hex, from_offset
from rulekit.powerboats.box import Box, Face, Frame, LakeTile, Layout, Mark, Slot, parse_slot
from rulekit.powerboats.lake import Lake, Spot

LAKE_KEYS = ("format", "name", "layout", "tile", "frame", "map")
TILE_KEYS = ("id", "dark", "light")

MOST_RAGGED = 3
"""Rows of an uncommon length that are told one by one."""

Faces = dict[tuple[str, str], Face]
"""The faces of a box by (tile id, "dark" or "light")."""


@dataclass(frozen=True)
class LakeFile:
    """What a lake file says. `box` and `layout` are None for a free-form lake; `faults` are warnings only."""

    lake: Lake
    source: Source
    box: Box | None = None
    layout: Layout | None = None
    places: Mapping[str, Place] | None = None
    faults: tuple[Fault, ...] = ()

    def place(self, key: str) -> Place:
        """Where a key stands ("name", "map", "tile 3", "layout", "frame"); the file's beginning where it is missing."""
        return (self.places or {}).get(key, Place(1, 1))


def read_lake(source: Source) -> LakeFile:
    """The lake of a file; raises FileFaults with all errors of the stage at which reading stopped."""
    findings = Findings(source.path)
    document = parse(source, findings)
    need_kind(document, findings, "lake")
    return lake_of(document, findings)


def lake_of(document: Document, findings: Findings) -> LakeFile:
    """The lake of a document; raises FileFaults as `read_lake`."""
    top = Table(document, findings, (), LAKE_KEYS)
    top.require("name")
    top.text("name")
    if "map" in top:
        return _free_form(top, findings)
    return _built(top, findings)


def _free_form(top: Table, findings: Findings) -> LakeFile:
    for key in ("tile", "frame", "layout"):
        if key in top:
            message = f"'{key}' belongs to a lake of tiles: a lake has a map or tiles, not both"
            findings.error("map-and-tiles", message, top.entry(key).key)
    name, picture = top.text("name"), board_map(top, "map", findings)
    findings.stop()
    assert name is not None
    assert picture is not None
    places = {"name": top.place("name"), "map": top.place("map")}
    return LakeFile(free_lake(name, picture), top.document.source, places=places, faults=tuple(findings.faults))


def board_map(table: Table, key: str, findings: Findings) -> Picture | None:
    """The picture of a whole board, a warning where its rows are of different lengths; None where faults were noted."""
    text = table.typed(key, str)
    picture = None if text is None else read_picture(text, table.entry(key), findings)
    if picture:
        warn_ragged(picture, findings)
        if not any(cell.symbol not in LAND + SPOTS[:3] for cell in picture.cells.values()):
            table.error("no-water", "the map has no water", key, "PB-3")
    return picture


def warn_ragged(picture: Picture, findings: Findings) -> None:
    """Warn of rows that are shorter or longer than most (of equally many the longer ones count): the first ones."""
    counts = Counter(picture.widths)
    usual = max(counts, key=lambda width: (counts[width], width))
    uneven = [row for row, width in enumerate(picture.widths) if width != usual]
    for row in uneven[:MOST_RAGGED]:
        width = picture.widths[row]
        place = picture.cells[min(usual, width - 1), row].place
        end = "what is missing lies outside the lake" if width < usual else "what is more than that counts as lake too"
        findings.warn("ragged", f"row {row + 1} has {width} hexes, most rows {usual}: {end}", place, "PB-3")
    if len(uneven) > MOST_RAGGED:
        place = picture.cells[0, uneven[MOST_RAGGED]].place
        findings.warn("ragged", f"{len(uneven) - MOST_RAGGED} more rows do not have {usual} hexes", place, "PB-3")


def free_lake(name: str, picture: Picture) -> Lake:
    """The lake that a whole board's picture shows."""
    water = (from_offset(*at) for at, cell in picture.cells.items() if not is_land(cell))
    land = (from_offset(*at) for at, cell in picture.cells.items() if is_land(cell))
    spots = (Spot(mark.letter, from_offset(mark.column, mark.row), mark.side) for mark in marks(picture))
    return Lake(name, frozenset(water), frozenset(land), tuple(spots))


def is_land(cell: Cell) -> bool:
    """Whether a hex is land: `#`, or a letter in capitals."""
    return cell.symbol == LAND or cell.symbol in "ABC"


def marks(picture: Picture) -> Iterator[Mark]:
    """The letters of a picture in reading order."""
    for (column, row), cell in picture.cells.items():
        if cell.side is not None:
            yield Mark(cell.symbol.upper(), column, row, cell.side)


def _built(top: Table, findings: Findings) -> LakeFile:
    if not top.values.get("tile"):
        findings.error("missing-key", "a lake needs tiles [[tile]] or a map", top.header)
    elif top.require("layout"):
        top.typed("layout", list)
    pictures = _TilePictures(findings, top.tables("tile", TILE_KEYS))
    frame = _frame(top, findings)
    findings.stop()
    pictures.check()
    layout = read_layout(top, findings)
    findings.stop()
    assert layout is not None
    check_box_size(pictures, frame, top, findings)
    box = Box(str(top.text("name")), pictures.tiles(), frame)
    check_layout(box, layout, top, findings)
    findings.stop()
    places = {key: top.place(key) for key in ("name", "layout", "frame")} | pictures.places()
    return LakeFile(box.lake(layout), top.document.source, box, layout, places, tuple(findings.faults))


def check_box_size(pictures: "_TilePictures", frame: Frame | None, top: Table, findings: Findings) -> None:
    """Note tiles that make too large a board together; raises FileFaults then."""
    hexes = sum(sum(picture.widths) for _, side, picture in pictures.pictures if picture and side == "dark")
    hexes += len(frame.water) + len(frame.land) if frame else 0
    if hexes > MOST_HEXES:
        top.error("size", size_message(hexes), "layout", "PB-1")
    findings.stop()


def _frame(top: Table, findings: Findings) -> Frame | None:
    table = top.table("frame", ("map",))
    if table is None or not table.require("map"):
        return None
    text = table.typed("map", str)
    picture = None if text is None else read_picture(text, table.entry("map"), findings, WATER + LAND + BLOCK)
    if picture is None:
        return None
    warn_ragged(picture, findings)
    parts = {symbol: _hexes(picture, symbol) for symbol in WATER + LAND + BLOCK}
    if not parts[BLOCK]:
        table.error("frame", "the frame needs * where the block of tiles lies", "map", "PB-1")
        return None
    return Frame(parts[WATER], parts[LAND], parts[BLOCK])


def _hexes(picture: Picture, symbol: str) -> frozenset[Hex]:
    return frozenset(from_offset(*at) for at, cell in picture.cells.items() if cell.symbol == symbol)


class _TilePictures:
    """The [[tile]] tables of a lake, read and compared with each other."""

    def __init__(self, findings: Findings, tables: list[Table]) -> None:
        self.findings, self.tables = findings, tables
        self.ids = [self._id(table) for table in tables]
        self.pictures = [(table, side, self._picture(table, side)) for table in tables for side in ("dark", "light")]

    def _id(self, table: Table) -> str:
        table.require("id", "dark")
        text = table.text("id")
        if text is not None and not re.fullmatch(r"[A-Za-z0-9]*[A-Za-qs-z0-9]", text):
            table.error("tile-id", f"'id' must be letters and digits, not ending in r, not {text[:40]!r}", "id")
        return text or ""

    def _picture(self, table: Table, side: str) -> Picture | None:
        text = table.typed(side, str)
        return None if text is None else read_picture(text, table.entry(side), self.findings)

    def check(self) -> None:
        """Note what is wrong about whole tiles: ids, sizes, letters."""
        seen: set[str] = set()
        for table, own in zip(self.tables, self.ids, strict=True):
            if own in seen:
                table.error("tile-id", f"there is a tile {own!r} already: each needs an id of its own", "id")
            seen.add(own)
        sizes = Counter((picture.columns, picture.rows) for _, _, picture in self.pictures if picture)
        usual = sizes.most_common(1)[0][0]
        for table, side, picture in self.pictures:
            if picture:
                self._check_size(table, side, picture, *usual)
                self._check_letters(picture)

    def _check_size(self, table: Table, side: str, picture: Picture, columns: int, rows: int) -> None:
        short = next((row for row, width in enumerate(picture.widths) if width != columns), None)
        if picture.rows % 2:
            message = f"a tile needs an even number of rows, so that it can be turned, not {picture.rows}"
            table.error("odd-rows", message, side, "PB-1")
        elif picture.rows != rows:
            message = f"this tile has {picture.rows} rows, others {rows}: all tiles are of one size"
            table.error("tile-size", message, side, "PB-1")
        elif short is not None:
            message = f"row {short + 1} has {picture.widths[short]} hexes, not {columns}: all tiles are of one size"
            self.findings.error("tile-size", message, picture.cells[0, short].place, "PB-1")

    def _check_letters(self, picture: Picture) -> None:
        """A letter twice on one side would make its name (@3A) ambiguous."""
        seen: Counter[str] = Counter()
        for mark in marks(picture):
            seen[mark.letter] += 1
            if seen[mark.letter] == 2:
                place = picture.cells[mark.column, mark.row].place
                message = f"a second {mark.letter} on this side of the tile: its letters are of different kinds"
                self.findings.error("spot-twice", message, place, "PB-2")

    def tiles(self) -> dict[str, LakeTile]:
        """The tiles by id."""
        faces = {(table.path, side): _face(picture) for table, side, picture in self.pictures if picture}
        return {
            own: LakeTile(own, faces[table.path, "dark"], faces.get((table.path, "light")))
            for own, table in zip(self.ids, self.tables, strict=True)
        }

    def places(self) -> dict[str, Place]:
        """Where each tile begins."""
        return {f"tile {own}": table.header for own, table in zip(self.ids, self.tables, strict=True)}


def _face(picture: Picture) -> Face:
    land = frozenset(at for at, cell in picture.cells.items() if is_land(cell))
    return Face(picture.columns, picture.rows, land, tuple(marks(picture)))


def read_layout(table: Table, findings: Findings) -> Layout | None:
    """The layout at the key `layout`; None where it is missing or faults were noted."""
    rows = table.typed("layout", list)
    if rows is None:
        return None
    read = [_layout_row(table, index, row, findings) for index, row in enumerate(rows)]
    layout = tuple(row for row in read if row is not None)
    return layout if len(layout) == len(rows) else None


def _layout_row(table: Table, index: int, row: object, findings: Findings) -> tuple[Slot, ...] | None:
    entry = table.entry("layout", index)
    if not isinstance(row, str):
        findings.error("type", 'a row of the layout must be a text in quotes, such as "1 2 3"', entry.value)
        return None
    slots = []
    for word in re.finditer(r"\S+", row):
        try:
            slots.append(parse_slot(word[0]))
        except ValueError as fault:
            findings.error("layout", str(fault), entry.at(0, word.start()))
            return None
    return tuple(slots)


def check_layout(box: Box, layout: Layout, table: Table, findings: Findings) -> None:
    """Note what keeps a box's tiles from being laid as the key `layout` of a table says."""
    starts = [[word.start() for word in re.finditer(r"\S+", row)] for row in table.values["layout"]] or [[]]
    for misfit in box.misfits(layout):
        entry, row = table.entry("layout", misfit.row), starts[misfit.row]
        place = entry.at(0, row[misfit.place]) if misfit.place < len(row) else entry.value
        findings.error(misfit.code, misfit.message, place, "PB-1")
