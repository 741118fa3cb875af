"""`python -m tests.bench [NAME…]` runs every bench_NAME.py and prints one table of ratios, all measured in this run.

A bench module has `main()`, which returns a list of `Ratio` (or prints for itself and returns nothing) and may raise
ImportError where a package to compare with is not installed.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tabulate import tabulate

from .measure import Ratio

BENCHES = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def run(name: str) -> list[Ratio]:
    """The ratios of one bench, none where a package is missing."""
    print(f"{name} …", file=sys.stderr)
    try:
        return import_module(f".bench_{name}", __package__).main() or []
    except ImportError as missing:
        print(f"{name}: left out, {missing}", file=sys.stderr)
        return []


def table(ratios: Sequence[Ratio]) -> str:
    """Times in milliseconds and how many times as long the other way takes."""
    rows = [(r.work, f"{1e3 * r.ours:.3f}", r.other, f"{1e3 * r.theirs:.3f}", f"{r.factor:.1f} ×") for r in ratios]
    headers = ["work", "rulekit, ms", "compared with", "its ms", "ratio"]
    return tabulate(rows, headers, disable_numparse=True, colalign=("left", "right", "left", "right", "right"))


def main(names: Sequence[str]) -> None:
    """Run the named benches, or all.

    Exits with a message for a name that is none.
    """
    unknown = sorted(set(names) - set(BENCHES))
    if unknown:
        sys.exit(f"no bench {', '.join(unknown)}; there are {', '.join(BENCHES)}")
    ratios = [ratio for name in names or BENCHES for ratio in run(name)]
    if ratios:
        print(table(ratios))


if __name__ == "__main__":
    main(sys.argv[1:])
