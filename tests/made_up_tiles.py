"""Small waters with expansion tiles for tests, told by names."""

from dataclasses import replace

from made_up import course_on, lake_from

from rulekit.hexgrid import Facing, Hex, Side, hex_name, parse_facing, parse_hex
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.course import Course, Tile, TileKind
from rulekit.powerboats.dice import as_hand
from rulekit.powerboats.move import move
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings

OPEN = settle(
    course_on(
        lake_from("\n".join((" " if row % 2 else "") + " ".join("." * 14) for row in range(13))),
        "A13", "E", [("G10", "left")], strip=4,
    )
)  # fmt: skip
"""Fourteen columns and thirteen rows without land. The strip is B13 to E13, the finish buoy stands on F13."""

ROCK = "low-water F7 E 1/2/3"
LEFT_SPIN = "maelstrom F7 NE left"
WALL = "redoubt F7 NE"
STREAM = "current F7 NE NW"

# Progress 2 means that the buoy is rounded: the finish is next, crossed towards the left (north) here.
HOME = replace(OPEN, finish=Side.RIGHT)

SIDES = {"left": Side.LEFT, "right": Side.RIGHT}


def tile(told: str) -> Tile:
    """A tile as `kind hex side detail`: three hexes from that hex on; the detail is told for all or, by /, for each.

    >>> tile("low-water C4 E 1/2/3").rocks
    (1, 2, 3)
    """
    word, first, side, *rest = told.split()
    kind, along = TileKind(word), parse_facing(side)
    details = rest[0].split("/") if rest else []
    each = details * 3 if len(details) == 1 else details
    hexes = tuple(parse_hex(first).step(along, k) for k in range(3))
    if kind is TileKind.CURRENT:
        return Tile(kind, hexes, flow=tuple(map(parse_facing, each)))
    if kind is TileKind.MAELSTROM:
        return Tile(kind, hexes, spin=tuple(SIDES[word] for word in each))
    return Tile(kind, hexes, rocks=tuple(map(int, each)))


def with_land(course: Course, names: str) -> Course:
    """The course with land on the hexes of these names."""
    land = frozenset(map(parse_hex, names.split()))
    lake = course.lake
    return replace(course, lake=replace(lake, water=lake.water - land, land=lake.land | land))


def sea(*tiles: str, land: str = "", readings: str = "", course: Course = OPEN) -> Waters:
    """The open water with tiles and land."""
    own = replace(with_land(course, land), tiles=tuple(map(tile, tiles)))
    return Waters(own, PowerboatsReadings.parse([readings] if readings else []))


def boat(told: str, progress: int = 1, damage: int = 0) -> Boat:
    """A boat as `hex facing dice`, dice as digits, `-` for none.

    >>> boat("D7 E 31").hand
    (3, 1)
    """
    at, facing, dice = told.split()
    return Boat(parse_hex(at), parse_facing(facing), as_hand(map(int, dice.strip("-"))), progress, damage)


def told(landing: Landing) -> str:
    """Where a boat has come to, in the form of `boat`, with what happened to it.

    >>> told(Landing(parse_facing("E"), boat("D7 E 31", damage=1)))
    'D7 E 31 damage 1'
    """
    own = landing.boat
    dice = "".join(map(str, own.hand)) or "-"
    words = [f"damage {own.damage}"] if own.damage else []
    words += [word for word in ("crashed", "sunk", "finished") if getattr(landing, word)]
    return " ".join([hex_name(own.at), own.facing.name, dice, *words])


def hexes(names: str) -> set[Hex]:
    """The hexes of names."""
    return set(map(parse_hex, names.split()))


def go(waters: Waters, start: str, facing: Facing | None = None, taken: str = "", damage: int = 0) -> Landing:
    """The move of a boat straight on, or in a direction."""
    own = boat(start, damage=damage)
    return move(waters, own, own.facing if facing is None else facing, hexes(taken))


def way(landing: Landing) -> str:
    return " ".join(map(hex_name, landing.way))


def home(*tiles: str, land: str = "") -> Waters:
    """The open water; the finish is crossed towards the right, southwards onto the last row."""
    return sea(*tiles, land=land, course=HOME)
