"""Values on a board as colours: one hue run from dark to light, alike for all kinds of colour vision and in grey."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colorbar import Colorbar
from matplotlib.colors import Normalize, PowerNorm, to_hex

from rulekit.hexgrid import Hex, by_name, hex_name
from rulekit.plot.palette import HEAT_MAP, INK, PAPER
from rulekit.plot.plane import Box, centre, corners
from rulekit.plot.shapes import FONT, points_per_unit, polygon, words


@dataclass(frozen=True)
class Heat:
    """Values of hexes for one picture.

    `label` says what they are, with the unit. `low` and `high` are the ends of the colours, by default the least and
    the greatest value. `text` writes a value into its hex; without it the colours speak alone. With `root` the colours
    go by the square root of the value, so that small ones differ too.
    """

    values: Mapping[Hex, float]
    label: str
    low: float | None = None
    high: float | None = None
    text: Callable[[float], str] | None = None
    root: bool = False

    @property
    def scale(self) -> Normalize:
        """From values to shares of the colours."""
        return PowerNorm(0.5, *self.limits) if self.root else Normalize(*self.limits)

    @property
    def limits(self) -> tuple[float, float]:
        """The values at the two ends of the colours, which are never the same."""
        low = min(self.values.values(), default=0.0) if self.low is None else self.low
        high = max(self.values.values(), default=1.0) if self.high is None else self.high
        return low, high if high > low else low + 1


def draw_heat(ax: Axes, heat: Heat) -> None:
    """Colour hexes by their values, above the water and below every mark; the values in words above the marks."""
    scale, colours = heat.scale, colormaps[HEAT_MAP]
    for hexagon in by_name(heat.values):
        value = heat.values[hexagon]
        colour = colours(scale(value))
        polygon(ax, corners(hexagon), f"heat-{hex_name(hexagon)}", facecolor=to_hex(colour), edgecolor=PAPER,
                linewidth=0.3, zorder=1.1)  # fmt: skip
        if heat.text:
            ink = PAPER if _lightness(colour) < 0.5 else INK
            words(ax, centre(hexagon), heat.text(value), 0.3, halo=0.1, rim=to_hex(colour), color=ink, zorder=8.3)


def _lightness(colour: tuple[float, float, float, float]) -> float:
    red, green, blue, _ = colour
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def draw_bar(ax: Axes, heat: Heat, box: Box) -> None:
    """The colour bar with its label, inside a box of the board's axes."""
    left, right, bottom, top = box
    inset = ax.inset_axes((left, bottom, right - left, top - bottom), transform=ax.transData)
    size = 0.38 * points_per_unit(ax)
    bar = Colorbar(inset, ScalarMappable(heat.scale, HEAT_MAP), orientation="horizontal")
    bar.set_label(heat.label, fontsize=size, family=FONT)
    inset.tick_params(labelsize=size)
    inset.set_gid("heat-bar")
