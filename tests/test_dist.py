"""Rows of dice sums against every throw counted one by one, and against icepool and dyce."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulekit.dist import Dist, roll

FACES = st.lists(st.integers(1, 6), min_size=1, max_size=4).map(lambda faces: tuple(sorted(faces)))
DICE = st.integers(0, 5)


def counted(dice: int, faces: tuple[int, ...], plus: int = 0) -> dict[int, Fraction]:
    """Total → chance, from every throw."""
    throws = Counter(plus + sum(throw) for throw in product(faces, repeat=dice))
    return {total: Fraction(ways, len(faces) ** dice) for total, ways in sorted(throws.items())}


@given(DICE, FACES, st.integers(0, 9))
def test_a_row_is_every_throw_counted(dice: int, faces: tuple[int, ...], plus: int) -> None:
    row = roll(dice, faces).shifted(plus)
    assert dict(row.fractions()) == counted(dice, faces, plus)
    assert sum(row.weights) == row.total == len(faces) ** dice
    assert (row.start, row.last) == (plus + dice * min(faces), plus + dice * max(faces))


@given(DICE, FACES, st.integers(0, 9), st.integers(-3, 45))
def test_figures_are_those_of_the_definition(dice: int, faces: tuple[int, ...], plus: int, value: int) -> None:
    row, chances = roll(dice, faces).shifted(plus), counted(dice, faces, plus)
    mean = sum((total * chance for total, chance in chances.items()), Fraction(0))
    variance = sum(((total - mean) ** 2 * chance for total, chance in chances.items()), Fraction(0))
    assert (row.mean, row.variance) == (mean, variance)
    assert row.sd == pytest.approx(float(variance) ** 0.5)
    assert row.probability(value) == chances.get(value, 0)
    assert row.above(value) == sum(chance for total, chance in chances.items() if total > value)
    assert row.at_least(value) == sum(chance for total, chance in chances.items() if total >= value)
    assert row.at_most(value) == sum(chance for total, chance in chances.items() if total <= value)
    assert row.excess(value) == sum((total - value) * chance for total, chance in chances.items() if total > value)


@pytest.mark.parametrize("faces", [(1, 2, 3), (1, 1, 3), (2, 5), (1, 2, 3, 4, 5, 6)])
@pytest.mark.parametrize("dice", [1, 3, 11])
def test_icepool_and_dyce_agree(faces: tuple[int, ...], dice: int) -> None:
    dyce, icepool = pytest.importorskip("dyce"), pytest.importorskip("icepool")
    row = dict(roll(dice, faces).ways())
    assert row == dict((dice @ icepool.Die(faces)).items())
    assert roll(dice, faces).fractions() == {
        total: Fraction(ways, len(faces) ** dice) for total, ways in (dice @ dyce.H(faces)).items()
    }


def test_large_rows_stay_exact() -> None:
    row = roll(18, (1, 2, 3))
    assert row.total == 3**18
    assert row.mean == 36
    assert row.variance == 12
    assert row.probability(54) == Fraction(1, 3**18)


@pytest.mark.parametrize(("dice", "faces"), [(-1, (1, 2, 3)), (1, ())])
def test_impossible_dice_raise(dice: int, faces: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="cannot roll"):
        roll(dice, faces)


def test_ways_leave_out_what_cannot_happen() -> None:
    assert list(Dist(2, (1, 0, 2), 3).ways()) == [(2, 1), (4, 2)]
