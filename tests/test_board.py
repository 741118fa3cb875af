"""Pictures of boards: parity, rulers, spot digits."""

import pytest
from board_text import told

from rulekit.files.board import Picture, read_picture
from rulekit.files.findings import Findings, Place
from rulekit.files.toml import Entry
from rulekit.hexgrid import Facing, column_letters

AT = Entry(Place(1, 1), Place(1, 1), Place(1, 1))


def read(*lines: str) -> tuple[Picture | None, list[tuple[str, int | None, int | None]]]:
    findings = Findings("x")
    picture = read_picture("\n".join(lines), AT, findings)
    assert (picture is None) == bool(findings.faults)
    return picture, [told(fault) for fault in findings.faults]


def good(*lines: str) -> Picture:
    picture, faults = read(*lines)
    assert picture is not None, faults
    return picture


def test_symbols_and_sides() -> None:
    picture = good(". A9. #", " . . b4.", "")
    assert picture.widths == (4, 4)
    assert picture.cells[1, 0].symbol == "A"
    assert picture.cells[1, 0].side is Facing.NE
    assert picture.cells[2, 1].side is Facing.W
    assert picture.cells[2, 1].place == Place(2, 6)


@pytest.mark.parametrize(
    ("digit", "side"), [("7", "NW"), ("9", "NE"), ("4", "W"), ("6", "E"), ("1", "SW"), ("3", "SE")]
)
def test_digits_name_sides_as_on_a_number_pad(digit: str, side: str) -> None:
    cell = good(f"a{digit}").cells[0, 0]
    assert cell.side is Facing[side]


SAME = good(". # a7", " . . .").cells


@pytest.mark.parametrize(
    "lines",
    [
        ("A B C", ". # a7", " . . ."),
        ("a b c", ". # a7", " . . ."),
        ("1:. # a7", "2: . . ."),
        ("1: . # a7", "2:  . . ."),
        (" 1 :  . # a7", " 2 :   . . ."),
        ("   A B C", "1: . # a7", "2:  . . ."),
        ("1:. # a7   ", " . . .  ", "   "),
    ],
)
def test_rulers_are_cut_off(lines: tuple[str, ...]) -> None:
    cells = good(*lines).cells
    assert {at: (cell.symbol, cell.side) for at, cell in cells.items()} == {
        at: (cell.symbol, cell.side) for at, cell in SAME.items()
    }


def test_rulers_beyond_z() -> None:
    columns = 30
    ruler = [" "] * (2 * columns)
    for column in range(columns):
        letters = column_letters(column)
        ruler[2 * column - len(letters) + 1 : 2 * column + 1] = letters
    text = "".join(ruler)
    assert text.rstrip().endswith("Y ZAAABACAD")
    good(text, ". " * columns)
    assert read(text.replace("AC", "AX"), ". " * columns)[1] == [("ruler", 1, 57)]


@pytest.mark.parametrize(
    ("lines", "faults"),
    [
        ((". . .", ". . ."), [("shifted-row", 2, 1)]),
        ((" . . .", " . . ."), [("shifted-row", 1, 1)]),
        ((". . .", "  . . ."), [("parity", 2, 2)]),
        ((". . .", " . . .", "  . . ."), [("parity", 3, 1)]),
        ((". .  . .",), [("parity", 1, 5)]),
        ((". .. .",), [("parity", 1, 4)]),
        ((". A .",), [("spot-digit", 1, 4)]),
        ((". A. .",), [("spot-digit", 1, 4)]),
        ((". A5. .",), [("spot-digit", 1, 4)]),
        ((". .9. .",), [("spot-digit", 1, 4)]),
        ((". .", " . x"), [("symbol", 2, 4)]),
        ((". * .",), [("symbol", 1, 3)]),
        ((".\t.",), [("parity", 1, 2)]),
        ((". .", "", ". ."), [("empty-row", 2, 1)]),
        (("",), [("picture", 1, 1)]),
        (("A B",), [("picture", 1, 1)]),
        (("A C", ". ."), [("ruler", 1, 3)]),
        (("A", ". ."), [("ruler", 1, 3)]),
        (("A B C", ". ."), [("ruler", 1, 5)]),
        ((" A B", ". ."), [("ruler", 1, 1)]),
        (("1:. .", "3: . ."), [("ruler", 2, 1)]),
        (("1: . .", "2: . ."), [("shifted-row", 2, 4)]),
        (("1: . .", "2:  . x"), [("symbol", 2, 7)]),
        ((". . .", ". . .", " . . .", ". . ."), [("shifted-row", 2, 1)]),
        ((". . .", ". . .", ". . .", ". . ."), [("shifted-row", 2, 1), ("shifted-row", 4, 1)]),
    ],
)
def test_faults_of_pictures(lines: tuple[str, ...], faults: list[tuple[str, int, int]]) -> None:
    assert read(*lines)[1] == faults


@pytest.mark.parametrize(
    ("lines", "place"),
    [((".\t. .", " . . ."), (1, 2)), ((". . .", "\t. . ."), (2, 1)), (("1: . .", "2: \t. ."), (2, 4))],
)
def test_a_tab_is_called_a_tab(lines: tuple[str, ...], place: tuple[int, int]) -> None:
    findings = Findings("x")
    assert read_picture("\n".join(lines), AT, findings) is None
    (fault,) = findings.faults
    assert told(fault) == ("parity", *place)
    assert "a tab" in fault.message
