"""The shortest route, the crossings that `auto` takes, and the places to start from (PB-11…PB-13)."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product
from math import inf
from typing import NamedTuple

from rulekit.hexgrid import Hex, Side, by_name, distance
from rulekit.powerboats.course import Course
from rulekit.powerboats.gates import DEFAULT, Gates, gates, strip_gate
from rulekit.powerboats.rounding import corners
from rulekit.readings import Behind, PowerboatsReadings

SIDES = (Side.LEFT, Side.RIGHT)
"""In the order in which equal ones are taken (PB-11)."""

ROWS_BEHIND = {Behind.STRIP_ONLY: 0, Behind.ROWS_1: 1, Behind.ROWS_2: 2, Behind.ROWS_4: 4}


class Place(NamedTuple):
    """Where a boat is, for gates: its hex and its progress."""

    at: Hex
    progress: int


Chain = tuple[Hex, ...]


Nearby = dict[Hex, tuple[Hex, ...]]


def nearby(water: frozenset[Hex]) -> Nearby:
    """The water neighbours of each water hex."""
    return {at: tuple(hexagon for hexagon in at.neighbours() if hexagon in water) for at in water}


def stepper(course_gates: Gates, water: Nearby) -> Callable[[Place], list[Place]]:
    """A function from a place short of the finish to the places one step on (PB-12).

    Most hexes touch no gate, so that looking that up first is much quicker than judging every step.
    """
    stirs = [course_gates.stirs(progress) for progress in range(course_gates.last)]

    def steps(place: Place) -> list[Place]:
        at, progress = place
        if at in stirs[progress]:
            return [Place(step, course_gates.after_step(progress, at, step)) for step in water[at]]
        return [Place(step, progress) for step in water[at]]

    return steps


def shortest_chain(course_gates: Gates, water: Nearby, starts: Iterable[Place]) -> tuple[Place, ...] | None:
    """A shortest chain of places from one of `starts` to the finish, None where there is none (PB-12)."""
    came: dict[Place, Place | None] = {start: None for start in starts if start.at in water}
    queue, steps = deque(came), stepper(course_gates, water)
    while queue:
        place = queue.popleft()
        if place.progress == course_gates.last:
            return _back(came, place)
        for after in steps(place):
            if after not in came:
                came[after] = place
                queue.append(after)
    return None


def _back(came: dict[Place, Place | None], place: Place) -> tuple[Place, ...]:
    chain = [place]
    while (before := came[chain[-1]]) is not None:
        chain.append(before)
    return tuple(reversed(chain))


def route_places(course: Course, readings: PowerboatsReadings = DEFAULT) -> tuple[Place, ...] | None:
    """The route with the progress at each of its hexes; None where there is no route (PB-12)."""
    return shortest_chain(gates(course, readings), nearby(course.water), _line_up(course))


def furthest(course: Course, readings: PowerboatsReadings = DEFAULT) -> int:
    """The most gates that boats from the strip can pass; 0 where no strip hex is water."""
    course_gates, water = gates(course, readings), nearby(course.water)
    found = {start for start in _line_up(course) if start.at in water}
    waiting, steps = list(found), stepper(course_gates, water)
    while waiting:
        place = waiting.pop()
        fresh = set(steps(place)) - found if place.progress < course_gates.last else set[Place]()
        found |= fresh
        waiting += fresh
    return max((place.progress for place in found), default=0)


def _line_up(course: Course) -> list[Place]:
    return [Place(at, 1) for at in course.strip]


def route(course: Course, readings: PowerboatsReadings = DEFAULT) -> Chain | None:
    """The shortest chain of water hexes from the strip with progress 1 to the finish, None without one (PB-12)."""
    places = route_places(course, readings)
    return None if places is None else tuple(place.at for place in places)


def with_arrows(course: Course) -> Course:
    """The course with its missing arrows set as `auto` does (PB-8); those that stand stay, wrong ones too."""
    buoys = (
        buoy if buoy.arrow is not None else replace(buoy, arrow=corner.legal[0])
        for buoy, corner in zip(course.buoys, corners(course), strict=True)
    )
    return replace(course, buoys=tuple(buoys))


def settle(course: Course, readings: PowerboatsReadings = DEFAULT) -> Course:
    """The course with all arrows and both crossings known (PB-8, PB-11).

    Without any route the crossings become left, the first in the order of equal ones.
    """
    course = with_arrows(course)
    pairs = list(product(_open(course.start), _open(course.finish)))
    if len(pairs) > 1:
        pairs = [_shortest_pair(course, pairs, readings)]
    start, finish = pairs[0]
    return replace(course, start=start, finish=finish)


def _open(side: Side | None) -> tuple[Side, ...]:
    return SIDES if side is None else (side,)


def _shortest_pair(course: Course, pairs: list[tuple[Side, Side]], readings: PowerboatsReadings) -> tuple[Side, Side]:
    base, water = gates(course, readings), nearby(course.water)

    def length(pair: tuple[Side, Side]) -> float:
        crossed = base.crossed(*(strip_gate(course, side) for side in pair))
        chain = shortest_chain(crossed, water, _line_up(course))
        return inf if chain is None else len(chain)

    return min(pairs, key=length)


def start_places(course: Course, readings: PowerboatsReadings = DEFAULT) -> tuple[Place, ...]:
    """Where a boat may be placed: water strip hexes with progress 1, then the hexes behind with progress 0 (PB-13)."""
    strip = [Place(at, 1) for at in course.strip if at in course.water]
    rows = ROWS_BEHIND[readings.behind]
    gate = strip_gate(course, course.start)
    behind = (
        at
        for at in course.water
        if gate.is_behind(at) and min(distance(at, hexagon) for hexagon in course.strip) <= rows
    )
    return (*strip, *(Place(at, 0) for at in by_name(behind)))
