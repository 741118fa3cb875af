"""A run of `simulate`: the line-up that the options describe, its progress, its rows."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from secrets import randbelow
from time import perf_counter
from typing import Any

import click

from rulekit.cli.options import powerboats_readings
from rulekit.cli.output import Output, Result
from rulekit.cli.position import load_legal_waters
from rulekit.cli.seats import policies_asked
from rulekit.cli.simulate_table import table
from rulekit.errors import BadInput, FileExists
from rulekit.files.source import Source
from rulekit.files.transcript_courses import course_word
from rulekit.files.transcript_write import transcript_text
from rulekit.simulate.bulk import COMPILED, Contest, Ints
from rulekit.simulate.car_bulk import CarContest
from rulekit.simulate.policies import POLICIES
from rulekit.simulate.rates import Run, Tally, mean_bounds, run, wilson

DEFAULT = ("solo",) * 4
MATCHES = {"compiled": 10_000, "lookahead": 200, "rules": 100}
"""Matches unless told, by how fast a line-up is played."""


def simulate(sources: Sequence[Source], options: dict[str, Any], output: Output) -> None:
    """Plays and prints; raises BadInput and FileFaults for bad input, KeyboardInterrupt after a partial result."""
    began = perf_counter()
    contest = line_up(sources, options, output)
    matches = asked(options, contest)
    path = Path(options["transcript"]) if options["transcript"] else None
    if path and path.exists() and not output.overwrite:
        raise FileExists(f"{path} exists already: choose another name, or add --overwrite")
    if path:
        names = tuple(course_word(source, path.parent.absolute()) for source in sources)
        contest = replace(contest, names=names)
    solved = bool(set(contest.policies) & set(COMPILED))
    with Progress(output, "solving the course, compiling on the first run …" if solved else "playing …") as progress:
        found = run(contest, matches, options["jobs"], report=progress.told)
    if path and not found.interrupted:
        output.write(path, transcript_text(contest.game(0).transcript))
    output.emit(result(found, perf_counter() - began))
    if found.interrupted:
        raise KeyboardInterrupt


def line_up(sources: Sequence[Source], options: dict[str, Any], output: Output) -> Contest:
    """Courses and policies."""
    policies = policies_asked(options, DEFAULT, list(POLICIES))
    seed = randbelow(1 << 32) if options["seed"] is None else options["seed"]
    if options["laps"] is not None:
        raise BadInput("--laps is for tracks: on a course a race is once round its buoys")
    readings = powerboats_readings(options["reading"], options["dice_max"])
    races = [load_legal_waters(source, None, readings, output, options["force"]) for source in sources]
    contest = Contest(
        tuple(races), tuple(policies), seed, options["rotate"], options["turn_cap"], tuple(options["files"])
    )
    contest.check()
    return contest


def asked(options: dict[str, Any], contest: Contest) -> int:
    """Number of matches; raises BadInput where the options disagree."""
    if options["races"] is not None and len(contest.races) > 1:
        raise BadInput("several courses make a match with a race on each: say how many --matches")
    if None not in (options["races"], options["matches"]):
        raise BadInput("--races and --matches both say how many: give one of them")
    kind = "rules" if not contest.compiled else "lookahead" if "lookahead" in contest.policies else "compiled"
    return int(options["races"] or options["matches"] or MATCHES[kind])


class Progress:
    """One line on the terminal: how far, how long; silent elsewhere. Wipes itself at the end."""

    def __init__(self, output: Output, opening: str) -> None:
        self.live = not output.quiet and sys.stderr.isatty()
        self.began, self.last = perf_counter(), 0.0
        self.opening = opening

    def __enter__(self) -> "Progress":
        self._show(self.opening)
        return self

    def __exit__(self, *_: object) -> None:
        self._show("")

    def told(self, done: int, matches: int) -> None:
        """Matches done of those asked for."""
        now = perf_counter()
        if now - self.last > 0.2:
            self.last = now
            left = (now - self.began) / done * (matches - done)
            self._show(f"{done:,} of {matches:,} done, {left:.0f} s left")

    def _show(self, text: str) -> None:
        if self.live:
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)


def result(found: Run[Contest], seconds: float) -> Result:
    """Rows by seat and policy, and the policies over all seats."""
    contest, counted = found.contest, found.tally
    seats = range(contest.seats)
    names = list(dict.fromkeys(contest.policies))
    rows = [
        {"seat": seat + 1, "policy": name, **figures(counted, [seat], numbers(contest, name))}
        for seat in seats
        for name in names
    ]
    by_policy = [
        {"policy": name, **figures(counted, seats, numbers(contest, name)), **standing(counted, numbers(contest, name))}
        for name in names
    ]
    more = {
        "matches": counted.matches, "asked": found.matches, "courses": [waters.course.name for waters in contest.races],
        "players": contest.seats, "rotated": contest.rotate, "turn_cap": contest.cap, "capped": counted.capped,
        "boat_turns": counted.turns, "policies": by_policy,
    }  # fmt: skip
    rows = [row for row in rows if row["races"]]
    speed = counted.turns / seconds
    return Result("simulate", rows, contest.readings.answers(), contest.seed, more,
                  {"seconds": seconds, "boat_turns_per_second": speed}, lambda: table(contest, rows, more))  # fmt: skip


def numbers(contest: Contest | CarContest, name: str) -> list[int]:
    """A policy's numbers in the line-up."""
    return [number for number, policy in enumerate(contest.policies) if policy == name]


def figures(counted: Tally, seats: Sequence[int], policies: Sequence[int]) -> dict[str, Any]:
    """A row's figures: rates with Wilson's intervals, means with normal ones."""
    total = {name: _sum(counts, seats, policies) for name, counts in counted.counts.items()}
    races, row = total["races"], dict[str, Any](races=total["races"])
    if not races:
        return row
    low, high = mean_bounds(total["place"], total["place_squared"], races)
    row |= {"mean_place": total["place"] / races / 2, "mean_place_low": low / 2, "mean_place_high": high / 2}
    for name in ("win", "finish", "sink"):
        low, high = wilson(total[name], races)
        row |= {name: total[name] / races, f"{name}_low": low, f"{name}_high": high}
    for name in ("turns", "points"):
        low, high = mean_bounds(total[name], total[f"{name}_squared"], races)
        row |= {f"{name}_mean": total[name] / races, f"{name}_mean_low": low, f"{name}_mean_high": high}
    return row


def standing(counted: Tally, policies: Sequence[int]) -> dict[str, Any]:
    """How a policy fared in whole matches."""
    seats = range(len(counted.counts["matches"]))
    played, won, points = (
        _sum(counted.counts[name], seats, policies) for name in ("matches", "match_win", "match_points")
    )
    low, high = wilson(won, played)
    return {
        "match_win": won / played if played else None, "match_win_low": low, "match_win_high": high,
        "match_points_mean": points / played if played else None,
    }  # fmt: skip


def _sum(counts: Ints, seats: Sequence[int], policies: Sequence[int]) -> int:
    return int(counts[list(seats)][:, list(policies)].sum())
