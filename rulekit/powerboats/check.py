"""What the rules say against a course (PB-5…PB-12, X1-1…X1-3): all findings at once, each with how to mend it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from rulekit.errors import Severity
from rulekit.hexgrid import FACINGS, Facing, Hex, hex_name
from rulekit.powerboats.course import Course, Tile
from rulekit.powerboats.gates import DEFAULT
from rulekit.powerboats.lake import Lake, Spot
from rulekit.powerboats.rounding import Corner, corners
from rulekit.powerboats.route import furthest, route, settle
from rulekit.powerboats.tiling import ways, zero_tile
from rulekit.readings import PowerboatsReadings

HARDLY_TURNS = 10
"""A string that turns by fewer degrees at a buoy makes a nearly straight leg."""


class Finding(NamedTuple):
    """One finding about a course. `where` names its part: "start", "side", "buoy 2", "buoy 2 turn", "expansion 1"."""

    severity: Severity
    code: str
    rule: str
    where: str
    message: str


def check(course: Course, letter: str | None = None, readings: PowerboatsReadings = DEFAULT) -> list[Finding]:
    """All findings about a course, in the order of the rules; one without errors can be raced.

    `letter` names the spots on which the buoys must stand; tiles must then lie at other spots. What is open in the
    course is taken as `auto` takes it.
    """
    settled = settle(course, readings)
    return [
        *(_spot_findings(course, letter) if letter else ()),
        *_strip_findings(course, letter is None),
        *_arrow_findings(settled),
        *_route_findings(settled, readings),
        *_tile_findings(course, letter),
    ]


def _error(code: str, rule: str, where: str, message: str) -> Finding:
    return Finding("error", code, rule, where, message)


def _warning(code: str, rule: str, where: str, message: str) -> Finding:
    return Finding("warning", code, rule, where, message)


def _marks(course: Course) -> list[tuple[str, str, Hex]]:
    """(where, name, hex) of buoys 0, 1, 2, …"""
    own = [(f"buoy {k}", f"buoy {k}", buoy.at) for k, buoy in enumerate(course.buoys, 1)]
    return [("start", "buoy 0", course.start_buoy), *own]


# Buoys on the spots of one letter (PB-5), the strip over the letter's side (PB-6).


def _spot_findings(course: Course, letter: str) -> Iterator[Finding]:
    spots = {spot.at: spot for spot in course.lake.spots_of(letter)}
    free = [hex_name(at) for at in spots if at not in {at for _, _, at in _marks(course)}]
    for where, name, at in _marks(course):
        if at not in spots:
            left = f"; free {letter}-spots: {', '.join(free)}" if free else ""
            yield _error(
                "not-a-spot", "PB-5", where, f"{name} stands on {hex_name(at)}, which is no {letter}-spot{left}"
            )
    own = spots.get(course.start_buoy)
    if own and own.side != course.strip_side:
        message = (
            f"the strip runs {course.strip_side.name}, but the letter {letter} on {hex_name(own.at)} is printed "
            f'at the side {own.side.name}: side = "{own.side.name}", or leave it out'
        )
        yield _error("letter-side", "PB-6", "side", message)


# The strip (PB-6).


def _strip_findings(course: Course, may_turn: bool) -> Iterator[Finding]:
    faults = list(strip_faults(course))
    sides = [side.name for side in _sides_that_do(course)] if faults and may_turn else []
    mend = f"; from {hex_name(course.start_buoy)} these sides would do: {', '.join(sides)}" if sides else ""
    for code, message in faults:
        yield _error(code, "PB-6", "side", message + mend)


def _sides_that_do(course: Course) -> list[Facing]:
    return [side for side in FACINGS if not any(strip_faults(replace(course, strip_side=side)))]


def strip_faults(course: Course) -> Iterator[tuple[str, str]]:
    """(code, message) of all that is wrong with the strip and the finish buoy (PB-6)."""
    buoys = {at: name for _, name, at in _marks(course)}
    for number, at in enumerate(course.strip, 1):
        name = f"hex {number} of the strip, {hex_name(at)},"
        if at in buoys:
            yield "strip-buoy", f"{name} carries {buoys[at]}"
        elif at in course.lake.land:
            yield "strip-land", f"{name} is land"
        elif at not in course.lake.water:
            yield "strip-outside", f"{name} lies outside the lake"
    end = course.finish_buoy
    if end in buoys:
        yield "finish-buoy", f"the finish buoy's hex {hex_name(end)} carries {buoys[end]}"
    elif end not in course.lake.water | course.lake.land:
        yield "finish-outside", f"the finish buoy's hex {hex_name(end)} lies outside the lake"


# Arrows (PB-8).


def _arrow_findings(course: Course) -> Iterator[Finding]:
    for number, (buoy, corner) in enumerate(zip(course.buoys, corners(course), strict=True), 1):
        assert buoy.arrow is not None
        if corner.full_circle(buoy.arrow):
            message = (
                f"buoy {number} on {hex_name(buoy.at)} has the {buoy.arrow.word}ward arrow, but {_turn_words(corner)}: "
                f"boats turn a full circle (swept {corner.angle_degrees(buoy.arrow):.1f}° + 360°); "
                f'turn = "{corner.legal[0].word}" would do'
            )
            yield _error("full-circle", "PB-8", f"buoy {number} turn", message)
        elif abs(corner.turn_degrees) < HARDLY_TURNS:
            message = f"buoy {number} on {hex_name(buoy.at)} lies on a nearly straight leg: {_turn_words(corner)}"
            yield _warning("straight-leg", "PB-8", f"buoy {number}", message)


def _turn_words(corner: Corner) -> str:
    side = corner.turns
    if side is None:
        return "the string goes straight on" if abs(corner.turn_degrees) < 90 else "the string goes straight back"
    return f"the string turns {abs(corner.turn_degrees):.1f}° to the {side.word}"


# The route (PB-12).


def _route_findings(course: Course, readings: PowerboatsReadings) -> Iterator[Finding]:
    if route(course, readings) is None:
        yield _error("no-route", "PB-12", "start", f"there is no route: {_how_far(course, readings)}")


def _how_far(course: Course, readings: PowerboatsReadings) -> str:
    progress = furthest(course, readings)
    if progress == 0:
        return "no strip hex is water"
    next_gate = f"round buoy {progress}" if progress <= len(course.buoys) else "over the finish"
    return f"from the {'start' if progress == 1 else f'line of buoy {progress - 1}'} no water leads {next_gate}"


# Expansion tiles (X1-1…X1-3).


def _tile_findings(course: Course, letter: str | None) -> Iterator[Finding]:
    buoys = {at: name for _, name, at in _marks(course)} | {course.finish_buoy: "the finish buoy"}
    strip = frozenset(course.strip)
    taken: dict[Hex, str] = {}
    served: dict[Spot, int] = {}
    for number, tile in enumerate(course.tiles, 1):
        where, name = f"expansion {number}", f"tile {number} ({tile.kind.value})"
        for at in tile.hexes:
            for code, rule, words in _tile_faults(course.lake, at, buoys, strip, taken):
                yield _error(code, rule, where, f"{name}: its hex {hex_name(at)} {words}")
        for at in tile.hexes:
            taken.setdefault(at, name)
        for severity, words in _tile_spot(course, letter, tile, number, served):
            yield Finding(severity, "tile-spot", "X1-2", where, f"{name} lies at {words}")


def _tile_faults(
    lake: Lake, at: Hex, buoys: Mapping[Hex, str], strip: frozenset[Hex], taken: Mapping[Hex, str]
) -> Iterator[tuple[str, str, str]]:
    """(code, rule, words) of what is wrong with a hex of a tile; `taken` tells the first tile on each hex so far."""
    if at in buoys:
        yield "tile-buoy", "X1-3", f"carries {buoys[at]}"
    elif at in lake.land:
        yield "tile-land", "X1-2", "is land"
    elif at not in lake.water:
        yield "tile-outside", "X1-2", "lies outside the lake"
    if at in strip:
        yield "tile-strip", "X1-3", "lies on the start strip"
    if at in taken:
        yield "tile-overlap", "X1-3", f"lies on {taken[at]}"


def _tile_spot(
    course: Course, letter: str | None, tile: Tile, number: int, served: dict[Spot, int]
) -> Iterator[tuple[Severity, str]]:
    """Words for a spot where no tile should lie; an error where the course goes by the spots of a letter (X1-2).

    `served` are the spots of the tiles before, with their numbers.
    """
    hexes = set(tile.hexes)
    spots = [spot for spot in course.lake.spots if hexes in map(set, ways(spot, len(tile.hexes)))]
    misplaced = [_misplaced(course, spot, served) for spot in spots]
    served |= {spot: served.get(spot, number) for spot in spots}
    if spots and all(misplaced):
        yield ("error" if letter else "warning"), misplaced[0]
    elif not spots and letter:
        yield "warning", "no spot of the lake"


def _misplaced(course: Course, spot: Spot, served: Mapping[Spot, int]) -> str:
    """Why no tile should lie at a spot; empty where one may."""
    at = hex_name(spot.at)
    for _, name, mark in _marks(course):
        if spot.at == mark:
            return f"the spot of {name}"
    if spot in served:
        return f"the spot on {at}, which has tile {served[spot]} already"
    if spot.tile is not None and spot.tile == zero_tile(course):
        return f"the spot on {at}, on the lake tile of buoy 0, which stays free"
    return ""
