"""A course alone, exactly: how long it is and from where, how dangerous and in which places (17, 19)."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from rulekit.hexgrid import hex_name
from rulekit.solve.best import Start, fewest_turns, least
from rulekit.solve.kernel import Floats
from rulekit.study.evidence import Evidence, SolvedCourse
from rulekit.study.figure import Figure, exact, nothing

RARE = 1e-3
"""Turns begun less often a race tell nothing of a hex's danger."""


def by_course(evidence: Evidence) -> Iterator[tuple[str, SolvedCourse]]:
    """Each race's course with what to put before its figures' labels."""
    yield from zip(evidence.prefixes, evidence.solved, strict=True)


def start_lengths(evidence: Evidence) -> list[Figure]:
    """The value of each start hex with its best facing: expected turns and the cost of sinking, the least first."""
    return [
        exact(start.value, f"{before}{hex_name(start.boat.at)}", f"facing {start.boat.facing.name}")
        for before, course in by_course(evidence)
        for start in best_starts(course.best.starts)
    ]


def best_starts(starts: Sequence[Start]) -> list[Start]:
    """Each start hex with its best facing, the least value first."""
    by_hex: dict[tuple[object, int], list[Start]] = {}
    for start in starts:
        by_hex.setdefault((start.boat.at, start.boat.progress), []).append(start)
    return sorted((least(same) for same in by_hex.values()), key=lambda start: start.value)


def start_range(evidence: Evidence) -> list[Figure]:
    """How much longer the race is from the worst start hex than from the best, each with its best facing."""
    found = []
    for before, course in by_course(evidence):
        starts = best_starts(course.best.starts)
        ends = f"{hex_name(starts[0].boat.at)} is best, {hex_name(starts[-1].boat.at)} worst"
        found.append(exact(starts[-1].value - starts[0].value, before.removesuffix(": "), ends))
    return found


def course_length(evidence: Evidence) -> list[Figure]:
    """Expected turns of the best race from the best start, and the fewest turns with the best dice from any."""
    found = []
    for before, course in by_course(evidence):
        best = course.best
        found.append(exact(best.passage.turns, f"{before}expected", f"from {hex_name(best.start.boat.at)}"))
        fewest = fewest_turns(best.numbered, [start.boat for start in best.starts])
        label = f"{before}shortest possible"
        found.append(nothing(label) if fewest is None else exact(fewest, label, "with the best dice"))
    return found


def finishing_turn(evidence: Evidence) -> list[Figure]:
    """The chance of each finishing turn of the best race, from the first with a chance to where it is nothing again."""
    return [
        exact(chance, f"{before}turn {turn}")
        for before, course in by_course(evidence)
        for turn, chance in enumerate(map(float, course.best.passage.finished), 1)
        if chance >= 5e-7
    ]


def crash_profile(evidence: Evidence) -> list[Figure]:
    """The best race's chance of damage, of sinking, and its expected damage and number of moves with damage."""
    found = []
    for before, course in by_course(evidence):
        passage, harm = course.best.passage, course.harm
        hurt = max(0.0, 1 - passage.unhurt) if passage.crashes.any() else 0.0
        found += [
            exact(hurt, f"{before}chance of damage"),
            exact(passage.sink, f"{before}chance of sinking"),
            exact(float(passage.crashes.sum()), f"{before}crashes"),
            exact(float(harm.damage.sum()), f"{before}damage"),
        ]
    return found


def crash_map(evidence: Evidence) -> list[Figure]:
    """Moves with damage that end on each hex, in the best race from the best start."""
    return _map(evidence, lambda course: course.best.passage.crashes)


def damage_map(evidence: Evidence) -> list[Figure]:
    """The expected damage of moves that end on each hex."""
    return _map(evidence, lambda course: course.harm.damage)


def sink_map(evidence: Evidence) -> list[Figure]:
    """The chance of sinking on each hex."""
    return _map(evidence, lambda course: course.best.passage.sinkings)


def visit_map(evidence: Evidence) -> list[Figure]:
    """The turns begun on each hex."""
    return _map(evidence, lambda course: course.best.passage.visits)


def danger_map(evidence: Evidence) -> list[Figure]:
    """The chance that a turn begun on a hex brings damage, as the best race comes there; the most dangerous first.

    Hexes where turns are begun less than once in a thousand races are left out.
    """
    found = []
    for before, course in by_course(evidence):
        names, risk, begun = course.hex_names, course.harm.risk, course.harm.begun
        for k in np.argsort(-risk, kind="stable"):
            if risk[k] > 0 and begun[k] >= RARE:
                found.append(exact(float(risk[k]), f"{before}{names[k]}", f"{begun[k]:.3f} turns a race begin there"))
    return found


def _map(evidence: Evidence, values: Callable[[SolvedCourse], Floats]) -> list[Figure]:
    """Numbers by hex, the greatest first; hexes with none are left out."""
    found = []
    for before, course in by_course(evidence):
        numbers = values(course)
        order = np.argsort(-numbers, kind="stable")
        names = course.hex_names
        found += [exact(float(numbers[k]), f"{before}{names[k]}") for k in order if numbers[k] > 0]
    return found
