"""Compiled races of boats that each follow a policy of their own, given as arrays."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rulekit.simulate.bulk import Contest, Outcomes
from rulekit.simulate.bulk_kernel import Book
from rulekit.simulate.bulk_races import Plan, Records, new_records, new_slots, play_races
from rulekit.simulate.solved import Solved
from rulekit.simulate.streams import root
from rulekit.study.restricted import Restricted


def book_of(course: Solved, policies: Sequence[Restricted]) -> Book:
    """The policies side by side; each likes the starts by its own costs."""
    books = [replace(course, policy=one.policy).book for one in policies]
    states = [course.numbered.state(boat) for boat in course.starts]
    orders = [
        [np.argsort([one.cost((damage, *state[1:])) for state in states], kind="stable") for damage in range(levels)]
        for one, levels in zip(policies, [course.race.levels] * len(policies), strict=True)
    ]
    choice, ends = (np.concatenate([getattr(book, part) for book in books]) for part in ("choice", "ends"))
    return books[0]._replace(choice=choice, ends=ends, starts=np.array(orders, np.int32))


def race_by_books(contest: Contest, course: Solved, book: Book, line_up: Sequence[int], races: int) -> Outcomes:
    """So many races on one course, boat k of the line-up by book line_up[k], seats moving on from race to race."""
    shape = races, len(line_up)
    books, kinds = np.array(line_up, np.int32), np.zeros(len(line_up), np.int32)
    plan = Plan(np.uint64(root(contest.seed)), 0, 0, contest.cap, True, kinds, books)
    drawn = np.zeros(shape, np.uint64)
    records: Records = new_records(np.zeros(shape, np.int32), drawn, drawn.copy(), log=False)
    play_races(course.water, course.throws, book, course.sense, plan, new_slots(len(line_up)), records)
    parts = records.status, records.left, records.turns, records.damage > 0, np.ones(races)
    return Outcomes(*(part[None].astype(np.int64) for part in parts))
