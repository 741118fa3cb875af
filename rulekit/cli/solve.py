"""`rulekit solve`: the best solo race of a course, exactly."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from rulekit.cli.options import need_dice_limit, output_options, powerboats_readings, readings_options
from rulekit.cli.output import Output, Result
from rulekit.cli.params import FILE, stdin_filename_option
from rulekit.cli.position import load_legal_waters, parse_place, parse_way
from rulekit.cli.progress import Progress
from rulekit.errors import BadInput
from rulekit.files.kinds import kind_in
from rulekit.files.source import read_source
from rulekit.powerboats.boat import Boat
from rulekit.powerboats.waters import Waters

if TYPE_CHECKING:
    from rulekit.solve.tables import Numbered

OBJECTIVES = ("turns", "deadline", "pareto")
PICTURES = ("turns", "value", "crash", "sink", "visits", "pareto")
MOST_SINK_COST = 1e6
MOST_WITHIN = 1000

EPILOG = """\b
Examples:
  rulekit solve lagoon-a                    the fewest turns; sinking: 50
  rulekit solve practice-a --sink-cost 200 -f json
  rulekit solve practice-a --objective deadline --within 12
  rulekit solve practice-a --objective pareto --plot front.svg
  rulekit solve practice-a --policy greedy --policy dice-2
  rulekit solve practice-a --save best.npz  for odds --advice and others
  rulekit solve practice-a --at E4 --facing NE --damage 2
  rulekit solve practice-a --chart chart.svg    a policy to print
  rulekit solve lagoon-b-tiles --tiles      what each tile does and costs
  rulekit solve lagoon-a --plot crash.png --plot-kind crash
  rulekit solve orchard --reading fuel=full --laps 4   PS: a car alone
  rulekit solve orchard --plot best.svg     its spaces by the best die
"""


@click.command(epilog=EPILOG)
@click.argument("course", type=FILE)
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="turns",
    show_default=True,
    help="The fewest expected turns, the chance to finish --within N turns, or turns against sink risk.",
)
@click.option("--sink-cost", type=float, metavar="X", help="Turns that a sunk boat counts as.  [default: 50]")
@click.option("--within", type=click.IntRange(1, MOST_WITHIN), metavar="N", help="The deadline, in turns.")
@click.option("--damage", type=int, default=0, show_default=True, metavar="D", help="Damage counters at the start.")
@click.option("--at", metavar="HEX", help="Start from this hex, such as K14, instead of the legal starts.")
@click.option("--facing", metavar="FACING", help="Facing at --at: E, NE, NW, W, SW or SE.  [default: the best]")
@click.option("--progress", type=int, metavar="N", help="Gates passed at --at.  [default: 1]")
@click.option(
    "--policy",
    multiple=True,
    metavar="NAME|FILE",
    help="Evaluate a policy exactly beside the optimum: greedy, cautious, no-reroll, dice-2 (the best with at "
    "most 2 dice; any number), or a saved .npz. Repeatable.",
)
@click.option("--save", metavar="FILE", help="Save the best policy and its values (.npz).")
@click.option("--plot", metavar="FILE", help="Draw a picture (.svg, .png, .pdf).")
@click.option(
    "--plot-kind",
    type=click.Choice((*PICTURES, "colour")),
    help="Which: finishing turns; or a map of the values of a boat "
    "at rest, of crashes, of sinkings, of visits; or the Pareto front; of a circuit the best colours or the values.  "
    "[default: turns; pareto; colour]",
)
@click.option(
    "--plot-progress",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="Picture of values: of a boat that has passed so many gates.",
)
@click.option(
    "--laps", type=click.IntRange(1, 20), metavar="N", help="Track: laps of the race.  [default: the track's]"
)
@click.option(
    "--chart",
    metavar="FILE",
    help="Fit a chart that a person can play from, evaluate it exactly, and draw it (.svg, .png, .pdf, .txt). It takes "
    "some minutes on a large lake.",
)
@click.option(
    "--tiles",
    is_flag=True,
    default=None,
    help="Tell what each expansion tile does in the best race, and what it costs; the course is solved again without "
    "each.",
)
@click.option("--force", is_flag=True, help="Solve a course with rule faults, such as a full circle, all the same.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Number of threads.  [default: all cores]")
@stdin_filename_option
@readings_options
@output_options
def command(**options: Any) -> None:  # fmt: skip
    """The best solo race on a course or track, solved exactly with certified bounds: one boat or car alone.

    The result counts turns until the boat has finished or sunk, plus --sink-cost times the chance of sinking. Rows are
    the starts with their values; json also holds the finishing turns and the risk by hex. On a track (PS) the result
    is the fastest race of its laps; rows are the spaces with the best colour of die and the value.
    """
    began = perf_counter()
    output = Output(**{name: options[name] for name in ("fmt", "output", "overwrite", "quiet", "verbose")})
    output.check(plot=options["plot"], save=options["save"])
    _check_sink_cost(options["sink_cost"])
    source = read_source(options["course"], options["stdin_filename"])
    if kind_in(source) == "track":
        from rulekit.cli.solve_track import solve_track

        solve_track(source, options, output)
        return
    if options["laps"] is not None:
        raise BadInput("--laps is for tracks: a course has no laps")
    readings = powerboats_readings(options["reading"], options["dice_max"])
    need_dice_limit(readings, "solve")
    check_options(options)
    waters = load_legal_waters(source, None, readings, output, options["force"])
    _check_plot_progress(options, waters)
    if options["tiles"] and not waters.course.tiles:
        raise BadInput(f"--tiles: '{waters.course.name}' has no expansion tiles")
    own = _own_starts(options, waters)
    from rulekit.cli.solve_run import run

    with Progress(output) as progress:
        found = run(options, _numbered(waters), own, progress)
    for path, content in found.files:
        output.write(path, content)
    for warning in found.warnings:
        output.note(f"warning: {warning}")
    timing = {**found.timing, "seconds": perf_counter() - began}
    output.emit(Result("solve", found.rows, readings.answers(), more=found.more, timing=timing,
                       table=found.table, columns=found.columns))  # fmt: skip


def _check_sink_cost(cost: float | None) -> None:
    if cost is not None and not 0 <= cost <= MOST_SINK_COST:
        raise BadInput(f"--sink-cost is a number of turns from 0 to {MOST_SINK_COST:,.0f}, not {cost}")


def check_options(options: dict[str, Any]) -> None:
    """Raises BadInput for options that do not go together."""
    objective = options["objective"]
    if objective == "deadline" and options["within"] is None:
        raise BadInput("--objective deadline needs --within N, the number of turns")
    if objective != "deadline" and options["within"] is not None:
        raise BadInput("--within is the deadline of --objective deadline: add that")
    if objective != "turns":
        for name in ("sink_cost", "policy", "save", "chart", "tiles"):
            if options[name] not in (None, ()):
                raise BadInput(f"--{name.replace('_', '-')} goes with --objective turns only")
    if options["at"] is None and (options["facing"] or options["progress"] is not None):
        raise BadInput("--facing and --progress say how a boat lies at its own start: add --at HEX")
    _check_files(options)


def _check_plot_progress(options: dict[str, Any], waters: Waters) -> None:
    if options["plot_progress"] >= waters.last:
        raise BadInput(f"--plot-progress {options['plot_progress']}: a boat that races here has passed 0 to "
                       f"{waters.last - 1} gates (PB-12)")  # fmt: skip
    if options["plot_progress"] != 1 and options["plot_kind"] != "value":
        raise BadInput("--plot-progress says which values to draw: add --plot FILE --plot-kind value")


def _check_files(options: dict[str, Any]) -> None:
    kind, objective = options["plot_kind"], options["objective"]
    if kind and not options["plot"]:
        raise BadInput("--plot-kind says what to draw: add --plot FILE")
    if options["plot"]:
        allowed = {"turns": PICTURES[:-1], "deadline": ("turns",), "pareto": ("pareto",)}[objective]
        if kind and kind not in allowed:
            raise BadInput(f"--objective {objective} has no picture '{kind}': {', '.join(allowed)}")
    if options["chart"] and Path(options["chart"]).suffix.lower() != ".txt":
        from rulekit.plot.figure import suffix_of

        suffix_of(Path(options["chart"]))
    _check_save(options["save"])


def _check_save(name: str | None) -> None:
    if name == "-":
        raise BadInput("--save writes a file, not to standard output: name one such as best.npz")
    if name and Path(name).name == ".npz":
        raise BadInput(
            f"--save {name} is a suffix without a name: name a file such as {Path(name).with_name('best.npz')}"
        )
    if name and Path(name).suffix != ".npz":
        raise BadInput(f"--save writes a .npz file: name it {Path(name).with_suffix('.npz')}")


def _own_starts(options: dict[str, Any], waters: Waters) -> list[Boat]:
    """The start of --at, all facings unless one is given; empty without --at."""
    if options["at"] is None:
        return []
    at = parse_place(options["at"], waters.course, "--at")
    progress = 1 if options["progress"] is None else options["progress"]
    if not 0 <= progress < waters.last:
        raise BadInput(f"--progress {progress}: a boat that races here has passed 0 to {waters.last - 1} gates (PB-12)")
    from rulekit.hexgrid import FACINGS

    return [Boat(at, way, (), progress) for way in ([parse_way(options["facing"])] if options["facing"] else FACINGS)]


def _numbered(waters: Waters) -> "Numbered":
    from rulekit.solve.best import check_size
    from rulekit.solve.tables import Numbered

    check_size(waters)
    return Numbered(waters)
