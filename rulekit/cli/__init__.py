"""The command line: one file a command; each parses, calls one library function and prints.

`COMMANDS` is the registry. A command's module is imported only when that command runs or shows its help, so
`rulekit --help` loads nothing heavy.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import click

from rulekit import __version__
from rulekit.cli.streams import broken_stream, complain, mend_streams
from rulekit.errors import FileFaults, RulekitError, did_you_mean

COMMANDS: dict[str, str] = {
    "courses": "the lakes, courses and tracks that ship",
    "build-course": "a course from a lake's A, B or C spots",
    "validate-course": "the verdict on lakes, courses and tracks, with reasons",
    "draw": "a picture of a lake, course or track",
    "odds": "exact odds of every dice choice",
    "reach": "where a boat can be after some turns, with what chance",
    "limits": "curve limits and marks of a circuit against its geometry",
    "moves": "the referee: what a thrown boat or car can do",
    "play": "a match in the terminal, against policies or among people",
    "simulate": "races and matches in bulk between policies, with intervals",
    "replay": "the check of a written game, move by move",
    "solve": "the best solo race of a course, exactly",
    "compare": "two courses, or two readings: differences and how sure they are",
    "report": "a balance report: one page, its tables and drawings",
    "sweep": "many courses under many settings, on processes or a cluster",
    "rules": "the numbered rules, readings and sources",
}
"""Name of each command (its module is rulekit.cli.NAME with _ for -) with the line that the overview prints."""


class LazyGroup(click.Group):
    """A click group that knows its commands by name only and imports one when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"rulekit.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise click.UsageError(f"there is no command '{args[0]}'{did_you_mean(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command line and end the process with the exit code of the outcome; no traceback for bad input."""
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except click.exceptions.NoArgsIsHelpError as overview:
            overview.show()
            code = overview.exit_code
        except click.ClickException as fault:
            complain(complaint(fault, extra.get("args") or (args[0] if args else None) or sys.argv[1:]))
            code = fault.exit_code
        except FileFaults as faults:
            complain(str(faults))
            code = faults.exit_code
        except RulekitError as fault:
            complain(f"error: {fault}")
            code = fault.exit_code
        except (click.Abort, KeyboardInterrupt):
            complain("interrupted")
            code = 130
        except SystemExit:
            # click's way out, with 1, when the reader (head, less) has gone; nobody wants the rest or a complaint.
            code = 0
        except OSError as fault:
            # A full disk under stdout and the like; what is left in the buffer must not complain again at exit.
            sys.stdout = StringIO()
            complain(f"error: {broken_stream(fault)}")
            code = 2
        sys.exit(code if isinstance(code, int) else 0)


def complaint(fault: click.ClickException, words: Sequence[str] = ()) -> str:
    """The message in the style of all others, below the usage where the command line `words` itself is wrong."""
    ctx = getattr(fault, "ctx", None)
    usage = f"{ctx.get_usage()}\nTry '{ctx.command_path} --help' for help.\n\n" if ctx else ""
    file = next((word for word in words if word.startswith("-") and Path(word).is_file()), None)
    hint = f" (the file of that name: ./{file})" if file and isinstance(fault, click.NoSuchOption) else ""
    return f"{usage}error: {fault.format_message()}{hint}"


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`rulekit COMMAND --help` shows a command's options and examples.",
)
@click.version_option(__version__, prog_name="rulekit", message="%(prog)s %(version)s")
def cli() -> None:
    """Analyse the rules of race games: exact odds, courses and tracks, the best race, matches against policies.

    \b
    rulekit odds --speed 7 --free 6    every dice choice with six clear hexes
    rulekit validate-course lagoon-a   the verdict on a course by the rules
    rulekit draw lagoon-a              its picture, here in the terminal
    rulekit solve practice-a           the best race of one boat alone
    rulekit limits orchard             a circuit's limits against its geometry
    rulekit rules powerboats           the rules that all figures follow
    """


def main() -> None:
    """Entry point of the installed command."""
    mend_streams()
    cli(prog_name="rulekit")
