"""The player: obeys at once, loses nothing, ends its thread, and never changes what a run answers."""

from __future__ import annotations

import random
import threading
import time

import pandas as pd
import pytest

import streamlab as sl
from streamlab.lab import Player, Run
from streamlab.lab.frame import ReadingFailed
from streamlab.learners import NoChange
from streamlab.measures import evaluate
from streamlab.streams import Drift
from tests.lab.made import EndlessStream, Lagging, Slow, made_stream, wait_until

SOON = 5.0


def endless(learner=None, **options) -> Run:
    return Run(EndlessStream(), NoChange() if learner is None else learner, **options)


def position(player: Player) -> int:
    return player.ask(lambda run: run.position).result(SOON)


def newest(player: Player, condition=lambda frame: True):
    """The first frame polled that meets the condition."""

    def polled():
        frame = player.poll()
        return frame if frame is not None and condition(frame) else None

    return wait_until(polled, "the frame")


# ---------------------------------------------------------------------- commands


def test_play_and_pause(player_of):
    player = player_of(endless())
    player.play().result(SOON)
    assert player.state == "playing"
    newest(player, lambda f: f.position > 1000 and f.state == "playing" and f.speed > 0)
    player.pause().result(SOON)
    assert player.state == "paused"
    stopped = position(player)
    assert stopped % 100 == 0
    frame = newest(player, lambda f: f.state == "paused")
    assert (frame.position, frame.speed) == (stopped, 0.0)
    assert position(player) == stopped
    player.play().result(SOON)
    wait_until(lambda: position(player) > stopped, "going on")


def test_steps(player_of):
    player = player_of(endless())
    for n, passed, reached in ((1, 1, 1), (None, 99, 100), (None, 100, 200), (250, 250, 450), (None, 50, 500)):
        assert player.step(n).result(SOON) == passed
        assert position(player) == reached
        assert player.state == "paused"
    assert newest(player, lambda f: f.position == 500).curves.positions.tolist() == [100, 200, 300, 400, 500]


def test_commands_are_carried_out_in_order(player_of):
    learner = Slow(seconds=0.001)
    player = player_of(endless({"slow": learner}, chunk=10))
    futures = []
    for i in range(20):
        futures += [player.step(25), player.tune("slow", gain=i / 20)]
    for future in futures:
        future.result(SOON)
    events = player.ask(lambda run: run.events).result(SOON)
    assert events.position.tolist() == [25 * i for i in range(1, 21)], "no step was cut short by the next"
    assert events.new.tolist() == [i / 20 for i in range(20)]
    player.play(), player.tune("slow", gain=1.0), player.pause()
    player.ask(lambda run: None).result(SOON)
    assert player.state == "paused"


def test_wrong_arguments_are_refused_at_once(player_of):
    player = player_of(endless())
    for rate in (0, -1, -1.0, float("nan"), float("inf"), "fast", True):
        for call in (player.play, player.set_rate):
            with pytest.raises(ValueError, match="rate="):
                call(rate)
        with pytest.raises(ValueError, match="rate="):
            player_of(endless(), rate=rate)
    for n in (0, -5):
        with pytest.raises(ValueError, match=f"n={n}"):
            player.step(n)
    for frames in (0, -1, float("inf")):
        with pytest.raises(ValueError, match="frames_per_second"):
            player_of(endless(), frames_per_second=frames)


# ---------------------------------------------------------------------- stopping


@pytest.mark.parametrize("rate", [None, 100_000.0, 4_000.0])
def test_pause_takes_effect_within_a_chunk(player_of, rate):
    learner = Slow(seconds=0.02)
    player = player_of(endless(learner), rate=rate)
    player.play()
    # the paced player now owes far more than it can do
    wait_until(lambda: len(learner.log) > 20, "playing")
    for _ in range(5):
        pausing = player.pause()
        before = len(learner.log)
        pausing.result(SOON)
        assert len(learner.log) - before <= 4, "at most the chunk under way and the next"
        stopped = len(learner.log)
        player.play().result(SOON)
        wait_until(lambda n=stopped: len(learner.log) > n + 4, "playing")


@pytest.mark.parametrize("how", ["pause", "close"])
def test_a_long_step_can_be_stopped(player_of, how):
    learner = Slow(seconds=0.01)
    player = player_of(endless(learner))
    step = player.step(1_000_000)
    wait_until(lambda: len(learner.log) > 4, "stepping")
    getattr(player, how)()
    assert 0 < step.result(SOON) < 100_000


# ---------------------------------------------------------------------- the rate


def test_the_rate_is_kept(player_of):
    player = player_of(endless(), rate=500)
    player.play().result(SOON)
    begun, first = time.perf_counter(), position(player)
    wait_until(lambda: time.perf_counter() - begun > 1.0)
    rate = (position(player) - first) / (time.perf_counter() - begun)
    # a busy machine may leave the player out for a while; it makes up for half a second at the most
    assert 250 < rate < 700
    assert 0 < newest(player, lambda f: f.speed).speed < 1000


def test_a_learner_that_fell_behind_does_not_make_up_for_all_of_it(player_of):
    class Stalling(Lagging):
        stall = 1.2

        def _learn(self, X, Y, missing):
            super()._learn(X, Y, missing)
            stall, self.stall = self.stall, 0.0
            time.sleep(stall)

    player = player_of(endless(Stalling()), rate=1000)
    player.play().result(SOON)
    wait_until(lambda: not player._run.learner_runs["Stalling"].learner.stall, "the stall")
    begun, start = time.perf_counter(), position(player)  # once the stall is over
    player.ask(lambda run: None).result(SOON)
    until = time.perf_counter() + 0.1
    wait_until(lambda: time.perf_counter() > until)
    further = position(player) - start
    due = 1000 * (time.perf_counter() - begun)
    assert further < 500 + due + 200, "half a second's worth, and what has become due since"


def learners():
    return {"SMART": sl.SMART(n_trees=3, height=5, half_life=40, seed=1), "none": NoChange(), "mine": Lagging()}


@pytest.mark.parametrize("rate", [None, 3_000.0, 4_321.0])
def test_results_do_not_depend_on_the_rate(player_of, rate):
    alone = Run(made_stream(1500), learners())
    alone.advance(600)
    alone.tune("SMART", half_life=20)
    alone.advance()
    run = Run(made_stream(1500), learners())
    player = player_of(run, rate=rate)
    player.step(600), player.tune("SMART", half_life=20), player.play()
    newest(player, lambda f: f.state == "finished")
    player.close()
    for over in ("chunk", "faded", "cumulative"):
        pd.testing.assert_frame_equal(run.curves(over), alone.curves(over), check_exact=True)
    pd.testing.assert_frame_equal(run.tenths, alone.tenths, check_exact=True)
    pd.testing.assert_frame_equal(run.events, alone.events)


# ---------------------------------------------------------------------- frames


class Screen:
    """Draws what frames bring, as a page does."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.positions: list[int] = []
        self.values: dict[tuple[str, str], list[float]] = {}
        self.events: list[int] = []
        self.n_frames = self.n_resets = 0
        self.state, self.number = "", 0

    def poll(self) -> None:
        frame = self.player.poll()
        if frame is None:
            return
        assert frame.number > self.number
        self.number, self.state = frame.number, frame.state
        self.n_frames += 1
        if frame.curves.reset:
            self.n_resets += 1
            self.positions, self.values = [], {key: [] for key in frame.curves.values}
        self.positions += frame.curves.positions.tolist()
        for key, values in frame.curves.values.items():
            assert len(values) == len(frame.curves.positions)
            self.values[key] += values.tolist()
        self.events += [event.number for event in frame.events]


@pytest.mark.parametrize("history", [2000, 64])
@pytest.mark.parametrize("seed", [0, 1])
def test_no_point_and_no_event_is_lost_or_comes_twice(player_of, history, seed):
    drifts = tuple(Drift(i) for i in range(0, 12_000, 70))
    run = Run(made_stream(12_000, drifts=drifts), {"none": NoChange(), "mine": Lagging()}, chunk=20, history=history)
    # many more frames than polls, so that most are dropped and many are made just as one is taken
    player = player_of(run, rate=24_000.0, frames_per_second=2_000.0)
    screen = Screen(player)
    rng = random.Random(seed)
    make = player._maker.make

    def lingering(*args):
        frame = make(*args)
        time.sleep(0.002)
        return frame

    player._maker.make = lingering
    player.play()
    tunings = 0
    while screen.state != "finished":
        if rng.random() < 0.2:
            time.sleep(rng.expovariate(200))
        for _ in range(rng.randrange(4)):
            screen.poll()
        if rng.random() < 0.2 and player.state != "finished":
            player.tune("mine", gain=rng.random())
            tunings += 1
    player.ask(lambda run: None).result(SOON)
    screen.poll()
    player.close()
    assert screen.events == list(range(len(run.log))), "each event once, in order"
    assert len(run.log) == len(drifts) + tunings + 1
    curves = run.curves(measures="micro_f1")
    for (_, name), values in screen.values.items():
        rows = curves[curves.learner == name]
        assert screen.positions == rows.position.tolist()
        assert values == rows.micro_f1.tolist()
    # how many frames a screen gets is up to the machine
    assert screen.n_frames > 2
    # the first frame, then once for each thinning: 600 points into 63 are four; a slow screen sees several at once
    assert screen.n_resets in {2000: (1,), 64: (1, 2, 3, 4, 5)}[history]


def test_a_frame_taken_while_the_next_is_made_does_not_bring_its_points_twice(player_of):
    run = Run(made_stream(2000), NoChange())
    player = player_of(run)
    screen = Screen(player)
    player.step(100).result(SOON)
    wait_until(lambda: screen.poll() or screen.positions == [100])
    player.step(100).result(SOON)
    wait_until(lambda: player._frame.position == 200)
    n_frames = screen.n_frames
    make = player._maker.make

    def interrupted(*args):
        player._maker.make = make
        frame = make(*args)
        screen.poll()  # the screen comes just now, and takes the frame before
        return frame

    player._maker.make = interrupted
    player.step(200).result(SOON)
    wait_until(lambda: screen.poll() or screen.positions[-1:] == [400])
    assert screen.positions == [100, 200, 300, 400]
    assert screen.n_frames == n_frames + 2


def test_nothing_is_made_while_nothing_changes(player_of):
    player = player_of(endless())
    player.step().result(SOON)
    frame = newest(player, lambda f: f.position == 100)
    begun = time.perf_counter()
    wait_until(lambda: time.perf_counter() - begun > 0.3)
    assert player.poll() is None
    assert player._frame is frame


def test_a_new_screen_gets_all_again(player_of):
    player = player_of(Run(made_stream(1000, drifts=(Drift(5),)), NoChange()))
    old = Screen(player)
    player.step(300).result(SOON)
    wait_until(lambda: old.poll() or old.positions == [100, 200, 300])
    player.step(300).result(SOON)
    wait_until(lambda: player._frame.position == 600)
    # a frame of three more points is ready, but it is meant for the old screen
    new = Screen(player)

    def show_then_poll():
        player._show({"redraw": True})
        new.poll()  # before the next frame can be made

    player.do(show_then_poll).result(SOON)
    assert new.n_frames == 0
    wait_until(lambda: new.poll() or new.positions)
    assert new.positions == [100, 200, 300, 400, 500, 600]
    assert new.events == [0]
    assert new.n_frames == 1


def test_what_is_shown_can_be_chosen(player_of):
    player = player_of(Run(made_stream(500), {"SMART": sl.SMART(seed=1), "none": NoChange()}))
    nodes = {"nodes": lambda run: run.learner_runs["SMART"].learner.node_columns()}
    player.show(measures=["macro_f1"], over="cumulative", readers=nodes).result(SOON)
    player.step(300).result(SOON)
    frame = newest(player, lambda f: f.position == 300)
    assert set(frame.curves.values) == {("macro_f1", "SMART"), ("macro_f1", "none")}
    assert len(frame.readings["nodes"]["id"])
    with pytest.raises(ValueError, match=r"readers\['nodes'\]=3: expected a function"):
        player.show(readers={"nodes": 3}).result(SOON)
    assert player.step(100).result(SOON) == 100


# ---------------------------------------------------------------------- the end, and failures


def test_a_reader_that_raises_stops_neither_the_run_nor_the_other_readers(player_of):
    def broken(run):
        if run.position < 200:
            raise RuntimeError("beyond words")
        return "mended"

    player = player_of(endless())
    player.show(readers={"broken": broken, "mute": lambda run: 1 / 0, "fine": lambda run: run.position}).result(SOON)
    player.step(100).result(SOON)
    frame = newest(player, lambda f: f.position == 100)
    assert frame.readings["broken"] == ReadingFailed("beyond words")
    assert frame.readings["mute"] == ReadingFailed("division by zero")
    assert frame.readings["fine"] == 100
    assert (frame.state, frame.message, frame.events) == ("paused", "", [])
    assert player.step(100).result(SOON) == 100
    assert newest(player, lambda f: f.position == 200).readings["broken"] == "mended"
    player.show(readers={"broken": None}).result(SOON)
    assert set(newest(player).readings) == {"mute", "fine"}


def test_a_measure_that_raises_does_not_end_the_thread(player_of, monkeypatch):
    def broken(counts, measures, **options):
        if measures == ("macro_f1",):
            raise RuntimeError("beyond words")
        return evaluate(counts, measures, **options)

    monkeypatch.setattr("streamlab.lab.history.evaluate", broken)
    player = player_of(endless())
    player.step().result(SOON)
    player.show(measures=["macro_f1"]).result(SOON)
    frame = newest(player, lambda f: f.state == "failed")
    assert frame.message == "the curves cannot be drawn: beyond words"
    assert position(player) == 100


def threads() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name == "streamlab player"]


@pytest.mark.parametrize("playing", [False, True])
@pytest.mark.parametrize("rate", [None, 100.0])
def test_close_ends_the_thread(playing, rate):
    before = threads()
    player = Player(endless(Slow(seconds=0.01)), rate=rate)
    assert len(threads()) == len(before) + 1
    if playing:
        player.play().result(SOON)
    player.close()
    player.close()
    assert threads() == before
    assert player.closed


def test_commands_after_the_end_are_refused():
    player = Player(endless())
    player.close()
    for future in (
        player.play(), player.pause(), player.step(), player.set_rate(3), player.tune("NoChange", x=1),
        player.show(over="faded"), player.ask(lambda run: run.position),
    ):  # fmt: skip
        with pytest.raises(RuntimeError, match="closed"):
            future.result(SOON)
    player.poll()
    assert player.poll() is None
