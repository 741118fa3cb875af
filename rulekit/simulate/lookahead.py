"""The policy `lookahead`: the race played on by `solo` from each of the best few choices, many times.

All choices get the same dice. What counts is half the win, half the place.
"""

from random import Random

import numpy as np

from rulekit.simulate.questions import Choosing, Placing, Question
from rulekit.simulate.solo import best_start, entry_option, way_option
from rulekit.simulate.solved import solved
from rulekit.simulate.weigh import lookahead_choice, lookahead_way


def answer(question: Question, rng: Random) -> int:
    """The index of the option that did best; draws 64 bits for each question but the first.

    Raises BadInput where the course cannot be solved under its readings.
    """
    found = solved(question.race.waters)
    if isinstance(question, Placing):
        return best_start(found, question)
    seat, base = question.race.mover or 0, np.uint64(rng.getrandbits(64))
    turn = found.water, found.throws, found.book, 0, found.fleet(question.race), seat, found.sense
    if isinstance(question, Choosing):
        return entry_option(found, question, int(lookahead_choice(*turn, base)))
    return way_option(question, int(lookahead_way(*turn, found.hand_number(question.hand), base)))
