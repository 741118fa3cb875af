"""What options say about a boat on a course: reading it, with the near miss where it is wrong."""

from collections.abc import Iterable
from dataclasses import replace

from rulekit.cli.options import parse_dice
from rulekit.cli.output import Output
from rulekit.errors import BadInput, Fault, FileFaults, errors_in
from rulekit.files.course import CourseFile, read_course
from rulekit.files.source import Source, read_source
from rulekit.hexgrid import (
    FACINGS,
    Facing,
    Hex,
    Side,
    column_letters,
    distance,
    hex_name,
    parse_facing,
    parse_hex,
    to_offset,
)
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.check import check
from rulekit.powerboats.course import Course
from rulekit.powerboats.dice import Hand
from rulekit.powerboats.lake import Lake
from rulekit.powerboats.odds import check_damage, check_hand
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings


def parse_place(text: str, course: Course, option: str) -> Hex:
    """A water hex of the course by its name; raises BadInput where there is none, naming water close by."""
    try:
        at = parse_hex(text)
    except ValueError as fault:
        raise BadInput(f"{option}: {fault}") from None
    if at in course.water:
        return at
    what = "carries a buoy" if at in set(course.buoy_hexes()) else "is land"
    if at not in course.lake.water and at not in course.lake.land:
        what = f"is not on the lake, which has {extent(course.lake)}"
    near = min(course.water, key=lambda water: (distance(water, at), water), default=None)
    raise BadInput(f"{option}: {text} {what}{f' (the nearest water is {hex_name(near)})' if near else ''}")


def extent(lake: Lake) -> str:
    """The size of a board in words: its columns and rows."""
    columns, rows = zip(*map(to_offset, lake.hexes), strict=True)
    first, last = column_letters(min(columns)), column_letters(max(columns))
    return f"columns {first} to {last}, rows {min(rows) + 1} to {max(rows) + 1}"


def parse_way(text: str) -> Facing:
    """A facing by its name; raises BadInput with the six names."""
    try:
        return parse_facing(text)
    except ValueError as fault:
        raise BadInput(f"--facing: {fault}") from None


def parse_boats(text: str | None, course: Course, own: Hex) -> frozenset[Hex]:
    """The other boats' hexes, such as K15,L14; raises BadInput where two boats would share one."""
    names = [part for part in (text or "").replace(",", " ").split() if part]
    hexes = [parse_place(name, course, "--boats") for name in names]
    twice = next((at for k, at in enumerate(hexes) if at in hexes[:k] or at == own), None)
    if twice:
        raise BadInput(f"--boats: two boats cannot stand on {hex_name(twice)}")
    return frozenset(hexes)


def boat_on(waters: Waters, at: str, facing: str, dice: str, progress: int, damage: int) -> Boat:
    """The boat that the options describe.

    Raises BadInput for a place off the water, a progress beyond the course, or damage that would have sunk it.
    """
    last = waters.last - 1
    if not 0 <= progress <= last:
        raise BadInput(f"--progress {progress}: a boat that races here has passed 0 to {last} gates (PB-12)")
    check_damage(damage, waters.readings)
    hand = parse_dice(dice)
    check_hand(hand, waters.readings)
    return Boat(parse_place(at, waters.course, "--at"), parse_way(facing), hand, progress, damage)


def room_for(hand: Hand, readings: PowerboatsReadings, output: Output) -> PowerboatsReadings:
    """The readings with a limit that lets the hand given grow by a die; a note says so.

    Raises BadInput as `check_hand`.
    """
    if readings.dice_max is None or len(hand) < readings.dice_max or not hand:
        return readings
    check_hand(hand, readings)
    output.note(f"note: {len(hand)} dice given, so dice-max is {len(hand) + 1} here")
    return replace(readings, dice_max=len(hand) + 1)


def load_waters(name: str, stdin_filename: str | None, readings: PowerboatsReadings, output: Output) -> Waters:
    """The course of a FILE argument settled under the readings, see `settled_waters`.

    Raises Unreadable or FileFaults as the reader does.
    """
    return settled_waters(read_course(read_source(name, stdin_filename)), readings, output)


def settled_waters(file: CourseFile, readings: PowerboatsReadings, output: Output) -> Waters:
    """The course of a file settled under the readings, legal or not: rule faults are warnings here."""
    course = settle(file.course, readings)
    output.warn(file.faults)
    output.warn(as_warnings(rule_faults(file, course, readings)))
    return Waters(course, readings)


def load_legal_waters(
    name: str | Source, stdin_filename: str | None, readings: PowerboatsReadings, output: Output, force: bool
) -> Waters:
    """As `load_waters`, but a course with rule faults is refused unless `force` is set.

    Raises FileFaults with the rule faults.
    """
    file = read_course(name if isinstance(name, Source) else read_source(name, stdin_filename))
    course = settle(file.course, readings)
    faults = errors_in(rule_faults(file, course, readings))
    if faults and not force:
        raise FileFaults([*file.faults, *faults])
    output.warn([*file.faults, *as_warnings(faults)])
    return Waters(course, readings)


def rule_faults(file: CourseFile, course: Course, readings: PowerboatsReadings) -> list[Fault]:
    """What the rules say against the course of a file, settled or not, at the places of the file."""
    return [
        Fault(found.severity, found.code, found.message, file.source.path, *file.place(found.where), found.rule)
        for found in check(course, file.spots, readings)
    ]


def as_warnings(faults: Iterable[Fault]) -> list[Fault]:
    """The errors among findings as warnings, for a command that takes a course which breaks rules."""
    return [replace(fault, severity="warning") for fault in errors_in(faults)]


def steer_word(before: Facing, after: Facing) -> str:
    """`left`, `straight` or `right`.

    >>> steer_word(Facing.E, Facing.SE)
    'right'
    """
    sides = {before: "straight", before.steer(Side.LEFT): "left", before.steer(Side.RIGHT): "right"}
    return sides[FACINGS[after]]
