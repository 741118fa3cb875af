"""Colours: Okabe and Ito's palette (colour-blind safe), its inks chosen to differ in lightness too, for grey print.

Source: M. Okabe, K. Ito, Color Universal Design (2008).
"""

ORANGE = "#E69F00"
GREEN = "#009E73"
YELLOW = "#F0E442"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"

INK = "#1A1A1A"
PAPER = "#FFFFFF"
MUTED = "#5A6872"
SPOT = "#3D4C57"
"""Rulers and spot letters: dark enough to read, too light to compete with the marks."""

WATER = "#E9F4FB"
WATER_GRID = "#BCD9EA"
LAND = ("#C6AE7E", "#A98D58", "#5C4A26")
"""Fill, hatch and edge of land."""

BARE = ("#FFFFFF", "#B8BEC3", "#4B555D")
"""Fill, hatch and edge of land beside a heat map, none of whose colours they can be taken for."""

TILE_BORDER = "#7FA3BA"
FAULT = "#B0003A"

SEATS = (BLUE, ORANGE, GREEN, PURPLE, INK, YELLOW)
SEAT_INKS = (PAPER, INK, PAPER, INK, PAPER, INK)
"""Fill for each of six boats or cars, and the ink that can be read on it."""

HEAT_MAP = "cividis"
"""Perceptually uniform, its lightness monotone, alike for all kinds of colour vision."""
