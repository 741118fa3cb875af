"""The player's side of `play`: questions answered at the keyboard, help, advice, saving."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from rulekit.cli import play_screen as screen
from rulekit.cli.play_talk import NoAnswer, Saver, Talk, number_of
from rulekit.errors import BadInput
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

MOST_ADVICE = 5


@dataclass
class Desk(Talk):
    """The match at the keyboard: where it stands, where it is saved, and who gives advice."""

    game: Game
    saver: Saver
    advisers: Mapping[str, Policy]
    aside: bool = False
    solved: "SoloAdvice | None" = None

    def save(self) -> None:
        """Write the match down and say how to go on."""
        file = self.saver.write(lambda names: transcript_text(replace(self.game.transcript, courses=names)))
        end = "" if self.game.over else f" (go on: rulekit play --resume {file})"
        self.say(f"saved: {file}{end}")

    def board(self, legend: bool = False) -> None:
        """Print board and boats; click strips the colours where no terminal reads them."""
        race = underway(self.game)
        self.say(f"\n{screen.board(race, legend, colour=True)}\n\n{screen.boats(self.game)}\n")

    def obey(self, word: str, question: Question, listing: Callable[[bool], str]) -> None:
        """Do what a command asks for."""
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
        return self.answer(prompt, lambda text: _place(question, text), question,
                           lambda _every: screen.starts_text(question))  # fmt: skip

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
        prompt = f"{what} (1 to {most}, ? for help): "
        return self.answer(prompt, lambda text: number_of(text, most), question, listing)

    def answer(
        self, prompt: str, understand: Callable[[str], int], question: Question, listing: Callable[[bool], str]
    ) -> int:
        """The option that a line names."""
        return self.desk.ask(prompt, understand, lambda word: self.desk.obey(word, question, listing))


def _place(question: Placing, text: str) -> int:
    """The option of a hex and a facing; raises NoAnswer."""
    try:
        at, facing = (text.replace(",", " ").split() + [""] * 2)[:2]
        wanted = (parse_hex(at), parse_facing(facing))
    except ValueError as fault:
        raise NoAnswer(str(fault)) from None
    found = [k for k, start in enumerate(question.options) if (start.at, start.facing) == wanted]
    if not found:
        raise NoAnswer(f"no boat may start on {hex_name(wanted[0])} (PB-13)")
    return found[0]
