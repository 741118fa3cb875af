"""A circuit coloured by the chance of flying from each space."""

from collections.abc import Mapping
from fractions import Fraction

from rulekit.plot.circuit_picture import CircuitPicture
from rulekit.ps.track import Track

STEPS: tuple[tuple[Fraction, str, str], ...] = (
    (Fraction(0), "#FFFFFF", "never flies"),
    (Fraction(1, 10), "#FFF0B8", "flies up to 1 time in 10"),
    (Fraction(1, 3), "#FDD07E", "flies up to 1 time in 3"),
    (Fraction(1, 2), "#F9AE5C", "flies up to 1 time in 2"),
    (Fraction(2, 3), "#EE8A48", "flies up to 2 times in 3"),
    (Fraction(1), "#DC6844", "flies more than 2 times in 3"),
)
"""The most of each step, its colour (lighter means safer, in grey print too) and its words."""

APART = "#C3CBD1"
"""Spaces that are not in front of or in any curve."""


def risk_picture(track: Track, chances: Mapping[int, Fraction], remark: str = "") -> CircuitPicture:
    """The circuit with its spaces coloured by the chance from each; spaces without one are grey."""
    fills = {space: risk_colour(chances[space]) if space in chances else APART for space in range(len(track.spaces))}
    shown = set(fills.values())
    keys = [(colour, words) for _, colour, words in STEPS if colour in shown]
    if APART in shown:
        keys.append((APART, "not in front of a curve"))
    return CircuitPicture(track, fills, remarks=(remark,) if remark else (), keys=tuple(keys))


def risk_colour(chance: Fraction) -> str:
    """The colour of a chance.

    >>> risk_colour(Fraction(1, 243)) == STEPS[1][1]
    True
    """
    return next(colour for most, colour, _ in STEPS if chance <= most)
