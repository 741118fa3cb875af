"""What is true of a circuit that could be read, legal or not."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulekit.ps.check import turned
from rulekit.ps.track import LANES, Section, Track

Row = dict[str, Any]


@dataclass(frozen=True)
class CircuitFacts:
    """Size, curves, pit lane and grid of a circuit."""

    track: Track

    @property
    def columns(self) -> int:
        """Columns of the whole ring."""
        return sum(section.columns for section in self.track.sections)

    @property
    def curves(self) -> list[Section]:
        """The curves in driving order."""
        return [section for section in self.track.sections if section.is_curve]

    @property
    def turned(self) -> int | None:
        """Degrees by which the curves turn towards the inside; None where the file tells none."""
        told = any(section.degrees is not None for section in self.curves)
        return turned(self.track) if told else None

    def spaces(self, section: int | None = None) -> dict[str, int]:
        """How many spaces each lane has, of a section or of the whole ring."""
        own = [space.lane for space in self.track.spaces if section in (None, space.section)]
        return {name: own.count(lane) for lane, name in enumerate(LANES)}

    def joints(self) -> Iterator[tuple[str, str]]:
        """What leads where: pit entry and exits, box 1, each with the space's name."""
        track, pit = self.track, self.track.pit
        if pit is not None:
            yield "entry", track.name_of(pit.entry)
            yield "exit-short", track.name_of(pit.exit_short)
            yield "exit-long", track.name_of(pit.exit_long)
        if track.box_1 is not None:
            yield "box-1", track.name_of(track.box_1)

    def row(self) -> Row:
        """JSON-ready facts."""
        track = self.track
        section, column = track.line
        return {
            "laps": track.laps,
            "inside": track.inside.word,
            "columns": self.columns,
            "spaces": self.spaces(),
            "turned_degrees": self.turned,
            "line": {"section": track.sections[section].id, "behind_column": column},
            "sections": [self._section(number) for number in range(len(track.sections))],
            "joints": dict(self.joints()),
        }

    def _section(self, number: int) -> Row:
        section = self.track.sections[number]
        return {
            "section": section.id,
            "columns": section.columns,
            "turn": section.turn.word if section.turn is not None else None,
            "degrees": section.degrees,
            "limit": section.limit,
            "spaces": self.spaces(number),
        }
