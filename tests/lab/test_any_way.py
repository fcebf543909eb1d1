"""Whatever is done to a run of two learners, in any order: it is, to the bit, the run that went straight through."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.lab.replay import replay
from streamlab.streams import DriftRecipe
from tests.lab.test_time_machine import CHUNK, LEARNERS, ROWS, STREAMS, TUNED, same, told

pytestmark = pytest.mark.usefixtures("a_snapshot_of_every_chunk")

NAMES = ("it", "most", "copy", "new")
LIVES = int(os.environ.get("STREAMLAB_LIVES", "0")) or settings.default.max_examples // 3
"""How many sequences are tried, by night more; the same ones whenever it is the same number."""
# a file holds no model of River's, and labels with a hierarchy take no drift
RUNS = [(name, stream) for name, (streams, _) in LEARNERS.items() for stream in streams
        if not name.startswith("River") and stream != "classes"]  # fmt: skip


names = st.sampled_from(NAMES)
steps = st.one_of(
    st.tuples(st.just("advance"), st.sampled_from([1, 7, 20, 33, 60, 120, None])),
    st.tuples(st.just("advance"), st.sampled_from([20, 60])),
    st.tuples(st.just("seek"), st.sampled_from([0.0, 0.0, 0.25, 0.4, 0.7, 1.0])),
    st.tuples(st.just("tune"), st.integers(0, 2)),
    st.tuples(st.just("mark")),
    st.tuples(st.just("drift"), st.sampled_from([0.5, 2.0])),
    st.tuples(st.just("fork"), names, st.sampled_from([None, 0, 70])),
    st.tuples(st.just("join"), st.sampled_from([0, 55])),
    st.tuples(st.just("remove"), names),
    st.tuples(st.just("put back"), names),
    st.tuples(st.just("complete")),
    st.tuples(st.just("step"), st.sampled_from([1, 7, CHUNK])),
    st.tuples(st.just("switch"), st.integers(0, 5)),
    st.tuples(st.just("keep")),
)

Done = list[tuple[int, bool, tuple[Any, ...]]]
"""What was done on a branch: after how many rows, whether the stream had ended, what."""


def made(learner: str, stream: str) -> sl.Run:
    learners = {"it": LEARNERS[learner][1](), "most": sl.MajorityLabels()}
    return sl.Run(STREAMS[stream](), learners, chunk=CHUNK, alarms="label", alarm_delta=0.9)


def do(run: sl.Run, what: tuple[Any, ...], learner: str) -> bool:
    """Do one thing; whether anything was done."""
    kind, *rest = what
    try:
        if kind == "tune":
            tuned = TUNED.get(learner)
            if tuned is None:
                return False
            run.tune("it", **tuned[rest[0] % len(tuned)])
        elif kind == "mark":
            run.mark()
        elif kind == "drift":
            run.put_drift(DriftRecipe("feature_noise", strength=rest[0]))
        elif kind == "fork":
            run.fork(rest[0], "copy", train_on=rest[1])
        elif kind == "join":
            run.join("new", sl.NoChange(), train_on=rest[0])
        elif kind == "remove":
            run.remove(rest[0])
        elif kind == "step":
            return run.set_step(rest[0]) is not None
        elif kind == "complete":
            run.complete_curves()
            return not run.finished
        else:
            raise AssertionError(kind)
    except ValueError:
        return False
    return True


def straight(learner: str, stream: str, script: Done, run: sl.Run) -> sl.Run:
    """Return a run that went straight to where ``run`` stands."""
    fresh = made(learner, stream)
    for at, ended, what in script:
        fresh.advance(at - fresh.position)
        if ended:
            fresh.advance()
        assert do(fresh, what, learner), what
    fresh.advance(run.position - fresh.position)
    if run.finished:
        fresh.advance()
    return fresh


class Life:
    """A run, and what was done on each of its branches."""

    def __init__(self, learner: str, stream: str, folder: Path) -> None:
        self.learner, self.stream, self.file = learner, stream, folder / "x.slab"
        self.run = made(learner, stream)
        self.scripts: dict[int, Done] = {0: []}

    def go_on(self, kind: str, *rest: Any) -> None:
        run, branch, done = self.run, self.run.branch, self.run._machine.done
        before = self.scripts[branch][:done]
        if kind == "advance":
            run.advance(rest[0])
        elif kind == "seek":
            run.seek(int(rest[0] * run.end))
        elif kind == "switch":
            run.switch_branch(rest[0] % len(self.scripts))
        elif kind == "keep":
            run.save(self.file)
            self.run = sl.Run.open(self.file, STREAMS[self.stream]())
            same(told(self.run), told(run))
        elif kind == "put back":
            removals = [place for place, (_, _, what) in enumerate(before) if what == ("remove", rest[0])]
            try:
                run.put_back(rest[0])
            except ValueError:
                # one that is there under this name, or what was done since that does not go without
                if run.branch == branch and len(run.branches) > len(self.scripts):
                    self.scripts[len(self.scripts)] = self.left_out(before, removals[-1])
                return
            self.scripts[run.branch] = self.left_out(before, removals[-1])
        else:
            item = (run.position, run.finished, (kind, *rest))
            if do(run, (kind, *rest), self.learner):
                self.scripts[run.branch] = [*before, item]

    def left_out(self, script: Done, place: int) -> Done:
        return script[:place] + script[place + 1 :]

    def check(self) -> None:
        run = self.run
        script = self.scripts[run.branch][: run._machine.done]
        same(told(run), told(straight(self.learner, self.stream, script, run)))
        run.save(self.file)
        again = sl.Run.open(self.file, STREAMS[self.stream]())
        same(told(again), told(run))
        assert again.finished == run.finished
        assert again.branches.equals(run.branches)
        foreign = sl.Run.open(self.file, STREAMS[self.stream](), models=False)
        assert foreign.branches.equals(run.branches)
        if foreign._machine.done == run._machine.done:  # else it stands after what was done where the run stands
            same(told(foreign), told(run))
        found = replay(self.file, STREAMS[self.stream]())
        assert found.is_identical, found


BACK_TO_THE_BEGINNING = [("advance", 100), ("seek", 0.0), ("remove", "most"), ("put back", "most"), ("advance", 33)]
AFTER_THE_END = [("advance", None), ("fork", "it", None), ("tune", 0), ("seek", 0.25), ("seek", 1.0)]
IN_SMALL_STEPS = [("advance", 7)] * 30


@settings(
    max_examples=LIVES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],  # lives are short: shrinking them would take minutes
)
@given(of=st.sampled_from(RUNS), life=st.lists(steps, min_size=4, max_size=14))
@example(of=("SMART", "flat"), life=BACK_TO_THE_BEGINNING)
@example(of=("SMART", "flat"), life=AFTER_THE_END)
@example(of=("SMART", "flat"), life=IN_SMALL_STEPS)
def test_any_way_is_the_straight_one(tmp_path, of, life):
    lived = Life(*of, tmp_path)
    for step in life:
        lived.go_on(*step)
        assert 0 <= lived.run.position <= ROWS
    again = made(*of)
    again._machine.go_the_way_of(lived.run.actions(), lived.run.position, lived.run.finished)
    same(told(again), told(lived.run))
    lived.check()
