"""A second search for all ends of a car's move, plain and slow: written from the rules' sentences, with its own
arithmetic of the ring. It looks at sections and spaces only, and counts steps in a curve where the engine remembers
whether a diagonal is due."""

from collections.abc import Iterator, Set
from typing import NamedTuple

from rulekit.hexgrid import Side
from rulekit.ps.dice import SPEEDS
from rulekit.ps.track import PIT_SHORT, STOP, Mark, Track

End = tuple[str, int, int | None, int]
"""Kind, place, the space flown from or struck at, crossings of the line."""

Answers = dict[str, str]


class Ring:
    """Spaces by section, lane and column."""

    def __init__(self, track: Track) -> None:
        self.track, self.sections, self.spaces = track, track.sections, track.spaces
        self.at = {
            (space.section, space.lane, column): number
            for number, space in enumerate(track.spaces)
            for column in range(space.first, space.last + 1)
        }
        columns = [section.columns for section in track.sections]
        line = sum(columns[: track.line[0]]) + track.line[1]
        self.behind_line = [(sum(columns[: space.section]) + space.last - 1 - line) % sum(columns)
                            for space in track.spaces]  # fmt: skip

    def onward(self, space: int, lanes: int = 0) -> int | None:
        """The space that covers the first column after this one's last, in its lane or some lanes to the right."""
        here = self.spaces[space]
        section, column = here.section, here.last + 1
        if column > self.sections[section].columns:
            section, column = (section + 1) % len(self.sections), 1
        return self.at.get((section, here.lane + lanes, column))

    def ahead(self, space: int) -> int:
        found = self.onward(space)
        assert found is not None
        return found

    def behind(self, space: int) -> int:
        here = self.spaces[space]
        section, column = here.section, here.first - 1
        if not column:
            section = (section - 1) % len(self.sections)
            column = self.sections[section].columns
        return self.at[section, here.lane, column]

    def beside(self, space: int) -> Iterator[int]:
        here = self.spaces[space]
        for lanes in (-1, 1):
            if (here.section, here.lane + lanes, here.first) in self.at:
                yield self.at[here.section, here.lane + lanes, here.first]

    def is_curve(self, section: int) -> bool:
        return self.sections[section].turn is not None

    def speeds(self, section: int, speed: int) -> bool:
        limit = self.sections[section].limit
        return limit is not None and speed > limit

    def outside(self, section: int) -> int:
        return 0 if self.sections[section].turn is Side.RIGHT else 2

    def before_double_line(self, space: int) -> bool:
        here, there = self.spaces[space].section, self.spaces[self.ahead(space)].section
        return here != there and (self.is_curve(here) or self.is_curve(there))

    def crosses(self, before: int, after: int) -> int:
        """1 where a step onwards passes the line, which lies where the count of columns begins anew."""
        return int(self.behind_line[after] < self.behind_line[before])


class Onward(NamedTuple):
    """A next step: where to (None: off the track), the section that it belongs to, the steps made in the curve in which
    it speeds (0: it does not), whether it goes beside."""

    to: int | None
    section: int
    run: int = 0
    beside: bool = False


def onward(ring: Ring, space: int, speed: int, run: int, beside: bool, first: bool, answers: Answers) -> list[Onward]:
    """The steps that PS-9 to PS-12 allow; `run` are those made in the curve in which the car speeds, `first` says
    that this one must go ahead."""
    here, ahead = ring.spaces[space].section, ring.ahead(space)
    there = ring.spaces[ahead].section
    sides = [to for lanes in (-1, 1) if (to := ring.onward(space, lanes)) is not None]
    fast, found = ring.speeds(here, speed), list[Onward]()
    if ring.before_double_line(space):
        if fast and run % 2 and answers["exit-step"] == "flies":
            return [Onward(None, here)]
        found.append(Onward(ahead, there, int(ring.speeds(there, speed))))
        if answers["line-crossing"] == "diagonal" and not (first or fast or ring.speeds(there, speed)):
            found += [Onward(to, there) for to in sides]
    elif fast and run % 2:
        found.append(Onward(ring.onward(space, -1 if ring.outside(here) == 0 else 1), here, run + 1))
    else:
        found.append(Onward(ahead, there, run + 1 if fast else 0))
        if ring.is_curve(here) and not fast and not first:
            found += [Onward(to, here) for to in sides]
    if not ring.is_curve(here) and not beside and not first:
        found += [Onward(to, here, beside=True) for to in ring.beside(space)]
    return found


class Drive:
    """A car's move: all its ends that are free, and all that cost a point, among cars on `taken`; `answers` to all
    readings by name (PS-9 to PS-18, PS-21)."""

    def __init__(self, ring: Ring, blue: bool, speed: int, taken: Set[int], answers: Answers, triangle: bool) -> None:
        self.ring, self.blue, self.speed, self.taken, self.answers = ring, blue, speed, taken, answers
        self.may_speed = triangle or answers["triangle"] == "aid"
        self.free, self.hurt = set[End](), set[End]()
        self.seen = set[tuple[int, int, int, bool, int]]()

    def back(self, kind: str, space: int, origin: int, line: int) -> None:
        ring, gone = self.ring, 0
        while gone < self.speed or space in self.taken:
            line -= ring.crosses(ring.behind(space), space)
            space, gone = ring.behind(space), gone + 1
        self.hurt.add((kind, space, origin, line))

    def fly(self, space: int, section: int, line: int) -> None:
        ring, here = self.ring, self.ring.spaces[space]
        self.back("fly", ring.at[here.section, ring.outside(section), here.last], space, line)

    def out_of_the_pit(self, place: int) -> None:
        pit = self.ring.track.pit
        assert pit is not None
        out = pit.exit_short if place == PIT_SHORT else pit.exit_long
        if out in self.taken:
            self.hurt.add(("stay", place, None, 0))
        else:
            self.follow(out, 1, 0, False, self.ring.crosses(pit.entry, out))

    def follow(self, space: int, made: int, run: int, beside: bool, line: int) -> None:
        if (space, made, run, beside, line) in self.seen:
            return
        self.seen.add((space, made, run, beside, line))
        if made == self.speed or (self.blue and made):
            self.free.add(("move", space, None, line))
        if made == self.speed:
            return
        if self.enters_pit(space, made, run):
            self.free.add(("pit", STOP, None, line))
        steps = onward(self.ring, space, self.speed, run, beside, not made and not self.blue, self.answers)
        clear = [step for step in steps if step.to not in self.taken]
        for step in clear:
            self.take(space, made, line, step)
        if not clear:
            self.dead_end(space, made, line)

    def dead_end(self, space: int, made: int, line: int) -> None:
        if made:
            self.back("strike", space, space, line)
        else:
            self.hurt.add(("stay", space, None, 0))

    def enters_pit(self, space: int, made: int, run: int) -> bool:
        pit = self.ring.track.pit
        if not pit or space != pit.entry or STOP in self.taken:
            return False
        flies = run % 2 == 1 and self.answers["exit-step"] == "flies"
        return not flies and (self.answers["pit-entry"] == "steps-lost" or made == self.speed - 1)

    def take(self, space: int, made: int, line: int, step: Onward) -> None:
        if step.to is None or (step.run and not self.may_speed):
            self.fly(space, step.section, line)
            return
        line += 0 if step.beside else self.ring.crosses(space, step.to)
        if step.run and Mark.MU in self.ring.spaces[step.to].marks and made + 1 < self.speed:
            self.fly(step.to, step.section, line)
        else:
            self.follow(step.to, made + 1, step.run, step.beside, line)


def ends(ring: Ring, start: int, blue: bool, speed: int, taken: Set[int], answers: Answers) -> set[End]:
    """Every end among which the player may choose."""
    triangle = start >= 0 and Mark.TRIANGLE in ring.spaces[start].marks
    drive = Drive(ring, blue, speed, taken, answers, triangle)
    if start < 0:
        drive.out_of_the_pit(start)
    else:
        drive.follow(start, 0, 0, False, 0)
    return drive.free | drive.hurt if answers["strike"] == "free" or not drive.free else drive.free


class Way(NamedTuple):
    """A point of a way on the empty track without marks: the space, steps made, those in the curve in which the car
    speeds, whether the last went beside, and the curves in which the way has speeded."""

    space: int
    made: int = 0
    run: int = 0
    beside: bool = False
    sped: frozenset[int] = frozenset()


PLAIN = {"triangle": "aid", "line-crossing": "ahead", "exit-step": "ahead", "strike": "forced-only",
         "pit-entry": "steps-lost"}  # fmt: skip


def points(ring: Ring, start: int, speed: int, beside_first: bool) -> set[Way]:
    """All points of all ways; `beside_first`: also with steps beside before the first speeding one."""
    found, stack = set[Way](), [Way(start)]
    while stack:
        way = stack.pop()
        if way in found:
            continue
        found.add(way)
        if way.made < speed:
            for step in onward(ring, way.space, speed, way.run, way.beside, not way.made and speed > 3, PLAIN):
                if step.to is not None and (beside_first or way.sped or not step.beside):
                    sped = way.sped | {step.section} if step.run else way.sped
                    stack.append(Way(step.to, way.made + 1, step.run, step.beside, sped))
    return found


class Judged:
    """What a circuit's marks must say, by spaces ("What a curve's marks must say")."""

    def __init__(self, track: Track) -> None:
        self.ring = ring = Ring(track)
        spaces, low = range(len(track.spaces)), [speed for speed in SPEEDS if speed <= 9]
        every = {(at, speed): points(ring, at, speed, True) for at in spaces for speed in SPEEDS}
        straight = {(at, speed): points(ring, at, speed, False) for at in spaces for speed in low}
        self.front_of = [frozenset(curve for speed in SPEEDS for way in every[at, speed] for curve in way.sped)
                         for at in spaces]  # fmt: skip
        self.closed = {curve for curve in range(len(track.sections)) if ring.is_curve(curve)} - {
            curve
            for (at, _), ways in every.items()
            for way in ways
            for curve in way.sped
            if curve not in (ring.spaces[at].section, ring.spaces[way.space].section)
        }
        arrivals = {
            (way.space, way.run % 2)
            for (_, speed), ways in straight.items()
            for way in ways
            if way.run and way.made < speed
        }
        self.marks = [self._speed_marks([straight[at, speed] for speed in low], low) for at in spaces]
        for at in spaces:
            if ring.spaces[at].section in self.closed and self._holds(at, arrivals):
                self.marks[at].add(Mark.MU)

    @staticmethod
    def _speed_marks(ways: list[set[Way]], speeds: list[int]) -> set[Mark]:
        reach, passes = set[tuple[int, int]](), set[tuple[int, int]]()
        for speed, found in zip(speeds, ways, strict=True):
            reach |= {(speed, curve) for way in found for curve in way.sped}
            passes |= {(speed, curve) for way in found for curve in way.sped if way.made == speed}
        if not passes:
            return set()
        return {Mark.TRIANGLE, Mark.SIGMA} if passes == reach else {Mark.TRIANGLE}

    def _holds(self, at: int, arrivals: set[tuple[int, int]]) -> bool:
        """Whether every car that arrives there speeding flies at its next step: a diagonal that leaves the track."""
        if (at, 1) not in arrivals or (at, 0) in arrivals or self.ring.before_double_line(at):
            return False
        return self.ring.onward(at, -1 if self.ring.outside(self.ring.spaces[at].section) == 0 else 1) is None
