"""Rulings on one written move of a car: which of its legal ends it is, or what is wrong with it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, NoReturn

from rulekit.files.car_transcript import FLOWN, CarLine, CarTranscript, at, die_text, letter
from rulekit.files.car_transcript_write import JOINTS, move_text
from rulekit.files.track import named_space
from rulekit.ps.car import Status, player_of
from rulekit.ps.moves import DAMAGING, Kind
from rulekit.ps.race import Die, Moved, Phase, Race, ends, is_starved, moved
from rulekit.ps.terms import EMPTY_SPEED, Terms
from rulekit.ps.track import LANES, Track
from rulekit.readings import Strike
from rulekit.simulate.car_game import car_line
from rulekit.simulate.referee import Illegal

RULES = {Kind.FLY: "PS-16", Kind.STRIKE: "PS-17", Kind.STAY: "PS-18", Kind.WAIT: "PS-8"}
WORDS = {kind: word for word, kind in FLOWN.items()}
VERBS = {Kind.FLY: "flies", Kind.STRIKE: "strikes", Kind.STAY: "has nowhere to go"}
NOT_TOLD = {"fuel": "has no tank to read: no fuel is counted, or it races no more", "place": "has no place yet"}
PLAIN = {Kind.FLY: "fly", Kind.STRIKE: "strike", Kind.STAY: "stay"}


class End(NamedTuple):
    """A legal end of a move, and the line that would be written for it."""

    event: Moved
    line: CarLine


def ruling(transcript: CarTranscript, race: Race, line: CarLine) -> Moved:
    """The move that a line tells of; raises Illegal where it is none that the rules allow."""
    die = _need_turn(transcript, race, line)
    known = legal_ends(race, line.car, die)
    track, told = race.terms.track, f"car {letter(line.car)} with {die_text(die)}"
    wanted = _canonical(track, line.end, line)
    found = [end for end in known if end.line.end == wanted]
    if not found:
        message = f"{told} from {track.name_of(race.cars[line.car].space)} cannot end on {wanted}"
        rule, reason = _why_not(race, line.car, die, known, wanted)
        raise Illegal("end", f"{message}{reason}", rule, at(line.places, "end"), _texts(known))
    found = _of_kind(track, line, found, told)
    return _with_numbers(line, found, f"{told} to {wanted}").event


def legal_ends(race: Race, car: int, die: Die) -> list[End]:
    """Every legal end of a car's move with the line that it writes."""
    events = [Moved(car, die, outcome) for outcome in ends(race, car, die)]
    return [End(event, car_line(race, event, moved(race, event))) for event in events]


def _need_turn(transcript: CarTranscript, race: Race, line: CarLine) -> Die:
    """The die, where the car is to be moved and the die is there."""
    name, car = f"car {letter(line.car)}", race.cars[line.car]
    where = at(line.places, "line")
    if not car.races:
        ended = "has finished" if car.status is Status.FINISHED else "is out of the race"
        raise Illegal("order", f"{name} {ended}", "PS-20" if car.status is Status.OUT else "PS-23", where)
    if race.mover != player_of(line.car) or race.phase is not Phase.MOVE:
        whose = transcript.name(race.mover or 0)
        why = f"{whose} throws first" if race.phase is not Phase.MOVE else f"{whose} is moving"
        raise Illegal("order", f"{name} is not to move now: {why}", "PS-6", where)
    if line.car not in race.waiting:
        in_pit = car.status is Status.PIT and car.space not in {race.cars[other].space for other in race.waiting}
        why = "is in the pit lane and takes no die" if in_pit else "has had its die this turn"
        raise Illegal("order", f"{name} {why}", "PS-21" if in_pit else "PS-6", where)
    if line.die is None or line.die not in race.dice:
        left = ", ".join(map(die_text, race.dice))
        told = die_text(line.die) if line.die else "none"
        raise Illegal("die", f"there is no die {told} left: there is {left}", "PS-6", at(line.places, "die"),
                      [die_text(die) for die in dict.fromkeys(race.dice)])  # fmt: skip
    return line.die


def _canonical(track: Track, name: str, line: CarLine, word: str = "end") -> str:
    """A space's name by its first column; raises Illegal where there is no such space."""
    words = name.split()
    if len(words) != 3 or words[1] not in LANES:
        return name
    space, message = named_space(track, name)
    if space is None:
        raise Illegal("space", message, "PS-2", at(line.places, word))
    return track.name_of(space)


def _why_not(race: Race, car: int, die: Die, known: Sequence[End], wanted: str) -> tuple[str, str]:
    """The rule that speaks against an end, and what it says."""
    kinds = {end.event.outcome.kind for end in known}
    if kinds == {Kind.WAIT}:
        return "PS-8", ": it waits in its box"
    if kinds <= DAMAGING:
        rule = RULES[next(iter(kinds))] if len(kinds) == 1 else "PS-15"
        return rule, ": it " + " or ".join(VERBS[kind] for kind in VERBS if kind in kinds)
    if wanted in _by_choice(race, car, die):
        return "PS-15", ": another way is free"
    if race.cars[car].status is Status.BOX:
        return "PS-8", ""
    if is_starved(race, car, die):
        return "PS-19", f": on an empty tank it moves {EMPTY_SPEED} spaces"
    return _rule_of_steps(race.terms.track, race.cars[car].space, wanted, die.value), ""


def _by_choice(race: Race, car: int, die: Die) -> set[str]:
    """Where the car would end could its driver choose to fly or strike."""
    terms = race.terms
    free = Terms(terms.track, replace(terms.readings, strike=Strike.FREE), terms.laps)
    return {terms.track.name_of(end.end) for end in ends(replace(race, terms=free), car, die)}


def _rule_of_steps(track: Track, start: int, wanted: str, speed: int) -> str:
    """The rule of the sections where a move begins and is said to end: curves at speed, other curves, straights."""
    spaces = [space for space in (start, track.by_name.get(wanted, -1)) if space >= 0]
    curves = [section for section in (track.sections[track.spaces[space].section] for space in spaces)
              if section.is_curve]  # fmt: skip
    if any(curve.limit is not None and speed > curve.limit for curve in curves):
        return "PS-12"
    return "PS-11" if curves else "PS-9"


def _of_kind(track: Track, line: CarLine, known: Sequence[End], told: str) -> list[End]:
    """Those ends that come about as the line says: moved freely, flown, struck, and from where."""
    found = [end for end in known if end.line.kind == line.kind]
    if not found:
        right = known[0].event.outcome.kind
        way = f"makes its way to {known[0].line.end}" if right not in VERBS else f"{VERBS[right]} there"
        slip = "" if line.kind is None else f"does not {PLAIN[line.kind]}: it "
        where = at(line.places, WORDS[line.kind] if line.kind else "end")
        raise Illegal("kind", f"{told} {slip}{way}", RULES.get(right, "PS-15"), where, _texts(known))
    if line.origin is None:
        return found
    origin = _canonical(track, line.origin, line, "origin")
    there = [end for end in found if end.line.origin == origin]
    if not there:
        ways = " or ".join(f"{JOINTS[end.event.outcome.kind]} {end.line.origin}" for end in found)
        raise Illegal("origin", f"{told} {WORDS[line.kind or Kind.FLY]} {ways}, not {origin}",
                      RULES[found[0].event.outcome.kind], at(line.places, "origin"), _texts(found))  # fmt: skip
    return there


def _with_numbers(line: CarLine, known: Sequence[End], told: str) -> End:
    """The end with the damage, fuel and place that the line tells."""
    checks: tuple[tuple[str, Callable[[CarLine], int | None], str, str], ...] = (
        ("damage", lambda one: one.damage, "has {} damage afterwards, not {}", _damage_rule(known[0])),
        ("fuel", lambda one: one.fuel, "has {} fuel left, not {}", "PS-22"),
        ("place", lambda one: one.place, "takes place {}, not {}", "PS-20" if known[0].line.end == "out" else "PS-23"),
    )
    for word, number, message, rule in checks:
        wanted = number(line)
        if wanted is None:
            continue
        fitting = [end for end in known if number(end.line) == wanted]
        if not fitting:
            right = number(known[0].line)
            shown = message.format(right, wanted) if right is not None else NOT_TOLD[word]
            raise Illegal(word, f"{told} {shown}", rule, at(line.places, word), _texts(known))
        known = fitting
    return known[0]


def _damage_rule(end: End) -> str:
    if end.line.end == "out":
        return "PS-20"
    return RULES.get(end.event.outcome.kind, "PS-19")


def pit_ruling(transcript: CarTranscript, race: Race, line: CarLine, seat: int | None) -> None:
    """A car that has gone on in the pit lane; raises Illegal where it is not there."""
    name, car, track = f"car {letter(line.car)}", race.cars[line.car], race.terms.track
    if seat != player_of(line.car):
        whose = "nobody has thrown yet" if seat is None else f"it is {transcript.name(seat)}'s turn"
        raise Illegal("order", f"{name} does not go on now: {whose}", "PS-21", at(line.places, "line"))
    if car.status is not Status.PIT:
        _needs_die(race, line)
    if track.name_of(car.space) != line.end:
        message = f"{name} goes on to {track.name_of(car.space)}, not to {line.end}"
        raise Illegal("pit", message, "PS-21", at(line.places, "end"))
    if line.damage != car.damage:
        message = f"{name} has {car.damage} damage on {line.end}, not {line.damage}"
        raise Illegal("damage", message, "PS-21", at(line.places, "damage"))
    if line.fuel is not None and line.fuel != car.tank:
        message = f"{name} has {car.tank} fuel on {line.end}, not {line.fuel}"
        raise Illegal("fuel", message, "PS-22", at(line.places, "fuel"))


def _needs_die(race: Race, line: CarLine) -> NoReturn:
    left = ", ".join(map(die_text, race.dice)) or "none is left"
    message = f"car {letter(line.car)} is not in the pit lane: it moves with a die ({left})"
    raise Illegal("die", message, "PS-6", at(line.places, "end"))


def _texts(known: Sequence[End]) -> list[str]:
    """The legal ends as they would be written."""
    return list(dict.fromkeys(move_text(end.line) for end in known))
