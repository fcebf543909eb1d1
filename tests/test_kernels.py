"""The kernels' decorator: what is compiled is announced, what runs lets other threads run."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
import time

import numba
import pytest

from streamlab.kernels import kernel, on_compile

# learners of two kinds, so that several kernels are needed; prints what the listeners heard
LISTEN = """
import logging
import numpy as np
from streamlab.kernels import kernel, on_compile

heard, ended = [], []
stop = on_compile(ended.append)
stop()
stop()
on_compile(heard.append)

from streamlab.learners import NoChange

X, Y = np.zeros((3, 2)), np.ones((3, 1), np.uint8)
NoChange().learn_many(X, Y)
from streamlab.measures import Tracker
Tracker(["a"]).update(Y, Y)
assert not ended
print(len(heard), *heard)
"""


@pytest.fixture(scope="module")
def listened(tmp_path_factory) -> list[subprocess.CompletedProcess]:
    """The script run twice over a cache that is empty at first."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("kernels"))}
    environment.pop("NUMBA_DISABLE_JIT", None)
    command = [sys.executable, "-c", LISTEN]
    done = [subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120) for _ in range(2)]
    for one in done:
        assert one.returncode == 0, one.stderr
    return done


def test_compiling_is_announced_once(listened):
    assert listened[0].stdout.startswith("1 compiling kernels for this machine")
    assert listened[0].stderr.count("compiling kernels") == 1, "without a listener, the log tells the user"


def test_reading_from_the_cache_is_not_announced(listened):
    assert listened[1].stdout.strip() == "0"
    assert listened[1].stderr == ""


def test_others_kernels_are_not_announced():
    heard = []
    stop = on_compile(heard.append)

    @numba.njit
    def foreign(x):
        return x + 1

    assert foreign(1) == 2
    stop()
    assert heard == []


def test_every_kernel_is_cached_and_frees_the_lock():
    import streamlab.learners.base._kernels
    import streamlab.learners.smart._kernels
    import streamlab.measures._kernels
    import streamlab.streams.readers._arff_kernels

    found = {
        f"{module.__name__}.{name}": function
        for module in (
            streamlab.learners.base._kernels,
            streamlab.learners.smart._kernels,
            streamlab.measures._kernels,
            streamlab.streams.readers._arff_kernels,
        )
        for name, function in vars(module).items()
        if hasattr(function, "py_func")
    }
    if numba.config.DISABLE_JIT:
        pytest.skip("kernels are plain functions under NUMBA_DISABLE_JIT")
    assert len(found) > 10
    for name, function in found.items():
        assert function.targetoptions.get("nogil"), name
        assert not function.targetoptions.get("parallel"), name
        assert not function.targetoptions.get("fastmath"), name
        assert type(function._cache).__name__ == "FunctionCache", name


@kernel
def count_up(n):
    total = 0
    for i in range(n):
        total += i ^ (total >> 3)
    return total


def test_a_long_kernel_does_not_stall_other_threads():
    if numba.config.DISABLE_JIT:
        pytest.skip("kernels are plain functions under NUMBA_DISABLE_JIT")
    count_up(1)
    begun = time.perf_counter()
    count_up(20_000_000)
    n = int(20_000_000 * 0.6 / (time.perf_counter() - begun))  # some 0.6 s of it
    working = threading.Thread(target=count_up, args=(n,))
    beats = [time.perf_counter()]
    working.start()
    while working.is_alive():
        time.sleep(0.005)
        beats.append(time.perf_counter())
    working.join()
    pauses = [after - before for before, after in itertools.pairwise(beats)]
    assert beats[-1] - beats[0] > 0.2, "the kernel was too short to tell"
    # had it kept the lock, one pause would be nearly all of it
    assert max(pauses) < 0.5 * (beats[-1] - beats[0])
    assert len(pauses) > 10
