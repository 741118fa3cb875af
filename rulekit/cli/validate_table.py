"""The readable form of verdicts: the verdict first, then what it rests on, then the findings with their places."""

import re
from collections.abc import Iterator, Sequence
from textwrap import fill

from rulekit.cli.output import tabulated, terminal_width
from rulekit.cli.validate_track import circuit_lines, circuit_verdict
from rulekit.errors import shortened, visible
from rulekit.graphs.bays import Bay
from rulekit.graphs.circuit_facts import CircuitFacts
from rulekit.graphs.shores import land_share, longest_straights
from rulekit.graphs.verdict import CourseFacts, LakeFacts, Verdict, names
from rulekit.hexgrid import Hex, Side, hex_name
from rulekit.powerboats.rounding import Corner

MOST_LISTED = 12
"""Hexes of a list that are named without --verbose."""


LONGEST_SPAN = 8
"""Hexes of one passage that are named without --verbose."""

LONGEST_NAME = 80
"""Characters of a name in the title; a longer one is cut in its middle."""


WORDS = {
    "string turns": "bend of a string over the marks: the arrow points this way (PB-8)",
    "swept": "angle a boat turns by here: 180–360° with the correct arrow (PB-9)",
    "choke points": "hexes that every route passes",
    "dead water": "hexes on no way from the strip to the finish (PB-12)",
    "passages": "hexes that one boat fills: nobody gets by",
    "bays": "water behind one hex, where no boat has to go",
}
"""What the words of a verdict mean."""


def verdicts_text(verdicts: Sequence[Verdict], verbose: bool = False) -> str:
    """All verdicts, one block a file, then what their words mean."""
    blocks = ["\n".join(_block(verdict, verbose)) for verdict in verdicts]
    used = [word for word in WORDS if any(_uses(block, word) for block in blocks)]
    return "\n\n".join([*blocks, *(["\n".join(_glossary(used))] if used else [])]) + "\n"


def _uses(block: str, word: str) -> bool:
    """Whether a line of a block is headed by the word, or a table's column is."""
    return re.search(rf"^{word}\b|  {word}(?:  |$)", block, re.MULTILINE) is not None


def _glossary(used: Sequence[str]) -> Iterator[str]:
    wide = max(map(len, used))
    for word in used:
        yield f"{word:{wide}}  {WORDS[word]}"
    if "swept" in used:
        yield "rules         `rulekit rules --rule PB-8` shows one in full"


def _block(verdict: Verdict, verbose: bool) -> Iterator[str]:
    yield _title(verdict)
    yield _verdict_line(verdict)
    if isinstance(verdict.facts, CourseFacts):
        yield from ("", *_course_lines(verdict.facts, verbose))
    elif isinstance(verdict.facts, LakeFacts):
        yield from ("", *_lake_lines(verdict.facts, verbose))
    elif isinstance(verdict.facts, CircuitFacts):
        yield from ("", *circuit_lines(verdict.facts))
    if verdict.findings:
        yield from ("", *map(str, verdict.findings))


def _title(verdict: Verdict) -> str:
    name = f"“{shortened(verdict.name, LONGEST_NAME)}”" if verdict.name else ""
    what = " ".join(word for word in (verdict.kind, name) if word)
    return visible(f"{verdict.file}: {what}" if what else verdict.file, keep="")


def _verdict_line(verdict: Verdict) -> str:
    facts = verdict.facts
    if not verdict.readable:
        return "not readable"
    if not verdict.valid:
        return f"not valid: {_reasons(verdict)}"
    if isinstance(facts, CourseFacts):
        return f"valid: no full circle, a route of {len(facts.route or ()) - 1} steps"
    return circuit_verdict(facts) if isinstance(facts, CircuitFacts) else "valid"


def _reasons(verdict: Verdict) -> str:
    errors = [finding for finding in verdict.findings if finding.severity == "error"]
    codes = dict.fromkeys(finding.code for finding in errors)
    words = [_reason(code, verdict.facts) for code in codes if code in ("full-circle", "no-route")]
    others = [finding for finding in errors if finding.code not in ("full-circle", "no-route")]
    if others:
        words.append(f"{len(others)} {'error' if len(others) == 1 else 'errors'} told below")
    return ", ".join(words)


def _reason(code: str, facts: CourseFacts | LakeFacts | CircuitFacts | None) -> str:
    if code == "no-route" or not isinstance(facts, CourseFacts):
        return "no route"
    numbers = [
        str(number)
        for number, (buoy, corner) in enumerate(zip(facts.course.buoys, facts.corners, strict=True), 1)
        if buoy.arrow is not None and corner.full_circle(buoy.arrow)
    ]
    return f"a full circle round buoy {' and buoy '.join(numbers)}"


# A course.


def _course_lines(facts: CourseFacts, verbose: bool) -> Iterator[str]:
    yield from _buoy_table(facts).splitlines()
    yield ""
    yield _strip_line(facts)
    lifted = facts.lifted
    if facts.route is not None:
        yield from _leg_lines(facts)
        yield _listed("choke points, on every route", lifted.choke, verbose)
        others = [at for at in lifted.shared if at not in lifted.choke]
        yield _listed("on every shortest route besides", others, verbose)
        yield _listed("dead water", lifted.dead, verbose)
        yield _bays_line(lifted.bays, verbose)
    if facts.route is not None and verbose:
        yield _paragraph(f"the route: {' '.join(names(facts.route))}")


def _buoy_table(facts: CourseFacts) -> str:
    rows = []
    for number, (buoy, corner) in enumerate(zip(facts.course.buoys, facts.corners, strict=True), 1):
        assert buoy.arrow is not None
        mark = facts.marks[number] if facts.marks[number].startswith("@") else ""
        swept = _swept(corner, buoy.arrow)
        rows.append([str(number), hex_name(buoy.at), mark, buoy.arrow.word, _turn(corner), swept])
    headers = ["buoy", "at", "spot", "arrow", "string turns", "swept"]
    keep = [k for k in range(len(headers)) if k != 2 or any(row[2] for row in rows)]
    return tabulated([headers[k] for k in keep], [[row[k] for k in keep] for row in rows])


def _turn(corner: Corner) -> str:
    side = "" if corner.turns is None else f" {corner.turns.word}"
    return f"{abs(corner.turn_degrees):.1f}°{side}"


def _swept(corner: Corner, arrow: Side) -> str:
    return f"{corner.angle_degrees(arrow):.1f}°{' + 360°: a full circle' if corner.full_circle(arrow) else ''}"


def _strip_line(facts: CourseFacts) -> str:
    course = facts.course
    assert course.start is not None
    assert course.finish is not None
    ends = f"{hex_name(course.strip[0])}–{hex_name(course.strip[-1])}"
    return (
        f"strip {ends}, crossed towards the {course.start.word} at the start and the {course.finish.word} at the finish"
    )


def _leg_lines(facts: CourseFacts) -> Iterator[str]:
    """One line a buoy: the pair of legs that meet there."""
    for to, on in zip(facts.legs[::2], facts.legs[1::2], strict=True):
        apart = f"share {', '.join(names(to.crosses))}" if to.crosses else "apart from each other"
        yield (
            f"legs at buoy {to.buoy}: {len(to.hexes) - 1} steps from {facts.gate(to.start)}, "
            f"{len(on.hexes) - 1} on to {facts.gate(on.end)}, {apart}"
        )


# A lake.


def _lake_lines(facts: LakeFacts, verbose: bool) -> Iterator[str]:
    lake = facts.lake
    share = land_share(lake)
    yield f"land {float(share):.1%}: {len(lake.land)} of {len(lake.hexes)} hexes, {len(lake.water)} of water"
    counts = [f"{len(lake.spots_of(letter))} {letter}" for letter in "ABC"]
    yield f"spots: {', '.join(counts)}"
    spans = [_span(passage, verbose) for passage in facts.passages]
    yield _paragraph(_list_words("passages one hex wide", spans, verbose))
    yield _bays_line(facts.bays, verbose)
    rows = [f"{hex_name(row.first)}–{hex_name(row.last)} ({row.facing.name})" for row in longest_straights(lake.water)]
    length = longest_straights(lake.water)[0].length if rows else 0
    yield _paragraph(f"longest straight: {length} hexes, {_some(rows, verbose)}" if rows else "longest straight: none")


def _span(passage: Sequence[Hex], verbose: bool) -> str:
    told = names(passage)
    if len(told) > LONGEST_SPAN and not verbose:
        told = [*told[: LONGEST_SPAN - 2], f"… {len(told) - LONGEST_SPAN + 1} more …", told[-1]]
    return "+".join(told)


def _bays_line(found: Sequence[Bay], verbose: bool) -> str:
    words = [
        f"{len(bay.hexes)} {'hex' if len(bay.hexes) == 1 else 'hexes'} behind {hex_name(bay.mouth)}" for bay in found
    ]
    return _paragraph(_list_words("bays", words, verbose))


def _listed(title: str, hexes: Sequence[Hex], verbose: bool) -> str:
    return _paragraph(_list_words(title, names(hexes), verbose))


def _list_words(title: str, words: Sequence[str], verbose: bool) -> str:
    if not words:
        return f"{title}: none"
    return f"{title} ({len(words)}): {_some(words, verbose)}"


def _some(words: Sequence[str], verbose: bool) -> str:
    """A list, of which only the first entries are told without --verbose."""
    shown = words if verbose else words[:MOST_LISTED]
    more = f" and {len(words) - len(shown)} more (-v)" if len(shown) < len(words) else ""
    return ", ".join(shown) + more


def _paragraph(text: str) -> str:
    return fill(text, terminal_width(), subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
