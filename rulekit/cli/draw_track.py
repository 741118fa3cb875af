"""Drawing a track; and how `draw` renders and writes any picture."""

import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from math import degrees
from pathlib import Path
from typing import Any

import click

from rulekit.cli.output import Output, terminal_width
from rulekit.cli.position import as_warnings
from rulekit.errors import BadInput, errors_in
from rulekit.files.track import TrackFile
from rulekit.plot.circuit_picture import CircuitPicture
from rulekit.plot.circuit_text import circuit_text
from rulekit.ps.check import check
from rulekit.ps.track import Section


def picture_of_track(
    file: TrackFile, output: str | None, suffix: str, text: bool, strip: bool, out: Output
) -> None:  # fmt: skip
    """Write the picture that `output` names, if it does; print the track if not, or with `text`.

    Raises BadInput for a ring that has no curve to close it.
    """
    picture = CircuitPicture(file.track)
    flaws = errors_in(file.fault(finding) for finding in check(file.track))
    if output:
        if not strip and any(flaw.code == "no-ring" for flaw in flaws):
            raise BadInput("this track cannot be drawn as a ring, no curve turns to its inside: try --strip")
        write_picture(out, output, _rendered(picture, suffix, strip))
    if text or not output:
        click.echo(circuit_text(picture, terminal_width(), colour=True))
    out.warn(as_warnings(flaws))


def _rendered(picture: CircuitPicture, suffix: str, strip: bool) -> bytes:
    from rulekit.plot.circuit_sheet import draw_sheet, sheet_size
    from rulekit.plot.ring import MOST_SECTIONS, ring, straightened

    if not strip and len(picture.track.sections) > MOST_SECTIONS:
        raise BadInput(f"a ring has at most {MOST_SECTIONS} sections, not {len(picture.track.sections)}: try --strip")

    shape = straightened(picture.track) if strip else ring(picture.track)
    if not strip and any(map(_bent_otherwise, picture.track.sections, shape.turns)):
        picture = replace(
            picture, remarks=("Some curves are drawn with other turns than told, so that the ring closes.",)
        )
    return rendered(lambda figure: draw_sheet(figure, picture, shape), sheet_size(picture, shape), suffix)


def _bent_otherwise(section: Section, turn: float) -> bool:
    """Whether a curve is drawn with another turn than the file tells."""
    return section.degrees is not None and abs(degrees(abs(turn)) - section.degrees) > 1


def rendered(draw: Callable[[Any], object], size: tuple[float, float], suffix: str) -> bytes:
    """The bytes of a picture, see `rulekit.plot.figure.render`."""
    from rulekit.plot.figure import render

    with warnings.catch_warnings():
        # A name in letters that the font lacks is shown as boxes: no matter for a warning in Python's words.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        return render(draw, size, suffix)


def write_picture(out: Output, output: str, content: bytes) -> None:
    """A picture to the file that the user named, or to stdout."""
    if output == "-":
        sys.stdout.buffer.write(content)
    else:
        out.write(Path(output), content)
