"""Rendering: the right kind of file, the same bytes every time, no pyplot."""

import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from rulekit.errors import BadInput
from rulekit.plot.figure import COLORS, DASHES, MARKS, SUFFIXES, render, suffix_of

BEGINS = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


def line(figure: Figure) -> None:
    figure.subplots().plot([0, 1], [0, 1], label="a line")
    figure.axes[0].legend()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_bytes_are_of_the_kind_and_the_same_each_time(suffix: str) -> None:
    first = render(line, (3, 2), suffix)
    assert first.startswith(BEGINS[suffix])
    assert render(line, (3, 2), suffix) == first


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_no_date_and_no_version_in_the_file(suffix: str) -> None:
    data = render(line, (3, 2), suffix)
    for word in (b"CreationDate", b"dc:date", b"Software", mpl.__version__.encode()):
        assert word not in data


def test_a_users_settings_have_no_say_and_stay() -> None:
    expected = render(line, (3, 2), ".svg")
    with mpl.rc_context({"font.size": 20, "lines.linewidth": 9}):
        assert render(line, (3, 2), ".svg") == expected
        assert mpl.rcParams["font.size"] == 20


@pytest.mark.parametrize(("name", "hint"), [("x.pgn", ".png"), ("x.sgv", ".svg"), ("x", "'x'"), ("x.jpeg", ".jpeg")])
def test_another_suffix_is_an_error_with_the_near_miss(name: str, hint: str) -> None:
    with pytest.raises(BadInput, match=hint):
        suffix_of(Path(name))


def test_every_line_differs_in_more_than_colour() -> None:
    assert len(COLORS) == len(DASHES) == len(MARKS) == len(set(MARKS))


def test_no_pyplot() -> None:
    code = "import rulekit.plot.figure, sys; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
