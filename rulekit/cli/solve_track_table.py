"""The readable form of a circuit's laps: the verdict, the laps, the starts, and the best colours as a strip."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rulekit.cli.output import tabulated
from rulekit.cli.solve_table import percent
from rulekit.ps.dice import Colour
from rulekit.ps.track import LANES
from rulekit.readings import Fuel
from rulekit.solve.laps import Figures, Laps

LETTERS = {Colour.BLUE: "b", Colour.RED: "r", Colour.YELLOW: "y"}


@dataclass(frozen=True)
class Found:
    """Laps solved, and the damage that the car begins with."""

    laps: Laps
    damage: int

    @cached_property
    def race(self) -> tuple[int, Figures]:
        """The best start and the race from there."""
        return self.laps.race(self.damage)

    @cached_property
    def flying(self) -> tuple[int, Figures]:
        """The best flying lap."""
        return self.laps.flying_lap(self.damage)

    @cached_property
    def standing(self) -> tuple[int, Figures] | None:
        """The best standing lap; None without a grid."""
        return self.laps.standing_lap(self.damage) if self.laps.places.boxes else None

    @cached_property
    def starts(self) -> list[tuple[int, Figures]]:
        """Every start of the race."""
        laps, boxes = self.laps, self.laps.places.boxes
        lacking = laps.laps + 1 if boxes else laps.laps
        places = boxes or laps.places.behind_line
        return [(place, laps.figures(place, lacking, self.damage, laps.at_start)) for place in places]


def warnings(found: Found) -> Iterator[str]:
    """What to know before believing the figures."""
    laps, (_, race) = found.laps, found.race
    if race.sink > 0.5:
        yield f"the best race loses the car on purpose: that costs only {laps.sink_cost:g} turns (--sink-cost)"
    elif race.value > laps.sink_cost:
        yield (
            f"the race takes more turns than the {laps.sink_cost:g} that a lost car counts as (--sink-cost): "
            "cars may be lost on purpose, choose a higher one"
        )
    if laps.readings.fuel is Fuel.LIMITED and laps.track.pit is None:
        yield "the track has no pit lane: under fuel=limited no car can be placed (PS-22)"


def table(found: Found) -> str:
    """Everything for people."""
    return "\n\n".join(["\n".join(_verdict(found)), _laps(found), _starts(found), _strip(found)])


def _verdict(found: Found) -> Iterator[str]:
    laps, (place, race) = found.laps, found.race
    told = f"; readings: {laps.readings}" if str(laps.readings) else ""
    yield f"{laps.track.name}: one car alone, {_count(laps.laps, 'lap')}{told}."
    hurt = f" with {_count(found.damage, 'point')} of damage" if found.damage else ""
    yield f"The best race takes {race.turns:.2f} turns from {laps.places.name(place)}{hurt}."
    also = " or not refuelling" if laps.readings.fuel is Fuel.LIMITED else ""
    yield f"Value {race.value:.6f} = turns + {laps.sink_cost:g} × chance of losing the car{also} (--sink-cost),"
    yield f"certified {race.lower:.9f} … {race.upper:.9f}."
    yield f"The car is lost in {percent(race.sink)} of races."
    if laps.readings.fuel is Fuel.LIMITED:
        yield f"It finishes without its compulsory stop in {percent(race.unplaced)}."


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _laps(found: Found) -> str:
    kinds = [("flying lap", found.flying), ("standing lap", found.standing), ("race", found.race)]
    rows = [
        (kind, found.laps.places.name(lap[0]), f"{lap[1].turns:.4f}", percent(lap[1].sink), f"{lap[1].value:.4f}")
        for kind, lap in kinds
        if lap
    ]
    return tabulated(["best", "from", "turns", "car lost", "value"], rows)


def _starts(found: Found) -> str:
    laps, best = found.laps, found.race[1].value
    rows = [(laps.places.name(place), f"{one.value:.4f}", f"{one.value - best:.4f}") for place, one in found.starts]
    return tabulated(["start", "value", "longer"], rows)


def _strip(found: Found) -> str:
    """The best colours as the file's pictures show the track."""
    head = "Best die by space, first lap just begun (b blue, r red, y yellow; - the space before it goes on):"
    parts = [head, *(_section(found, number) for number in range(len(found.laps.track.sections)))]
    return "\n".join([*parts, "json and csv have the values of all spaces, and the best die in the last lap."])


def _section(found: Found, number: int) -> str:
    section = found.laps.track.sections[number]
    limit = "" if section.limit is None else f", limit {section.limit}"
    lines = [f"{lane:<8}{' '.join(_row(found, number, index))}" for index, lane in enumerate(LANES)]
    return "\n".join([f"{section.id}{limit}", *lines])


def _row(found: Found, section: int, lane: int) -> Iterator[str]:
    laps = found.laps
    for column in range(1, laps.track.sections[section].columns + 1):
        if laps.track.line == (section, column - 1):
            yield "|"
        space = laps.track.at_column[section, lane, column]
        first = laps.track.spaces[space].first == column
        yield LETTERS[laps.colour(space, laps.laps, found.damage, laps.at_start)] if first else "-"
    if laps.track.line == (section, laps.track.sections[section].columns):
        yield "|"
