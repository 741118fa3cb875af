"""All that a car can do with a die's value: a search over its steps (PS-8…PS-18, PS-21, PS-23)."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from rulekit.ps.dice import Colour
from rulekit.ps.track import FINISH, OUT, PIT_LONG, STOP, Mark, Section, Track
from rulekit.readings import ExitStep, LineCrossing, PitEntry, PsReadings, Strike, Triangle

DEFAULT = PsReadings()


class Kind(Enum):
    """How a move ends; `wait` is the end of a car that cannot leave its box (PS-8)."""

    MOVE = "move"
    PIT = "pit"
    FLY = "fly"
    STRIKE = "strike"
    STAY = "stay"
    FINISH = "finish"
    WAIT = "wait"


KINDS = tuple(Kind)
"""All kinds in their order."""

DAMAGING = frozenset({Kind.FLY, Kind.STRIKE, Kind.STAY})
"""Ends that cost a point (PS-16…PS-18)."""


class Outcome(NamedTuple):
    """One end of a move: where the car stands then, the space flown from or struck at, and the crossings of the line
    forward less those backward (PS-23)."""

    kind: Kind
    end: int
    origin: int | None = None
    line: int = 0


class Stretch(NamedTuple):
    """A car in mid-move: its space, steps made, whether a diagonal is due in the curve that it speeds in (PS-12),
    whether its last step went beside (PS-10), and the line crossings so far."""

    space: int
    made: int = 0
    diagonal_due: bool = False
    beside: bool = False
    line: int = 0


class Step(NamedTuple):
    """A possible next step. `to` is None where the track ends; `speeding` is the curve in which it would speed."""

    to: int | None
    speeding: Section | None = None
    diagonal_due: bool = False
    beside: bool = False


@dataclass(frozen=True)
class Drive:
    """A car's move under way: everything that stays the same from its first step to its last."""

    track: Track
    readings: PsReadings
    colour: Colour
    speed: int
    taken: Set[int]
    on_triangle: bool
    marks_count: bool = True
    pit_open: bool = True
    lacking: int | None = None
    found: set[Outcome] = field(default_factory=set)
    seen: set[Stretch] = field(default_factory=set)


def outcomes(
    track: Track,
    space: int,
    colour: Colour,
    value: int,
    taken: Set[int] = frozenset(),
    readings: PsReadings = DEFAULT,
    *,
    pit_open: bool = True,
    lacking: int | None = None,
) -> tuple[Outcome, ...]:
    """Every end among which the player may choose for a car on `space` with that value, other cars on `taken`.

    Sorted by kind, then place. Where some way is free, the car takes a free one (PS-15). `lacking` crossings of the
    line end the race for it, and with that its move (PS-23); None where no race is on. Nobody jumps over a car that
    stands right behind the line, not even to the finish.
    """
    on_triangle = starts_on_triangle(track, space)
    drive = Drive(track, readings, colour, value, taken, on_triangle, pit_open=pit_open, lacking=lacking)
    search(drive, Stretch(space))
    return in_order(binding(drive))


def in_order(found: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Outcomes by kind, then place."""
    return tuple(sorted(found, key=lambda outcome: (KINDS.index(outcome.kind), *map(_order, outcome[1:]))))


def _order(value: int | None) -> int:
    return OUT if value is None else value


def starts_on_triangle(track: Track, space: int) -> bool:
    """Whether a car that begins its move there may speed (PS-13)."""
    return space >= 0 and Mark.TRIANGLE in track.spaces[space].marks


def binding(drive: Drive) -> set[Outcome]:
    """The ends found that are left when free ways bind (PS-15): no striking or flying where a way is free, be it into
    the pit."""
    free = {outcome for outcome in drive.found if outcome.kind not in DAMAGING}
    return free if free and drive.readings.strike is Strike.FORCED_ONLY else drive.found


def search(drive: Drive, at: Stretch) -> None:
    """Adds every end of every way on from here."""
    if at in drive.seen:
        return
    drive.seen.add(at)
    if at.line == drive.lacking:
        drive.found.add(Outcome(Kind.FINISH, FINISH, None, at.line))
        return
    if at.made == drive.speed or (drive.colour is Colour.BLUE and at.made):
        drive.found.add(Outcome(Kind.MOVE, at.space, None, at.line))
    if at.made == drive.speed:
        return
    if _may_enter_pit(drive, at):
        drive.found.add(Outcome(Kind.PIT, STOP, None, at.line))
    onward = [step for step in steps(drive, at) if step.to not in drive.taken]
    for step in onward:
        _take(drive, at, step)
    if not onward:
        drive.found.add(_blocked(drive, at))


def _take(drive: Drive, at: Stretch, step: Step) -> None:
    """A step that no car blocks: made, or flown at (PS-13, PS-14, PS-16)."""
    if step.to is None or flies_at(drive, step):
        drive.found.add(_fly(drive, at, step.speeding))
        return
    crossed = crossing(drive.track, at.space, step.to)
    there = Stretch(step.to, at.made + 1, step.diagonal_due, step.beside, at.line + crossed)
    goes_on = there.made < drive.speed and there.line != drive.lacking
    if step.speeding and goes_on and is_mu(drive, step.to):
        drive.found.add(_fly(drive, there, step.speeding))
    else:
        search(drive, there)


def flies_at(drive: Drive, step: Step) -> bool:
    """Whether a car flies instead of making a step: off the track, or for want of a triangle (PS-13, PS-16)."""
    wants_triangle = drive.readings.triangle is Triangle.REQUIRED and not drive.on_triangle
    return step.to is None or (step.speeding is not None and wants_triangle)


def is_mu(drive: Drive, space: int) -> bool:
    """Whether a speeding car that arrives there with steps left flies (PS-14)."""
    return drive.marks_count and Mark.MU in drive.track.spaces[space].marks


def crossing(track: Track, before: int, after: int) -> int:
    """Line crossings of a step; one out of the pit counts from the entry (PS-4)."""
    if before < 0:
        before = track.pit.entry if track.pit else after
    return track.over_line(before, after)


def steps(drive: Drive, at: Stretch) -> Iterator[Step]:
    """The steps that the track offers next, taken spaces included (PS-9…PS-12).

    Red and yellow make their first one ahead, on straights and in curves alike (PS-9): it is not `free`.
    """
    track = drive.track
    if at.space < 0:
        yield _out_of_pit(drive, at.space)
        return
    here = track.sections[track.spaces[at.space].section]
    free = at.made > 0 or drive.colour is Colour.BLUE
    if track.crosses_double_line[at.space]:
        yield from _over_double_line(drive, at, here, free)
    elif here.is_curve:
        yield from _inside_curve(drive, at, here, free)
    else:
        yield Step(track.ahead[at.space])
    if free and not here.is_curve and not at.beside:
        yield from (Step(to, beside=True) for side in (-1, 1) if (to := track.beside(at.space, side)) is not None)


def _speeds(drive: Drive, section: Section) -> bool:
    return section.limit is not None and drive.speed > section.limit


def _entering(drive: Drive, to: int) -> Step:
    """The step ahead into another section: where it speeds in a curve, the next step is diagonal (PS-12)."""
    section = drive.track.sections[drive.track.spaces[to].section]
    return Step(to, section, diagonal_due=True) if _speeds(drive, section) else Step(to)


def _out_of_pit(drive: Drive, place: int) -> Step:
    """The one step from pit space 3 or 6; exits lie on straights (PS-21)."""
    pit = drive.track.pit
    if pit is None:
        raise ValueError("the track has no pit lane")
    return Step(pit.exit_long if place == PIT_LONG else pit.exit_short)


def _over_double_line(drive: Drive, at: Stretch, here: Section, free: bool) -> Iterator[Step]:
    """Over the beginning or end of a curve: ahead, or as the readings say (PS-11, PS-12)."""
    track = drive.track
    there = track.sections[track.spaces[track.ahead[at.space]].section]
    if at.diagonal_due and drive.readings.exit_step is ExitStep.FLIES:
        yield Step(None, here)
        return
    yield _entering(drive, track.ahead[at.space])
    slow = not (_speeds(drive, here) or _speeds(drive, there))
    if free and slow and drive.readings.line_crossing is LineCrossing.DIAGONAL:
        yield from _diagonals(track, at.space)


def _inside_curve(drive: Drive, at: Stretch, here: Section, free: bool) -> Iterator[Step]:
    """Within the limit ahead or diagonally; speeding, ahead and outwards in turn (PS-11, PS-12)."""
    track = drive.track
    if not _speeds(drive, here):
        yield Step(track.ahead[at.space])
        if free:
            yield from _diagonals(track, at.space)
    elif at.diagonal_due:
        yield Step(track.diagonal(at.space, 1 if here.outside else -1), here)
    else:
        yield Step(track.ahead[at.space], here, diagonal_due=True)


def _diagonals(track: Track, space: int) -> Iterator[Step]:
    return (Step(to) for side in (-1, 1) if (to := track.diagonal(space, side)) is not None)


def _may_enter_pit(drive: Drive, at: Stretch) -> bool:
    """Whether the stop space can be this move's end (PS-21)."""
    if not drive.pit_open or STOP in drive.taken or not leads_to_stop(drive, at.space, at.diagonal_due):
        return False
    return drive.readings.pit_entry is PitEntry.STEPS_LOST or drive.speed - at.made == 1


def leads_to_stop(drive: Drive, space: int, diagonal_due: bool) -> bool:
    """Whether the stop space lies one step ahead: from the pit's entry, unless a diagonal is due there (PS-21)."""
    pit = drive.track.pit
    leaves_the_track = diagonal_due and drive.readings.exit_step is ExitStep.FLIES
    return pit is not None and space == pit.entry and not leaves_the_track


def _blocked(drive: Drive, at: Stretch) -> Outcome:
    """A dead end: nowhere to go at the first step, else a strike (PS-17, PS-18)."""
    if not at.made:
        return Outcome(Kind.STAY, at.space)
    end, crossed = _back(drive, at.space)
    return Outcome(Kind.STRIKE, end, at.space, at.line - crossed)


def _fly(drive: Drive, at: Stretch, curve: Section | None) -> Outcome:
    """Off the track: to the curve's outside lane, then back (PS-16)."""
    end, crossed = _back(drive, flown_to(drive.track, at.space, curve))
    return Outcome(Kind.FLY, end, at.space, at.line - crossed)


def flown_to(track: Track, space: int, curve: Section | None) -> int:
    """Where a car that flies from a space is put before it is moved back: on the curve's outside lane (PS-16).

    Raises ValueError without a curve: only a speeding car flies.
    """
    if curve is None:
        raise ValueError("only a speeding car flies")
    return track.in_lane(space, curve.outside)


def _back(drive: Drive, space: int) -> tuple[int, int]:
    """As many spaces back as the speed, further while one is taken; with the line crossings on the way (PS-16)."""
    track, crossed, gone = drive.track, 0, 0
    while gone < drive.speed or space in drive.taken:
        behind = track.along(space, -1)
        crossed += track.over_line(behind, space)
        space, gone = behind, gone + 1
    return space, crossed
