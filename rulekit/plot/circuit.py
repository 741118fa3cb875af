"""The circuit as a picture: spaces with their true borders, marks, limits, lines, pit lane, start boxes.

The same drawing serves the ring and the straightened track: only the `Ring` that says where things lie differs.
"""

from matplotlib.axes import Axes

from rulekit.plot import circuit_signs as signs
from rulekit.plot.circuit_picture import CarMark, CircuitPicture
from rulekit.plot.circuit_pit import EDGE, PLACES, PitLane, boxes, lane_offset
from rulekit.plot.circuit_words import NAME_SIZE, box_of, labels_of
from rulekit.plot.palette import INK, MUTED, PAPER, SEATS
from rulekit.plot.plane import Box, Point, grown
from rulekit.plot.ring import LANE, Ring
from rulekit.plot.shapes import disc, line, polygon, words
from rulekit.ps.track import LANES, STOP, Space, Track

TICKS, TICK = 5, 0.24
"""Every so manieth column is numbered; distance of the number from the edge."""


def draw_circuit(ax: Axes, picture: CircuitPicture, ring: Ring) -> None:
    """Everything of a circuit but title and legend; the axes must have their limits set."""
    track = picture.track
    for number in range(len(track.spaces)):
        _space(ax, picture, ring, number)
    _edges(ax, ring)
    _double_lines(ax, track, ring)
    section, column = track.line
    signs.finish(ax, ring.point(section, column, EDGE), ring.heading(section, column), 2 * EDGE, "start-finish-line")
    _columns(ax, ring)
    _lane_names(ax, track, ring)
    _words(ax, track, ring)
    for number, outline in enumerate(boxes(track, ring), 1):
        signs.box(ax, outline, number, f"box-{number}")
    if track.pit:
        _pit(ax, PitLane(track, ring, track.pit))
    for car in picture.cars:
        _car(ax, track, ring, car)


def middle_of(ring: Ring, space: Space) -> Point:
    """The middle of a space."""
    return ring.point(space.section, (space.first - 1 + space.last) / 2, lane_offset(space.lane))


def circuit_box(track: Track, ring: Ring) -> Box:
    """The box of a circuit with its words, in units."""
    corners = [
        (x, y) for left, right, low, high in labels_of(track, ring).boxes for x, y in ((left, low), (right, high))
    ]
    edges = [point for section, columns in enumerate(ring.columns) for side in (-1, 1)
             for point in ring.edge(section, 0, columns, side * (EDGE + 0.4))]  # fmt: skip
    names = [ring.point(section, 0, 0.0) for section in _row_starts(ring)]
    if track.pit:
        corners += [point for way in PitLane(track, ring, track.pit).ways_in() for point in way]
    return grown(box_of([*corners, *edges, *((x - 1.9, y) for x, y in names)]), 0.35)


def _space(ax: Axes, picture: CircuitPicture, ring: Ring, number: int) -> None:
    track = picture.track
    space = track.spaces[number]
    usual = signs.CURVE if track.sections[space.section].is_curve else signs.STRAIGHT
    middle = lane_offset(space.lane)
    outline = ring.cell(space.section, space.first - 1, space.last, middle - LANE / 2, middle + LANE / 2)
    gid = track.name_of(number).replace(" ", "-")
    polygon(ax, outline, gid, facecolor=picture.fills.get(number, usual), edgecolor=signs.EDGE, linewidth=0.7, zorder=1)
    heading = ring.heading(space.section, (space.first - 1 + space.last) / 2)
    signs.marks(ax, middle_of(ring, space), heading, space.marks, gid, ring.length(space))


def _edges(ax: Axes, ring: Ring) -> None:
    for section, columns in enumerate(ring.columns):
        for side in (-EDGE, EDGE):
            line(ax, ring.edge(section, 0, columns, side), edgecolor=INK, linewidth=0.075, capstyle="butt", zorder=2)


def _double_lines(ax: Axes, track: Track, ring: Ring) -> None:
    """At the beginning and end of every curve; one where two curves meet."""
    for number, section in enumerate(track.sections):
        behind = track.sections[number - 1]
        if section.is_curve or behind.is_curve:
            _double_line(ax, ring, number, 0)
            if abs(complex(*ring.point(number - 1, behind.columns)) - complex(*ring.point(number, 0))) > 0.5:
                _double_line(ax, ring, (number - 1) % len(track.sections), behind.columns)


def _double_line(ax: Axes, ring: Ring, section: int, column: int) -> None:
    ends = ring.point(section, column, EDGE), ring.point(section, column, -EDGE)
    signs.double_line(ax, [ends], ring.heading(section, column), f"double-line-{section}-{column}")


def _columns(ax: Axes, ring: Ring) -> None:
    """Numbers of columns along the edge, so that a space's name can be told."""
    for section, columns in enumerate(ring.columns):
        for column in range(1, columns + 1):
            if column == 1 or column % TICKS == 0:
                at = ring.point(section, column - 0.5, ring.outsides[section] * (EDGE + TICK))
                signs.small(ax, at, str(column))


def _lane_names(ax: Axes, track: Track, ring: Ring) -> None:
    """Before each row of a straightened track in full; on a ring their first letters in a column without marks."""
    starts = _row_starts(ring)
    for section in starts:
        for lane, name in enumerate(LANES):
            x, y = ring.point(section, 0, lane_offset(lane))
            words(ax, (x - 0.3, y), name, 0.36, ha="right", color=MUTED, zorder=4)
    blank = None if starts else _blank_column(track)
    if blank:
        for lane, name in enumerate(LANES):
            words(
                ax,
                ring.point(blank[0], blank[1] - 0.5, lane_offset(lane)),
                name[0].upper(),
                0.36,
                color=MUTED,
                zorder=4,
            )


def _blank_column(track: Track) -> tuple[int, int] | None:
    """The first column of a straight, from the start/finish line's on, whose spaces carry no marks."""
    for section in (*range(track.line[0], len(track.sections)), *range(track.line[0])):
        columns = 0 if track.sections[section].is_curve else track.sections[section].columns
        for column in range(1, columns + 1):
            if not any(track.spaces[track.at_column[section, lane, column]].marks for lane in range(3)):
                return section, column
    return None


def _row_starts(ring: Ring) -> list[int]:
    """The sections with which the rows of a straightened track begin; none on a ring."""
    if any(ring.turns):
        return []
    return [section for section, start in enumerate(ring.starts) if start.real == 0]


def _words(ax: Axes, track: Track, ring: Ring) -> None:
    labels = labels_of(track, ring)
    arrow, heading = labels.direction
    signs.direction(ax, arrow.point, heading, "direction")
    for section, label in labels.limits.items():
        signs.limit(ax, label.point, track.sections[section].limit, f"limit-{track.sections[section].id}")
    for section, label in enumerate(labels.names):
        here = track.sections[section]
        words(ax, label.point, here.id, NAME_SIZE, f"name-{here.id}", weight="bold", zorder=5, halo=0.08,
              style="italic" if here.is_curve else "normal")  # fmt: skip


def _pit(ax: Axes, lane: PitLane) -> None:
    for place in PLACES:
        label = "stop" if place == STOP else f"P{STOP - place}"
        signs.pit_space(ax, lane.outline(place), label, f"pit-{label}")
    for way in lane.ways_in():
        signs.link(ax, way, "pit-entry")
    post = lane.signpost()
    if post:
        words(ax, post, "to the pit", 0.32, "signpost", zorder=5)
    for place, way in zip((3, 6), lane.ways_out(), strict=True):
        signs.link(ax, way, f"pit-exit-{place}")


def _car(ax: Axes, track: Track, ring: Ring, car: CarMark) -> None:
    at = middle_of(ring, track.spaces[car.space])
    disc(
        ax, at, 0.3, f"car-{car.label}", facecolor=SEATS[car.seat % len(SEATS)], edgecolor=INK, linewidth=0.06, zorder=7
    )
    words(ax, at, car.label, 0.32, color=PAPER, weight="bold", zorder=7.1)
