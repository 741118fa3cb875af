"""The verdict on a course in words: its starts and its dangerous hexes."""

from collections.abc import Iterator, Sequence

from rulekit.hexgrid import Hex, hex_name
from rulekit.report.forms import percent
from rulekit.report.known import Known
from rulekit.report.parts import Level, Statement
from rulekit.study.evidence import SolvedCourse

CRASH_SPOT = 0.25
"""Crashes a race on one hex: more than one boat in four, though it plays as well as can be."""

ROUGH = 1.0
"""Crashes a race and boat at the best play: damage is then the rule, not a mistake."""

OFTEN = 0.05
"""Turns a race begun on a hex: what is risked less often than in one race of twenty is no danger of the course."""

LATE_START = 1.0
"""Turns that the last boat of the line-up loses by its start, when all take the best that is left."""


def starts(known: Known) -> Statement | None:
    """Whether the order of placing decides."""
    found = [_start_cost(known, one) for one in known.solved]
    worst = max(found, key=lambda pair: pair[1])
    question = "Is there a good start for every boat?"
    told = ", ".join(f"{cost:.2f} turns{f' on {name}' if len(found) > 1 else ''}" for name, cost in found)
    detail = (
        f"When all take the best start that is left, the last of {known.evidence.seats} boats loses {told} (exact)."
    )
    if worst[1] >= LATE_START:
        return Statement("alert", question, f"No: the last boat to place loses {worst[1]:.1f} turns.", detail)
    return Statement("fine", question, f"Yes: the last boat to place loses {worst[1]:.2f} turns at most.", detail)


def _start_cost(known: Known, course: SolvedCourse) -> tuple[str, float]:
    """What the start that is left for the last boat costs."""
    values: dict[Hex, float] = {}
    for start in course.best.starts:
        values[start.boat.at] = min(start.value, values.get(start.boat.at, start.value))
    ranked = sorted(values.values())
    last = ranked[min(known.evidence.seats, len(ranked)) - 1]
    return course.numbered.waters.course.name, last - ranked[0]


def worst_hexes(course: SolvedCourse, most: int = 3) -> list[tuple[str, float]]:
    """The hexes where most crashes end, with their number a race."""
    ranked = sorted(zip(course.best.passage.crashes, course.numbered.hexes, strict=True), key=lambda pair: -pair[0])
    return [(hex_name(at), float(crashes)) for crashes, at in ranked[:most] if crashes > 0]


def danger(known: Known) -> Statement | None:
    """Which hexes are dangerous."""
    question = "Which hexes are dangerous?"
    found = [(course, worst_hexes(course)) for course in known.solved]
    if not any(worst for _, worst in found):
        return Statement("fine", question, "None: at the best play nobody is ever damaged.")
    answer = "; ".join(_worst(course, worst, len(found) > 1) for course, worst in found if worst)
    crashes = max(float(course.best.passage.crashes.sum()) for course in known.solved)
    top = max(worst[0][1] for _, worst in found if worst)
    risky = "; ".join(_risky(course, len(known.solved) > 1) for course in known.solved)
    detail = f"A turn crashes most often when begun on {risky}"
    rough: Level = "alert" if crashes >= ROUGH and top >= CRASH_SPOT else "watch"
    level: Level = rough if top >= CRASH_SPOT / 5 else "fine"
    return Statement(level, question, f"{answer}.", f"{detail}. The board shows every hex.")


def _worst(course: SolvedCourse, worst: Sequence[tuple[str, float]], named: bool) -> str:
    before = f"{course.numbered.waters.course.name}: " if named else ""
    told = ", ".join(f"{name} ({_count(100 * crashes)})" for name, crashes in worst)
    return f"{before}{told} crashes in 100 races"


def _count(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.1f}"


def _risky(course: SolvedCourse, named: bool) -> str:
    """Where a turn begins with the greatest risk, of hexes that are visited."""
    columns = zip(course.numbered.hexes, course.harm.risk, course.harm.begun, strict=True)
    visited = [(float(risk), hex_name(at)) for at, risk, begun in columns if begun > OFTEN]
    ranked = sorted(visited, reverse=True)[:3]
    told = ", ".join(f"{name} ({percent(risk)})" for risk, name in ranked)
    return f"{told} on {course.numbered.waters.course.name}" if named else told


def course_advice(known: Known, course: SolvedCourse) -> Iterator[str]:
    """What to change on a course."""
    name = course.numbered.waters.course.name
    where = f" on {name}" if len(known.solved) > 1 else ""
    hot = [(at, crashes) for at, crashes in worst_hexes(course) if crashes >= CRASH_SPOT / 2]
    if hot:
        told = ", ".join(at for at, _ in hot)
        yield (
            f"Open the water around {told}{where} (take land away, or move the buoy by a hex) if crashes there are "
            "not meant: `rulekit solve COURSE --plot crash.svg --plot-kind crash` shows at once what that changes."
        )
    _, cost = _start_cost(known, course)
    if cost >= LATE_START:
        yield f"Turn the strip{where} or let boats start two rows behind it: the last start costs {cost:.1f} turns."
