"""The seats of a match as options tell them: how many, and which policy plays at each."""

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.errors import BadInput
from rulekit.powerboats.race import MOST_SEATS

BOATS = "a match", 2, MOST_SEATS, "boats (PB-4)"
CARS = "a race", 2, 4, "players with three cars each (PS-6)"
"""What takes how many of whom."""


def policies_asked(
    options: Mapping[str, Any], default: Sequence[str], known: Sequence[str], takes: tuple[str, int, int, str] = BOATS
) -> list[str]:
    """A policy for each seat from --players and --policy: as many seats as names, else as many as by default.

    Raises BadInput as `seat_policies`.
    """
    names = options["policy"].split(",") if options["policy"] else []
    players = len(default) if options["players"] is None and len(names) < 2 else options["players"]
    return seat_policies(options["policy"], players, default, known, takes)


def seat_policies(
    policy: str | None, players: int | None, default: Sequence[str], known: Sequence[str],
    takes: tuple[str, int, int, str] = BOATS,
) -> list[str]:  # fmt: skip
    """A policy for each seat, from names with commas between: one a seat, or one for all.

    Without names it is `default`, its last one repeated for more players. Raises BadInput for an unknown policy, a
    number of players that the game does not take, and names that do not fit it.
    """
    names = [name.strip() for name in policy.split(",")] if policy is not None else list(default)
    for name in names:
        _need_known(name, known)
    seats = players if players is not None else len(names)
    what, fewest, most, them = takes
    if not fewest <= seats <= most:
        raise BadInput(f"{_players(seats)}: {what} takes {fewest} to {most} {them}")
    if policy is None:
        return (names + [names[-1]] * seats)[:seats]
    if len(names) not in (1, seats):
        raise BadInput(f"{len(names)} policies for {_players(seats)}: name one for all, or one for each")
    return names * seats if len(names) == 1 else names


def _need_known(name: str, known: Sequence[str]) -> None:
    from rulekit.simulate.policies import policy_named

    policy_named(name, dict.fromkeys(known, lambda _question, _rng: 0))


def _players(seats: int) -> str:
    return "1 player" if seats == 1 else f"{seats} players"
