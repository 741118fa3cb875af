"""A second bookkeeper of car races, slow and plain: written from the rules' sentences, with its own arithmetic of the
ring. It is told every event and says what it means; `agree` compares that with the engine, car by car."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from rulekit.ps.dice import Colour
from rulekit.ps.race import Event, Moved, Phase, Picked, Planned, Race, Thrown
from rulekit.ps.track import LANES, Track
from rulekit.readings import Fuel

Row = dict[str, Any]


class Ring:
    """The ring by columns, counted from the line; only sections and spaces are looked at."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.columns = sum(section.columns for section in track.sections)
        before = [sum(section.columns for section in track.sections[:k]) for k in range(len(track.sections))]
        line = before[track.line[0]] + track.line[1]
        self.last = [(before[space.section] + space.last - 1 - line) % self.columns for space in track.spaces]
        self.by_lane = [
            sorted((k for k, space in enumerate(track.spaces) if space.lane == lane), key=self.last.__getitem__)
            for lane in range(len(LANES))
        ]

    def beside_box(self, box: int) -> int:
        """The inner lane's space beside a box: box 1 stands at `box_1`, each further one a column on (PS-4)."""
        space = self.track.box_1
        assert space is not None
        for _ in range(box - 1):
            space = self.behind(space, -1)
        return space

    def behind(self, space: int, by: int) -> int:
        """So many spaces behind in the same lane."""
        lane = self.by_lane[self.track.spaces[space].lane]
        return lane[(lane.index(space) - by) % len(lane)]

    def gained(self, before: int, after: int) -> int:
        """Columns from one space on to another."""
        return (self.last[after] - self.last[before]) % self.columns

    def crosses(self, before: int, columns: int) -> bool:
        """Whether going on by so many columns leads over the line."""
        return self.last[before] + columns >= self.columns

    def outside(self, space: int) -> set[int]:
        """The outside lane's space that covers the last column of a space (PS-16). In a curve it is that curve's; on a
        section's last space it may be that of the curve which the next step would have entered (PS-13)."""
        at, sections = self.track.spaces[space], self.track.sections
        curves = [sections[at.section]]
        if at.last == curves[0].columns:
            curves.append(sections[(at.section + 1) % len(sections)])
        lanes = {0 if curve.turn.word == "right" else 2 for curve in curves if curve.turn is not None}
        return {
            k for k, other in enumerate(self.track.spaces)
            if other.section == at.section and other.lane in lanes and other.first <= at.last <= other.last
        }  # fmt: skip


class Book:
    """What a race's events mean for every car, as rows of plain facts."""

    def __init__(self, race: Race) -> None:
        terms = race.terms
        self.ring, self.track, self.readings, self.laps = Ring(terms.track), terms.track, terms.readings, terms.laps
        self.fuel = terms.readings.fuel
        self.full = terms.track.tank[terms.laps] if self.fuel is Fuel.FULL else 0
        self.cars: list[Row] = [
            {"at": ("box", car.box), "box": car.box, "damage": 0, "tank": self.full, "crossed": 0, "refuelled": False,
             "plan": None, "place": None}
            for car in race.cars
        ]  # fmt: skip
        self.turn = race.mover
        self.dice: list[tuple[Colour, int]] = []
        self.picked: tuple[Colour, ...] = ()
        self.to_go: list[int] = []
        self.moved: list[int] = []

    def note(self, event: Event) -> None:
        """What happens is written down."""
        match event:
            case Planned(number, plan):
                self.cars[number]["plan"] = plan.value
                if plan.value != "both":
                    self.serve(self.cars[number])
            case Picked(colours):
                assert len(colours) == len(self.with_die()), "PS-6: one die for each car that is to move"
                assert all(colours.count(colour) <= 3 for colour in Colour)
                self.picked, self.moved = colours, []
                self.to_go = [k for k in self.own() if self.cars[k]["at"][0] == "pit" and k not in self.with_die()]
                self.go_on()
                if not colours:
                    self.end_turn()
            case Thrown(values):
                assert len(values) == len(self.picked)
                self.dice = list(zip(self.picked, values, strict=True))
            case Moved():
                self.drive(event)

    def own(self) -> range:
        assert self.turn is not None
        return range(3 * self.turn, 3 * self.turn + 3)

    def with_die(self) -> list[int]:
        """The cars that are to move: on the track, in a box, or done in the pit (PS-21)."""
        return [k for k in self.own() if self.cars[k]["place"] is None and self.leaves(self.cars[k])]

    @staticmethod
    def leaves(car: Row) -> bool:
        if car["at"][0] != "pit":
            return True
        return car["at"][1] == 6 or (car["at"][1] == 3 and car["plan"] in ("repair", "refuel"))

    def serve(self, car: Row) -> None:
        """Repair takes off all damage, refuelling fills the tank (PS-21)."""
        if car["plan"] in ("repair", "both"):
            car["damage"] = 0
        if car["plan"] in ("refuel", "both"):
            car["tank"], car["refuelled"] = self.full, True

    def go_on(self) -> None:
        """One pit space a turn; the stop space counts as pit space 0 (PS-21)."""
        for k in sorted(self.to_go, key=lambda k: -self.cars[k]["at"][1]):
            there = ("pit", self.cars[k]["at"][1] + 1)
            if all(car["at"] != there for car in self.cars):
                self.cars[k]["at"] = there
                self.to_go.remove(k)
                if there[1] == 3 and self.fuel is Fuel.NONE:
                    self.cars[k]["plan"] = "repair"
                    self.serve(self.cars[k])
                if there[1] == 6:
                    self.serve(self.cars[k])

    def drive(self, event: Moved) -> None:
        """A car's move with its die."""
        number, (colour, value), (kind, end, origin, line) = event
        car = self.cars[number]
        assert (colour, value) in self.dice, "PS-6: a die for each"
        assert number in self.with_die(), "PS-6: a car in the pit takes none"
        assert number not in self.moved, "PS-6: one die for each car"
        self.dice.remove((colour, value))
        self.moved.append(number)
        empty = self.fuel is Fuel.FULL and car["tank"] == 0 and colour is not Colour.BLUE
        speed = 3 if empty else value
        self.judge(car, kind.value, speed, end, origin, line, colour is Colour.BLUE)
        points = (kind.value in ("fly", "strike", "stay")) + (empty and kind.value != "wait")
        car["damage"] += points
        if car["damage"] >= 4:
            car["at"], car["place"] = ("out", 0), max(self.free_places())
            car["plan"] = None
        else:
            self.arrive(car, kind.value, value, end, line)
        if not self.dice:
            self.end_turn()

    def arrive(self, car: Row, kind: str, value: int, end: int, line: int) -> None:
        """A car that is not lost at its end: laps, fuel, place (PS-22, PS-23)."""
        if kind in ("stay", "wait"):
            return
        car["plan"] = None
        car["crossed"] = max(0, car["crossed"] + line)
        if self.fuel is Fuel.FULL:
            table = self.track.use
            car["tank"] = max(0, car["tank"] - table[max(speed for speed in table if speed <= value)])
        if kind == "finish":
            assert car["crossed"] == self.laps + 1, "PS-23: the first crossing begins lap 1"
            late = self.fuel is Fuel.LIMITED and not car["refuelled"]
            car["at"], car["place"] = ("finish", 0), max(self.free_places()) if late else min(self.free_places())
        else:
            assert car["crossed"] <= self.laps, "PS-23: the last lap ends the race"
            car["at"] = ("pit", 0) if kind == "pit" else ("track", end)

    def free_places(self) -> set[int]:
        return set(range(1, len(self.cars) + 1)) - {car["place"] for car in self.cars}

    def judge(self, car: Row, kind: str, speed: int, end: int, origin: int | None, line: int, blue: bool) -> None:
        """What the rules ask of an end, by plain geometry."""
        others = {other["at"][1] for other in self.cars if other is not car and other["at"][0] == "track"}
        start = self.start(car)
        wide = speed * max(space.last - space.first + 1 for space in self.track.spaces)
        if kind in ("stay", "wait"):
            assert line == 0
            assert (kind == "wait") <= (car["at"][0] == "box"), "PS-8: only a car in its box waits"
            assert not (kind == "stay" and car["at"][0] == "box"), "PS-8: in its box it takes no point"
            return
        if kind == "finish":
            return
        if kind == "pit":
            assert not any(other["at"] == ("pit", 0) for other in self.cars if other is not car)
            assert self.track.pit is not None
            end = self.track.pit.entry
        elif car["at"][0] == "box" and car["box"] > 1:
            assert self.track.spaces[end].lane != self.track.spaces[self.track.box_1 or 0].lane, "PS-8"
        assert kind == "pit" or end not in others, "one car a space"
        if kind == "move" and wide < self.ring.columns:
            columns = self.ring.gained(start, end)
            assert line == self.ring.crosses(start, columns), "PS-23"
            assert columns <= wide or car["at"][0] == "pit", "no further than its steps lead"
            assert blue or columns > 0, "PS-9: the first step leads ahead"
            self.straight(car, start, end, speed, columns, blue)
        if kind in ("fly", "strike") and wide < self.ring.columns:
            self.moved_back(kind, start, speed, end, origin, line, others)

    def start(self, car: Row) -> int:
        """Where a move is counted from: in the pit lane from its entry, in a box from the space beside it."""
        kind, where = car["at"]
        if kind == "pit":
            assert self.track.pit is not None
            return self.track.pit.entry
        return self.ring.beside_box(where) if kind == "box" else int(where)

    def straight(self, car: Row, start: int, end: int, speed: int, columns: int, blue: bool) -> None:
        """A move within one straight: every step beside costs one, none follows another, red's first leads ahead."""
        here, there = self.track.spaces[start], self.track.spaces[end]
        if here.section != there.section or self.track.sections[here.section].is_curve or here.last > there.last:
            return
        if car["at"][0] != "track":
            return
        lanes = abs(here.lane - there.lane)
        if blue:
            assert 1 <= lanes + columns <= speed
            assert lanes <= columns + 1, "PS-10: never two beside in a row"
        else:
            besides = speed - columns
            assert lanes <= besides <= columns, "PS-9, PS-10"
            assert (besides - lanes) % 2 == 0

    def moved_back(
        self, kind: str, start: int, speed: int, end: int, origin: int | None, line: int, others: set[int]
    ) -> None:  # fmt: skip
        """By as many spaces as the speed, one more while another car stands there (PS-16, PS-17)."""
        assert origin is not None
        forward = int(self.ring.crosses(start, self.ring.gained(start, origin)))
        bases = self.ring.outside(origin) if kind == "fly" else {origin}
        (base,) = (base for base in bases if self.track.spaces[base].lane == self.track.spaces[end].lane)
        by = speed
        while self.ring.behind(base, by) in others:
            by += 1
        assert end == self.ring.behind(base, by)
        passed = [self.ring.behind(base, k) for k in range(by + 1)]
        assert line == forward - sum(self.ring.last[b] > self.ring.last[a] for a, b in pairwise(passed))

    def end_turn(self) -> None:
        """The next player with cars is to move, clockwise."""
        self.go_on()
        self.picked, self.to_go = (), []
        assert self.turn is not None
        seats = len(self.cars) // 3
        round_ = [(self.turn + k) % seats for k in range(1, seats + 1)]
        still = [seat for seat in round_ if any(car["place"] is None for car in self.cars[3 * seat : 3 * seat + 3])]
        self.turn = still[0] if still else None

    def agree(self, race: Race) -> None:
        """Compares every fact with the engine's."""
        assert race.mover == self.turn
        for row, car in zip(self.cars, race.cars, strict=True):
            told = (car.damage, car.tank, car.crossings, car.refuelled, car.place, car.plan and car.plan.value)
            assert told == tuple(row[key] for key in ("damage", "tank", "crossed", "refuelled", "place", "plan"))
            assert self.named(row["at"]) == race.terms.track.name_of(car.space)
        self.lawful(race)

    def named(self, at: tuple[str, int]) -> str:
        if at[0] == "track":
            space = self.track.spaces[at[1]]
            return f"{self.track.sections[space.section].id} {LANES[space.lane]} {space.first}"
        return at[0] if at[0] in ("finish", "out") else "stop" if at == ("pit", 0) else f"{at[0]} {at[1]}"

    def lawful(self, race: Race) -> None:
        """What holds at every moment of a race."""
        standing = [row["at"] for row in self.cars if row["at"][0] in ("track", "pit", "box")]
        assert len(standing) == len(set(standing)), "one car a space"
        places = [row["place"] for row in self.cars if row["place"] is not None]
        assert len(places) == len(set(places))
        assert set(places) <= set(range(1, len(self.cars) + 1))
        for row in self.cars:
            assert 0 <= row["tank"] <= self.full, "fuel is never negative"
            assert (row["damage"] >= 4) == (row["at"][0] == "out")
            assert (row["place"] is None) == (row["at"][0] in ("track", "pit", "box"))
            assert 0 <= row["crossed"] <= self.laps + 1
        assert (race.phase is Phase.OVER) == (len(places) == len(self.cars))


def points_by_hand(points: Sequence[int], places: Sequence[int]) -> list[int]:
    """Each player's points (PS-24)."""
    table = [*points, *[0] * len(places)]
    return [sum(table[place - 1] for place in places[k : k + 3]) for k in range(0, len(places), 3)]
