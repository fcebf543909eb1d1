"""Calls side by side: the answers, errors and interrupts of one after another, and no thread that stays."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
import weakref

import numpy as np
import pytest

import streamlab as sl
from streamlab import _side_by_side
from streamlab._side_by_side import Team, _taken, cores, cpu_seconds, side_by_side
from streamlab.learners import LEARNERS
from streamlab.learners.baselines import NoChange
from tests.lab.made import Lagging, made_stream, wait_until

NAME = "streamlab side by side"


@pytest.fixture
def always(monkeypatch):
    """Threads work, whether that saves time or not."""
    monkeypatch.setattr(Team, "_are_quicker", lambda self, rows: True)
    monkeypatch.setattr(_side_by_side, "LOOK_AGAIN", 10**9)


def threads() -> int:
    return sum(each.name == NAME for each in threading.enumerate())


class Where(NoChange):
    """Notes which threads it works in, and asks something public of itself there."""

    def _test_then_train(self, X, Y, missing):
        time.sleep(0.002)
        vars(self).setdefault("idents", []).append((threading.get_ident(), self.now, len(self.tunables)))
        return super()._test_then_train(X, Y, missing)


# ---------------------------------------------------------------------- cores


@pytest.mark.parametrize(
    ("groups", "files", "expected"),
    [
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000", "a/cpu.max": "250000 100000"}, 3),
        ("0::/\n", {"cpu.max": "50000 100000"}, 1),
        ("4:memory:/m\n3:cpu,cpuacct:/x\n0::/\n",
         {"cpu,cpuacct/x/cpu.cfs_quota_us": "200000\n", "cpu,cpuacct/x/cpu.cfs_period_us": "100000\n",
          "memory/m/cpu.cfs_quota_us": "1", "memory/m/cpu.cfs_period_us": "1"}, 2),
        ("3:cpu:/x\n", {"cpu/x/cpu.cfs_quota_us": "-1\n", "cpu/x/cpu.cfs_period_us": "100000\n"}, 6),
        ("0::/not/seen\n", {}, 6),
    ],
)  # fmt: skip
def test_cores_are_those_of_the_affinity_and_of_the_strictest_quota(groups, files, expected, tmp_path, monkeypatch):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "own").write_text(groups)
    monkeypatch.setattr(_side_by_side, "CONTROL_GROUPS", tmp_path)
    monkeypatch.setattr(_side_by_side, "OWN_GROUPS", tmp_path / "own")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(6)), raising=False)
    assert cores() == expected


# ---------------------------------------------------------------------- calls


def test_answers_are_in_order_and_each_call_is_done_once():
    done = []
    answers = side_by_side([lambda i=i: done.append(i) or i * i for i in range(50)], range(49, 9, -1), 3, [0.0] * 50)
    assert (answers, sorted(done)) == ([i * i for i in range(50)], list(range(50)))


def test_the_first_error_by_order_is_raised_when_all_have_ended():
    ended = []

    def late():
        time.sleep(0.1)
        ended.append(1)
        raise ValueError("late")

    with pytest.raises(ValueError, match="late"):
        side_by_side([late, lambda: 1 / 0, lambda: ended.append(2)], (0, 1, 2), 2, [0.0] * 3)
    assert sorted(ended) == [1, 2]


def test_an_interrupt_of_who_waits_waits_for_those_at_work():
    ended = []

    def interrupts():
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)
        ended.append(1)

    with pytest.raises(KeyboardInterrupt):
        side_by_side([lambda: time.sleep(0.01), interrupts], (1,), 1, [0.0] * 2)
    assert ended == [1]


def test_the_seconds_of_helpers_count_for_who_is_helped():
    def spin():
        until = time.thread_time() + 0.02
        while time.thread_time() < until:
            pass

    began = cpu_seconds()
    side_by_side([spin] * 4, range(4), 3, [0.0] * 4)
    assert cpu_seconds() - began >= 0.08


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_child_has_threads_of_its_own():
    side_by_side([threading.get_ident] * 4, range(4), 2, [0.0] * 4)
    child = os.fork()
    if child == 0:
        os._exit(0 if side_by_side([lambda: 7] * 4, range(4), 2, [0.0] * 4) == [7] * 4 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# ---------------------------------------------------------------------- a team


@pytest.mark.parametrize(("side", "fewest", "most"), [(0.5, 92, 97), (0.98, 4, 8), (2.0, 4, 6)])
def test_threads_work_where_they_save_time_and_not_where_they_lose_it(side, fewest, most, monkeypatch):
    clock, taken, team = [0.0], [], Team(2)
    monkeypatch.setattr(_side_by_side.time, "perf_counter", lambda: clock[0])

    def one():
        free = team._free.acquire(blocking=False)
        taken.append(not free)
        if free:
            team._free.release()
        clock[0] += side if taken[-1] else 1.0

    for _ in range(100):
        team.work(["a", "b"], [one, one], 10)
    assert fewest <= sum(taken) / 2 <= most


def test_what_is_short_is_not_worth_a_thread():
    team, idents = Team(2), set()
    for _ in range(30):
        idents.update(team.work(["a", "b"], [threading.get_ident] * 2, 10))
    assert idents == {threading.get_ident()}


def test_no_more_help_is_taken_than_is_free():
    team = Team(3)
    with _taken(team._free, 5) as first, _taken(team._free, 1) as second:
        assert (first, second) == (2, 0)
    with _taken(team._free, 1) as third:
        assert third == 1


def test_a_council_in_a_run_takes_only_what_its_run_leaves(always):
    expert = [Where(), Where(), Where()]
    run = sl.Run(made_stream(60), {"c": sl.Council(expert), "n": NoChange()}, chunk=10, jobs=1)
    run.advance()
    assert {ident for each in expert for ident, *_ in each.idents} == {threading.get_ident()}


# ---------------------------------------------------------------------- runs and councils


def result_of(learners, jobs, stream, chunk=20, **options):
    run = sl.Run(stream, learners, chunk=chunk, jobs=jobs, **options)
    run.advance()
    run.complete_curves()
    state = {name: value for name, value in run._lockstep.state().items() if not set(name.split(".")) & set(CLOCKS)}
    return run.curves(), run.events.astype(str), state


CLOCKS = ("seconds", "n_bytes", "importance")
"""What differs from run to run: how long learners took, when their memory was looked at, how often they were asked."""


def check_equal(one, other):
    assert (one[0].equals(other[0]), one[1].equals(other[1]), one[2].keys()) == (True, True, other[2].keys())
    for name, value in one[2].items():
        np.testing.assert_array_equal(value, other[2][name], err_msg=name)


def some():
    experts = [sl.SMART(seed=3, warm_up=10), sl.ARkNN(), sl.OnlineLogistic(), sl.RankedKNN(window=50), NoChange()]
    return {"SMART": sl.SMART(seed=1), "MLHAT": sl.MLHAT(seed=1), "Council": sl.Council(experts), "no": NoChange()}


@pytest.mark.parametrize("importance", [False, True])
def test_learners_learn_the_same_however_many_work_at_a_time(importance, always):
    one, *others = (
        result_of(some(), jobs, made_stream(300), importance=importance, alarms="label") for jobs in (1, 2, 8)
    )
    for other in others:
        check_equal(one, other)


@pytest.mark.nightly
def test_all_learners_learn_the_same_however_many_work_at_a_time(always):
    kinds = {name: kind for name, kind in LEARNERS.items() if getattr(kind, "_quick", None) is not None}

    def everyone():
        return {f"{name}{i}": kind(**kind._quick) for name, kind in kinds.items() for i in range(2)}

    assert len(kinds) >= 20
    one, *others = (result_of(everyone(), jobs, made_stream(240)) for jobs in (1, 2, 8))
    for other in others:
        check_equal(one, other)


def test_an_expert_may_use_what_is_public_of_itself_in_any_thread(always):
    experts = [Where(), Where(), Where()]
    model, stream = sl.Council(experts), made_stream(100)
    for chunk in stream.chunks(10):
        model.bind(stream.schema).test_then_train(chunk.X, chunk.Y)
    assert len({ident for each in experts for ident, *_ in each.idents}) > 1


def test_a_run_leaves_no_thread_and_is_freed_at_once(always):
    run = sl.Run(made_stream(100), {"a": NoChange(), "b": NoChange(), "c": NoChange()}, chunk=10, jobs=3)
    run.advance()
    assert threads() >= 1
    gone = weakref.ref(run._lockstep)
    gc.collect()
    gc.disable()
    try:
        del run
        assert gone() is None
    finally:
        gc.enable()
    wait_until(lambda: threads() == 0)


class Ill(Lagging):
    """Raises an error, perhaps none of Exception, once it has learned so many rows."""

    def __init__(self, gain: float = 1.0, after: int = 250, error: type[BaseException] = ValueError) -> None:
        self.after, self.error = after, error
        super().__init__(gain)

    def _learn(self, X, Y, missing) -> None:
        super()._learn(X, Y, missing)
        if sum(n for what, n in self.log if what == "learn") > self.after:
            raise self.error(f"after {self.after}")


ERRORS = (ValueError, OverflowError, MemoryError, KeyboardInterrupt, SystemExit)


def outcome(seed: int, jobs: int) -> tuple[str, str, int]:
    rng = np.random.default_rng(seed)
    ill = {f"{i}": Ill(after=int(rng.integers(40, 200)), error=ERRORS[rng.integers(5)]) for i in range(4)}
    run = sl.Run(made_stream(160), ill | {"well": NoChange()}, chunk=10, jobs=jobs)
    try:
        run.advance()
    except BaseException as error:
        return type(error).__name__, str(error), run.position
    return "", "", run.position


@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 220), marks=pytest.mark.nightly)])
def test_who_fails_or_is_interrupted_does_so_as_one_after_another(seeds, always):
    for seed in seeds:
        assert outcome(seed, 3) == outcome(seed, 1)
    wait_until(lambda: threads() == 0)
