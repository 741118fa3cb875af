"""Numba's compilers, with types: compiled once, cached on disk, free of the interpreter's lock."""

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """The function compiled for one thread; divisions by zero give infinities, as in numpy."""
    return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def compiled_parallel(function: Function) -> Function:
    """The function compiled with its `parallel_range` loops shared among threads."""
    return cast(Function, numba.njit(cache=True, parallel=True, error_model="numpy")(function))


def use_threads(threads: int | None) -> None:
    """Sets the number of threads, at most what numba was started with; None: as many as there are idle cores.

    Threads meet after every few hundred rows: waiting for a core that another program holds costs more than it brings.
    """
    most = int(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    numba.set_num_threads(max(1, min(threads if threads else most - round(_load()), most)))


def _load() -> float:
    """Programs that ran in the last minute, on average; 0 where the system doesn't tell."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def thread_count() -> int:
    """Threads that shared loops use."""
    return int(numba.get_num_threads())


parallel_range = cast(Callable[[int], Iterable[int]], numba.prange)
