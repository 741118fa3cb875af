"""A rule text as a page to read: plain text filled to a width, or markdown."""

import textwrap
from collections.abc import Callable, Iterable
from itertools import groupby

from rulekit.rules.values import Dial, Example, Reading, Rule, RuleText

Style = Callable[[str], str]


def plain(text: str) -> str:
    """The text as it is: the style of a page without bold type."""
    return text


def page(text: RuleText, width: int, bold: Style = plain) -> str:
    """The text for a person, in lines of `width` characters at most; headings and entry titles go through `bold`."""
    blocks = [bold(_underlined(text.title, "="))]
    blocks += [filled(text.intro, width)] if text.intro else []
    for section, rules in groupby(text.rules, lambda rule: rule.section):
        blocks += _section(section, [_rule(rule, width, bold) for rule in rules], bold)
    for note in text.notes:
        blocks += _section(note.title, [filled(note.text, width)], bold)
    blocks += _section("Readings", [_reading(reading, width, bold) for reading in text.readings], bold)
    blocks += _section("Dials", [_dial(dial, width, bold) for dial in text.dials], bold)
    blocks += _section("Golden examples", [_example(example, width, bold) for example in text.examples], bold)
    sources = [f"* {source.key}  {source.meaning}" for source in text.sources]
    return "\n\n".join(blocks + _section("Sources", [filled("\n\n".join(sources), width)] if sources else [], bold))


def filled(text: str, width: int, indent: str = "") -> str:
    """Paragraphs filled to the width; list items hang and stand close together.

    >>> print(filled("One two three.\\n\\n* four five\\n\\n* six", 10, " "))
     One two
     three.
    <BLANKLINE>
     * four
       five
     * six
    """
    return _joined(_fill(paragraph, width, indent) for paragraph in text.split("\n\n"))


def _fill(paragraph: str, width: int, indent: str) -> str:
    hang = f"{indent}  " if paragraph.startswith("* ") else indent
    lines = textwrap.wrap(paragraph, width, initial_indent=indent, subsequent_indent=hang, break_on_hyphens=False)
    return "\n".join(lines)


def _joined(paragraphs: Iterable[str]) -> str:
    joined, last_item = "", False
    for paragraph in paragraphs:
        item = paragraph.lstrip().startswith(("* ", "- "))
        gap = "\n" if item and last_item else "\n\n"
        joined += f"{gap}{paragraph}" if joined else paragraph
        last_item = item
    return joined


def _underlined(title: str, line: str = "-") -> str:
    return f"{title}\n{line * len(title)}"


def _section(title: str, blocks: list[str], bold: Style) -> list[str]:
    return [bold(_underlined(title)), *blocks] if blocks else []


def _head(key: str, title: str, width: int, bold: Style) -> str:
    lines = textwrap.wrap(f"{key}  {title}", width, subsequent_indent="    ", break_on_hyphens=False)
    return bold("\n".join(lines))


def _tail(rule: Rule) -> list[str]:
    tail = [f"Sources: {', '.join(rule.sources)}"]
    return [*tail, f"Readings: {', '.join(rule.readings)}"] if rule.readings else tail


def _rule(rule: Rule, width: int, bold: Style) -> str:
    tail = "\n".join(filled(line, width, "    ") for line in _tail(rule))
    return f"{_head(rule.id, rule.title, width, bold)}\n{filled(rule.text, width, '    ')}\n\n{tail}"


def _reading(reading: Reading, width: int, bold: Style) -> str:
    answers = [
        f"* {answer.name}{' (default)' if answer.name == reading.default else ''}: {answer.meaning}"
        for answer in reading.answers
    ]
    body = filled("\n\n".join(answers), width, "    ")
    end = filled(f"{reading.rule}. Source: {reading.source}", width, "    ")
    return f"{_head(reading.name, reading.question, width, bold)}\n{body}\n{end}"


def _dial(dial: Dial, width: int, bold: Style) -> str:
    lines = (f"{dial.default} (default), or {dial.form}", f"{dial.rule}. Source: {dial.source}")
    body = "\n".join(filled(line, width, "    ") for line in lines)
    return f"{_head(dial.name, dial.meaning, width, bold)}\n{body}"


def _example(example: Example, width: int, bold: Style) -> str:
    head = _head(f"{example.number}.", example.title, width, bold)
    return f"{head}\n{filled(example.text, width, '    ')}\n    Rules: {', '.join(example.rules)}"


def markdown(text: RuleText) -> str:
    """The text as a markdown document, one heading a rule."""
    blocks = [f"# {text.title}", *([text.intro] if text.intro else [])]
    for section, rules in groupby(text.rules, lambda rule: rule.section):
        blocks += [f"## {section}", *map(_markdown_rule, rules)]
    for note in text.notes:
        blocks += [f"## {note.title}", _markdown_text(note.text)]
    blocks += ["## Readings", *map(_markdown_reading, text.readings)] if text.readings else []
    blocks += ["## Dials", *map(_markdown_dial, text.dials)] if text.dials else []
    blocks += ["## Golden examples", *map(_markdown_example, text.examples)] if text.examples else []
    sources = [f"- **{source.key}** {source.meaning}" for source in text.sources]
    return "\n\n".join(blocks + (["## Sources", "\n".join(sources)] if sources else []))


def _markdown_text(text: str) -> str:
    return _joined(f"- {part[2:]}" if part.startswith("* ") else part for part in text.split("\n\n"))


def _markdown_rule(rule: Rule) -> str:
    return f"### {rule.id} {rule.title}\n\n{_markdown_text(rule.text)}\n\n*{'. '.join(_tail(rule))}.*"


def _markdown_reading(reading: Reading) -> str:
    answers = "\n".join(
        f"- `{answer.name}`{' (default)' if answer.name == reading.default else ''}: {answer.meaning}"
        for answer in reading.answers
    )
    return f"### `{reading.name}` {reading.question}\n\n{answers}\n\n{reading.rule}. Source: {reading.source}"


def _markdown_dial(dial: Dial) -> str:
    default = f"`{dial.default}` (default), or {dial.form}"
    return f"### `{dial.name}` {dial.meaning}\n\n{default}\n\n{dial.rule}. Source: {dial.source}"


def _markdown_example(example: Example) -> str:
    rules = ", ".join(example.rules)
    return f"{example.number}. **{example.title}.** {_markdown_text(example.text)} *({rules})*"
