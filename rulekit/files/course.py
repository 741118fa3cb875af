"""Course files: buoys, strip and expansion tiles on a lake (PB-5…PB-8, X1-1)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from rulekit.errors import Fault, FileFaults, Unreadable
from rulekit.files.expansion import EXPANSION_KEYS, KINDS, expansion_tile
from rulekit.files.findings import Findings, Place
from rulekit.files.lake import LakeFile, board_map, check_layout, free_lake, read_lake, read_layout
from rulekit.files.reference import LakeReferenceFault, lake_source
from rulekit.files.schema import Table, need_kind
from rulekit.files.source import Source
from rulekit.files.spots import SpotReader
from rulekit.files.toml import Document, parse
from rulekit.hexgrid import Facing, Hex, Side, hex_name
from rulekit.powerboats.box import Layout
from rulekit.powerboats.course import START_TILE, Buoy, Course, Tile, TileKind
from rulekit.powerboats.lake import Lake, Spot

COURSE_KEYS = ("format", "name", "lake", "map", "layout", "spots", "start-tile", "start", "buoy", "expansion")
START_KEYS = ("buoy", "side", "start", "finish")
BUOY_KEYS = ("number", "at", "turn")
SIDES: Mapping[str, Side | None] = {"left": Side.LEFT, "right": Side.RIGHT, "auto": None}
LETTERS = {letter: letter for letter in "ABC"}
LONGEST_STRIP = 99
USUAL_BUOYS = 3
USUAL_TILES = {TileKind.REDOUBT: 2, TileKind.CURRENT: 2, TileKind.MAELSTROM: 2, TileKind.LOW_WATER: 1}


@dataclass(frozen=True)
class CourseFile:
    """What a course file says; what it leaves to `auto` is None in `course`. `faults` are warnings only.

    `spots` is the letter on whose spots the buoys must stand, `lake_file` the lake's own file (None for a map),
    `marks` the words that name the hexes of buoys 0, 1, 2, … in the file ("@3A", "K14"). The keys of `places` are
    name, lake, layout, spots, start-tile, start (buoy 0), side, start.start, start.finish, "buoy 1", "buoy 1 turn",
    "expansion 1": each is there; what the file leaves out has the place of the table where it would stand.
    """

    course: Course
    source: Source
    spots: str | None = None
    lake_file: LakeFile | None = None
    layout: Layout | None = None
    marks: tuple[str, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    def place(self, key: str) -> Place:
        """Where a key of `places` stands; the file's beginning where there is no such key."""
        return self.places.get(key, Place(1, 1))


def read_course(source: Source) -> CourseFile:
    """The course of a file, its lake read too.

    Raises FileFaults with all errors of the stage at which reading stopped: in the file itself, in its lake, or in
    what it says about the lake.
    """
    findings = Findings(source.path)
    document = parse(source, findings)
    need_kind(document, findings, "course")
    return course_of(document, findings)


def course_of(document: Document, findings: Findings) -> CourseFile:
    """The course of a document; raises FileFaults as `read_course`."""
    return _CourseReader(document, findings).read()


class _CourseReader:
    """Reads one course in three stages: its own keys and values, its lake, the places on the lake."""

    def __init__(self, document: Document, findings: Findings) -> None:
        self.findings, self.source = findings, document.source
        self.top = Table(document, findings, (), COURSE_KEYS)
        self.start = self.top.table("start", START_KEYS)
        self.buoys = self.top.tables("buoy", BUOY_KEYS)
        self.expansions = self.top.tables("expansion", EXPANSION_KEYS)

    def read(self) -> CourseFile:
        self.keys()
        self.findings.stop()
        lake, lake_file, layout = self.lake()
        course = self.course(lake)
        self.findings.stop()
        assert course is not None
        faults = (*(lake_file.faults if lake_file else ()), *self.findings.faults)
        return CourseFile(course, self.source, self.top.choice("spots", LETTERS), lake_file, layout,
                          self.marks(), self.places(), faults)  # fmt: skip

    # First stage: what can be judged without the lake.

    def keys(self) -> None:
        self.top.require("name")
        for text in ("name", "lake"):
            self.top.text(text)
        self.one_board()
        self.top.choice("spots", LETTERS)
        self.top.integer("start-tile", 1, LONGEST_STRIP)
        if self.start is None:
            self.missing_table("start", "a course needs [start]: buoy 0 and the strip", "PB-6")
        else:
            self.start_keys(self.start)
        if not self.top.values.get("buoy"):
            self.missing_table("buoy", "a course needs at least one [[buoy]]", "PB-5")
        for index, buoy in enumerate(self.buoys):
            self.buoy_keys(index, buoy)
        for tile in self.expansions:
            expansion_tile(tile, None)
        self.counts()

    def missing_table(self, key: str, message: str, rule: str) -> None:
        if not self.top.values.get(key):
            self.findings.error("missing-key", message, self.top.entry(key).key, rule)

    def one_board(self) -> None:
        if "map" in self.top and "lake" in self.top:
            message = "a course has a lake or a map of its own, not both"
            self.findings.error("lake-and-map", message, self.top.entry("map").key)
        elif "map" in self.top and "layout" in self.top:
            self.findings.error(
                "layout", "a layout belongs to a lake of tiles, not to a map", self.top.entry("layout").key
            )
        elif "map" not in self.top and "lake" not in self.top:
            self.findings.error("missing-key", "a course needs a lake or a map", self.top.header)
        read_layout(self.top, self.findings)
        self.picture = board_map(self.top, "map", self.findings)

    def start_keys(self, start: Table) -> None:
        start.require("buoy")
        start.text("buoy")
        start.choice("side", Facing.__members__)
        start.choice("start", SIDES)
        start.choice("finish", SIDES)

    def buoy_keys(self, index: int, buoy: Table) -> None:
        buoy.require("number", "at")
        buoy.text("at")
        buoy.choice("turn", SIDES)
        number = buoy.typed("number", int)
        if number is not None and number != index + 1:
            buoy.error(
                "buoy-number", f"this is buoy {index + 1}, not {number}: number them 1, 2, 3 in order", "number", "PB-7"
            )

    def counts(self) -> None:
        """Warn of other numbers of buoys and expansion tiles than the box has."""
        if self.buoys and len(self.buoys) != USUAL_BUOYS:
            message = f"buoys to round: {len(self.buoys)}, where the game has {USUAL_BUOYS}"
            self.findings.warn("buoy-count", message, self.buoys[-1].header, "PB-5")
        kinds = Counter(str(tile.values.get("kind")) for tile in self.expansions)
        if kinds.keys() - KINDS.keys():
            return  # a kind is missing or misspelt, which is told: who knows how many of it there should be
        if self.expansions and kinds != {kind.value: count for kind, count in USUAL_TILES.items()}:
            usual = ", ".join(f"{count} {kind.value}" for kind, count in USUAL_TILES.items())
            found = ", ".join(f"{kinds[kind.value]} {kind.value}" for kind in USUAL_TILES)
            message = f"the expansion has {usual}; here are {found}"
            self.findings.warn("expansion-count", message, self.expansions[0].header, "X1-1")

    # Second stage: the lake.

    def lake(self) -> tuple[Lake, LakeFile | None, Layout | None]:
        if self.picture is not None:
            return free_lake(str(self.top.text("name")), self.picture), None, None
        lake_file = self.lake_file()
        layout = read_layout(self.top, self.findings)
        if layout is None:
            return lake_file.lake, lake_file, lake_file.layout
        if lake_file.box is None:
            message = f"the lake {lake_file.lake.name!r} is no lake of tiles: it has no layout"
            self.top.error("layout", message, "layout")
        else:
            check_layout(lake_file.box, layout, self.top, self.findings)
        self.findings.stop()
        assert lake_file.box is not None
        return lake_file.box.lake(layout), lake_file, layout

    def lake_file(self) -> LakeFile:
        """The lake's file; its own faults bear its own path."""
        place = self.top.place("lake")
        try:
            return read_lake(lake_source(str(self.top.text("lake")), self.source))
        except LakeReferenceFault as fault:
            raise self.findings.failure(fault.code, str(fault), place) from None
        except Unreadable as fault:
            raise self.findings.failure("lake-unreadable", str(fault), place) from None
        except FileFaults as faults:
            self.top.error("lake", f"the lake {self.top.text('lake')!r} has faults, told behind this one", "lake")
            raise FileFaults([*self.findings.faults, *faults.faults]) from None

    # Third stage: places on the lake.

    def course(self, lake: Lake) -> Course | None:
        spots = SpotReader(lake)
        assert self.start is not None
        zero = spots.find(self.start, "buoy")
        ats = [spots.find(buoy, "at") for buoy in self.buoys]
        self.apart([(self.start, "buoy", zero), *((buoy, "at", at) for buoy, at in zip(self.buoys, ats, strict=True))])
        tiles = [expansion_tile(tile, spots) for tile in self.expansions]
        side = self.side(self.start, zero, spots)
        if zero is None or side is None or None in ats or None in tiles:
            return None
        return Course(
            name=str(self.top.text("name")),
            lake=lake,
            start_buoy=zero,
            strip_side=side,
            buoys=tuple(map(self.buoy, self.buoys, ats)),
            strip_length=self.top.integer("start-tile", 1, LONGEST_STRIP) or START_TILE,
            start=self.start.choice("start", SIDES),
            finish=self.start.choice("finish", SIDES),
            tiles=tuple(tile for tile in tiles if isinstance(tile, Tile)),
        )

    def buoy(self, table: Table, at: Hex | None) -> Buoy:
        assert at is not None
        return Buoy(at, table.choice("turn", SIDES))

    def apart(self, marks: list[tuple[Table, str, Hex | None]]) -> None:
        """Note buoys that share a hex."""
        taken: dict[Hex, int] = {}
        for number, (table, key, at) in enumerate(marks):
            if at is not None and at in taken:
                message = f"buoy {number} stands on {hex_name(at)}, where buoy {taken[at]} stands already"
                table.error("buoy-twice", message, key, "PB-5")
            elif at is not None:
                taken[at] = number

    def side(self, start: Table, at: Hex | None, spots: SpotReader) -> Facing | None:
        """The strip's direction: as told, or the side of the spot where buoy 0 stands."""
        told = start.choice("side", Facing.__members__)
        if told is not None or at is None:
            return told
        spot: Spot | None = spots.at(at)
        if spot is None:
            message = f"'side' is missing in [start]: no spot on {hex_name(at)} tells the strip's direction"
            self.findings.error("missing-key", message, start.header, "PB-6")
            return None
        return spot.side

    # What the file says where.

    def marks(self) -> tuple[str, ...]:
        assert self.start is not None
        return (str(self.start.text("buoy")), *(str(buoy.text("at")) for buoy in self.buoys))

    def places(self) -> dict[str, Place]:
        assert self.start is not None
        start = self.start
        places = {key: self.top.place(key) for key in ("name", "lake", "layout", "spots", "start-tile")}
        places |= {"start": start.place("buoy"), "side": start.place("side")}
        places |= {f"start.{key}": start.place(key) for key in ("start", "finish")}
        for number, buoy in enumerate(self.buoys, 1):
            places |= {f"buoy {number}": buoy.place("at"), f"buoy {number} turn": buoy.place("turn")}
        return places | {f"expansion {number}": tile.header for number, tile in enumerate(self.expansions, 1)}
