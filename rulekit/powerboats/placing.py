"""Courses from a lake's letters: the buoys on the four spots in any order (PB-5, PB-6)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import NamedTuple

from rulekit.errors import BadInput, RulekitError
from rulekit.powerboats.box import Box, Layout, Slot
from rulekit.powerboats.check import strip_faults
from rulekit.powerboats.course import Buoy, Course
from rulekit.powerboats.gates import DEFAULT
from rulekit.powerboats.lake import Lake, Spot
from rulekit.powerboats.route import Chain, route, settle
from rulekit.readings import PowerboatsReadings

FEWEST_SPOTS = 2
MOST_SPOTS = 6
"""With more spots of one letter there are more orders than anybody wants to list."""

MOST_DRAWS = 500
"""Draws of a layout and an order after which no legal one is taken to exist."""


STRIP_REASONS = {
    "strip-buoy": "a buoy stands on the strip (PB-6)",
    "strip-land": "the strip lies on land (PB-6)",
    "strip-outside": "the strip leaves the lake (PB-6)",
    "finish-buoy": "the finish buoy stands on another buoy (PB-6)",
    "finish-outside": "the finish buoy stands outside the lake (PB-6)",
}
"""What is wrong about a strip, in the words that reasons are counted by."""


class NoLegalCourse(RulekitError):
    """No course of a lake and letter can be raced; the message counts the reasons."""

    exit_code = 1


class Placed(NamedTuple):
    """A legal course with its route, and the spots on which buoys 0, 1, 2, … stand."""

    order: tuple[Spot, ...]
    course: Course
    route: Chain


def spots_for(lake: Lake, letter: str) -> tuple[Spot, ...]:
    """The spots of a letter, on which the buoys go (PB-5).

    Raises BadInput where the lake has too few or too many of them.
    """
    spots = lake.spots_of(letter)
    if not FEWEST_SPOTS <= len(spots) <= MOST_SPOTS:
        has = f"has {len(spots)} {letter}-spots" if spots else f"has no {letter}-spots"
        raise BadInput(f"the lake {lake.name!r} {has}: a course needs {FEWEST_SPOTS} to {MOST_SPOTS} (4 in the game)")
    return spots


def course_on(lake: Lake, order: Sequence[Spot], name: str) -> Course:
    """The course with buoys 0, 1, 2, … on these spots; arrows and crossings are left open."""
    buoys = tuple(Buoy(spot.at) for spot in order[1:])
    return Course(name, lake, order[0].at, order[0].side, buoys)


def place(lake: Lake, order: Sequence[Spot], name: str, readings: PowerboatsReadings = DEFAULT) -> Placed | str:
    """The settled course of an order with its route, or why it is not legal (PB-6, PB-8, PB-12)."""
    course = course_on(lake, order, name)
    for code, _ in strip_faults(course):
        return STRIP_REASONS[code]
    course = settle(course, readings)
    chain = route(course, readings)
    return "there is no route (PB-12)" if chain is None else Placed(tuple(order), course, chain)


def all_courses(lake: Lake, letter: str, name: str, readings: PowerboatsReadings = DEFAULT) -> Iterator[Placed | str]:
    """What becomes of every order of the buoys, in the order of permutations of the spots in reading order.

    Raises BadInput as `spots_for`.
    """
    return (place(lake, order, name, readings) for order in permutations(spots_for(lake, letter)))


def draw_course(lake: Lake, letter: str, name: str, random: Random, readings: PowerboatsReadings = DEFAULT) -> Placed:
    """One of the legal courses, each equally likely.

    Orders are taken in a random sequence until one is legal. Raises NoLegalCourse with the reasons counted where none
    is, BadInput as `spots_for`.
    """
    orders = list(permutations(spots_for(lake, letter)))
    random.shuffle(orders)
    return _first_legal(place(lake, order, name, readings) for order in orders)


def _first_legal(tries: Iterator[Placed | str]) -> Placed:
    reasons: Counter[str] = Counter()
    for found in tries:
        if isinstance(found, Placed):
            return found
        reasons[found] += 1
    raise NoLegalCourse(f"none of {reasons.total()} courses is legal: {counted(reasons)}")


def counted(reasons: Counter[str]) -> str:
    """Reasons with their counts, the most frequent first.

    >>> counted(Counter({"there is no route (PB-12)": 3}))
    'there is no route (PB-12): 3'
    """
    return "; ".join(f"{reason}: {count}" for reason, count in reasons.most_common())


def shuffled_layout(box: Box, layout: Layout, random: Random) -> Layout:
    """The tiles of a layout in another order, each turned or not and showing either side, all equally likely (PB-1)."""
    ids = [slot.tile for row in layout for slot in row]
    random.shuffle(ids)
    slots = iter([_any_slot(box, own, random) for own in ids])
    return tuple(tuple(next(slots) for _ in row) for row in layout)


def _any_slot(box: Box, tile: str, random: Random) -> Slot:
    turned, light = random.random() < 0.5, random.random() < 0.5
    return Slot(tile, turned, light and box.tiles[tile].light is not None)


def draw_shuffled(
    box: Box, layout: Layout, letter: str, name: str, random: Random, readings: PowerboatsReadings = DEFAULT
) -> tuple[Layout, Placed]:
    """One of the legal pairs of layout and course, for the same tiles.

    Each is equally likely where every layout shows as many spots of the letter, as in the game (PB-2).
    Raises NoLegalCourse with the reasons counted where `MOST_DRAWS` draws found none.
    """
    layouts: list[Layout] = []

    def draw() -> Placed | str:
        layouts.append(shuffled_layout(box, layout, random))
        lake = box.lake(layouts[-1])
        try:
            spots = list(spots_for(lake, letter))
        except BadInput as fault:
            return str(fault)
        random.shuffle(spots)
        return place(lake, spots, name, readings)

    placed = _first_legal(draw() for _ in range(MOST_DRAWS))
    return layouts[-1], placed
