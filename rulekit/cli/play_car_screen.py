"""What `play` shows of a car race: the straightened track with its cars, the options of a decision, what happened."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import takewhile

from rulekit.cli.output import percent, plural, tabulated
from rulekit.cli.replay_cars import cars_text
from rulekit.files.car_transcript import CarEvent, CarTranscript, DiceLine, PlanLine, die_text, letter
from rulekit.files.car_transcript_write import event_text
from rulekit.plot.circuit_picture import CarMark, CircuitPicture
from rulekit.plot.circuit_text import circuit_text
from rulekit.ps.car import Status, player_of
from rulekit.ps.dice import Colour, values
from rulekit.ps.lineup import LineUp
from rulekit.ps.moves import Kind, Outcome
from rulekit.ps.picks import Pick
from rulekit.ps.race import Die, Moved, Race, ends, points_taken
from rulekit.simulate.car_game import CarGame, underway
from rulekit.simulate.car_questions import Moving, Picking
from rulekit.simulate.car_values import columns_at, columns_driven

WIDTH = 80

RAREST = Fraction(1, 5000)
"""Values of red that are rarer count as the last one that is not."""

HAPPENS = {
    Kind.FLY: "flies from {}", Kind.STRIKE: "strikes at {}", Kind.STAY: "nowhere to go", Kind.WAIT: "waits in its box",
    Kind.FINISH: "finishes", Kind.PIT: "into the pit, steps left over are lost",
}  # fmt: skip


def called(transcript: CarTranscript, seat: int) -> str:
    """A seat by its number with its name or policy.

    >>> from rulekit.files.transcript import SeatLine
    >>> called(CarTranscript("orchard", (SeatLine("Ann"), SeatLine(policy="solo"))), 1)
    '2 (solo)'
    """
    told = transcript.seats[seat]
    return f"{seat + 1} ({told.name or told.policy or 'human'})"


def board(game: CarGame, legend: bool, colour: bool) -> str:
    """The straightened track with its cars, and a line for each car."""
    race = underway(game)
    marks = tuple(
        CarMark(car.space, letter(number), player_of(number))
        for number, car in enumerate(race.cars)
        if car.status is Status.TRACK
    )
    strip = circuit_text(CircuitPicture(race.terms.track, cars=marks), WIDTH, colour, legend)
    return f"{strip}\n\n{cars_text(race)}"


def heading(game: CarGame) -> str:
    """What is raced."""
    terms = game.terms
    seats = ", ".join(called(game.transcript, seat) for seat in range(len(game.transcript.seats)))
    return f"{terms.track.name}, {plural(terms.laps, 'lap')}: {seats}"


def line_up_text(transcript: CarTranscript, lineup: LineUp) -> str:
    """The cars in their boxes from the pole back, and who begins."""
    boxes = sorted(range(len(lineup.boxes)), key=lambda car: -lineup.boxes[car])
    cars = " ".join(map(letter, boxes))
    return f"line-up from the pole back: {cars}; {called(transcript, lineup.starter)} begins"


# Dice


def picks_text(question: Picking, every: bool) -> str:
    """For each car that takes a die what the colours do to it; with `every` also what the picks show."""
    race = question.race
    heads = ("car", "at", *(colour.value for colour in Colour))
    lines = [
        (letter(car), race.terms.track.name_of(race.cars[car].space), *(_prospect(race, car, c) for c in Colour))
        for car in race.movable
    ]
    table = tabulated(heads, lines)
    told = f"{table}\n(chance that no end is without damage; mean of the most columns forward)"
    return f"{told}\n\n{_every_pick(question)}" if every else told


def _prospect(race: Race, car: int, colour: Colour) -> str:
    """The chance of damage that cannot be avoided, and the mean of the most columns forward."""
    shown = list(takewhile(lambda one: one[1] > RAREST, values(colour)))
    shown[-1] = (shown[-1][0], 1 - sum((chance for _, chance in shown[:-1]), Fraction(0)))
    hurt, gained = Fraction(0), 0.0
    for value, chance in shown:
        die = Die(colour, value)
        found = ends(race, car, die)
        hurt += chance * all(points_taken(race, car, die, end) for end in found)
        gained += float(chance) * max(columns(race, car, end) for end in found)
    return f"{percent(hurt):>7} {gained:+5.1f}"


def columns(race: Race, car: int, end: Outcome) -> int:
    """Columns forward of an end."""
    crossings = max(0, race.cars[car].crossings + end.line)
    return columns_at(race.terms, end.end, crossings) - columns_driven(race, race.cars[car])


def _every_pick(question: Picking) -> str:
    lines = []
    for option in question.options:
        pick = Pick(option.colours)
        lowest, *_, highest = [*pick.ranked_means(), pick.ranked_means()[-1]]
        lines.append((str(pick), *(f"{float(mean):.1f}" for mean in (pick.mean, lowest, highest))))
    return tabulated(("pick", "mean sum", "lowest", "highest"), lines)


# Moves


def moves_text(question: Moving) -> str:
    """For each car that still moves what each die would do."""
    race = question.race
    dice = list(dict.fromkeys(race.dice))
    lines = [
        (letter(car), race.terms.track.name_of(race.cars[car].space), *(_summary(question, car, die) for die in dice))
        for car in race.waiting
    ]
    return tabulated(("car", "at", *map(die_text, dice)), lines)


def _summary(question: Moving, car: int, die: Die) -> str:
    """How many ends a die gives, or what it cannot avoid."""
    found = [move.outcome for move in question.options if (move.car, move.die) == (car, die)]
    kinds = {end.kind for end in found}
    if len(found) == 1 or (len(kinds) == 1 and Kind.MOVE not in kinds):
        return _kind_word(question.race, found[0])
    own = [word for kind, word in ((Kind.PIT, "pit"), (Kind.FINISH, "finish")) if kind in kinds]
    return ", ".join([f"{len(found)} ends", *own])


def _kind_word(race: Race, end: Outcome) -> str:
    words = {Kind.FLY: "flies", Kind.STRIKE: "strikes", Kind.STAY: "nowhere to go", Kind.WAIT: "waits"}
    return words.get(end.kind) or race.terms.track.name_of(end.end)


def ends_text(race: Race, options: Sequence[Moved]) -> str:
    """A car's ends with a die, numbered."""
    lines = [
        (str(number), race.terms.track.name_of(move.outcome.end), f"{columns(race, move.car, move.outcome):+d}",
         ", ".join(happens(race, move)))
        for number, move in enumerate(options, 1)
    ]  # fmt: skip
    return tabulated(("nr", "ends on", "columns", "what happens"), lines, colalign=("right", "left", "right", "left"))


def happens(race: Race, move: Moved) -> Iterator[str]:
    """What comes of a move besides its end."""
    track, end = race.terms.track, move.outcome
    if end.kind in HAPPENS:
        yield HAPPENS[end.kind].format("" if end.origin is None else track.name_of(end.origin))
    points = points_taken(race, move.car, move.die, end)
    if points:
        yield f"damage {race.cars[move.car].damage + points}"
    if end.line > 0 and end.kind is not Kind.FINISH:
        yield "over the line"


# What happened


def told(transcript: CarTranscript, events: Iterable[CarEvent]) -> Iterator[str]:
    """Events in words: the transcript's lines, seats by name, moves set in."""
    for event in events:
        text = event_text(event)
        if isinstance(event, DiceLine):
            yield f"{called(transcript, event.seat)}: {text.partition(': ')[2]}"
        else:
            yield text if isinstance(event, PlanLine) else f"  {text}"
