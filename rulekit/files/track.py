"""Track files: sections, pit lane, grid, points and fuel of a circuit (PS-1…PS-4, PS-22, PS-24)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from rulekit.errors import Fault, did_you_mean, one_of
from rulekit.files.findings import Findings, Place
from rulekit.files.schema import Table, need_kind
from rulekit.files.source import Source
from rulekit.files.strip import Strip, read_strip
from rulekit.files.toml import Document, parse
from rulekit.hexgrid import Side
from rulekit.ps.check import Finding
from rulekit.ps.track import LANES, Pit, Section, Space, Track

TRACK_KEYS = ("format", "name", "laps", "inside", "points", "section", "pit", "grid", "fuel")
SECTION_KEYS = ("id", "picture", "turn", "degrees", "limit")
PIT_KEYS = ("entry", "exit-short", "exit-long")
SIDES: Mapping[str, Side] = {"left": Side.LEFT, "right": Side.RIGHT}
USUAL_LAPS = 3
MOST_LAPS, MOST_POINTS, MOST_FUEL = 99, 999, 999
MOST_LIMIT = 30
"""A red die shows more than this once in 243 throws, no other ever: a higher limit is none."""

MOST_COLUMNS = 1000
"""A longer circuit is none that anybody drives: it is refused before it is judged."""


@dataclass(frozen=True)
class TrackFile:
    """What a track file says. `faults` are warnings only.

    The keys of `places` are name, laps, inside, points, line, "section X" with "section X turn", "… degrees",
    "… limit", "… picture", "space X left 3" (each space by its name), pit, "pit entry", "pit exit-short",
    "pit exit-long", grid, fuel, "fuel tank 3", "fuel use 10"; what the file leaves out has the place of the table
    where it would stand.
    """

    track: Track
    source: Source
    places: Mapping[str, Place] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    def place(self, key: str) -> Place:
        """Where a key of `places` stands; the file's beginning where there is no such key."""
        return self.places.get(key, Place(1, 1))

    def fault(self, finding: Finding) -> Fault:
        """A finding of the rules with its place in this file."""
        line, column = self.place(finding.where)
        return Fault(
            finding.severity, finding.code, finding.message, self.source.path, line, column, finding.rule or None
        )


def read_track(source: Source) -> TrackFile:
    """The track of a file; raises FileFaults with all errors of the stage at which reading stopped."""
    findings = Findings(source.path)
    document = parse(source, findings)
    need_kind(document, findings, "track")
    return track_of(document, findings)


def track_of(document: Document, findings: Findings) -> TrackFile:
    """The track of a document; raises FileFaults as `read_track`."""
    return _TrackReader(document, findings).read()


class _TrackReader:
    """Reads one track in two stages: its keys, values and pictures; then what names its spaces."""

    def __init__(self, document: Document, findings: Findings) -> None:
        self.findings, self.source = findings, document.source
        self.top = Table(document, findings, (), TRACK_KEYS)
        self.sections = self.top.tables("section", SECTION_KEYS)
        self.pit = self.top.table("pit", PIT_KEYS)
        self.grid = self.top.table("grid", ("box-1",))
        self.fuel = self.top.table("fuel", ("tank", "use"))

    def read(self) -> TrackFile:
        self.top.require("name", "inside")
        self.top.text("name")
        self.top.choice("inside", SIDES)
        points = self.points()
        sections = [self.section(table) for table in self.sections]
        strips = [self.strip(table) for table in self.sections]
        self.check_sections()
        tank, use = self.numbers("tank"), self.numbers("use")
        self.joint_keys()
        self.findings.stop()
        whole = [strip for strip in strips if strip]
        self.check_columns(whole)
        line = self.line(whole)
        self.findings.stop()
        assert line is not None
        side = self.top.choice("inside", SIDES)
        assert side is not None
        track = Track(
            str(self.top.text("name")), tuple(map(_with_columns, sections, whole)), tuple(_spaces(whole)),
            line[0], side, self.top.integer("laps", 1, MOST_LAPS) or USUAL_LAPS, points,
            tank=tank, use=use,
        )  # fmt: skip
        track = replace(track, pit=self.pit_of(track), box_1=self.joint(track, self.grid, "box-1"))
        self.findings.stop()
        places = self.places(track, whole) | {"line": line[1]}
        return TrackFile(track, self.source, places, tuple(self.findings.faults))

    # First stage: keys, values, pictures.

    def points(self) -> tuple[int, ...]:
        self.top.integer("laps", 1, MOST_LAPS)
        found = self.top.typed("points", list) or []
        for index, value in enumerate(found):
            if type(value) is not int or not 0 <= value <= MOST_POINTS:
                message = f"'points' must be whole numbers from 0 to {MOST_POINTS}, by place"
                self.findings.error("value", message, self.top.entry("points", index).value)
        return tuple(found)

    def section(self, table: Table) -> Section:
        """The section without its columns; its faults are noted."""
        table.require("id", "picture")
        own = table.text("id")
        if own is not None and not re.fullmatch(r"[A-Za-z0-9_-]+", own):
            table.error("section-id", f"'id' must be letters, digits, - and _, not {own[:40]!r}", "id")
        turn = table.choice("turn", SIDES)
        limit, degrees = table.integer("limit", 1, MOST_LIMIT), table.integer("degrees", 1, 360)
        for key in ("limit", "degrees"):
            if key in table and "turn" not in table:
                message = f'a straight has no {key}: add turn = "left" or "right" if this is a curve'
                self.findings.error("straight", message, table.entry(key).key, "PS-3")
        return Section(own or "", 0, turn, limit, degrees)

    def strip(self, table: Table) -> Strip | None:
        text = table.typed("picture", str)
        return None if text is None else read_strip(text, table.entry("picture"), self.findings, "turn" in table)

    def check_sections(self) -> None:
        """Note a track without sections, and ids that stand twice."""
        if not self.top.values.get("section"):
            message = "a track needs sections: [[section]] with id and picture"
            self.findings.error("missing-key", message, self.top.header, "PS-1")
        ids = [table.values.get("id") for table in self.sections]
        for index, (table, own) in enumerate(zip(self.sections, ids, strict=True)):
            if isinstance(own, str) and own in ids[:index]:
                table.error("section-id", f"there is a section {own!r} already: each needs an id of its own", "id")

    def numbers(self, key: str) -> dict[int, int]:
        """A table of whole numbers by whole numbers in [fuel]."""
        if self.fuel is None or self.fuel.typed(key, dict) is None:
            return {}
        table = Table(self.top.document, self.findings, (*self.fuel.path, key), tuple(self.fuel.values[key]))
        found = {}
        for name in table.values:
            if not re.fullmatch(r"[1-9][0-9]?", name):
                message = f"'{key}' goes by whole numbers from 1 to 99, such as {{ 3 = 30 }}, not by {name[:20]!r}"
                self.findings.error("value", message, table.entry(name).key, "PS-22")
                continue
            value = table.integer(name, 0, MOST_FUEL)
            if value is not None:
                found[int(name)] = value
        return found

    def joint_keys(self) -> None:
        """Note what is missing or no text in [pit] and [grid]."""
        for table, keys in ((self.pit, PIT_KEYS), (self.grid, ("box-1",))):
            if table is not None:
                table.require(*keys)
                for key in keys:
                    table.text(key)
        if self.fuel is not None:
            self.fuel.require("tank", "use")

    # Second stage: the ring as a whole, and the spaces that are named.

    def check_columns(self, strips: list[Strip]) -> None:
        total = sum(strip.columns for strip in strips)
        if total > MOST_COLUMNS:
            message = f"the track has {total} columns: more than {MOST_COLUMNS} are not read"
            self.findings.error("value", message, self.top.header, "PS-1")

    def line(self, strips: list[Strip]) -> tuple[tuple[int, int], Place] | None:
        """The one start/finish line, as a Track takes it, and its place."""
        found = [((number, strip.line[0]), strip.line[1]) for number, strip in enumerate(strips) if strip.line]
        for (number, _), place in found[1:]:
            first = self.sections[found[0][0][0]].values["id"]
            message = (
                f"a second start/finish line, in {self.sections[number].values['id']!r}: {first!r} has one already"
            )
            self.findings.error("line", message, place, "PS-4")
        if not found:
            message = "the track has no start/finish line: put '|' between two columns in all lanes of a straight"
            self.findings.error("line", message, self.top.header, "PS-4")
        return found[0] if found else None

    def pit_of(self, track: Track) -> Pit | None:
        entry, short, long = (self.joint(track, self.pit, key) for key in PIT_KEYS)
        return None if entry is None or short is None or long is None else Pit(entry, short, long)

    def joint(self, track: Track, table: Table | None, key: str) -> int | None:
        """The space that a key names; None where there is no such table, or the fault is noted."""
        if table is None:
            return None
        space, message = named_space(track, str(table.text(key)))
        if space is None:
            table.error("space", message, key, "PS-4")
        elif message:
            self.findings.warn("space", message, table.place(key), "PS-4")
        return space

    # What the file says where.

    def places(self, track: Track, strips: list[Strip]) -> dict[str, Place]:
        places = {key: self.top.place(key) for key in ("name", "laps", "inside", "points", "pit", "grid", "fuel")}
        for table, section in zip(self.sections, track.sections, strict=True):
            places[f"section {section.id}"] = table.header
            places |= {f"section {section.id} {key}": table.place(key) for key in SECTION_KEYS[1:]}
        drawn = (space.place for strip in strips for lane in strip.lanes for space in lane)
        places |= {f"space {track.name_of(number)}": place for number, place in enumerate(drawn)}
        for title, table_, keys in (("pit", self.pit, PIT_KEYS), ("grid", self.grid, ("box-1",))):
            if table_ is not None:
                places |= {title: table_.header} | {f"{title} {key}": table_.place(key) for key in keys}
        if self.fuel is not None:
            fuel = self.fuel
            places |= {"fuel": fuel.header, "fuel tank": fuel.place("tank"), "fuel use": fuel.place("use")}
            places |= {f"fuel tank {laps}": fuel.entry("tank", str(laps)).value for laps in track.tank}
            places |= {f"fuel use {speed}": fuel.entry("use", str(speed)).value for speed in track.use}
        return places


def _with_columns(section: Section, strip: Strip) -> Section:
    return replace(section, columns=strip.columns)


def _spaces(strips: list[Strip]) -> Iterator[Space]:
    """All spaces as a Track lists them: sections in order, lanes from the left."""
    for number, strip in enumerate(strips):
        for lane, spaces in enumerate(strip.lanes):
            yield from (Space(number, lane, space.first, space.last, space.marks) for space in spaces)


def named_space(track: Track, text: str) -> tuple[int | None, str]:
    """The space that "section lane column" names, and what is to be said about the words.

    The column may be any that the space covers; for another than the first the message tells the space's name.
    None where there is no such space: the message tells why, with the near miss.
    """
    words = text.split()
    if len(words) != 3:
        return None, f"{text[:60]!r} is no space: name section, lane and column, such as '{track.name_of(0)}'"
    ids = [section.id for section in track.sections]
    if words[0] not in ids:
        return None, f"there is no section {words[0][:40]!r}{did_you_mean(words[0], ids)}"
    if words[1] not in LANES:
        return None, f"a lane is {one_of(LANES)}, not {words[1][:40]!r}{did_you_mean(words[1], LANES)}"
    section, lane = ids.index(words[0]), LANES.index(words[1])
    columns = track.sections[section].columns
    if not re.fullmatch(r"[1-9][0-9]{0,3}", words[2]) or int(words[2]) > columns:
        return None, f"section '{words[0]}' has columns 1 to {columns}, not {words[2][:20]!r}"
    space = track.at_column[section, lane, int(words[2])]
    first = track.spaces[space].first
    return space, "" if first == int(words[2]) else f"column {words[2]} belongs to the space '{track.name_of(space)}'"
