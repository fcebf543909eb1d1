"""A run that a player has: whatever other threads ask is carried out by the player's thread, or refused in a line."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
import time
from concurrent.futures import Future

import numpy as np
import pytest
from hypothesis import settings

import streamlab as sl
from streamlab.lab import player as player_module
from streamlab.lab.ownership import answered
from streamlab.lab.player import Player
from streamlab.lab.run import Run
from tests.lab.made import wait_until

SOON = 10.0


class Threads(sl.NoChange):
    """Notes which threads it was learned and tuned by; ``wait`` seconds in each chunk."""

    tunables = (sl.SMART.tunables[0],)

    def __init__(self, half_life: float = 10.0) -> None:
        self.half_life = half_life
        self.seen: set[str] = set()
        self.wait = 0.0
        super().__init__()

    def _learn(self, X, Y, missing) -> None:
        self.seen.add(threading.current_thread().name)
        if self.wait:
            time.sleep(self.wait)
        super()._learn(X, Y, missing)

    def _tune(self, values) -> None:
        self.seen.add(threading.current_thread().name)


class Raising(sl.NoChange):
    """Raises what it is given in its third chunk."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error
        self._left = 3
        super().__init__()

    def _learn(self, X, Y, missing) -> None:
        self._left -= 1
        if not self._left:
            raise self.error
        super()._learn(X, Y, missing)


def stream():
    return sl.load("syn-branches", endless=True, seed=1)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Compile what the tests need: a player that compiles refuses what takes longer than two seconds."""
    learners = {"it": Threads(), "SMART": sl.SMART(n_trees=3, height=4, seed=1), "BKNN": sl.BalancedKNN(chunk=50)}
    run = Run(stream(), learners, chunk=50)
    run.advance(150)
    run.curves()
    run.detection()
    for learner in learners.values():
        learner.nodes()
        learner.copy().tune(**{learner.tunables[0].name: 3})


@pytest.fixture
def playing():
    players: list[Player] = []

    def make(learner=None, **options) -> tuple[Run, Player]:
        run = Run(stream(), {"it": Threads() if learner is None else learner}, chunk=50)
        players.append(Player(run, **options))
        return run, players[-1]

    yield make
    for player in players:
        player.close()


def test_tune_and_advance_run_on_the_players_thread(playing):
    run, player = playing()
    run.tune("it", half_life=20)
    assert run.advance(120) == 120
    assert run.learner_runs["it"].learner.seen == {"streamlab player"}
    assert player.ask(lambda run: len(run.curves())).result(SOON) == len(run.curves())


def test_errors_of_what_is_carried_out_come_back(playing):
    run, _ = playing()
    with pytest.raises(ValueError, match="no learner 'other'"):
        run.tune("other", half_life=20)


def test_a_run_is_its_callers_again_when_the_player_is_closed(playing):
    run, player = playing()
    player.close()
    wait_until(lambda: run._owner is None, "the end of the thread")
    run.advance(50)
    assert threading.current_thread().name in run.learner_runs["it"].learner.seen
    assert run.learner_runs["it"].learner._lock.patience == math.inf


def test_the_newest_player_has_the_run(playing):
    run, older = playing()
    newer = Player(run)
    assert older.closed
    assert run._owner is newer
    assert run.advance(60) == 60
    newer.close()


@pytest.mark.nightly
def test_a_chunk_that_takes_too_long_refuses_and_nothing_is_done(playing, monkeypatch):
    monkeypatch.setattr(player_module, "ANSWER_SECONDS", 0.3)
    run, player = playing()
    learner = run.learner_runs["it"].learner
    learner.wait = 6.0
    player.play()
    wait_until(lambda: learner.seen, "the first chunk")
    for ask in (lambda: run.tune("it", half_life=77), run.curves, lambda: learner.tune(half_life=77), learner.nodes):
        start = time.perf_counter()
        with pytest.raises(ValueError, match=r"busy|at work") as error:
            ask()
        assert time.perf_counter() - start < 5.0, "it did not wait for the chunk"
        assert "\n" not in str(error.value)
    learner.wait = 0.0
    player.pause().result(SOON)
    assert learner.half_life == 10.0


def test_a_command_on_the_players_thread_may_call_the_run(playing):
    run, player = playing()
    assert player.ask(lambda same: (same.advance(70), len(same.curves()), same.tune("it", half_life=3))).result(SOON)
    assert run.position == 70


def test_random_operations_while_it_plays():
    learners = {"SMART": sl.SMART(n_trees=3, height=4, seed=1), "BKNN": sl.BalancedKNN(window=20, chunk=50)}
    run = Run(stream(), dict(learners), chunk=50)
    player = Player(run)
    rng = np.random.default_rng(3)
    X = next(iter(run.stream.chunks(50))).X
    operations = (
        lambda: run.tune("SMART", half_life=float(rng.integers(1, 500))),
        lambda: run.tune("BKNN", n_neighbors=int(rng.integers(1, 9))),
        lambda: learners["SMART"].tune(n_trees=int(rng.integers(1, 6))),
        lambda: run.advance(int(rng.integers(1, 120))),
        run.curves,
        lambda: run.summary,
        lambda: run.events,
        lambda: run.detection(),
        lambda: learners["BKNN"].predict_many(X),
        lambda: learners["BKNN"].nodes(),
        lambda: learners["SMART"].nodes(),
        lambda: sl.SMART.from_state(learners["SMART"].state()),
        lambda: sl.BalancedKNN.from_state(learners["BKNN"].state()),
        lambda: learners["BKNN"].copy().predict_many(X),
        lambda: player.play([None, 2000.0][int(rng.integers(2))]).result(SOON),
        lambda: player.pause().result(SOON),
        player.poll,
    )
    slowest, refused = 0.0, []
    player.play().result(SOON)
    for _ in range(10 * settings.default.max_examples):  # 1,000 by night
        operation = operations[int(rng.integers(len(operations)))]
        start = time.perf_counter()
        try:
            operation()
        except ValueError as error:
            refused.append(str(error))
        slowest = max(slowest, time.perf_counter() - start)
    assert player.state in ("playing", "paused"), player._message
    player.close()
    assert slowest < 30.0  # not "never": the machine may be busy
    assert not [text for text in refused if "\n" in text]
    for learner in learners.values():
        type(learner).from_state(learner.state())


# ---------------------------------------------------------------------- exceptions that do not derive from Exception


class OfAStranger(BaseException):
    pass


@pytest.mark.parametrize(
    "error", [SystemExit(3), KeyboardInterrupt(), GeneratorExit(), OfAStranger("odd"), StopIteration(), MemoryError()]
)
def test_whatever_a_learner_raises_stops_the_player_which_still_answers(playing, error):
    _, player = playing(Raising(error))
    player.play()
    wait_until(lambda: player.state == "failed", "the failure")
    assert type(error).__name__ in player._message
    assert player.ask(lambda run: run.position).result(SOON) == 100
    assert wait_until(player.poll, "a frame").state == "failed"


def test_a_command_that_wants_to_exit_is_an_error_of_its_own(playing):
    _, player = playing()

    def leave(run: Run) -> None:
        raise SystemExit(2)

    with pytest.raises(RuntimeError, match="SystemExit: 2"):
        player.ask(leave).result(SOON)
    assert player.ask(lambda run: run.position).result(SOON) == 0


def test_a_reader_that_wants_to_exit_is_a_reading_that_failed(playing):
    _, player = playing()

    def leave(run: Run) -> None:
        raise SystemExit(2)

    player.show(readers={"odd": leave}).result(SOON)
    player.step(50).result(SOON)
    frame = wait_until(lambda: (frame := player.poll()) is not None and frame.position == 50 and frame, "the frame")
    assert frame.readings["odd"].message == "2"


# ---------------------------------------------------------------------- interrupts

INTERRUPTED = """
import os, signal, threading, time
import numpy as np
import streamlab as sl

signal.signal(signal.SIGINT, signal.default_int_handler)
rng = np.random.default_rng(0)
run = sl.Run(sl.load("syn-branches", n_rows=20_000, seed=1), {{"it": sl.{learner}}}, chunk=100)
alone = sl.Run(sl.load("syn-branches", n_rows=20_000, seed=1), {{"it": sl.{learner}}}, chunk=100)
run.advance(300)
times = 0
for _ in range({n}):
    def kill():
        time.sleep(float(rng.random()) * 0.02)
        os.kill(os.getpid(), signal.SIGINT)
    killer = threading.Thread(target=kill)
    try:
        killer.start()
        run.advance(20_000 - run.position if run.position < 15_000 else 0)
        killer.join()
        time.sleep(1)
    except KeyboardInterrupt:
        times += 1
    killer.join()
    if run.position % 100:
        raise SystemExit("inside a chunk")
alone.advance(run.position + 100)
run.advance(100)
a, b = (each.learner_runs["it"].learner.state() for each in (run, alone))
same = all(np.array_equal(a[k], b[k], equal_nan=a[k].dtype.kind == "f") for k in a if isinstance(a[k], np.ndarray))
print(times, same, run.curves().equals(alone.curves()))
"""


@pytest.mark.nightly
@pytest.mark.parametrize("learner", ["SMART(seed=1)", "BalancedKNN(window=20)"])
def test_an_interrupted_run_goes_on_as_if_nothing_had_been(learner):
    code = INTERRUPTED.format(learner=learner, n=10)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["10", "True", "True"], done.stderr


# ---------------------------------------------------------------------- waiting for the player


def test_what_has_not_begun_is_taken_back():
    answer: Future = Future()
    with pytest.raises(ValueError, match="nothing was done"):
        answered(answer, 0.01)
    assert answer.cancelled()


def test_what_has_begun_is_said_to_go_on():
    answer: Future = Future()
    answer.set_running_or_notify_cancel()
    with pytest.raises(ValueError, match="goes on with it"):
        answered(answer, 0.01)
    answer.set_exception(TimeoutError("its own"))
    with pytest.raises(TimeoutError, match="its own"):
        answered(answer, 0.01)
