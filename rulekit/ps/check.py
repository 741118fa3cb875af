"""What the rules say against a circuit (PS-1…PS-4, PS-6, PS-22, PS-24): all findings at once, each with how to mend it.

Whether limits and marks are what the geometry says is not judged here but in `rulekit.ps.limits`.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from rulekit.errors import Severity
from rulekit.hexgrid import Side
from rulekit.ps.track import BOXES, LANES, Mark, Section, Track

LAPS = range(3, 6)
FULL_CIRCLE = 360


class Finding(NamedTuple):
    """One finding about a circuit. `where` names its part, as the places of a track file are named:
    "section hairpin limit", "space main left 3", "pit exit-long", "grid box-1", "fuel use 4"."""

    severity: Severity
    code: str
    rule: str
    where: str
    message: str


def check(track: Track) -> list[Finding]:
    """All findings about a circuit, in the order of the rules; one without errors can be raced on."""
    return [
        *_ring_findings(track),
        *_straight_findings(track),
        *_curve_findings(track),
        *_line_findings(track),
        *_pit_findings(track),
        *_grid_findings(track),
        *_table_findings(track),
    ]


def inside_lane(track: Track) -> int:
    """The lane on the side of the infield: its index in LANES."""
    return 0 if track.inside is Side.LEFT else 2


def _error(code: str, rule: str, where: str, message: str) -> Finding:
    return Finding("error", code, rule, where, message)


def _warning(code: str, rule: str, where: str, message: str) -> Finding:
    return Finding("warning", code, rule, where, message)


# The ring (PS-1, PS-3): its curves make one full circle.


def _ring_findings(track: Track) -> Iterator[Finding]:
    curves = [section for section in track.sections if section.is_curve]
    told = [section for section in curves if section.degrees is not None]
    if not any(section.turn is track.inside for section in curves):
        message = f"no curve turns to the inside, {track.inside.word}: a ring must go round its infield"
        yield _error("no-ring", "PS-1", "inside", message)
    elif told and len(told) < len(curves):
        for section in curves:
            if section.degrees is None:
                message = f"curve '{section.id}' has no degrees, others have: give them for all curves or for none"
                yield _error("degrees", "PS-1", f"section {section.id}", message)
    elif told and (found := turned(track)) != FULL_CIRCLE:
        last = f"section {told[-1].id} degrees"
        yield _error("degrees", "PS-1", last, f"the curves turn {_sum_words(track, found)}")


def turned(track: Track) -> int:
    """By how many degrees the curves turn in all, towards the inside; curves without degrees count nothing."""
    return sum(_signed(section, track.inside) for section in track.sections)


def _signed(section: Section, inside: Side) -> int:
    degrees = section.degrees or 0
    return degrees if section.turn is inside else -degrees


def _sum_words(track: Track, found: int) -> str:
    inside = track.inside
    parts = {side: sum(_signed(part, side) for part in track.sections if part.turn is side) for side in Side}
    words = f"{parts[inside]}° to the {inside.word} and {parts[inside.other]}° to the {inside.other.word}"
    reverse = f', or is inside = "{inside.other.word}" meant?' if found == -FULL_CIRCLE else ""
    return (
        f"{words}, {found}° towards the inside: a closed ring needs {FULL_CIRCLE}° ({FULL_CIRCLE - found:+d}°){reverse}"
    )


# Straights (PS-2, PS-3).


def _straight_findings(track: Track) -> Iterator[Finding]:
    for number, space in enumerate(track.spaces):
        section, name = track.sections[space.section], track.name_of(number)
        if section.is_curve:
            continue
        if space.last > space.first:
            message = f"'{name}' covers columns {space.first} to {space.last}: on a straight each space covers one"
            yield _error("long-space", "PS-2", f"space {name}", message)
        if Mark.MU in space.marks:
            message = f"μ on '{name}', a straight: no car speeds there, so it does nothing"
            yield _warning("mu-straight", "PS-3", f"space {name}", message)


# Curves (PS-2, PS-3).


def _curve_findings(track: Track) -> Iterator[Finding]:
    for number, section in enumerate(track.sections):
        if section.is_curve and section.limit is None:
            message = f"curve '{section.id}' has no limit: add limit = 4, say"
            yield _error("no-limit", "PS-3", f"section {section.id}", message)
        elif section.limit is not None and not section.is_curve:
            message = f"straight '{section.id}' has a limit: only curves have one"
            yield _error("limit-straight", "PS-3", f"section {section.id} limit", message)
        if section.is_curve:
            yield from _width_findings(track, number, section)


def _width_findings(track: Track, number: int, section: Section) -> Iterator[Finding]:
    """The inner lane has fewer spaces than the outer one, or as many in a short curve."""
    counts = [sum(space.section == number and space.lane == lane for space in track.spaces) for lane in range(3)]
    outside = section.outside
    inward = counts if outside == 2 else counts[::-1]
    if any(inner > outer for inner, outer in pairwise(inward)):
        told = ", ".join(f"{lane} {count}" for lane, count in zip(LANES, counts, strict=True))
        message = f"curve '{section.id}' turns {_turn_word(section)}, but an inner lane has more spaces ({told})"
        yield _warning("inner-lane", "PS-2", f"section {section.id} turn", message)


def _turn_word(section: Section) -> str:
    return section.turn.word if section.turn is not None else "nowhere"


# The start/finish line (PS-4).


def _line_findings(track: Track) -> Iterator[Finding]:
    section, column = track.line
    here = track.sections[section]
    if here.is_curve:
        yield _error(
            "line-curve", "PS-4", "line", f"the start/finish line lies in curve '{here.id}': it runs over a straight"
        )
        return
    neighbour = None
    if column in (0, here.columns):
        neighbour = track.sections[(section + (1 if column else -1)) % len(track.sections)]
    if neighbour and neighbour.is_curve:
        message = f"the start/finish line lies on the double line of '{neighbour.id}': put it between two columns"
        yield _warning("line-end", "PS-4", "line", message)


# The pit lane (PS-4, PS-21).


def _pit_findings(track: Track) -> Iterator[Finding]:
    pit = track.pit
    if pit is None:
        yield _warning("no-pit", "PS-4", "pit", "no [pit]: cars can neither repair nor refuel")
        return
    joints = {"entry": pit.entry, "exit-short": pit.exit_short, "exit-long": pit.exit_long}
    for key, space in joints.items():
        at, name = track.spaces[space], track.name_of(space)
        if key != "entry" and track.sections[at.section].is_curve:
            message = f"the exit leads to '{name}' in a curve: exits lead to straights"
            yield _error("pit-curve", "PS-21", f"pit {key}", message)
        if at.lane != inside_lane(track):
            message = f"'{name}' is not in the inside lane, {LANES[inside_lane(track)]}, where the pit lies"
            yield _warning("pit-lane", "PS-4", f"pit {key}", message)
    if _way(track, pit.entry, pit.exit_short) >= _way(track, pit.entry, pit.exit_long):
        message = "the exit of pit space 6 does not lie ahead of the exit of pit space 3"
        yield _warning("pit-order", "PS-4", "pit exit-long", message)


def _way(track: Track, begin: int, end: int) -> int:
    """Columns from one space on to another, a full ring where they are the same."""
    around = sum(section.columns for section in track.sections)
    return (track.from_line[end] - track.from_line[begin] - 1) % around + 1


# The start boxes (PS-4, PS-8).


def _grid_findings(track: Track) -> Iterator[Finding]:
    if track.box_1 is None:
        yield _warning("no-grid", "PS-4", "grid", "no [grid]: no race can start here")
        return
    box, name = track.spaces[track.box_1], track.name_of(track.box_1)
    section = track.sections[box.section]
    if box.lane != inside_lane(track):
        lane = LANES[inside_lane(track)]
        message = f"'{name}' is not in the inside lane: box 1 stands beside '{section.id} {lane} {box.first}', say"
        yield _error("grid-lane", "PS-4", "grid box-1", message)
    if section.is_curve:
        yield _error(
            "grid-curve", "PS-4", "grid box-1", f"box 1 stands at curve '{section.id}': boxes stand at a straight"
        )
    elif box.first + BOXES - 1 > section.columns:
        room = section.columns - box.first + 1
        message = f"from column {box.first} straight '{section.id}' has room for {room} of the {BOXES} boxes"
        yield _error("grid-room", "PS-4", "grid box-1", message)
    elif not _line_follows(track, box.section, box.first + BOXES - 1):
        message = f"the start/finish line does not follow box {BOXES} on the same straight"
        yield _error("grid-line", "PS-4", "grid box-1", message)


def _line_follows(track: Track, section: int, column: int) -> bool:
    """Whether from behind a column of a straight only straights lead on to the line."""
    for ahead in range(len(track.sections)):
        here = (section + ahead) % len(track.sections)
        if track.sections[here].is_curve:
            return False
        if track.line[0] == here and (ahead or track.line[1] >= column):
            return True
    return False


# Laps, points, fuel (PS-6, PS-22, PS-24).


def _table_findings(track: Track) -> Iterator[Finding]:
    if track.laps not in LAPS:
        yield _warning("laps", "PS-6", "laps", f"races have 3 to 5 laps, here {track.laps}")
    yield from _points_findings(track)
    yield from _tank_findings(track)
    yield from _use_findings(track)


def _points_findings(track: Track) -> Iterator[Finding]:
    if len(track.points) != BOXES:
        message = f"points for {len(track.points)} places, where up to {BOXES} cars race: further places score nothing"
        yield _warning("points", "PS-24", "points", message)
    for place, (better, worse) in enumerate(pairwise(track.points), 1):
        if worse > better:
            message = f"place {place + 1} scores {worse}, more than place {place} with {better}"
            yield _warning("points", "PS-24", "points", message)


def _tank_findings(track: Track) -> Iterator[Finding]:
    if (track.tank or track.use) and track.laps not in track.tank:
        message = f"no tank for the track's own {track.laps} laps: add {track.laps} = …"
        yield _error("tank", "PS-22", "fuel tank", message)
    for laps, tank in track.tank.items():
        if not tank:
            yield _error("tank", "PS-22", f"fuel tank {laps}", f"an empty tank for {laps} laps")
    for fewer, more in pairwise(sorted(track.tank)):
        if track.tank[more] < track.tank[fewer]:
            message = f"the tank for {more} laps is smaller than the one for {fewer}"
            yield _warning("tank", "PS-22", f"fuel tank {more}", message)


def _use_findings(track: Track) -> Iterator[Finding]:
    if (track.tank or track.use) and 1 not in track.use:
        message = "no consumption at speed 1: the table must begin there, add 1 = …"
        yield _error("use", "PS-22", "fuel use", message)
    yield from _rising_use(track.use)


def _rising_use(use: Mapping[int, int]) -> Iterator[Finding]:
    for slower, faster in pairwise(sorted(use)):
        if use[faster] < use[slower]:
            message = f"speed {faster} uses less fuel than speed {slower}"
            yield _warning("use", "PS-22", f"fuel use {faster}", message)
