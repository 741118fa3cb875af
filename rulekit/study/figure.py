"""A figure of a study: a number with its interval and the cases it rests on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A number, its 95 % interval and the cases it rests on; exact numbers have low == value == high and n None.

    `label` says what it is of ("seat 3", "racer", "K14", "25 %"), `note` what belongs to it in words.
    """

    value: float | None
    """None: there is no case to tell it from."""

    low: float | None = None
    high: float | None = None
    n: int | None = None
    label: str = ""
    note: str = ""

    @property
    def exact(self) -> bool:
        """Whether it was worked out, not measured."""
        return self.value is not None and self.n is None


def exact(value: float, label: str = "", note: str = "") -> Figure:
    """A number that was worked out.

    >>> exact(2.5).exact, exact(2.5).low, exact(2.5).n
    (True, 2.5, None)
    """
    return Figure(float(value), float(value), float(value), None, label, note)


def nothing(label: str = "", note: str = "") -> Figure:
    """The figure of what there is no case of."""
    return Figure(None, None, None, 0, label, note)
