"""Rule findings: courses with one fault each, told by hand, and the same verdicts as the parts they rest on."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from made_up import case, course_on, courses, lake_from

from rulekit.hexgrid import Facing, Side, from_offset, hex_name, parse_hex
from rulekit.powerboats.check import Finding, check
from rulekit.powerboats.course import Course, Tile, TileKind
from rulekit.powerboats.lake import Lake, Spot
from rulekit.powerboats.rounding import corners
from rulekit.powerboats.route import route, settle

POND = lake_from(
    """
. . . . . . . . . . .
 . . . . . . . . . . .
. . . . . . . . . . .
 . . . . . . . . . . .
. . . . . . . . . . .
 . . . . . . . . . # .
. . . . . . . . . . .
 . . . . . . . . . . .
"""
)
BUOYS = (("I2", "left"), ("J7", "left"), ("B2", "auto"))


def pond(start: str = "B5", side: str = "E", buoys: tuple[tuple[str, str], ...] = BUOYS) -> Course:
    """Strip C5–F5, finish buoy G5, unless told otherwise."""
    return course_on(POND, start, side, buoys)


def codes(found: list[Finding]) -> list[tuple[str, str, str]]:
    """(code, rule, where) of the findings."""
    return [(finding.code, finding.rule, finding.where) for finding in found]


def only(course: Course, letter: str | None = None) -> Finding:
    """The one finding."""
    (finding,) = check(course, letter)
    return finding


def test_a_course_without_faults() -> None:
    assert check(pond(buoys=(("I2", "right"), ("J7", "right"), ("B7", "auto")))) == []


@pytest.mark.parametrize(
    ("course", "code", "words"),
    [
        (pond("B6", "SE"), "strip-outside", "hex 3 of the strip, D9, lies outside the lake"),
        (pond("H5", "SE"), "strip-outside", "hex 4 of the strip, J9, lies outside the lake"),
        (pond("F6", "E"), "strip-land", "hex 4 of the strip, J6, is land"),
        (pond("G2", "E"), "strip-buoy", "hex 2 of the strip, I2, carries buoy 1"),
        (pond("D2", "E"), "finish-buoy", "the finish buoy's hex I2 carries buoy 1"),
        (pond("G5", "E"), "finish-outside", "lies outside the lake"),
    ],
)
def test_faults_of_the_strip(course: Course, code: str, words: str) -> None:
    found = [finding for finding in check(course) if finding.rule == "PB-6"]
    assert code in {finding.code for finding in found}
    assert any(words in finding.message for finding in found) or code == "finish-outside"
    assert {(finding.severity, finding.where) for finding in found} == {("error", "side")}


def test_the_sides_that_would_do_are_told() -> None:
    course = pond("F6", "E")
    assert "from F6 these sides would do: NE, NW, W" in check(course)[0].message
    assert not [finding for finding in check(replace(course, strip_side=Facing.W)) if finding.rule == "PB-6"]


def test_the_finish_buoy_may_stand_on_land() -> None:
    course = pond("E6", "E")
    assert hex_name(course.finish_buoy) == "J6"
    assert not [finding for finding in check(course) if finding.rule == "PB-6"]


def test_a_wrong_arrow_is_told_with_degrees_and_the_right_one() -> None:
    finding = only(case("mid-1.toml"))
    assert finding == Finding(
        "error",
        "full-circle",
        "PB-8",
        "buoy 3 turn",
        "buoy 3 on B4 has the rightward arrow, but the string turns 169.3° to the left: boats turn a full circle "
        '(swept 10.7° + 360°); turn = "left" would do',
    )


def test_a_nearly_straight_leg_is_a_warning() -> None:
    finding = only(pond(buoys=(("I5", "auto"), ("J5", "auto"))))
    assert (finding.severity, finding.code, finding.rule, finding.where) == (
        "warning",
        "straight-leg",
        "PB-8",
        "buoy 1",
    )
    assert "buoy 1 on I5 lies on a nearly straight leg: the string goes straight on" in finding.message
    slightly = only(pond(buoys=(("H3", "auto"), ("J2", "auto"))))
    assert "nearly straight leg: the string turns 7.2° to the right" in slightly.message


WALLED = lake_from("\n".join(" " * (row & 1) + ". . . . . . . # . . ." for row in range(8)))


def test_no_route_tells_how_far_boats_get() -> None:
    finding = only(course_on(WALLED, "A5", "E", [("C2", "auto"), ("J3", "auto"), ("C7", "auto")], strip=3))
    assert (finding.severity, finding.code, finding.rule) == ("error", "no-route", "PB-12")
    assert "no water leads round buoy" in finding.message


SPOTS = (
    Spot("A", parse_hex("B5"), Facing.E, "1"),
    Spot("A", parse_hex("I2"), Facing.E, "2"),
    Spot("A", parse_hex("J7"), Facing.E, "3"),
    Spot("A", parse_hex("B7"), Facing.E, "1"),
    Spot("B", parse_hex("E1"), Facing.SE, "1"),
    Spot("B", parse_hex("H1"), Facing.SE, "2"),
)
LETTERED = (("I2", "auto"), ("J7", "auto"), ("B7", "auto"))


def lettered(**change: object) -> Course:
    course = pond(buoys=LETTERED)
    lake = Lake("lettered", POND.water, POND.land, SPOTS)
    return replace(course, lake=lake, **change)  # type: ignore[arg-type]


def test_buoys_stand_on_the_spots_of_their_letter() -> None:
    assert check(lettered(), "A") == []
    moved = lettered(buoys=pond(buoys=(("H2", "auto"), *LETTERED[1:])).buoys)
    finding = only(moved, "A")
    assert finding.message == "buoy 1 stands on H2, which is no A-spot; free A-spots: I2"
    assert (finding.code, finding.rule, finding.where) == ("not-a-spot", "PB-5", "buoy 1")
    assert check(moved) == []


def test_the_strip_runs_over_the_side_of_the_letter() -> None:
    finding = only(lettered(strip_side=Facing.NE, strip_length=2), "A")
    assert (finding.code, finding.rule, finding.where) == ("letter-side", "PB-6", "side")
    assert 'side = "E"' in finding.message
    assert check(lettered(strip_side=Facing.NE, strip_length=2)) == []


def strip_of(first: str, side: Facing, kind: TileKind = TileKind.REDOUBT) -> Tile:
    return Tile(kind, tuple(parse_hex(first).step(side, k) for k in range(3)))


OUTSIDE = ("tile-outside", "X1-2", "expansion 1")
AT_A_SPOT = ("tile-spot", "X1-2", "expansion 1")


@pytest.mark.parametrize(
    ("tiles", "found"),
    [
        ([strip_of("D2", Facing.E)], []),
        ([strip_of("H2", Facing.E)], [("tile-buoy", "X1-3", "expansion 1")]),
        ([strip_of("F6", Facing.NW)], [("tile-strip", "X1-3", "expansion 1")]),
        ([strip_of("G6", Facing.NW)], [("tile-buoy", "X1-3", "expansion 1")]),  # the finish buoy
        ([strip_of("J6", Facing.NW)], [("tile-land", "X1-2", "expansion 1")]),
        ([strip_of("K3", Facing.NE)], [OUTSIDE]),
        ([strip_of("D2", Facing.E), strip_of("F2", Facing.SE)], [("tile-overlap", "X1-3", "expansion 2")]),
        ([strip_of("E2", Facing.SE)], [AT_A_SPOT]),  # E1's, on the tile of buoy 0
        ([strip_of("E1", Facing.NW)], [OUTSIDE, OUTSIDE, AT_A_SPOT]),
        ([strip_of("H2", Facing.SE)], []),
        ([strip_of("J2", Facing.E)], [OUTSIDE, AT_A_SPOT]),
    ],
)  # fmt: skip
def test_faults_of_expansion_tiles(tiles: list[Tile], found: list[tuple[str, str, str]]) -> None:
    assert codes(check(lettered(tiles=tuple(tiles)))) == found


def test_many_tiles_on_one_another_are_told_a_finding_a_hex() -> None:
    heap = (strip_of("H2", Facing.SE),) * 40
    overlaps = [finding for finding in check(lettered(tiles=heap)) if finding.code == "tile-overlap"]
    assert len(overlaps) == 3 * 39
    assert all("lies on tile 1 (" in finding.message for finding in overlaps)


AT_H1 = strip_of("H2", Facing.SE)


@pytest.mark.parametrize(
    ("tiles", "severity", "words"),
    [
        ([strip_of("J2", Facing.E)], "error", "tile 1 (redoubt) lies at the spot of buoy 1"),
        ([strip_of("E2", Facing.SE)], "error", "at the spot on E1, on the lake tile of buoy 0, which stays free"),
        ([strip_of("D2", Facing.E)], "warning", "tile 1 (redoubt) lies at no spot of the lake"),
        ([AT_H1, AT_H1], "error", "tile 2 (redoubt) lies at the spot on H1, which has tile 1 already"),
    ],
)
def test_tiles_lie_at_the_spots_that_the_letter_leaves_free(tiles: list[Tile], severity: str, words: str) -> None:
    course = lettered(tiles=tuple(tiles))
    (strict,) = (finding for finding in check(course, "A") if finding.code == "tile-spot")
    assert strict.severity == severity
    assert words in strict.message
    loose = [finding for finding in check(course) if finding.code == "tile-spot"]
    assert [finding.severity for finding in loose] == ["warning"] * (severity == "error")


def test_a_tile_at_a_free_spot_is_no_finding() -> None:
    assert check(lettered(tiles=(AT_H1,)), "A") == []


def test_a_tile_told_from_its_far_end_lies_at_the_same_spot() -> None:
    told_so = strip_of(hex_name(AT_H1.hexes[-1]), Facing.NW)
    assert check(lettered(tiles=(told_so,)), "A") == []


def test_a_tile_that_lies_at_two_spots_needs_one_free() -> None:
    """From E2 south-east: out from E1, on the tile of buoy 0, and back over the letter on E2."""
    course = lettered(tiles=(strip_of("E2", Facing.SE),))
    spots = (*SPOTS, Spot("C", parse_hex("E2"), Facing.NW, "2"))
    assert check(replace(course, lake=replace(course.lake, spots=spots)), "A") == []


def test_a_tile_laid_back_over_a_spot_in_water_lies_at_it() -> None:
    spots = (*SPOTS, Spot("B", parse_hex("G3"), Facing.W, "2"))
    course = lettered(tiles=(strip_of("G3", Facing.E),))
    assert check(replace(course, lake=replace(course.lake, spots=spots)), "A") == []


def test_without_lake_tiles_no_spot_lies_on_the_one_of_buoy_0() -> None:
    course = lettered(tiles=(strip_of("E2", Facing.SE),))
    loose = tuple(replace(spot, tile=None) for spot in SPOTS)
    assert codes(check(course)) == [AT_A_SPOT]
    assert check(replace(course, lake=replace(course.lake, spots=loose))) == []


@settings(max_examples=40)
@given(courses())
def test_the_findings_say_what_their_parts_say(course: Course) -> None:
    """Random arrows: a full circle exactly at the wrong ones, no route exactly where there is none."""
    course = replace(course, buoys=tuple(replace(buoy, arrow=Side.LEFT) for buoy in course.buoys))
    found = check(course)
    wrong = [k for k, corner in enumerate(corners(course), 1) if corner.full_circle(Side.LEFT)]
    assert [finding.where for finding in found if finding.code == "full-circle"] == [f"buoy {k} turn" for k in wrong]
    assert (route(settle(course)) is None) == any(finding.code == "no-route" for finding in found)
    on_strip = [hex_name(at) for at in course.strip if at not in course.water]
    assert len([finding for finding in found if finding.code.startswith("strip-")]) == len(on_strip)


def test_all_courses_are_judged_without_a_crash() -> None:
    """Buoy 0 anywhere, the strip any way: a finding or none, never an exception."""
    lake = Lake("dot", frozenset({from_offset(1, 1)}), frozenset({from_offset(0, 1)}))
    for side in Facing:
        found = check(course_on(lake, "A2", side.name, [("B2", "auto")]))
        assert [finding for finding in found if finding.severity == "error"]
