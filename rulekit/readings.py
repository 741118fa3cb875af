"""Readings: the rules' open questions with their named answers, and the designer's dials.

One field for each question; its default is the answer that rulekit takes unless told. The text form is
`reroll=one,sink-at=3` and names only what differs from the default. The rule texts (`rulekit rules`) tell the same
names, with the reasons.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, Self

from rulekit.errors import BadInput, did_you_mean, one_of

MOST_FACE = 20
MOST_DICE = 18
"""Dice in the box (PB-4): no command lists larger hands."""


class Reroll(Enum):
    """How many of the kept dice may be thrown again? (PB-15)"""

    ANY = "any"
    ONE = "one"


class FirstTurn(Enum):
    """May a boat without dice stay, or does it have to throw one? (PB-16)"""

    MAY_STAY = "may-stay"
    MUST_ROLL = "must-roll"


class Rounding(Enum):
    """Is a rounding taken back by crossing its line backwards? (PB-10)"""

    STRING = "string"
    LINE = "line"


class Behind(Enum):
    """Where may a boat start besides the strip? (PB-13)"""

    ROWS_2 = "rows-2"
    STRIP_ONLY = "strip-only"
    ROWS_1 = "rows-1"
    ROWS_4 = "rows-4"


class Carry(Enum):
    """What damage is left after a race's repair? (PB-24)"""

    DAMAGED_RACES = "damaged-races"
    AT_MOST_ONE = "at-most-one"
    NONE = "none"


class LastBoat(Enum):
    """Does the last boat afloat race on? (PB-23)"""

    RACES_ON = "races-on"
    STOPS = "stops"


class TwoPlayerScore(Enum):
    """Are turns ahead and sunk boats scored on top: with two players only (auto), always, never? (PB-27)"""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class Border(Enum):
    """What if a flight leaves the lake? (X1-5)"""

    OUT = "out"
    STOP = "stop"


class CurrentBlocked(Enum):
    """What if a current carries a boat into an obstacle? (X1-7)"""

    STAYS = "stays"
    CRASH = "crash"


class PathTest(Enum):
    """Does the test of directions look at the tiles' effects? (X1-10)"""

    EFFECTS = "effects"
    PLAIN = "plain"


class RockDice(Enum):
    """Which of equally cheap sets of dice do rocks take? (X1-9)"""

    FEWEST = "fewest-dice"
    MOST = "most-dice"


class Clash(Enum):
    """What if a tile crosses another whichever way it lies? (X1-3)"""

    LEFT_OUT = "left-out"
    ERROR = "error"


def _number(text: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise ValueError(f"a whole number from {least} to {most}")
    return int(text)


def _dice_or_none(least: int, none_word: str) -> Any:
    def parse(text: str) -> int | None:
        if text == none_word:
            return None
        try:
            return _number(text, least, MOST_DICE)
        except ValueError as fault:
            raise ValueError(f"{fault}, or '{none_word}'") from None

    return parse


def _faces(text: str) -> tuple[int, ...]:
    parts = text.replace(",", "/").split("/")
    if len(parts) > 12:
        raise ValueError("at most 12 faces")
    try:
        return tuple(sorted(_number(part.strip(), 1, MOST_FACE) for part in parts))
    except ValueError:
        raise ValueError(f"faces from 1 to {MOST_FACE} with a / between, such as 1/2/3") from None


def _enum(kind: type[Enum]) -> Any:
    def parse(text: str) -> Enum:
        try:
            return kind(text)
        except ValueError:
            answers = [member.value for member in kind]
            raise ValueError(one_of(answers) + did_you_mean(text, answers)) from None

    return parse


def _reading(default: Enum, rule: str) -> Any:
    return field(default=default, metadata={"rule": rule, "parse": _enum(type(default))})


def _dial(default: Any, rule: str, parse: Any, none_word: str = "none") -> Any:
    return field(default=default, metadata={"rule": rule, "parse": parse, "none": none_word})


def _show(value: Any, none_word: str) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return "/".join(map(str, value))
    return none_word if value is None else str(value)


@dataclass(frozen=True)
class Readings:
    """Base of a game's readings: parsing and text form, driven by the dataclass fields alone."""

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Self:
        """Readings from `name=answer` texts; one text may hold several, separated by commas.

        Raises BadInput for an unknown name or answer, with the near miss.
        """
        return cls().override(texts)

    def override(self, texts: Iterable[str]) -> Self:
        """These readings with the given `name=answer` texts applied in order."""
        known = {entry.name.replace("_", "-"): entry for entry in fields(self)}
        changes: dict[str, Any] = {}
        for text in _split(texts):
            name, equals, answer = (part.strip() for part in text.partition("="))
            if not equals:
                raise BadInput(f"--reading wants NAME=ANSWER, not '{text}'")
            if name not in known:
                names = ", ".join(sorted(known))
                raise BadInput(f"there is no reading '{name}'{did_you_mean(name, known)}; the readings are {names}")
            try:
                changes[known[name].name] = known[name].metadata["parse"](answer)
            except ValueError as fault:
                raise BadInput(f"reading '{name}' is {fault}, not '{answer}'") from None
        return replace(self, **changes)

    def answers(self) -> dict[str, str]:
        """Every reading's name with its answer, in the order of the rules."""
        return {
            entry.name.replace("_", "-"): _show(getattr(self, entry.name), entry.metadata.get("none", "none"))
            for entry in fields(self)
        }

    def other_answers(self) -> list[str]:
        """Every answer to an open question that these readings do not give, as `name=answer`; dials are no questions.

        >>> PsReadings().other_answers()[:3]
        ['triangle=aid', 'line-crossing=diagonal', 'exit-step=flies']
        """
        return [
            f"{entry.name.replace('_', '-')}={answer.value}"
            for entry in fields(self)
            if isinstance(given := getattr(self, entry.name), Enum)
            for answer in type(given)
            if answer is not given
        ]

    def __str__(self) -> str:
        """The text form: what differs from the default.

        >>> str(PowerboatsReadings.parse(["reroll=one", "sink-at=3"]))
        'reroll=one,sink-at=3'
        """
        usual = type(self)().answers()
        return ",".join(f"{name}={answer}" for name, answer in self.answers().items() if usual[name] != answer)


def _split(texts: Iterable[str]) -> list[str]:
    """Single settings of texts that hold several; a comma inside a list of faces does not part."""
    parts: list[str] = []
    for text in texts:
        for part in text.split(","):
            if parts and "=" not in part and parts[-1].startswith("faces="):
                parts[-1] += f"/{part.strip()}"
            elif part.strip():
                parts.append(part.strip())
    return parts


@dataclass(frozen=True)
class PowerboatsReadings(Readings):
    """Readings and dials of Powerboats and its Expansion 1.

    `faces` lists a die's faces (a face named twice is twice as likely), `change` the most dice added or removed a turn,
    `dice_max` the most dice of a boat (None: no limit; the rulebook knows none, commands take 6).
    """

    reroll: Reroll = _reading(Reroll.ANY, "PB-15")
    first_turn: FirstTurn = _reading(FirstTurn.MAY_STAY, "PB-16")
    rounding: Rounding = _reading(Rounding.STRING, "PB-10")
    behind: Behind = _reading(Behind.ROWS_2, "PB-13")
    carry: Carry = _reading(Carry.DAMAGED_RACES, "PB-24")
    last_boat: LastBoat = _reading(LastBoat.RACES_ON, "PB-23")
    two_player_score: TwoPlayerScore = _reading(TwoPlayerScore.AUTO, "PB-27")
    dice_stock: int | None = _dial(None, "PB-4", _dice_or_none(1, "unlimited"), "unlimited")
    sink_at: int = _dial(4, "PB-21", lambda text: _number(text, 1, 99))
    x1_border: Border = _reading(Border.OUT, "X1-5")
    x1_current: CurrentBlocked = _reading(CurrentBlocked.STAYS, "X1-7")
    x1_path: PathTest = _reading(PathTest.EFFECTS, "X1-10")
    x1_dice: RockDice = _reading(RockDice.FEWEST, "X1-9")
    x1_clash: Clash = _reading(Clash.LEFT_OUT, "X1-3")
    faces: tuple[int, ...] = _dial((1, 2, 3), "PB-4", _faces)
    change: int = _dial(1, "PB-15", lambda text: _number(text, 0, MOST_DICE))
    dice_max: int | None = _dial(6, "PB-15", _dice_or_none(1, "none"))


class Triangle(Enum):
    """Does a car need a triangle to speed, or does the triangle only inform? (PS-13)"""

    REQUIRED = "required"
    AID = "aid"


class LineCrossing(Enum):
    """May a double line be crossed diagonally? (PS-11)"""

    AHEAD = "ahead"
    DIAGONAL = "diagonal"


class ExitStep(Enum):
    """What if a diagonal is due at a curve's end line? (PS-12)"""

    AHEAD = "ahead"
    FLIES = "flies"


class Strike(Enum):
    """May a driver choose a way that ends in striking or flying where another is free? (PS-15)"""

    FORCED_ONLY = "forced-only"
    FREE = "free"


class StartEntry(Enum):
    """Where does a start box lead to? (PS-8)"""

    INNER_AHEAD = "inner-ahead"
    INNER_BESIDE = "inner-beside"


class PitEntry(Enum):
    """Are steps left over lost at the stop space, or must it be reached with the last one? (PS-21)"""

    STEPS_LOST = "steps-lost"
    EXACT = "exact"


class Fuel(Enum):
    """Which of the fuel rules are played? (PS-22)"""

    NONE = "none"
    LIMITED = "limited"
    FULL = "full"


@dataclass(frozen=True)
class PsReadings(Readings):
    """Readings of PS."""

    triangle: Triangle = _reading(Triangle.REQUIRED, "PS-13")
    line_crossing: LineCrossing = _reading(LineCrossing.AHEAD, "PS-11")
    exit_step: ExitStep = _reading(ExitStep.AHEAD, "PS-12")
    strike: Strike = _reading(Strike.FORCED_ONLY, "PS-15")
    start_entry: StartEntry = _reading(StartEntry.INNER_AHEAD, "PS-8")
    pit_entry: PitEntry = _reading(PitEntry.STEPS_LOST, "PS-21")
    fuel: Fuel = _reading(Fuel.NONE, "PS-22")
