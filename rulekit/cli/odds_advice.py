"""`odds --advice`: what every choice is worth to a boat on a course when the best race follows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite

from rulekit.cli.odds_course import Place
from rulekit.cli.odds_table import OddsTable, told
from rulekit.cli.options import need_dice_limit
from rulekit.cli.output import Output, Result, percent, tabulated
from rulekit.cli.solo import numbered_waters, solution_of
from rulekit.hexgrid import hex_name
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.dice import Choice, Hand
from rulekit.powerboats.odds import Odds
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.solve.advice import choice_values

SHOWN = 12
COLUMNS = ("turns", "loss")


@dataclass(frozen=True)
class Advice:
    """The expected cost of the choices of each hand, for a boat at one place."""

    boat: Boat
    course: str
    sink_cost: float
    turns: Mapping[tuple[Hand, Choice], float]

    def best(self, hand: Hand) -> float:
        """The least cost of a hand's choices."""
        return min(turns for (own, _), turns in self.turns.items() if own == hand)

    def of(self, entry: Odds) -> dict[str, float | None]:
        """`turns` and `loss` of a choice; None where the race may never end."""
        turns = self.turns[entry.hand, entry.choice]
        loss = turns - self.best(entry.hand)
        return {"turns": turns, "loss": loss} if isfinite(turns) else {"turns": None, "loss": None}

    def ranked(self, entries: Sequence[Odds]) -> list[Odds]:
        """Choices of several hands, hand by hand, the best first; of equal ones the one with the least risk."""
        hands = list(dict.fromkeys(entry.hand for entry in entries))
        return sorted(entries, key=lambda one: (hands.index(one.hand), self.turns[one.hand, one.choice], _crash(one)))


def _crash(entry: Odds) -> float:
    return float(entry.risk.crash) if entry.risk else 0.0


def advise(
    place: Place, hands: Sequence[Hand], readings: PowerboatsReadings, file: str | None, output: Output
) -> Advice:
    """Advice for a boat at a place, from a file that `solve --save` wrote or solved now; raises BadInput.

    `readings` are the place's, but for a limit of dice that the hands may have raised.
    """
    need_dice_limit(readings, "odds --advice")
    waters, boat = Waters(place.waters.course, readings), place.boat
    numbered = numbered_waters(waters)
    solution = solution_of(numbered, file, output)
    tuples = numbered.race.dice.hands.tuple_of
    turns = {
        (hand, Choice(tuples(kept), rolled)): value
        for hand in hands
        for (kept, rolled), value in choice_values(solution, numbered.state(replace(boat, hand=hand))).items()
    }
    return Advice(boat, waters.course.name, solution.sunk, turns)


def with_advice(result: Result, table: OddsTable, advice: Advice) -> Result:
    """The result of `odds` with `turns` and `loss` in each row, the best choices first."""
    rows = []
    if result.rows:
        by_choice = {(one.hand, one.choice): row for one, row in zip(table.odds, result.rows, strict=True)}
        rows = [{**by_choice[one.hand, one.choice], **advice.of(one)} for one in advice.ranked(table.odds)]
    more = {**result.more, "sink_cost": advice.sink_cost}
    columns = [*(result.columns or ())[:4], *COLUMNS, *(result.columns or ())[4:]]
    return replace(result, rows=rows, more=more, columns=columns, table=lambda: advice_text(advice, table))


def advice_text(advice: Advice, table: OddsTable) -> str:
    """The choices of each hand, the best first."""
    boat = advice.boat
    head = (
        f"{advice.course}: {hex_name(boat.at)} facing {boat.facing.name}, progress {boat.progress},"
        f" damage {boat.damage}.\n"
        f"Turns: expected until the boat has finished or sunk, this one included, if the best race follows;\n"
        f"a sunk boat counts as {advice.sink_cost:g}. Loss: turns more than the best choice."
    )
    return "\n\n".join([head, *(_hand(advice, table, hand) for hand in table.by_hand)]) + "\n"


def _hand(advice: Advice, table: OddsTable, hand: Hand) -> str:
    ranked = advice.ranked(table.by_hand[hand])
    shown = ranked if table.detail == "all" else ranked[:SHOWN]
    rows = [_row(advice, entry) for entry in shown]
    lines = [f"Hand {told(hand)}:", tabulated(("choice", "turns", "loss", "mean", "crash", "sinks"), rows,
                                              colalign=("left", *["right"] * 5))]  # fmt: skip
    if len(shown) < len(ranked):
        lines.append(f"{len(ranked) - len(shown)} worse choices left out (--all lists them).")
    return "\n".join(lines)


def _row(advice: Advice, entry: Odds) -> list[str]:
    found = advice.of(entry)
    turns, loss = ("never" if value is None else f"{value:.3f}" for value in found.values())
    risk = [percent(entry.risk.crash), percent(entry.risk.sink)] if entry.risk else ["–", "–"]
    return [entry.choice.told(entry.hand), turns, loss, f"{float(entry.totals.mean):.2f}", *risk]
