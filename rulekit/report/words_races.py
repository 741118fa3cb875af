"""The verdict on races in words: seats, caution, tension, luck, sinking, and the first race of a match."""

from collections.abc import Iterator, Sequence

from rulekit.report.forms import decimal, percent, whole
from rulekit.report.known import Known
from rulekit.report.parts import Level, Statement
from rulekit.study.figure import Figure
from rulekit.study.tension_figures import TO_WIN

SEAT_MATTERS = 0.04
"""Wins above or below an equal share that a group notices: with four boats this is Cohen's small effect, w = 0.1."""

CAUTION_LOSES = 0.4
"""Share of duels below which a policy clearly loses to another: two games in five."""

EARLY = 0.4
"""Share of a race that is left when it is decided, above which the others drive half a race for nothing."""

CLOSE = 0.25
"""Share of photo finishes from which on a close finish is something that players can hope for every evening."""

SINKING = 0.05
"""Share of boats that sink above which, at a table of four, somebody sits out in every fifth race or more."""

SURE_LEADER = 0.4
"""Wins of the leader above an equal share, after the first of several races, from which on the rest hardly matters."""

DECIDES = 0.9
"""Share of duels that the best play wins against greed from which on nobody can say that the dice decide."""

TRADES = 1.5
"""Choices a turn that no other beats below which less than every second turn sets speed against safety."""

SEEN = 0.1
"""Half an interval of wins: a wider one hides what players would notice, so that nothing is advised."""

CHOICES = 0.5
"""Share of turns with a real choice below which most turns are mere execution."""


def seats(known: Known) -> Statement | None:
    """Whether a seat is at a disadvantage."""
    figures = known.figures("seat-advantage")
    if not figures:
        return None
    question, fair = "Is a seat at a disadvantage?", 1 / known.evidence.seats
    told = ", ".join(f"{one.label} {_share(one, fair)}" for one in figures)
    detail = f"An equal share is {percent(fair)}. Wins in {whole(figures[0].n or 0)} races: {told}."
    sure = [one for one in figures if clear(one)]
    if not sure:
        hidden = max(_half(one) for one in figures)
        answer = f"No difference seen; one of more than {100 * hidden:.1f} wins in a hundred would have shown."
        return Statement("fine" if hidden <= SEAT_MATTERS else "unknown", question, answer, detail)
    worst = max(sure, key=lambda one: abs(one.value or 0))
    level: Level = "alert" if abs(worst.value or 0) >= SEAT_MATTERS else "watch"
    return Statement(level, question, _seats_answer(sure), detail)


def _share(figure: Figure, fair: float) -> str:
    value, low, high = (fair + (end or 0) for end in (figure.value, figure.low, figure.high))
    return f"{percent(value)} ({percent(low)} to {percent(high)})"


def clear(figure: Figure) -> bool:
    """Whether a difference is surely none of chance."""
    return figure.low is not None and figure.high is not None and (figure.low > 0 or figure.high < 0)


def _half(figure: Figure) -> float:
    return ((figure.high or 0) - (figure.low or 0)) / 2


def _seats_answer(sure: Sequence[Figure]) -> str:
    behind, ahead = ([one for one in sure if ((one.value or 0) < 0) is lower] for lower in (True, False))
    parts = [f"{seats_list(own)} than {'its' if len(own) == 1 else 'their'} share" for own in (behind, ahead) if own]
    return f"{'Yes' if behind else 'None, but one is favoured'}: {'; '.join(parts)}."


def seats_list(figures: Sequence[Figure]) -> str:
    """Seats that all win more, or all fewer, than their share."""
    names = " and ".join(one.label if not k else one.label.removeprefix("seat ") for k, one in enumerate(figures))
    points = " and ".join(f"{100 * abs(one.value or 0):.1f}" for one in figures)
    many = len(figures) > 1
    names = f"seats {names.removeprefix('seat ')}" if many else names
    less = "fewer" if (figures[0].value or 0) < 0 else "more"
    return f"{names} {'win' if many else 'wins'} {points} races in a hundred {less}"


def caution(known: Known) -> Statement | None:
    """Whether caution wins."""
    best = known.figure("skill-ladder", "solo over cautious")
    if best is None or best.value is None:
        return None
    question = "Does caution win?"
    duels = [one for one in (best, known.figure("skill-ladder", "cautious over greedy")) if one]
    told = f"{'; '.join(map(_duel, duels))}{_premium(known)}."
    shown = percent(1 - best.value)
    if best.value == 1:
        return Statement("fine", question, f"No: cautious play never beats the best in {best.n} duels.", told)
    if 1 - best.value < CAUTION_LOSES:
        return Statement("fine", question, f"No: cautious play beats the best in only {shown} of duels.", told)
    if best.value < 0.5:
        return Statement("alert", question, f"Yes: cautious play wins {shown} of its duels with the best.", told)
    answer = f"It is no mistake: cautious play wins {shown} of its duels with the best."
    return Statement("watch", question, answer, told)


def _premium(known: Known) -> str:
    turns = known.value("safety-premium")
    return "" if turns is None else f"; the safest race takes {decimal(turns)} turns more than the fastest (exact)"


def _duel(figure: Figure) -> str:
    ends = "" if figure.low is None or figure.high is None else f" ({percent(figure.low)} to {percent(figure.high)})"
    return f"{figure.label} {percent(figure.value or 0)}{ends} in {whole(figure.n or 0)} races"


def play(known: Known) -> Statement | None:
    """Whether play matters."""
    best = known.figure("skill-ladder", "solo over greedy")
    if best is None or best.value is None:
        return None
    question, shown = "Do the players decide, or the dice?", percent(best.value)
    duels = [one for one in (best, known.figure("skill-ladder", "greedy over random")) if one]
    told = f"{'; '.join(map(_duel, duels))}."
    if best.value >= DECIDES:
        return Statement("fine", question, f"The players: the best play beats greed in {shown} of duels.", told)
    answer = f"Both: the best play beats greed in {shown} of duels, the dice leave it the rest."
    return Statement("watch" if best.value < 1 - CAUTION_LOSES else "fine", question, answer, told)


def choices(known: Known) -> Statement | None:
    """Whether there is anything to decide."""
    share, free = known.value("choice-turns"), known.value("choices-a-turn", "not dominated in turns and crash risk")
    if share is None or free is None:
        return None
    question = "Is there something to choose in a turn?"
    forced = known.value("forced-turns")
    detail = f"With one direction only: {percent(forced)} of turns." if forced is not None else ""
    told = f"{percent(share)} of turns offer dice choices that differ, {decimal(free)} a turn that no other beats"
    if share < CHOICES:
        return Statement("alert", question, f"Seldom: {told}.", detail)
    if free < TRADES:
        return Statement("watch", question, f"Yes, but seldom speed against safety: {told}.", detail)
    return Statement("fine", question, f"Yes: {told}.", detail)


def decided(known: Known) -> Statement | None:
    """Whether races are decided early."""
    left = known.value("left-when-decided", TO_WIN)
    if left is None:
        return None
    question, dead = "Is it decided early?", known.value("dead-time", "before the winner is home")
    parts = [] if dead is None else [f"one boat has as good as won in {percent(dead)} of the rounds before it is home"]
    half = known.value("leader-at-half")
    if half is not None:
        parts.append(f"the leader at half of the race wins {percent(half + 1 / known.evidence.seats)}")
    detail = f"{'; '.join(parts).capitalize()}." if parts else ""
    answer = f"the winner is the favourite for good when {percent(left)} of the way to the win is left"
    if left > EARLY:
        return Statement("alert", question, f"Yes: {answer}.", detail)
    return Statement("fine", question, f"No: {answer}.", detail)


def close(known: Known) -> Statement | None:
    """Whether finishes are close."""
    share = known.figure("photo-finish")
    if share is None or share.value is None:
        return None
    margin, changes = known.value("closeness"), known.value("lead-changes")
    parts = [] if margin is None else [f"in half of the races the second is at most {decimal(margin)} turns behind"]
    parts += [] if changes is None else [f"{decimal(changes)} lead changes a round"]
    answer = f"{percent(share.value)} of races end with two boats home in one round."
    detail = f"{'; '.join(parts).capitalize()}." if parts else ""
    return Statement("fine" if share.value >= CLOSE else "watch", "Are finishes close?", answer, detail)


def sinking(known: Known) -> Statement | None:
    """Whether boats arrive."""
    sunk = known.figure("sink-rate")
    if sunk is None or sunk.value is None:
        return None
    question = "Does everybody arrive?"
    capped = known.value("cap-rate") or 0.0
    detail = f"{percent(capped)} of races were given up at the turn cap." if capped else ""
    told = f"{percent(sunk.value)} of boats sink (95 %: {percent(sunk.low or 0)} to {percent(sunk.high or 0)})"
    if sunk.value > SINKING:
        return Statement("alert", question, f"No: {told}.", detail)
    return Statement("fine", question, f"Nearly always: {told}." if sunk.value else f"Yes: {told}.", detail)


def snowball(known: Known) -> Statement | None:
    """Whether an early lead decides a match."""
    first = known.figure("match-leader", "race 1")
    if first is None or first.value is None:
        return None
    fair = 1 / known.evidence.seats
    question = "Does the first race decide the match?"
    answer = f"Its leader wins {percent(fair + first.value)} of matches, where {percent(fair)} would be an equal share."
    return Statement("alert" if first.value > SURE_LEADER else "fine", question, answer)


def advice(known: Known) -> Iterator[str]:
    """What to change, from what races tell."""
    left = known.value("left-when-decided", TO_WIN)
    if left is not None and left > EARLY:
        yield (
            f"The winner is known with {percent(left)} of the way to the win to go: a shorter course, more boats, or "
            "the tiles of Expansion 1 leave more to the last leg."
        )
    played = known.figures("restricted-play")
    idle = [one for one in played if one.low is not None and one.low <= 0 and _half(one) <= SEEN]
    if idle:
        told = ", ".join(f"“{one.label}”" for one in idle)
        yield (
            f"Boats that play under {told} win as often as those that may do everything (no difference seen): the rule "
            "can go, or needs to be worth more."
        )
    sunk = known.value("sink-rate")
    if sunk is not None and sunk > SINKING:
        yield f"{percent(sunk)} of boats sink: let them bear more (`--reading sink-at=5` tries it), or open the water."
