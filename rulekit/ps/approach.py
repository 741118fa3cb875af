"""What a curve costs: other limits tried, and the best lane and colour to come in by."""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from rulekit.ps.dice import Colour, values
from rulekit.ps.limits import Unmarked, flying_chance, with_limit
from rulekit.ps.moves import DEFAULT, Kind, outcomes
from rulekit.ps.track import LANES, Mark, Track
from rulekit.readings import PsReadings, Triangle

RED_VALUES = 20
"""Red values that an average of columns takes in; the rest has a chance below 2 in 100,000."""


@dataclass(frozen=True, slots=True)
class LimitEffect:
    """A curve under some limit, nothing printed: spaces in front that earn a triangle, and each colour's mean chance
    of flying over all spaces in front of it as it stands."""

    limit: int
    triangles: int
    fly: dict[Colour, Fraction]


@dataclass(frozen=True, slots=True)
class Approach:
    """Coming in on the last space before a curve with one colour: chance of flying, mean columns gained (those lost by
    flying count against it), and how many fewer that is than the die's mean."""

    lane: str
    space: int
    colour: Colour
    fly: Fraction
    gain: float
    cost: float


def limit_effects(unmarked: Unmarked, curve: int) -> tuple[LimitEffect, ...]:
    """The curve with its limit one lower, as it is, and one higher."""
    front = [space for space, curves in enumerate(unmarked.front_of) if curve in curves]
    limit = unmarked.track.sections[curve].limit or 0
    tried = [limit - 1, limit, limit + 1]
    return tuple(_effect(unmarked.track, curve, other, front, unmarked.readings) for other in tried if other > 0)


def _effect(track: Track, curve: int, limit: int, front: list[int], readings: PsReadings) -> LimitEffect:
    tried = without_marks(with_limit(track, curve, limit))
    unmarked, aid = Unmarked(tried, readings), replace(readings, triangle=Triangle.AID)
    triangles = sum(Mark.TRIANGLE in unmarked.speed_marks(space) for space in front)
    fly = {
        colour: sum((flying_chance(tried, space, colour, aid) for space in front), Fraction(0)) / max(1, len(front))
        for colour in Colour
    }
    return LimitEffect(limit, triangles, fly)


def without_marks(track: Track) -> Track:
    """The same track with nothing printed on its spaces."""
    return replace(track, spaces=tuple(replace(space, marks=frozenset()) for space in track.spaces))


def approaches(track: Track, curve: int, readings: PsReadings = DEFAULT) -> tuple[Approach, ...]:
    """Every lane and colour for the last space before a curve, the most columns gained first."""
    before = (curve - 1) % len(track.sections)
    last = track.sections[before].columns
    found = [
        _approach(track, track.at_column[before, lane, last], colour, readings)
        for lane in range(len(LANES))
        for colour in Colour
    ]
    return tuple(sorted(found, key=lambda way: -way.gain))


def _approach(track: Track, space: int, colour: Colour, readings: PsReadings) -> Approach:
    shown = list(islice(values(colour), RED_VALUES))
    sure = float(sum(chance for _, chance in shown))
    mean = sum(float(chance) * value for value, chance in shown) / sure
    gain = sum(float(chance) * _gain(track, space, colour, value, readings) for value, chance in shown) / sure
    fly = flying_chance(track, space, colour, readings)
    return Approach(LANES[track.spaces[space].lane], space, colour, fly, gain, mean - gain)


def _gain(track: Track, space: int, colour: Colour, value: int, readings: PsReadings) -> int:
    """Columns gained by the best end; negative where the car is moved back further than it came."""
    ends = outcomes(track, space, colour, value, readings=readings, pit_open=False)
    ring = sum(section.columns for section in track.sections)
    start = track.from_line[space]
    return max(
        (track.from_line[end.end] - start) % ring
        if end.kind is Kind.MOVE
        else -((start - track.from_line[end.end]) % ring)
        for end in ends
    )
