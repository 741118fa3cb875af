"""`rulekit draw`: a lake, course or track as a picture, or as text in the terminal."""

from pathlib import Path

import click

from rulekit.cli.draw_track import picture_of_track, rendered, write_picture
from rulekit.cli.options import frame_options, powerboats_readings, readings_options
from rulekit.cli.outfile import check_outputs
from rulekit.cli.output import Output, terminal_width
from rulekit.cli.params import FILE, stdin_filename_option
from rulekit.cli.position import as_warnings, rule_faults
from rulekit.errors import BadInput
from rulekit.files.course import CourseFile
from rulekit.files.kinds import AnyFile, read_any
from rulekit.files.lake import LakeFile
from rulekit.files.source import read_source
from rulekit.files.track import TrackFile
from rulekit.plot.picture import Picture, course_picture, lake_picture
from rulekit.plot.text import board_text
from rulekit.readings import PowerboatsReadings, PsReadings

EPILOG = """\b
Examples:
  rulekit draw lagoon-a                     the board in the terminal
  rulekit draw lagoon-a -o lagoon-a.svg     … as a picture
  rulekit draw my-course.toml -o board.pdf --no-route
  rulekit draw orchard -o orchard.svg       a circuit as a ring
  rulekit draw orchard --strip -o s.svg     … straightened
"""


@click.command(epilog=EPILOG)
@click.argument("file", type=FILE)
@click.option("-o", "--output", metavar="FILE", help="Draw a picture: .svg, .png or .pdf (-: svg on stdout).")
@click.option("--text", is_flag=True, help="Print the board; what happens without -o anyway.")
@click.option("--route/--no-route", "with_route", default=True, help="The shortest route.  [default: drawn]")
@click.option("--strip", is_flag=True, help="A track straightened out instead of as a ring.")
@stdin_filename_option
@readings_options
@frame_options
def command(
    file: str, output: str | None, text: bool, with_route: bool, strip: bool, stdin_filename: str | None,
    reading: tuple[str, ...], dice_max: str | None, overwrite: bool, quiet: bool, verbose: bool,
) -> None:  # fmt: skip
    """Draw a lake or a course: land, spots, buoys with arrows, strip, rounding lines, route. Or a track: its lanes with
    their spaces, limits and marks, start/finish line, start boxes and pit lane.

    A course that breaks a rule is drawn with its faults marked; `rulekit validate-course` explains them.
    """
    suffix = _suffix(output)
    out = Output(overwrite=overwrite, quiet=quiet, verbose=verbose)
    check_outputs({"-o": output}, overwrite)
    found = read_any(read_source(file, stdin_filename))
    out.warn(found.faults)
    if isinstance(found, TrackFile):
        PsReadings.parse(reading)
        picture_of_track(found, output, suffix, text, strip, out)
        return
    if strip:
        raise BadInput("--strip straightens a track: this is a board")
    readings = powerboats_readings(reading, dice_max)
    picture = _picture(found, readings, with_route)
    if output:
        write_picture(out, output, _rendered(picture, suffix))
    if text or not output:
        click.echo(board_text(picture, terminal_width(), colour=True))
    if isinstance(found, CourseFile) and picture.course:
        out.warn(as_warnings(rule_faults(found, picture.course, readings)))


def _suffix(output: str | None) -> str:
    """The kind of picture, judged before anything is read."""
    if output is None or output == "-":
        return ".svg"
    from rulekit.plot.figure import suffix_of

    if Path(output).suffix.lower() in (".txt", ".md"):
        raise BadInput(f"-o draws a picture (.svg, .png, .pdf); the board as text: rulekit draw FILE > {output}")
    return suffix_of(Path(output))


def _picture(found: AnyFile, readings: PowerboatsReadings, with_route: bool) -> Picture:
    if isinstance(found, CourseFile):
        return course_picture(found.course, readings, with_route)
    if isinstance(found, LakeFile):
        return lake_picture(found.lake)
    raise BadInput("this is no board")


def _rendered(picture: Picture, suffix: str) -> bytes:
    from rulekit.plot.sheet import draw_sheet, sheet_size

    return rendered(lambda figure: draw_sheet(figure, picture), sheet_size(picture), suffix)
