"""The circuit: a ring of sections with three lanes of spaces, pit lane, start boxes (PS-1…PS-4)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from rulekit.hexgrid import Side

LANES = ("left", "middle", "right")
"""In driving direction; a lane is its index."""


STOP = -1
"""The stop space; pit space k is STOP - k. All spaces of the lanes are 0 or more."""
PIT_SHORT, PIT_LONG = STOP - 3, STOP - 6
"""Pit spaces with an exit (PS-21)."""
FINISH = STOP - 7
"""Where a car goes that crosses the line for the last time (PS-23); start box k is FINISH - k."""
BOXES = 12
"""Start boxes: four players with three cars each (PS-4, PS-6)."""
OUT = FINISH - BOXES - 1
"""Where a car goes that is removed (PS-20)."""


class Mark(Enum):
    """What is printed on a space (PS-3); in the order in which marks are told."""

    TRIANGLE = "triangle"
    SIGMA = "sigma"
    MU = "mu"


@dataclass(frozen=True, slots=True)
class Space:
    """A space: its section, lane and the columns that it covers, counted from 1, with its marks (PS-2)."""

    section: int
    lane: int
    first: int
    last: int
    marks: frozenset[Mark] = frozenset()


@dataclass(frozen=True, slots=True)
class Section:
    """A straight (no turn, no limit) or a curve. The outside of a curve is the side away from its turn (PS-3)."""

    id: str
    columns: int
    turn: Side | None = None
    limit: int | None = None
    degrees: int | None = None

    @property
    def is_curve(self) -> bool:
        """Whether it turns."""
        return self.turn is not None

    @property
    def outside(self) -> int:
        """The outside lane of a curve: its index in LANES."""
        return 0 if self.turn is Side.RIGHT else 2


@dataclass(frozen=True, slots=True)
class Pit:
    """The pit lane's joints (PS-4): the space before the stop space, and the spaces ahead of pit spaces 3 and 6."""

    entry: int
    exit_short: int
    exit_long: int


@dataclass(frozen=True)
class Track:
    """A circuit. A space is named by its index in `spaces`, which lists sections in order, lanes from the left.

    `line` is the section of the start/finish line and the column behind which it runs (PS-4). `box_1` is the inside
    lane's space beside which box 1 stands. `tank` gives a full tank by laps, `use` the fuel of a move by speed
    (PS-22). `points` are by place. All of these are the file's, not the printed game's.
    """

    name: str
    sections: tuple[Section, ...]
    spaces: tuple[Space, ...]
    line: tuple[int, int]
    inside: Side
    laps: int = 3
    points: tuple[int, ...] = ()
    pit: Pit | None = None
    box_1: int | None = None
    tank: Mapping[int, int] = field(default_factory=dict)
    use: Mapping[int, int] = field(default_factory=dict)

    def fuel_of(self, speed: int) -> int:
        """The fuel of a move: the table's entry of the largest speed not above it (PS-22)."""
        return self.use[max((key for key in self.use if key <= speed), default=min(self.use))]

    def name_of(self, space: int) -> str:
        """What people call a space: section, lane, first column; or a place off the lanes."""
        if space < 0:
            return _off_the_lanes(space)
        at = self.spaces[space]
        return f"{self.sections[at.section].id} {LANES[at.lane]} {at.first}"

    @cached_property
    def by_name(self) -> dict[str, int]:
        """Every space by its name."""
        return {self.name_of(space): space for space in range(STOP - 6 if self.pit else 0, len(self.spaces))}

    @cached_property
    def at_column(self) -> dict[tuple[int, int, int], int]:
        """The space at a section, lane and column."""
        return {
            (space.section, space.lane, column): index
            for index, space in enumerate(self.spaces)
            for column in range(space.first, space.last + 1)
        }

    @cached_property
    def lanes(self) -> tuple[tuple[int, ...], ...]:
        """The spaces of each lane in driving order."""
        return tuple(tuple(index for index, space in enumerate(self.spaces) if space.lane == lane) for lane in range(3))

    @cached_property
    def rank(self) -> tuple[int, ...]:
        """Each space's place in its lane's ring."""
        place = {space: k for lane in self.lanes for k, space in enumerate(lane)}
        return tuple(place[space] for space in range(len(self.spaces)))

    def along(self, space: int, steps: int) -> int:
        """The space so many ahead (negative: behind) in the same lane."""
        lane = self.lanes[self.spaces[space].lane]
        return lane[(self.rank[space] + steps) % len(lane)]

    @cached_property
    def ahead(self) -> tuple[int, ...]:
        """The next space in the lane, for every space (PS-2)."""
        return tuple(self.along(space, 1) for space in range(len(self.spaces)))

    def diagonal(self, space: int, towards: int) -> int | None:
        """The space diagonally ahead, one lane to the right (+1) or left (-1); None off the track (PS-2)."""
        return self._diagonals[towards][space]

    @cached_property
    def _diagonals(self) -> dict[int, tuple[int | None, ...]]:
        def to(space: int, towards: int) -> int | None:
            ahead = self.spaces[self.ahead[space]]
            return self.at_column.get((ahead.section, ahead.lane + towards, ahead.first))

        return {side: tuple(to(space, side) for space in range(len(self.spaces))) for side in (-1, 1)}

    def beside(self, space: int, towards: int) -> int | None:
        """The neighbouring lane's space of the same column; None off the track (PS-2)."""
        at = self.spaces[space]
        return self.at_column.get((at.section, at.lane + towards, at.first))

    def in_lane(self, space: int, lane: int) -> int:
        """The space of a lane that covers the last column of a space (PS-16)."""
        at = self.spaces[space]
        return self.at_column[at.section, lane, at.last]

    @cached_property
    def crosses_double_line(self) -> tuple[bool, ...]:
        """For every space whether the step ahead leaves a section and one of the two sections is a curve (PS-3)."""

        def crosses(space: int) -> bool:
            here, there = self.spaces[space], self.spaces[self.ahead[space]]
            leaves = here.last == self.sections[here.section].columns
            return leaves and (self.sections[here.section].is_curve or self.sections[there.section].is_curve)

        return tuple(map(crosses, range(len(self.spaces))))

    @cached_property
    def from_line(self) -> tuple[int, ...]:
        """How many columns each space's last column lies behind the line, going on round the ring.

        Every step but one beside moves a car's last column on, so along a way this falls only at the line.
        """
        starts, total = [], 0
        for section in self.sections:
            starts.append(total)
            total += section.columns
        origin = starts[self.line[0]] + self.line[1]
        return tuple((starts[space.section] + space.last - 1 - origin) % total for space in self.spaces)

    def over_line(self, before: int, after: int) -> int:
        """Crossings of the line by one step onwards from a space to another: 0 or 1 (PS-23)."""
        return int(self.from_line[after] < self.from_line[before])


def _off_the_lanes(space: int) -> str:
    if space in (STOP, FINISH, OUT):
        return {STOP: "stop", FINISH: "finish", OUT: "out"}[space]
    return f"pit {STOP - space}" if space > FINISH else f"box {FINISH - space}"
