"""A kernel that is not compiled yet says so to whoever looks for that: nothing on the way reports it as a fault."""

from __future__ import annotations

import copy
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
import pandas as pd
import pytest

import streamlab as sl
from streamlab.kernels import NotCompiled, kernel_files, only_cached
from streamlab.lab.preparing import nested_run_kernels, run_kernels
from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.page.presets import PRESETS, make_learners

ROWS = 100


def pages() -> Iterator[tuple[sl.Stream, dict[str, Any], bool]]:
    for preset in PRESETS.values():
        stream = preset.stream.make() if isinstance(preset.stream, StreamSpec) else sl.load(preset.stream)
        nested = stream.schema.hierarchy is not None
        names = preset.nested_learners if nested else preset.learners
        yield stream, make_learners(names, preset.river, 1, stream.schema), nested


def kernels_in_use(kinds: Iterable[type]) -> list[Any]:
    """Return the kernels of some learners and of a run; those of other tests' learners would be tried for nothing."""
    files = frozenset[str]().union(*(kernel_files(inspect.getfile(kind)) for kind in (*kinds, sl.Run)))
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("streamlab.")]
    found = {each: None for module in modules for each in vars(module).values() if hasattr(each, "py_func")}
    return [each for each in found if each.overloads and each.py_func.__code__.co_filename in files]


@contextmanager
def not_compiled(kernel: Any) -> Iterator[None]:
    """Let a kernel be in no cache, and numba compile nothing."""
    compiled = list(kernel.overloads.values())
    kernel._reset_overloads()
    kernel._cache.load_overload = lambda signature, context: None
    try:
        with only_cached():
            yield
    finally:
        del kernel._cache.load_overload
        for one in compiled:
            kernel.add_overload(one)


def is_missed(act: Callable[[], Any]) -> bool:
    """Whether it raises what it is to raise; whatever else it raises fails the test."""
    try:
        act()
    except NotCompiled:
        return True
    return False


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="kernels are plain functions under NUMBA_DISABLE_JIT")
@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.nightly)])
def test_one_kernel_that_is_missing_is_told_unchanged_and_the_run_goes_on_when_it_is_there(every: int):
    missed: set[Any] = set()
    for stream, learners, nested in pages():
        kinds = {type(step) for each in learners.values() for step in getattr(each, "parts", (each,))}
        ways = [nested_run_kernels if nested else run_kernels, *(kind.prepare for kind in kinds)]

        def begin() -> sl.Run:
            return sl.Run(stream, copy.deepcopy(learners))  # noqa: B023

        def measured() -> pd.DataFrame:
            return sl.prequential(stream, copy.deepcopy(learners), n=ROWS).curves  # noqa: B023

        for way in ways:
            way()
        whole, curves = begin(), measured()
        whole.advance(ROWS)
        for kernel in kernels_in_use(kinds)[::every]:
            if kernel in missed:
                continue
            with not_compiled(kernel):
                told = [is_missed(way) for way in (*ways, measured)]
                run = begin() if not is_missed(begin) else None
                broke = run is not None and is_missed(lambda: run.advance(ROWS))  # noqa: B023
            if not (any(told) or broke or run is None):
                continue  # only other kernels call it
            missed.add(kernel)
            if broke:
                run.seek(0)
                run.advance(ROWS)
                pd.testing.assert_frame_equal(run.curves(), whole.curves())
        pd.testing.assert_frame_equal(measured(), curves)
    assert every * len(missed) > 20
