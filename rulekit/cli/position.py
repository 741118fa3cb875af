"""What options say about a boat on a course: reading it, with the near miss where it is wrong."""

from collections.abc import Sequence

from rulekit.errors import BadInput
from rulekit.files.course import CourseFile, read_course
from rulekit.files.source import read_source
from rulekit.hexgrid import FACINGS, Facing, Hex, Side, distance, hex_name, parse_facing, parse_hex
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.course import Course
from rulekit.powerboats.dice import Hand, as_hand
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings


def parse_dice(text: str, faces: Sequence[int]) -> Hand:
    """Dice as people write them: 3,3,1 or 3 3 1 in any order, or none.

    Raises BadInput for words, and for numbers that are on no face.
    """
    parts = [] if text.strip() == "none" else text.replace(",", " ").split() or [text]
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise BadInput(f"--dice wants faces such as 3,3,1, or none, not '{text}'")
    wrong = [part for part in parts if int(part) not in faces]
    if wrong:
        known = ", ".join(map(str, sorted(set(faces))))
        raise BadInput(f"no die shows {wrong[0]}: the faces are {known} (--reading faces=1/2/3 sets them)")
    return as_hand(map(int, parts))


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
        what = "is not on the lake"
    near = min(course.water, key=lambda water: (distance(water, at), water), default=None)
    raise BadInput(f"{option}: {text} {what}{f' (the nearest water is {hex_name(near)})' if near else ''}")


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
    if not 0 <= damage < waters.readings.sink_at:
        raise BadInput(f"--damage {damage}: a boat with {waters.readings.sink_at} counters has sunk (PB-21)")
    hand = parse_dice(dice, waters.readings.faces)
    return Boat(parse_place(at, waters.course, "--at"), parse_way(facing), hand, progress, damage)


def load_course(name: str, stdin_filename: str | None = None) -> CourseFile:
    """The course of a FILE argument; raises Unreadable or FileFaults as the reader does."""
    return read_course(read_source(name, stdin_filename))


def steer_word(before: Facing, after: Facing) -> str:
    """`left`, `straight` or `right`.

    >>> steer_word(Facing.E, Facing.SE)
    'right'
    """
    sides = {before: "straight", before.steer(Side.LEFT): "left", before.steer(Side.RIGHT): "right"}
    return sides[FACINGS[after]]


def waters_of(file: CourseFile, readings: PowerboatsReadings) -> Waters:
    """The course settled under the readings."""
    from rulekit.powerboats.route import settle

    return Waters(settle(file.course, readings), readings)
