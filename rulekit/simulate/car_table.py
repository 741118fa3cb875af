"""The table for cars: whole races played by policies through the rules themselves.

Random numbers, for programs that repeat a race: all throws of the line-up come from `stream(seed, game, 0, START)`,
stage by stage, of those who are to throw in the order of the seats, three dice each. Every seat has a stream of DICE:
in each turn its dice are thrown in the order in which they were picked (the slowest first), each
`FACES[colour][below(3)]`, a red one at once again for each 6. A policy draws from its seat's stream of POLICY only, and
is not asked where there is one option.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulekit.ps.dice import AGAIN, FACES, Colour
from rulekit.ps.lineup import DICE, LineUp, new_line_up, thrown
from rulekit.ps.race import Event, Phase, Race, Thrown, apply, begin, moved
from rulekit.ps.race import Moved as Moved
from rulekit.ps.terms import Terms
from rulekit.simulate.car_questions import CarPolicy, CarQuestion, event, question
from rulekit.simulate.streams import Purpose, Stream, stream, throw

CAR_TURN_CAP = 500
"""Turns of a player after which a race is given up; reported wherever it is hit."""


@dataclass(frozen=True)
class CarPlayer:
    """What plays at a seat: its policy and its two streams."""

    policy: CarPolicy
    dice: Stream
    own: Stream

    def answer(self, asked: CarQuestion) -> int:
        """The policy's option; the only one where there is but one."""
        return self.policy(asked, self.own) if len(asked.options) > 1 else 0


def car_players(policies: Sequence[CarPolicy], seed: int, game: int = 0) -> list[CarPlayer]:
    """The players of a race with fresh streams."""
    return [
        CarPlayer(policy, stream(seed, game, seat, Purpose.DICE), stream(seed, game, seat, Purpose.POLICY))
        for seat, policy in enumerate(policies)
    ]


def drawn_line_up(players: int, seed: int, game: int = 0) -> LineUp:
    """A whole line-up by dice (PS-7)."""
    lineup, rng = new_line_up(players), stream(seed, game, 0, Purpose.START)
    while not lineup.settled:
        lineup = thrown(lineup, {player: throw(DICE, FACES[Colour.BLUE], rng) for player in lineup.throwers})
    return lineup


def shown_by(colour: Colour, rng: Stream) -> int:
    """What a die shows; of red the sum of its throws."""
    face = total = throw(1, FACES[colour], rng)[0]
    while colour is Colour.RED and face == AGAIN:
        face = throw(1, FACES[colour], rng)[0]
        total += face
    return total


def play_race(
    terms: Terms, policies: Sequence[CarPolicy], seed: int, game: int = 0, cap: int = CAR_TURN_CAP,
    watch: Callable[[Race, Event], None] = lambda _race, _event: None,
) -> Race:  # fmt: skip
    """A whole race, one policy a seat. `watch` is told of every event, before it happens.

    A player who has taken `cap` turns ends the race there: it is then not over.
    """
    lineup, seated = drawn_line_up(len(policies), seed, game), car_players(policies, seed, game)
    race = begin(terms, lineup.boxes, lineup.starter)
    while not race.over and not cars_capped(race, cap):
        race = car_step(race, seated, watch)
    return race


def cars_capped(race: Race, cap: int = CAR_TURN_CAP) -> bool:
    """Whether the player to move has taken so many turns."""
    return race.mover is not None and race.turns[race.mover] >= cap


def car_step(
    race: Race, seated: Sequence[CarPlayer], watch: Callable[[Race, Event], None] = lambda _race, _event: None
) -> Race:  # fmt: skip
    """The race after the next event."""
    happens = next_event(race, seated[race.mover if race.mover is not None else 0])
    watch(race, happens)
    # What a question lists is legal: a move is not looked up a second time.
    return moved(race, happens) if isinstance(happens, Moved) else apply(race, happens)


def next_event(race: Race, player: CarPlayer) -> Event:
    """What happens next by the player to move: a throw, or the answer to a question."""
    if race.phase is Phase.THROW:
        return Thrown(tuple(shown_by(colour, player.dice) for colour in race.picked))
    asked = question(race)
    return event(asked, player.answer(asked))
