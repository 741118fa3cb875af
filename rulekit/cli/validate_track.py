"""The readable form of a circuit's facts."""

from collections.abc import Iterator

from rulekit.cli.output import tabulated
from rulekit.graphs.circuit_facts import CircuitFacts
from rulekit.ps.track import LANES


def circuit_verdict(facts: CircuitFacts) -> str:
    """The verdict on a legal circuit."""
    curves = len(facts.curves)
    turned = "" if facts.turned is None else f" that turn {facts.turned}° in all"
    return f"valid: a ring of {facts.columns} columns with {curves} {'curve' if curves == 1 else 'curves'}{turned}"


def circuit_lines(facts: CircuitFacts) -> Iterator[str]:
    """Curves in a table, then what else there is to know."""
    yield from _curve_table(facts).splitlines()
    yield ""
    yield f"spaces: {_counted(facts.spaces())}"
    section, column = facts.track.line
    yield f"start/finish line behind column {column} of {facts.track.sections[section].id}"
    joints = dict(facts.joints())
    if "box-1" in joints:
        yield f"start box 1 beside {joints['box-1']}"
    if "entry" in joints:
        yield f"pit in from {joints['entry']}, out of 3 to {joints['exit-short']}, out of 6 to {joints['exit-long']}"


def _curve_table(facts: CircuitFacts) -> str:
    rows = []
    for number, section in enumerate(facts.track.sections):
        if section.turn is not None:
            spaces = facts.spaces(number)
            degrees = "" if section.degrees is None else f"{section.degrees}°"
            limit = "none" if section.limit is None else str(section.limit)
            counts = [str(spaces[lane]) for lane in LANES]
            rows.append([section.id, section.turn.word, degrees, limit, str(section.columns), *counts])
    headers = ["curve", "turn", "degrees", "limit", "columns", *(f"{lane}" for lane in LANES)]
    keep = [k for k in range(len(headers)) if k != 2 or any(row[2] for row in rows)]
    return tabulated([headers[k] for k in keep], [[row[k] for k in keep] for row in rows])


def _counted(spaces: dict[str, int]) -> str:
    return ", ".join(f"{count} {lane}" for lane, count in spaces.items())
