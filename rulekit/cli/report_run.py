"""A run of `report`: which kind of thing the files are, the evidence, the files written or the figures printed."""

from collections.abc import Callable, Mapping, Sequence
from os import cpu_count
from pathlib import Path
from secrets import randbelow
from time import perf_counter
from typing import Any

from rulekit.cli.options import powerboats_readings
from rulekit.cli.outfile import check_outputs, check_place
from rulekit.cli.output import Output, Result
from rulekit.cli.position import rule_faults
from rulekit.cli.progress import Progress
from rulekit.cli.report_origin import kind_name, origin_of, sources
from rulekit.cli.report_table import COLUMNS, rows, table
from rulekit.cli.seats import policies_asked
from rulekit.errors import BadInput, FileExists, FileFaults, errors_in
from rulekit.files.course import CourseFile
from rulekit.files.kinds import AnyFile, read_any
from rulekit.files.source import read_source
from rulekit.powerboats.route import settle
from rulekit.powerboats.waters import Waters
from rulekit.readings import PowerboatsReadings
from rulekit.report.parts import Report

PAGES = (".html", ".htm")
SUFFIXES = {"json": "json", "csv": "csv", "markdown": "md"}

RACES = {"compiled": 2000, "lookahead": 200, "rules": 100}
"""Races unless told, by how fast a line-up is played."""

DEFAULT = ("solo",) * 4


def report(options: Mapping[str, Any], output: Output) -> None:
    """Makes the report and writes or prints it; raises BadInput, FileExists and FileFaults."""
    began = perf_counter()
    folder = check_target(output)
    found = [read_any(read_source(name, options["stdin_filename"])) for name in options["files"]]
    for file in found:
        output.warn(file.faults)
    seed = randbelow(1 << 32) if options["seed"] is None else options["seed"]
    with Progress(output) as progress:
        made = _maker(found)(found, options, seed, output, progress.begin)
    timing = {**made.timing, "seconds": perf_counter() - began}
    if folder:
        write(made, Path(output.output), folder, output)
    else:
        emit(made, timing, output)
    if output.verbose:
        output.note(", ".join(f"{name}={answer}" for name, answer in made.origin.readings.items()))
        slowest = sorted(timing.items(), key=lambda pair: -pair[1])
        output.note(", ".join(f"{name} {seconds:.2f} s" for name, seconds in slowest))


def check_target(output: Output) -> Path | None:
    """The folder beside the page, None where no page is wanted; raises BadInput and FileExists before any work."""
    path = Path(output.output)
    if path.suffix.lower() not in PAGES:
        output.check()
        return None
    if output.fmt != "table":
        raise BadInput(f"-o {path.name} writes the page: name a .{SUFFIXES[output.fmt]} file for -f {output.fmt}")
    check_outputs({"-o": output.output}, output.overwrite)
    folder = path.with_name(f"{path.stem}-files")
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is where the tables and drawings go, but it is no folder")
    if folder.exists() and any(folder.iterdir()) and not output.overwrite:
        raise FileExists(f"{folder} exists already: choose another name, or add --overwrite")
    return folder


Maker = Callable[[Sequence[Any], Mapping[str, Any], int, Output, Callable[[str], None]], Report]


def _maker(found: Sequence[AnyFile]) -> Maker:
    """What makes the report of files of these kinds; raises BadInput for a mixture."""
    kinds = [kind_name(file) for file in found]
    if len(found) == 1 and kinds[0] != "course":
        from rulekit.cli import report_kinds

        return report_kinds.lake if kinds[0] == "lake" else report_kinds.track
    if set(kinds) != {"course"}:
        told = ", ".join(f"{file.source.path} is a {kind}" for file, kind in zip(found, kinds, strict=True))
        raise BadInput(f"a report is of one course, lake or track, or of a match over several courses: {told}")
    return races


def races(
    found: Sequence[CourseFile], options: Mapping[str, Any], seed: int, output: Output, tell: Callable[[str], None]
) -> Report:
    """The report of a course or a match."""
    from rulekit.report.races import Work, races_report
    from rulekit.simulate.bulk import Contest
    from rulekit.study.evidence import Evidence

    need_no_lake_options(options)
    readings = powerboats_readings(options["reading"], options["dice_max"])
    courses = tuple(legal_waters(file, readings, output) for file in found)
    contest = Contest(courses, policies(options), seed, names=tuple(options["files"]))
    contest.check()
    kind = "rules" if not contest.compiled else "lookahead" if "lookahead" in contest.policies else "compiled"
    count = options["races"] or RACES[kind]
    origin = origin_of(options, seed, readings.answers(), sources(found), count)
    return races_report(Work(Evidence(contest, count, options["jobs"] or cpu_count() or 1), origin, tell))


def need_no_lake_options(options: Mapping[str, Any]) -> None:
    """Raises BadInput for options of lakes."""
    for name in ("spots", "sample"):
        if options[name]:
            raise BadInput(f"--{name} chooses among the courses of a lake: name a lake")


def policies(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The policy of each seat."""
    from rulekit.simulate.policies import POLICIES

    return tuple(policies_asked(options, DEFAULT, list(POLICIES)))


def legal_waters(file: CourseFile, readings: PowerboatsReadings, output: Output) -> Waters:
    """A course settled; raises FileFaults where it breaks rules."""
    course = settle(file.course, readings)
    faults = rule_faults(file, course, readings)
    if errors_in(faults):
        raise FileFaults([*file.faults, *errors_in(faults)])
    output.warn(faults)
    return Waters(course, readings)


def write(made: Report, path: Path, folder: Path, output: Output) -> None:
    """The page and the files beside it."""
    from rulekit.report.save import files, page

    beside = files(made)
    page_text = page(made)
    for name in beside:
        check_place_in(folder, name, output.overwrite)
    folder.mkdir(exist_ok=True)
    quiet = Output(overwrite=output.overwrite, quiet=True)
    for name, text in beside.items():
        quiet.write(folder / name, text)
    output.write(path, page_text)
    output.note(f"wrote {len(beside)} tables and drawings in {folder}")
    for statement in made.statements:
        output.note(f"{statement.question} {statement.answer}")


def check_place_in(folder: Path, name: str, overwrite: bool) -> None:
    """Raises as `check_place` where a file of that name cannot be written into a folder that stands."""
    if folder.exists():
        check_place(folder / name, overwrite)


def emit(made: Report, timing: Mapping[str, float], output: Output) -> None:
    """The figures, printed."""
    origin = made.origin
    more = {
        "kind": made.kind, "title": made.title, "subtitle": made.subtitle, "summary": list(made.summary),
        "verdict": [vars_of(statement) for statement in made.statements], "advice": list(made.advice),
        "tables": {one.name: [dict(row) for row in one.rows] for one in made.tables},
        "inputs": [{"name": one.name, "kind": one.kind, "sha256": one.sha256} for one in origin.inputs],
        "versions": dict(origin.versions), "command_line": origin.command,
    }  # fmt: skip
    output.emit(Result("report", rows(made), origin.readings, origin.seed, more, timing, lambda: table(made), COLUMNS))


def vars_of(statement: Any) -> dict[str, str]:
    """A statement as JSON."""
    return {name: getattr(statement, name) for name in ("level", "question", "answer", "detail")}
