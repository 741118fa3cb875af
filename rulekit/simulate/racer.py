"""The policy `racer`: solo values adjusted for the others.

It looks one turn ahead, exactly, with the other boats where they are (PB-19). What each end of the turn is worth is the
chance to win from there: the turns that boats have left count as normal, with the solo values as means; sinking loses
the race, no more.
"""

from random import Random

from rulekit.simulate.questions import Choosing, Placing, Question
from rulekit.simulate.solo import best_start, entry_option, way_option
from rulekit.simulate.solved import solved
from rulekit.simulate.weigh import best_way, place_prices, racer_choice


def answer(question: Question, _rng: Random) -> int:
    """The index of the option with the least price.

    Raises BadInput where the course cannot be solved under its readings.
    """
    found = solved(question.race.waters)
    if isinstance(question, Placing):
        return best_start(found, question)
    seat = question.race.mover or 0
    turn = found.water, found.throws, found.fleet(question.race), seat, found.sense
    prices = place_prices(*turn)
    if isinstance(question, Choosing):
        return entry_option(found, question, int(racer_choice(*turn, prices)))
    return way_option(question, int(best_way(*turn, prices, found.hand_number(question.hand))[0]))
