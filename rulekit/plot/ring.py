"""The circuit's course on paper: lengths and turns of the sections, so that they close to a ring.

A straight's column is one unit long. Where a file gives no degrees, they are shared out. What a ring of these shapes
lacks to close is spread over all lengths (and shared-out turns) by least squares, straights giving way first; parts
that would lie on each other push each other away.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

from rulekit.plot.plane import Point
from rulekit.ps.track import Section, Space, Track

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]

LANE = 0.8
"""Width of a lane; lane edges lie at -1.5, -0.5, 0.5 and 1.5 lanes from the middle, left positive."""

LEAST_RADIUS = 1.5 * LANE + 0.8
"""Of a curve's middle line: its inner edge still has some room."""

APART = 3 * LANE + 2.6
"""Distance that the middle lines of different parts keep: two half tracks and room for words."""

NAMES, ROOM = 1.75, (0.35, 2.05)
"""Beside a row of the straightened track: room for names; on the other side, without and with boxes and pit lane."""

CLOSED = 0.05
"""A smaller gap is not seen."""

MOST_SECTIONS = 60
"""A ring of more takes too long to close."""

STEPS = 60
SAMPLES = 140
"""Points round the ring between which distances are kept."""

CLOSING, TURNING, PUSHING, CURVES = 200.0, 200.0, 2.0, 3.0
"""Weights: of closing the ring, of a full circle, of keeping apart, and of curves keeping their shape (straights 1)."""


@dataclass(frozen=True)
class Ring:
    """The middle line, section by section: where each begins (a complex number), its heading, length and turn.

    Headings and turns are in radians, counter-clockwise; a straight's turn is 0. `outsides` tells the side of each
    section that words belong on: 1 for the left, -1 for the right.
    """

    columns: tuple[int, ...]
    starts: tuple[complex, ...]
    headings: tuple[float, ...]
    lengths: tuple[float, ...]
    turns: tuple[float, ...]
    outsides: tuple[int, ...]

    def heading(self, section: int, column: float) -> float:
        """The driving direction behind so many columns of a section."""
        return self.headings[section] + self.turns[section] * column / self.columns[section]

    def point(self, section: int, column: float, offset: float = 0.0) -> Point:
        """The point behind so many columns of a section, `offset` to the left of the middle line."""
        share = column / self.columns[section]
        at = self.starts[section] + self.lengths[section] * _chord(self.headings[section], self.turns[section], share)
        at += offset * 1j * np.exp(1j * self.heading(section, column))
        return float(at.real), float(at.imag)

    def edge(self, section: int, begin: float, end: float, offset: float) -> list[Point]:
        """Points along an edge between two columns, close enough to look round."""
        turn = abs(self.turns[section]) * abs(end - begin) / self.columns[section]
        pieces = max(1, int(np.ceil(turn / 0.06)))
        return [self.point(section, begin + (end - begin) * k / pieces, offset) for k in range(pieces + 1)]

    def cell(self, section: int, begin: float, end: float, low: float, high: float) -> list[Point]:
        """The outline of what lies between two columns and two offsets."""
        return [*self.edge(section, begin, end, low), *self.edge(section, end, begin, high)]

    def length(self, space: Space) -> float:
        """How long a space is along the middle of its lane."""
        bend = self.turns[space.section] * (1 - space.lane) * LANE
        return (self.lengths[space.section] - bend) * (space.last - space.first + 1) / self.columns[space.section]

    @cached_property
    def gap(self) -> float:
        """How far the last section's end lies from the first one's beginning."""
        end = complex(*self.point(len(self.columns) - 1, self.columns[-1]))
        return abs(end - self.starts[0])


def _chord(heading: float, turn: float, share: float = 1.0) -> complex:
    """From a section's beginning to behind a share of it, for a length of 1."""
    if abs(turn) < 1e-9:
        return complex(share * np.exp(1j * heading))
    return complex(np.exp(1j * heading) * (np.exp(1j * turn * share) - 1) / (1j * turn))


def ring(track: Track) -> Ring:
    """The track's ring, the straight with the start/finish line lying level and its driving direction to the right.

    Turns that the file tells are kept, unless the ring does not close so.
    """
    shape = _Shape.of(track)
    closed = _ring_of(track, shape)
    if closed.gap <= CLOSED or shape.free_turns:
        return closed
    return min(closed, _ring_of(track, replace(shape, free_turns=True)), key=lambda made: made.gap)


def _ring_of(track: Track, shape: "_Shape") -> Ring:
    lengths, turns = shape.parts(shape.closed())
    headings = np.concatenate(([0.0], np.cumsum(turns)[:-1]))
    headings -= headings[track.line[0]]
    starts = np.concatenate(([0j], np.cumsum(_chords(headings, turns) * lengths)[:-1]))
    columns = tuple(section.columns for section in track.sections)
    outsides = tuple(-(track.inside if section.turn is None else section.turn) for section in track.sections)
    return Ring(columns, tuple(starts.tolist()), tuple(headings.tolist()), tuple(lengths.tolist()),
                tuple(turns.tolist()), outsides)  # fmt: skip


def straightened(track: Track, most: int = 32) -> Ring:
    """The track unrolled: rows of whole sections, about `most` columns wide, each below the one before."""
    columns = tuple(section.columns for section in track.sections)
    starts: list[complex] = []
    low = 0.0
    for row in _rows(columns, most):
        busy = any(number in row for number in _pit_sections(track))
        # Names stand on one side of a row, start boxes and the pit lane on the other.
        above, below = (ROOM[busy], NAMES) if track.inside > 0 else (NAMES, ROOM[busy])
        middle = low - above - 1.5 * LANE
        starts += [complex(sum(columns[row[0] : number]), middle) for number in row]
        low = middle - 1.5 * LANE - below
    level = (0.0,) * len(columns)
    return Ring(columns, tuple(starts), level, tuple(map(float, columns)), level, (-track.inside,) * len(columns))


def _rows(columns: Sequence[int], most: int) -> list[list[int]]:
    """Section numbers row by row, the rows about equally long."""
    total = sum(columns)
    wide = total / -(-total // most) + 2
    rows: list[list[int]] = [[]]
    for number, own in enumerate(columns):
        if rows[-1] and sum(columns[other] for other in rows[-1]) + own > wide:
            rows.append([])
        rows[-1].append(number)
    return rows


def _pit_sections(track: Track) -> set[int]:
    """The sections beside which start boxes or the pit lane lie."""
    spaces = [track.box_1, track.pit.exit_short if track.pit else None]
    return {track.spaces[space].section for space in spaces if space is not None}


def shared_turns(track: Track) -> list[float]:
    """The turn of every section in degrees, left positive: as the file gives it, or shared out.

    Curves to the outside turn by 15° a column, 75° at most; those to the inside share the rest of the full circle by
    their columns.
    """
    told = [section.degrees for section in track.sections if section.is_curve]
    if told and None not in told:
        return [(section.degrees or 0) * (section.turn or 0) for section in track.sections]
    outward = [_outward(track, section) for section in track.sections]
    inward = [section.columns if section.turn is track.inside else 0 for section in track.sections]
    share = (360 + sum(outward)) / max(1, sum(inward))
    return [float(track.inside * (share * own - away)) for own, away in zip(inward, outward, strict=True)]


def _outward(track: Track, section: Section) -> float:
    return min(75.0, 15.0 * section.columns) if section.is_curve and section.turn is not track.inside else 0.0


def _chords(headings: Floats, turns: Floats) -> Complexes:
    """From beginning to end of every section, for lengths of 1."""
    bent = np.where(np.abs(turns) < 1e-9, 1.0, turns)
    ratio = np.where(np.abs(turns) < 1e-9, 1.0, (np.exp(1j * bent) - 1) / (1j * bent))
    return np.asarray(np.exp(1j * headings) * ratio, dtype=np.complex128)


@dataclass(frozen=True)
class _Shape:
    """The wished lengths and turns; unknowns are lengths as shares of these and, where free, turns likewise."""

    lengths: Floats
    least: Floats
    turns: Floats
    curved: npt.NDArray[np.bool_]
    free_turns: bool
    places: Floats
    owners: npt.NDArray[np.intp]

    @classmethod
    def of(cls, track: Track) -> "_Shape":
        turns = np.radians(shared_turns(track))
        columns = np.array([section.columns for section in track.sections], dtype=float)
        bend = np.abs(turns)
        lengths = np.maximum(columns - LANE * bend, LEAST_RADIUS * bend)
        least = np.where(bend > 0, np.maximum(LEAST_RADIUS * bend, 0.6 * lengths), 0.7 * columns)
        told = [section.degrees for section in track.sections if section.is_curve]
        owners, places = _sampled(columns)
        return cls(lengths, np.minimum(least, lengths), turns, bend > 0, None in told, places, owners)

    def parts(self, unknowns: Floats) -> tuple[Floats, Floats]:
        """Lengths and turns that unknowns stand for."""
        count = len(self.lengths)
        lengths = unknowns[:count] * self.lengths
        return lengths, unknowns[count:] * self.turns if self.free_turns else self.turns

    def closed(self) -> Floats:
        """The unknowns of a ring that closes, as near to the wishes as can be."""
        count = len(self.lengths)
        low, high = [self.least / self.lengths], [np.full(count, 6.0)]
        if self.free_turns:
            low, high = [*low, np.full(count, 0.4)], [*high, np.full(count, 2.0)]
        bounds = np.concatenate(low) - 1e-9, np.concatenate(high)
        begin = np.ones(len(bounds[0]))
        first = least_squares(self._unclosed, begin, bounds=bounds, max_nfev=STEPS)
        return np.asarray(least_squares(self._misfits, first.x, bounds=bounds, max_nfev=STEPS).x)

    def _unclosed(self, unknowns: Floats) -> Floats:
        """What a ring lacks to close, and how far it is from the wishes."""
        lengths, turns = self.parts(unknowns)
        headings = np.cumsum(turns) - turns
        gap = np.sum(_chords(headings, turns) * lengths)
        over = np.sum(turns) - np.sign(np.sum(self.turns)) * 2 * np.pi
        count = len(self.lengths)
        stretch = (unknowns[:count] - 1) * np.sqrt(self.lengths) * np.where(self.curved, CURVES, 1.0)
        bend = (unknowns[count:] - 1) * CURVES * self.curved[: len(unknowns) - count]
        return np.concatenate((np.array([gap.real, gap.imag]) * CLOSING, [over * TURNING], stretch, bend))

    def _misfits(self, unknowns: Floats) -> Floats:
        """As `_unclosed`, with the lack of distance between different parts."""
        lengths, turns = self.parts(unknowns)
        return np.concatenate((self._unclosed(unknowns), PUSHING * self._crowding(lengths, turns)))

    def _crowding(self, lengths: Floats, turns: Floats) -> Floats:
        """For each sampled point the lack of distance to the nearest part that does not lead up to it."""
        headings = np.cumsum(turns) - turns
        starts = np.concatenate(([0j], np.cumsum(_chords(headings, turns) * lengths)[:-1]))
        own = self.owners
        swept = turns[own] * self.places
        points = starts[own] + lengths[own] * self.places * _chords(headings[own], swept)
        along = (np.cumsum(lengths) - lengths)[own] + lengths[own] * self.places
        between = np.abs(along[:, None] - along[None, :])
        between = np.minimum(between, np.sum(lengths) - between)
        # Parts that follow each other round a bend may come as near as the bend brings them.
        far = between > 1.7 * APART
        lack = np.where(far, np.maximum(0.0, APART - np.abs(points[:, None] - points[None, :])), 0.0)
        return np.asarray(lack.max(axis=1))


def _sampled(columns: Floats) -> tuple[npt.NDArray[np.intp], Floats]:
    """Points round the ring: the section of each and its place there, from 0 to 1."""
    total = float(columns.sum())
    at = (np.arange(min(SAMPLES, int(total))) + 0.5) * total / min(SAMPLES, int(total))
    ends = np.cumsum(columns)
    owners = np.searchsorted(ends, at, side="right")
    return owners, np.asarray((at - (ends - columns)[owners]) / columns[owners])
