"""`rulekit rules`: the numbered rules, open questions, dials and sources."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import click

from rulekit.cli.options import output_options
from rulekit.cli.output import Output, Result, terminal_width
from rulekit.rules import RuleText, find, games, load
from rulekit.rules.page import Style, markdown, page, plain

RULE_COLUMNS = ("game", "id", "section", "title", "text", "sources", "readings")
READING_COLUMNS = ("game", "name", "kind", "default", "answers", "question", "meanings", "rule", "source")


@dataclass(frozen=True)
class Document(Result):
    """A result that is a text to read: its markdown form is a document, not a table."""

    texts: Sequence[RuleText] = ()
    bold: Style = plain

    def _table(self) -> str:
        width = terminal_width(least=40, most=96)
        return "\n\n\n".join(page(text, width, self.bold) for text in self.texts)

    def _markdown(self) -> str:
        return "\n\n".join(markdown(text) for text in self.texts)


@click.command()
@click.argument("game", required=False)
@click.option("--rule", "wanted", multiple=True, metavar="ID", help="Only this rule, such as PB-12. Repeatable.")
@click.option("--readings", "only_readings", is_flag=True, help="Only the open questions and the dials.")
@output_options
def command(game: str | None, wanted: tuple[str, ...], only_readings: bool, **output: Any) -> None:
    """Show the numbered rules of a GAME (powerboats, expansion1 or ps), or of all of them.

    Messages and reports name the rules by id. Where a rule can be read in more than one way, it leaves an open question
    with a name, a default and other answers; other commands take those as --reading NAME=ANSWER.

    \b
    rulekit rules ps                      all rules of a game
    rulekit rules --rule PB-12            one rule, its questions and examples
    rulekit rules powerboats --readings   open questions, answers, dials
    """
    texts = chosen((game,) if game else games(), wanted)
    out = Output(**output)
    out.check()
    if only_readings:
        texts = [_questions_of(text) for text in texts if text.readings or text.dials]
        if not texts:
            out.note("no reading there: the rule leaves no open question")
    # click strips the bold type where no terminal reads it, but a file of -o is written as it is.
    bold = partial(click.style, bold=True) if out.output == "-" else plain
    out.emit(result(texts, only_readings, bold))


def chosen(names: Sequence[str], wanted: Iterable[str]) -> list[RuleText]:
    """The texts of the named games, cut down to the wanted rules where there are any.

    An item of `wanted` may hold several ids, parted by commas. Raises BadInput for an unknown game or rule.

    >>> [text.title for text in chosen(["powerboats", "ps"], ["ps-1,PS-3"])]
    ['PS']
    """
    texts = [load(name) for name in names]
    ids = {find(word.strip(), *names).id for item in wanted for word in item.split(",")}
    return [_cut(text, ids) for text in texts if any(rule.id in ids for rule in text.rules)] if ids else texts


def _questions_of(text: RuleText) -> RuleText:
    return replace(text, intro="", sources=(), rules=(), notes=(), examples=())


def _cut(text: RuleText, ids: set[str]) -> RuleText:
    rules = tuple(rule for rule in text.rules if rule.id in ids)
    cited = {key for rule in rules for key in rule.sources}
    return replace(
        text,
        intro="",
        rules=rules,
        notes=(),
        sources=tuple(source for source in text.sources if source.key in cited),
        readings=tuple(reading for reading in text.readings if reading.rule in ids),
        dials=tuple(dial for dial in text.dials if dial.rule in ids),
        examples=tuple(example for example in text.examples if ids & set(example.rules)),
    )


def result(texts: Sequence[RuleText], only_readings: bool, bold: Style = plain) -> Document:
    """The command's result: a row for each rule, or for each open question and dial."""
    questions = [row for text in texts for row in _questions(text)]
    rules = [{"game": text.game, **asdict(rule)} for text in texts for rule in text.rules]
    return Document(
        "rules",
        questions if only_readings else rules,
        readings={row["name"]: row["default"] for row in questions},
        more={} if only_readings else {"texts": [_about(text) for text in texts], "questions": questions},
        columns=READING_COLUMNS if only_readings else RULE_COLUMNS,
        texts=texts,
        bold=bold,
    )


def _questions(text: RuleText) -> list[dict[str, Any]]:
    return [
        {"game": text.game, "name": reading.name, "kind": "reading", "default": reading.default,
         "answers": [answer.name for answer in reading.answers], "question": reading.question,
         "meanings": {answer.name: answer.meaning for answer in reading.answers},
         "rule": reading.rule, "source": reading.source}
        for reading in text.readings
    ] + [
        {"game": text.game, "name": dial.name, "kind": "dial", "default": dial.default,
         "answers": [dial.default, "N"], "question": dial.meaning, "meanings": {"N": dial.form},
         "rule": dial.rule, "source": dial.source}
        for dial in text.dials
    ]  # fmt: skip


def _about(text: RuleText) -> dict[str, Any]:
    return {
        "game": text.game,
        "title": text.title,
        "intro": text.intro,
        "sources": {source.key: source.meaning for source in text.sources},
        "notes": [asdict(note) for note in text.notes],
        "examples": [asdict(example) for example in text.examples],
    }
