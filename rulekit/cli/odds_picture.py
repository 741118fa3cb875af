"""From odds to their picture: which choices are drawn, and their figures as floats. Imports matplotlib."""

from collections.abc import Sequence
from pathlib import Path

from rulekit.cli.odds_table import OddsTable, told
from rulekit.plot.figure import render, suffix_of
from rulekit.plot.odds import MOST_CURVES, Curve, HandOdds, draw, size
from rulekit.powerboats.dice import Hand
from rulekit.powerboats.odds import Odds, crash_by_free, safest, worth_looking_at

MOST_HANDS = 8
"""Rows of a picture: more would take long to draw and not fit a page."""


def picture(path: Path, table: OddsTable) -> bytes:
    """The picture of a table's choices worth looking at, at most eight a hand and the first MOST_HANDS hands.

    Raises BadInput for a suffix that is no picture's.
    """
    suffix = suffix_of(path)
    most = max(entry.totals.last for entry in table.odds)
    shown = list(table.by_hand.items())[:MOST_HANDS]
    hands = [_hand_odds(hand, rows, table, most) for hand, rows in shown]
    return render(lambda figure: draw(figure, hands), size(hands), suffix)


def _hand_odds(hand: Hand, rows: Sequence[Odds], table: OddsTable, most: int) -> HandOdds:
    drawn = _drawn(rows, table.waters())
    count = f"{len(drawn)} of {len(rows)}" if len(drawn) < len(rows) else f"all {len(rows)}"
    return HandOdds(
        f"hand {told(hand)}: totals of {count} choices", [_curve(entry, most) for entry in drawn], table.free
    )


def _drawn(rows: Sequence[Odds], waters: Sequence[int]) -> list[Odds]:
    """As many of the choices worth looking at as can be told apart: the must-haves, the others thinned out evenly."""
    worth = worth_looking_at(rows, waters)
    best = [safest(rows, sign, waters[-1]) for sign in (-1, 0, 1)]
    must = [entry for entry in worth if entry in best or not (entry.change or entry.choice.rolled)]
    others = [entry for entry in worth if entry not in must]
    room = min(MOST_CURVES - len(must), len(others))
    kept = must + [others[i * len(others) // room] for i in range(room)]
    return [entry for entry in worth if entry in kept]


def _curve(entry: Odds, most: int) -> Curve:
    totals = {total: float(chance) for total, chance in entry.totals.fractions().items()}
    crash = [float(chance) for chance in crash_by_free(entry.totals, most).values()]
    return Curve(entry.choice.told(entry.hand), totals, float(entry.totals.mean), crash)
