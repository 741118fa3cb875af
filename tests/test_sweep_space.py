"""The cells of a plan: counts by hand, samples without repeats, keys that change with what figures depend on."""

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from rulekit.errors import BadInput
from rulekit.files.plan import MOST_CELLS, read_plan
from rulekit.files.source import Source
from rulekit.study.sweep_cell import cell_course, lake_of_text
from rulekit.study.sweep_space import Cell, Space, cell_key, rules_version

TWO_TILES = """
format = "rulekit/lake-1"
name = "Pair"
layout = ["1 2"]
[[tile]]
id = "1"
dark = '''
. . . . .
 . A6. . .
. . . . .
 . . . . .
. a4. . .
 . . . . .
'''
[[tile]]
id = "2"
dark = '''
. . . . .
 . . . . .
. . a1. .
 . . . . .
. . . . .
 . . . . .
'''
light = '''
. . . . .
 . a9. . .
. . . . .
 . . . . .
. . . . .
 . . . . .
'''
""".replace("a4", ". ", 1)


def space(more: str = "", lakes: str = '["practice"]', folder: Path = Path()) -> Space:
    return Space(
        read_plan(Source("plan.toml", f'format = "rulekit/sweep-1"\nname = "P"\nlakes = {lakes}\n{more}', folder))
    )


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    (tmp_path / "pair.toml").write_text(TWO_TILES)
    return tmp_path


def test_all_cells_of_a_free_form_lake() -> None:
    whole = space('readings = ["", "sink-at=3"]')
    cells = list(whole.cells())
    assert whole.size == whole.count == len(cells) == len(set(cells)) == 3 * 24 * 2
    assert Counter(cell.letter for cell in cells) == {"A": 48, "B": 48, "C": 48}
    assert {cell.layout for cell in cells} == {None}


def test_all_cells_of_shuffled_tiles(pair: Path) -> None:
    whole = space('layouts = "shuffled"\nletters = ["A"]', '["pair.toml"]', pair)
    cells = list(whole.cells())
    # 2 orders × 2 turns of each × 2 sides of tile 2, 2 orders of the two A-spots.
    assert whole.size == len(cells) == len(set(cells)) == 2 * 4 * 2 * 2
    assert {cell.layout for cell in cells} >= {"1 2", "2* 1r", "1r 2r*"}
    assert Counter(cell.light for cell in cells) == {0: 16, 1: 16}
    dark = space('layouts = "shuffled"\nsides = "dark"\nletters = ["A"]', '["pair.toml"]', pair)
    assert set(dark.cells()) == {cell for cell in cells if cell.light == 0}


def test_light_sides_alone_need_a_light_side_each(pair: Path) -> None:
    with pytest.raises(BadInput, match="not every tile"):
        list(space('layouts = "shuffled"\nsides = "light"\nletters = ["A"]', '["pair.toml"]', pair).cells())


def test_the_box_has_some_hundred_million_cells_and_is_not_listed() -> None:
    box = space('layouts = "shuffled"\nsample = 50', '["lagoon"]')
    assert box.size == 720 * 2**6 * 2**6 * 3 * 24
    assert box.count == len(list(box.cells())) == 50
    with pytest.raises(BadInput, match="212,336,640 cells: draw a sample"):
        next(space('layouts = "shuffled"', '["lagoon"]').cells())
    assert box.size > MOST_CELLS


def test_a_sample_is_drawn_without_repeats_and_a_larger_one_begins_with_it() -> None:
    small, large = (list(space(f"sample = {count}").cells()) for count in (20, 60))
    assert len(set(large)) == 60
    assert large[:20] == small
    assert list(space("sample = 20\nseed = 1").cells()) != small
    assert set(large) < set(space().cells())
    assert len(list(space("sample = 9999").cells())) == 72


def test_a_sample_is_even() -> None:
    box = space('layouts = "shuffled"\nsample = 3000', '["lagoon"]')
    cells = list(box.cells())
    letters = Counter(cell.letter for cell in cells)
    assert all(abs(count - 1000) < 5 * (3000 * 2 / 9) ** 0.5 for count in letters.values())
    first = Counter((cell.layout or "")[0] for cell in cells)
    assert all(abs(count - 500) < 5 * (3000 * 5 / 36) ** 0.5 for count in first.values())
    light = sum(cell.light for cell in cells) / 6 / 3000
    assert abs(light - 0.5) < 5 * 0.5 / (6 * 3000) ** 0.5


def test_an_empty_product_is_told(pair: Path) -> None:
    with pytest.raises(BadInput, match="product is empty"):
        list(space('letters = ["B"]', '["pair.toml"]', pair).cells())


def test_a_cell_is_the_course_of_its_words() -> None:
    box = space('layouts = "shuffled"\nsample = 5', '["lagoon"]')
    for cell in box.cells():
        course = cell_course(cell, lake_of_text(box.lakes[cell.lake].source.text))
        assert course is not None
        spots = {spot.at: f"@{spot.tile}{spot.letter}" for spot in course.lake.spots}
        assert [spots[at] for at in islice(course.buoy_hexes(), 4)] == cell.buoys.split()


def test_a_key_changes_with_everything_that_figures_depend_on() -> None:
    whole = space("sample = 2\nraces = 5")
    cell, other = whole.cells()
    text = whole.lakes[cell.lake].source.text
    told = {cell_key(cell, whole.settings, text), cell_key(other, whole.settings, text)}
    told.add(cell_key(cell, whole.settings, text.replace("Practice", "Practise")))
    for more in ("races = 6", "races = 5\nslack = 3", "races = 5\nseed = 2", 'races = 5\nfigures = ["route"]'):
        told.add(cell_key(cell, space(more).settings, text))
    assert len(told) == 7
    assert whole.key(cell) == cell_key(cell, space("sample = 3\nraces = 5").settings, text)
    assert cell_key(Cell("another name", *cell[1:]), whole.settings, text) == whole.key(cell)


def test_the_rules_have_a_version() -> None:
    assert rules_version().startswith("0.")
    assert "+" in rules_version()


def test_two_lakes_of_one_name(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text(TWO_TILES.replace("A6", "a6" if name == "b" else "A6"))
    whole = space('letters = ["A"]', '["a.toml", "b.toml"]', tmp_path)
    assert list(whole.lakes) == ["Pair", "Pair (2)"]
    assert len({whole.key(cell) for cell in whole.cells()}) == whole.size == 4
