"""What a race of cars is held on and under, and what a die does for a car there (PS-8…PS-23)."""

from collections.abc import Set
from dataclasses import dataclass, field
from functools import cached_property

from rulekit.errors import BadInput
from rulekit.ps.dice import Colour
from rulekit.ps.moves import (
    Drive,
    Kind,
    Outcome,
    Stretch,
    binding,
    in_order,
    outcomes,
    search,
    starts_on_triangle,
    steps,
)
from rulekit.ps.track import FINISH, STOP, Track
from rulekit.ps.ways import start_in_box
from rulekit.readings import Fuel, PsReadings

EMPTY_SPEED = 3
"""Spaces that red and yellow move on an empty tank (PS-19)."""

MOVED_BACK = frozenset({Kind.FLY, Kind.STRIKE})
"""Ends for which a car is moved back in a lane (PS-16, PS-17)."""

Key = tuple[int, bool, int, int]


@dataclass(frozen=True)
class Terms:
    """A race's track, readings and laps.

    Raises BadInput where no such race can be held: without a grid, under full fuel without its tables, under limited
    fuel without a pit.
    """

    track: Track
    readings: PsReadings
    laps: int
    known: dict[tuple[Key, frozenset[int]], tuple[Outcome, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )
    zones: dict[Key, frozenset[int]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.laps < 1:
            raise BadInput("a race has at least one lap (PS-6)")
        if self.track.box_1 is None:
            raise BadInput(f"'{self.track.name}' has no [grid]: no race can start there (PS-4)")
        if self.readings.fuel is not Fuel.NONE and self.track.pit is None:
            raise BadInput(f"'{self.track.name}' has no [pit]: nobody can refuel there (PS-22)")
        if self.readings.fuel is Fuel.FULL:
            need_tables(self.track, self.laps)

    @cached_property
    def tank(self) -> int:
        """A full tank; 0 where no fuel is counted (PS-22)."""
        return self.track.tank[self.laps] if self.counts_fuel else 0

    @property
    def counts_fuel(self) -> bool:
        """Whether moves use fuel (PS-22)."""
        return self.readings.fuel is Fuel.FULL

    @property
    def crossings(self) -> int:
        """Crossings of the line to the finish: the first one begins lap 1 (PS-23)."""
        return self.laps + 1

    @cached_property
    def inner_lane(self) -> int:
        """The lane beside which the boxes stand, by its index (PS-4)."""
        return self.track.spaces[self.track.box_1 or 0].lane

    @cached_property
    def shortest(self) -> int:
        """The fewest spaces of a lane."""
        return min(map(len, self.track.lanes))

    def use(self, speed: int) -> int:
        """The fuel of a move, 0 where none is counted (PS-22)."""
        return self.track.fuel_of(speed) if self.counts_fuel else 0

    def ends(self, space: int, colour: Colour, speed: int, lacking: int, taken: frozenset[int]) -> tuple[Outcome, ...]:
        """`moves.outcomes` of a car that lacks so many crossings to its finish, remembered.

        What a car can do depends on those cars only that stand where some step of its leads; where it is moved back to
        depends on the others too.
        """
        lacking = min(lacking, speed // self.shortest + 2)
        key = space, colour is Colour.BLUE, speed, lacking
        near = taken & self._zone(key, colour)
        if (key, near) not in self.known:
            self.known[key, near] = outcomes(self.track, space, colour, speed, near, self.readings, lacking=lacking)
        found = self.known[key, near]
        if not any(end.kind in MOVED_BACK and end.end in taken for end in found):
            return found
        return in_order({self._further_back(end, taken) for end in found})

    def _further_back(self, end: Outcome, taken: frozenset[int]) -> Outcome:
        """An end that was found among fewer cars: where a car stands there it lies further back (PS-16)."""
        while end.kind in MOVED_BACK and end.end in taken:
            behind = self.track.along(end.end, -1)
            end = end._replace(end=behind, line=end.line - self.track.over_line(behind, end.end))
        return end

    def leads_to(self, space: int, colour: Colour, speed: int, lacking: int, other: int) -> bool:
        """Whether some step of a car alone on the track may lead to a space."""
        lacking = min(lacking, speed // self.shortest + 2)
        return other in self._zone((space, colour is Colour.BLUE, speed, lacking), colour)

    def _zone(self, key: Key, colour: Colour) -> frozenset[int]:
        """Where the steps of a car alone on the track may lead; other cars only take ways away."""
        if key not in self.zones:
            space, _, speed, lacking = key
            on_triangle = starts_on_triangle(self.track, space)
            drive = Drive(self.track, self.readings, colour, speed, frozenset(), on_triangle, lacking=lacking)
            search(drive, Stretch(space))
            # Steps that are flown at count too: a car that stands there stops the flight (PS-13).
            led = {step.to for at in drive.seen if at.made < speed for step in steps(drive, at) if step.to is not None}
            self.zones[key] = frozenset({*led, STOP})
        return self.zones[key]

    def from_box(
        self, box: int, colour: Colour, speed: int, lacking: int, taken: Set[int], *, last: bool
    ) -> tuple[Outcome, ...]:
        """What a car can do from its start box (PS-8).

        The entry into the inner lane is its first step; a car that stands there keeps it in its box. What PS-15 lets it
        choose from is looked at first; of that an end on the inner lane is left out, unless the car is the `last` of
        the line-up, even one that costs a point. If nothing is left it waits, without damage.
        """
        start = start_in_box(self.track, box, self.readings)
        wait = Outcome(Kind.WAIT, FINISH - box)
        if start.node.space in taken:
            return (wait,)
        drive = Drive(self.track, self.readings, colour, speed, taken, start.on_triangle, lacking=lacking)
        search(drive, Stretch(start.node.space, start.made, beside=start.node.beside, line=start.line))
        found = [end for end in binding(drive) if last or not self.is_inner(end.end)]
        return in_order(found) or (wait,)

    def is_inner(self, space: int) -> bool:
        """Whether a space lies in the inner lane."""
        return space >= 0 and self.track.spaces[space].lane == self.inner_lane


def need_tables(track: Track, laps: int) -> None:
    """Raises BadInput for a track whose tables do not serve full fuel over so many laps (PS-22)."""
    if not track.use:
        raise BadInput(f"fuel=full needs the track's table of consumption: '{track.name}' has no [fuel] use (PS-22)")
    if laps not in track.tank:
        known = ", ".join(map(str, sorted(track.tank))) or "none"
        raise BadInput(f"fuel=full needs a tank for {laps} laps: '{track.name}' has them for {known} (PS-22)")
