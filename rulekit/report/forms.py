"""How numbers are written on the page."""

from rulekit.report.parts import Column, Row
from rulekit.study.figure import Figure
from rulekit.study.metric import Metric


def percent(share: float) -> str:
    """A share in percent, with more decimals for rare ones; only what never or always happens reads 0 % or 100 %.

    >>> percent(0.25), percent(0.0012), percent(0.00001), percent(0.0), percent(0.9999), percent(-0.031)
    ('25.0 %', '0.12 %', '<0.01 %', '0 %', '99.99 %', '−3.1 %')
    """
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    rare = min(abs(share), abs(1 - share))
    if rare < 5e-5:
        return "<0.01 %" if 0 < share < 0.5 else ">99.99 %" if 0.5 < share < 1 else signed(f"{100 * share:.1f} %")
    return signed(f"{100 * share:.{2 if rare < 0.01 else 1}f} %")


def decimal(value: float) -> str:
    """A number with about three significant digits.

    >>> decimal(17.523), decimal(0.02345), decimal(0.0), decimal(12345.6), decimal(2.0), decimal(3e-9), decimal(-0.5)
    ('17.52', '0.023', '0', '12,346', '2.00', '<0.001', '−0.500')
    """
    if value == 0:
        return "0"
    size = abs(value)
    if size < 0.0005:
        return "<0.001" if value > 0 else ">−0.001"
    return signed(f"{value:,.0f}" if size >= 1000 else f"{value:.2f}" if size >= 1 else f"{value:.3f}")


def signed(told: str) -> str:
    """A number with a minus that is as wide as a plus; nothing is less than 0 by rounding alone.

    >>> signed("-3.1 %"), signed("-0.0 %")
    ('−3.1 %', '0.0 %')
    """
    return told.removeprefix("-") if not any(digit in told for digit in "123456789") else told.replace("-", "−")


def whole(value: float) -> str:
    """A count.

    >>> whole(2000)
    '2,000'
    """
    return f"{value:,.0f}"


def written(unit: str, value: float) -> str:
    """A value in its unit."""
    return percent(value) if unit == "share" else decimal(value)


def short(value: float) -> str:
    """A number for the inside of a hex: nothing where it would round to 0.

    >>> short(0.4), short(3.4), short(112.0)
    ('', '3', '112')
    """
    return f"{value:.0f}" if value >= 0.5 else ""


def interval(unit: str, figure: Figure) -> str:
    """The interval in words: its ends, or that the number is exact."""
    if figure.value is None or figure.low is None or figure.high is None:
        return "–"
    if figure.exact:
        return "exact"
    return f"{written(unit, figure.low)} to {written(unit, figure.high)}"


def number_of(row: Row, key: str) -> float:
    """A row's number, 0 where it has none."""
    return float(row[key] or 0)


def decimals(key: str, head: str) -> Column:
    """A column of numbers."""
    return Column(key, head, lambda row: decimal(number_of(row, key)))


def hundredths(key: str, head: str) -> Column:
    """A column of numbers with two decimals."""
    return Column(key, head, lambda row: f"{number_of(row, key):.2f}")


def shares(key: str, head: str) -> Column:
    """A column of shares in percent."""
    return Column(key, head, lambda row: percent(number_of(row, key)))


def words(key: str, head: str | None = None) -> Column:
    """A column of words."""
    return Column(key, head or key, numeric=False)


def figure_row(metric: Metric, figure: Figure) -> Row:
    """A figure as a row of a table."""
    return {
        "number": metric.number, "metric": metric.name, "title": metric.title, "of": figure.label,
        "value": figure.value, "low": figure.low, "high": figure.high, "n": figure.n, "unit": metric.unit,
        "note": figure.note, "shown": "no case" if figure.value is None else written(metric.unit, figure.value),
        "interval": interval(metric.unit, figure),
    }  # fmt: skip
