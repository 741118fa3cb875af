"""Drawing a track; and how `draw` renders and writes any picture."""

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rulekit.cli.output import Output, terminal_width
from rulekit.errors import BadInput, errors_in
from rulekit.files.track import TrackFile
from rulekit.plot.circuit_picture import CircuitPicture
from rulekit.plot.circuit_text import circuit_text
from rulekit.ps.check import check


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
    out.warn(flaws)


def _rendered(picture: CircuitPicture, suffix: str, strip: bool) -> bytes:
    from rulekit.plot.circuit_sheet import draw_sheet, sheet_size
    from rulekit.plot.ring import ring, straightened

    shape = straightened(picture.track) if strip else ring(picture.track)
    return rendered(lambda figure: draw_sheet(figure, picture, shape), sheet_size(picture, shape), suffix)


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
