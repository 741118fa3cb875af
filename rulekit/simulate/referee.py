"""The referee of written games: a transcript move by move through the engine, up to the first illegal one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from rulekit.errors import Fault
from rulekit.files.findings import Place
from rulekit.files.transcript import Columns, PlaceLine, ResultLine, Transcript, TurnLine
from rulekit.hexgrid import Hex, hex_name
from rulekit.powerboats.boat import Landing
from rulekit.powerboats.dice import Choice, as_hand
from rulekit.powerboats.race import Race, Status, boat_to_move, free_places, legal_choices, legal_landings
from rulekit.powerboats.waters import Waters
from rulekit.simulate.game import Game, final_of, new_game, place, results_of, turn, turn_line, underway


@dataclass(frozen=True)
class Replay:
    """What the referee found: the game as far as it is legal, the findings, and what was legal at the first one."""

    game: Game
    findings: tuple[Fault, ...] = ()
    legal: tuple[str, ...] = ()


class Illegal(Exception):
    """A line that the rules do not allow."""

    def __init__(self, code: str, message: str, rule: str, where: Place | None, legal: Iterable[str] = ()) -> None:
        self.code, self.message, self.rule, self.where, self.legal = code, message, rule, where, tuple(legal)
        super().__init__(message)

    def fault(self, path: str) -> Fault:
        """The finding."""
        line, column = self.where or (None, None)
        return Fault("error", self.code, self.message, path, line, column, self.rule)


def replay(transcript: Transcript, races: Sequence[Waters], path: str = "transcript") -> Replay:
    """A transcript checked: the game up to its end or to the first illegal line; wrong results are told as well.

    A transcript that stops in the middle of a race is a game under way, not a fault.
    Raises BadInput where the match cannot even begin (see `new_game`).
    """
    referee = _Referee(transcript, new_game(transcript, races))
    try:
        referee.judge()
    except Illegal as illegal:
        return Replay(referee.game, (*(slip.fault(path) for slip in referee.slips), illegal.fault(path)), illegal.legal)
    return Replay(referee.game, tuple(slip.fault(path) for slip in referee.slips))


class _Referee:
    """Goes through the lines; `game` is where it stands, `slips` are wrong results."""

    def __init__(self, transcript: Transcript, game: Game) -> None:
        self.transcript, self.game = transcript, game
        self.slips: list[Illegal] = []
        self.number = 0

    def judge(self) -> None:
        for number, lines in enumerate(self.transcript.races, 1):
            self.number = number
            if self.game.number < number:
                self.refuse_end(f"race {self.game.number} is not over", _place(lines.places, "line"))
            for placed in lines.placed:
                self.place(placed)
            for line in lines.turns:
                self.turn(line)
            if lines.results:
                self.results(lines.results)
        if self.transcript.final:
            self.final(self.transcript.final)

    def refuse_end(self, what: str, where: Place | None) -> NoReturn:
        raise Illegal("end", f"{what}: {due(self.transcript, underway(self.game))}", "PB-23", where)

    def running(self, seat: int, where: Place | None) -> Race:
        """The race that a line belongs to."""
        if self.game.race is None or self.game.number != self.number:
            message = f"race {self.number} is over: {self.transcript.name(seat)} cannot move in it"
            raise Illegal("over", message, "PB-23", where)
        return self.game.race

    def place(self, line: PlaceLine) -> None:
        race = self.running(line.seat, _place(line.places, "line"))
        if race.placer != line.seat:
            raise Illegal("order", due(self.transcript, race), "PB-13", _place(line.places, "seat"))
        if line.at not in {free.at for free in free_places(race)}:
            raise Illegal("place", *_no_start(race, line.at), _place(line.places, "at"), _starts(race))
        self.game = place(self.game, line.at, line.facing)

    def turn(self, line: TurnLine) -> None:
        race = self.running(line.seat, _place(line.places, "line"))
        if race.mover != line.seat:
            self.out_of_turn(race, line)
        choice = self.choice(race, line)
        landing = self.landing(race, line)
        self.check_end(race, line, landing)
        self.game = turn(self.game, choice, line.rolled, landing)

    def out_of_turn(self, race: Race, line: TurnLine) -> NoReturn:
        ended = {Status.FINISHED: "has finished", Status.SUNK: "has sunk", Status.STOPPED: "has stopped"}
        status = race.entries[line.seat].status
        why = f"{self.transcript.name(line.seat)} {ended[status]}: " if status in ended else ""
        rule = "PB-13" if race.placer is not None else "PB-14"
        raise Illegal("order", why + due(self.transcript, race), rule, _place(line.places, "seat"))

    def choice(self, race: Race, line: TurnLine) -> Choice:
        hand, wanted = boat_to_move(race).hand, Choice(as_hand(line.kept), len(line.rolled))
        legal = legal_choices(race)
        if wanted in legal:
            return wanted
        told = [choice.told(hand) for choice in legal]
        spare = list(hand)
        for die in line.kept:
            if die not in spare:
                why = f"cannot keep {_dice(line.kept)}"
                raise Illegal("dice", f"a boat with {_hand(hand)} {why}", "PB-15", _place(line.places, "kept"), told)
            spare.remove(die)
        raise Illegal(
            "dice", f"a boat with {_hand(hand)} may not {wanted.told(hand)}{_why_not(race, hand, wanted)}",
            "PB-15" if hand else "PB-16", _place(line.places, "rolled"), told,
        )  # fmt: skip

    def landing(self, race: Race, line: TurnLine) -> Landing:
        hand = as_hand((*line.kept, *line.rolled))
        landings = legal_landings(race, hand)
        found = next((landing for landing in landings if landing.steer is line.facing), None)
        if found:
            return found
        boat = boat_to_move(race)
        bound = race.waters.is_redoubt(boat.at)
        why = "a boat on a redoubt may not turn" if bound else "another direction leaves fewer steps over"
        if not bound and abs((line.facing - boat.facing + 3) % 6 - 3) > 1:
            why = f"a boat facing {boat.facing.name} turns one side at most"
        message = f"with T = {sum(hand)} from {hex_name(boat.at)} {line.facing.name} is not legal: {why}"
        rule = "X1-6" if bound else "PB-17"
        raise Illegal("direction", message, rule, _place(line.places, "facing"), map(_told, landings))

    def check_end(self, race: Race, line: TurnLine, landing: Landing) -> None:
        """What the line says came of the move."""
        right = turn_line(race, line.kept, line.rolled, landing)
        boat = boat_to_move(race)
        dice = (*line.kept, *line.rolled)
        moved = f"with {'+'.join(map(str, dice)) or 'no dice'} {line.facing.name} from {hex_name(boat.at)} the boat"
        legal = [_told(landing)]
        if line.end != right.end:
            ends = f"ends on {_end(right.end)}, not {_end(line.end)}"
            raise Illegal("end-hex", f"{moved} {ends}", _rule(race, landing), _place(line.places, "end"), legal)
        where = _place(line.places, "damage") or _place(line.places, "line")
        if line.damage != right.damage:
            counters = f"has {right.damage} damage afterwards, not {line.damage}"
            rule = "X1-4" if _tiles_strike(race, landing) else "PB-20"
            raise Illegal("damage", f"{moved} {counters}", rule, where, legal)
        for word, told, true, rule in (
            ("finished", line.finished, right.finished, "PB-22"),
            ("sunk", line.sunk, right.sunk, "PB-21"),
        ):
            if told and not true:
                raise Illegal(word, f"{moved} has not {word}", rule, _place(line.places, word), legal)

    def results(self, lines: Sequence[ResultLine]) -> None:
        if self.game.number == self.number:
            self.refuse_end(f"race {self.number} has results but is not over", _place(lines[0].places, "line"))
        self.compare(lines, results_of(self.game.match.results[self.number - 1]), f"race {self.number}")

    def final(self, lines: Sequence[ResultLine]) -> None:
        if not self.game.over:
            self.refuse_end("the match has standings but is not over", _place(lines[0].places, "line"))
        self.compare(lines, final_of(self.game.match), "the match")

    def compare(self, told: Sequence[ResultLine], right: Sequence[ResultLine], what: str) -> None:
        """Note every wrong result."""
        for line, true in zip(told, right, strict=False):
            if (line.seat, line.points) != (true.seat, true.points):
                message = f"place {true.rank} of {what}: {self.transcript.name(true.seat)}, {_points(true.points)}"
                wrong = f"{message}, not seat {line.seat + 1}, {_points(line.points)}"
                self.slips.append(Illegal("result", wrong, "PB-25", _place(line.places, "line")))
        if len(told) != len(right):
            message = f"{what} has {len(right)} places, not {len(told)}"
            self.slips.append(Illegal("result", message, "PB-25", _place(told[-1].places, "line")))


def _place(places: Columns, word: str) -> Place | None:
    return places.get(word) or places.get("line")


def due(transcript: Transcript, race: Race) -> str:
    """Whose turn it is."""
    if race.placer is not None:
        return f"{transcript.name(race.placer)} places its boat next"
    return f"it is {transcript.name(race.mover or 0)}'s turn"


def _no_start(race: Race, at: Hex) -> tuple[str, str]:
    taken = any(entry.boat and entry.boat.at == at for entry in race.entries)
    why = "is taken" if taken else "is neither on the strip nor behind it"
    return f"no boat may start on {hex_name(at)}: it {why}", "PB-13"


def _starts(race: Race) -> list[str]:
    return [hex_name(free.at) for free in free_places(race)]


def _why_not(race: Race, hand: tuple[int, ...], wanted: Choice) -> str:
    """The dial or reading that forbids a choice whose dice are there."""
    readings, change = race.waters.readings, wanted.change(hand)
    if not hand and not wanted.rolled:
        return f" (first-turn={readings.first_turn.value})"
    if abs(change) > (readings.change if hand else max(1, readings.change)):
        return f": at most {readings.change} {'die is' if readings.change == 1 else 'dice are'} added or removed a turn"
    if readings.dice_max is not None and change > 0 and len(hand) + change > readings.dice_max:
        return f" (dice-max={readings.dice_max})"
    if readings.dice_stock is not None and change > 0:
        return f": the stock of {readings.dice_stock} dice is empty (dice-stock={readings.dice_stock})"
    return f" (reroll={readings.reroll.value})"


def _rule(race: Race, landing: Landing) -> str:
    """The rule that says where a move ends."""
    if _tiles_strike(race, landing):
        return "X1-4"
    if landing.boat.at != landing.way[-1]:
        return "PB-19"
    return "PB-20" if landing.crashed else "PB-18"


def _tiles_strike(race: Race, landing: Landing) -> bool:
    """Whether an expansion tile has a hand in a move: one that the boat enters, or the redoubt that it leaves."""
    left, *entered = landing.way
    return race.waters.is_redoubt(left) or any(at in race.waters.effects for at in entered)


def _told(landing: Landing) -> str:
    boat = landing.boat
    marks = ", ".join(
        word for word, true in (("crash", landing.crashed), ("finished", landing.finished), ("sunk", landing.sunk))
        if true
    )  # fmt: skip
    damage = f", damage {boat.damage}" if boat.damage else ""
    return f"{landing.steer.name} to {hex_name(boat.at)}{damage}{', ' if marks else ''}{marks}"


def _end(at: Hex | None) -> str:
    return "out of the lake" if at is None else hex_name(at)


def _dice(dice: Sequence[int]) -> str:
    return " ".join(map(str, dice))


def _hand(hand: Sequence[int]) -> str:
    return f"dice {_dice(hand)}" if hand else "no dice"


def _points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"
