"""Advice from the exact solo optimum: what each option costs a boat that has the lake to itself afterwards.

The cost is the expected number of turns to the finish, sinking counted as `SINK_COST` turns. The other boats stand in
the way in the turn that is decided (PB-19), later ones are ignored.
"""

from fractions import Fraction

from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.dice import Choice, Hand
from rulekit.powerboats.race import Race, legal_landings
from rulekit.powerboats.waters import Waters
from rulekit.simulate.policies import Choosing, Placing, Question
from rulekit.solve.bounds import SINK_COST, solve
from rulekit.solve.tables import Numbered


class SoloAdvice:
    """The solo optimum of a course, solved when it is made.

    Raises BadInput where the race cannot be solved: without a limit on the dice.
    """

    def __init__(self, waters: Waters) -> None:
        self.waters = waters
        self.numbered = Numbered(waters)
        self.solution = solve(self.numbered.race)

    def costs(self, question: Question) -> list[float]:
        """Expected turns from here for each option, this turn included; infinite where the race may never end."""
        if isinstance(question, Placing):
            damage = self._damage(question.race)
            starts = [Boat(start.at, start.facing, (), start.progress, damage) for start in question.options]
            return [self._boat(boat) for boat in starts]
        if isinstance(question, Choosing):
            known: dict[Hand, float] = {}
            return [self._choice(question.race, choice, known) for choice in question.options]
        return [1 + self._after(landing) for landing in question.options]

    def _damage(self, race: Race) -> int:
        return race.entries[race.placer].damage_before if race.placer is not None else 0

    def _boat(self, boat: Boat) -> float:
        return self.solution.value(*self.numbered.state(boat))

    def _after(self, landing: Landing) -> float:
        if landing.finished:
            return 0.0
        return SINK_COST if landing.sunk else self._boat(landing.boat)

    def _choice(self, race: Race, choice: Choice, known: dict[Hand, float]) -> float:
        faces = self.waters.readings.faces
        ways = len(faces) ** choice.rolled
        return sum(
            float(Fraction(count, ways)) * self._thrown(race, hand, known)
            for hand, count in choice.hands(faces).items()
        )

    def _thrown(self, race: Race, hand: Hand, known: dict[Hand, float]) -> float:
        if hand not in known:
            known[hand] = min(1 + self._after(landing) for landing in legal_landings(race, hand))
        return known[hand]
