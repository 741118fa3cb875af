"""From the judgement of a circuit to a picture of its risks. Imports matplotlib."""

from fractions import Fraction

from rulekit.cli.draw_track import rendered
from rulekit.cli.limits_table import Limits
from rulekit.plot.circuit_risk import risk_picture
from rulekit.plot.circuit_sheet import draw_sheet, sheet_size
from rulekit.plot.ring import straightened
from rulekit.ps.dice import Colour


def picture(limits: Limits, die: str, suffix: str) -> bytes:
    """The straightened circuit, each space coloured by the chance that this die leaves no way but flying."""
    track, colour = limits.file.track, Colour(die)
    chances: dict[int, Fraction] = {space.space: space.fly[colour] for space in limits.spaces}
    shown = risk_picture(track, chances, f"Colours: the chance that a {die} die leaves no way but flying, empty track.")
    ring = straightened(track)
    return rendered(lambda figure: draw_sheet(figure, shown, ring), sheet_size(shown, ring), suffix)
