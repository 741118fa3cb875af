"""Policies: how a seat decides. A policy is one function from a question and a random stream to an option's number.

Three questions come up: where to start, what to do with the dice, which way to go. Each lists its legal options; the
policy answers with the index of one of them. To add a policy, write the function and a line in `POLICIES`.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from rulekit.errors import BadInput, did_you_mean
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.dice import Choice, Hand
from rulekit.powerboats.distance import Heading
from rulekit.powerboats.race import Race, boat_to_move, legal_landings
from rulekit.powerboats.waters import Waters
from rulekit.simulate.questions import Choosing as Choosing
from rulekit.simulate.questions import Placing as Placing
from rulekit.simulate.questions import Policy as Policy
from rulekit.simulate.questions import Question as Question
from rulekit.simulate.questions import Start as Start
from rulekit.simulate.questions import Steering as Steering
from rulekit.simulate.questions import choosing as choosing
from rulekit.simulate.questions import placing as placing
from rulekit.simulate.questions import steering as steering


def at_random(question: Question, rng: Random) -> int:
    """Any legal option, each equally likely."""
    return rng.randrange(len(question.options))


def greedy(question: Question, _rng: Random) -> int:
    """The furthest progress now: the fewest steps left to the finish, in the mean of the throw; dice and damage count
    only between equals. It never idles: where waiting would be best, it moves."""
    if isinstance(question, Placing):
        return least([_start_steps(question.race.waters, start) for start in question.options])
    if isinstance(question, Steering):
        return least([_by_steps(question.race, landing) for landing in question.options])
    prospects = Prospects(question.race, _by_steps)
    return least([(prospects.idle(choice), prospects.mean_steps(choice)) for choice in question.options])


def cautious(question: Question, rng: Random) -> int:
    """The least chance of damage among the choices that do not idle, then as `greedy`."""
    if isinstance(question, Placing):
        return greedy(question, rng)
    if isinstance(question, Steering):
        return least([_by_damage(question.race, landing) for landing in question.options])
    prospects = Prospects(question.race, _by_damage)
    return least(
        [(prospects.idle(choice), prospects.risk(choice), prospects.mean_steps(choice)) for choice in question.options]
    )


def least(scores: Sequence[Any]) -> int:
    """The index of the lowest score, the first of equal ones."""
    return min(range(len(scores)), key=scores.__getitem__)


class Prospects:
    """What the dice choices of the boat to move lead to, exactly: every total's best landing by a score, worked out
    once (among tiles every hand's, for rocks ask for the single dice)."""

    def __init__(self, race: Race, score: Callable[[Race, Landing], tuple[int, ...]]) -> None:
        self.race, self.score = race, score
        self.before = boat_to_move(race)
        self.best: dict[Hand, Landing] = {}

    def mean_steps(self, choice: Choice) -> Fraction:
        """Steps left to the finish, in the mean of the throw."""
        return self._mean(choice, lambda landing: steps_after(self.race.waters, landing))

    def risk(self, choice: Choice) -> Fraction:
        """The chance of damage."""
        return self._mean(choice, lambda landing: int(landing.boat.damage > self.before.damage))

    def idle(self, choice: Choice) -> bool:
        """Whether it surely leaves the boat on its hex and no nearer to the finish: done for ever, it never ends."""
        if choice.kept or choice.rolled:
            return False
        landing = self._landing(())
        return landing.boat.at == self.before.at and self.mean_steps(choice) >= _boat_steps(
            self.race.waters, self.before
        )

    def sinking(self, choice: Choice) -> Fraction:
        """The chance of sinking before the finish."""
        return self._mean(choice, lambda landing: int(landing.sunk and not landing.finished))

    def _mean(self, choice: Choice, value: Callable[[Landing], int]) -> Fraction:
        faces = self.race.waters.readings.faces
        if self.race.waters.effects:
            thrown = [(hand, ways) for hand, ways in choice.hands(faces).items()]
        else:
            thrown = [((total,) if total else (), ways) for total, ways in choice.totals(faces).ways()]
        return Fraction(sum(ways * value(self._landing(hand)) for hand, ways in thrown), len(faces) ** choice.rolled)

    def _landing(self, hand: Hand) -> Landing:
        if hand not in self.best:
            landings = legal_landings(self.race, hand)
            self.best[hand] = min(landings, key=lambda landing: self.score(self.race, landing))
        return self.best[hand]


def _by_steps(race: Race, landing: Landing) -> tuple[int, ...]:
    return steps_after(race.waters, landing), landing.boat.damage, -sum(landing.boat.hand)


def _by_damage(race: Race, landing: Landing) -> tuple[int, ...]:
    return landing.boat.damage, steps_after(race.waters, landing), -sum(landing.boat.hand)


def steps_after(waters: Waters, landing: Landing) -> int:
    """Steps left to the finish after a move: 0 where it has finished, more than from anywhere where it has sunk."""
    if landing.finished:
        return 0
    return _beyond(waters) if landing.sunk else _boat_steps(waters, landing.boat)


def _boat_steps(waters: Waters, boat: Boat) -> int:
    return waters.steps_left.get(Heading(boat.at, boat.facing, boat.progress), _beyond(waters))


def _start_steps(waters: Waters, start: Start) -> int:
    return waters.steps_left.get(Heading(*start), _beyond(waters))


def _beyond(waters: Waters) -> int:
    """More steps than any boat has left that can still finish."""
    # The table is filled by rising number of steps: its last entry is the furthest.
    return 1 + next(reversed(waters.steps_left.values()), 0)


def solo(question: Question, rng: Random) -> int:
    """The exact solo optimum of the course, as if no other boat were there (see `simulate.solo`)."""
    from rulekit.simulate.solo import answer

    return answer(question, rng)


def racer(question: Question, rng: Random) -> int:
    """The turn that wins most, by solo values: boats in the way, the others' lead, sinking (see `simulate.racer`)."""
    from rulekit.simulate.racer import answer

    return answer(question, rng)


def lookahead(question: Question, rng: Random) -> int:
    """The choice that wins most races played on from here by `solo` (see `simulate.lookahead`)."""
    from rulekit.simulate.lookahead import answer

    return answer(question, rng)


POLICIES: dict[str, Policy] = {
    "random": at_random,
    "greedy": greedy,
    "cautious": cautious,
    "solo": solo,
    "racer": racer,
    "lookahead": lookahead,
}
"""The policies by name."""


def policy_named(name: str, policies: Mapping[str, Policy] = POLICIES, *more: str) -> Policy:
    """The policy of a name; `more` are names that the caller knows besides, for the message.

    Raises BadInput for an unknown one, with the near miss.
    """
    if name in policies:
        return policies[name]
    known = [*policies, *more]
    raise BadInput(f"there is no policy '{name}'{did_you_mean(name, known)}; there are {', '.join(known)}")
