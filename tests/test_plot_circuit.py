"""Pictures of circuits: the ring closes, every space has its true borders, every sign is there."""

import re
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import hypot, pi
from pathlib import Path

import pytest
from board_text import CASES, case_text, edited
from click.testing import CliRunner, Result
from hypothesis import given, settings
from made_up_tracks import circuits

from rulekit.cli import cli
from rulekit.files.source import read_source
from rulekit.files.strip import SYMBOL
from rulekit.files.track import read_track
from rulekit.plot.circuit import circuit_box
from rulekit.plot.circuit_picture import CarMark, CircuitPicture
from rulekit.plot.circuit_pit import PLACES, PitLane, boxes, lane_offset
from rulekit.plot.circuit_risk import risk_picture
from rulekit.plot.circuit_sheet import draw_sheet, sheet_size
from rulekit.plot.circuit_text import circuit_text
from rulekit.plot.circuit_words import labels_of
from rulekit.plot.figure import render
from rulekit.plot.ring import LANE, Ring, ring, shared_turns, straightened
from rulekit.ps.track import LANES, Mark, Track

RING_A = str(CASES / "tracks" / "ring-a.toml")
NAMES = ["orchard", "ravenhill", RING_A]


@cache
def circuit(name: str) -> Track:
    return read_track(read_source(name)).track


@cache
def shape(name: str) -> Ring:
    return ring(circuit(name))


@cache
def svg(name: str, strip: bool = False) -> str:
    picture = CircuitPicture(circuit(name))
    made = straightened(circuit(name)) if strip else shape(name)
    return render(lambda figure: draw_sheet(figure, picture, made), sheet_size(picture, made), ".svg").decode()


def closes(made: Ring) -> None:
    """The last section leads back into the first, and every one into the next without a bend."""
    assert made.gap < 0.05
    ends = [(made.point(k, columns), made.heading(k, columns)) for k, columns in enumerate(made.columns)]
    for number, (point, heading) in enumerate(ends):
        after = (number + 1) % len(ends)
        assert hypot(*(a - b for a, b in zip(point, made.point(after, 0), strict=True))) < 0.05
        assert (heading - made.heading(after, 0) + pi) % (2 * pi) == pytest.approx(pi, abs=0.02)


@pytest.mark.parametrize("name", NAMES)
def test_the_ring_closes(name: str) -> None:
    closes(shape(name))


@given(circuits(degrees=True))
@settings(max_examples=6, derandomize=True)
def test_any_ring_closes_with_told_turns(track: Track) -> None:
    closes(ring(track))


@given(circuits())
@settings(max_examples=6, derandomize=True)
def test_any_ring_closes_with_turns_shared_out(track: Track) -> None:
    closes(ring(track))


@pytest.mark.parametrize("name", ["orchard", "ravenhill"])
def test_curves_turn_as_told_and_the_line_lies_level(name: str) -> None:
    track, made = circuit(name), shape(name)
    for section, turn in zip(track.sections, made.turns, strict=True):
        assert turn == pytest.approx((section.degrees or 0) * (section.turn or 0) * pi / 180)
    assert made.heading(*track.line) == 0


@pytest.mark.parametrize("name", ["orchard", "ravenhill"])
def test_columns_of_straights_keep_about_their_length(name: str) -> None:
    track, made = circuit(name), shape(name)
    lengths = [length / section.columns for section, length in zip(track.sections, made.lengths, strict=True)
               if not section.is_curve]  # fmt: skip
    assert min(lengths) > 0.65
    assert max(lengths) < 1.7


@pytest.mark.parametrize("name", NAMES)
def test_no_part_lies_on_another(name: str) -> None:
    made = shape(name)
    points, along = [], 0.0
    for section, (columns, length) in enumerate(zip(made.columns, made.lengths, strict=True)):
        points += [(along + length * k / 20, made.point(section, columns * k / 20)) for k in range(20)]
        along += length
    for at, (x, y) in points:
        for to, (other_x, other_y) in points:
            way = min(abs(at - to), along - abs(at - to))
            if way > 4 * LANE * pi:
                assert hypot(x - other_x, y - other_y) > 3 * LANE


def test_turns_are_shared_out_to_a_full_circle() -> None:
    turns = shared_turns(circuit(RING_A))
    assert sum(turns) == pytest.approx(-360)
    assert [round(turn) for turn in turns] == [0, -249, 0, 75, 0, -186]


def test_spaces_of_a_curve_share_their_borders_and_inner_ones_are_shorter_for_a_column() -> None:
    track, made = circuit("orchard"), shape("orchard")
    for lane in track.lanes:
        for number, after in pairwise(lane):
            space, ahead = track.spaces[number], track.spaces[after]
            offset = lane_offset(space.lane)
            end = made.point(space.section, space.last, offset)
            assert (
                hypot(*(a - b for a, b in zip(end, made.point(ahead.section, ahead.first - 1, offset), strict=True)))
                < 0.06
            )
    hairpin = [made.length(space) / (space.last - space.first + 1) for space in track.spaces if space.section == 1]
    assert hairpin == sorted(hairpin)
    whole = sum(made.length(space) for space in track.spaces if space.section == 1 and space.lane == 2)
    assert whole == pytest.approx(made.lengths[1] + LANE * pi)


@pytest.mark.parametrize("name", NAMES)
def test_labels_keep_clear_of_each_other_and_of_the_track(name: str) -> None:
    track, made = circuit(name), shape(name)
    labels = labels_of(track, made)
    placed = [labels.direction[0].box, *(label.box for label in (*labels.limits.values(), *labels.names))]
    pit = PitLane(track, made, track.pit) if track.pit else None
    outlines = [*boxes(track, made), *(pit.outline(place) for place in PLACES if pit)]
    for number, (left, right, bottom, top) in enumerate(placed):
        for other in placed[:number]:
            assert right < other[0] or other[1] < left or top < other[2] or other[3] < bottom
        for x, y in (point for outline in outlines for point in outline):
            assert not (left < x < right and bottom < y < top)
        for section, columns in enumerate(made.columns):
            for k in range(columns + 1):
                x, y = made.point(section, k)
                assert not (left < x < right and bottom < y < top)


@pytest.mark.parametrize("name", NAMES)
def test_everything_lies_on_the_sheet(name: str) -> None:
    track = circuit(name)
    for made in (shape(name), straightened(track)):
        left, right, bottom, top = circuit_box(track, made)
        lane = PitLane(track, made, track.pit) if track.pit else None
        points = [point for outline in boxes(track, made) for point in outline]
        points += [point for place in PLACES if lane for point in lane.outline(place)]
        points += [made.point(k, c, side * 1.5 * LANE) for k, n in enumerate(made.columns) for c in range(n + 1)
                   for side in (-1, 1)]  # fmt: skip
        assert all(left < x < right and bottom < y < top for x, y in points)


@pytest.mark.parametrize("strip", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_every_space_sign_and_name_is_drawn(name: str, strip: bool) -> None:
    track, text = circuit(name), svg(name, strip)
    ids = set(re.findall(r'<g id="([^"]+)"', text))
    for number, space in enumerate(track.spaces):
        own = track.name_of(number).replace(" ", "-")
        assert own in ids
        assert {f"{own}-{mark.value}" for mark in Mark} & ids == {f"{own}-{mark.value}" for mark in space.marks}
    curves = [section.id for section in track.sections if section.is_curve]
    assert {one for one in ids if one.startswith("limit-")} == {f"limit-{curve}" for curve in curves}
    assert {f"name-{section.id}" for section in track.sections} <= ids
    assert {f"box-{k}" for k in range(1, 13)} | {f"pit-P{k}" for k in range(1, 7)} <= ids
    assert {"start-finish-line", "direction", "pit-stop", "pit-entry", "pit-exit-3", "pit-exit-6", "title"} <= ids
    assert sum(one.startswith("double-line-") for one in ids) >= len(curves) + 1


def test_the_straightened_track_has_columns_of_one_length_in_rows() -> None:
    track = circuit("ravenhill")
    made = straightened(track)
    assert set(made.turns) == {0.0}
    assert made.lengths == tuple(float(section.columns) for section in track.sections)
    rows = sorted({start.imag for start in made.starts}, reverse=True)
    assert len(rows) == 3
    assert [made.starts[0].imag, made.starts[-1].imag] == [rows[0], rows[-1]]
    assert min(above - below for above, below in pairwise(rows)) > 3 * LANE + 1


def test_colours_and_cars_of_a_picture() -> None:
    track = circuit("orchard")
    made = straightened(track)
    picture = CircuitPicture(
        track, fills={3: "#123456"}, cars=(CarMark(5, "A"), CarMark(9, "B", 1)), remarks=("Hello",)
    )
    text = render(lambda figure: draw_sheet(figure, picture, made), sheet_size(picture, made), ".svg").decode()
    assert text.count("#123456") == 1
    assert {"car-A", "car-B", "remark"} <= set(re.findall(r'<g id="([^"]+)"', text))


def test_the_picture_of_risks_is_lighter_where_it_is_safer() -> None:
    chances = {0: Fraction(0), 1: Fraction(1, 243), 2: Fraction(1, 3), 3: Fraction(2, 3), 4: Fraction(1)}
    picture = risk_picture(circuit("orchard"), chances, "red")
    colours = [picture.fills[space] for space in chances]
    weights = [sum(int(colour[k : k + 2], 16) * w for k, w in ((1, 3), (3, 6), (5, 1))) for colour in colours]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == 5
    assert picture.fills[5] not in colours
    assert [colour for colour, _ in picture.keys] == [*colours, picture.fills[5]]


def test_limits_draws_the_risks(tmp_path: Path) -> None:
    args = ["limits", RING_A, "--plot", str(tmp_path / "x.svg"), "--die", "yellow"]
    result = CliRunner().invoke(cli, args, prog_name="rulekit")
    assert (result.exit_code, result.stderr) == (1, f"wrote {tmp_path / 'x.svg'}\n")
    text = (tmp_path / "x.svg").read_text()
    assert "a yellow die leaves no way" in text
    assert "never flies" in text
    wrong = CliRunner().invoke(cli, [*args[:3], "x.sgv"], prog_name="rulekit")
    assert (wrong.exit_code, "did you mean '.svg'?" in wrong.stderr) == (2, True)


def test_the_same_picture_has_the_same_bytes() -> None:
    assert svg("orchard") == svg.__wrapped__("orchard")


def drawn_sections(text: str) -> list[list[str]]:
    """The lanes' lines of a text, double lines taken as breaks."""
    lines = [line for line in text.splitlines() if line.split(" ")[0] in LANES]
    return [[part.strip() for part in re.split("[‖¦]", line[8:]) if part.strip()] for line in lines]


@pytest.mark.parametrize("name", NAMES)
def test_the_text_shows_the_pictures_of_the_file(name: str) -> None:
    track = circuit(name)
    parts: list[list[str]] = [[], [], []]
    for number, line in enumerate(drawn_sections(circuit_text(CircuitPicture(track), width=80))):
        parts[number % 3] += line
    text = Path(read_source(name).path).read_text(encoding="utf-8")
    own = [[line[8:].strip() for line in text.splitlines() if line.split(" ")[0] == lane] for lane in LANES]
    assert parts == own


@pytest.mark.parametrize("width", [30, 60, 80, 120])
def test_the_text_keeps_its_width(width: int) -> None:
    text = circuit_text(CircuitPicture(circuit("ravenhill")), width)
    rows = [line for line in text.splitlines() if line[:8].strip() in ("", *LANES)]
    assert max(map(len, rows)) <= width


def test_the_text_in_colours_is_the_text() -> None:
    picture = CircuitPicture(circuit("ravenhill"), cars=(CarMark(0, "7"),))
    plain, coloured = circuit_text(picture), circuit_text(picture, colour=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert "\x1b[1;44m7" in coloured
    assert set(SYMBOL.values()) & set(plain) == {"=", "^", "s", "u", "U", "S"}


def draw(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["draw", *map(str, args)], prog_name="rulekit")


def test_draw_writes_ring_and_strip(tmp_path: Path) -> None:
    for options, name in (((), "ring.svg"), (("--strip",), "strip.svg")):
        assert draw("orchard", *options, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / "ring.svg").read_text() == svg("orchard")
    assert (tmp_path / "strip.svg").read_text() == svg("orchard", True)


def test_draw_prints_the_track_without_a_file() -> None:
    result = draw("orchard")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("Orchard: 47 columns, 4 curves\n")


def test_draw_tells_rule_faults_and_draws_nevertheless(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(edited(case_text("tracks/ring-a.toml"), "limit = 8\n", ""))
    result = draw(tmp_path / "x.toml", "--text", "-o", tmp_path / "x.png")
    assert result.exit_code == 0
    assert re.search(r"x\.toml:\d+:\d+: warning: curve 'kink' has no limit", result.stderr)
    assert ">–" in result.stdout


def test_draw_tells_where_turns_are_drawn_otherwise(tmp_path: Path) -> None:
    text = case_text("tracks/ring-a.toml")
    for limit, degrees in ((4, 400 - 350), (5, 20), (8, 330)):
        text = edited(text, f"limit = {limit}\n", f"limit = {limit}\ndegrees = {degrees}\n")
    (tmp_path / "x.toml").write_text(text)
    result = draw(tmp_path / "x.toml", "-o", tmp_path / "x.svg")
    assert (result.exit_code, result.stderr) == (0, f"wrote {tmp_path / 'x.svg'}\n")
    assert "with other turns than told" in (tmp_path / "x.svg").read_text()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("lagoon", "--strip"), "--strip straightens a track"),
        (("orchard", "-o", "x.gif"), "ends in .svg, .png or .pdf"),
        (("orchard", "--reading", "triangel=aid"), "did you mean 'triangle'?"),
        (("orchad",), "did you mean 'orchard'?"),
    ],
)
def test_draw_refuses(args: tuple[str, ...], words: str) -> None:
    result = draw(*args)
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_ring_that_cannot_close_is_refused_and_its_strip_drawn(tmp_path: Path) -> None:
    text = re.sub(r"turn = .*\nlimit = .*\n", "", case_text("tracks/ring-a.toml"))
    (tmp_path / "x.toml").write_text(text)
    result = draw(tmp_path / "x.toml", "-o", tmp_path / "x.svg")
    assert (result.exit_code, (tmp_path / "x.svg").exists()) == (2, False)
    assert "try --strip" in result.stderr
