"""Learners are prepared beside what runs: only what is not in the cache is compiled, once, in a process of its own."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from streamlab import compiling, kernels
from streamlab.compiling import Compiler
from streamlab.lab import preparing
from streamlab.lab.preparing import GENERATED, all_parts, compile_ahead, part_of, parts_of, prepare, seconds_left, warm
from streamlab.learners import LEARNERS, NoChange, StandardScaler
from streamlab.plugins import Registry
from tests.lab.made import wait_until

# what the first process compiles in another process it only loads; the second finds everything there
BESIDE = """
from streamlab import kernels
from streamlab.lab.preparing import part_of, prepare
from streamlab.learners import NoChange
said = []
kernels.on_compile(said.append)
made = [prepare(part_of(NoChange)), prepare(part_of(NoChange))]
if made[0] is not None:
    assert made[0] is made[1], "two pages wait for one"
    assert made[0].future.result(300) is None
    assert 0 < made[0].spent <= made[0].seconds
print("waited:", made[0] is not None)
print("again:", prepare(part_of(NoChange)))
print("compiled here:", said)
"""


@pytest.fixture(scope="module")
def beside(uncompiled, tmp_path_factory) -> list[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("kernels"))}
    environment.pop("NUMBA_DISABLE_JIT", None)
    outputs = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", BESIDE], env=environment, cwd=uncompiled, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    return outputs


@pytest.mark.nightly
def test_what_is_not_compiled_is_compiled_in_another_process_and_loaded_here(beside):
    assert beside[0].splitlines() == ["waited: True", "again: None", "compiled here: []"]


@pytest.mark.nightly
def test_what_is_in_the_cache_is_ready_at_once(beside):
    assert beside[1].splitlines() == ["waited: False", "again: None", "compiled here: []"]


def test_a_learner_that_no_other_process_finds_is_prepared_here(monkeypatch):
    def elsewhere(compiler, *order):
        raise AssertionError(f"no process finds {order}")

    monkeypatch.setattr(Compiler, "compile", elsewhere)
    prepared = []

    class Own(NoChange):
        """Typed at a prompt, as it were."""

        @classmethod
        def prepare(cls):
            if not prepared and getattr(kernels._limited, "only_cached", False):
                raise kernels.NotCompiled("not yet")
            prepared.append(cls)

    part = part_of(Own)
    made = prepare(part)
    assert made is not None
    assert made.future.result(60) is None
    assert prepared[0] is Own
    assert prepare(part) is None


def test_a_pipeline_is_ready_when_its_steps_are():
    for learner in (NoChange(), StandardScaler() | NoChange()):
        for part in parts_of(learner):
            made = prepare(part)
            assert made is None or made.future.result(300) is None
            assert prepare(part) is None


def test_one_that_fails_is_done_and_says_so_in_the_log(caplog):
    def fails() -> None:
        if getattr(kernels._limited, "only_cached", False):
            raise kernels.NotCompiled("not yet")
        raise ZeroDivisionError

    made = prepare(preparing.Part("broken", "", fails, 1.0))
    assert isinstance(made.future.result(60), ZeroDivisionError)
    assert "broken cannot be prepared" in caplog.text


@pytest.mark.parametrize(("spent", "is_cold"), [(1.0, False), (5.0, True)])
def test_all_learners_are_compiled_ahead_where_the_first_were_not_in_the_cache(monkeypatch, spent, is_cold):
    asked, done = [], threading.Event()

    def order(part, files, seconds, urgent):
        asked.append((part.rpartition(":")[2], urgent))
        done.set()

    first = compiling.Order("first", frozenset(), 1.0, True)
    first.spent = spent
    monkeypatch.setattr(preparing, "order", order)
    monkeypatch.setattr(preparing, "all_parts", lambda: [part_of(NoChange)])
    monkeypatch.setattr(preparing, "_others_ordered", threading.Event())
    compile_ahead([first])
    first.future.set_result(None)
    assert done.wait(30.0 if is_cold else 0.3) == is_cold
    assert asked == [("NoChange", False)] * is_cold


class Slow:
    """What compiles until it is told to stop."""

    def __init__(self, monkeypatch) -> None:
        self.parts, self.go = [], threading.Semaphore(0)
        self._lock = threading.Lock()
        monkeypatch.setattr(compiling.Compiler, "compile", self.compile)
        monkeypatch.setattr(compiling, "cores", lambda: 2)

    def compile(self, part, urgent, report):
        with self._lock:
            self.parts.append(part)
        report(1.0)
        assert self.go.acquire(timeout=60)


def test_what_somebody_waits_for_begins_at_once_and_nothing_is_compiled_twice(monkeypatch):
    slow = Slow(monkeypatch)
    some = [compiling.order(f"part {k}", urgent=False) for k in range(4)]
    until(lambda: len(slow.parts) == 2)
    assert set(slow.parts) == {"part 0", "part 1"}
    urgent = compiling.order("part 3")
    assert urgent is some[3]
    until(lambda: len(slow.parts) == 3)
    assert slow.parts[-1] == "part 3"
    assert [each.spent for each in some] == [1.0, 1.0, 0.0, 1.0]
    for _ in range(4):
        slow.go.release()
    for each in some:
        assert each.future.result(60) is None
    assert sorted(slow.parts) == [f"part {k}" for k in range(4)]


def test_what_nobody_waits_for_gives_way_and_is_compiled_later(monkeypatch):
    monkeypatch.setattr(compiling, "cores", lambda: 2)
    begun, go = [], threading.Event()

    class Child(compiling.Compiler):
        def compile(self, part, urgent, report):
            begun.append(part)
            self.stopped = threading.Event()
            until(lambda: go.is_set() or self.stopped.is_set())
            return "ended" if self.stopped.is_set() else None

        def stop(self):
            self.stopped.set()

    monkeypatch.setattr(compiling, "Compiler", Child)
    ahead = [compiling.order(f"ahead {k}", urgent=False) for k in range(2)]
    until(lambda: len(begun) == 2)
    kept, wanted = compiling.order("ahead 1"), compiling.order("wanted")
    compiling.give_way()
    until(lambda: ahead[0].began is None and len(begun) == 3)
    assert kept is ahead[1]
    assert begun[-1] == "wanted"
    go.set()
    for each in (*ahead, wanted):
        assert each.future.result(60) is None
    assert begun[3:] == ["ahead 0"], "it begins again when nobody waits"


def test_the_time_left_is_the_longest_or_what_the_cores_share():
    class Each:
        done, speed = False, 0.5

        def __init__(self, seconds, spent) -> None:
            self.seconds, self.spent = seconds, spent

    assert seconds_left([]) == 0.0
    assert seconds_left([Each(10.0, 4.0)]) == 12.0


def until(condition) -> None:
    for _ in range(3000):
        if condition():
            return
        threading.Event().wait(0.01)
    raise AssertionError("not in time")


LEAVING = """
import time
from streamlab import compiling
order = compiling.order("signal:pause")
while order.spent == 0.0:
    time.sleep(0.05)
print(order._compiler._worker.process.pid)
"""


@pytest.mark.skipif(not hasattr(signal, "pause"), reason="Windows")
def test_when_who_asked_has_ended_nobody_compiles_on():
    done = subprocess.run([sys.executable, "-c", LEAVING], capture_output=True, text=True, check=True, timeout=120)
    wait_until(lambda: not is_there(int(done.stdout)), "the end of the process that compiles")


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().split()[2] != "Z"


# ---------------------------------------------------------------------- ahead of time


def test_every_learner_but_a_pipeline_is_a_part():
    titles = {part.title for part in all_parts()}
    assert set(LEARNERS.names()) - titles <= {"Pipeline", "StandardScaler"}
    assert {
        "measures and alarms",
        "measures of hierarchies",
        *(f"stream {name}" for name in GENERATED),
    } <= titles


def test_unknown_names_are_refused_before_anything_is_compiled():
    with pytest.raises(ValueError, match="SMART"):
        next(warm(["SMRT"]))


SPENT = """
from streamlab.lab.preparing import all_parts, warm
names = ["ARkNN", "HedgedMLHAT", "SMART"]
spent = {each.part: each.processor_seconds for each in warm(names)}
for part in all_parts(names):
    print(part.title.partition(",")[0], spent[part.title], part.seconds)
"""


@pytest.mark.nightly
def test_learners_take_as_long_as_they_say_or_all_as_much_longer(uncompiled, tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, "-c", SPENT], env=environment, cwd=uncompiled, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    spent, said = Counter(), Counter()
    for name, seconds, declared in map(str.split, done.stdout.splitlines()):
        spent[name] += float(seconds)
        said[name] += float(declared)
    shares = [spent[name] / said[name] for name in said]
    assert len(shares) == 3
    # the first in a process also takes its start
    assert max(shares) < 2.0 * min(shares), (spent, said)


@pytest.mark.nightly
def test_what_was_warmed_is_not_compiled_again():
    code = """
import streamlab.kernels as kernels
from streamlab.lab.preparing import warm
print([each.part for each in warm()][:1])
said = []
kernels.on_compile(said.append)
import numpy as np, streamlab as sl
run = sl.Run("yeast-rotated", {"SMART": sl.SMART(seed=1), "no-change": sl.NoChange()}, alarms="label")
run.advance(1500)
print("compiled:", said)
"""
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "compiled: []"
    assert "compiling" not in done.stderr, "the second process finds all in the cache"


class Unprepared(NoChange):
    """Cannot be prepared."""

    @classmethod
    def prepare(cls) -> None:
        raise RuntimeError("no compiler")


@pytest.mark.nightly
def test_a_broken_learner_of_another_package_does_not_keep_the_others_from_it(monkeypatch, caplog):
    monkeypatch.setattr(preparing, "GENERATED", ())
    registry = Registry("streamlab.nothing", "learner")
    monkeypatch.setattr(preparing, "LEARNERS", registry)
    registry.add("Unprepared", Unprepared)
    registry.add("NoChange", NoChange)
    monkeypatch.setitem(registry._entries(), "Gone", EntryPoint("Gone", "no_such_module:Gone", "learners"))
    with caplog.at_level(logging.WARNING, "streamlab"):
        assert {"Unprepared", "NoChange"} <= {each.part for each in warm()}
    assert "the learner 'Gone' of the package ? cannot be imported" in caplog.text
    assert "the learner 'Unprepared' of this session cannot be prepared: RuntimeError: no compiler" in (caplog.text)
    with pytest.raises(RuntimeError, match="no compiler"):
        next(warm(["Unprepared"]))
