"""One verb of a learner at a time: threads wait, interrupts wait, and the lock survives what is done to learners."""

from __future__ import annotations

import copy
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import streamlab as sl
from streamlab import _lock

X = np.array([[0.0], [1.0]])
Y = np.array([[0], [1]], np.uint8)


class Slow(sl.Learner):
    """Notes when two threads are inside it at once."""

    predicts_whole_chunks = False

    def __init__(self) -> None:
        self._start()

    def _reset(self) -> None:
        super()._reset()
        self._inside = self._most = 0

    def _visit(self) -> None:
        self._inside += 1
        self._most = max(self._most, self._inside)
        time.sleep(0.002)
        self._inside -= 1

    def _predict(self, X, missing):
        self._visit()
        return np.zeros((len(X), len(self._labels))), np.zeros((len(X), len(self._labels)), np.uint8)

    def _learn(self, X, Y, missing) -> None:
        self._visit()

    def nodes(self):
        self._visit()
        return super().nodes()

    @property
    def size(self) -> int:
        self._visit()
        return 1


def in_threads(*calls, times: int = 20) -> list[BaseException]:
    errors: list[BaseException] = []

    def repeated(call) -> None:
        try:
            for _ in range(times):
                call()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=repeated, args=(call,), daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    return errors


def test_a_strangers_methods_and_properties_run_one_at_a_time():
    model = Slow()
    model.learn_many(X, Y)
    calls = (
        lambda: model.learn_many(X, Y), lambda: model.predict_many(X), model.nodes, lambda: model.size,
        lambda: copy.deepcopy(model),
    )  # fmt: skip
    assert in_threads(*calls) == []
    assert model._most == 1


def test_steps_share_the_lock_of_their_pipeline():
    model = sl.StandardScaler() | sl.MLKNN()
    model.learn_many(np.random.default_rng(0).random((30, 2)), np.ones((30, 2), np.uint8))
    for each in (model, copy.deepcopy(model), pickle.loads(pickle.dumps(model)), model.clone()):
        assert {id(step._lock) for step in each.parts} == {id(each._lock)}
    model.fit(X, Y)
    assert {id(step._lock) for step in model.parts} == {id(model._lock)}


def test_a_stranger_who_takes_over_all_attributes_keeps_the_lock():
    class Careless(sl.NoChange):
        def refit(self):
            vars(self).update(vars(type(self)()))

    model = Careless()
    lock = model._lock
    model.refit()
    assert model._lock is lock
    assert in_threads(lambda: model.predict_many(X)) == []


def test_a_copy_that_is_pickled_meanwhile_is_whole():
    model = sl.StandardScaler() | sl.BalancedKNN(window=20, chunk=10)
    rng = np.random.default_rng(1)
    X, Y = rng.random((100, 3)), rng.integers(0, 2, (100, 2))
    model.learn_many(X, Y)
    twins: list = []
    assert (
        in_threads(lambda: model.learn_many(X, Y), lambda: twins.append(pickle.loads(pickle.dumps(model))), times=10)
        == []
    )
    for twin in twins:
        type(model).from_state(twin.state())


def test_a_thread_that_may_not_wait_is_refused():
    model = sl.NoChange()
    model.learn_many(X, Y)
    model._lock.patience = 0.2
    said: list[str] = []

    def ask() -> None:
        with pytest.raises(ValueError, match="NoChange is at work in another thread") as error:
            model.predict_many(X)
        said.append(str(error.value))

    with model._lock:
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join(5)
    assert len(said) == 1
    assert "\n" not in said[0]


def test_threads_take_turns_in_the_order_in_which_they_came():
    order: list[str] = []

    class Ordered(Slow):
        def _predict(self, X, missing):
            order.append(threading.current_thread().name)
            return super()._predict(X, missing)

    model = Ordered()
    model.learn_many(X, Y)
    asking = [threading.Thread(target=model.predict_many, args=(X,), name=f"{number}") for number in range(20)]
    with model._lock:
        for number, thread in enumerate(asking):
            thread.start()
            while len(model._lock.line) <= number:
                time.sleep(0.001)
    for thread in asking:
        thread.join(60)
    assert order == [thread.name for thread in asking]


# ---------------------------------------------------------------------- interrupts


@pytest.fixture
def interruptible():
    """Python's own handler of SIGINT; a process that nohup or a background job of a shell starts ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_comes_when_the_call_has_ended():
    class Interrupted(Slow):
        def _learn(self, X, Y, missing) -> None:
            signal.raise_signal(signal.SIGINT)
            self.ended = True

    model = Interrupted()
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        model.learn_many(X, Y)
    assert model.ended
    assert signal.getsignal(signal.SIGINT) is before
    model.predict_many(X)


@pytest.mark.usefixtures("interruptible")
def test_who_waits_too_long_may_interrupt_twice(monkeypatch):
    monkeypatch.setattr(_lock, "PATIENCE_SECONDS", 0.0)

    class Hanging(Slow):
        def _learn(self, X, Y, missing) -> None:
            signal.raise_signal(signal.SIGINT)
            time.sleep(0.01)
            signal.raise_signal(signal.SIGINT)
            raise AssertionError("it was not interrupted")

    with pytest.raises(KeyboardInterrupt):
        Hanging().learn_many(X, Y)


@pytest.mark.usefixtures("interruptible")
def test_who_waits_for_a_lock_may_be_interrupted():
    model = sl.NoChange()
    model.learn_many(X, Y)
    locked, done = threading.Event(), threading.Event()

    def hold() -> None:
        with model._lock:
            locked.set()
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            done.wait(20)

    thread = threading.Thread(target=hold, daemon=True)

    class Waiting(Slow):
        def _learn(self, X, Y, missing) -> None:
            thread.start()
            locked.wait(5)
            model.predict_many(X)

    try:
        with pytest.raises(KeyboardInterrupt):
            Waiting().learn_many(X, Y)
    finally:
        done.set()
        thread.join(5)
    assert len(model.predict_many(X)) == 2
