"""A settled course under one set of readings: all that the engine asks while boats move."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rulekit.errors import BadInput
from rulekit.hexgrid import Hex
from rulekit.powerboats.course import Course, TileKind
from rulekit.powerboats.distance import Heading, steps_left
from rulekit.powerboats.gates import DEFAULT, Gates, gates
from rulekit.readings import PowerboatsReadings


class Effect(NamedTuple):
    """What lies on one hex of an expansion tile: its kind, and its flow (facing), spin (side) or number of rocks."""

    kind: TileKind
    detail: int = 0


@dataclass(frozen=True)
class Waters:
    """A settled course and the readings that it is raced under.

    Raises BadInput for a course whose arrows or crossings are not settled (see `route.settle`).
    """

    course: Course
    readings: PowerboatsReadings = DEFAULT

    def __post_init__(self) -> None:
        if not self.course.settled:
            raise BadInput(f"the course '{self.course.name}' is not settled: an arrow or a crossing is still open")

    @cached_property
    def gates(self) -> Gates:
        """The gates of the course (PB-12)."""
        return gates(self.course, self.readings)

    @cached_property
    def water(self) -> frozenset[Hex]:
        """Hexes where a boat can be (PB-3)."""
        return self.course.water

    @cached_property
    def last(self) -> int:
        """The progress of a boat that has finished."""
        return self.course.gates

    @cached_property
    def effects(self) -> dict[Hex, Effect]:
        """Terrain as data: what lies on each hex of an expansion tile (X1-1)."""
        return {
            at: Effect(tile.kind, detail)
            for tile in self.course.tiles
            for at, detail in zip(
                tile.hexes, tile.flow or tile.spin or tile.rocks or (0,) * len(tile.hexes), strict=True
            )
        }

    @cached_property
    def steps_left(self) -> dict[Heading, int]:
        """Unit moves to the finish from every heading that can get there (see `distance.steps_left`)."""
        return steps_left(self.gates, self.water)

    def is_redoubt(self, at: Hex) -> bool:
        """Whether a boat on that hex flies (X1-5, X1-6)."""
        return at in self.effects and self.effects[at].kind is TileKind.REDOUBT
