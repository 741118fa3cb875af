"""What a curve's limit and marks do: earned marks, closed, idle and deadly curves, flying chances ("What a curve's
marks must say" in the rules of PS).

Earned marks are judged on an empty track and without any printed mark: as under triangle=aid, and without PS-14.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import count, takewhile

from rulekit.ps.dice import SPEEDS, Colour, above, values
from rulekit.ps.moves import DEFAULT, Drive, Kind, Stretch, flies_at, is_mu, outcomes, search, starts_on_triangle, steps
from rulekit.ps.track import Mark, Track
from rulekit.readings import PsReadings, Triangle

MARK_SPEEDS = tuple(speed for speed in SPEEDS if speed <= 9)
"""Marks are judged by these; red's sums with sixes are left out."""


def colour_of(speed: int) -> Colour:
    """The colour of the die that shows a speed.

    >>> colour_of(9).value, colour_of(10).value
    ('yellow', 'red')
    """
    if speed <= 3:
        return Colour.BLUE
    return Colour.YELLOW if 7 <= speed <= 9 else Colour.RED


@dataclass(frozen=True, slots=True)
class Reach:
    """What one speed does from one space: the curves in which some way speeds, and those in which some way that makes
    all its steps does."""

    speeds_in: frozenset[int] = frozenset()
    passes_in: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class SpaceLimits:
    """One space in front of or in a curve: printed and earned marks, the speeds that pass and that fly."""

    space: int
    front_of: tuple[int, ...]
    mark: frozenset[Mark]
    earned: frozenset[Mark]
    speeds_safe: tuple[int, ...]
    speeds_fly: tuple[int, ...]
    fly: dict[Colour, Fraction]


@dataclass(frozen=True)
class Unmarked:
    """A circuit judged as if nothing were printed on it, under readings that leave PS-13 out."""

    track: Track
    readings: PsReadings = DEFAULT

    @cached_property
    def _aid(self) -> PsReadings:
        return replace(self.readings, triangle=Triangle.AID)

    def drive(self, speed: int) -> Drive:
        """A car of that speed on the empty track without marks."""
        return Drive(self.track, self._aid, colour_of(speed), speed, frozenset(), False, marks_count=False)

    def reach(self, space: int, speed: int, beside_first: bool) -> Reach:
        """What a speed does from a space; `beside_first`: steps beside before the first speeding step allowed."""
        return _reach(self.drive(speed), space, beside_first)

    @cached_property
    def curves(self) -> tuple[int, ...]:
        """The curves' section numbers."""
        return tuple(number for number, section in enumerate(self.track.sections) if section.is_curve)

    @cached_property
    def front_of(self) -> tuple[frozenset[int], ...]:
        """For every space the curves that it is in front of: some way of some speed makes a speeding step there."""
        spaces = range(len(self.track.spaces))
        return tuple(
            frozenset().union(*(self.reach(space, speed, True).speeds_in for speed in SPEEDS)) for space in spaces
        )

    @cached_property
    def marks(self) -> tuple[frozenset[Mark], ...]:
        """The marks that every space has earned."""
        return tuple(self.speed_marks(space) | self._mu(space) for space in range(len(self.track.spaces)))

    def speed_marks(self, space: int) -> frozenset[Mark]:
        """Triangle and σ: some speed makes all its steps; every one that reaches a curve does."""
        reaches = [self.reach(space, speed, False) for speed in MARK_SPEEDS]
        if not any(reach.passes_in for reach in reaches):
            return frozenset()
        if all(reach.passes_in == reach.speeds_in for reach in reaches):
            return frozenset({Mark.TRIANGLE, Mark.SIGMA})
        return frozenset({Mark.TRIANGLE})

    def _mu(self, space: int) -> frozenset[Mark]:
        """μ: in a closed curve, every car that arrives speeding with steps left flies at its very next step."""
        arrivals = self.arrivals.get(space, [])
        if self.track.spaces[space].section not in self.closed or not arrivals:
            return frozenset()
        flies = all(all(step.to is None for step in steps(drive, at)) for drive, at in arrivals)
        return frozenset({Mark.MU}) if flies else frozenset()

    @cached_property
    def arrivals(self) -> dict[int, list[tuple[Drive, Stretch]]]:
        """Each space with the cars that arrive there by a speeding step with steps left."""
        found: dict[int, list[tuple[Drive, Stretch]]] = {}
        for speed in MARK_SPEEDS:
            drive, seen = self.drive(speed), set()
            for space in range(len(self.track.spaces)):
                for at, sped in _walk(drive, space, False):
                    state = at.space, at.diagonal_due
                    here = self.track.spaces[at.space].section
                    if here in sped and at.made and at.made < speed and _in_speed(drive, here) and state not in seen:
                        seen.add(state)
                        found.setdefault(at.space, []).append((drive, at))
        return found

    @cached_property
    def closed(self) -> frozenset[int]:
        """Curves that no speeding car can pass in a single move, from before the beginning line to behind the end."""
        return frozenset(curve for curve in self.curves if not self._passable(curve))

    def _passable(self, curve: int) -> bool:
        limit = self.track.sections[curve].limit or 0
        return any(
            self.track.spaces[space].section != curve
            and curve in self.front_of[space]
            and self._passes(space, speed, curve)
            for speed in SPEEDS
            if speed > limit
            for space in range(len(self.track.spaces))
        )

    def _passes(self, space: int, speed: int, curve: int) -> bool:
        return any(
            curve in sped and self.track.spaces[at.space].section != curve
            for at, sped in _walk(self.drive(speed), space, True)
        )

    @cached_property
    def deadly(self) -> frozenset[int]:
        """Curves that have no triangle to earn at all."""
        open_curves: set[int] = set()
        for space in range(len(self.track.spaces)):
            open_curves.update(*(self.reach(space, speed, False).passes_in for speed in MARK_SPEEDS))
        return frozenset(self.curves) - open_curves

    @cached_property
    def idle(self) -> frozenset[int]:
        """Curves whose limit changes no outcome from any space."""
        return frozenset(curve for curve in self.curves if self._is_idle(curve))

    def _is_idle(self, curve: int) -> bool:
        without = Unmarked(with_limit(self.track, curve, None), self.readings)
        return all(
            self._ends(space, speed) == without._ends(space, speed)
            for speed in SPEEDS
            if speed > (self.track.sections[curve].limit or 0)
            for space in range(len(self.track.spaces))
            if curve in self.front_of[space]
        )

    def _ends(self, space: int, speed: int) -> set[object]:
        drive = self.drive(speed)
        search(drive, Stretch(space))
        return {outcome for outcome in drive.found if outcome.kind is not Kind.PIT}


def with_limit(track: Track, curve: int, limit: int | None) -> Track:
    """The same track with another limit on a curve; None: no limit."""
    sections = list(track.sections)
    sections[curve] = replace(sections[curve], limit=limit)
    return replace(track, sections=tuple(sections))


def _in_speed(drive: Drive, section: int) -> bool:
    limit = drive.track.sections[section].limit
    return limit is not None and drive.speed > limit


def _walk(drive: Drive, space: int, beside_first: bool) -> Iterator[tuple[Stretch, frozenset[int]]]:
    """Every point of every way from a space, with the curves in which the way has made speeding steps."""
    start = Stretch(space), frozenset[int]()
    seen, stack = {start}, [start]
    while stack:
        at, sped = stack.pop()
        yield at, sped
        if at.made == drive.speed:
            continue
        for step in steps(drive, at):
            if step.to is None or (step.beside and not sped and not beside_first):
                continue
            curve = {drive.track.spaces[step.to].section} if step.speeding else set()
            there = Stretch(step.to, at.made + 1, step.diagonal_due, step.beside), sped | curve
            if there not in seen:
                seen.add(there)
                stack.append(there)


def _reach(drive: Drive, space: int, beside_first: bool) -> Reach:
    speeds_in: set[int] = set()
    passes_in: set[int] = set()
    for at, sped in _walk(drive, space, beside_first):
        speeds_in |= sped
        if at.made == drive.speed:
            passes_in |= sped
    return Reach(frozenset(speeds_in), frozenset(passes_in))


def makes_its_steps(track: Track, space: int, speed: int, readings: PsReadings = DEFAULT) -> bool:
    """Whether some way makes all steps (blue: at least one) on the empty track, printed marks in force, without pit."""
    ends = outcomes(track, space, colour_of(speed), speed, readings=readings, pit_open=False)
    return any(end.kind is Kind.MOVE for end in ends)


FAST = 10**9
"""A red sum over any limit."""


def longest_way(track: Track, space: int, readings: PsReadings = DEFAULT) -> int | None:
    """The most steps that a car faster than all limits can make from a space; None: it can go on for ever.

    Such a car's ways don't depend on its speed, and the first part of a way is a way: it makes all its steps exactly
    when its speed is not more than this.
    """
    drive = Drive(track, readings, Colour.RED, FAST, frozenset(), starts_on_triangle(track, space), pit_open=False)
    front, earlier = frozenset({Stretch(space)}), set()
    for made in count():
        onward = {(at, step) for at in front for step in steps(drive, at) if not flies_at(drive, step)}
        if not onward:
            return made
        front = frozenset(
            Stretch(step.to, 1, step.diagonal_due, step.beside)
            for _, step in onward
            if step.to is not None and not (step.speeding and is_mu(drive, step.to))
        )
        if not front:
            return made + 1
        if front in earlier:
            return None
        earlier.add(front)
    raise AssertionError("count() never ends")


def flying_chance(track: Track, space: int, colour: Colour, readings: PsReadings = DEFAULT) -> Fraction:
    """Exact chance that a die of this colour leaves no way but flying on the empty track, red's sixes included."""
    if colour is not Colour.RED:
        bad = [chance for value, chance in values(colour) if not makes_its_steps(track, space, value, readings)]
        return sum(bad, Fraction(0))
    highest = max((section.limit or 0 for section in track.sections), default=0)
    slow = takewhile(lambda shown: shown[0] <= highest, values(colour))
    chance = sum((p for value, p in slow if not makes_its_steps(track, space, value, readings)), Fraction(0))
    longest = longest_way(track, space, readings)
    return chance if longest is None else chance + above(colour, max(highest, longest))


def space_limits(track: Track, readings: PsReadings = DEFAULT) -> tuple[SpaceLimits, ...]:
    """One entry for each space in front of or in a curve, in the order of the track's spaces."""
    unmarked = Unmarked(track, readings)
    return tuple(
        _space_limits(unmarked, space)
        for space, at in enumerate(track.spaces)
        if unmarked.front_of[space] or track.sections[at.section].is_curve
    )


def _space_limits(unmarked: Unmarked, space: int) -> SpaceLimits:
    track, readings = unmarked.track, unmarked.readings
    safe = tuple(speed for speed in SPEEDS if makes_its_steps(track, space, speed, readings))
    return SpaceLimits(
        space,
        tuple(sorted(unmarked.front_of[space])),
        track.spaces[space].marks,
        unmarked.marks[space],
        safe,
        tuple(speed for speed in SPEEDS if speed not in safe),
        {colour: flying_chance(track, space, colour, readings) for colour in Colour},
    )
