"""The readable tables of `compare`: what differs in words first, then every measure."""

import textwrap
from collections.abc import Sequence

from rulekit.cli.output import tabulated
from rulekit.study.compare import SMALL, TINY, Difference, Weight
from rulekit.study.measures import Sample

EFFECT = f"""\
d       Cohen's d: the difference in parts of the spread that races have anyway;
        below {TINY} hardly to be noticed, from {SMALL} on plain to see"""

BRACKETS = "[ ]     intervals of 95 %, each by itself; of shares in points of percent"

FOOT = f"""\
{EFFECT}
p       how often chance alone would show as much, corrected for all that are
        read here (Holm); below 0.05 it counts as seen
{BRACKETS}"""

RANKING_FOOT = f"""\
{EFFECT};
        told where chance alone would seldom show as much, all answers read
        together (Holm, 0.05)
{BRACKETS}
solo    exact differences of the best solo race"""


def sides_table(a: Sample, b: Sample, found: Sequence[Difference], seed: int, what: str) -> str:
    """Two sides."""
    exact, raced = [one for one in found if one.exact], [one for one in found if not one.exact]
    return "\n\n".join([
        f"A  {a.label}\nB  {b.label}\n{what}; seed {seed}.",
        _filled(summary(found)),
        "The best solo race, exactly:\n" + tabulated(["", "A", "B", "B - A", ""], map(_exact_cells, exact)),
        "Races:\n" + tabulated(["", "A", "B", "B - A", "p", "d", ""], map(_raced_cells, raced)),
        FOOT,
    ])  # fmt: skip


def _filled(text: str) -> str:
    return textwrap.fill(text, 80, break_on_hyphens=False)


def summary(found: Sequence[Difference]) -> str:
    """What is beyond chance, the greatest effects first; or that nothing is.

    >>> summary([])
    'No difference seen.'
    """
    seen = [one for one in found if one.seen and (_shows(one) or not one.exact)]
    if not seen:
        return "No difference seen."
    order = sorted(seen, key=lambda one: (not one.exact, -abs(one.effect or 99)))
    alone = [f"{one.measure.title} {change(one)}" for one in order if one.exact]
    raced = [f"{one.measure.title} {change(one)}" for one in order if not one.exact]
    parts = [f"{where}: {'; '.join(told)}." for where, told in (("alone", alone), ("in races", raced)) if told]
    return f"B against A, {' '.join(parts).replace(' in races', ' In races')}"


def change(one: Difference) -> str:
    """A difference with its interval, in words."""
    difference = number(one.difference, one.measure.unit, signed=True)
    if one.exact:
        return difference
    return f"{difference} [{_bounds(one)}], {one.verdict}"


def _exact_cells(one: Difference) -> list[str]:
    unit = one.measure.unit
    return [
        one.measure.title,
        number(one.a, unit),
        number(one.b, unit),
        number(one.difference, unit, True),
        one.verdict if _shows(one) or not one.seen else f"{one.verdict}, too little to show",
    ]


def _shows(one: Difference) -> bool:
    """Whether a difference is anything but nought in the digits that people read."""
    return any(digit in "123456789" for digit in number(one.difference, one.measure.unit))


def _raced_cells(one: Difference) -> list[str]:
    unit = one.measure.unit
    apart = "–" if one.difference is None else f"{number(one.difference, unit, True)} [{_bounds(one)}]"
    effect = "–" if one.effect is None else f"{one.effect:+.2f}"
    return [
        one.measure.title,
        number(one.a, unit),
        number(one.b, unit),
        apart,
        chance(one.adjusted),
        effect,
        one.verdict,
    ]


def _bounds(one: Difference) -> str:
    return f"{number(one.low, one.measure.unit, True)}, {number(one.high, one.measure.unit, True)}"


def number(value: float | None, unit: str, signed: bool = False) -> str:
    """A figure as people read it: shares in percent (differences of shares in points of it).

    >>> number(0.1234, "share"), number(-1.5, "turns", signed=True), number(None, "turns"), number(-1e-9, "turns", True)
    ('12.3 %', '-1.50', '–', '+0.00')
    """
    if value is None:
        return "–"
    shown = round(100 * value, 1) if unit == "share" else round(value, 2)
    text = f"{shown + 0.0:{'+' if signed else ''}.{1 if unit == 'share' else 2}f}"
    return f"{text} %" if unit == "share" else text


def chance(p_value: float | None) -> str:
    """A p-value.

    >>> chance(0.00001), chance(0.0312), chance(None)
    ('<0.001', '0.031', '–')
    """
    if p_value is None:
        return "–"
    return "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def ranking(plain: Sample, found: Sequence[Weight], seed: int, what: str) -> str:
    """All readings, the one that matters most first."""
    cells = [[str(rank), weight.reading, *_greatest(weight), *_exactly(weight)] for rank, weight in enumerate(found, 1)]
    heads = ["", "reading", "greatest effect on the races", "", "d", "solo turns", "solo sink"]
    return "\n\n".join([
        f"{plain.label}: every other answer to an open question against the default one.\n{what}; seed {seed}.",
        _filled(ranking_words(found)),
        tabulated(heads, cells),
        RANKING_FOOT,
    ])  # fmt: skip


def ranking_words(found: Sequence[Weight]) -> str:
    """Which readings matter, and which do nothing here."""
    matter = [weight.reading for weight in found if weight.greatest]
    nothing = [weight.reading for weight in found if weight.alike]
    told = f"Matters most: {', '.join(matter[:3])}." if matter else "No reading changes the races beyond chance."
    return f"{told} Nothing at all changes with: {', '.join(nothing)}." if nothing else told


def _greatest(weight: Weight) -> list[str]:
    one = weight.greatest
    if one is None:
        return ["nothing differs" if weight.alike else "no difference seen", "", ""]
    effect = "–" if one.effect is None else f"{one.effect:+.2f}"
    apart = f"{number(one.difference, one.measure.unit, True)} [{_bounds(one)}]"
    return [one.measure.title, apart, effect]


def _exactly(weight: Weight) -> list[str]:
    """Turns and risk of the best solo race; over a match their sums."""
    turns, sink = (
        sum(one.difference or 0.0 for one in weight.differences if one.exact and one.name.endswith(name))
        for name in ("turns", "sink")
    )
    return [number(turns, "turns", True), number(sink, "share", True)]
