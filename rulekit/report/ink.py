"""SVG elements as text: few numbers, no styles of their own (the page's classes colour them), every word escaped."""

from collections.abc import Iterable, Sequence

from markupsafe import escape

Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate with at most two decimals, which is finer than any screen; never -0.

    >>> number(2.0), number(1 / 3), number(-1e-9)
    ('2', '0.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def path(points: Iterable[Point], closed: bool = True) -> str:
    """The `d` of a line through points.

    >>> path([(0, 0), (1, 0), (1, 2.5)])
    'M0 0 1 0 1 2.5z'
    """
    told = " ".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{told}{'z' if closed else ''}"


def shape(d: str, name: str) -> str:
    """A path of a class."""
    return f'<path class="{name}" d="{d}"/>'


def polygon(points: Sequence[Point], name: str) -> str:
    """A closed shape of a class."""
    return shape(path(points), name)


def line(a: Point, b: Point, name: str) -> str:
    """A straight line of a class."""
    return shape(path([a, b], closed=False), name)


def circle(at: Point, radius: float, name: str) -> str:
    """A circle of a class."""
    return f'<circle class="{name}" cx="{number(at[0])}" cy="{number(at[1])}" r="{number(radius)}"/>'


def rectangle(left: float, top: float, width: float, height: float, name: str) -> str:
    """A rectangle of a class."""
    return (
        f'<rect class="{name}" x="{number(left)}" y="{number(top)}" width="{number(width)}" height="{number(height)}"/>'
    )


def words(at: Point, text: str, name: str) -> str:
    """A text of a class."""
    kind = f' class="{name}"' if name else ""
    return f'<text{kind} x="{number(at[0])}" y="{number(at[1])}">{escape(text)}</text>'
