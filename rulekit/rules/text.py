"""The text form of a game's rules, read into values.

    Title                          the first line, underlined with `=`, then an introduction
    Section                        underlined with `-`
    PB-12  Gates and progress      an entry: its key, two spaces, its title; what follows is indented
        A paragraph.
        * A list item.
        Sources: B, R              fields close an entry

Entries with rule ids make rules, wherever they stand; a section of bare text is a note. Four sections have entries of
their own kind: Sources, Readings, Dials and Golden examples. All faults are collected with their lines.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from rulekit.errors import Fault, FileFaults, did_you_mean, one_of
from rulekit.rules.values import Answer, Dial, Example, Note, Reading, Rule, RuleText, Source

RULE_ID = re.compile(r"[A-Z][A-Z0-9]*-[1-9][0-9]*")
_ENTRY = re.compile(r"(\S+) {2,}(\S.*)")
_FIELD = re.compile(r"([A-Z][a-z]+): +(\S.*)")
_UNDERLINE = re.compile(r"={3,}|-{3,}|==")

Value = TypeVar("Value")


@dataclass(slots=True)
class _Entry:
    key: str
    title: str
    line: int
    paragraphs: list[str] = field(default_factory=list)
    fields: list[tuple[str, str, int]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n\n".join(self.paragraphs)

    def values(self, name: str) -> list[str]:
        return [value for known, value, _ in self.fields if known == name]

    def words(self, name: str) -> tuple[str, ...]:
        return tuple(word.strip() for value in self.values(name) for word in value.split(","))


@dataclass(slots=True)
class _Section:
    title: str
    line: int
    paragraphs: list[str] = field(default_factory=list)
    entries: list[_Entry] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Kind:
    """The fields of a section's entries: those that must stand exactly once, and those that may stand any number."""

    once: tuple[str, ...] = ()
    several: tuple[str, ...] = ()

    def known(self) -> tuple[str, ...]:
        return self.once + self.several


_RULES = _Kind(once=("Sources",), several=("Readings",))
_SECTIONS: Mapping[str, _Kind] = {
    "Sources": _Kind(),
    "Readings": _Kind(once=("Default", "Rule", "Source"), several=("Other",)),
    "Dials": _Kind(once=("Default", "Form", "Rule", "Source")),
    "Golden examples": _Kind(once=("Rules",)),
}


class _Reader:
    """Reads lines into sections and keeps the faults."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.faults: list[Fault] = []
        self.sections: list[_Section] = []
        self._joining = False

    def fault(self, code: str, message: str, line: int, rule: str | None = None) -> None:
        self.faults.append(Fault("error", code, message, self.path, line, None, rule))

    def stop_if_faulty(self) -> None:
        if self.faults:
            raise FileFaults(self.faults)

    def read(self, lines: Sequence[str]) -> None:
        numbered = iter(enumerate(lines, 1))
        for number, line in numbered:
            underline = lines[number].rstrip() if number < len(lines) else ""
            if line.strip() and not line.startswith(" ") and _UNDERLINE.fullmatch(underline):
                self._head(line.strip(), underline, number)
                next(numbered)
            else:
                self._line(line.rstrip(), number)

    def _head(self, title: str, underline: str, number: int) -> None:
        first = not any(section.title for section in self.sections)
        if underline.startswith("=") is not first:
            self.fault("title", "the first heading, and no other, is underlined with '='", number)
        self.sections.append(_Section(title, number))
        self._joining = False

    def _line(self, line: str, number: int) -> None:
        if not line:
            self._joining = False
        elif not self.sections:
            self.fault("title", "the text begins with its title, underlined with '='", number)
            self.sections.append(_Section("", number))
        elif line.startswith(" "):
            self._indented(line.strip(), number)
        else:
            self._flush_left(line, number)

    def _flush_left(self, line: str, number: int) -> None:
        section = self.sections[-1]
        if found := _ENTRY.fullmatch(line):
            section.entries.append(_Entry(found[1], found[2], number))
            self._joining = False
        elif section.entries:
            self.fault("entry", "an entry's key and title are parted by two spaces, and its text is indented", number)
        else:
            self._add(section.paragraphs, line)

    def _indented(self, line: str, number: int) -> None:
        section = self.sections[-1]
        if not section.entries:
            self._add(section.paragraphs, line)
            return
        entry = section.entries[-1]
        found = _FIELD.fullmatch(line)
        if found and (entry.fields or not self._joining):
            entry.fields.append((found[1], found[2], number))
            self._joining = True
        elif entry.fields:
            self._continue_field(entry, line, number)
        else:
            self._add(entry.paragraphs, line)

    def _continue_field(self, entry: _Entry, line: str, number: int) -> None:
        if not self._joining:
            self.fault("field", "text after the fields that close an entry", number)
            return
        name, value, start = entry.fields[-1]
        entry.fields[-1] = (name, f"{value} {line}", start)

    def _add(self, paragraphs: list[str], line: str) -> None:
        if self._joining and paragraphs and not line.startswith("* "):
            paragraphs[-1] += f" {line}"
        else:
            paragraphs.append(line)
        self._joining = True


def parse(game: str, text: str, path: str) -> RuleText:
    """The rule text of `game`; `path` names it in faults.

    Raises FileFaults with every fault of a stage: first those of the form, then those of the contents.

    >>> lines = ["Tiny", "====", "Sources", "---", "R  Us", "Now", "---", "T-1  Win", "  Be first.", "", "  Sources: R"]
    >>> tiny = parse("tiny", "\\n".join(lines), "tiny.txt")
    >>> tiny.rules[0]
    Rule(id='T-1', title='Win', text='Be first.', sources=('R',), readings=(), section='Now')
    """
    reader = _Reader(path)
    reader.read(text.splitlines())
    if not reader.sections:
        reader.fault("title", "the text is empty", 1)
    reader.stop_if_faulty()
    _check_fields(reader)
    reader.stop_if_faulty()
    made = _rule_text(game, reader)
    _check_names(made, reader)
    reader.stop_if_faulty()
    return made


def _kind(section: _Section) -> _Kind:
    return _SECTIONS.get(section.title, _RULES)


def _entries(reader: _Reader) -> Iterator[tuple[_Section, _Entry]]:
    for section in reader.sections:
        for entry in section.entries:
            yield section, entry


def _check_fields(reader: _Reader) -> None:
    for section, entry in _entries(reader):
        kind = _kind(section)
        _check_key(section, entry, reader)
        for name, value, line in entry.fields:
            if name not in kind.known():
                known = one_of(kind.known()) if kind.known() else "none"
                near = did_you_mean(name.capitalize(), kind.known())
                reader.fault("field", f"no field '{name}' here; the fields are {known}{near}", line)
            elif name in ("Default", "Other") and section.title == "Readings" and " = " not in value:
                reader.fault("field", "an answer is written NAME = MEANING", line)
        for name in kind.once:
            if (count := len(entry.values(name))) != 1:
                fault = f"'{entry.key}' has {count or 'no'} field{'s' * (count > 1)} '{name}'; it needs one"
                reader.fault("field", fault, entry.line)
        if section.title == "Readings" and not entry.values("Other"):
            reader.fault("field", f"'{entry.key}' has no other answer than the default", entry.line)


def _check_key(section: _Section, entry: _Entry, reader: _Reader) -> None:
    if section.title == "Golden examples" and not entry.key.isdecimal():
        reader.fault("entry", f"an example's key is its number, not '{entry.key}'", entry.line)
    elif section.title not in _SECTIONS and not RULE_ID.fullmatch(entry.key):
        reader.fault("rule-id", f"'{entry.key}' is no rule id such as PB-12", entry.line)


def _rule_text(game: str, reader: _Reader) -> RuleText:
    head, *sections = reader.sections
    return RuleText(
        game=game,
        title=head.title,
        intro="\n\n".join(head.paragraphs),
        sources=_of("Sources", _source, sections),
        rules=tuple(_rule(entry, part.title) for part in sections if _kind(part) is _RULES for entry in part.entries),
        notes=tuple(Note(part.title, "\n\n".join(part.paragraphs)) for part in sections if part.paragraphs),
        readings=_of("Readings", _reading, sections),
        dials=_of("Dials", _dial, sections),
        examples=_of("Golden examples", _example, sections),
    )


def _of(title: str, make: Callable[[_Entry], Value], sections: Iterable[_Section]) -> tuple[Value, ...]:
    return tuple(make(entry) for section in sections if section.title == title for entry in section.entries)


def _source(entry: _Entry) -> Source:
    return Source(entry.key, " ".join([entry.title, *entry.paragraphs]))


def _rule(entry: _Entry, section: str) -> Rule:
    return Rule(entry.key, entry.title, entry.text, entry.words("Sources"), entry.words("Readings"), section)


def _reading(entry: _Entry) -> Reading:
    texts = entry.values("Default") + entry.values("Other")
    answers = tuple(Answer(*text.split(" = ", 1)) for text in texts)
    return Reading(entry.key, entry.title, answers, entry.values("Rule")[0], entry.values("Source")[0])


def _dial(entry: _Entry) -> Dial:
    default, form, rule, source = (entry.values(name)[0] for name in ("Default", "Form", "Rule", "Source"))
    return Dial(entry.key, entry.title, default, form, rule, source)


def _example(entry: _Entry) -> Example:
    return Example(int(entry.key), entry.title, entry.text, entry.words("Rules"))


def _check_names(made: RuleText, reader: _Reader) -> None:
    _check_numbers(made, reader)
    lines = {entry.key: entry.line for section, entry in _entries(reader) if section.title != "Sources"}
    sources = [source.key for source in made.sources]
    readings = [reading.name for reading in made.readings]
    rules = {rule.id: rule for rule in made.rules}
    for rule in made.rules:
        _check_known("source", rule.sources, sources, lines[rule.id], reader)
        _check_known("reading", rule.readings, readings, lines[rule.id], reader)
    for reading in made.readings:
        home = rules.get(reading.rule)
        if home is None or reading.name not in home.readings:
            fault = f"rule '{reading.rule}' does not name the reading '{reading.name}'"
            reader.fault("reading", fault, lines[reading.name], reading.rule)


def _check_numbers(made: RuleText, reader: _Reader) -> None:
    """Keys stand once in a section; a game's rules share a prefix and count from 1, and so do the examples."""
    seen: set[tuple[str, str]] = set()
    for section, entry in _entries(reader):
        scope = "rules" if _kind(section) is _RULES else section.title
        if (scope, entry.key) in seen:
            reader.fault("duplicate", f"'{entry.key}' stands twice", entry.line)
        seen.add((scope, entry.key))
    prefix = made.rules[0].id.partition("-")[0] if made.rules else ""
    _check_count([rule.id for rule in made.rules], f"{prefix}-", reader)
    _check_count([str(example.number) for example in made.examples], "", reader)


def _check_count(keys: Sequence[str], prefix: str, reader: _Reader) -> None:
    for number, key in enumerate(keys, 1):
        if key != f"{prefix}{number}":
            line = next(entry.line for _, entry in _entries(reader) if entry.key == key)
            reader.fault("number", f"'{key}' stands where '{prefix}{number}' is due", line)
            return


def _check_known(what: str, names: Iterable[str], known: Sequence[str], line: int, reader: _Reader) -> None:
    for name in names:
        if name not in known:
            reader.fault(what, f"there is no {what} '{name}'{did_you_mean(name, known)}", line)
