"""The verdict on a circuit in words: its marks, its limits, its starts, and what to change."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulekit.ps.dice import Colour
from rulekit.report.forms import decimal, percent, whole
from rulekit.report.measured import Measured
from rulekit.report.parts import Level, Statement
from rulekit.report.track import Circuit
from rulekit.study.figure import Figure

POLE = 0.25
"""Turns between the best and the worst start box from which on the grid is worth more than a lucky die."""

LOSSES = 0.05
"""Cars lost at the best play above which the fastest race is a gamble: one in twenty of those who do nothing wrong."""

DULL = 1 / 100
"""A curve at which red flies less often than this, in the mean of all spaces before it, hardly slows anybody."""

SHARP = 1 / 3
"""A curve at which red flies more often than this cannot be come to with red: the limit rules a colour out."""


UNUSED = 0.05
"""Share of the dice picked below which a colour has no use: less than one die in twenty."""

QUIET = 1.0
"""Overtakes a lap below which the cars drive in a row."""

POLE_WINS = 2.0
"""Times its equal share that the pole wins from which on the line-up has decided too much."""


@dataclass(frozen=True)
class KnownTrack:
    """What the words are made from."""

    circuit: Circuit
    measured: Mapping[str, Measured]

    def figures(self, name: str) -> Sequence[Figure]:
        """The figures of a metric that have a value."""
        return self.measured[name].known if name in self.measured else ()


def summary(known: KnownTrack) -> Iterator[str]:
    """The circuit in a few words."""
    circuit, laps = known.circuit, known.circuit.laps
    place, lap = laps.flying_lap()
    _, race = laps.race()
    yield (
        f"Alone and at the best play a flying lap takes {lap.turns:.2f} turns from {laps.places.name(place)}, the race "
        f"of {laps.laps} laps {race.turns:.2f}; the car is lost in {percent(race.sink)} of races."
    )
    yield f"It has {len(circuit.unmarked.curves)} curves and {len(circuit.spaces)} spaces in front of or in one."


def statements(known: KnownTrack) -> Iterator[Statement]:
    """What a designer asks of a circuit."""
    circuit = known.circuit
    yield _marks(circuit)
    yield _idle(circuit)
    yield _deadly(circuit)
    yield _dangerous(circuit)
    yield _grid(circuit)
    yield _losses(circuit)
    for make in (_colours, _overtakes, _pole):
        found = make(known)
        if found:
            yield found


def _marks(circuit: Circuit) -> Statement:
    question = "Are the marks what the curves earn?"
    if not circuit.findings:
        return Statement("fine", question, f"Yes, all of {len(circuit.spaces)} spaces.")
    at, what, _ = circuit.findings[0]
    return Statement("alert", question, f"No: {len(circuit.findings)} findings.", f"The first: {at}: {what}.")


def red_flies(circuit: Circuit) -> dict[int, float]:
    """The mean chance of red to fly at each curve as it stands."""
    limits = circuit.file.track.sections
    return {
        curve: float(effect.fly[Colour.RED])
        for curve in circuit.unmarked.curves
        for effect in circuit.effects[curve]
        if effect.limit == limits[curve].limit
    }


def _names(circuit: Circuit, curves: Sequence[int]) -> str:
    return ", ".join(circuit.section(curve) for curve in curves)


def dull(circuit: Circuit) -> list[int]:
    """Curves that slow nobody: idle ones, and those where red hardly flies."""
    flies = red_flies(circuit)
    return [curve for curve in circuit.unmarked.curves if curve in circuit.unmarked.idle or flies.get(curve, 1) < DULL]


def _idle(circuit: Circuit) -> Statement:
    found, question = dull(circuit), "Does every curve slow the cars?"
    told = "; ".join(f"{circuit.section(curve)} {percent(share)}" for curve, share in red_flies(circuit).items())
    detail = f"Red flies, in the mean of all spaces before the curve: {told}."
    if not found:
        return Statement("fine", question, f"Yes, each of {len(circuit.unmarked.curves)}.", detail)
    return Statement("watch", question, f"Hardly at {_names(circuit, found)}.", detail)


def sharp(circuit: Circuit) -> list[int]:
    """Curves that rule a colour out or cannot be passed speeding."""
    flies = red_flies(circuit)
    return [
        curve for curve in circuit.unmarked.curves if curve in circuit.unmarked.deadly or flies.get(curve, 0) > SHARP
    ]


def _deadly(circuit: Circuit) -> Statement:
    found, question = sharp(circuit), "Is a curve too sharp to be a choice?"
    closed = sorted(circuit.unmarked.closed)
    told = f"Closed (no speeding car passes in one move): {_names(circuit, closed)}." if closed else ""
    if not found:
        return Statement("fine", question, "No: every curve can be driven at speed by somebody.", told)
    return Statement(
        "watch",
        question,
        f"{_names(circuit, found)}: red flies more often than one time in three, or no triangle can be earned.",
        told,
    )


def _dangerous(circuit: Circuit) -> Statement:
    ranked = sorted(circuit.spaces, key=lambda space: -space.fly[Colour.RED])[:3]
    told = ", ".join(
        f"{circuit.file.track.name_of(space.space)} ({percent(float(space.fly[Colour.RED]))})" for space in ranked
    )
    return Statement(
        "watch",
        "Which spaces are dangerous?",
        f"For red: {told}.",
        "Chances that the die leaves no way but flying; the circuit below tells every space by colour.",
    )


def _grid(circuit: Circuit) -> Statement:
    ranked = sorted(circuit.starts, key=lambda start: start[1].value)
    (best, fast), (worst, slow) = ranked[0], ranked[-1]
    apart, question = slow.value - fast.value, "Is the grid fair?"
    detail = f"{best}: {fast.value:.2f} turns, {worst}: {slow.value:.2f}, each alone on the track."
    if apart < POLE:
        return Statement("fine", question, f"Yes: no two starts are {POLE:g} turns apart.", detail)
    answer = f"A car alone loses {apart:.2f} turns from {worst} against {best}."
    return Statement("watch", question, answer, detail)


def _losses(circuit: Circuit) -> Statement:
    _, race = circuit.laps.race()
    question = "Can the race be driven without losing the car?"
    if race.sink <= LOSSES:
        return Statement("fine", question, f"Yes: at the best play {percent(race.sink)} are lost.")
    return Statement("alert", question, f"Hardly: even at the best play {percent(race.sink)} are lost.")


def _colours(known: KnownTrack) -> Statement | None:
    figures = known.figures("dice-shares")
    if not figures:
        return None
    question = "Does every colour of dice have its use?"
    told = ", ".join(f"{one.label} {percent(one.value or 0)}" for one in figures)
    unused = [one.label for one in figures if (one.value or 0) < UNUSED]
    if unused:
        return Statement("watch", question, f"Hardly {' and '.join(unused)}.", f"Dice picked: {told}.")
    return Statement("fine", question, "Yes, all three.", f"Dice picked: {told}.")


def _overtakes(known: KnownTrack) -> Statement | None:
    found = next(iter(known.figures("overtakes")), None)
    if found is None or found.value is None:
        return None
    question, answer = "Do the cars overtake?", f"{found.value:.1f} times a lap."
    detail = f"In {whole(found.n or 0)} races; 95 %: {decimal(found.low or 0)} to {decimal(found.high or 0)}."
    if found.value < QUIET:
        return Statement("watch", question, f"Hardly: {answer}", detail)
    return Statement("fine", question, f"Yes: {answer}", detail)


def _pole(known: KnownTrack) -> Statement | None:
    figures = known.figures("grid-wins")
    if len(figures) < 2:
        return None
    pole, fair, question = figures[0], 1 / len(figures), "Does the pole win?"
    detail = f"An equal share is {percent(fair)}; 95 %: {percent(pole.low or 0)} to {percent(pole.high or 0)}."
    answer = f"it wins {percent(pole.value or 0)} of {whole(pole.n or 0)} races"
    if (pole.low or 0) <= fair <= (pole.high or 1):
        level: Level = "fine" if (pole.high or 1) < POLE_WINS * fair else "unknown"
        return Statement(level, question, f"No difference seen: {answer}.", detail)
    if (pole.value or 0) > POLE_WINS * fair:
        return Statement("alert", question, f"Too often: {answer}.", detail)
    return Statement("watch", question, f"{answer.capitalize()}.", detail)


def advice(known: KnownTrack) -> Iterator[str]:
    """What to change."""
    circuit = known.circuit
    for at, what, _ in circuit.findings[:3]:
        yield f"{at}: {what}; mend the mark, or change the limit that would earn it."
    for curves, change in ((dull(circuit), -1), (sharp(circuit), 1)):
        for curve in curves:
            yield from _other_limit(circuit, curve, change)


def _other_limit(circuit: Circuit, curve: int, change: int) -> Iterator[str]:
    limit = circuit.file.track.sections[curve].limit or 0
    for effect in circuit.effects[curve]:
        if effect.limit == limit + change:
            flies = percent(float(effect.fly[Colour.RED]))
            tried = f"with limit {effect.limit} instead of {limit}"
            yield f"{circuit.section(curve)}: {tried} red would fly {flies} of the time."
