"""Numba's compilers, with types: compiled once, cached on disk, free of the interpreter's lock."""

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

# Threads meet after every few hundred rows. Those that wait must sleep: by default they spin, and where another program
# holds a core that keeps the one they wait for from running. OpenMP reads this once, when it is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


# A function that is compiled on behalf of a bare one would be bare itself, were it not told otherwise.
COUNTING: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": True}
BARE: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}


def compiled(function: Function) -> Function:
    """The function compiled for one thread; divisions by zero give infinities, as in numpy."""
    return cast(Function, numba.njit(**COUNTING)(function))


def compiled_bare(function: Function) -> Function:
    """As `compiled`, without counting references: for functions that make no arrays and return none.

    Counting costs many times the work of a short function that is handed many arrays.
    """
    return cast(Function, numba.njit(**BARE)(function))


def compiled_inline(function: Function) -> Function:
    """As `compiled_bare`, and put in place of every call."""
    return cast(Function, numba.njit(**BARE, forceinline=True)(function))


def compiled_within(function: Function) -> Function:
    """As `compiled_bare`, but compiled as a part of every function that calls it, of which there should be one: a call
    that hands on dozens of arrays takes seconds to compile."""
    return cast(Function, numba.njit(**BARE, inline="always")(function))


def compiled_in_caller(function: Function) -> Function:
    """The function's lines put into its callers before these are compiled: a long one with one caller compiles once."""
    return cast(Function, numba.njit(inline="always", error_model="numpy")(function))


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
