"""The report of a course, or of a match over several: what its races and its exact solution tell."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from rulekit.report import course as exact
from rulekit.report.apart import SLOW, Apart
from rulekit.report.forms import whole
from rulekit.report.known import Known
from rulekit.report.measured import Measured, measure, method_of
from rulekit.report.parts import Block, Method, Origin, Report, Section
from rulekit.report.sections import metric_sections
from rulekit.report.words import advice, statements, summary
from rulekit.study.evidence import Evidence, SolvedCourse
from rulekit.study.metric import COURSE, MATCH, RACES
from rulekit.study.metrics import METRICS

Tell = Callable[[str], None]

VALUES = (
    Method(
        "Crash chance",
        "The chance that a turn which begins on a hex brings damage, to one boat that plays the best race.",
    ),
    Method(
        "Value",
        "The expected turns to the finish of a boat at rest on a hex, in its best facing, sinking counted as turns.",
    ),
)


@dataclass(frozen=True)
class Work:
    """What a report rests on and who is told what is being done."""

    evidence: Evidence
    origin: Origin
    tell: Tell = lambda _: None


def races_report(work: Work) -> Report:
    """The report of races on one course, or of matches."""
    began = perf_counter()
    timing: dict[str, float] = {}
    apart = _apart(work.evidence)
    work.tell("solving")
    solved = work.evidence.solved
    timing["solving"] = perf_counter() - began
    played = perf_counter()
    work.tell("playing")
    _ = work.evidence.outcomes
    timing["playing"] = perf_counter() - played
    kinds = (RACES, COURSE) if len(solved) == 1 else (RACES, COURSE, MATCH)
    measured = measure(work.evidence, METRICS, kinds, work.tell, apart)
    timing |= {one.metric.name: one.seconds for one in measured}
    work.tell("writing")
    return replace(_report(work, solved, measured), timing=timing)


def _apart(evidence: Evidence) -> dict[str, Apart]:
    """The slow metrics, under way where there is more than one worker."""
    names = [name for name in SLOW if name in METRICS and evidence.jobs > 1]
    return {name: Apart(evidence.contest, evidence.races, name) for name in names}


def _report(work: Work, solved: Sequence[SolvedCourse], measured: Sequence[Measured]) -> Report:
    names = [course.numbered.waters.course.name for course in solved]
    known = Known({one.metric.name: one for one in measured}, work.evidence, solved)
    return Report(
        "course" if len(solved) == 1 else "match",
        names[0] if len(names) == 1 else f"Match: {', '.join(names)}",
        _subtitle(work.evidence, len(solved)),
        list(summary(known)),
        list(statements(known)),
        list(advice(known)),
        [*_boards(solved), *metric_sections(measured)],
        [*VALUES, *map(method_of, measured)],
        work.origin,
    )


def _subtitle(evidence: Evidence, courses: int) -> str:
    contest = evidence.contest
    policies = list(dict.fromkeys(contest.policies))
    who = f"all playing “{policies[0]}”" if len(policies) == 1 else f"playing {', '.join(contest.policies)}"
    what = "races" if courses == 1 else f"matches of {courses} races"
    return f"{whole(evidence.races)} {what} of {contest.seats} boats, {who}, and the exact best race of one boat alone."


def _boards(solved: Sequence[SolvedCourse]) -> Iterator[Section]:
    """Each course's board with its hexes, then its best race."""
    for number, course in enumerate(solved, 1):
        after = f"-{number}" if len(solved) > 1 else ""
        board = replace(exact.board_of(course), name=f"board{after}")
        name = course.numbered.waters.course.name
        title = f"Race {number}: {name}" if after else "Where it is dangerous"
        blocks: list[Block] = [replace(board, title=name), exact.hexes_table(course, f"hexes{after}")]
        yield Section(f"where{after}", title, "", blocks)
        best = "The best race" + (f" of race {number}" if after else "")
        yield exact.best_section(course, f"best{after}", best)


def timing_lines(timing: Mapping[str, float]) -> list[str]:
    """Where the time went, the longest first."""
    return [f"{name} {seconds:.2f} s" for name, seconds in sorted(timing.items(), key=lambda pair: -pair[1])]
