"""Places of keys and values in TOML."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulekit.errors import FileFaults
from rulekit.files.findings import Findings, Place
from rulekit.files.source import Source
from rulekit.files.toml import Document, parse

TEXT = '''\
format = "x"   # a comment with [brackets] = "and quotes"
"quoted key" = 'literal'
[start]
  buoy = "E17"
a.b.c = 1
list = [ 1,
  "two", # comment, with comma
  [3, {x = 4}],
]
inline = { one = 1, "t.w.o" = """a
b""" }
[[buoy]]
number = 1
[[buoy]]
number = 2
when = 1979-05-27 07:32:00
[[buoy.inner]]
deep = -1.5e3
[buoy.table]
map = \'\'\'
. .
 .\'\'\'
esc = "a\\"]b" # x
last = """quote: "" and """""
'''


def read(text: str) -> Document:
    source = Source("t.toml", text, Path())
    return parse(source, Findings("t.toml"))


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        (("format",), (1, 1), (1, 10)),
        (("quoted key",), (2, 1), (2, 16)),
        (("start",), (3, 1), (3, 1)),
        (("start", "buoy"), (4, 3), (4, 10)),
        (("start", "a", "b", "c"), (5, 5), (5, 9)),
        (("start", "list", 0), (6, 10), (6, 10)),
        (("start", "list", 1), (7, 3), (7, 3)),
        (("start", "list", 2, 0), (8, 4), (8, 4)),
        (("start", "list", 2, 1, "x"), (8, 8), (8, 12)),
        (("start", "inline", "one"), (10, 12), (10, 18)),
        (("start", "inline", "t.w.o"), (10, 21), (10, 31)),
        (("buoy", 0), (12, 1), (12, 1)),
        (("buoy", 0, "number"), (13, 1), (13, 10)),
        (("buoy", 1, "number"), (15, 1), (15, 10)),
        (("buoy", 1, "when"), (16, 1), (16, 8)),
        (("buoy", 1, "inner", 0, "deep"), (18, 1), (18, 8)),
        (("buoy", 1, "table", "map"), (20, 1), (20, 7)),
        (("buoy", 1, "table", "esc"), (23, 1), (23, 7)),
        (("buoy", 1, "table", "last"), (24, 1), (24, 8)),
    ],
)
def test_every_key_and_value_has_its_place(
    path: tuple[str | int, ...], key: tuple[int, int], value: tuple[int, int]
) -> None:
    entry = read(TEXT).entries[path]
    assert (entry.key, entry.value) == (Place(*key), Place(*value))


def test_characters_of_strings_have_their_place() -> None:
    document = read(TEXT)
    picture = document.entry(("buoy", 1, "table", "map"))
    assert picture.at(0, 2) == Place(21, 3)
    assert picture.at(1, 1) == Place(22, 2)
    assert document.entry(("start", "buoy")).at(0, 1) == Place(4, 12)
    assert read("x = '''ab\ncd'''").entry(("x",)).at(0, 1) == Place(1, 9)


def test_a_missing_key_has_the_place_of_its_table() -> None:
    document = read(TEXT)
    assert document.entry(("start", "side")).key == Place(3, 1)
    assert document.entry(("missing", "altogether")).key == Place(1, 1)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a = \n", (1, 5)),
        ('a = 1\nb = "open\n', (2, 10)),
        ("a = 1\na = 2\n", (2, 1)),
        ("[a]\nb = 1\n[a]\n", (3, 1)),
        ("a = '''\nopen\n", (1, 5)),
        ("just words", (1, 6)),
        ("x = " + "1" * 5000, (1, 5)),
        ("x = " + "[" * 100_000, (1, 1)),
        ("d = 2000-02-31", (1, 5)),
    ],
)
def test_broken_syntax_is_a_fault_at_its_place(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(FileFaults) as raised:
        read(text)
    (fault,) = raised.value.faults
    assert (fault.code, fault.path) == ("toml", "t.toml")
    assert fault.line == place[0]
    assert fault.column is not None
    assert abs(fault.column - place[1]) <= 1  # versions of tomllib differ by one


@pytest.mark.parametrize(
    ("text", "name", "first", "second"),
    [
        ("a = 1\na = 2\n", "a", 1, (2, 1)),
        ("a = 1\na = 2", "a", 1, (2, 1)),
        ("[a]\nb = 1\n\n[a]\nc = 2\n", "a", 1, (4, 1)),
        ("[a.b]\nx = 1\n[a]\ny = 1\n[q]\n[q]\n", "q", 5, (6, 1)),
        ('map = "x"\n[start]\nbuoy = "A"\n  buoy = "B"\n', "start.buoy", 3, (4, 3)),
        ("[[t]]\nx = 1\n[[t]]\nx = 1\nx = 2\n", "t.x", 4, (5, 1)),
        ("[[t]]\nx = 1\n[t]\ny = 1\n", "t", 1, (3, 1)),
        ("t = [1]\n[[t]]\n", "t", 1, (2, 1)),
        ("x = {a = 1, a = 2}\n", "x.a", 1, (1, 13)),
        ("a = 1\na = '''\nx\n'''\n[b", "a", 1, (2, 1)),
    ],
)
def test_what_stands_twice_is_named_with_its_first_place(
    text: str, name: str, first: int, second: tuple[int, int]
) -> None:
    with pytest.raises(FileFaults) as raised:
        read(text)
    (fault,) = raised.value.faults
    assert (fault.code, fault.line, fault.column) == ("toml", *second)
    assert f"'{name}' stands here for the second time: the first is in line {first}," in fault.message


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("[t]\ny = 1\n[[t]]\nx = 1\n", "keep one of them, or write [[t]] in line 1 for a list of them"),
        ("[[t]]\nx = 1\n[t]\ny = 1\n", "keep one of them, or write [[t]] in line 3 for a list of them"),
        ("[t]\ny = 1\n[t]\nx = 1\n", "keep one of them"),
        ("t = [1]\n[[t]]\n", "keep one of them"),
    ],
)
def test_a_header_that_lacks_a_pair_of_brackets_is_told(text: str, remedy: str) -> None:
    with pytest.raises(FileFaults) as raised:
        read(text)
    (fault,) = raised.value.faults
    assert fault.message.endswith(remedy)


KEYS = st.text("abcdefgh-_1.\"' é", min_size=1, max_size=6)
SCALARS = st.one_of(st.integers(-5, 5), st.booleans(), st.text("ab#[]{}=,\"'\\\n é", max_size=8), st.just(1.5))
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)


def as_text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return as_text(value)
    if isinstance(value, list):
        return "[ " + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{as_text(key)} = {toml(one)}" for key, one in value.items()) + " }"
    return str(value)


def leaves(value: Any, path: tuple[str | int, ...]) -> Any:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, (*path, key))
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from leaves(one, (*path, index))
    else:
        yield path, value


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_the_text_at_a_values_place_is_the_value(values: dict[str, Any]) -> None:
    text = "\n# x\n".join(f"{as_text(key)}= {toml(one)}" for key, one in values.items())
    document = read(text)
    lines = text.split("\n")
    assert document.values == values
    for path, value in leaves(values, ()):
        place = document.entries[path].value
        rest = lines[place.line - 1][place.column - 1 :]
        assert rest.startswith(toml(value))
        assert tomllib.loads(f"x = {toml(value)}")["x"] == value
