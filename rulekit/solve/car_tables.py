"""A circuit's steps as arrays for compiled moves: what `ps.moves` offers from every place, in every state of a move.

The arrays are filled by asking `ps.moves.steps`, so that the rules of steps stand there alone.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.ps.dice import Colour
from rulekit.ps.moves import Drive, Step, Stretch, is_mu, starts_on_triangle, steps
from rulekit.ps.track import PIT_LONG, PIT_SHORT, STOP, Track
from rulekit.readings import ExitStep, PitEntry, PsReadings, Strike, Triangle
from rulekit.solve.kernel import Bytes, Ints

PIT_PLACES = 7
"""The stop space and pit spaces 1 to 6, numbered on from the spaces of the track."""

LINES = 8
"""A move crosses the line fewer times: no race has so many laps."""

NONE = -1


class Circuit(NamedTuple):
    """A circuit under its readings.

    A *node* is `4 * place + 2 * (a diagonal is due) + (the last step went beside)`. `level[speed]` counts the limits
    below a speed, the last entry serves all greater ones. With `row` = `(2 * level + on triangle) * rows` + node, or
    + `4 * places` + place for a first step that must go ahead, the steps offered are those from `first[row]` to
    `first[row + 1]`. Of each: the place `to` which it leads (NONE: off the track), the `node` there, the crossings
    (`crossed`), the space from which a car that flies at it is moved back (`off`, NONE: it does not fly), and the same
    for a car that arrives with steps left (`held`, by a μ).
    """

    places: int
    level: Ints
    rows: int
    first: Ints
    to: Ints
    node: Ints
    crossed: Ints
    off: Ints
    held: Ints
    behind: Ints  # the space behind in the lane
    passed: Ints  # crossings of the line from there
    triangle: Bytes  # by place: whether a car that starts there may speed
    entry: Bytes  # by node: whether the stop space lies one step ahead
    stop: int
    exact: bool  # whether the stop space must be reached with the last step
    free: bool  # whether a driver may choose to strike or fly


def place_of(track: Track, space: int) -> int:
    """The number of a space of the lanes, or of a place in the pit lane."""
    return space if space >= 0 else len(track.spaces) + STOP - space


def space_of(track: Track, place: int) -> int:
    """The space of a number, pit places below zero."""
    return place if place < len(track.spaces) else len(track.spaces) + STOP - place


def node_of(place: int, diagonal_due: bool, beside: bool) -> int:
    """The number of a car's state in mid-move."""
    return 4 * place + 2 * diagonal_due + beside


def circuit(track: Track, readings: PsReadings) -> Circuit:
    """The arrays of a circuit."""
    places = len(track.spaces) + PIT_PLACES
    limits = sorted({section.limit for section in track.sections if section.limit is not None})
    level = np.searchsorted(limits, np.arange(max(limits, default=0) + 2)).astype(np.int32)
    speeds = [1, *(limit + 1 for limit in limits)]
    rows = [row for speed in speeds for on_triangle in (False, True)
            for row in _rows(track, readings, speed, on_triangle)]  # fmt: skip
    first = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    columns = np.array([entry for row in rows for entry in row], np.int32).reshape(-1, 5).T
    to, node, crossed, off, held = (np.ascontiguousarray(column) for column in columns)
    spaces = range(len(track.spaces))
    behind = [track.along(space, -1) for space in spaces]
    return Circuit(
        places, level, 5 * places, first, to, node, crossed, off, held, np.array(behind, np.int32),
        np.array([track.over_line(before, space) for space, before in enumerate(behind)], np.int32),
        _flags(starts_on_triangle(track, space_of(track, place)) for place in range(places)),
        _flags(_leads_into_pit(track, readings, node) for node in range(4 * places)), len(track.spaces),
        readings.pit_entry is PitEntry.EXACT, readings.strike is Strike.FREE,
    )  # fmt: skip


def _flags(answers: Iterable[bool]) -> NDArray[np.int8]:
    return np.array(list(answers), np.int8)


def _leads_into_pit(track: Track, readings: PsReadings, node: int) -> bool:
    """As in `moves`: the stop space lies ahead of the entry, unless a diagonal leads off the track there (PS-21)."""
    if track.pit is None or node // 4 != track.pit.entry:
        return False
    return not (node & 2 and readings.exit_step is ExitStep.FLIES)


def _rows(track: Track, readings: PsReadings, speed: int, on_triangle: bool) -> Iterator[list[tuple[int, ...]]]:
    """The steps of one speed from every node, then those of red's and yellow's first ones from every place."""
    drive = Drive(track, readings, Colour.RED, speed, frozenset(), on_triangle)
    standing = [space_of(track, place) for place in range(len(track.spaces) + PIT_PLACES)]
    for space in standing:
        for due, beside in ((False, False), (False, True), (True, False), (True, True)):
            yield _offered(drive, Stretch(space, 1, due, beside))
    for space in standing:
        yield _offered(drive, Stretch(space))


def _offered(drive: Drive, at: Stretch) -> list[tuple[int, ...]]:
    """The entries of one row; nothing where no car can be: in the pit but for its exits, or a state of the other kind
    of section."""
    track = drive.track
    if at.space < 0 and (track.pit is None or at.space not in (PIT_SHORT, PIT_LONG)):
        return []
    if at.space >= 0 and at.diagonal_due and not track.sections[track.spaces[at.space].section].is_curve:
        return []
    return [_entry(drive, at, step) for step in steps(drive, at)]


def _entry(drive: Drive, at: Stretch, step: Step) -> tuple[int, ...]:
    track = drive.track
    blocked_by_rule = step.speeding and drive.readings.triangle is Triangle.REQUIRED and not drive.on_triangle
    if step.to is None or blocked_by_rule:
        outside = step.speeding.outside if step.speeding else track.spaces[at.space].lane
        return (NONE if step.to is None else step.to), NONE, 0, track.in_lane(at.space, outside), NONE
    held = NONE
    if step.speeding and is_mu(drive, step.to):
        held = track.in_lane(step.to, step.speeding.outside)
    before = at.space if at.space >= 0 else _pit_entry(track)
    crossed = track.over_line(before, step.to)
    return step.to, node_of(step.to, step.diagonal_due, step.beside), crossed, NONE, held


def _pit_entry(track: Track) -> int:
    assert track.pit is not None
    return track.pit.entry
