"""The policy `blocker`: its own race as `solo` drives it, and ends of its moves that hold up the others.

What an end is worth against another player's car is the delay of that car: by how many turns its best die is worse
when a car stands there than on an empty track, by solo values with an undamaged car and a full tank. A car right behind
may only use blue, so this is mostly a matter of standing right ahead. The delays of all cars that an end holds up count
`MOST` turns at most. Of n players n - 2 others gain by them as well: they are divided by n - 1.
"""

from functools import cache

from rulekit.ps.car import OUT_AT, Status, player_of
from rulekit.ps.dice import Colour
from rulekit.ps.moves import DAMAGING, Outcome
from rulekit.ps.race import Die, Race, points_taken
from rulekit.simulate.car_questions import Moving, Picking
from rulekit.simulate.car_values import MOST_KNOWN, CarValues, car_values
from rulekit.simulate.car_weigh import CHANCES, LISTED, best_move, best_pick

WEIGHT = 1.0
"""How much of a delay counts."""

MOST = 0.4
"""The most turns that an end may be worth: the car behind has other dice and other ways, and a car that gained whole
turns by standing in the way would never go on, and the race never end."""


def answer(question: Picking | Moving) -> int:
    """The index of the option that `blocker` takes, among other players' cars.

    Raises BadInput where the circuit cannot be solved under its readings.
    """
    block = Block(question.race)
    return best_pick(question, block.cost) if isinstance(question, Picking) else best_move(question, block.cost)


class Block:
    """The costs of ends in one race under way: the solo value, less the delays that they mean to others."""

    def __init__(self, race: Race) -> None:
        self.delays = delays_of(car_values(race.terms))
        self.sharers = race.players - 1
        self.rivals = [
            (car.space, min(2, race.lacking(number)))
            for number, car in enumerate(race.cars)
            if player_of(number) != race.mover and car.status is Status.TRACK
        ]
        self.known: dict[int, float] = {}

    def cost(self, race: Race, number: int, die: Die, outcome: Outcome) -> float:
        """What an end costs."""
        own, lost = self.delays.values.after(race, number, die, outcome), outcome.end < 0
        if lost or race.cars[number].damage + points_taken(race, number, die, outcome) >= OUT_AT:
            return own
        return own - min(MOST, WEIGHT * self._delay(outcome.end)) / self.sharers

    def _delay(self, end: int) -> float:
        """The delay of all others' cars together by a car that stands there."""
        if end not in self.known:
            self.known[end] = sum(self.delays.by(space, lacking, end) for space, lacking in self.rivals)
        return self.known[end]


class Delays:
    """By how many turns a car that stands on a space holds up one that stands on another."""

    def __init__(self, values: CarValues) -> None:
        self.values, self.terms = values, values.terms
        self.by = cache(self._by)
        self._alone = cache(self._turns_alone)

    def _by(self, space: int, lacking: int, end: int) -> float:
        """The delay of a car on `space` by one on `end`; `lacking` are the crossings to its finish, 2 for more."""
        alone = self._alone(space, lacking)
        dice = [die for listed in LISTED.values() for die in listed]
        if not any(self.terms.leads_to(space, *die, lacking, end) for die in dice):
            return 0.0
        return min(self._mean(space, lacking, colour, end) for colour in Colour) - min(alone.values())

    def _turns_alone(self, space: int, lacking: int) -> dict[Colour, float]:
        return {colour: self._mean(space, lacking, colour, None) for colour in Colour}

    def _mean(self, space: int, lacking: int, colour: Colour, other: int | None) -> float:
        """The expected value after the best end of a colour."""
        taken = frozenset() if other is None else frozenset({other})
        return sum(
            float(chance) * self._best(space, lacking, die, taken)
            for die, chance in zip(LISTED[colour], CHANCES[colour], strict=True)
        )

    def _best(self, space: int, lacking: int, die: Die, taken: frozenset[int]) -> float:
        tank = self.values.laps.full
        return min(
            self.values.worth(lacking, tank, int(end.kind in DAMAGING), end)
            for end in self.terms.ends(space, *die, lacking, taken)
        )


_KNOWN: list[Delays] = []
"""The delays asked for last."""


def delays_of(values: CarValues) -> Delays:
    """The delays under a race's terms, remembered."""
    found = next((one for one in _KNOWN if one.values is values), None)
    if found is None:
        found = Delays(values)
        _KNOWN[:] = [*_KNOWN[1 - MOST_KNOWN :], found]
    return found
