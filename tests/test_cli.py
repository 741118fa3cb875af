"""The frame of the command line: help, common options, exit codes, errors, pipes and signals."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from rulekit import __version__
from rulekit.cli import COMMANDS, cli
from rulekit.cli.options import output_options
from rulekit.errors import BadInput, Fault, FileExists, FileFaults, RulekitError

HEAVY = {"dask", "jinja2", "matplotlib", "networkx", "numba", "numpy", "scipy", "tabulate"}
HELP = Path(__file__).parent / "cases" / "help"
PICTURES = {"draw"}  # commands whose result is a picture: its form is the suffix of -o's file
WRITE_GOLDEN = "RULEKIT_WRITE_GOLDEN"  # set, the golden help texts are written anew: look at their diff


def command_of(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


def run(*args: str, **env: str) -> Result:
    """A command line run in this process."""
    return CliRunner().invoke(cli, args, prog_name="rulekit", env=env)


def python(code: str, **extra: Any) -> subprocess.CompletedProcess[str]:
    """Code run in a process of its own."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, **extra)


def sub(*args: str, **extra: Any) -> subprocess.CompletedProcess[str]:
    """A command line run in a process of its own, without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "rulekit", *args], capture_output=True, text=True, timeout=60, check=False, **extra
    )


Register = Callable[[Callable[..., None]], None]


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch) -> Register:
    """Registers a function as the command `probe`, with the common output options."""

    def register(function: Callable[..., None]) -> None:
        module = types.ModuleType("rulekit.cli.probe")
        vars(module)["command"] = click.command("probe")(output_options(function))
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(COMMANDS, "probe", "a command of the tests")

    return register


# Help


@pytest.mark.parametrize("name", ["rulekit", *COMMANDS])
def test_help_text_is_the_golden_one(name: str) -> None:
    shown = run(*([name] if name in COMMANDS else []), "--help", COLUMNS="100").stdout
    golden = HELP / f"{name}.txt"
    if os.environ.get(WRITE_GOLDEN):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(shown, encoding="utf-8")
    assert golden.exists(), f"a new command: run this test with {WRITE_GOLDEN}=1 and read the file it writes"
    assert shown == golden.read_text(encoding="utf-8")


def test_no_golden_help_of_a_command_that_is_gone() -> None:
    assert {path.stem for path in HELP.iterdir()} == {"rulekit", *COMMANDS}


def examples(name: str) -> list[list[str]]:
    """The words of each example line in a command's help, with the remark behind two spaces cut off."""
    command = command_of(name)
    text = f"{command.help or ''}\n{command.epilog or ''}"
    lines = re.findall(rf"^\s*(rulekit {re.escape(name)}\b.*)$", text, re.MULTILINE)
    return [shlex.split(re.split(r"\s{2,}", line)[0]) for line in lines]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_examples_with_options_that_it_has(name: str) -> None:
    options = {text for param in command_of(name).params for text in (*param.opts, *param.secondary_opts)}
    shown = examples(name)
    assert shown
    for example in shown:
        piped = example[: example.index("|")] if "|" in example else example
        used = {word.split("=")[0] for word in piped if re.match(r"--?[a-zA-Z]", word)}
        assert used <= options, shlex.join(example)


@pytest.mark.parametrize("name", ["rulekit", *COMMANDS])
def test_examples_fit_eighty_columns(name: str) -> None:
    shown = run(*([name] if name in COMMANDS else []), "--help", COLUMNS="100").stdout
    wide = [line for line in shown.splitlines() if line.lstrip().startswith("rulekit ") and len(line) > 80]
    assert not wide


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name: str) -> None:
    mute = [param.name for param in command_of(name).params if isinstance(param, click.Option) and not param.help]
    assert not mute


@pytest.mark.parametrize("args", [["-h"], ["odds", "-h"]])
def test_short_help(args: list[str]) -> None:
    assert run(*args).stdout == run(*[arg.replace("-h", "--help") for arg in args]).stdout


def test_no_arguments_shows_the_overview() -> None:
    outcome = run()
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("Usage: rulekit")


# Weight


def test_overview_loads_nothing_heavy() -> None:
    loaded = python(
        "import sys; from rulekit.cli import cli\n"
        "try: cli(['--help'])\n"
        "except SystemExit: print('\\n' + ' '.join(sys.modules))"
    ).stdout.splitlines()[-1]
    assert {name.split(".")[0] for name in loaded.split()} & HEAVY == set()
    assert "rulekit.cli" in loaded
    assert "rulekit.cli.odds" not in loaded


def test_modules_of_the_commands_load_nothing_heavy() -> None:
    names = [f"rulekit.cli.{name.replace('-', '_')}" for name in COMMANDS]
    code = f"import sys, importlib\nfor name in {names}: importlib.import_module(name)\nprint(' '.join(sys.modules))"
    loaded = python(code).stdout
    assert {name.split(".")[0] for name in loaded.split()} & HEAVY == set()
    assert set(names) <= set(loaded.split())


# Common options


@pytest.mark.parametrize("args", [["--version"], *([name, "--version"] for name in COMMANDS)])
def test_version(args: list[str]) -> None:
    assert run(*args).output == f"rulekit {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_the_common_options(name: str) -> None:
    options = {param.name: param for param in command_of(name).params}
    common = {
        "fmt": ["-f", "--format"],
        "output": ["-o", "--output"],
        "overwrite": ["--overwrite"],
        "quiet": ["-q", "--quiet"],
        "verbose": ["-v", "--verbose"],
        "color": ["--color"],
        "version": ["--version"],
    }
    if name in PICTURES:
        del common["fmt"]
    else:
        forms = options["fmt"].type
        assert isinstance(forms, click.Choice)
        assert tuple(forms.choices) == ("table", "json", "csv", "markdown")
    assert {key: options[key].opts for key in common if key in options} == common
    assert options["color"].secondary_opts == ["--no-color"]


def test_a_short_option_means_the_same_in_every_command() -> None:
    meanings = {
        (short, max(param.opts, key=len))
        for name in COMMANDS
        for param in command_of(name).params
        for short in param.opts
        if re.fullmatch(r"-\w", short)
    }
    assert len(meanings) == len({short for short, _ in meanings})
    assert meanings <= {
        ("-f", "--format"),
        ("-o", "--output"),
        ("-q", "--quiet"),
        ("-v", "--verbose"),
        ("-j", "--jobs"),
    }


# Errors and exit codes


def test_unknown_command_names_the_near_miss() -> None:
    outcome = run("ods")
    assert outcome.exit_code == 2
    assert "error: there is no command 'ods' (did you mean 'odds'?)" in outcome.stderr
    assert not outcome.stdout


def test_unknown_option_names_the_near_miss() -> None:
    outcome = run("rules", "--redings")
    assert outcome.exit_code == 2
    assert "error: No such option '--redings'" in outcome.stderr
    assert "--readings" in outcome.stderr


def test_a_wrong_option_shows_the_usage_of_its_command() -> None:
    outcome = run("rules", "--format", "xml")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("Usage: rulekit rules ")
    assert "error: Invalid value for '-f' / '--format': 'xml'" in outcome.stderr


@pytest.mark.parametrize(
    ("fault", "code", "text"),
    [
        (BadInput("speed 99 is beyond the dice"), 2, "error: speed 99 is beyond the dice\n"),
        (FileExists("a.toml exists already"), 2, "error: a.toml exists already\n"),
        (
            FileFaults([Fault("error", "side", "no side 'lefft'", "a.toml", 3, 8), Fault("error", "end", "cut off")]),
            2,
            "a.toml:3:8: error: no side 'lefft' [side]\nerror: cut off [end]\n",
        ),
        (PermissionError(13, "Permission denied", "/a/b"), 2, "error: /a/b: Permission denied\n"),
        (KeyboardInterrupt(), 130, "\ninterrupted\n"),
    ],
    ids=lambda part: type(part).__name__,
)
def test_what_stops_a_command(probe: Register, fault: BaseException, code: int, text: str) -> None:
    @probe
    def _(**_: Any) -> None:
        raise fault

    outcome = run("probe")
    assert (outcome.exit_code, outcome.stderr, outcome.stdout) == (code, text, "")


def test_an_exit_code_of_a_fault_is_what_the_command_ends_with(probe: Register) -> None:
    class Incomplete(RulekitError):
        exit_code = 3

    @probe
    def _(**_: Any) -> None:
        raise Incomplete("two of nine courses are missing")

    assert run("probe").exit_code == 3


def test_a_defect_of_ours_is_not_hidden(probe: Register) -> None:
    @probe
    def _(**_: Any) -> None:
        raise ZeroDivisionError

    assert isinstance(run("probe").exception, ZeroDivisionError)


def test_a_command_ends_with_the_code_that_it_asks_for(probe: Register) -> None:
    @probe
    def _(**_: Any) -> None:
        click.get_current_context().exit(1)

    assert run("probe").exit_code == 1


# Colours


@pytest.mark.parametrize(
    ("args", "env", "coloured"),
    [
        ([], {}, False),
        (["--color"], {}, True),
        (["--no-color"], {}, False),
        (["--color"], {"NO_COLOR": "1"}, True),
        ([], {"NO_COLOR": "1"}, False),
    ],
)
def test_colours_away_from_a_terminal(probe: Register, args: list[str], env: dict[str, str], coloured: bool) -> None:
    @probe
    def _(**_: Any) -> None:
        click.secho("crash", fg="red")

    assert run("probe", *args, **env).stdout == ("\x1b[31mcrash\x1b[0m\n" if coloured else "crash\n")


PROBE_ON_A_TERMINAL = """
import sys, types, click
from rulekit.cli import COMMANDS, cli
from rulekit.cli.options import output_options
module = sys.modules["rulekit.cli.probe"] = types.ModuleType("rulekit.cli.probe")
COMMANDS["probe"] = "a command of the tests"
module.command = click.command("probe")(output_options(lambda **_: click.secho("crash", fg="red")))
cli(["probe"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True)])
def test_colours_on_a_terminal(env: dict[str, str], coloured: bool) -> None:
    import pty

    ours, theirs = pty.openpty()
    inherited = {key: text for key, text in os.environ.items() if key != "NO_COLOR"}
    subprocess.run([sys.executable, "-c", PROBE_ON_A_TERMINAL], stdout=theirs, env={**inherited, **env}, check=True)
    os.close(theirs)
    shown = os.read(ours, 1000).decode()
    os.close(ours)
    assert ("\x1b[31m" in shown) == coloured
    assert "crash" in shown


# Pipes, files and signals


def test_without_a_terminal_there_are_no_escape_codes() -> None:
    outcome = sub("rules", "powerboats")
    assert outcome.returncode == 0
    assert "\x1b" not in outcome.stdout
    assert not outcome.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX pipe")
def test_a_reader_that_goes_away_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    outcome = subprocess.run(
        [sys.executable, "-m", "rulekit", "rules"], stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False
    )
    os.close(writer)
    assert (outcome.returncode, outcome.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told_without_a_traceback() -> None:
    with Path("/dev/full").open("w") as full:
        outcome = subprocess.run(
            [sys.executable, "-m", "rulekit", "rules"], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert (outcome.returncode, outcome.stderr) == (2, b"error: output: No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("validate-course - <&- >&2", 2, "error: cannot read standard input: it is closed"),
        ("draw - <&-", 2, "error: cannot read standard input: it is closed\n"),
        ("play practice-a <&-", 2, "error: standard input or output is closed: leave it open, or name a file\n"),
        ("odds --dice 1 >&-", 2, "error: standard input or output is closed: leave it open, or name a file\n"),
        ("draw practice -o - >&-", 2, "error: standard input or output is closed: leave it open, or name a file\n"),
        ("odds --dice 1 -o /dev/null >&-", 0, "wrote /dev/null\n"),
        ("odds --dice 9 2>&-", 2, ""),
        ("odds --dice 1 --damage 1 2>&- >/dev/null", 0, ""),
    ],
)
def test_closed_streams(words: str, code: int, told: str, tmp_path: Path) -> None:
    outcome = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m rulekit {words}"], cwd=tmp_path, capture_output=True, text=True,
        timeout=60, check=False, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )  # fmt: skip
    assert (outcome.returncode, told in outcome.stderr, "Traceback" in outcome.stderr) == (code, True, False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["odds", "--speed", "abc"], ["odds", "--dice", "9"], ["validate-course", "gone"]])
def test_a_full_disk_under_stderr_leaves_the_exit_code(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        outcome = subprocess.run(
            [sys.executable, "-m", "rulekit", *words], stdout=subprocess.DEVNULL, stderr=full, timeout=60, check=False
        )
    assert outcome.returncode == 2


def test_a_terminal_that_lacks_a_character_gets_a_question_mark() -> None:
    env = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    code = "from rulekit.cli import cli, main\ncli.help = 'a\\u2212b'\nmain()"
    outcome = subprocess.run(
        [sys.executable, "-c", code, "--help"], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert "a?b" in outcome.stdout
    assert (outcome.returncode, outcome.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_ends_with_130_and_no_traceback() -> None:
    code = """
import sys, time, types, click
from rulekit.cli import COMMANDS, main
module = sys.modules["rulekit.cli.probe"] = types.ModuleType("rulekit.cli.probe")
COMMANDS["probe"] = "a command of the tests"
module.command = click.command("probe")(lambda: (click.echo("started"), time.sleep(60)))
main()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code, "probe"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stderr.strip() == "interrupted"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_while_modules_load_shows_no_traceback() -> None:
    slow = "import sys; print('loading', flush=True); import time; time.sleep(60)"
    code = f"""
import sys
class Finder:
    def find_spec(self, name, *_):
        if name == "rulekit.cli":
            exec({slow!r})
sys.meta_path.insert(0, Finder())
from rulekit.__main__ import main
main()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "loading\n"
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (-signal.SIGINT, "")


def test_output_file_is_written_and_kept_unless_told(tmp_path: Path) -> None:
    target = tmp_path / "rules.json"
    first = run("rules", "-f", "json", "-o", str(target))
    assert (first.exit_code, first.stdout, first.stderr) == (0, "", f"wrote {target}\n")
    assert json.loads(target.read_text(encoding="utf-8"))["command"] == "rules"
    written = target.read_bytes()

    refused = run("rules", "-o", str(target))
    assert refused.exit_code == 2
    assert refused.stderr.startswith(f"error: {target} exists already")
    assert target.read_bytes() == written

    replaced = run("rules", "-f", "csv", "-o", str(target), "--overwrite", "-q")
    assert (replaced.exit_code, replaced.output) == (0, "")
    assert target.read_bytes() != written
    assert [path.name for path in tmp_path.iterdir()] == ["rules.json"]


@pytest.mark.parametrize("place", [".", "no-such-folder/rules.txt"])
def test_output_file_that_cannot_be_written(tmp_path: Path, place: str) -> None:
    outcome = run("rules", "--overwrite", "-o", str(tmp_path / place))
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("error: ")


def test_json_has_the_common_keys() -> None:
    result = json.loads(run("rules", "-f", "json").stdout)
    assert {"rulekit", "command", "seed", "readings", "rows", "timing"} <= set(result)
    assert (result["rulekit"], result["seed"]) == (__version__, None)
    assert result["rows"]
