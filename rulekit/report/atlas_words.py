"""The verdict on a swept space in words."""

from collections.abc import Iterator

from rulekit.report.forms import decimal, percent, whole
from rulekit.report.parts import Statement
from rulekit.study.sweep_summary import Rows, axis, groups, light_effects, reasons, spread

ALIKE = 1.0
"""Turns by which the means of two letters may differ before they are races of different kinds."""

FAIR = 1.0
"""Turns between the best and the worst start up to which placing the boats hardly decides."""

FEWEST = 8

STEPS_A_TURN = 3.5
"""About how many steps a good boat makes in a turn: to tell a difference in steps in turns."""


def summary(rows: Rows, asked: int, main: str) -> Iterator[str]:
    """The space in a few words."""
    done = sum(row["status"] == "done" for row in rows)
    legal = [row for row in rows if row["legal"] == 1]
    found = spread(legal, main)
    if found:
        unit = "turns" if main == "turns" else "steps"
        what = "The best race takes" if main == "turns" else "The shortest route has"
        yield (
            f"{what} {decimal(found.least)} to {decimal(found.most)} {unit}, {decimal(found.mean)} on average; nine "
            f"courses in ten lie between {decimal(found.low)} and {decimal(found.high)}."
        )
    why = ", ".join(f"{reason}: {whole(count)}" for reason, count in reasons(rows).most_common())
    cannot = f" ({why})" if why else ""
    yield f"{whole(len(legal))} of {whole(done)} courses can be raced{cannot}."
    if done < asked:
        yield f"{whole(asked - done)} cells of the plan are missing here: they failed, or the sweep goes on."


def statements(legal: Rows, main: str) -> Iterator[Statement]:
    """What a designer asks of a space."""
    yield _letters(legal, main)
    if any(row["start_fairness"] is not None for row in legal):
        yield _starts(legal)
    yield from _sides(legal, main)
    if any(row["chokes"] is not None for row in legal):
        yield _chokes(legal)


def _turns(value: float, main: str) -> float:
    return value if main == "turns" else value / STEPS_A_TURN


def _letters(legal: Rows, main: str) -> Statement:
    question = "Are the letters races of the same length?"
    found = [one for one in groups(legal, main, axis("letter")) if one.cells >= FEWEST]
    if len(found) < 2:
        return Statement("unknown", question, "Only one letter was swept.")
    low, high = min(found, key=lambda one: one.mean), max(found, key=lambda one: one.mean)
    apart = high.mean - low.mean
    told = ", ".join(f"{one.name} {decimal(one.mean)}" for one in found)
    detail = f"Means: {told} {'turns' if main == 'turns' else 'steps'}."
    if _turns(apart, main) < ALIKE:
        return Statement("fine", question, f"Yes: their means lie within {decimal(apart)}.", detail)
    return Statement("watch", question, f"No: {high.name} is {decimal(apart)} longer than {low.name}.", detail)


def _starts(legal: Rows) -> Statement:
    question = "How often do the starts lie fair?"
    values = [row["start_fairness"] for row in legal if row["start_fairness"] is not None]
    fair = sum(value <= FAIR for value in values) / len(values)
    found = spread(legal, "start_fairness")
    assert found is not None
    answer = f"In {percent(fair)} of courses the worst start costs {FAIR:g} turn at most."
    detail = f"In the middle course it costs {decimal(found.median)} turns, in one of twenty {decimal(found.high)}."
    return Statement("fine" if fair > 0.5 else "watch", question, answer, detail)


def _sides(legal: Rows, main: str) -> Iterator[Statement]:
    effects = [one for one in light_effects(legal, main) if one.cells >= 2 * FEWEST]
    if not effects:
        return
    question, unit = "What do light sides do?", "turns" if main == "turns" else "steps"
    sure = [one for one in effects if one.low > 0 or one.high < 0]
    most = max(effects, key=lambda one: abs(one.difference))
    way = "longer" if most.difference > 0 else "shorter"
    answer = f"Most of all tile {most.tile}'s: courses are {decimal(abs(most.difference))} {unit} {way} with it."
    detail = f"{len(sure)} of {len(effects)} tiles change the length for sure (95 %)."
    yield Statement("watch" if sure else "fine", question, answer, detail)


def _chokes(legal: Rows) -> Statement:
    narrow = sum((row["chokes"] or 0) > 0 for row in legal) / len(legal)
    question = "Is there one hex that every boat must pass?"
    answer = f"In {percent(narrow)} of courses."
    return Statement("watch" if narrow > 0.25 else "fine", question, answer, "There boats that are level must queue.")


def advice(legal: Rows, main: str) -> Iterator[str]:
    """What to change."""
    found = [one for one in groups(legal, main, axis("letter")) if one.cells >= FEWEST]
    if len(found) > 1:
        high, low = max(found, key=lambda one: one.mean), min(found, key=lambda one: one.mean)
        if _turns(high.mean - low.mean, main) >= ALIKE:
            yield (
                f"Say beside the letters that {high.name} is the long race and {low.name} the short one, or move spots "
                "of one of them."
            )
    if any(row["start_fairness"] is not None for row in legal):
        yield (
            "Where a course should be fair, choose it from the fairest below, or let "
            '`rulekit sweep PLAN --want "start-fairness < 1"` find more.'
        )
