"""The verdict on races in words: what the figures say to a designer, how sure that is, and what to change.

Every threshold is a named constant with its reason. Where no difference was seen the words say so, and how large a
difference the races could have hidden.
"""

from collections.abc import Iterator

from rulekit.report import words_course as courses
from rulekit.report import words_races as races
from rulekit.report.forms import decimal, percent
from rulekit.report.known import Known
from rulekit.report.parts import Statement
from rulekit.study.figure import Figure

QUESTIONS = (
    races.seats, courses.starts, courses.danger, races.caution, races.decided, races.close, races.play, races.choices,
    races.sinking, races.snowball,
)  # fmt: skip
"""What a designer asks, the most urgent first; what the figures cannot answer is left out."""


def summary(known: Known) -> Iterator[str]:
    """The races in a few words."""
    rounds, low, high = (known.value("duration", label) for label in ("mean", "5 %", "95 %"))
    if rounds is not None and low is not None and high is not None:
        yield f"A race lasts {rounds:.1f} rounds on average, nine in ten between {low:.0f} and {high:.0f}."
    for course in known.solved:
        best = course.best
        name = f" on {best.numbered.waters.course.name}" if len(known.solved) > 1 else ""
        yield (
            f"Alone and at the best play a boat needs {best.passage.turns:.1f} turns{name}, crashes "
            f"{decimal(float(best.passage.crashes.sum()))} times and sinks in {percent(best.passage.sink)} of races."
        )


def statements(known: Known) -> Iterator[Statement]:
    """The answers to the questions that the figures can answer."""
    for make in QUESTIONS:
        found = make(known)
        if found:
            yield found


def _behind_first(seat: Figure) -> tuple[bool, float]:
    """Sorts seats at a disadvantage before those that are favoured, and each of them by how much."""
    value = seat.value or 0
    return value > 0, -abs(value)


def advice(known: Known) -> Iterator[str]:
    """What to change, from the figures."""
    worst = [
        one for one in known.figures("seat-advantage") if races.clear(one) and abs(one.value or 0) >= races.SEAT_MATTERS
    ]
    if worst:
        first = min(worst, key=_behind_first)
        yield (
            f"{races.seats_list([first]).capitalize()} than its share: let the boats be placed in another order than "
            "that of the turns (PB-13, PB-14), or open more hexes to start from; "
            "`rulekit compare COURSE --readings all` tells which rule moves it."
        )
    for course in known.solved:
        yield from courses.course_advice(known, course)
    yield from races.advice(known)
