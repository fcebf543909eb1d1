"""Frames: copies of a run at one instant, and only what the screen does not have yet."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.lab.frame import Frame, FrameMaker, ReadingFailed
from streamlab.learners import NoChange
from streamlab.streams import Drift
from tests.lab.made import made_stream


def run_of(n: int = 1000, **options) -> Run:
    return Run(
        made_stream(n, drifts=(Drift(350),)),
        {"SMART": sl.SMART(n_trees=3, height=4, seed=1), "none": NoChange()},
        **options,
    )


def nodes(run: Run) -> dict[str, np.ndarray]:
    return run.learner_runs["SMART"].learner.node_columns()


def make(maker: FrameMaker, state: str = "paused") -> Frame:
    return maker.make(maker.cursor(), state, "", 250.0, 0.0)


def take(maker: FrameMaker) -> Frame:
    frame = make(maker)
    maker.taken(frame)
    return frame


def test_increments():
    run = run_of()
    maker = FrameMaker(run)
    take(maker)
    run.advance(250)
    frame = take(maker)
    assert not frame.curves.reset
    assert frame.curves.positions.tolist() == [100, 200]
    assert set(frame.curves.values) == {("micro_f1", "SMART"), ("micro_f1", "none")}
    run.advance(150)
    dropped, frame = make(maker), take(maker)
    assert frame.number == dropped.number + 1
    assert frame.curves.positions.tolist() == dropped.curves.positions.tolist() == [300, 400]
    assert [e.kind for e in frame.events] == ["drift"]
    expected = run.curves(measures="micro_f1").query("learner == 'none'").micro_f1.to_numpy()
    assert np.array_equal(frame.curves.values["micro_f1", "none"], expected[2:])
    frame = take(maker)
    assert len(frame.curves.positions) == 0
    assert frame.events == []


def test_what_makes_the_screen_draw_anew():
    run = run_of(history=6)
    maker = FrameMaker(run)
    take(maker)
    run.advance(300)
    assert not take(maker).curves.reset
    chosen = {"measures": ["macro_f1", "ranking_loss"]}
    # a page that asks for the same curves again has put away those that it had
    for choice in (chosen, chosen, {"over": "cumulative"}, {"over": "cumulative"}, {"redraw": True}):
        maker.choose(**choice)
        frame = take(maker)
        assert frame.curves.reset
        assert frame.curves.positions.tolist() == [100, 200, 300]
        assert not take(maker).curves.reset
    assert set(frame.curves.values) == {(m, n) for m in ("macro_f1", "ranking_loss") for n in ("SMART", "none")}
    expected = run.curves("cumulative").query("learner == 'SMART'").macro_f1.to_numpy()
    assert np.array_equal(frame.curves.values["macro_f1", "SMART"], expected)
    run.advance(300)  # six points are halved
    frame = take(maker)
    assert frame.curves.reset
    assert frame.curves.positions.tolist() == [200, 400, 600]
    maker.choose(readers={"nodes": nodes})
    assert not take(maker).curves.reset


def test_readers_read_when_a_frame_is_made():
    run = run_of()
    maker = FrameMaker(run)
    maker.choose(readers={"nodes": nodes, "position": lambda run: run.position})
    assert len(make(maker).readings["nodes"]["id"]) == 0
    run.advance(500)
    frame = make(maker)
    assert len(frame.readings["nodes"]["id"]) > 3
    assert frame.readings["position"] == 500
    maker.choose(readers={"position": None, "never there": None})
    assert set(make(maker).readings) == {"nodes"}
    maker.choose(readers={"nodes": lambda run: "another"})
    assert make(maker).readings == {"nodes": "another"}


def test_a_reader_that_fails_is_logged_once_until_it_is_replaced(caplog):
    maker = FrameMaker(run_of())
    maker.choose(readers={"broken": lambda run: {}["nothing"]})
    for _ in range(3):
        assert make(maker).readings["broken"] == ReadingFailed("'nothing'")
    assert [record.message for record in caplog.records] == ["the reader 'broken' failed"]
    maker.choose(readers={"broken": lambda run: {}["still nothing"]})
    make(maker)
    assert len(caplog.records) == 2


def test_a_frame_shares_nothing_with_the_run():
    run = run_of()
    maker = FrameMaker(run)
    maker.choose(readers={"nodes": nodes})
    run.advance(500)
    frame, twin = make(maker), make(maker)
    arrays = {
        "positions": lambda f: f.curves.positions,
        **{name: lambda f, name=name: f.readings["nodes"][name] for name in frame.readings["nodes"]},
    }
    run.advance()
    for name, get in arrays.items():
        assert np.array_equal(get(frame), get(twin), equal_nan=True), name
        get(frame)[:] = 0
    assert make(maker).curves.positions.tolist() == [100 * i for i in range(1, 11)]
    assert run.learner_runs["SMART"].learner.node_columns()["weight"].all()


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"measures": ["micro_f2"]}, "unknown measure 'micro_f2'"),
        ({"measures": ["macro_average_precision"]}, "has no curve"),
        ({"over": "tenth"}, "over='tenth'"),
        ({"readers": {"nodes": "SMART"}}, "'nodes'.*expected a function"),
    ],
)
def test_a_wrong_choice_changes_nothing(choices, message):
    run = run_of()
    maker = FrameMaker(run)
    run.advance(200)
    take(maker)
    good = {"measures": ["macro_f1"], "over": "faded", "readers": {"position": nodes}, "redraw": True}
    with pytest.raises(ValueError, match=message):
        maker.choose(**{**good, **choices})
    frame = take(maker)
    assert not frame.curves.reset
    assert set(frame.curves.values) == {("micro_f1", "SMART"), ("micro_f1", "none")}
    assert frame.readings == {}
