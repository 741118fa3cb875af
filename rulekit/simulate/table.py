"""The table: whole matches played by policies through the rules themselves.

Random numbers, for programs that repeat a match: who starts is `stream(seed, match, 0, START).below(seats)`. Every seat
has a stream of DICE: for each turn its `rolled` dice are drawn from it one by one, each `faces[below(len(faces))]`, in
the order in which the transcript lists them. A policy draws from its seat's stream of POLICY only.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rulekit.files.transcript import Transcript
from rulekit.powerboats.dice import as_hand
from rulekit.powerboats.waters import Waters
from rulekit.simulate.game import Game, new_game, place, turn, underway
from rulekit.simulate.policies import Policy, Question, choosing, placing, steering
from rulekit.simulate.streams import Purpose, Stream, stream, throw

TURN_CAP = 500
"""Turns of a boat in one race after which a race is given up; reported wherever it is hit."""


@dataclass(frozen=True)
class Player:
    """What plays at a seat: its policy and its two streams."""

    policy: Policy
    dice: Stream
    own: Stream

    def answer(self, question: Question) -> int:
        """The policy's option."""
        return self.policy(question, self.own)


def players(policies: Sequence[Policy], seed: int, match: int = 0) -> list[Player]:
    """The players of a match with fresh streams."""
    return [
        Player(policy, stream(seed, match, seat, Purpose.DICE), stream(seed, match, seat, Purpose.POLICY))
        for seat, policy in enumerate(policies)
    ]


def drawn_starter(seats: int, seed: int, match: int = 0) -> int:
    """Who starts the first race, drawn by dice (PB-14)."""
    return stream(seed, match, 0, Purpose.START).below(seats)


def play_match(
    head: Transcript, races: Sequence[Waters], policies: Sequence[Policy], seed: int, match: int = 0,
    cap: int = TURN_CAP,
) -> Game:  # fmt: skip
    """A whole match, one policy a seat; the start player is the head's.

    A boat that has taken `cap` turns in a race ends the match there: the game is then not over.
    Raises BadInput where the match cannot begin.
    """
    seated, game = players(policies, seed, match), new_game(head, races)
    while not game.over and not capped(game, cap):
        game = step(game, seated)
    return game


def capped(game: Game, cap: int = TURN_CAP) -> bool:
    """Whether the boat to move has taken so many turns in this race."""
    race = underway(game)
    return race.mover is not None and race.entries[race.mover].turns >= cap


def step(game: Game, seated: Sequence[Player]) -> Game:
    """The game after the next boat is placed or has taken its turn."""
    race = underway(game)
    if race.placer is not None:
        question = placing(race)
        start = question.options[seated[race.placer].answer(question)]
        return place(game, start.at, start.facing)
    player = seated[race.mover if race.mover is not None else 0]
    asked = choosing(race)
    choice = asked.options[player.answer(asked)]
    rolled = throw(choice.rolled, race.waters.readings.faces, player.dice)
    ways = steering(race, as_hand((*choice.kept, *rolled)))
    return turn(game, choice, rolled, ways.options[player.answer(ways)])
