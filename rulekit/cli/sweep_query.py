"""`rulekit sweep query`: questions to a file of results, in SQL, and pictures of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from rulekit.cli.options import output_options
from rulekit.cli.output import Output
from rulekit.errors import BadInput

KINDS = ("risk", "fairness", "letter", "tiles", "route")

EPILOG = """\b
Examples:
  rulekit sweep query plan.db            the columns, and what they tell
  rulekit sweep query plan.db "SELECT letter, avg(turns) FROM cells GROUP BY 1"
  rulekit sweep query plan.db "SELECT * FROM cells" -f csv -o cells.csv
  rulekit sweep query plan.db --plot risk.svg --plot-kind risk
"""


@click.command(epilog=EPILOG)
@click.argument("file", metavar="SWEEP.db")
@click.argument("sql", required=False)
@click.option("--parquet", metavar="FILE", help="Write the rows as Parquet (needs the extra `parquet`).")
@click.option("--plot", metavar="FILE", help="Draw the space (svg, png, pdf).")
@click.option("--plot-kind", type=click.Choice(KINDS), default="risk", show_default=True,
              help="Turns against risk, start fairness, turns by letter, by tile side, by route.")  # fmt: skip
@output_options
def query(file: str, sql: str | None, parquet: str | None, plot: str | None, plot_kind: str, **options: Any) -> None:
    """Ask a file of results: the table `cells` has a row a cell, `about` tells what was swept.

    Nothing can be changed through it. Without SQL it tells what the file holds. Cells that failed have the status
    'failed' and their error; courses that cannot be raced have legal = 0 and the code of the reason.
    """
    output = Output(**options)
    output.check(plot=plot, parquet=parquet)
    from rulekit.cli.sweep_answer import answer

    if not plot and click.get_current_context().get_parameter_source("plot_kind") is not ParameterSource.DEFAULT:
        raise BadInput("--plot-kind says what to draw: add --plot FILE")
    _check_apart(Path(file), {"-o": output.output, "--plot": plot, "--parquet": parquet})
    if parquet and not sql:
        raise BadInput('--parquet writes the rows of a question: add one, such as "SELECT * FROM cells"')
    answer(Path(file), sql, parquet, plot, plot_kind, output)


def _check_apart(file: Path, names: Mapping[str, str | None]) -> None:
    """Raises BadInput where an answer would replace the file that is asked."""
    for option, name in names.items():
        if name and name != "-" and file.exists() and Path(name).exists() and file.samefile(name):
            raise BadInput(f"{option} {name} would replace the results that are asked: choose another name")
