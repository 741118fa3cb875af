"""What `reach` found: its rows and its readable table."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from rulekit.cli.output import percent, tabulated
from rulekit.hexgrid import FACINGS, hex_name
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.dice import Choice
from rulekit.solve.reach import Reach, Standing, fewest_turns
from rulekit.solve.tables import Numbered

EXACT_TURNS = 4
SHOWN = 24


@dataclass(frozen=True)
class Reached:
    """What `reach` found for a boat, and how it was asked."""

    numbered: Numbered
    boat: Boat
    found: Reach
    safe: bool
    policy: str | None

    @cached_property
    def fewest(self) -> dict[str, int]:
        """Name of each hex within reach with the fewest turns to it, as the hexes are numbered."""
        turns = fewest_turns(self.numbered.race, self.numbered.state(self.boat), safe=self.safe)
        return {hex_name(at): int(turn) for at, turn in zip(self.numbered.hexes, turns, strict=True) if turn > 0}

    @cached_property
    def ranked(self) -> tuple[Standing, ...]:
        """The standings, the most likely first."""
        return tuple(sorted(self.found.standings, key=lambda one: (-(one.exact or one.chance), one.place)))

    def name(self, standing: Standing) -> str:
        """The hex of a standing."""
        return hex_name(self.numbered.hexes[standing.place])

    def choice(self, standing: Standing) -> Choice:
        """The first turn's choice."""
        return Choice(self.numbered.race.dice.hands.tuple_of(standing.kept), standing.rolled)

    def chance(self, standing: Standing) -> str:
        """The chance as JSON writes it: a fraction up to four turns, then decimals."""
        if standing.exact is not None and self.found.turns <= EXACT_TURNS:
            return str(standing.exact)
        return f"{standing.chance:.12g}"

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of JSON and CSV, the most likely hex first."""
        for one in self.ranked:
            kept, rolled = self.choice(one)
            row: dict[str, Any] = {
                "hex": self.name(one),
                "probability": self.chance(one),
                "keep": list(kept),
                "roll": rolled,
                "fewest": self.fewest.get(self.name(one)),
            }
            if self.found.turns == 1:
                row["facings"] = [facing.name for facing in FACINGS if self.found.facings[one.place, facing]]
            yield row


def table(reached: Reached, every: bool) -> str:
    """The most likely hexes with the first turn's choice, and how many hexes each number of turns reaches."""
    shown = reached.ranked if every else reached.ranked[:SHOWN]
    rows = [_line(reached, one) for one in shown]
    heads = ["hex", "chance", "exactly", "first choice", "fewest turns"]
    if reached.found.turns == 1:
        heads.append("facing then")
    parts = [title(reached), tabulated(heads, rows)] if rows else [title(reached), "No hex."]
    left = len(reached.ranked) - len(shown)
    if left:
        parts.append(f"{left} less likely {'hex' if left == 1 else 'hexes'} left out (--all lists them).")
    return "\n\n".join([*parts, _by_turns(reached)])


def title(reached: Reached) -> str:
    """What is shown, and from where."""
    boat, turns = reached.boat, reached.found.turns
    dice = f"dice {' '.join(map(str, boat.hand))}" if boat.hand else "no dice"
    start = f"{hex_name(boat.at)} facing {boat.facing.name}, {dice}, progress {boat.progress}, damage {boat.damage}"
    how = "Greatest chance" if reached.policy is None else f"Chance under the policy {reached.policy}"
    after = f"{turns} {'turn' if turns == 1 else 'turns'}"
    safe = ", never risking damage" if reached.safe else ""
    return f"{reached.numbered.waters.course.name}: from {start}.\n{how} to stand on a hex after exactly {after}{safe}."


def _line(reached: Reached, one: Standing) -> list[str]:
    name, exact = reached.name(one), reached.chance(one)
    line = [name, percent(one.exact or Fraction(one.chance)), exact if "/" in exact or exact == "1" else "",
            reached.choice(one).told(reached.boat.hand), str(reached.fewest.get(name, "–"))]  # fmt: skip
    if reached.found.turns == 1:
        line.append(" ".join(facing.name for facing in FACINGS if reached.found.facings[one.place, facing]))
    return line


def _by_turns(reached: Reached) -> str:
    """How far the best dice bring a boat."""
    turns = sorted(set(reached.fewest.values()))
    counts = [sum(turn <= most for turn in reached.fewest.values()) for most in turns]
    water = len(reached.numbered.hexes)
    reach_by = ", ".join(f"{most}: {count}" for most, count in zip(turns, counts, strict=True))
    safely = "without any risk of damage, " if reached.safe else ""
    return f"Hexes within reach with the best dice, {safely}by turns: {reach_by or 'none'} (of {water})."
