"""Policies for cars: one function from a question and a random stream to an option's number.

All but `random` give each end of a car's move a cost and take the turn with the least sum (see `car_weigh`). To add a
policy, write the function and a line in `CAR_POLICIES`.
"""

from functools import partial
from random import Random

from rulekit.ps.car import OUT_AT, Car, Plan
from rulekit.ps.moves import Kind, Outcome
from rulekit.ps.race import Die, Race, points_taken
from rulekit.readings import Fuel
from rulekit.simulate.car_questions import CarPolicy, CarQuestion, Picking, Pitting
from rulekit.simulate.car_values import car_values, columns_at
from rulekit.simulate.car_weigh import Cost, best_move, best_pick

FAR = 1e4
"""More columns than any race has; not so many that rounding would tell equal sums apart."""


def at_random(question: CarQuestion, rng: Random) -> int:
    """Any legal option, each equally likely."""
    return rng.randrange(len(question.options))


def greedy(question: CarQuestion, _rng: Random) -> int:
    """The furthest now: the most columns driven by its cars together, in the mean of the throw; damage counts only
    between equals, but a lost car is the worst. In the pit it refuels where it needs to, else repairs."""
    if isinstance(question, Pitting):
        plan = Plan.REFUEL if wants_fuel(question.race, question.car) else Plan.REPAIR
        return _option(question, plan)
    return cheapest_turn(question, _by_columns)


def cautious(question: CarQuestion, _rng: Random) -> int:
    """The fewest points of damage in the mean of the throw, then as `greedy`. In the pit it does all that is due."""
    if isinstance(question, Pitting):
        return _option(question, due_plan(question.race, question.car))
    return cheapest_turn(question, _by_damage)


def solo(question: CarQuestion, _rng: Random) -> int:
    """The least sum of the turns that its cars have left, each by the exact solo optimum of the circuit, tank and
    damage included; other cars count where they are in the way of this turn.

    Raises BadInput where the circuit cannot be solved under its readings.
    """
    found = car_values(question.race.terms)
    if isinstance(question, Pitting):
        costs = [found.of_plan(question.race, question.car, plan) for plan in question.options]
        return min(range(len(costs)), key=costs.__getitem__)
    return cheapest_turn(question, found.after)


def blocker(question: CarQuestion, rng: Random) -> int:
    """As `solo`, but an end that holds up other players' cars is worth some turns (see `car_block`)."""
    from rulekit.simulate.car_block import answer

    if isinstance(question, Pitting) or question.race.players == 1:
        return solo(question, rng)
    return answer(question)


def cheapest_turn(question: CarQuestion, cost: Cost) -> int:
    """The option of the turn with the least sum of costs."""
    if isinstance(question, Pitting):
        raise ValueError("a plan has no end of a move to weigh")
    return best_pick(question, cost) if isinstance(question, Picking) else best_move(question, cost)


def _columns(race: Race, number: int, die: Die, outcome: Outcome, price: float) -> float:
    """Columns to the finish, as a cost; a point of damage costs `price` columns, a lost car all there are."""
    car, points = race.cars[number], points_taken(race, number, die, outcome)
    if car.damage + points >= OUT_AT:
        return FAR + price * points
    crossings = race.terms.crossings if outcome.kind is Kind.FINISH else max(0, car.crossings + outcome.line)
    return price * points - columns_at(race.terms, outcome.end, crossings)


_by_columns: Cost = partial(_columns, price=1e-3)
_by_damage: Cost = partial(_columns, price=FAR)


def wants_fuel(race: Race, number: int) -> bool:
    """Whether a car has still to refuel: the stop of limited fuel, or less than half a tank (PS-22)."""
    car, fuel = race.cars[number], race.terms.readings.fuel
    return (fuel is Fuel.LIMITED and not car.refuelled) or (fuel is Fuel.FULL and 2 * car.tank < race.terms.tank)


def due_plan(race: Race, number: int) -> Plan:
    """What a car needs from the pit."""
    car: Car = race.cars[number]
    if wants_fuel(race, number):
        return Plan.BOTH if car.damage else Plan.REFUEL
    return Plan.REPAIR


def _option(question: Pitting, plan: Plan) -> int:
    return question.options.index(plan) if plan in question.options else 0


CAR_POLICIES: dict[str, CarPolicy] = {
    "random": at_random,
    "greedy": greedy,
    "cautious": cautious,
    "solo": solo,
    "blocker": blocker,
}
"""The policies for cars by name."""
