"""The verdict on a lake in words: which of its courses stand out, and what to do about it."""

from collections.abc import Iterator, Sequence
from statistics import mean, median

from rulekit.report.forms import decimal, percent
from rulekit.report.parts import Row, Statement

UNFAIR_START = 1.0
"""Turns that the fourth best start costs from which on the order of placing is worth a whole turn of play."""

RISKY = 0.02
"""A chance of sinking at the best play above which one boat in fifty is lost without a mistake."""

UNLIKE = 1.25
"""Longer or shorter than the middle course of its letter by this factor: a race of another kind than its name says."""


def _number(row: Row, key: str) -> float:
    return float(row[key] or 0)


def _named(rows: Sequence[Row], most: int = 6) -> str:
    told = ", ".join(str(row["course"]) for row in rows[:most])
    return f"{told} and {len(rows) - most} more" if len(rows) > most else told


def summary(rows: Sequence[Row], reasons: str, legal: int) -> Iterator[str]:
    """The lake in a few words."""
    turns = [_number(row, "turns") for row in rows]
    yield (
        f"A best race takes {min(turns):.1f} to {max(turns):.1f} turns, {mean(turns):.1f} on average; "
        f"{legal} orders of the buoys are legal{f' (others: {reasons})' if reasons else ''}."
    )


def statements(rows: Sequence[Row]) -> Iterator[Statement]:
    """What a designer asks of a lake's courses."""
    yield _lengths(rows)
    yield _starts(rows)
    yield _sinking(rows)
    yield _crashes(rows)


def unlike(rows: Sequence[Row]) -> list[Row]:
    """Courses much longer or shorter than the middle one of their letter."""
    middle = {
        letter: median(_number(row, "turns") for row in rows if row["letter"] == letter)
        for letter in {row["letter"] for row in rows}
    }
    return [
        row for row in rows
        if not middle[row["letter"]] / UNLIKE <= _number(row, "turns") <= middle[row["letter"]] * UNLIKE
    ]  # fmt: skip


def _lengths(rows: Sequence[Row]) -> Statement:
    odd, question = unlike(rows), "Are the courses of a letter of a length?"
    if not odd:
        return Statement(
            "fine", question, f"Yes: none is {UNLIKE:g} times as long or short as the middle one of its letter."
        )
    told = ", ".join(f"{row['course']} {_number(row, 'turns'):.1f}" for row in odd[:6])
    return Statement(
        "watch", question, f"{len(odd)} of {len(rows)} stand out: {_named(odd)}.", f"Turns of the best race: {told}."
    )


def unfair(rows: Sequence[Row]) -> list[Row]:
    """Courses whose starts differ much, the worst first."""
    found = [row for row in rows if _number(row, "fourth") >= UNFAIR_START]
    return sorted(found, key=lambda row: -_number(row, "fourth"))


def _starts(rows: Sequence[Row]) -> Statement:
    odd, question = unfair(rows), "Are the starts fair?"
    worst = max(rows, key=lambda row: _number(row, "fourth"))
    detail = f"The fourth boat loses most on {worst['course']}: {_number(worst, 'fourth'):.2f} turns."
    if not odd:
        answer = f"Yes: nowhere does the fourth best start cost {UNFAIR_START:g} turn."
        return Statement("fine", question, answer, detail)
    return Statement("alert", question, f"Not on {_named(odd)}: the fourth best start costs a turn or more.", detail)


def _sinking(rows: Sequence[Row]) -> Statement:
    odd, question = [row for row in rows if _number(row, "sink") > RISKY], "Can every course be raced without sinking?"
    worst = max(rows, key=lambda row: _number(row, "sink"))
    if not odd:
        return Statement(
            "fine", question, f"Yes: at the best play at most {percent(_number(worst, 'sink'))} of boats sink."
        )
    return Statement(
        "alert",
        question,
        f"Not on {_named(odd)}.",
        f"{worst['course']}: {percent(_number(worst, 'sink'))} sink even at the best play.",
    )


def _crashes(rows: Sequence[Row]) -> Statement:
    ranked = sorted(rows, key=lambda row: -_number(row, "crashes"))
    told = ", ".join(f"{row['course']} {decimal(_number(row, 'crashes'))}" for row in ranked[:3])
    calm = f"The calmest is {ranked[-1]['course']} with {decimal(_number(ranked[-1], 'crashes'))}."
    return Statement(
        "watch",
        "Which courses are rough?",
        f"{_named(ranked[:3])} have the most crashes.",
        f"Crashes a race: {told}. {calm}",
    )


def advice(rows: Sequence[Row]) -> Iterator[str]:
    """What to change."""
    odd = unfair(rows)
    if odd:
        yield (
            f"Leave {_named(odd)} out of the draw, or turn the strip's tile there, so that the first rows lie alike; "
            "`rulekit report` on the course itself names its starts."
        )
    others = unlike(rows)
    if others:
        yield f"Count {_named(others)} under another letter, or leave them out: their length is not that of the others."
