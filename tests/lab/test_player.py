"""The player: obeys at once, loses nothing, ends its thread, and never changes what a run answers."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import CancelledError

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from streamlab.lab import Player, Run
from streamlab.learners import NoChange
from streamlab.measures import evaluate
from streamlab.streams import Drift
from tests.lab.made import EndlessStream, Failing, Lagging, Slow, made_stream, wait_until

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


def test_it_begins_paused_with_a_frame(player_of):
    player = player_of(endless(), rate=300)
    frame = newest(player)
    assert (player.state, frame.state, frame.position, frame.rate, frame.speed) == ("paused", "paused", 0, 300.0, 0.0)
    assert position(player) == 0


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


def test_a_step_shows_without_waiting_for_the_next_frame_in_turn(player_of):
    player = player_of(endless(), frames_per_second=0.01)
    for reached in (1, 2, 3):
        player.step(1).result(SOON)
        assert newest(player, lambda f, n=reached: f.position == n).state == "paused"


def test_a_step_pauses(player_of):
    player = player_of(endless(), rate=20)
    player.play()
    player.step(1).result(SOON)
    assert player.state == "paused"
    assert position(player) == position(player)


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


def test_a_tuning_while_playing(player_of):
    learner = Lagging()
    player = player_of(endless({"mine": learner}))
    player.play()
    event = player.tune("mine", gain=0.5).result(SOON)
    assert learner.gain == 0.5
    assert event.detail == {"parameter": "gain", "old": 1.0, "new": 0.5}
    assert event.position % 100 == 0
    frame = newest(player, lambda f: f.events)
    assert [e.number for e in frame.events] == [event.number]
    assert player.state == "playing"


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


def test_a_command_that_its_sender_gave_up_is_not_carried_out(player_of):
    player = player_of(endless(Slow(seconds=0.05)))
    player.step()
    given_up = player.step()
    assert given_up.cancel()
    assert position(player) == 100


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


def test_frames_come_although_the_learner_falls_behind(player_of):
    learner = Slow(seconds=0.02)
    player = player_of(endless(learner), rate=100_000.0)
    player.play()
    positions = {newest(player).position for _ in range(8)}
    # some 500 on an idle machine; a busy one may leave this thread out for a second or two
    assert np.diff(sorted(positions)).max() <= 10_000


@pytest.mark.parametrize("how", ["pause", "close"])
def test_a_long_step_can_be_stopped(player_of, how):
    learner = Slow(seconds=0.01)
    player = player_of(endless(learner))
    step = player.step(1_000_000)
    wait_until(lambda: len(learner.log) > 4, "stepping")
    getattr(player, how)()
    assert 0 < step.result(SOON) < 100_000


def test_pause_wins_over_a_play_just_before_it(player_of):
    player = player_of(endless(Slow(seconds=0.005)))
    for _ in range(20):
        player.play()
        player.pause().result(SOON)
        before = position(player)
        assert player.state == "paused"
        assert position(player) == before


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


def test_the_rate_may_change_while_playing(player_of):
    player = player_of(endless(), rate=1)
    player.play().result(SOON)
    assert position(player) <= 1
    player.set_rate(None).result(SOON)
    wait_until(lambda: position(player) > 5_000, "flat out")
    player.set_rate(10).result(SOON)
    first = position(player)
    assert newest(player, lambda f: f.rate == 10).position >= first
    assert position(player) - first < 50
    player.play(rate=None).result(SOON)
    wait_until(lambda: position(player) > first + 5_000, "flat out")
    assert newest(player, lambda f: f.position > first + 5_000).rate is None


def test_a_pause_is_not_made_up_for(player_of):
    player = player_of(endless(), rate=1000)
    player.play().result(SOON)
    wait_until(lambda: position(player) > 100)
    player.pause().result(SOON)
    stopped = position(player)
    begun = time.perf_counter()
    wait_until(lambda: time.perf_counter() - begun > 0.4)
    begun = time.perf_counter()
    player.play().result(SOON)
    further = position(player) - stopped
    assert further < 1000 * (time.perf_counter() - begun) + 50, "what has become due since, and nothing of the pause"


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


def test_frames_are_made_as_often_as_asked_for(player_of):
    player = player_of(endless(), frames_per_second=20.0)
    player.play()
    first = newest(player, lambda f: f.state == "playing" and f.position)
    begun = time.perf_counter()
    last = newest(player, lambda f: time.perf_counter() - begun > 1.0)
    assert 3 <= last.number - first.number <= 20 * (time.perf_counter() - begun) + 2


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


def test_the_end_of_the_stream(player_of):
    player = player_of(Run(made_stream(730), NoChange()))
    player.play()
    frame = newest(player, lambda f: f.state == "finished")
    assert (frame.position, frame.n_rows, player.state) == (730, 730, "finished")
    assert player.step().result(SOON) == 0
    player.play().result(SOON), player.pause().result(SOON)
    assert player.state == "finished"
    assert player.ask(lambda run: run.events.kind.tolist()).result(SOON) == ["finished"]


def test_stepping_to_the_end(player_of):
    player = player_of(Run(made_stream(150), NoChange()))
    assert player.step().result(SOON) == 100
    assert player.state == "paused"
    assert player.step().result(SOON) == 50
    assert player.state == "finished", "at the last row, not one step after it"
    assert player.step().result(SOON) == 0


@pytest.mark.parametrize("rate", [None, 5_000.0])
def test_a_failing_learner(player_of, rate):
    player = player_of(endless({"fine": NoChange(), "failing": Failing(after=250)}), rate=rate)
    player.play()
    frame = newest(player, lambda f: f.state == "failed")
    assert frame.message == f"stopped after {frame.position} instances: learner 'failing': this row is too much for me"
    assert [e.kind for e in frame.events] == ["failed"]
    assert player.state == "failed"
    player.play().result(SOON), player.pause().result(SOON)
    assert player.step().result(SOON) == 0
    assert player.state == "failed"
    assert position(player) == frame.position <= 250
    assert len(player.ask(lambda run: run.events).result(SOON)) == 1


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


def test_commands_that_wait_when_it_closes_are_given_up():
    learner = Slow(seconds=0.1)
    player = Player(endless(learner))
    step, later = player.step(), player.step()
    wait_until(lambda: learner.log, "stepping")
    player.close()
    assert step.result(SOON) == 100
    with pytest.raises(CancelledError):
        later.result(SOON)


def test_it_may_close_itself():
    before = threads()
    player = Player(endless())
    player.do(player.close).result(SOON)
    wait_until(lambda: threads() == before, "the end of the thread")


def test_it_goes_on_and_back_to_a_position(player_of):
    player = player_of(Run(made_stream(60), NoChange(), chunk=10, snapshots=10**7))
    assert player.go(35).result(SOON) == 35
    assert player.go(12).result(SOON) == 12
    assert player.go(12).result(SOON) == 12
    assert player.state == "paused"


def test_it_stops_at_a_position_and_can_play_on(player_of):
    player = player_of(endless(chunk=10))
    player.stop_at(45).result(SOON)
    player.play().result(SOON)
    wait_until(lambda: player.state == "paused", "the stop")
    assert position(player) == 45
    player.play().result(SOON)
    wait_until(lambda: position(player) > 200, "rows behind it")
    player.pause().result(SOON)
