"""`solve` on a track: the fastest laps of one car alone."""

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from rulekit.cli import solve_track_table as words
from rulekit.cli.circuit import load_legal_track
from rulekit.cli.output import Output, Result
from rulekit.cli.progress import Progress
from rulekit.errors import BadInput
from rulekit.files.source import Source
from rulekit.ps.track import LANES
from rulekit.readings import PsReadings
from rulekit.solve.laps import DAMAGES, SINK_COST, Figures, Laps, solve_laps

TRACK_PICTURES = ("colour", "value")

FOREIGN = ("within", "at", "facing", "progress", "policy", "save", "chart", "tiles", "dice_max")
"""Options that speak of boats."""

COLUMNS = ("space", "colour", "value", "last_colour", "last_value")


def solve_track(source: Source, options: dict[str, Any], output: Output) -> None:
    """Solve the laps and print them; raises BadInput and FileFaults."""
    began = perf_counter()
    check_options(options)
    readings = PsReadings.parse(options["reading"])
    file = load_legal_track(source, options["force"], output)
    cost = SINK_COST if options["sink_cost"] is None else options["sink_cost"]
    with Progress(output) as progress:
        progress.begin("solving")
        laps = solve_laps(file.track, readings, options["laps"], sink_cost=cost, report=progress.begin)
        found = words.Found(laps, options["damage"])
        if options["plot"]:
            from rulekit.cli.solve_track_picture import picture

            path = Path(options["plot"])
            content = picture(path, options["plot_kind"] or TRACK_PICTURES[0], found)
    if options["plot"]:
        output.write(path, content)
    for warning in words.warnings(found):
        output.note(f"warning: {warning}")
    timing = {"seconds": perf_counter() - began}
    output.emit(Result("solve", list(rows(found)), readings.answers(), more=keys(found), timing=timing,
                       table=lambda: words.table(found), columns=COLUMNS))  # fmt: skip


def check_options(options: dict[str, Any]) -> None:
    """Raises BadInput for options that say nothing on a track or do not go together."""
    if options["objective"] != "turns":
        raise BadInput(f"--objective {options['objective']} is for courses: a track is solved for the fewest turns")
    for name in FOREIGN:
        if options.get(name) not in (None, ()):
            raise BadInput(f"--{name.replace('_', '-')} speaks of boats: this is a track")
    if not 0 <= options["damage"] < DAMAGES:
        raise BadInput(f"--damage {options['damage']}: a car with {DAMAGES} points is out (PS-20)")
    if options["plot_progress"] != 1:
        raise BadInput("--plot-progress is for courses: a track has no gates")
    kind = options["plot_kind"]
    if kind and not options["plot"]:
        raise BadInput("--plot-kind says what to draw: add --plot FILE")
    if kind and kind not in TRACK_PICTURES:
        raise BadInput(f"a track has no picture '{kind}': {', '.join(TRACK_PICTURES)}")


def keys(found: words.Found) -> dict[str, Any]:
    """The top-level keys."""
    laps, (place, race) = found.laps, found.race
    return {
        "objective": "turns", "sink_cost": laps.sink_cost, "damage": found.damage, "laps": laps.laps,
        **figures(race), "best_start": {"space": laps.places.name(place)},
        "starts": [{"space": laps.places.name(start), **figures(one)} for start, one in found.starts],
        "flying_lap": lap(laps, *found.flying), "standing_lap": found.standing and lap(laps, *found.standing),
        "states": laps.states, "sweeps": laps.sweeps,
    }  # fmt: skip


def figures(one: Figures) -> dict[str, float]:
    """Figures as JSON."""
    return one._asdict()


def lap(laps: Laps, place: int, one: Figures) -> dict[str, Any]:
    """A single lap as JSON."""
    return {"space": laps.places.name(place), **figures(one)}


def rows(found: words.Found) -> Iterator[dict[str, Any]]:
    """Every space: the best colour and the value in the first lap just begun, and in the last one."""
    laps = found.laps
    for place, space in enumerate(laps.track.spaces):
        first = place, laps.laps, found.damage, laps.at_start
        last = place, 1, found.damage, laps.full
        yield {
            "space": laps.places.name(place), "section": laps.track.sections[space.section].id,
            "lane": LANES[space.lane], "column": space.first,
            "colour": laps.colour(*first).value, "value": laps.figures(*first).value,
            "last_colour": laps.colour(*last).value, "last_value": laps.figures(*last).value,
        }  # fmt: skip
