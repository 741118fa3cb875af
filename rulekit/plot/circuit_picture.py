"""What a picture of a circuit shows: plain values, ready to be drawn on axes or printed as text."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulekit.ps.track import Track


@dataclass(frozen=True, slots=True)
class CarMark:
    """A car to draw: its space, a short label, and which seat's colour it wears."""

    space: int
    label: str = ""
    seat: int = 0


@dataclass(frozen=True)
class CircuitPicture:
    """What a picture of a circuit shows. `fills` are colours of spaces that replace the usual ones, `cars` stand on
    spaces of the lanes, `remarks` are lines for below the legend, `keys` tell in the legend what fills mean."""

    track: Track
    fills: Mapping[int, str] = field(default_factory=dict)
    cars: tuple[CarMark, ...] = ()
    remarks: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        """The track's name with its size."""
        columns = sum(section.columns for section in self.track.sections)
        curves = sum(section.is_curve for section in self.track.sections)
        return f"{self.track.name}: {columns} columns, {curves} {'curve' if curves == 1 else 'curves'}"
