"""Whether the kernels still have to be compiled: that takes a while, once, and the user should know."""

from pathlib import Path

from rulekit.solve import sweeps

COMPILE_SECONDS = 30
"""What compiling all kernels takes, about."""


def compile_seconds(kernel: str = "sweeps.sweep") -> int:
    """Seconds that compiling will take, about; 0 where numba's file is younger than the code it was made from.

    `kernel` is a compiled function of this package, by its module and name.
    """
    found = sweeps.sweep.stats.cache_path  # type: ignore[attr-defined]
    compiled = list(Path(found).glob(f"{kernel}-*.nbi")) if found else []
    written = max((path.stat().st_mtime for path in compiled), default=0.0)
    changed = Path(sweeps.__file__).with_name(f"{kernel.partition('.')[0]}.py").stat().st_mtime
    return 0 if written > changed else COMPILE_SECONDS
