"""Every turn of many races as columns of numbers, of compiled line-ups and of those that play by the rules alike."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.errors import BadInput
from rulekit.files.transcript import TurnLine
from rulekit.powerboats.boat import Landing
from rulekit.powerboats.dice import as_hand
from rulekit.powerboats.race import Race, apply, boat_to_move, legal_landings
from rulekit.simulate.bulk import STATUSES, Contest, log_compiled
from rulekit.simulate.bulk_log import Flags, Turns, empty_turns, file_turns
from rulekit.simulate.game import Game, new_game, underway
from rulekit.simulate.policies import POLICIES
from rulekit.simulate.table import capped, players, step
from rulekit.solve.kernel import Bytes, Ints, Shorts
from rulekit.solve.model import DiceRules
from rulekit.solve.tables import Numbered, dice_rules

MATCHES_AT_ONCE = 2000
"""Matches whose turns are in memory twice for a while."""


class Starts(NamedTuple):
    """Where boats start, by [match, seat]: hex, facing, progress, damage; they have no dice (PB-13). A match that does
    not hold the race has hex −1."""

    at: Ints
    facing: Ints
    progress: Ints
    damage: Ints


class TurnLog(NamedTuple):
    """The turns of one race of many matches, in the order taken, match after match; about 28 bytes a turn.

    `match` counts from 0 over all, `policy` is its number in the line-up, `number` the boat's turns taken. What the
    boat is after the turn: `at` (a hex's number in `Numbered`, −1 once it has left the lake), `facing`, `hand` (its
    number), `progress`, `damage`. What it did: `entry` (the dice choice's place in the throw table), `thrown` (the
    hand that lay then), `way` (0 right, 1 straight, 2 left). What came of it: `crashed`, `fell_back` (hexes of its way
    that it went back behind boats, PB-19; not those by which boats cut a flight short), `finished`, or else `sunk`.

    By [match, seat]: `starts`, and `status`, `left`, `turns` as in `bulk.Outcomes`, all 0 where the race was not held.
    """

    match: Ints
    seat: Bytes
    policy: Bytes
    number: Shorts
    at: Ints
    facing: Bytes
    hand: Shorts
    progress: Bytes
    damage: Shorts
    entry: Shorts
    thrown: Shorts
    way: Bytes
    crashed: Flags
    fell_back: Shorts
    finished: Flags
    sunk: Flags
    starts: Starts
    status: Ints
    left: Ints
    turns: Ints


class Part(NamedTuple):
    """The log of some of the matches."""

    turns: Turns
    starts: Ints  # [match, seat, (hex, facing, progress, damage)]
    ends: Ints  # [match, seat, (status, left, turns)]


def turns_of(contest: Contest, number: int, first: int, count: int, *, by_rules: bool = False) -> TurnLog:
    """The turns of race `number` (from 0) of the matches first, first + 1, …: the races that `bulk.play` plays.

    They go through the rules engine where the line-up needs it, or with `by_rules`. Besides the log, memory holds the
    turns of a few thousand matches. Raises BadInput for a course without a limit on the dice: hands have no numbers.
    """
    part = _part_by_rules if by_rules or not contest.compiled else _compiled_part
    sizes = [(first + k, min(MATCHES_AT_ONCE, count - k)) for k in range(0, count, MATCHES_AT_ONCE)]
    parts = [part(contest, number, *size) for size in sizes] or [_nothing(contest, 0)]
    turns = Turns(*(np.concatenate(column) for column in zip(*(part.turns for part in parts), strict=True)))
    starts, ends = (np.concatenate([part[k] for part in parts]) for k in (1, 2))
    shift = turns.match % contest.seats if contest.rotate else 0
    policy = ((turns.seat + shift) % contest.seats).astype(np.int8)
    states = Starts(*(np.ascontiguousarray(starts[..., k]) for k in range(4)))
    columns = turns._asdict() | {"policy": policy}
    ended = {name: np.ascontiguousarray(ends[..., k]) for k, name in enumerate(("status", "left", "turns"))}
    return TurnLog(**columns, starts=states, **ended)


def _nothing(contest: Contest, count: int) -> Part:
    starts = np.zeros((count, contest.seats, 4), np.int32)
    starts[..., 0] = -1
    return Part(empty_turns(0), starts, np.zeros((count, contest.seats, 3), np.int32))


def _compiled_part(contest: Contest, number: int, first: int, count: int) -> Part:
    from rulekit.simulate.solved import solved

    records, held = log_compiled(contest, number, first, count)
    hexes, part = solved(contest.races[number]).race.hexes, _nothing(contest, count)
    turns, taken = empty_turns(len(records.log)), records.turns.sum(axis=1)
    file_turns(records.log, first, hexes, np.cumsum(taken) - taken, turns)
    row, at, facing, damage = np.moveaxis(records.starts, -1, 0)
    raced = held.astype(bool)
    part.starts[raced] = np.stack([at, facing, row // hexes, damage], axis=-1)[raced]
    part.ends[raced] = np.stack([records.status, records.left, records.turns], axis=-1)[raced]
    return part._replace(turns=turns)


class Written(NamedTuple):
    """A turn by the rules: the race before it, what the transcript says of it, and what came of it."""

    before: Race
    line: TurnLine
    landing: Landing


def _part_by_rules(contest: Contest, number: int, first: int, count: int) -> Part:
    waters, part = contest.races[number], _nothing(contest, count)
    if waters.readings.dice_max is None:
        raise BadInput("a log of turns needs a limit on a boat's dice: --dice-max N")
    numbered, rules = Numbered(waters), dice_rules(waters)
    rows: list[Sequence[int]] = []
    for k in range(count):
        written = list(turns_by_rules(contest, number, first + k))
        rows += [_row(numbered, rules, first + k, turn) for turn in written]
        if written:
            last = written[-1]
            part.starts[k] = _starts(numbered, written[0].before)
            part.ends[k] = _ends(apply(last.before, last.landing))
    found = empty_turns(len(rows))
    table = np.array(rows, np.int32).reshape(-1, len(found))
    columns: list[NDArray[Any]] = list(found)
    for k, column in enumerate(columns):
        column[:] = table[:, k]
    return part._replace(turns=found)


def turns_by_rules(contest: Contest, number: int, match: int) -> Iterator[Written]:
    """The turns of race `number` (from 0) of a match, as `bulk.Contest.game` plays it."""
    head, policies = contest.head(match), [POLICIES[name] for name in contest.seated(match)]
    seated, game = players(policies, contest.seed, match), new_game(head, contest.races)
    while not game.over and not capped(game, contest.cap) and game.number <= number + 1:
        before, game = game, step(game, seated)
        if before.number == number + 1 and underway(before).placer is None:
            yield _written(before, game)


def _written(before: Game, after: Game) -> Written:
    race, line = underway(before), after.transcript.races[before.number - 1].turns[-1]
    landings = legal_landings(race, as_hand((*line.kept, *line.rolled)))
    return Written(race, line, next(landing for landing in landings if landing.steer == line.facing))


def _row(numbered: Numbered, rules: DiceRules, match: int, turn: Written) -> Sequence[int]:
    """The columns of `Turns`."""
    before, landing = boat_to_move(turn.before), turn.landing
    boat, hand = landing.boat, rules.hands.index
    at = -1 if landing.finished or landing.sunk else numbered.number[boat.at]
    entry = rules.throws.entry(hand(turn.line.kept), len(turn.line.rolled))
    return (
        match, turn.line.seat, turn.before.entries[turn.line.seat].turns + 1, at, boat.facing, hand(boat.hand),
        boat.progress, boat.damage, entry, hand((*turn.line.kept, *turn.line.rolled)),
        (landing.steer - before.facing + 1) % 6, landing.crashed, fallen_back(landing), landing.finished,
        landing.sunk and not landing.finished,
    )  # fmt: skip


def fallen_back(landing: Landing) -> int:
    """The hexes of its way that a boat went back behind others (PB-19).

    A hex met twice on the way is one that it could have stayed on: it is told from the end.
    """
    return landing.way[::-1].index(landing.boat.at)


def _starts(numbered: Numbered, race: Race) -> Ints:
    boats = [entry.boat for entry in race.entries if entry.boat]
    return np.array([[numbered.number[boat.at], boat.facing, boat.progress, boat.damage] for boat in boats], np.int32)


def _ends(race: Race) -> Ints:
    left = [-1 if entry.left_at is None else entry.left_at for entry in race.entries]
    told = zip(race.entries, left, strict=True)
    return np.array([[STATUSES.index(entry.status), gone, entry.turns] for entry, gone in told], np.int32)
