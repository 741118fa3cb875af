"""The player's side of `play`: questions answered at the keyboard, help, advice, saving."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import click

from rulekit.cli import play_screen as screen
from rulekit.cli.outfile import write_file
from rulekit.errors import BadInput, FileExists
from rulekit.files.source import Source
from rulekit.files.transcript_courses import course_word
from rulekit.files.transcript_write import transcript_text
from rulekit.hexgrid import hex_name, parse_facing, parse_hex
from rulekit.powerboats.race import Race, boat_to_move
from rulekit.simulate.game import Game, underway
from rulekit.simulate.policies import Choosing, Placing, Policy, Question, Steering

if TYPE_CHECKING:
    from rulekit.simulate.advice import SoloAdvice

HELP = """\
Answer with a number from the list, or a word (its first letter will do):
  board   the board and the boats     help    this (also ?), the board's signs
  list    every dice choice           advice  the solver's, the policies'
  save    write the match down        quit    save and leave; --resume goes on
On the board A9 is boat A heading north-east: 7 9 4 6 1 3 are the six sides, as
on a number pad. `damage` is the chance to take any, `steps to go` the unit
moves to the finish on an empty lake. The rules: rulekit rules powerboats."""

WORDS = ("board", "help", "list", "advice", "save", "quit")


MOST_ADVICE = 5


class Leave(Exception):
    """The player ends the session."""


@dataclass
class Saver:
    """Where the match is written down: the file asked for, else the first free of match-1.txt, match-2.txt, …

    `sources` are the courses' files, which the transcript names from its own folder.
    """

    sources: list[Source]
    file: Path | None = None
    overwrite: bool = False
    mine: bool = False

    def check(self) -> None:
        """Raises FileExists and BadInput at once where the file could not be written at the end."""
        if self.file and self.file.exists() and not self.overwrite:
            raise FileExists(f"{self.file} exists already: choose another name, or add --overwrite")
        folder = (self.file or Path("match-1.txt")).parent
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            raise BadInput(f"no file can be written in {folder}")
        self.words(folder)

    def words(self, folder: Path) -> tuple[str, ...]:
        """The courses as a transcript in a folder names them."""
        return tuple(course_word(source, folder.absolute()) for source in self.sources)

    def save(self, game: Game) -> Path:
        """Write the match down and return the file; a file of this session is replaced."""
        if self.file is None:
            self.file = next(path for k in range(1, 10_000) if not (path := Path(f"match-{k}.txt")).exists())
        transcript = replace(game.transcript, courses=self.words(self.file.parent))
        write_file(self.file, transcript_text(transcript), self.overwrite or self.mine)
        self.mine = True
        return self.file


@dataclass
class Desk:
    """Says and asks. `aside` sends the conversation to stderr, where stdout is wanted for the result alone."""

    game: Game
    saver: Saver
    advisers: Mapping[str, Policy]
    aside: bool = False
    solved: "SoloAdvice | None" = None

    def say(self, text: str) -> None:
        """Print a part of the conversation."""
        click.echo(text, err=self.aside)

    def save(self) -> None:
        """Write the match down and say how to go on."""
        file = self.saver.save(self.game)
        end = "" if self.game.over else f" (go on: rulekit play --resume {file})"
        self.say(f"saved: {file}{end}")

    def board(self, legend: bool = False) -> None:
        """Print board and boats; click strips the colours where no terminal reads them."""
        race = underway(self.game)
        self.say(f"\n{screen.board(race, legend, colour=True)}\n\n{screen.boats(self.game)}\n")

    def ask(self, prompt: str, question: Question, listing: Callable[[bool], str]) -> str:
        """A line from the player that is no command; raises Leave at `quit` and at the end of the input."""
        while True:
            text = self._line(prompt).strip()
            word = _word(text)
            if word is None:
                if text:
                    return text
                continue
            if word == "quit":
                raise Leave
            self._obey(word, question, listing)

    def _line(self, prompt: str) -> str:
        try:
            if self.aside:
                click.echo(prompt, nl=False, err=True)
            text = input("" if self.aside else prompt)
        except EOFError:
            self.say("")
            raise Leave from None
        if not sys.stdin.isatty():
            self.say(text)  # a terminal has shown it already
        return text

    def _obey(self, word: str, question: Question, listing: Callable[[bool], str]) -> None:
        if word == "board":
            self.board()
        elif word == "help":
            self.board(legend=True)
            self.say(HELP)
        elif word == "list":
            self.say(listing(True))
        elif word == "advice":
            self.say(self.advice(question))
        else:
            self.save()

    def advice(self, question: Question) -> str:
        """What the solver reckons the best options, and what each policy would take."""
        rng = Random(0)
        picks = {name: policy(question, rng) for name, policy in self.advisers.items()}
        return "\n".join(
            [*self._solved(question), *(f"{name} would take {pick_told(question, at)}" for name, at in picks.items())]
        )

    def _solved(self, question: Question) -> list[str]:
        """The options with the least expected turns to the finish; the race is solved when this is first asked."""
        try:
            costs = self._solver(question.race).costs(question)
        except BadInput as fault:
            return [str(fault)]
        best = sorted(range(len(costs)), key=costs.__getitem__)[:MOST_ADVICE]
        head = "solver: expected turns to the finish, were the others gone (to sink counts as 50)"
        return [head, *(f"  {costs[k]:7.2f}  {pick_told(question, k)}" for k in best)]

    def _solver(self, race: Race) -> "SoloAdvice":
        from rulekit.simulate.advice import SoloAdvice

        if self.solved is None or self.solved.waters is not race.waters:
            self.say("solving the race (the first time ever this takes up to a minute) …")
            self.solved = SoloAdvice(race.waters)
        return self.solved


def _word(text: str) -> str | None:
    """The command that a line names by its beginning, None where it is none."""
    lowered = text.lower()
    if lowered == "?":
        return "help"
    return next((word for word in WORDS if lowered and word.startswith(lowered)), None)


def pick_told(question: Question, pick: int) -> str:
    """An option in words, with the number that the player would type."""
    if isinstance(question, Placing):
        start = question.options[pick]
        return f"{hex_name(start.at)} {start.facing.name}"
    if isinstance(question, Steering):
        return f"{pick + 1}: {question.options[pick].steer.name}"
    return f"{pick + 1}: {question.options[pick].told(boat_to_move(question.race).hand)}"


@dataclass
class Human:
    """The policy of a person at the keyboard."""

    desk: Desk

    def __call__(self, question: Question, _rng: Random) -> int:
        """The option that the player names."""
        if isinstance(question, Placing):
            return self.place(question)
        return self.choose(question) if isinstance(question, Choosing) else self.steer(question)

    def place(self, question: Placing) -> int:
        """Where to start: a hex and a facing."""
        self.desk.board()
        self.desk.say(screen.starts_text(question))
        example = question.options[0]
        prompt = f"start on (hex and facing, such as {hex_name(example.at)} {example.facing.name}): "
        while True:
            text = self.desk.ask(prompt, question, lambda _every: screen.starts_text(question))
            try:
                at, facing = (text.replace(",", " ").split() + [""] * 2)[:2]
                wanted = (parse_hex(at), parse_facing(facing))
            except ValueError as fault:
                self.desk.say(f"  {fault}")
                continue
            found = [k for k, start in enumerate(question.options) if (start.at, start.facing) == wanted]
            if found:
                return found[0]
            self.desk.say(f"  no boat may start on {hex_name(wanted[0])} (PB-13)")

    def choose(self, question: Choosing) -> int:
        """What to do with the dice."""
        self.desk.board()
        self.desk.say(screen.choices_text(question, every=False))
        return self.number("dice", question, lambda every: screen.choices_text(question, every))

    def steer(self, question: Steering) -> int:
        """Which way to go; where only one is legal, it is taken."""
        total = sum(question.hand)
        dice = " ".join(map(str, question.hand)) or "none"
        self.desk.say(f"\ndice {dice}: T = {total}\n{screen.ways_text(question)}")
        if len(question.options) == 1:
            self.desk.say("the only legal direction")
            return 0
        return self.number("direction", question, lambda _every: screen.ways_text(question))

    def number(self, what: str, question: Question, listing: Callable[[bool], str]) -> int:
        """The number of an option."""
        most = len(question.options)
        while True:
            text = self.desk.ask(f"{what} (1 to {most}, ? for help): ", question, listing)
            if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= most:
                return int(text) - 1
            self.desk.say(f"  '{text}' is no number from 1 to {most} and no word such as board, advice, quit")
