"""The readable tables of `simulate`: the outcome in words first."""

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.cli.output import tabulated
from rulekit.simulate.bulk import Contest

Row = Mapping[str, Any]


def table(contest: Contest, rows: Sequence[Row], more: Mapping[str, Any]) -> str:
    """What was played, the policies over all seats, and each seat."""
    parts = [_head(contest, more)]
    if not rows:
        return "\n\n".join([*parts, "Nothing was played to its end."])
    policies = more["policies"]
    if len(policies) > 1:
        parts.append(_block("By policy, over all seats:", policies, "policy", len(contest.races) > 1))
    parts.append(_block("By seat:", rows, "seat", False))
    parts.append("Brackets are intervals of 95 %; turns are those that a boat took in a race, sunk or not.")
    return "\n\n".join(parts)


def _head(contest: Contest, more: Mapping[str, Any]) -> str:
    what, done = ("races", "matches")[len(contest.races) > 1], more["matches"]
    where = ", ".join(more["courses"])
    told = f"{done:,} {what} of {more['players']} boats on {where}; seed {contest.seed}."
    if done < more["asked"]:
        told = f"Broken off after {done:,} of {more['asked']:,}: " + told
    if str(contest.readings):
        told += f"\nReadings and dials: {contest.readings}."
    if more["capped"]:
        told += (
            f"\n{more['capped']:,} were given up after {more['turn_cap']} turns of a boat (--turn-cap): boats that "
            "still raced share the middle place and get no points."
        )
    leader = max(more["policies"], key=lambda row: row.get("win", 0.0), default=None)
    if leader and leader["races"] and len(more["policies"]) > 1:
        told += f"\n{leader['policy']} wins most: {rate(leader, 'win')} of its races, {1 / contest.seats:.1%} is even."
    return told


def _block(title: str, rows: Sequence[Row], first: str, matches: bool) -> str:
    heads = ["policy", "races", "win", "place", "finish", "sink", "turns", "points"]
    keys = [first] * (first == "seat")
    cells = [
        [*(str(row[key]) for key in keys), row["policy"], f"{row['races']:,}", rate(row, "win"),
         mean(row, "mean_place"), f"{row['finish']:.1%}", f"{row['sink']:.2%}", mean(row, "turns_mean"),
         f"{row['points_mean']:.2f}",
         *([rate(row, "match_win")] if matches else [])]
        for row in rows if row["races"]
    ]  # fmt: skip
    return f"{title}\n" + tabulated([*keys, *heads, *(["match win"] if matches else [])], cells)


def rate(row: Row, name: str) -> str:
    """A share with its interval."""
    if row[name] is None:
        return "–"
    return f"{row[name]:.1%} [{row[f'{name}_low']:.1%}, {row[f'{name}_high']:.1%}]"


def mean(row: Row, name: str) -> str:
    """A mean and half its interval, which a single race has none of."""
    if row["races"] < 2:
        return f"{row[name]:.2f}"
    half = (row[f"{name}_high"] - row[f"{name}_low"]) / 2
    return f"{row[name]:.2f} ± {half:.2f}"
