"""Boards as pictures: every mark in its place and sense, nothing cut off, the same bytes each time."""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import combinations, pairwise
from math import atan2, cos, hypot, isclose, pi, sin
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Tree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import case, course_on, lake_from
from matplotlib import colormaps
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.text import Text

from rulekit.files.course import CourseFile
from rulekit.files.kinds import read_any
from rulekit.files.lake import LakeFile
from rulekit.files.source import read_file, read_source
from rulekit.hexgrid import Facing, Hex, Side, hex_name, parse_hex
from rulekit.plot.board import board_box, crossings, draw_board, draw_picture, fit
from rulekit.plot.figure import render
from rulekit.plot.heat import Heat, draw_heat
from rulekit.plot.labels import Taken, free_place
from rulekit.plot.palette import HEAT_MAP
from rulekit.plot.picture import BoatMark, Flaw, Picture, course_picture, lake_picture
from rulekit.plot.plane import away, box_of, centre, lanes, reach, within
from rulekit.plot.shapes import curved_arrow, drawable, straight_arrow
from rulekit.plot.sheet import draw_sheet, sheet_size
from rulekit.plot.tiles import ROCK
from rulekit.powerboats.course import Course, Tile, TileKind
from rulekit.powerboats.lake import Lake, Spot
from rulekit.readings import PowerboatsReadings

COURSES = Path(__file__).parent.parent / "courses"
READINGS = PowerboatsReadings()
POND = """
. . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . # # . . . . . .
 . . . . # . . . . . . .
. . . . . . . . . # . .
 . . . . . . . . . . . .
. . . . . . . . . . . .
 . . . . . . . . . . . .
"""


def three(start: str) -> tuple[Hex, ...]:
    return tuple(parse_hex(start).step(Facing.E, k) for k in range(3))


TILES = (
    Tile(TileKind.REDOUBT, three("A1")),
    Tile(TileKind.CURRENT, three("J1"), flow=(Facing.NE, Facing.SW, Facing.E)),
    Tile(TileKind.MAELSTROM, three("A8"), spin=(Side.LEFT, Side.LEFT, Side.RIGHT)),
    Tile(TileKind.LOW_WATER, three("J8"), rocks=(1, 2, 3)),
)


def pond_course(second: str = "auto") -> Course:
    lake = replace(lake_from(POND), spots=(Spot("A", parse_hex("E3"), Facing.NE), Spot("B", parse_hex("J6"), Facing.W)))
    return replace(course_on(lake, "D5", "E", [("C3", "auto"), ("K4", second), ("J6", "auto")]), tiles=TILES)


def pond_picture(second: str = "auto") -> Picture:
    return course_picture(pond_course(second), READINGS)


def svg(picture: Picture, heat: Heat | None = None) -> bytes:
    return render(lambda figure: draw_sheet(figure, picture, heat), sheet_size(picture, heat), ".svg")


def ids(data: bytes) -> set[str]:
    return {element.get("id", "") for element in Tree.fromstring(data).iter()}


def figure_of(picture: Picture) -> Figure:
    """The drawn figure itself."""
    figure = Figure(figsize=sheet_size(picture))
    draw_sheet(figure, picture)
    return figure


def test_every_mark_is_there_once() -> None:
    picture = replace(pond_picture(), boats=(BoatMark(parse_hex("F7"), Facing.SE, "X"),))
    names = ids(svg(picture))
    course = picture.course
    assert course is not None
    assert names >= {"water", "land", "coast", "shore", "strip", "line", "route", "route-heads", "title", "boat-X"}
    assert names >= {"buoy-0", "buoy-1", "buoy-2", "buoy-3", "buoy-finish"}
    assert names >= {"spot-A-E3", "spot-B-J6", "rounding-1", "rounding-2", "rounding-3"}
    assert {name for name in names if name.startswith("arrow-")} == {
        f"arrow-{number}-{buoy.arrow.word}" for number, buoy in enumerate(course.buoys, 1) if buoy.arrow
    }
    assert course.start is not None
    assert course.finish is not None
    assert names >= {f"start-{course.start.word}", f"finish-{course.finish.word}", "start-label", "finish-label"}
    for number, tile in enumerate(TILES, 1):
        for hexagon in tile.hexes:
            assert f"tile-{number}-{tile.kind.value}-{hex_name(hexagon)}" in names
    assert not {name for name in names if name.startswith("flaw-")}


def test_a_lake_alone_has_no_marks() -> None:
    names = ids(svg(Picture("pond", pond_course().lake)))
    assert "spot-A-E3" in names
    assert not {name for name in names if name.startswith(("buoy", "strip", "arrow", "route", "rounding", "start"))}


def test_a_wrong_arrow_is_ringed() -> None:
    right = pond_picture()
    assert right.course is not None
    wrong = {Side.LEFT: "right", Side.RIGHT: "left"}[right.course.buoys[1].arrow or Side.LEFT]
    picture = pond_picture(wrong)
    assert [(flaw.at, flaw.sign) for flaw in picture.flaws] == [(parse_hex("K4"), "ring")]
    assert picture.flaws[0].label.startswith("full circle, ")
    assert int(picture.flaws[0].label.split()[-1][:-1]) > 360
    assert ids(svg(picture)) >= {"flaw-1-ring", "flaw-1-label", f"arrow-2-{wrong}"}


def test_a_strip_on_land_off_the_lake_and_on_a_buoy_is_crossed_out() -> None:
    on_land = course_picture(course_on(lake_from(POND), "C3", "E", [("K4", "auto"), ("J6", "auto")]), READINGS)
    assert [on_land.told(flaw) for flaw in on_land.flaws] == ["E3, F3: strip on land"] * 2
    outside = course_picture(course_on(lake_from(POND), "C5", "W", [("K4", "auto"), ("J6", "auto")]), READINGS)
    assert [outside.told(flaw) for flaw in outside.flaws] == [
        *["strip outside the lake"] * 2, "buoy outside the lake",
    ]  # fmt: skip
    assert ids(svg(outside)) >= {"flaw-1-cross", "flaw-2-cross", "flaw-3-ring", "flaw-1-label", "flaw-3-label"}
    assert "flaw-2-label" not in ids(svg(outside))  # the same words once
    taken = course_picture(course_on(lake_from(POND), "C5", "E", [("E5", "auto"), ("J6", "auto")]), READINGS)
    assert [taken.told(flaw) for flaw in taken.flaws] == ["E5: buoy on the strip"]


def test_a_course_without_a_route_says_so() -> None:
    walled = lake_from("\n".join([*POND.strip("\n").split("\n")[:4], " ".join("#" * 12)]))
    picture = course_picture(course_on(walled, "B2", "E", [("E5", "auto"), ("K5", "auto")]), READINGS)
    assert picture.route == ()
    assert "no route" in picture.remarks[0]
    assert "remark" in ids(svg(picture))


def turned(ring: list[tuple[float, float]], tip: int) -> float:
    """The side to which an outline's tip lies as seen from the middle of its body, about the origin."""
    body = ring[12]
    return body[0] * ring[tip][1] - body[1] * ring[tip][0]


@pytest.mark.parametrize("sense", list(Side))
@pytest.mark.parametrize("about", [0, 1, 2.5, 4])
def test_a_curved_arrow_leads_round_in_its_sense(sense: Side, about: float) -> None:
    ring = curved_arrow((0, 0), 1, about, sense, sweep=2)
    tip = max(range(25, 28), key=lambda k: abs(turned(ring, k)))
    assert turned(ring, tip) * sense > 0
    assert isclose(hypot(*ring[tip]), 1)
    first = turned(ring, 0)
    assert first * sense < 0  # its tail is on the other side


def test_a_straight_arrow_ends_in_its_tip() -> None:
    ring = straight_arrow((1, 2), pi / 2, 3)
    assert max(y for _, y in ring) == pytest.approx(5)
    assert ring[3] == pytest.approx((1, 5))


@pytest.mark.parametrize("strip", [1, 2, 4, 7])
def test_the_crossings_point_to_the_sides_seen_from_buoy_0(strip: int) -> None:
    course = replace(course_on(lake_from(POND), "C5", "E", [("K4", "auto")], strip), start=Side.LEFT, finish=Side.RIGHT)
    (start, left, at, up), (finish, right, to, down) = crossings(course)
    assert (start, left, finish, right) == ("start", Side.LEFT, "finish", Side.RIGHT)
    assert sin(up) == pytest.approx(1)  # left of east is up
    assert sin(down) == pytest.approx(-1)
    ends = centre(course.start_buoy)[0] + 0.5, centre(course.finish_buoy)[0] - 0.5
    assert ends[0] < at[0] < to[0] < ends[1]


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_a_rounding_line_begins_at_its_buoy_and_crosses_the_route(number: int) -> None:
    """The route crosses each line, so the drawn half-line has to run through one of its steps."""
    picture = course_picture(case(f"mid-{number}.toml"), READINGS)
    box = box_of(picture.lake.hexes)
    steps = list(pairwise(map(centre, picture.route)))
    assert steps
    for line in picture.lines:
        start = centre(line.at)
        end = away(start, line.bearing, reach(start, line.bearing, box))
        assert any(crossing(start, end, a, b) for a, b in steps), line.number


def crossing(a: Any, b: Any, c: Any, d: Any) -> bool:
    def side(p: Any, q: Any, r: Any) -> float:
        return float((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    return side(a, b, c) * side(a, b, d) <= 1e-9 and side(c, d, a) * side(c, d, b) <= 1e-9


@given(st.floats(-3, 3), st.floats(-2, 2), st.floats(0, 6.3))
def test_a_half_line_ends_on_the_edge_of_the_box(x: float, y: float, angle: float) -> None:
    length = reach((x, y), angle, (-3, 3, -2, 2))
    end = away((x, y), angle, length)
    assert within(end, (-3 - 1e-6, 3 + 1e-6, -2 - 1e-6, 2 + 1e-6))
    assert (
        not within(away((x, y), angle, length + 0.01), (-3, 3, -2, 2))
        or abs(cos(angle)) < 1e-9
        or abs(sin(angle)) < 1e-9
    )


def test_a_way_back_over_the_same_hexes_is_drawn_beside_it() -> None:
    there = [Hex(k, 0) for k in range(4)]
    points = lanes([*there, Hex(4, -1), *reversed(there)])
    assert all(out[1] < back[1] for out, back in zip(points[:3], reversed(points[-3:]), strict=True))
    assert points[4] == centre(Hex(4, -1))  # passed once: through the middle


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), max_size=6))
def test_a_label_stays_in_its_box(points: list[tuple[float, float]]) -> None:
    place = free_place((0, 0), 1.4, 1.5, (-5, 5, -5, 5), [Taken(point) for point in points])
    assert within(place, (-3.5, 3.5, -4.6, 4.6))


def test_a_label_goes_below_where_something_stands_above() -> None:
    assert free_place((0, 0), 1, 1, (-5, 5, -5, 5), []) == (0, 1)
    assert free_place((0, 0), 1, 1, (-5, 5, -5, 5), [Taken((0, 1))]) == (0, -1)


def shipped_lakes() -> list[Path]:
    return sorted(path for path in COURSES.glob("*.toml") if "lake-1" in path.read_text(encoding="utf-8"))


def lake(path: Path) -> Lake:
    found = read_any(read_file(path))
    assert isinstance(found, LakeFile)
    return found.lake


@pytest.mark.parametrize("path", shipped_lakes(), ids=lambda path: path.stem)
def test_a_shipped_lake_fits_its_sheet_and_a_megabyte(path: Path) -> None:
    picture = Picture(path.stem, lake(path))
    assert len(svg(picture)) < 1_000_000
    assert sheet_size(picture)[0] <= 8.01  # inches: A4 with its margins
    assert_words_apart(figure_of(picture))


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_words_do_not_overlap_on_a_course(number: int) -> None:
    assert_words_apart(figure_of(course_picture(case(f"mid-{number}.toml"), READINGS)))


def assert_words_apart(figure: Figure) -> None:
    """All words lie on the sheet, and no two on each other (but for a tile's name under its spots)."""
    texts = [text for text in figure.axes[0].texts if not (text.get_gid() or "").startswith("tile-")]
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    boxes = [(text, text.get_window_extent(renderer)) for text in texts if text.get_text()]
    width, height = figure.bbox.width, figure.bbox.height
    for text, box in boxes:
        assert box.x0 >= 0, said(text)
        assert box.y0 >= 0, said(text)
        assert box.x1 <= width, said(text)
        assert box.y1 <= height, said(text)
    for (one, box), (two, other) in combinations(boxes, 2):
        over = min(box.x1, other.x1) - max(box.x0, other.x0), min(box.y1, other.y1) - max(box.y0, other.y0)
        assert min(over) <= 0.15 * min(box.height, other.height), (said(one), said(two))


def said(text: Text) -> str:
    return f"{text.get_text()} {text.get_gid()}"


def test_the_bytes_do_not_depend_on_the_run() -> None:
    script = (
        "import sys; sys.path.insert(0, 'tests'); from test_plot_board import pond_picture, svg; "
        "sys.stdout.buffer.write(svg(pond_picture('right')))"
    )
    other = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, cwd=Path(__file__).parent.parent,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )  # fmt: skip
    assert other.stdout == svg(pond_picture("right"))
    assert other.stdout.startswith(b"<?xml")


def test_heat_colours_every_value_from_dark_to_light() -> None:
    picture = Picture("pond", lake_from(POND))
    heat = Heat({hexagon: hexagon.r for hexagon in picture.lake.water}, "rows", text=lambda value: f"{value:.0f}")
    names = ids(svg(picture, heat))
    assert {name for name in names if name.startswith("heat-")} == {
        "heat-bar", *(f"heat-{hex_name(hexagon)}" for hexagon in picture.lake.water)
    }  # fmt: skip
    assert sheet_size(picture, heat)[1] > sheet_size(picture)[1] - 1


def test_the_heat_maps_lightness_rises_all_the_way() -> None:
    shades = [colormaps[HEAT_MAP](k / 255) for k in range(256)]
    light = [0.2126 * r**2.2 + 0.7152 * g**2.2 + 0.0722 * b**2.2 for r, g, b, _ in shades]
    assert all(below < above + 1e-3 for below, above in pairwise(light))
    assert light[-1] - light[0] > 0.5


@pytest.mark.parametrize(
    ("values", "ends", "limits"),
    [
        ({}, (None, None), (0, 1)),
        ({Hex(0, 0): 3.0}, (None, None), (3, 4)),
        ({Hex(0, 0): 3.0, Hex(1, 0): 5.0}, (None, None), (3, 5)),
        ({Hex(0, 0): 3.0}, (0.0, 10.0), (0, 10)),
    ],
)
def test_the_ends_of_the_colours(values: dict[Hex, float], ends: tuple[Any, Any], limits: tuple[float, float]) -> None:
    assert Heat(values, "turns", *ends).limits == limits


def test_board_and_heat_go_on_any_axes() -> None:
    figure = Figure(figsize=(4, 3))
    ax = figure.subplots()
    pond = lake_from(POND)
    fit(ax, board_box(Picture("pond", pond)))
    draw_board(ax, pond, bare=True)
    draw_heat(ax, Heat({Hex(0, 0): 1.0}, "turns"))
    assert {"water", "land", "heat-A1"} <= {artist.get_gid() for artist in ax.get_children()}


def test_ring_and_cross_are_told_apart() -> None:
    picture = replace(
        Picture("pond", lake_from(POND)),
        flaws=(Flaw(parse_hex("C5"), "one"), Flaw(parse_hex("H5"), "two", "cross"), Flaw(parse_hex("H7"), "")),
    )
    assert ids(svg(picture)) >= {"flaw-1-ring", "flaw-1-label", "flaw-2-cross", "flaw-2-label", "flaw-3-ring"}
    assert "flaw-3-label" not in ids(svg(picture))


def test_ways_that_only_cross_run_through_the_middle() -> None:
    across = [Hex(k, 0) for k in range(-2, 3)]
    down = [Hex(2, -2), Hex(1, -1), Hex(0, 0), Hex(-1, 1)]
    points = lanes([*across, Hex(3, -1), *down])
    assert points[2] == points[8] == centre(Hex(0, 0))


def outline_of(figure: Figure, gid: str, about: Hex) -> list[tuple[float, float]]:
    """The corners of a drawn shape, seen from the middle of a hex."""
    (patch,) = [artist for artist in figure.axes[0].get_children() if artist.get_gid() == gid]
    assert isinstance(patch, PathPatch)
    x, y = centre(about)
    return [(float(a) - x, float(b) - y) for a, b in np.asarray(patch.get_path().vertices)]


def test_drawn_arrows_lead_where_the_course_says() -> None:
    picture = pond_picture("left")
    course, figure = picture.course, figure_of(picture)
    assert course is not None
    senses = set()
    for number, buoy in enumerate(course.buoys, 1):
        assert buoy.arrow is not None
        ring = outline_of(figure, f"arrow-{number}-{buoy.arrow.word}", buoy.at)
        tip = max(range(25, 28), key=lambda k: abs(turned(ring, k)))
        assert turned(ring, tip) * buoy.arrow > 0
        senses.add(buoy.arrow)
    assert senses == set(Side)
    for place, spin in enumerate(TILES[2].spin):
        at = TILES[2].hexes[place]
        ring = outline_of(figure, f"tile-3-maelstrom-{hex_name(at)}", at)
        assert turned(ring, 26) * spin > 0
    for place, flow in enumerate(TILES[1].flow):
        at = TILES[1].hexes[place]
        x, y = outline_of(figure, f"tile-2-current-{hex_name(at)}", at)[3]
        assert atan2(y, x) % (2 * pi) == pytest.approx(flow * pi / 3)


def test_drawn_crossings_lead_where_the_course_says() -> None:
    course = replace(course_on(lake_from(POND), "C5", "E", [("K4", "auto")]), start=Side.LEFT, finish=Side.RIGHT)
    figure = figure_of(Picture("pond", course.lake, course))
    assert outline_of(figure, "start-left", course.start_buoy)[3][1] > 0.5  # up, left of east
    assert outline_of(figure, "finish-right", course.start_buoy)[3][1] < -0.5


def test_drawn_rocks_are_counted() -> None:
    figure = figure_of(pond_picture())
    for place, count in enumerate(TILES[3].rocks):
        x, y = centre(TILES[3].hexes[place])
        dots = [
            patch for patch in figure.axes[0].get_children()
            if isinstance(patch, PathPatch) and patch.get_facecolor()[:3] == to_rgb(ROCK)
            and hypot(*(np.asarray(patch.get_path().vertices).mean(axis=0) - (x, y))) < 0.4
        ]  # fmt: skip
        assert len(dots) == count


def test_labels_name_their_hexes_and_keep_off_the_coordinates() -> None:
    course = course_on(lake_from(POND), "J3", "E", [("K4", "left"), ("D6", "left")])
    picture = course_picture(course, READINGS)
    assert {flaw.label.split(",")[0] for flaw in picture.flaws} >= {"strip outside the lake", "buoy outside the lake"}
    figure = Figure(figsize=sheet_size(picture))
    draw_sheet(figure, picture)
    (ax,) = figure.axes
    box = box_of(picture.hexes)
    labels = [text for text in ax.texts if (text.get_gid() or "").endswith("-label") and text.get_bbox_patch()]
    assert sorted(text.get_text() for text in labels) == sorted(set(map(picture.told, picture.flaws)))
    assert all(box[2] < text.get_position()[1] < box[3] for text in labels)
    assert picture.told(picture.flaws[-1]).startswith(hex_name(picture.flaws[-1].at))


def test_a_route_hides_no_letter_and_shows_its_start() -> None:
    found = read_any(read_source("lagoon-a"))
    assert isinstance(found, CourseFile)
    picture = course_picture(found.course, READINGS)
    figure = Figure(figsize=sheet_size(picture))
    draw_sheet(figure, picture)
    (ax,) = figure.axes
    order = {str(child.get_gid()): child.get_zorder() for child in ax.get_children() if child.get_gid()}
    letters = [zorder for gid, zorder in order.items() if gid.startswith("spot-")]
    assert len(letters) == 12
    assert min(letters) > max(order["route"], order["route-heads"])
    crossing = f"start-{Side.LEFT.word}"
    assert order["route-start"] > max(order["line"], order["strip"], order[crossing])


def test_letters_lie_below_the_values_of_a_heat_map() -> None:
    lake = replace(lake_from(POND), spots=(Spot("A", parse_hex("B2"), Facing.NE),))
    picture = lake_picture(lake)
    figure = Figure(figsize=sheet_size(picture))
    ax = figure.add_axes((0, 0, 1, 1))
    fit(ax, board_box(picture))
    draw_picture(ax, picture, bare=True)
    (letter,) = [text for text in ax.texts if (text.get_gid() or "").startswith("spot-")]
    assert letter.get_zorder() < 1.1  # the coloured hexes'


def test_values_of_a_heat_map_lie_above_the_marks_and_no_word_or_strip_hides_them() -> None:
    picture = pond_picture("right")
    assert picture.course
    heat = Heat(dict.fromkeys(picture.lake.water, 3.0), "turns", text=lambda value: f"{value:.0f}")
    figure = Figure(figsize=sheet_size(picture, heat))
    draw_sheet(figure, picture, heat)
    ax = figure.axes[0]
    values = [text for text in ax.texts if text.get_text() == "3" and text.get_path_effects()]
    assert len(values) == len(picture.lake.water)
    marks = [
        patch for patch in ax.patches if (patch.get_gid() or "").startswith(("line", "start-", "finish-", "round"))
    ]
    assert len(marks) >= 4
    assert max(mark.get_zorder() for mark in marks) < min(value.get_zorder() for value in values)
    assert not any((text.get_gid() or "").endswith("-label") for text in ax.texts)
    shown = svg(picture, heat), svg(picture)
    assert [b"start-label" in text for text in shown] == [False, True]


def test_colours_by_the_root_tell_small_values_apart() -> None:
    values = {Hex(0, 0): 100.0, Hex(1, 0): 1.0}
    plain, root = (Heat(values, "races", 0.0, root=by).scale for by in (False, True))
    assert (plain(1.0), root(1.0), root(0.0), root(100.0)) == pytest.approx((0.01, 0.1, 0.0, 1.0))


def test_a_long_title_is_cut_and_stays_readable() -> None:
    lake = replace(lake_from(POND), name="Pond " * 90 + "(end)")
    figure = Figure(figsize=sheet_size(lake_picture(lake)))
    draw_sheet(figure, lake_picture(lake))
    (title,) = [text for text in figure.axes[0].texts if text.get_gid() == "title"]
    assert title.get_text().startswith("Pond Pond")
    assert " … " in title.get_text()
    assert title.get_text().endswith("(end)")
    assert float(title.get_fontsize()) > 10


def test_characters_that_the_font_lacks_are_told() -> None:
    assert drawable("Großer Teich 池 \U0001f6a4 β") == "Großer Teich \\u6c60 \\ud83d\\udea4 β"
    lake = replace(lake_from(POND), name="池")
    assert b"\\u6c60" in svg(lake_picture(lake))
