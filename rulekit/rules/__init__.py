"""The numbered rules of the games, from one text file a game.

>>> pb12 = find("PB-12")
>>> pb12.title, pb12.sources
('Gates, progress and the route', ('R',))
>>> [answer.name for answer in load("powerboats").readings[0].answers]
['any', 'one']
"""

import re
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from rulekit.errors import BadInput, did_you_mean, one_of
from rulekit.rules.text import parse
from rulekit.rules.values import Answer, Dial, Example, Note, Reading, Rule, RuleText, Source

__all__ = [
    "Answer",
    "Dial",
    "Example",
    "Note",
    "Reading",
    "Rule",
    "RuleText",
    "Source",
    "find",
    "games",
    "load",
    "parse",
    "rule_ids",
]

_GAMES = ("powerboats", "expansion1", "ps")


def games() -> tuple[str, ...]:
    """The games that have a rule text.

    >>> games()
    ('powerboats', 'expansion1', 'ps')
    """
    return _GAMES


@cache
def load(game: str) -> RuleText:
    """The rule text of a game.

    Raises BadInput for an unknown game, FileFaults for a damaged text.

    >>> load("ps").title
    'PS'
    >>> load("boats")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rulekit.errors.BadInput: there is no game 'boats' (did you mean 'powerboats'?); the games are ...
    """
    if game not in _GAMES:
        raise BadInput(f"there is no game '{game}'{did_you_mean(game, _GAMES)}; the games are {one_of(_GAMES)}")
    name = f"{game}.txt"
    return parse(game, files(__name__).joinpath(name).read_text(encoding="utf-8"), name)


def rule_ids(*names: str) -> tuple[str, ...]:
    """The ids of all rules of the named games, or of all games, in their order.

    >>> rule_ids("expansion1")[:2], len(rule_ids())
    (('X1-1', 'X1-2'), 61)
    """
    return tuple(rule.id for name in names or _GAMES for rule in load(name).rules)


def find(rule_id: str, *names: str) -> Rule:
    """The rule of that id, upper or lower case, among the named games or all.

    Raises BadInput, with the near miss, if there is none.

    >>> find("x1-8").title
    'Maelstrom'
    >>> find("PB12")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rulekit.errors.BadInput: there is no rule 'PB12' (did you mean 'PB-12'?); the rules are PB-1 to PB-27, ...
    """
    rules = {rule.id: rule for name in names or _GAMES for rule in load(name).rules}
    if (rule := rules.get(rule_id.upper())) is None:
        raise BadInput(f"there is no rule '{rule_id}'{_near(rule_id, tuple(rules))}; the rules are {_spans(names)}")
    return rule


def _near(rule_id: str, ids: tuple[str, ...]) -> str:
    """The near miss: the prefix that is spelled most alike, with its nearest number."""
    prefixes = {known.partition("-")[0] for known in ids}
    found = re.fullmatch(r"(.*?)[-\s_.]*([0-9]+)", rule_id.upper())
    prefix = get_close_matches(found[1], sorted(prefixes), n=1, cutoff=0.5) if found else []
    if not found or not prefix:
        return ""
    number = min(int(found[2]), sum(known.startswith(f"{prefix[0]}-") for known in ids))
    return f" (did you mean '{prefix[0]}-{max(number, 1)}'?)"


def _spans(names: tuple[str, ...]) -> str:
    return ", ".join(f"{rule_ids(name)[0]} to {rule_ids(name)[-1]}" for name in names or _GAMES)
