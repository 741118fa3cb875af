"""A run of `simulate` on a track: races of cars in bulk."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from secrets import randbelow
from time import perf_counter
from typing import Any

from rulekit.cli.circuit import load_legal_track
from rulekit.cli.options import ps_readings
from rulekit.cli.output import Output, Result
from rulekit.cli.seats import CARS, policies_asked
from rulekit.cli.simulate_cars_table import table
from rulekit.cli.simulate_run import Progress, numbers
from rulekit.errors import BadInput, FileExists
from rulekit.files.car_transcript_write import car_transcript_text
from rulekit.files.source import Source
from rulekit.files.transcript_courses import course_word
from rulekit.ps import picks
from rulekit.ps.terms import Terms
from rulekit.simulate.car_bulk import CarContest
from rulekit.simulate.car_policies import CAR_POLICIES
from rulekit.simulate.car_rates import run_cars
from rulekit.simulate.rates import Run, Tally, mean_bounds, wilson

DEFAULT = ("solo",) * 4
RACES = {True: 1000, False: 20}
"""Races unless told, by whether they are compiled."""


def simulate_cars(sources: Sequence[Source], options: dict[str, Any], output: Output) -> None:
    """Plays and prints; raises BadInput and FileFaults for bad input, KeyboardInterrupt after a partial result."""
    began = perf_counter()
    contest = line_up(sources, options, output)
    races = options["races"] or RACES[contest.compiled]
    path = Path(options["transcript"]) if options["transcript"] else None
    if path and path.exists() and not output.overwrite:
        raise FileExists(f"{path} exists already: choose another name, or add --overwrite")
    if path:
        contest = replace(contest, name=course_word(sources[0], path.parent.absolute(), "track"))
    with Progress(output, "solving the circuit, compiling on the first run …") as progress:
        contest.check()
        found = run_cars(contest, races, options["jobs"], report=progress.told)
    if path and not found.interrupted:
        output.write(path, car_transcript_text(contest.game(0).transcript))
    output.emit(result(found, perf_counter() - began))
    if found.interrupted:
        raise KeyboardInterrupt


def line_up(sources: Sequence[Source], options: dict[str, Any], output: Output) -> CarContest:
    """The track and the policies; raises BadInput for options that say nothing here."""
    if len(sources) > 1:
        raise BadInput("a race of cars is a game of its own, on one track (PS-24): simulate one track at a time")
    if options["matches"] is not None:
        raise BadInput("--matches go over several courses: on a track say how many --races")
    readings = ps_readings(options["reading"], options["dice_max"])
    policies = policies_asked(options, DEFAULT, list(CAR_POLICIES), CARS)
    track = load_legal_track(sources[0], options["force"], output).track
    seed = randbelow(1 << 32) if options["seed"] is None else options["seed"]
    terms = Terms(track, readings, options["laps"] or track.laps)
    return CarContest(terms, tuple(policies), seed, options["rotate"], options["turn_cap"], options["files"][0])


def result(found: Run[CarContest], seconds: float) -> Result:
    """Rows by seat and policy, and the policies over all seats."""
    contest, counted = found.contest, found.tally
    seats = range(contest.seats)
    names = list(dict.fromkeys(contest.policies))
    told = [
        {"seat": seat + 1, "policy": name, **figures(counted, [seat], numbers(contest, name))}
        for seat in seats
        for name in names
    ]
    rows = [row for row in told if row["races"]]
    more = {
        "matches": counted.matches, "asked": found.matches, "track": contest.terms.track.name,
        "laps": contest.terms.laps, "players": contest.seats, "rotated": contest.rotate, "turn_cap": contest.cap,
        "capped": counted.capped, "car_moves": counted.turns,
        "policies": [{"policy": name, **figures(counted, seats, numbers(contest, name))} for name in names],
    }  # fmt: skip
    speed = counted.turns / seconds
    return Result("simulate", rows, contest.terms.readings.answers(), contest.seed, more,
                  {"seconds": seconds, "car_moves_per_second": speed}, lambda: table(contest, rows, more))  # fmt: skip


def figures(counted: Tally, seats: Sequence[int], policies: Sequence[int]) -> dict[str, Any]:
    """A row's figures: `win` by the player, `finish` and `sink` by car, `lost` the cars removed in a race."""
    total = {name: int(counts[list(seats)][:, list(policies)].sum()) for name, counts in counted.counts.items()}
    races, row = total["races"], dict[str, Any](races=total["races"])
    if not races:
        return row
    # Places are counted twice, and over the player's cars.
    shares = 2 * picks.CARS
    low, high = mean_bounds(total["place"], total["place_squared"], races)
    row |= {
        "mean_place": total["place"] / races / shares, "mean_place_low": low / shares, "mean_place_high": high / shares,
    }  # fmt: skip
    for name, tries in (("win", races), ("finish", total["cars"]), ("sink", total["cars"])):
        low, high = wilson(total[name], tries)
        row |= {name: total[name] / tries, f"{name}_low": low, f"{name}_high": high}
    total["lost"] = total["sink"]
    for name, key in (("lost", "lost"), ("turns", "turns_mean"), ("points", "points_mean")):
        low, high = mean_bounds(total[name], total[f"{name}_squared"], races)
        row |= {key: total[name] / races, f"{key}_low": low, f"{key}_high": high}
    return row
