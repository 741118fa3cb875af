"""A circuit's steps as arrays for compiled moves: what `ps.moves` offers from every place, in every state of a move.

The arrays are filled by asking `ps.moves.steps`, so that the rules of steps stand there alone.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rulekit.ps.dice import Colour
from rulekit.ps.moves import Drive, Step, Stretch, crossing, flies_at, flown_to, is_mu, starts_on_triangle, steps
from rulekit.ps.track import BOXES, PIT_LONG, PIT_SHORT, STOP, Track
from rulekit.ps.ways import start_in_box
from rulekit.readings import ExitStep, PitEntry, PsReadings, Strike
from rulekit.solve.kernel import Ints

PIT_PLACES = 7
"""The stop space and pit spaces 1 to 6, numbered on from the spaces of the track."""

LINES = 8
"""A move crosses the line fewer times: no race has so many laps."""

NONE = -1


TO, NODE, CROSSED, OFF, HELD = range(5)
"""Columns of a step: the place to which it leads (NONE: off the track), the node there, crossings of the line, the
space from which a car that flies at it is moved back (NONE: it does not fly), and the same for a car that arrives with
steps left (by a μ)."""

BEHIND, PASSED, TRIANGLE, INNER = range(4)
"""Columns of a place: the space behind in its lane, crossings of the line from there, whether a car that starts here
may speed, whether it lies in the lane beside the boxes."""


class Circuit(NamedTuple):
    """A circuit under its readings.

    A *node* is `4 * place + 2 * (a diagonal is due) + (the last step went beside)`. `level[speed]` counts the limits
    below a speed, the last entry serves all greater ones. With `row` = `(2 * level + on triangle) * rows` + node, or
    + `4 * places` + place for a first step that must go ahead, the steps offered are those from `first[row]` to
    `first[row + 1]`.
    """

    places: int
    stop: int
    rows: int
    level: Ints
    first: Ints
    steps: Ints  # by [step, column]
    spaces: Ints  # by [place, column]
    boxes: Ints  # the node of a car that has left its box by its first step, and the crossings of that, by box
    entry: int  # the place one step ahead of which the stop space lies, NONE without a pit lane
    entry_due: bool  # whether it does so too where a diagonal is due
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
    """The arrays of a circuit; that of boxes is empty where it has no grid."""
    places = len(track.spaces) + PIT_PLACES
    limits = sorted({section.limit for section in track.sections if section.limit is not None})
    level = np.searchsorted(limits, np.arange(max(limits, default=0) + 2)).astype(np.int32)
    speeds = [1, *(limit + 1 for limit in limits)]
    rows = [row for speed in speeds for on_triangle in (False, True)
            for row in _rows(track, readings, speed, on_triangle)]  # fmt: skip
    boxes = [start_in_box(track, box, readings) for box in range(1, BOXES + 1)] if track.box_1 is not None else []
    return Circuit(
        places, len(track.spaces), 5 * places, level, np.cumsum([0, *map(len, rows)]).astype(np.int32),
        np.array([step for row in rows for step in row], np.int32).reshape(-1, 5),
        np.array([_place(track, space_of(track, place)) for place in range(places)], np.int32),
        np.array([(node_of(*start.node), start.line) for start in boxes], np.int32).reshape(-1, 2),
        track.pit.entry if track.pit else NONE, readings.exit_step is not ExitStep.FLIES,
        readings.pit_entry is PitEntry.EXACT, readings.strike is Strike.FREE,
    )  # fmt: skip


def _place(track: Track, space: int) -> tuple[int, ...]:
    """The columns of a place; no car is moved back from the pit lane."""
    if space < 0:
        return NONE, 0, 0, 0
    behind = track.along(space, -1)
    inner = track.spaces[space].lane == track.spaces[track.box_1 or 0].lane
    return behind, track.over_line(behind, space), starts_on_triangle(track, space), inner


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
    """The steps of one row; nothing where no car can be: in the pit but for its exits, or a state of the other kind
    of section."""
    track = drive.track
    if at.space < 0 and (track.pit is None or at.space not in (PIT_SHORT, PIT_LONG)):
        return []
    if at.space >= 0 and at.diagonal_due and not track.sections[track.spaces[at.space].section].is_curve:
        return []
    return [_step(drive, at, step) for step in steps(drive, at)]


def _step(drive: Drive, at: Stretch, step: Step) -> tuple[int, ...]:
    track = drive.track
    if step.to is None or flies_at(drive, step):
        return (NONE if step.to is None else step.to), NONE, 0, flown_to(track, at.space, step.speeding), NONE
    held = flown_to(track, step.to, step.speeding) if step.speeding and is_mu(drive, step.to) else NONE
    node = node_of(step.to, step.diagonal_due, step.beside)
    return step.to, node, crossing(track, at.space, step.to), NONE, held
