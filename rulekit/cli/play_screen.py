"""What `play` shows: the board with its boats, the options of a decision, and what has happened, in 80 columns."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from rulekit.cli.output import percent, plural, tabulated
from rulekit.cli.position import steer_word
from rulekit.files.transcript import PlaceLine, Transcript, TurnLine
from rulekit.hexgrid import hex_name
from rulekit.plot.picture import BoatMark, course_picture
from rulekit.plot.text import board_text
from rulekit.powerboats.boat import Boat, Landing
from rulekit.powerboats.dice import Choice
from rulekit.powerboats.distance import Heading
from rulekit.powerboats.race import Entry, Race, Status, boat_to_move
from rulekit.simulate.game import Game, underway
from rulekit.simulate.policies import Choosing, Placing, Prospects, Steering

WIDTH = 80
LABELS = "ABCDEF"
"""What the boats are called on the board, by seat: the buoys have the numbers."""

ENDED = {
    Status.WAITING: "not placed yet",
    Status.FINISHED: "finished",
    Status.SUNK: "sunk",
    Status.STOPPED: "stopped",
}


def called(transcript: Transcript, seat: int) -> str:
    """A seat's label, with its name or policy.

    >>> from rulekit.files.transcript import SeatLine
    >>> called(Transcript((), (SeatLine("Ann"), SeatLine(policy="greedy"))), 1)
    'B (greedy)'
    """
    told = transcript.seats[seat]
    return f"{LABELS[seat]} ({told.name or told.policy or 'human'})"


def board(race: Race, legend: bool, colour: bool) -> str:
    """The board of a race with its boats."""
    picture = course_picture(race.waters.course, race.waters.readings, with_route=False)
    marks = tuple(
        BoatMark(entry.boat.at, entry.boat.facing, LABELS[seat], seat)
        for seat, entry in enumerate(race.entries)
        if entry.boat and entry.status is Status.RACING
    )
    bare = replace(picture, lake=replace(picture.lake, spots=()), boats=marks)
    return board_text(bare, WIDTH, colour, legend)


def boats(game: Game) -> str:
    """A line for each boat: where it is and what it carries."""
    race = underway(game)
    return "\n".join(
        f"{'>' if seat in (race.mover, race.placer) else ' '} {called(game.transcript, seat):<14} {_state(race, entry)}"
        for seat, entry in enumerate(race.entries)
    )


def _state(race: Race, entry: Entry) -> str:
    if entry.boat is None or entry.status is not Status.RACING:
        return ENDED[entry.status] + (f", damage {entry.damage}" if entry.damage else "")
    boat = entry.boat
    gates = f"gates {boat.progress}/{race.waters.last}"
    steps = race.waters.steps_left.get(Heading(boat.at, boat.facing, boat.progress))
    left = f"{plural(steps, 'step')} to go" if steps is not None else "cannot finish"
    return f"{hex_name(boat.at):<4} {boat.facing.name:<2}  {dice(boat):<15} {gates}  damage {boat.damage}  {left}"


def dice(boat: Boat) -> str:
    """A boat's dice in words."""
    return f"dice {' '.join(map(str, boat.hand))}" if boat.hand else "no dice"


def heading(game: Game) -> str:
    """Which race this is."""
    race = underway(game)
    name = race.waters.course.name
    return f"Race {game.number} of {len(game.match.races)}: {name}"


# Options


def starts_text(question: Placing) -> str:
    """Where a boat may be placed."""
    on_strip = dict.fromkeys(hex_name(start.at) for start in question.options if start.progress)
    behind = dict.fromkeys(hex_name(start.at) for start in question.options if not start.progress)
    lines = [f"free on the strip: {' '.join(on_strip)}"] if on_strip else []
    return "\n".join([*lines, *_wrapped("free behind it:", list(behind))])


def _wrapped(head: str, words: Sequence[str]) -> Iterator[str]:
    line = head
    for word in words:
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = " " * len(head)
        line += f" {word}"
    if words:
        yield line


def choices_text(question: Choosing, every: bool) -> str:
    """The dice choices with their exact odds: T, chance of damage and of sinking, mean steps to go afterwards.

    Unless `every` is asked for, those are left out that another beats in both mean T and chance of damage.
    """
    prospects = Prospects(question.race, lambda _race, landing: (landing.boat.damage,))
    shown = list(range(len(question.options))) if every else worth_showing(question, prospects)
    hand = boat_to_move(question.race).hand
    faces = question.race.waters.readings.faces
    lines = [
        (str(number + 1), choice.told(hand), _range(choice, faces), f"{float(choice.totals(faces).mean):.1f}",
         percent(prospects.risk(choice)), percent(prospects.sinking(choice)))
        for number in shown
        for choice in [question.options[number]]
    ]  # fmt: skip
    table = tabulated(("nr", "choice", "T", "mean T", "damage", "sink"), lines, "simple", colalign=COLUMNS)
    left = len(question.options) - len(shown)
    return table + (f"\nlist shows {left} more, slower and no safer than these" if left else "")


COLUMNS = ("right", "left", "right", "right", "right", "right")


def worth_showing(question: Choosing, prospects: Prospects) -> list[int]:
    """The choices that no other beats or equals in both mean T (higher) and chance of damage (lower), and to keep
    all."""
    faces = question.race.waters.readings.faces
    hand = boat_to_move(question.race).hand
    scores = [(-choice.totals(faces).mean, prospects.risk(choice)) for choice in question.options]
    return [
        k
        for k, score in enumerate(scores)
        if question.options[k] == Choice(hand, 0)
        or not any(_beats(other, score) or (other == score and j < k) for j, other in enumerate(scores))
    ]


def _beats(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> bool:
    return one != other and one[0] <= other[0] and one[1] <= other[1]


def _range(choice: Choice, faces: tuple[int, ...]) -> str:
    low = sum(choice.kept) + choice.rolled * min(faces)
    high = sum(choice.kept) + choice.rolled * max(faces)
    return str(low) if low == high else f"{low}-{high}"


def ways_text(question: Steering) -> str:
    """The legal directions and where they lead."""
    before = boat_to_move(question.race)
    lines = [
        (str(number), steer_word(before.facing, landing.steer), landing.steer.name, *_outcome(question.race, landing))
        for number, landing in enumerate(question.options, 1)
    ]
    heads = ("nr", "steer", "facing", "ends on", "gates", "steps to go", "what happens")
    return tabulated(heads, lines)


def _outcome(race: Race, landing: Landing) -> tuple[str, str, str, str]:
    boat = landing.boat
    steps = race.waters.steps_left.get(Heading(boat.at, boat.facing, boat.progress))
    to_go = "" if landing.finished or landing.sunk else str(steps) if steps is not None else "-"
    return hex_name(boat.at), f"{boat.progress}/{race.waters.last}", to_go, happens(race, landing)


def happens(race: Race, landing: Landing) -> str:
    """What comes of a move besides its end."""
    taken = landing.boat.damage - boat_to_move(race).damage
    fell_back = not landing.sunk and bool(landing.way) and landing.way[-1] != landing.boat.at
    words = [
        "crash" if landing.crashed else "",
        f"{taken} damage" if taken else "",
        "falls back behind a boat" if fell_back else "",
        "finishes" if landing.finished else "sinks" if landing.sunk else "",
    ]
    return ", ".join(word for word in words if word)


def turn_told(transcript: Transcript, line: TurnLine, before: Boat) -> str:
    """A turn in words."""
    choice = f"rolls {' '.join(map(str, line.rolled))}" if line.rolled else ""
    kept = f"keeps {' '.join(map(str, line.kept))}" if line.kept else ""
    did = ", ".join(word for word in (kept, choice) if word) or ("drops its last die" if before.hand else "no dice")
    end = "out of the lake" if line.end is None else f"to {hex_name(line.end)}"
    if line.end == before.at:
        end = "and stays"
    crash = f", damage {before.damage} -> {line.damage}" if line.damage > before.damage else ""
    ended = ", finished!" if line.finished else ", sunk!" if line.sunk else ""
    return f"{called(transcript, line.seat)}: {did}, {line.facing.name} {end}{crash}{ended}"


def start_told(transcript: Transcript, line: PlaceLine) -> str:
    """A placing in words."""
    return f"{called(transcript, line.seat)} starts on {hex_name(line.at)} facing {line.facing.name}"
