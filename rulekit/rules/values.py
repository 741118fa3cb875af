"""What a rule text holds: rules, open questions, dials and golden examples, as plain values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """A source's letter and what it stands for."""

    key: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A numbered rule. Paragraphs of `text` are parted by an empty line; one that begins with `* ` is a list item.

    `sources` are keys of the game's sources, `readings` names of the open questions that the rule leaves.
    """

    id: str
    title: str
    text: str
    sources: tuple[str, ...]
    readings: tuple[str, ...]
    section: str


@dataclass(frozen=True, slots=True)
class Note:
    """A section that explains and has no numbered rules."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to an open question; the name `N` stands for a whole number."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Reading:
    """An open question: its answers (the default first), the rule that leaves it open, and what the sources say."""

    name: str
    question: str
    answers: tuple[Answer, ...]
    rule: str
    source: str

    @property
    def default(self) -> str:
        """The name of the answer that holds unless told."""
        return self.answers[0].name


@dataclass(frozen=True, slots=True)
class Dial:
    """A number that a designer may turn: what it means, its default and the form of its other values."""

    name: str
    meaning: str
    default: str
    form: str
    rule: str
    source: str


@dataclass(frozen=True, slots=True)
class Example:
    """A golden example by its number, with the rules that it shows."""

    number: int
    title: str
    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleText:
    """Everything that one game's text says, in its order."""

    game: str
    title: str
    intro: str
    sources: tuple[Source, ...]
    rules: tuple[Rule, ...]
    notes: tuple[Note, ...]
    readings: tuple[Reading, ...]
    dials: tuple[Dial, ...]
    examples: tuple[Example, ...]
