"""The line-up of a race by throws, and who begins (PS-7).

Cars of a player are alike, so it makes no difference which of them a player takes first: it is the one with the lowest
number. Nobody throws alone: the cars of a single player stand in order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rulekit.errors import BadInput
from rulekit.ps.dice import FACES, Colour
from rulekit.ps.picks import CARS

LEAST_PLAYERS, MOST_PLAYERS = 1, 4
"""PS-6 has two to four; a race of one is a solo race."""

DICE = 3
"""Blue dice in a throw (PS-7)."""

Dice = tuple[int, ...]


@dataclass(frozen=True)
class LineUp:
    """A line-up under way. `stages` are the throws so far, for each stage a player's throws in order: one stage for
    each of a player's cars, then one for who begins."""

    players: int
    stages: tuple[tuple[tuple[Dice, ...], ...], ...]

    @property
    def stage(self) -> int:
        """0, 1, 2: which car is thrown for; 3: who begins."""
        return len(self.stages) - 1

    @property
    def car(self) -> int | None:
        """The car of each player that is thrown for; None where it is thrown for who begins."""
        return self.stage if self.stage < CARS else None

    @property
    def throwers(self) -> tuple[int, ...]:
        """The players that are to throw now, all at once: first all, then those whose sums are equal. None when all is
        settled. Who begins is settled when one sum is the highest."""
        sums = _sums(self.stages[-1])
        contested = [k for k in range(self.players) if self.car is not None or sums[k] == max(sums)]
        return tuple(k for k in contested if sum(sums[k] == sums[other] for other in contested) > 1)

    @property
    def settled(self) -> bool:
        """Whether every car has its box and it is known who begins."""
        return self.car is None and not self.throwers

    @property
    def boxes(self) -> tuple[int, ...]:
        """The box of every car that has one, by car: player p has the cars 3p, 3p + 1, 3p + 2. Cars without one: 0."""
        boxes = [0] * (CARS * self.players)
        for car, stage in enumerate(self.stages[:CARS]):
            if car < self.stage:
                for rank, player in enumerate(_ranking(stage)):
                    boxes[CARS * player + car] = CARS * self.players - self.players * car - rank
        return tuple(boxes)

    @property
    def starter(self) -> int:
        """The player who begins, once it is settled."""
        return _ranking(self.stages[-1])[0]


def _sums(stage: Sequence[Sequence[Dice]]) -> list[tuple[int, ...]]:
    return [tuple(map(sum, throws)) for throws in stage]


def _ranking(stage: Sequence[Sequence[Dice]]) -> list[int]:
    """Players from the highest throws to the lowest: where sums are equal, what was thrown next decides."""
    sums = _sums(stage)
    return sorted(range(len(stage)), key=lambda player: sums[player], reverse=True)


def new_line_up(players: int) -> LineUp:
    """A line-up before the first throw.

    Raises BadInput for a wrong number of players.
    """
    if not LEAST_PLAYERS <= players <= MOST_PLAYERS:
        raise BadInput(f"{players} players: a race takes {LEAST_PLAYERS} to {MOST_PLAYERS} (PS-6)")
    return _next_stage(LineUp(players, (_nothing(players),)))


def _nothing(players: int) -> tuple[tuple[Dice, ...], ...]:
    return ((),) * players


def _next_stage(lineup: LineUp) -> LineUp:
    """On to the next stage in which somebody has to throw, or to the last one."""
    while not lineup.throwers and lineup.car is not None:
        lineup = replace(lineup, stages=(*lineup.stages, _nothing(lineup.players)))
    return lineup


def thrown(lineup: LineUp, dice: Mapping[int, Dice]) -> LineUp:
    """The line-up after each of the `throwers` has thrown three blue dice; `dice` by player.

    Raises BadInput where others have thrown, or no three blue dice.
    """
    if set(dice) != set(lineup.throwers) or not dice:
        raise BadInput("these are not the players who throw now (PS-7)")
    if any(len(throw) != DICE or not set(throw) <= set(FACES[Colour.BLUE]) for throw in dice.values()):
        raise BadInput("the line-up is thrown for with three blue dice (PS-7)")
    stage = tuple(
        (*throws, dice[player]) if player in dice else throws for player, throws in enumerate(lineup.stages[-1])
    )
    return _next_stage(replace(lineup, stages=(*lineup.stages[:-1], stage)))
