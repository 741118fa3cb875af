"""Single steps as arrays: shortest ways, the crossings that `auto` takes, choke points, many times faster than by rule.

The rules judge every step that touches a gate (PB-12); all that is done here is to walk.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import inf

import numpy as np
from numpy.typing import NDArray

from rulekit.hexgrid import FACINGS, STEPS, Hex, Side, by_name
from rulekit.powerboats.course import Course
from rulekit.powerboats.gates import DEFAULT, Gates, gates, strip_gate
from rulekit.powerboats.rounding import Line, Step, rounding_lines
from rulekit.powerboats.route import SIDES, Place, with_arrows
from rulekit.readings import PowerboatsReadings
from rulekit.solve.jit import compiled
from rulekit.solve.kernel import Ints

NOWHERE = -1

FACING_OF = {STEPS[facing]: int(facing) for facing in FACINGS}


@dataclass(frozen=True)
class Steps:
    """Single steps on a course's water: hexes in reading order, near[W, 6], and after[P, W, 6], the progress then.

    A node is a hex with a progress below P, as progress · W + hex.
    """

    hexes: tuple[Hex, ...]
    near: Ints
    after: Ints

    @cached_property
    def number(self) -> dict[Hex, int]:
        """Hex to number."""
        return {at: number for number, at in enumerate(self.hexes)}

    @property
    def last(self) -> int:
        """The progress that means finished."""
        return int(self.after.shape[0])

    @property
    def count(self) -> int:
        """Number of nodes."""
        return self.last * len(self.hexes)

    def nodes(self, places: Sequence[Place]) -> Ints:
        """Places as nodes."""
        return np.array([place.progress * len(self.hexes) + self.number[place.at] for place in places], np.int32)

    def length(self, starts: Ints) -> int | None:
        """Steps of the shortest way from any of some nodes to the finish, None without one."""
        steps, _last = shortest(self.near, self.after, starts, NOWHERE, self._space[0], self._space[1])
        return None if steps == NOWHERE else int(steps)

    def chokes(self, starts: Ints) -> int:
        """How many hexes there are without which no way from the starts leads to the finish."""
        return int(count_chokes(self.near, self.after, starts, self._space))

    def from_starts(self, starts: Ints) -> Ints:
        """[node]: the fewest steps from any of the starts, NOWHERE where none leads there."""
        came, queue, steps = (self._space[k] for k in range(3))
        walk(self.near, self.after, starts, NOWHERE, came, queue, steps)
        return np.array(steps)

    def to_finish(self) -> Ints:
        """[node]: the fewest steps to the finish, NOWHERE where no way leads there."""
        steps = np.full(self.count, NOWHERE, np.int32)
        walk_back(self.near, self.after, steps)
        return steps

    @cached_property
    def _space(self) -> Ints:
        return np.empty((3, self.count), np.int32)


def neighbours(hexes: Sequence[Hex]) -> Ints:
    """near[W, 6]: the number of the next hex in each facing, NOWHERE where there is none."""
    if not hexes:
        return np.zeros((0, 6), np.int32)
    at = np.array(hexes, np.int32)
    at = at - at.min(axis=0) + 1
    grid = np.full(at.max(axis=0) + 2, NOWHERE, np.int32)
    grid[at[:, 0], at[:, 1]] = np.arange(len(hexes))
    return np.stack([grid[at[:, 0] + dq, at[:, 1] + dr] for dq, dr in STEPS], axis=1)


def steps_of(water: frozenset[Hex], passed: Gates) -> Steps:
    """The steps on some water under the gates of its course."""
    hexes = tuple(by_name(water))
    near = neighbours(hexes)
    still = np.arange(passed.last, dtype=np.int32)[:, None, None]
    found = Steps(hexes, near, np.broadcast_to(still, (passed.last, *near.shape)).copy())
    _judge(found, passed, passed.known)
    return found


def _judge(found: Steps, passed: Gates, known: Iterable[Iterable[Step]]) -> None:
    """Puts what the rules say of some steps, and of those back, into the table."""
    number, after = found.number, found.after
    for a, b in {step for steps in known for step in steps}:
        if a in number and b in number:
            facing = FACING_OF[b.q - a.q, b.r - a.r]
            for progress in range(passed.last):
                after[progress, number[a], facing] = passed.after_step(progress, a, b)
                after[progress, number[b], (facing + 3) % 6] = passed.after_step(progress, b, a)


def settled_steps(course: Course, readings: PowerboatsReadings = DEFAULT) -> tuple[Course, Steps]:
    """A course with its open arrows and crossings set as `route.settle` does (PB-8, PB-11), and its steps."""
    course = with_arrows(course)
    base = quick_gates(course, readings)
    strips = {side: strip_gate(course, side) for side in SIDES}
    entered = {side: gate.steps(base.board) for side, gate in strips.items()}
    without = replace(base, known=(frozenset(), *base.known[1:-1], frozenset()))
    bare = steps_of(course.water, without)
    line_up = bare.nodes([Place(at, 1) for at in course.strip if at in bare.number])
    found: list[tuple[float, tuple[Side, Side], Steps]] = []
    starts, finishes = (SIDES if side is None else (side,) for side in (course.start, course.finish))
    for start, finish in product(starts, finishes):
        passed = replace(
            base,
            gates=(strips[start], *base.gates[1:-1], strips[finish]),
            known=(entered[start], *base.known[1:-1], entered[finish]),
        )
        steps = replace(bare, after=bare.after.copy())
        _judge(steps, passed, (entered[start], entered[finish]))
        length = steps.length(line_up)
        found.append((inf if length is None else length, (start, finish), steps))
    _length, (start, finish), best = min(found, key=lambda one: one[0])
    return replace(course, start=start, finish=finish), best


def quick_gates(course: Course, readings: PowerboatsReadings = DEFAULT) -> Gates:
    """The gates of a course as `powerboats.gates.gates` has them, all hexes judged at once."""
    board = course.lake.water | course.lake.land
    hexes = list(board)
    at = np.array(hexes, np.int64).reshape(-1, 2)
    points = np.stack([2 * (2 * at[:, 0] + at[:, 1]), 2 * at[:, 1]])
    if np.abs(points).max(initial=0) > WIDEST:
        return gates(course, readings)
    near, lines = neighbours(hexes), rounding_lines(course)
    rounded = [_passed(line, hexes, points, near) for line in lines]
    ends = [strip_gate(course, side) for side in (course.start, course.finish)]
    known = (ends[0].steps(board), *rounded, ends[1].steps(board))
    return Gates((ends[0], *lines, ends[1]), readings.rounding, board, known)


WIDEST = 500
"""Coordinates of a larger board might not fit into 64 bits where they are multiplied."""


def _passed(line: Line, hexes: Sequence[Hex], points: NDArray[np.int64], near: Ints) -> frozenset[Step]:
    """The steps that pass a rounding line (PB-10): `Line.passes` for all at once."""
    x, y = points[0] - line.mark.x, points[1] - line.mark.y
    side = _sides(line, x, y)
    a, facing = np.nonzero((near >= 0) & (side[:, None] <= 0) & (side[near] > 0))
    b = near[a, facing]
    crossed = line.sense * (y[a] * x[b] - x[a] * y[b]) > 0
    return frozenset((hexes[i], hexes[j]) for i, j in zip(a[crossed], b[crossed], strict=True))


def _sides(line: Line, x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.int64]:
    """`Line.side` for all points."""
    before, after = line.before, line.after
    if line.straight_on:
        return np.asarray(-np.sign(before.x * x + 3 * before.y * y))
    u, v = before.y * x - before.x * y, after.y * x - after.x * y
    apart = np.sign(u) * np.sign(u * u * after.square - v * v * before.square)
    return np.asarray(-int(line.sense) * np.where(u * v >= 0, np.sign(u + v), apart))


@compiled
def shortest(near: Ints, after: Ints, starts: Ints, barred: int, came: Ints, queue: Ints) -> tuple[int, int]:
    """(steps, hex where it ends) of the shortest way that keeps off a hex, NOWHERE without one.

    `came` holds the node from which each one was come to, NOWHERE for starts, −2 where none was.
    """
    progresses, hexes = after.shape[:2]
    end = line_up(starts, barred, hexes, came, queue)
    head, layer, steps = 0, end, 0
    while head < end:
        if head == layer:
            steps, layer = steps + 1, end
        node = queue[head]
        head += 1
        progress, place = node // hexes, node % hexes
        for facing in range(6):
            to = near[place, facing]
            if to >= 0 and to != barred:
                then = after[progress, place, facing]
                if then == progresses:
                    queue[0] = node
                    return steps + 1, to
                if came[then * hexes + to] == -2:
                    came[then * hexes + to] = node
                    queue[end] = then * hexes + to
                    end += 1
    return NOWHERE, NOWHERE


@compiled
def line_up(starts: Ints, barred: int, hexes: int, came: Ints, queue: Ints) -> int:
    """Puts the starts in the queue, each once; their number."""
    came[:] = -2
    end = 0
    for start in starts:
        if came[start] == -2 and start % hexes != barred:
            came[start] = NOWHERE
            queue[end] = start
            end += 1
    return end


@compiled
def walk(near: Ints, after: Ints, starts: Ints, barred: int, came: Ints, queue: Ints, steps: Ints) -> None:
    """The fewest steps from the starts to every node."""
    hexes = after.shape[1]
    steps[:] = NOWHERE
    end = line_up(starts, barred, hexes, came, queue)
    for start in starts:
        steps[start] = 0
    head = 0
    while head < end:
        node = queue[head]
        head += 1
        progress, place = node // hexes, node % hexes
        for facing in range(6):
            to = near[place, facing]
            if to >= 0:
                then = after[progress, place, facing] * hexes + to
                if then < came.size and came[then] == -2:
                    came[then] = node
                    steps[then] = steps[node] + 1
                    queue[end] = then
                    end += 1


@compiled
def walk_back(near: Ints, after: Ints, steps: Ints) -> None:
    """The fewest steps to the finish, improved until none is longer than a neighbour's and one more."""
    hexes = after.shape[1]
    changed = True
    while changed:
        changed = False
        for node in range(steps.size - 1, -1, -1):
            progress, place = node // hexes, node % hexes
            for facing in range(6):
                to = near[place, facing]
                if to >= 0:
                    then = after[progress, place, facing] * hexes + to
                    left = 0 if then >= steps.size else steps[then]
                    if left >= 0 and (steps[node] < 0 or steps[node] > left + 1):
                        steps[node] = left + 1
                        changed = True


@compiled
def count_chokes(near: Ints, after: Ints, starts: Ints, space: Ints) -> int:
    """How many hexes of a shortest way are on all ways. `space`: three rows of working memory."""
    hexes = after.shape[1]
    length, last = shortest(near, after, starts, NOWHERE, space[0], space[1])
    if length < 0:
        return 0
    way = space[2]
    way[0], count, node = last, 1, space[1, 0]
    while node != NOWHERE:
        place = node % hexes
        known = False
        for k in range(count):
            known |= way[k] == place
        if not known:
            way[count] = place
            count += 1
        node = space[0, node]
    found = 0
    for k in range(count):
        found += shortest(near, after, starts, way[k], space[0], space[1])[0] < 0
    return found
