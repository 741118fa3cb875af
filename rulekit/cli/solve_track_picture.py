"""From solved laps to a picture: the circuit coloured by the best die or by the turns to go. Imports matplotlib."""

from collections.abc import Mapping
from pathlib import Path

from rulekit.cli.draw_track import rendered
from rulekit.cli.solve_track_table import Found
from rulekit.plot.circuit_picture import CircuitPicture
from rulekit.plot.circuit_risk import STEPS
from rulekit.plot.circuit_sheet import draw_sheet, sheet_size
from rulekit.plot.figure import suffix_of
from rulekit.plot.palette import VERMILLION, YELLOW
from rulekit.plot.ring import straightened
from rulekit.ps.dice import Colour

SKY = "#56B4E9"
"""Of Okabe and Ito's palette too."""

FILLS = {Colour.BLUE: SKY, Colour.RED: VERMILLION, Colour.YELLOW: YELLOW}
"""Of different lightness, so that grey print tells them apart."""


def picture(path: Path, kind: str, found: Found) -> bytes:
    """The straightened circuit; `kind` is colour or value. Raises BadInput for a suffix that is no picture's."""
    suffix_of(path)
    shown = (by_colour if kind == "colour" else by_value)(found)
    ring = straightened(found.laps.track)
    return rendered(lambda figure: draw_sheet(figure, shown, ring), sheet_size(shown, ring), path.suffix.lower())


def by_colour(found: Found) -> CircuitPicture:
    """The best die at the beginning of the race."""
    laps = found.laps
    best = {space: laps.colour(space, laps.laps, found.damage, laps.at_start) for space in _spaces(found)}
    keys = tuple((fill, f"best die: {colour.value}") for colour, fill in FILLS.items() if colour in best.values())
    remark = f"One car alone, first of {laps.laps} laps just begun; a lost car counts as {laps.sink_cost:g} turns."
    return CircuitPicture(laps.track, {space: FILLS[colour] for space, colour in best.items()}, (), (remark,), keys)


def by_value(found: Found) -> CircuitPicture:
    """The expected turns to the line in the last lap, in as many equal steps as there are shades."""
    values = {space: found.laps.figures(space, 1, found.damage).value for space in _spaces(found)}
    shades = [fill for _, fill, _ in STEPS]
    low, high = min(values.values()), max(values.values())
    step = (high - low) / len(shades) or 1.0
    fills = {space: shades[min(len(shades) - 1, int((value - low) / step))] for space, value in values.items()}
    keys = tuple((fill, f"{low + k * step:.1f} to {low + (k + 1) * step:.1f} turns") for k, fill in enumerate(shades))
    remark = (
        f"Expected turns to the line, one car alone in its last lap; a lost car counts as {found.laps.sink_cost:g}."
    )
    return CircuitPicture(found.laps.track, fills, (), (remark,), _used(keys, fills))


def _used(keys: tuple[tuple[str, str], ...], fills: Mapping[int, str]) -> tuple[tuple[str, str], ...]:
    return tuple(key for key in keys if key[0] in set(fills.values()))


def _spaces(found: Found) -> range:
    return range(len(found.laps.track.spaces))
