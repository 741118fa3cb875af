"""Gates and progress: what a single step does to a boat's progress (PB-12)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from rulekit.hexgrid import STEPS, Facing, Hex, Side, plane
from rulekit.powerboats.course import Course
from rulekit.powerboats.rounding import Step, Vector, cross, rounding_lines
from rulekit.readings import PowerboatsReadings, Rounding

DEFAULT = PowerboatsReadings()


class Gate(Protocol):
    """Something that a step passes; the same step the other way takes the passing back."""

    def passes(self, a: Hex, b: Hex) -> bool:
        """Whether the step from a to b passes it."""

    def steps(self, board: Iterable[Hex]) -> frozenset[Step]:
        """All steps between neighbours on the board that pass it."""


@dataclass(frozen=True, slots=True)
class StripGate:
    """The strip, crossed towards one side, seen from buoy 0 towards the finish buoy (PB-11, PB-12)."""

    buoy: Hex
    along: Facing
    hexes: frozenset[Hex]
    towards: Side

    def is_behind(self, hexagon: Hex) -> bool:
        """Whether a hex lies on the side from which the strip is crossed."""
        x, y = plane(hexagon)
        x0, y0 = plane(self.buoy)
        dq, dr = STEPS[self.along]
        return self.towards * cross(Vector(2 * dq + dr, dr), Vector(x - x0, y - y0)) < 0

    def passes(self, a: Hex, b: Hex) -> bool:
        """Whether the step enters the strip from the side behind it."""
        return b in self.hexes and self.is_behind(a)

    def steps(self, board: Iterable[Hex]) -> frozenset[Step]:
        """All steps between neighbours on the board that enter the strip from behind."""
        area = frozenset(board)
        return frozenset((a, b) for b in self.hexes & area for a in b.neighbours() if a in area and self.is_behind(a))


def strip_gate(course: Course, towards: Side | None) -> StripGate:
    """The strip as a gate; a side that is not settled yet counts as left (PB-11)."""
    return StripGate(
        course.start_buoy, course.strip_side, frozenset(course.strip), Side.LEFT if towards is None else towards
    )


@dataclass(frozen=True, slots=True)
class Gates:
    """The gates of a course in order: start strip, a rounding line for each buoy, finish strip.

    `known` holds the steps on the board that pass each gate; flights over the edge are judged by the gates themselves.
    """

    gates: tuple[Gate, ...]
    rounding: Rounding
    board: frozenset[Hex]
    known: tuple[frozenset[Step], ...]

    @property
    def last(self) -> int:
        """The progress that means finished."""
        return len(self.gates)

    def after_step(self, progress: int, a: Hex, b: Hex) -> int:
        """The progress after a step between neighbours, on water or (in a flight) over anything (PB-12).

        One gate at most a step, forward first; the last gate passed may be taken back, the finish never (PB-22).
        """
        if progress == len(self.gates):
            return progress
        if self._passes(progress, a, b):
            return progress + 1
        if progress and self._passes(progress - 1, b, a) and self._can_be_undone(progress - 1):
            return progress - 1
        return progress

    def _passes(self, gate: int, a: Hex, b: Hex) -> bool:
        if a in self.board and b in self.board:
            return (a, b) in self.known[gate]
        return self.gates[gate].passes(a, b)

    def stirs(self, progress: int) -> frozenset[Hex]:
        """The hexes of the board from which a step may change this progress: from all others it stays as it is."""
        if progress == self.last:
            return frozenset()
        back = (b for _, b in self.known[progress - 1]) if progress else ()
        return frozenset((*(a for a, _ in self.known[progress]), *back))

    def _can_be_undone(self, gate: int) -> bool:
        """The reading `rounding` is asked here and nowhere else; it leaves the strip alone."""
        return gate == 0 or self.rounding is Rounding.STRING

    def crossed(self, start: StripGate, finish: StripGate) -> "Gates":
        """The same gates with the strip crossed otherwise; the rounding lines are not worked out anew."""
        ends = (start.steps(self.board), finish.steps(self.board))
        return replace(
            self,
            gates=(start, *self.gates[1:-1], finish),
            known=(ends[0], *self.known[1:-1], ends[1]),
        )


def gates(course: Course, readings: PowerboatsReadings = DEFAULT) -> Gates:
    """The gates of a course; a crossing that is not settled counts as left, an arrow as `auto` takes it."""
    board = course.lake.water | course.lake.land
    own: tuple[Gate, ...] = (
        strip_gate(course, course.start),
        *rounding_lines(course),
        strip_gate(course, course.finish),
    )
    return Gates(own, readings.rounding, board, tuple(gate.steps(board) for gate in own))
