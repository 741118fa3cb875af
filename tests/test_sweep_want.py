"""Wishes: read with clear faults, and the search for courses that have them."""

from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulekit.errors import BadInput
from rulekit.files.plan import read_plan
from rulekit.files.source import Source
from rulekit.study.sweep_search import Search, neighbours, rarity
from rulekit.study.sweep_space import Cell, Space
from rulekit.study.sweep_want import UNITS, Wish, check_worked_out, distance, parse_wishes


def space(more: str = "", lake: str = "lagoon") -> Space:
    text = f'format = "rulekit/sweep-1"\nname = "P"\nlakes = ["{lake}"]\n{more}'
    return Space(read_plan(Source("plan.toml", text, Path())))


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("turns 12..14", [12, 13.5, 14], [11.99, 14.01]),
        ("turns = 12 .. 14", [12, 14], [15]),
        ("sink < 0.03", [0, 0.0299], [0.03, 0.5]),
        ("sink<=3%", [0, 0.03], [0.031]),
        ("strip-fairness > 0.5", [0.51], [0.5, 0]),
        ("hurt >= 20 %", [0.2, 1], [0.19]),
        ("hurt 10 %..20 %", [0.1, 0.2], [0.09, 0.21]),
        ("hurt 10..20%", [0.1, 0.2], [0.09, 0.21]),
        ("chokes = 0", [0], [1]),
        ("start_fairness < 1e-1", [0.09], [0.1]),
    ],
)
def test_a_wish(text: str, inside: Sequence[float], outside: Sequence[float]) -> None:
    (wish,) = parse_wishes(text)
    assert all(wish.met(value) for value in inside)
    assert not any(wish.met(value) for value in outside)
    assert not wish.met(None)
    assert parse_wishes(str(wish)) == (wish,)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("tunrs < 3", "there is no figure 'tunrs' (did you mean 'turns'?); there are route, chokes"),
        ("turns 14..12", "'turns 14..12' ends before it begins: turns 12..14?"),
        ("turns", "'turns' is no wish: write figure low..high"),
        ("turns ~ 3", "is no wish"),
        ("turns < 1e", "'1e' in 'turns < 1e' is no number"),
        ("turns < 1e999", "is no number"),
        ("hurt < 20", "hurt is a chance, from 0 to 1 (0 % to 100 %)"),
        ("sink > 150%", "sink is a chance, from 0 to 1"),
        ("route < 40%", "route is no chance, leave the % out"),
        ("route < 20, route > 30", "'route < 20' and 'route > 30' exclude each other"),
        ("route <= 30, chokes < 3, route > 30", "'route <= 30' and 'route > 30' exclude each other"),
        (" , ", "--want is empty"),
        ("turns 12..14; sink < 3", "is no wish"),
    ],
)
def test_a_wish_that_is_none(text: str, told: str) -> None:
    with pytest.raises(BadInput) as raised:
        parse_wishes(text)
    assert told in str(raised.value)


def test_wishes_that_go_together() -> None:
    assert len(parse_wishes("route >= 30, route <= 30, route 20..30, turns > 40, hurt < 100%")) == 5


@given(st.text(max_size=25))
def test_any_text_is_wishes_or_a_clear_fault(text: str) -> None:
    told = "--want"
    try:
        parse_wishes(text)
    except BadInput as fault:
        told = str(fault)
    assert told.startswith("--want")


def test_wishes_that_a_plan_does_not_work_out() -> None:
    wishes = parse_wishes("sink < 0.1")
    check_worked_out(wishes, ("route", "risk"), 0)
    with pytest.raises(BadInput, match='add "risk" to its figures'):
        check_worked_out(wishes, ("route", "race"), 0)
    with pytest.raises(BadInput, match="add races"):
        check_worked_out(parse_wishes("seat-advantage < 0.1"), ("route",), 0)


def test_distance_counts_all_wishes_in_their_units() -> None:
    wishes = (Wish("turns", 10, 12), Wish("hurt", high=0.3))
    assert distance(wishes, {"legal": 1, "turns": 11, "hurt": 0.1}) == 0
    assert distance(wishes, {"legal": 1, "turns": 14, "hurt": 0.5}) == pytest.approx(2 + 2)
    assert distance(wishes, {"legal": 0, "turns": 11, "hurt": 0.1}) == inf
    assert distance(wishes, {"legal": 1, "turns": 11}) == inf
    assert set(UNITS) >= {"turns", "sink", "start_fairness"}


def test_neighbours_differ_by_one_change_and_are_cells_of_the_space() -> None:
    own = space('layouts = "shuffled"\nletters = ["A"]\nsample = 1')
    (cell,) = own.cells()
    found = list(neighbours(own, cell, Random(1)))
    # 6 pairs of buoys; 15 pairs of tiles, 6 turned, and 6 turned over, whose spots may then be others.
    assert len(set(found)) == len(found)
    assert 6 + 15 + 6 <= len(found) <= 6 + 15 + 6 + 6
    assert all(sorted(one.buoys.split()) == sorted(cell.buoys.split()) for one in found)
    assert sum(one.layout == cell.layout for one in found) == 6
    fixed = space('letters = ["A"]\nsample = 1')
    assert len(list(neighbours(fixed, next(fixed.cells()), Random(1)))) == 6


def light_turns(cells: Sequence[Cell]) -> list[Mapping[str, Any] | None]:
    """A made-up space: as many turns as light sides, one more where buoy 0 does not stand on the first tile's spot."""
    return [
        {"legal": 1, "turns": cell.light + (not cell.buoys.startswith(f"@{(cell.layout or '')[0]}"))} for cell in cells
    ]


def sampled(own: Space) -> list[dict[str, Any]]:
    cells = list(own.cells())
    return [
        {"position": k, **cell._asdict(), **(figures or {})}
        for k, (cell, figures) in enumerate(zip(cells, light_turns(cells), strict=True))
    ]


def test_the_search_climbs_to_what_no_cell_of_the_sample_has() -> None:
    own = space('layouts = "shuffled"\nsample = 3\nseed = 5')
    rows = sampled(own)
    assert min(row["turns"] for row in rows) > 0
    hunt = Search(own, parse_wishes("turns = 0"), light_turns)
    (found,) = hunt.run(rows, 1)
    assert found.origin == "search"
    assert found.steps >= 2
    assert found.figures["turns"] == 0
    assert found.cell.light == 0
    again = Search(own, parse_wishes("turns = 0"), light_turns)
    assert list(again.run(rows, 1)) == [found]
    assert again.tried == hunt.tried > 0


def test_the_search_takes_those_of_the_sample_first_and_tells_the_nearest() -> None:
    own = space('layouts = "shuffled"\nsample = 40')
    rows = sampled(own)
    low = min(row["turns"] for row in rows)
    hunt = Search(own, parse_wishes(f"turns <= {low}"), light_turns, tries=0)
    found = list(hunt.run(rows, 40))
    assert len(found) == sum(row["turns"] == low for row in rows)
    assert {one.origin for one in found} == {"sample"}
    never = Search(own, parse_wishes("turns < -1"), light_turns, tries=60)
    assert list(never.run(rows, 1)) == []
    assert 0 < never.tried <= 60 + 12
    assert never.nearest is not None
    assert never.nearest[2]["turns"] <= low


def test_rarity_is_the_share_of_the_sample() -> None:
    rows = [{"legal": 1, "turns": turns} for turns in range(10)]
    found = rarity(rows, parse_wishes("turns < 3"))
    assert (found.hits, found.cells) == (3, 10)
    assert found.low == pytest.approx(0.1078, abs=1e-4)
    assert found.high == pytest.approx(0.6032, abs=1e-4)
