"""A second way to a boat's move (PB-17…PB-22, X1-4…X1-10), to compare the engine with.

Written from the rules alone, on plain tuples, by recursion over what happens next, with angles as floats and dice
tried set by set: as unlike the engine as can be. Only the values (Course, Boat) and the shipped readings are shared.
"""

from cmath import exp, phase, pi
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

from rulekit.hexgrid import FACINGS, Hex
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.course import Course, TileKind
from rulekit.readings import PowerboatsReadings

Cell = tuple[int, int]
STEPS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
NEARLY = 1e-9


class End(NamedTuple):
    """What came of a move; of a boat that sank only damage, and whether it had finished, matter."""

    at: Cell
    facing: int
    dice: tuple[int, ...]
    progress: int
    damage: int
    left_over: int
    crashed: bool = False
    out: bool = False


class Sea(NamedTuple):
    """What the second way knows of a course."""

    water: frozenset[Cell]
    land: frozenset[Cell]
    effect: dict[Cell, tuple[str, int]]
    course: Course
    readings: PowerboatsReadings
    lines: tuple[tuple[complex, complex, int], ...]


def sea_of(course: Course, readings: PowerboatsReadings) -> Sea:
    """The course in plain tuples."""
    buoys = {course.start_buoy, course.finish_buoy, *(buoy.at for buoy in course.buoys)}
    effect: dict[Cell, tuple[str, int]] = {}
    for tile in course.tiles:
        detail = {
            TileKind.REDOUBT: [0] * len(tile.hexes),
            TileKind.CURRENT: tile.flow,
            TileKind.MAELSTROM: tile.spin,
            TileKind.LOW_WATER: tile.rocks,
        }[tile.kind]
        effect |= {(at.q, at.r): (tile.kind.value, int(own)) for at, own in zip(tile.hexes, detail, strict=True)}
    lake = course.lake
    lines = tuple(rounding_line(course, number) for number in range(1, len(course.buoys) + 1))
    return Sea(frozenset(lake.water - buoys), frozenset(lake.land), effect, course, readings, lines)


def ahead(at: Cell, facing: int) -> Cell:
    """The next hex."""
    dq, dr = STEPS[facing % 6]
    return at[0] + dq, at[1] + dr


# Gates, in the complex plane.


def point(at: Cell) -> complex:
    """The centre of a hex, x to the right, y upwards."""
    return complex(at[0] + at[1] / 2, -at[1] * 3**0.5 / 2)


def gate(sea: Sea, progress: int, a: Cell, b: Cell) -> int:
    """Progress after the step from a to b (PB-12)."""
    last = len(sea.course.buoys) + 2
    if progress == last:
        return progress
    if passes(sea, progress, a, b):
        return progress + 1
    taken_back = progress > 0 and passes(sea, progress - 1, b, a)
    keeps = sea.readings.rounding.value == "line" and progress > 1
    return progress - 1 if taken_back and not keeps else progress


def passes(sea: Sea, number: int, a: Cell, b: Cell) -> bool:
    """Whether the step from a to b passes gate 0 (start), 1, 2, … (buoys) or the last (finish)."""
    if number in (0, len(sea.course.buoys) + 1):
        side = sea.course.start if number == 0 else sea.course.finish
        return b in sea.course.strip and behind(sea.course, side, a)
    mark, direction, sense = sea.lines[number - 1]
    p, q = point(a) - mark, point(b) - mark
    before, after = sense * turn(direction, p), sense * turn(direction, q)
    if not (before <= NEARLY < after):
        return False
    crossing = p + (q - p) * (-before / (after - before))
    return (crossing * direction.conjugate()).real > NEARLY


def turn(u: complex, v: complex) -> float:
    """Positive where v lies left of u."""
    return (u.conjugate() * v).imag


def behind(course: Course, towards: int | None, at: Cell) -> bool:
    """Whether a hex lies on the side from which the strip is crossed."""
    assert towards is not None
    zero, end = point(course.start_buoy), point(course.finish_buoy)
    return towards * turn(end - zero, point(at) - zero) < -NEARLY


def rounding_line(course: Course, number: int) -> tuple[complex, complex, int]:
    """Mark, direction and sense of a rounding line: from α on by half the swept angle (PB-9, PB-10)."""
    middle = (point(course.strip[0]) + point(course.strip[-1])) / 2
    marks = [middle, *(point(buoy.at) for buoy in course.buoys), middle]
    arrow = course.buoys[number - 1].arrow
    assert arrow is not None
    sense = int(arrow)
    mark = marks[number]
    alpha, beta = phase(marks[number - 1] - mark), phase(marks[number + 1] - mark)
    swept = ((beta - alpha) * sense) % (2 * pi)
    if swept < NEARLY or 2 * pi - swept < NEARLY:
        swept = 2 * pi
    if swept < pi - NEARLY:
        swept += 2 * pi
    return mark, exp(1j * (alpha + sense * swept / 2)), sense


# The move. `trail` holds (hex, progress) of the hexes really entered, the last one being where the boat is.

Trail = tuple[tuple[Cell, int], ...]


def second_move(sea: Sea, boat: Boat, facing: int, taken: frozenset[Hex] = frozenset()) -> End:
    """The move in one direction."""
    start: Trail = (((boat.at.q, boat.at.r), boat.progress),)
    bound = sea.effect.get(start[-1][0], ("", 0))[0] == "redoubt"
    begin = fly if bound and boat.hand else onwards
    trail, end = begin(sea, start, facing, boat.hand, boat.damage, sum(boat.hand), frozenset(), taken)
    if end.out or end.damage >= sea.readings.sink_at:
        return end
    free = [place for k, place in enumerate(trail) if k == 0 or place[0] not in taken]
    return end._replace(at=free[-1][0], progress=free[-1][1])


Told = tuple[Trail, End]


def onwards(
    sea: Sea, trail: Trail, facing: int, dice: tuple[int, ...], damage: int, left: int,
    _carried: frozenset[Cell], taken: frozenset[Hex],
) -> Told:  # fmt: skip
    """The next step, if any is left."""
    at, progress = trail[-1]
    if left == 0:
        return trail, End(at, facing, dice, progress, damage, 0)
    to = ahead(at, facing)
    if to not in sea.water:
        return trail, End(at, facing, (), progress, damage + left, left, crashed=True)
    entered = (*trail, (to, gate(sea, progress, at, to)))
    return struck(sea, entered, facing, dice, damage, left - 1, frozenset({to}), taken)


def struck(
    sea: Sea, trail: Trail, facing: int, dice: tuple[int, ...], damage: int, left: int,
    carried: frozenset[Cell], taken: frozenset[Hex],
) -> Told:  # fmt: skip
    """The effect of the hex just entered, then the rest of the move."""
    at, progress = trail[-1]
    kind, detail = sea.effect.get(at, ("", 0))
    if kind == "redoubt" and left:
        return fly(sea, trail, facing, dice, damage, left, carried, taken)
    if kind == "current":
        to = ahead(at, detail)
        if to in sea.water:
            entered = (*trail, (to, gate(sea, progress, at, to)))
            following = onwards if to in carried else struck
            return following(sea, entered, facing, dice, damage, left, carried | {to}, taken)
        if sea.readings.x1_current.value == "crash":
            return trail, End(at, facing, (), progress, damage + 1, left, crashed=True)
    if kind == "maelstrom":
        facing = (facing + detail) % 6
    if kind == "low-water":
        damage, left = damage + detail, max(0, left - detail)
        if damage >= sea.readings.sink_at:
            return trail, End(at, facing, dice, progress, damage, left)
        dice = slowed(dice, detail, most=sea.readings.x1_dice.value == "most-dice")
    return onwards(sea, trail, facing, dice, damage, left, carried, taken)


def slowed(dice: tuple[int, ...], rocks: int, most: bool) -> tuple[int, ...]:
    """The dice left: every set of them tried."""
    sets = [gone for count in range(len(dice) + 1) for gone in combinations(range(len(dice)), count)]
    enough = [gone for gone in sets if sum(dice[k] for k in gone) >= rocks]
    if not enough:
        return ()
    cheapest = min(enough, key=lambda gone: (sum(dice[k] for k in gone), -len(gone) if most else len(gone)))
    return tuple(sorted((die for k, die in enumerate(dice) if k not in cheapest), reverse=True))


def fly(
    sea: Sea, trail: Trail, facing: int, dice: tuple[int, ...], damage: int, left: int,
    carried: frozenset[Cell], taken: frozenset[Hex],
) -> Told:  # fmt: skip
    """Twice the steps left through the air."""
    over = [trail[-1]]
    for _ in range(2 * left):
        at, progress = over[-1]
        to = ahead(at, facing)
        over.append((to, gate(sea, progress, at, to)))
    lake = sea.course.lake
    if sea.readings.x1_border.value == "stop" and over[-1][0] not in lake.water and over[-1][0] not in sea.land:
        while len(over) > 1 and over[-1][0] not in sea.water:
            over.pop()
    while len(over) > 1 and over[-1][0] in taken:
        over.pop()
    at, progress = over[-1]
    lands = len(over) > 1 and at in sea.water and sea.effect.get(at, ("", 0))[0] != "redoubt"
    if not lands:
        return trail, End(at, facing, (), progress, damage + 4, 2 * left, out=True)
    following = onwards if at in carried else struck
    return following(sea, (*trail, (at, progress)), facing, dice, damage, 0, carried | {at}, taken)


# Which directions, which throws.


def second_legal(sea: Sea, boat: Boat) -> list[int]:
    """The directions allowed (PB-17, X1-6, X1-10), left first."""
    if sea.effect.get(boat.at, ("", 0))[0] == "redoubt":
        return [int(boat.facing)]
    sides = [(boat.facing + steer) % 6 for steer in (1, 0, -1)]
    if sea.readings.x1_path.value == "plain":
        # Without tiles, as on a bare lake.
        sea = sea._replace(effect={})
    left = [second_move(sea, boat, side).left_over for side in sides]
    return [side for side, own in zip(sides, left, strict=True) if own == min(left)]


def second_throws(hand: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """For every different choice (PB-15, PB-16) the different hands that it can throw: all subsets tried."""
    choices = set()
    for kept_places in product((True, False), repeat=len(hand)):
        kept = tuple(sorted(die for die, stays in zip(hand, kept_places, strict=True) if stays))
        again = len(hand) - len(kept)
        choices |= {(kept, again), (kept, again + 1)} | ({(kept, again - 1)} if again else set())
    for kept, rolled in choices:
        yield [
            tuple(sorted(kept + thrown, reverse=True)) for thrown in combinations_with_replacement((1, 2, 3), rolled)
        ]


def second_perft(sea: Sea, boat: Boat, depth: int) -> int:
    """Ways to play so many turns, counted one by one."""
    if depth == 0:
        return 1
    count = 0
    for hands in second_throws(boat.hand):
        for hand in hands:
            thrown = Boat(boat.at, boat.facing, hand, boat.progress, boat.damage)
            for side in second_legal(sea, thrown):
                end = second_move(sea, thrown, side)
                over = end.out or end.damage >= sea.readings.sink_at or end.progress == len(sea.course.buoys) + 2
                count += 1 if over else second_perft(sea, after(end), depth - 1)
    return count


def after(end: End) -> Boat:
    """The boat of an end that races on."""
    return Boat(Hex(*end.at), FACINGS[end.facing], end.dice, end.progress, end.damage)
