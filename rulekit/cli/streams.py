"""Standard input, output and error where they are closed or cannot take what is written."""

import errno
import os
import sys
from io import StringIO, TextIOWrapper

import click

from rulekit.errors import visible


def mend_streams() -> None:
    """Let closed streams fail when they are used, not silently or with a traceback; odd characters become `?`.

    Python has None for a stream that was closed before the start. In its place comes a descriptor that can be opened
    but not used so: its error ends the command like that of a full disk.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = StringIO()
    for stream in (sys.stdout, sys.stderr):
        # A terminal or file that cannot take a character gets a question mark, not a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def complain(text: str) -> None:
    """A last message on stderr; a stderr that takes none changes nothing about how the command ends."""
    try:
        click.echo(visible(text), err=True)
    except OSError:
        sys.stderr = StringIO()


def broken_stream(fault: OSError) -> str:
    """What to say of an error of reading or writing that no command has foreseen."""
    if fault.errno == errno.EBADF and fault.filename is None:
        return "standard input or output is closed: leave it open, or name a file"
    return f"{fault.filename or 'output'}: {fault.strerror}"
