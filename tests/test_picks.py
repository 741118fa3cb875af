"""The colour picks of PS: exact odds against plain enumeration, and the command's words."""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulekit.cli import cli
from rulekit.ps.dice import Colour
from rulekit.ps.picks import Pick, beats, mean, picks, variance

SIXES = 12
LEFT = Fraction(1, 3 ** (SIXES + 1))
"""Chance that a red die shows more sixes than are spelled out here."""


def throws(colour: Colour) -> Iterator[tuple[int, Fraction]]:
    """Values of a die thrown face by face, red's up to so many sixes."""
    if colour is Colour.RED:
        for sixes in range(SIXES + 1):
            for last in (4, 5):
                yield sum([6] * sixes) + last, Fraction(1, 3) ** (sixes + 1)
        return
    yield from ((value, Fraction(1, 3)) for value in {Colour.BLUE: (1, 2, 3), Colour.YELLOW: (7, 8, 9)}[colour])


def spelled_out(pick: Pick) -> list[tuple[tuple[int, ...], Fraction]]:
    """All throws of a pick, values lowest first."""
    found = []
    for dice in product(*(list(throws(colour)) for colour in pick.colours)):
        chance = Fraction(1)
        for _, part in dice:
            chance *= part
        found.append((tuple(sorted(value for value, _ in dice)), chance))
    return found


def near(exact: Fraction, enumerated: Fraction, weight: int = 1) -> bool:
    """Equal but for the throws left out of the enumeration, at most three reds, which weigh so much."""
    return 0 <= exact - enumerated <= 3 * weight * LEFT


def test_ten_picks_of_three_dice() -> None:
    assert [len(picks(cars)) for cars in (1, 2, 3)] == [3, 6, 10]
    assert len(set(picks())) == 10


@pytest.mark.parametrize(
    "pick", [*picks(1), *picks(2), *(p for p in picks(3) if p.colours.count(Colour.RED) < 3)], ids=str
)
def test_odds_against_enumeration(pick: Pick) -> None:
    throws_ = spelled_out(pick)
    for n in (1, 3, 4, 5, 6, 8, 10, 16, 17, 30):
        for exact, rank, sign in (
            (pick.some_at_least(n), -1, 1),
            (pick.all_at_least(n), 0, 1),
            (pick.some_at_most(n), 0, -1),
            (pick.all_at_most(n), -1, -1),
        ):
            holding = (chance for dice, chance in throws_ if sign * (dice[rank] - n) >= 0)
            assert near(exact, sum(holding, Fraction(0)))
    for rank, exact_mean in enumerate(pick.ranked_means()):
        assert near(exact_mean, sum((chance * dice[rank] for dice, chance in throws_), Fraction(0)), 200)
    assert near(pick.mean, sum((chance * sum(dice) for dice, chance in throws_), Fraction(0)), 400)
    squares = sum((chance * sum(dice) ** 2 for dice, chance in throws_), Fraction(0))
    assert pick.sd**2 == pytest.approx(float(squares - pick.mean**2), abs=0.05)


@pytest.mark.parametrize("pick", picks(), ids=str)
def test_values_of_a_pick(pick: Pick) -> None:
    shown = pick.shown()
    assert sum(shown.values()) + pick.beyond() == 1
    wanted: dict[tuple[int, ...], Fraction] = {}
    if pick.colours.count(Colour.RED) < 3:
        for dice, chance in spelled_out(pick):
            if dice[-1] <= 35:
                wanted[dice] = wanted.get(dice, Fraction(0)) + chance
        assert shown == wanted


def test_ranked_means_add_up() -> None:
    for pick in [*picks(2), *picks()]:
        assert sum(pick.ranked_means()) == pick.mean


def test_three_reds_by_hand() -> None:
    """Lowest of three reds: 4, then all above 4 with 8/27, above 5 … 9 with 1/27 each, and so on for each six."""
    lowest = Pick((Colour.RED,) * 3).ranked_means()[0]
    assert lowest == 4 + (Fraction(8, 27) + 5 * Fraction(1, 27)) / (1 - Fraction(1, 27))


def test_red_against_yellow() -> None:
    assert (mean(Colour.RED), mean(Colour.YELLOW)) == (Fraction(15, 2), Fraction(8))
    assert (variance(Colour.RED), variance(Colour.YELLOW)) == (Fraction(109, 4), Fraction(2, 3))
    assert beats(Colour.RED, Colour.YELLOW) + beats(Colour.YELLOW, Colour.RED) == 1
    level = sum((chance**2 for _, chance in throws(Colour.RED)), Fraction(0))
    assert abs(1 - 2 * beats(Colour.RED, Colour.RED) - level) <= LEFT


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["odds", "--game", "ps", *words])
    return result.exit_code, result.output


def test_json_has_every_pick_with_exact_strings() -> None:
    code, text = run("-f", "json", "--at-least", "8", "--at-most", "5")
    found = json.loads(text)
    assert code == 0
    assert len(found["rows"]) == 10
    row = next(row for row in found["rows"] if row["pick"] == ["blue", "red", "yellow"])
    assert (row["mean"], row["lowest"]) == ("35/2", "2")
    assert row["at_least"]["8"] == {"some": "7/9", "all": "0"}
    assert row["at_most"]["5"] == {"some": "1", "all": "0"}
    assert row["values"]["1 4 7"] == "1/27"
    assert row["beyond"] == "1/729"
    red = next(colour for colour in found["colours"] if colour["colour"] == "red")
    assert (red["mean"], red["above"]["17"], red["beats"]["yellow"]) == ("15/2", "1/27", "1/3")


def test_table_fits_a_terminal() -> None:
    code, text = run()
    assert code == 0
    assert max(map(len, text.splitlines())) <= 100
    assert "red red yellow" in text


def test_csv_has_a_line_for_each_pick(tmp_path: Path) -> None:
    assert run("--cars", "2", "-f", "csv", "-o", str(tmp_path / "picks.csv"))[0] == 0
    assert len((tmp_path / "picks.csv").read_text(encoding="utf-8").splitlines()) == 7


@pytest.mark.parametrize(
    "words", [["--speed", "7"], ["--dice", "3"], ["--free", "0"], ["--damage", "1"], ["--hands"], ["--dice-max", "5"],
              ["--facing", "E"], ["--faces", "1/2"]],
)  # fmt: skip
def test_options_of_boats_are_refused(words: list[str]) -> None:
    code, text = run(*words)
    assert code == 2
    assert f"{words[0]} speaks of boats" in text


def test_cars_are_refused_for_boats() -> None:
    result = CliRunner().invoke(cli, ["odds", "--speed", "7", "--cars", "2"])
    assert (result.exit_code, "--cars is for --game ps" in result.output) == (2, True)
