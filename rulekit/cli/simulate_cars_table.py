"""The readable tables of `simulate` on a track: the outcome in words first."""

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.cli.output import tabulated
from rulekit.cli.simulate_table import mean, rate
from rulekit.simulate.car_bulk import CarContest

Row = Mapping[str, Any]


def table(contest: CarContest, rows: Sequence[Row], more: Mapping[str, Any]) -> str:
    """What was played, the policies over all seats, and each seat."""
    parts = [_head(contest, more)]
    if not rows:
        return "\n\n".join([*parts, "Nothing was played to its end."])
    if len(more["policies"]) > 1:
        parts.append(_block("By policy, over all seats:", more["policies"], "policy"))
    parts.append(_block("By seat:", rows, "seat"))
    parts.append("Win is the player's (PS-24), place the mean of its cars, finish theirs; lost are removed cars a race."
                 "\nBrackets are intervals of 95 %.")  # fmt: skip
    return "\n\n".join(parts)


def _head(contest: CarContest, more: Mapping[str, Any]) -> str:
    done, laps = more["matches"], more["laps"]
    what = f"{done:,} {'race' if done == 1 else 'races'} of {more['players']} players with three cars each"
    told = f"{what} on {more['track']}, {laps} {'lap' if laps == 1 else 'laps'}; seed {contest.seed}."
    if done < more["asked"]:
        told = f"Broken off after {done:,} of {more['asked']:,}: " + told
    if str(contest.terms.readings):
        told += f"\nReadings: {contest.terms.readings}."
    if more["capped"]:
        told += (
            f"\n{more['capped']:,} were given up after {more['turn_cap']} turns of a player (--turn-cap): nobody wins "
            "them;\ncars that still raced share the middle place and get no points."
        )
    leader = max(more["policies"], key=lambda row: row.get("win", 0.0))
    if leader["races"] and len(more["policies"]) > 1:
        told += f"\n{leader['policy']} wins most: {rate(leader, 'win')} of its races, {1 / contest.seats:.1%} is even."
    return told


def _block(title: str, rows: Sequence[Row], first: str) -> str:
    keys = ["seat"] * (first == "seat")
    cells = [
        [*(str(row[key]) for key in keys), row["policy"], f"{row['races']:,}", rate(row, "win"),
         mean(row, "mean_place"), f"{row['finish']:.1%}", f"{row['lost']:.2f}", mean(row, "turns_mean"),
         f"{row['points_mean']:.1f}"]
        for row in rows if row["races"]
    ]  # fmt: skip
    return f"{title}\n" + tabulated(
        [*keys, "policy", "races", "win", "place", "finish", "lost", "turns", "points"], cells
    )
