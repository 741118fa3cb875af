"""`rulekit build-course`: courses from a lake's letters."""

import secrets
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click

from rulekit import __version__
from rulekit.cli.build_tiles import tile_rows, tiles_table
from rulekit.cli.options import output_options, powerboats_readings, readings_options, seed_option
from rulekit.cli.outfile import check_outputs, write_file
from rulekit.cli.output import Output, Result, tabulated
from rulekit.cli.params import FileParam, stdin_filename_option
from rulekit.cli.progress import Progress
from rulekit.errors import BadInput, FileExists, one_of
from rulekit.files.lake import LakeFile, read_lake
from rulekit.files.reference import LakeReference, lake_reference
from rulekit.files.source import read_source
from rulekit.files.write import NO_TILES, CourseText, commented, spot_word, tiling_remarks
from rulekit.hexgrid import hex_name
from rulekit.powerboats.box import Layout, layout_rows, parse_layout
from rulekit.powerboats.course import Course
from rulekit.powerboats.lake import Lake
from rulekit.powerboats.placing import (
    NoLegalCourse,
    Placed,
    all_courses,
    counted,
    draw_course,
    draw_shuffled,
    shuffled_layout,
)
from rulekit.powerboats.tiling import Tiling, lay_tiles
from rulekit.readings import PowerboatsReadings


def _layout(_ctx: click.Context, _param: click.Parameter, text: str | None) -> Layout | None:
    if text is None:
        return None
    try:
        return parse_layout(text.split("/"))
    except ValueError as fault:
        raise click.BadParameter(str(fault)) from None


def _letter(_ctx: click.Context, _param: click.Parameter, text: str) -> str:
    if text.upper() not in ("A", "B", "C"):
        raise click.BadParameter(f"{one_of('ABC')}, not '{text}'")
    return text.upper()


@dataclass(frozen=True)
class Order:
    """What was asked for: the lake, the letter, the layout (None: free form) and how to draw."""

    lake_file: LakeFile
    letter: str
    name: str
    layout: Layout | None
    shuffle: bool
    seed: int
    command_line: str
    readings: PowerboatsReadings

    @property
    def random(self) -> Random:
        """A fresh stream of the seed's numbers."""
        return Random(f"build-course {self.seed}")

    def lake(self, layout: Layout | None) -> Lake:
        """The lake as it is laid."""
        box = self.lake_file.box
        return box.lake(layout) if box and layout else self.lake_file.lake

    def draw(self) -> tuple[Layout | None, Placed]:
        """One legal course and its layout."""
        if self.shuffle and self.lake_file.box and self.layout:
            return draw_shuffled(self.lake_file.box, self.layout, self.letter, self.name, self.random, self.readings)
        return self.layout, draw_course(self.lake(self.layout), self.letter, self.name, self.random, self.readings)

    def tiling(self, course: Course) -> Tiling:
        """Expansion tiles on a course: from a stream of their own, so that the course is the same without them."""
        return lay_tiles(course, Random(f"build-course expansion {self.seed}"), self.readings)

    def laid(self) -> Layout | None:
        """The layout of which all courses are listed."""
        if self.shuffle and self.lake_file.box and self.layout:
            return shuffled_layout(self.lake_file.box, self.layout, self.random)
        return self.layout


@click.command()
@click.argument("lake", type=FileParam("lake"), metavar="LAKE")
@click.option(
    "--spots",
    callback=_letter,
    metavar="A|B|C",
    required=True,
    help="The letter on whose spots the buoys go.",
)
@click.option(
    "--layout",
    callback=_layout,
    metavar="ROWS",
    help='Lay the tiles so, rows parted by /: "1 2 3/4 5r 6*" (r turned by 180°, * light side).',
)
@click.option("--shuffle-tiles", is_flag=True, help="Draw the tiles' order, turns and sides too.")
@click.option("--all", "list_all", is_flag=True, help="List every legal course instead of drawing one.")
@click.option("--expansion", is_flag=True, help="Lay the seven tiles of Expansion 1 too, by lot (X1-2, X1-3).")
@click.option("--name", help="The course's name.")
@stdin_filename_option
@seed_option
@readings_options
@output_options
def command(
    lake: str,
    spots: str,
    layout: Layout | None,
    shuffle_tiles: bool,
    list_all: bool,
    expansion: bool,
    name: str | None,
    stdin_filename: str | None,
    seed: int | None,
    reading: tuple[str, ...],
    dice_max: str | None,
    **options: Any,
) -> None:
    """Build a course on LAKE: buoys 0 to 3 on the spots of one letter in an order drawn from the legal ones.

    Legal is an order with its strip on free water (PB-6) and a route (PB-12); arrows (PB-8) and crossings (PB-11) are
    the easiest ones. The course file goes to stdout, or with -o to a file; a lake that is neither shipped nor in or
    below that file's folder is copied beside it. Exit 1 where no order is legal, with the reasons counted.

    With --expansion the seven tiles go on free spots; a tile that would cross something both ways is left out, and the
    file says so (--reading x1-clash=error: exit 1).

    \b
    rulekit build-course lagoon --spots A --seed 7               a course, printed
    rulekit build-course lagoon --spots B --seed 7 --shuffle-tiles -o b.toml
    rulekit build-course lagoon --spots A --seed 7 --expansion   … with tiles
    rulekit build-course lagoon --spots C --all                  every legal one
    """
    out = Output(**options)
    if list_all:
        out.check()
    else:
        check_outputs({"-o": out.output}, out.overwrite)
    if list_all and expansion:
        raise BadInput("--all lists orders of the buoys, --expansion draws the tiles of one course: give one of them")
    if layout and shuffle_tiles:
        raise BadInput("--layout tells how the tiles lie, --shuffle-tiles draws that: give one of them")
    readings = powerboats_readings(reading, dice_max)
    lake_file = read_lake(read_source(lake, stdin_filename))
    out.warn(lake_file.faults)
    drawn = secrets.randbelow(2**32) if seed is None else seed
    title = checked_name(name) or f"{lake_file.lake.name}, race {spots}"
    order = Order(
        lake_file,
        spots,
        title,
        laid_out(lake_file, layout, shuffle_tiles),
        shuffle_tiles,
        drawn,
        command_line(lake, spots, layout, shuffle_tiles, expansion, name, readings, drawn),
        readings,
    )
    if list_all:
        out.emit(listing(order, out))
    else:
        build(order, expansion, out)


def checked_name(name: str | None) -> str | None:
    """The name of --name; raises BadInput where it could not stand in a file."""
    if name is not None and not (name.strip() and name.isprintable()):
        raise BadInput("--name must be a text on one line, without control characters, not empty")
    return name


def laid_out(lake_file: LakeFile, layout: Layout | None, shuffle: bool) -> Layout | None:
    """The layout to start from; raises BadInput where the lake cannot be laid so."""
    if lake_file.box is None and (layout or shuffle):
        option = "--layout" if layout else "--shuffle-tiles"
        raise BadInput(f"the lake {lake_file.lake.name!r} has no tiles: {option} has nothing to lay")
    for misfit in lake_file.box.misfits(layout) if lake_file.box and layout else ():
        raise BadInput(f"--layout: {misfit.message}")
    return layout or lake_file.layout


def command_line(
    lake: str,
    spots: str,
    layout: Layout | None,
    shuffle: bool,
    expansion: bool,
    name: str | None,
    readings: PowerboatsReadings,
    seed: int,
) -> str:
    """The words that make the same course again."""
    words = ["rulekit", "build-course", lake, "--spots", spots]
    words += ["--layout", "/".join(layout_rows(layout))] if layout else []
    words += ["--shuffle-tiles"] if shuffle else []
    words += ["--expansion"] if expansion else []
    words += ["--name", name] if name else []
    words += ["--reading", str(readings)] if str(readings) else []
    return shlex.join([*words, "--seed", str(seed)])


def build(order: Order, expansion: bool, out: Output) -> None:
    """Draw one course, with its tiles where they are asked for, and write it."""
    layout, placed = order.draw()
    tiling = order.tiling(placed.course) if expansion else None
    target = None if out.output == "-" else Path(out.output)
    reference = lake_reference(order.lake_file.source, (target or Path("x")).absolute().parent)
    text = str(
        CourseText(
            placed.course,
            reference.name,
            f"made by rulekit {__version__}: {order.command_line}",
            placed.order,
            order.letter,
            layout,
            tiling or NO_TILES,
        )
    )
    if target is None:
        need_no_copy(reference, order.lake_file)
    else:
        write(target, text, reference, order.lake_file, out)
    for remark in tiling_remarks(tiling) if tiling else ():
        out.note(f"note: {remark}")
    row = course_row(1, layout, placed) | (tile_rows(tiling) if tiling else {})
    result = Result(
        "build-course",
        [row],
        order.readings.answers(),
        seed=order.seed,
        more={"course": text},
        table=(lambda: tabulated(*_cells([row])) + tiles_table(row)) if target else lambda: text,
    )
    Output(out.fmt, quiet=out.quiet).emit(result)


def need_no_copy(reference: LakeReference, lake_file: LakeFile) -> None:
    """Raises BadInput where a course on stdout could not name its lake."""
    if reference.copy_to:
        raise BadInput(
            f"{lake_file.source.path} lies outside this folder, so that a course here cannot name it: add -o FILE"
        )


def write(target: Path, text: str, reference: LakeReference, lake_file: LakeFile, out: Output) -> None:
    """Write the course, and its lake beside it where that is needed.

    Raises FileExists where either would replace a file; nothing has been written then.
    """
    if lake_file.source.file and target.exists() and target.samefile(lake_file.source.file):
        raise BadInput(f"{target} is the lake itself: give the course another name")
    copy, lake_text = reference.copy_to, commented(lake_file.source.text, "copied by rulekit build-course")
    stands = (
        copy is not None and copy.exists() and copy.read_bytes() in (lake_text.encode(), lake_file.source.text.encode())
    )
    if copy and copy == target.absolute():
        raise BadInput(f"the course needs the lake beside it as {copy.name}: give the course another name")
    if copy and copy.exists() and not stands:
        raise FileExists(f"{copy} exists already and is another lake: write the course into another folder")
    out.write(target, text)
    if copy and not stands:
        write_file(copy, lake_text, overwrite=False)
        out.note(f"wrote {copy}, a copy of {lake_file.source.path}")


def course_row(number: int, layout: Layout | None, placed: Placed) -> dict[str, Any]:
    """One course as a row: its buoys from 0, arrows, crossings and the steps of its route."""
    course = placed.course
    assert course.start is not None
    assert course.finish is not None
    arrows = {str(buoy): one.arrow.word for buoy, one in enumerate(course.buoys, 1) if one.arrow is not None}
    return {
        "number": number,
        "buoys": [spot_word(spot) for spot in placed.order],
        "hexes": [hex_name(spot.at) for spot in placed.order],
        "side": course.strip_side.name,
        "arrows": arrows,
        "start": course.start.word,
        "finish": course.finish.word,
        "route": len(placed.route) - 1,
        "layout": layout_rows(layout) if layout else None,
    }


def tried(order: Order, layout: Layout | None, out: Output) -> list[Placed | str]:
    """What becomes of every order; a terminal sees how many are done."""
    found: list[Placed | str] = []
    with Progress(out) as progress:
        for one in all_courses(order.lake(layout), order.letter, order.name, order.readings):
            found.append(one)
            progress.begin(f"{len(found)} orders tried")
    return found


def listing(order: Order, out: Output) -> Result:
    """Every legal course of the layout and letter; raises NoLegalCourse where there is none."""
    layout = order.laid()
    found = tried(order, layout, out)
    placed = [one for one in found if isinstance(one, Placed)]
    reasons = Counter(one for one in found if isinstance(one, str))
    if not placed:
        raise NoLegalCourse(f"none of {len(found)} courses is legal: {counted(reasons)}")
    rows = [course_row(number, layout, one) for number, one in enumerate(placed, 1)]
    more = {"lake": order.lake_file.lake.name, "orders": len(found), "legal": len(placed), "reasons": dict(reasons)}
    return Result(
        "build-course",
        rows,
        order.readings.answers(),
        seed=order.seed if order.shuffle else None,
        more=more,
        table=lambda: _listed(rows, len(found), reasons),
    )


def _listed(rows: Sequence[Mapping[str, Any]], orders: int, reasons: Counter[str]) -> str:
    why = f" ({counted(reasons)})" if reasons else ""
    layout = "; ".join(rows[0]["layout"] or ())
    head = f"layout {layout}: " if layout else ""
    return f"{head}{len(rows)} of {orders} orders are legal{why}\n\n{tabulated(*_cells(rows))}"


def _cells(rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    buoys = len(rows[0]["buoys"])
    head = ["", *(f"buoy {number}" for number in range(buoys)), "strip", "arrows", "start", "finish", "route"]
    return head, [_line(row) for row in rows]


def _line(row: Mapping[str, Any]) -> list[str]:
    buoys = [f"{word} {at}" if word != at else at for word, at in zip(row["buoys"], row["hexes"], strict=True)]
    arrows = " ".join(row["arrows"].values())
    return [str(row["number"]), *buoys, row["side"], arrows, row["start"], row["finish"], str(row["route"])]
