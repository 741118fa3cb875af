"""The picture of odds: what is drawn where, told apart without colours."""

import numpy as np
from matplotlib.container import BarContainer
from matplotlib.figure import Figure

from rulekit.plot.odds import MOST_CURVES, Curve, HandOdds, draw, draw_risk, draw_totals, size

CURVES = [
    Curve("keep all", {4: 1.0}, 4.0, [1, 1, 1, 1, 0, 0, 0, 0]),
    Curve("keep 3, roll 1", {4: 1 / 3, 5: 1 / 3, 6: 1 / 3}, 5.0, [1, 1, 1, 1, 2 / 3, 1 / 3, 0, 0]),
]


def hand(free: int | None = None) -> HandOdds:
    return HandOdds("hand 3 1", CURVES, free)


def test_bars_are_the_chances_on_a_line_for_each_choice() -> None:
    ax = Figure().subplots()
    draw_totals(ax, hand())
    bars = [container for container in ax.containers if isinstance(container, BarContainer)]
    assert [len(container.patches) for container in bars] == [1, 3]
    heights = [patch.get_height() for patch in bars[1].patches]
    assert all(abs(height - bars[0].patches[0].get_height() / 3) < 1e-9 for height in heights)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["keep all", "keep 3, roll 1"]
    assert ax.get_title(loc="left") == "hand 3 1"


def test_lines_are_the_crash_chances_and_differ_without_colour() -> None:
    ax = Figure().subplots()
    many = [Curve(str(index), {1: 1.0}, 1.0, [1, index / 10, 0]) for index in range(MOST_CURVES)]
    draw_risk(ax, HandOdds("hand", many))
    assert [np.asarray(line.get_ydata()).tolist() for line in ax.lines] == [
        [1, index / 10, 0] for index in range(MOST_CURVES)
    ]
    assert len({line.get_marker() for line in ax.lines}) == MOST_CURVES
    assert len({line.get_color() for line in ax.lines}) == MOST_CURVES


def test_clear_water_is_marked_where_it_is_known() -> None:
    figure = Figure()
    plain, marked = figure.subplots(1, 2)
    draw_risk(plain, hand())
    draw_risk(marked, hand(4))
    assert len(marked.lines) == len(plain.lines) + 1
    assert [text.get_text() for text in marked.texts] == ["4 clear"]
    assert not plain.texts


def test_clear_water_beyond_all_totals_leaves_the_axis_alone() -> None:
    figure = Figure()
    near, far = figure.subplots(2, 1)
    for draw_one in (draw_totals, draw_risk):
        near.clear()
        far.clear()
        draw_one(near, hand())
        draw_one(far, hand(50))
        assert near.get_xlim() == far.get_xlim()


def test_a_row_of_two_for_each_hand() -> None:
    figure = Figure()
    hands = [hand(), hand(5)]
    draw(figure, hands)
    assert len(figure.axes) == 4
    assert size(hands)[1] > size(hands[:1])[1]
