"""Numba's compilers, with types: compiled once, cached on disk, free of the interpreter's lock."""

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

# Threads meet after every few hundred rows. Those that wait must sleep: by default they spin, and where another program
# holds a core that keeps the one they wait for from running. OpenMP reads this once, when it is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """The function compiled for one thread; divisions by zero give infinities, as in numpy."""
    return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def compiled_inline(function: Function) -> Function:
    """As `compiled`, and put in place of every call: a call costs more than the work where many arrays are passed."""
    return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)(function))


def compiled_parallel(function: Function) -> Function:
    """The function compiled with its `parallel_range` loops shared among threads."""
    return cast(Function, numba.njit(cache=True, parallel=True, error_model="numpy")(function))


def use_threads(threads: int | None) -> None:
    """Sets the number of threads, at most what numba was started with; None: all of them."""
    most = int(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    numba.set_num_threads(min(threads, most) if threads else most)


def thread_count() -> int:
    """Threads that shared loops use."""
    return int(numba.get_num_threads())


parallel_range = cast(Callable[[int], Iterable[int]], numba.prange)
