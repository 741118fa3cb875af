"""What a long piece of work says of itself while it runs."""

import sys
from time import perf_counter

import click

from rulekit.cli.output import Output


class Progress:
    """One line on the terminal that says what is being worked on; silent elsewhere. Wipes itself at the end."""

    def __init__(self, output: Output) -> None:
        self.live = not output.quiet and sys.stderr.isatty()
        self.stage, self.remark, self.told = "", "", 0.0

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self._show("")

    def warm_up(self, seconds: int) -> None:
        """Tells why nothing moves at first: so many seconds of compiling, if any."""
        self.remark = f" (compiling, first run only: about {seconds} s)" if seconds else ""

    def begin(self, stage: str) -> None:
        """Another piece of work."""
        self.stage = stage
        self._show(stage + self.remark)

    def report(self, level: int, sweep: int, rows: int) -> None:
        """One sweep done: what the solver calls."""
        self.remark = ""
        if perf_counter() - self.told > 0.1:
            self._show(f"{self.stage}: damage {level}, sweep {sweep}, {rows} rows")

    def _show(self, text: str) -> None:
        if self.live:
            self.told = perf_counter()
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)
