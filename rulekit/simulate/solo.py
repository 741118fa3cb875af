"""The policy `solo`: the exact optimum of a boat that has the lake to itself.

It knows no other boats but for one thing: where these would hold it on its hex although it throws no die, it takes its
lowest die off, or boats that hold each other would never part.
"""

from dataclasses import replace
from random import Random

from rulekit.hexgrid import FACINGS
from rulekit.powerboats.boat import Landing
from rulekit.powerboats.dice import Hand
from rulekit.powerboats.move import move
from rulekit.powerboats.race import boat_to_move, legal_landings
from rulekit.simulate.questions import Choosing, Placing, Question, Steering
from rulekit.simulate.solved import Solved, solved
from rulekit.simulate.weigh import entry_costs, turn_prices


def answer(question: Question, _rng: Random) -> int:
    """The index of the option that the solo optimum takes.

    Raises BadInput where the course cannot be solved under its readings.
    """
    found = solved(question.race.waters)
    if isinstance(question, Placing):
        return best_start(found, question)
    if isinstance(question, Choosing):
        return entry_option(found, question, _entry(found, question))
    return way_option(question, _way(found, question))


def best_start(found: Solved, question: Placing) -> int:
    """The free start with the least solo value, the first of equal ones."""
    race = question.race
    damage = race.entries[race.placer].damage_before if race.placer is not None else 0
    costs = dict(zip(((boat.at, boat.facing) for boat in found.starts), found.start_costs(damage), strict=True))
    return min(range(len(question.options)), key=lambda k: costs[question.options[k].at, question.options[k].facing])


def entry_option(found: Solved, question: Choosing, entry: int) -> int:
    """The option of a throw table's entry; where the stock forbids it, the option with the least solo cost."""
    choice = found.choice(entry)
    if choice in question.options:
        return question.options.index(choice)
    fleet, seat = found.fleet(question.race), question.race.mover or 0
    costs = entry_costs(found.water, found.throws, fleet, seat, found.sense, turn_prices(found.sense))
    return min(range(len(question.options)), key=lambda k: costs[found.entry(question.options[k])])


def way_option(question: Steering, way: int) -> int:
    """The option of a way: 0 right, 1 straight, 2 left."""
    facing = FACINGS[(boat_to_move(question.race).facing + way + 5) % 6]
    return next(k for k, landing in enumerate(question.options) if landing.steer == facing)


def _entry(found: Solved, question: Choosing) -> int:
    boat = boat_to_move(question.race)
    entry = found.table_entry(boat)
    choice = found.choice(entry)
    if choice.rolled or not choice.kept:
        return entry
    landings = legal_landings(question.race, choice.kept)
    steer = FACINGS[(boat.facing + found.table_way(boat, choice.kept) + 5) % 6]
    landing = next(landing for landing in landings if landing.steer == steer)
    return found.less(boat.hand) if is_held(question, choice.kept, landing) else entry


def is_held(question: Choosing, kept: Hand, landing: Landing) -> bool:
    """Whether only other boats keep the boat on its hex."""
    boat = boat_to_move(question.race)
    if landing.boat.at != boat.at or landing.crashed or landing.finished or landing.sunk:
        return False
    return move(question.race.waters, replace(boat, hand=kept), landing.steer).boat.at != boat.at


def _way(found: Solved, question: Steering) -> int:
    return found.table_way(boat_to_move(question.race), question.hand)
