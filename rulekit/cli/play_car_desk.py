"""The player's side of a car race at the keyboard: dice picked, cars moved, pit stops planned."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from string import digits
from typing import TypeVar

from rulekit.cli import play_car_screen as screen
from rulekit.cli.play_talk import HalfAnswer, NoAnswer, Saver, Talk
from rulekit.errors import BadInput, did_you_mean
from rulekit.files.car_transcript import die_text, letter
from rulekit.files.car_transcript_write import car_transcript_text
from rulekit.ps.dice import Colour
from rulekit.ps.race import Die, Moved, Race
from rulekit.simulate.car_game import CarGame
from rulekit.simulate.car_questions import CarPolicy, CarQuestion, Moving, Picking, Pitting

T = TypeVar("T")

HELP = """\
Dice: one for each car that moves, such as "2 blue 1 red" or bbr.
Moves: a car and its die (A yellow, A y8, A 8), then its end: the number of a
line, or the space (main left 5); back takes another car or die.
Words (a beginning will do, where it is no answer):
  board   the track and the cars      help    this (also ?), the track's signs
  list    every pick of dice          advice  what the policies would take
  save    write the race down         quit    save and leave; --resume goes on
Cars are A, B, C for seat 1, D, E, F for seat 2, and so on; those in boxes and
in the pit lane stand in the table only. The rules: rulekit rules ps."""

BACK = "back"
COLOURS = [colour.value for colour in Colour]


@dataclass
class CarDesk(Talk):
    """The race at the keyboard: where it stands, where it is saved, and who gives advice."""

    game: CarGame
    saver: Saver
    advisers: Mapping[str, CarPolicy]
    aside: bool = False
    solving: bool = True

    def save(self) -> None:
        """Write the race down and say how to go on."""
        transcript = self.game.transcript
        file = self.saver.write(lambda names: car_transcript_text(replace(transcript, track=names[0])))
        end = "" if self.game.over else f" (go on: rulekit play --resume {file})"
        self.say(f"saved: {file}{end}")

    def board(self, legend: bool = False) -> None:
        """Print track and cars; click strips the colours where no terminal reads them."""
        self.say(f"\n{screen.board(self.game, legend, colour=True)}\n")

    def asked(
        self, prompt: str, understand: Callable[[str], T], question: CarQuestion, listing: Callable[[bool], str]
    ) -> T:
        """What the player answers to a question; commands are obeyed."""
        return self.ask(prompt, understand, lambda word: self.obey(word, question, listing))

    def obey(self, word: str, question: CarQuestion, listing: Callable[[bool], str]) -> None:
        """Do what a command asks for."""
        if word == "board":
            self.board()
        elif word == "help":
            self.board(legend=True)
            self.say(HELP)
        elif word == "list":
            self.say(listing(True))
        elif word == "advice":
            self.advice(question)
        else:
            self.save()

    def advice(self, question: CarQuestion) -> None:
        """Say what each policy would take."""
        for name, policy in self.advisers.items():
            if name == "solo" and self.solving:
                self.say("solving the circuit (the first time ever this takes up to a minute) …")
                self.solving = False
            try:
                self.say(f"{name} would take {option_told(question, policy(question, Random(0)))}")
            except BadInput as fault:
                self.say(f"{name}: {fault}")


def option_told(question: CarQuestion, pick: int) -> str:
    """An option as the player would type it."""
    if isinstance(question, Pitting):
        return question.options[pick].value
    if isinstance(question, Picking):
        return " ".join(colour.value for colour in question.options[pick].colours) or "no dice"
    move = question.options[pick]
    end = question.race.terms.track.name_of(move.outcome.end)
    return f"{letter(move.car)} {die_text(move.die)} to {end}"


@dataclass
class CarHuman:
    """The policy of a person at the keyboard."""

    desk: CarDesk

    def __call__(self, question: CarQuestion, _rng: Random) -> int:
        """The option that the player names."""
        if isinstance(question, Picking):
            return self.pick(question)
        return self.move(question) if isinstance(question, Moving) else self.plan(question)

    def pick(self, question: Picking) -> int:
        """Which dice."""
        cars = [letter(car) for car in question.race.movable]
        self.desk.board()
        self.desk.say(screen.picks_text(question, every=False))
        example = "b, r or y" if len(cars) == 1 else "bbr, or 2 blue 1 red"
        prompt = f"dice for {', '.join(cars)} ({example}; ? for help): "
        return self.desk.asked(prompt, lambda text: _picked(question, text, cars), question,
                               lambda every: screen.picks_text(question, every))  # fmt: skip

    def move(self, question: Moving) -> int:
        """Which car with which die, then where to."""
        race = question.race
        if len(question.options) == 1:
            return 0
        while True:
            car, die = self.car_and_die(question)
            options = [move for move in question.options if (move.car, move.die) == (car, die)]
            chosen = self.end(question, options)
            if chosen is not None:
                return question.options.index(chosen)
            self.desk.say(f"\n{screen.moves_text(question)}" if len(race.waiting) > 1 else "")

    def car_and_die(self, question: Moving) -> tuple[int, Die]:
        """The car that moves next and its die; those left where only one is."""
        race, dice = question.race, list(dict.fromkeys(question.race.dice))
        if len(race.waiting) == 1 and len(dice) == 1:
            return race.waiting[0], dice[0]
        self.desk.say(f"\n{screen.moves_text(question)}")
        prompt = f"car and die (such as {letter(race.waiting[0])} {die_text(dice[0])}; ? for help): "
        return self.desk.asked(prompt, lambda text: car_and_die(race, text), question,
                               lambda _every: screen.moves_text(question))  # fmt: skip

    def end(self, question: Moving, options: Sequence[Moved]) -> Moved | None:
        """Where the car ends; None to take another car or die."""
        race, name = question.race, f"{letter(options[0].car)}, {die_text(options[0].die)}"
        listing = screen.ends_text(race, options)
        back = len(race.waiting) > 1 or len(set(race.dice)) > 1
        if len(options) == 1 and not back:
            self.desk.say(f"{name}: the only end")
            return options[0]
        self.desk.say(f"\n{name}\n{listing}")
        most = "1" if len(options) == 1 else f"1 to {len(options)}"
        prompt = f"where ({most}, or a space{'; back' if back else ''}; ? for help): "
        return self.desk.asked(prompt, lambda text: _end(race, options, text, back), question, lambda _every: listing)

    def plan(self, question: Pitting) -> int:
        """What a car on pit space 3 is to do."""
        words = [plan.value for plan in question.options]
        car = question.race.cars[question.car]
        tank = f", fuel {car.tank}" if question.race.terms.counts_fuel else ""
        told = f"car {letter(question.car)} is on pit 3 with damage {car.damage}{tank}"
        listing = f"{told}: repair or refuel and leave now, or both and go on to pit 6"
        self.desk.board()
        self.desk.say(listing)
        prompt = f"{' or '.join(words)}? "
        return self.desk.asked(prompt, lambda text: _planned(words, text), question, lambda _every: listing)


def _picked(question: Picking, text: str, cars: Sequence[str]) -> int:
    colours = picked_colours(text)
    if len(colours) != len(cars):
        one = f"a die for each of {', '.join(cars)}" if len(cars) > 1 else f"one die for {cars[0]}"
        raise NoAnswer(f"pick {one}, not {len(colours)}")
    wanted = tuple(sorted(colours, key=list(Colour).index))
    return next(k for k, option in enumerate(question.options) if option.colours == wanted)


def picked_colours(text: str) -> list[Colour]:
    """The colours that a line names; raises NoAnswer.

    >>> [colour.value for colour in picked_colours("2 blue, 1 red")], len(picked_colours("bry"))
    (['blue', 'blue', 'red'], 3)
    """
    found: list[Colour] = []
    times = 1
    for word in re.findall(r"[0-9]+|[^\s,0-9]+", text.lower()):
        if word[0] in digits:
            times = min(int(word[:3]), 99)
            continue
        found += _colours_of(word) * times
        times = 1
    return found


def _colours_of(word: str) -> list[Colour]:
    full = [colour for colour in Colour if colour.value.startswith(word)]
    if full:
        return full
    if set(word) <= set("bry"):
        return [next(colour for colour in Colour if colour.value[0] == sign) for sign in word]
    raise NoAnswer(f"'{word}' is no colour{did_you_mean(word, COLOURS)}: blue, red or yellow")


def car_and_die(race: Race, text: str) -> tuple[int, Die]:
    """A car that still moves and one of the dice left; raises NoAnswer."""
    parts = re.fullmatch(r"(?:([a-l])(?![a-z]))?[\s,]*([a-z]*)[\s,]*([0-9]*)", text.lower())
    cars = {letter(car).lower(): car for car in race.waiting}
    listed = ", ".join(name.upper() for name in cars)
    if parts is None or (parts[2] and not any(colour.startswith(parts[2]) for colour in COLOURS)):
        raise NoAnswer(f"'{text}' is no car with a die ({listed}): {_example(race)}, say")
    if parts[1] and parts[1] not in cars:
        raise NoAnswer(f"car {parts[1].upper()} is not to move now: {listed}")
    if not parts[1] and len(cars) > 1:
        raise NoAnswer(f"which car? {listed}, and its die, such as {_example(race)}")
    dice = list(dict.fromkeys(race.dice))
    fitting = [die for die in dice if die.colour.value.startswith(parts[2]) and parts[3] in ("", str(die.value))]
    if len(fitting) != 1:
        half = HalfAnswer if parts[1] else NoAnswer
        raise half(f"which die? {', '.join(map(die_text, fitting or dice))}")
    return cars[parts[1]] if parts[1] else race.waiting[0], fitting[0]


def _example(race: Race) -> str:
    return f"{letter(race.waiting[0])} {die_text(race.dice[0])}"


def _end(race: Race, options: Sequence[Moved], text: str, back: bool) -> Moved | None:
    """The end that a number or a space names, None for `back`; raises NoAnswer."""
    if text.lower() == BACK and back:
        return None
    if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= len(options):
        return options[int(text) - 1]
    name = " ".join(text.lower().split())
    named = [move for move in options if race.terms.track.name_of(move.outcome.end).lower() == name]
    if len(named) == 1:
        return named[0]
    ends = [race.terms.track.name_of(move.outcome.end) for move in options]
    why = "is the end of several lines: give the number" if named else f"is none of the ends{did_you_mean(name, ends)}"
    raise NoAnswer(f"'{text}' {why}")


def _planned(words: Sequence[str], text: str) -> int:
    fitting = [k for k, word in enumerate(words) if word.startswith(text.lower())]
    if len(fitting) != 1:
        raise NoAnswer(f"'{text}' could be {' or '.join(words[k] for k in fitting) if fitting else 'neither'}: "
                       f"{', '.join(words)}")  # fmt: skip
    return fitting[0]
