"""From a drawing function to the bytes of an svg, png or pdf file, the same bytes every time.

No pyplot: no windows, no global figure, no backend to choose. A user's matplotlibrc has no say either.
"""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from matplotlib import style
from matplotlib.figure import Figure

from rulekit.errors import BadInput, did_you_mean

SUFFIXES: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""Kinds of picture with the metadata that is kept out of them: dates and versions would differ from run to run."""

STYLE: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "legend.frameon": False,
    "savefig.dpi": 150,
    "svg.hashsalt": "rulekit",
}

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
"""Okabe and Ito's colours (grey for their yellow), told apart by colour-blind readers; for print in black and white
add a dash or a mark."""

DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 2)), (0, (8, 2)), (0, (3, 1, 1, 1)))
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""Line styles and marks to go with COLORS, in the same order."""


def suffix_of(path: Path) -> str:
    """The suffix that tells the kind of picture.

    Raises BadInput for any other than .svg, .png and .pdf, with the near miss.

    >>> suffix_of(Path("odds.SVG"))
    '.svg'
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        hint = did_you_mean(suffix, SUFFIXES)
        raise BadInput(f"a picture's name ends in .svg, .png or .pdf, not '{path.suffix or path.name}'{hint}")
    return suffix


def render(draw: Callable[[Figure], object], size: tuple[float, float], suffix: str) -> bytes:
    """The picture that `draw` puts on an empty figure of `size` inches, as bytes of the kind that `suffix` names.

    The bytes depend on the drawing alone. Raises KeyError for a suffix that `suffix_of` does not return.
    """
    metadata = SUFFIXES[suffix]
    with style.context(["default", STYLE]):
        figure = Figure(figsize=size)
        draw(figure)
        data = BytesIO()
        figure.savefig(data, format=suffix[1:], metadata=metadata)
    return data.getvalue()
