"""Reading the dice of a turn and the move of a car, word by word."""

from rulekit.errors import did_you_mean, one_of
from rulekit.files.car_transcript import FLOWN, CarLine
from rulekit.files.transcript import Columns
from rulekit.files.transcript_words import Line, Slip, Word, number
from rulekit.ps.dice import AGAIN, FACES, Colour, can_show
from rulekit.ps.moves import Kind
from rulekit.ps.race import Die
from rulekit.ps.track import LANES

COLOURS = tuple(colour.value for colour in Colour)
JOINTS = {Kind.FLY: "from", Kind.STRIKE: "at"}
ENDS = ("stop", "finish", "out")
MARKS = (*FLOWN, "damage", "fuel", "place")
MOST_SHOWN = 99_999
MOST_DAMAGE, MOST_FUEL, MOST_PLACE = 99, 999, 12


def read_dice(line: Line) -> tuple[Die, ...]:
    """What the dice of a turn showed; raises Slip."""
    if line.peek() == "none":
        line.take("none")
        return ()
    dice = [read_die(line)]
    while line.words:
        dice.append(read_die(line))
    return tuple(dice)


def read_die(line: Line) -> Die:
    """A die: its colour, and its value or red's throws with + between; raises Slip."""
    word = line.take(f"a die ({one_of(COLOURS)}, and what it showed; or none)")
    if word.text not in COLOURS:
        message = f"'{word.text}'{did_you_mean(word.text, COLOURS)} is no colour of a die: {one_of(COLOURS)}"
        raise Slip("colour", message, word.place, "PS-5")
    colour = Colour(word.text)
    first = line.take(f"what the {colour.value} die showed")
    value = _value(first)
    if line.peek() == "+":
        return Die(colour, _thrown_again(line, colour, first, value))
    if not can_show(colour, value):
        raise Slip("die", f"no {colour.value} die shows {first.text}: {_faces(colour)}", first.place, "PS-5")
    return Die(colour, value)


def _thrown_again(line: Line, colour: Colour, first: Word, value: int) -> int:
    """Red's throws one by one: all but the last are sixes."""
    throws, words = [value], [first]
    while line.peek() == "+":
        line.take("+")
        words.append(line.take("what red showed next"))
        throws.append(_value(words[-1]))
    right = colour is Colour.RED and all(throw == AGAIN for throw in throws[:-1])
    if not (right and throws[-1] in FACES[Colour.RED] and throws[-1] != AGAIN):
        raise Slip("die", "only a red die is thrown again: sixes, then a 4 or a 5, such as red 6+6+5", first.place,
                   "PS-5")  # fmt: skip
    return sum(throws)


def _value(word: Word) -> int:
    return number(word, "what a die showed", 1, MOST_SHOWN)


def _faces(colour: Colour) -> str:
    if colour is Colour.RED:
        return "it shows 4, 5, 10, 11, 16, 17, …: each 6 is thrown again and added"
    return f"it shows {', '.join(map(str, FACES[colour]))}"


def read_move(line: Line, car: int) -> CarLine:
    """A car's move behind its letter and colon; raises Slip."""
    places: Columns = {"line": line.beginning}
    places["die"] = line.next
    die = read_die(line) if line.peek() in COLOURS and not _is_space(line) else None
    places["end"] = line.next
    end = read_end(line)
    marks = _Marks(line, places)
    found = marks.numbers
    return CarLine(
        car, die, end, marks.kind, marks.origin, found.get("damage", 0), found.get("fuel"), found.get("place"), places
    )


def _is_space(line: Line) -> bool:
    """Whether a space is named next, by a lane or at least a column: a section may be called as anything else is."""
    words = [word.text for word in line.words[1:3]]
    return bool(words) and (words[0] in LANES or (len(words) > 1 and words[0].isalpha() and words[1].isdigit()))


def read_end(line: Line) -> str:
    """Where a move ends: a space, a place in the pit lane, finish or out; raises Slip."""
    if not _is_space(line) or (line.peek() in ENDS and line.words[1].text in MARKS):
        word = line.take("where the car ended")
        if word.text in ENDS:
            return word.text
        if word.text in ("pit", "box"):
            most = 6 if word.text == "pit" else 12
            return f"{word.text} {number(line.take('its number'), f'a {word.text}', 1, most)}"
        message = f"'{word.text}' is no end of a move: section, lane and column, stop, pit 1, box 1, finish or out"
        raise Slip("space", message, word.place)
    return read_space(line)


def read_space(line: Line) -> str:
    """A space by section, lane and column; raises Slip."""
    section, lane = line.take("the section of a space"), line.take("the lane of a space")
    if lane.text not in LANES:
        raise Slip("space", f"a lane is {one_of(LANES)}, not '{lane.text}'{did_you_mean(lane.text, LANES)}", lane.place)
    return f"{section.text} {lane.text} {number(line.take('the column of a space'), 'a column', 1, 9999)}"


class _Marks:
    """What a move's line tells behind its end."""

    def __init__(self, line: Line, places: Columns) -> None:
        self.line, self.places = line, places
        self.numbers: dict[str, int] = {}
        self.kind: Kind | None = None
        self.origin: str | None = None
        while line.words:
            self.take(line.take("a mark"))

    def take(self, word: Word) -> None:
        text = word.text
        if text not in MARKS:
            message = f"'{text}'{did_you_mean(text, MARKS)}: a move's line ends in {one_of(MARKS)}"
            raise Slip("mark", message, word.place)
        if text in self.places or (text in FLOWN and self.kind):
            raise Slip("twice", f"'{text}' stands twice, or beside another end of the move", word.place)
        self.places[text] = word.place
        if text in FLOWN:
            self.ends(FLOWN[text])
        else:
            most = {"damage": MOST_DAMAGE, "fuel": MOST_FUEL, "place": MOST_PLACE}[text]
            self.numbers[text] = number(self.line.take(f"the number of {text}"), text, int(text == "place"), most)

    def ends(self, kind: Kind) -> None:
        """Flying or striking, with the space from where it happened, if that is told."""
        self.kind = kind
        if kind in JOINTS and self.line.peek() == JOINTS[kind]:
            self.line.take(JOINTS[kind])
            self.places["origin"] = self.line.next
            self.origin = read_space(self.line)
