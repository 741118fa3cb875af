"""A run of `compare`: two sides or all readings, rows for machines."""

from pathlib import Path
from secrets import randbelow
from time import perf_counter
from typing import Any

from rulekit.cli.compare_sides import Sides, sides_of
from rulekit.cli.compare_table import ranking, sides_table
from rulekit.cli.output import Output, Result, plural
from rulekit.cli.progress import Progress
from rulekit.errors import BadInput, FileFaults
from rulekit.study.compare import Difference, Weight, differences, weights
from rulekit.study.measures import Sample


def compare(options: dict[str, Any], output: Output) -> None:
    """Plays, solves and prints; raises BadInput and FileFaults for bad input."""
    began = perf_counter()
    seed = randbelow(1 << 32) if options["seed"] is None else options["seed"]
    asked = sides_of(options, seed, output)
    check_sides(asked)
    result = rank_readings(asked, began) if options["all_readings"] else two_sides(asked, began)
    if options["plot"]:
        from rulekit.cli.compare_picture import picture

        path = Path(options["plot"])
        output.write(path, picture(path, result.more, result.rows))
    output.emit(result)


def check_sides(asked: Sides) -> None:
    """Raises BadInput where the options do not describe two sides."""
    files = len(asked.options["files"])
    if asked.options["all_readings"] and files == 2:
        raise BadInput("--readings all wants one course, or a match of three or more: two courses are two sides")
    if files != 2 and not asked.options["all_readings"] and asked.given == asked.usual:
        raise BadInput(
            f"{plural(files, 'file')} and no other reading make one side: give two courses or tracks, or add "
            "--reading NAME=ANSWER, --dice-max N or --readings all"
        )


def two_sides(asked: Sides, began: float) -> Result:
    """Two courses under the readings given, or one (or a match) under the default ones and those."""
    files, given = asked.options["files"], asked.given
    if len(files) == 2:
        sides = [("", files[:1], given), ("", files[1:], given)]
    else:
        sides = [("", files, asked.usual), (f" with {given}", files, given)]
    samples = []
    with Progress(asked.output) as progress:
        for number, side in enumerate(sides, 1):
            progress.begin(f"side {number} of {len(sides)} …")
            samples.append(asked.sample(*side))
    a, b = samples
    found = differences(a, b, asked.seed)
    rows = [row(one) for one in found]
    more = {**common(asked), "a": a.label, "b": b.label}
    readings = given.answers() if len(files) == 2 else asked.usual.answers()
    if len(files) != 2:
        more["readings_b"] = given.answers()
    return Result("compare", rows, readings, asked.seed, more, {"seconds": perf_counter() - began},
                  lambda: sides_table(a, b, found, asked.seed, lines(asked)))  # fmt: skip


def rank_readings(asked: Sides, began: float) -> Result:
    """Every other answer to every open question against the base readings."""
    files, base = asked.options["files"], asked.given
    texts = base.other_answers()
    others: dict[str, Sample] = {}
    refused: dict[str, str] = {}
    with Progress(asked.output) as progress:
        progress.begin("the default readings …")
        plain = asked.sample("", files, base)
        for number, text in enumerate(texts, 1):
            progress.begin(f"{text}: {number} of {len(texts)} …")
            try:
                others[text] = asked.sample(f" with {text}", files, base.override([text]))
            except (BadInput, FileFaults) as why:
                refused[text] = str(why)
    for text, fault in refused.items():
        asked.output.note(f"{text} is left out: {fault}")
    found = weights(plain, others, asked.seed)
    rows = [weight_row(weight) for weight in found]
    all_rows = {one.reading: list(map(row, one.differences)) for one in found}
    more = {**common(asked), "a": plain.label, "refused": refused, "differences": all_rows}
    return Result("compare", rows, base.answers(), asked.seed, more, {"seconds": perf_counter() - began},
                  lambda: ranking(plain, found, asked.seed, lines(asked)))  # fmt: skip


def common(asked: Sides) -> dict[str, Any]:
    """What both kinds of comparison tell of themselves."""
    return {
        "races": asked.options["races"], "players": len(asked.policies), "policies": list(asked.policies),
        "rotated": asked.options["rotate"], "turn_cap": asked.options["turn_cap"],
    }  # fmt: skip


def lines(asked: Sides) -> str:
    """What was played, in words."""
    races, policies = asked.options["races"], list(dict.fromkeys(asked.policies))
    what = "matches" if len(asked.options["files"]) > 2 else "races"
    players = f"{len(asked.policies)} {asked.what} ({', '.join(policies)})"
    return f"{races:,} {what} a side of {players} on the same random numbers"


def row(one: Difference) -> dict[str, Any]:
    """A difference for machines."""
    return {
        "measure": one.name, "title": one.measure.title, "unit": one.measure.unit, "exact": one.exact, "a": one.a,
        "b": one.b, "difference": one.difference, "low": one.low, "high": one.high, "n": one.n, "p": one.p_value,
        "p_holm": one.adjusted, "effect": one.effect, "spread": one.spread, "seen": one.seen, "verdict": one.verdict,
    }  # fmt: skip


def weight_row(weight: Weight) -> dict[str, Any]:
    """How much a reading matters, for machines: its greatest effect on the races, and the exact differences."""
    greatest = weight.greatest
    exact = {one.name: one.difference for one in weight.differences if one.exact}
    told = {f"{name.replace('-', '_')}_difference": value for name, value in exact.items()}
    return {
        "reading": weight.reading, "effect": greatest.effect if greatest else None,
        "measure": greatest.name if greatest else None, "title": greatest.measure.title if greatest else None,
        "difference": greatest.difference if greatest else None, "low": greatest.low if greatest else None,
        "high": greatest.high if greatest else None, "p_holm": greatest.adjusted if greatest else None,
        "alike": weight.alike, **told,
    }  # fmt: skip
