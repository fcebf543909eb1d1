"""A saved run is done again from nothing, and the first difference is found."""

from __future__ import annotations

import pytest
from river import tree

import streamlab as sl
from streamlab.lab.replay import replay
from streamlab.streams import feature_noise
from tests.fuzz import slab_mutants as mutants
from tests.lab.test_archive import lived, opened
from tests.lab.test_time_machine import LEARNERS, STREAMS

pytestmark = pytest.mark.usefixtures("a_snapshot_of_every_chunk")


@pytest.mark.costly
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_replay_is_identical(learner, tmp_path):
    stream = LEARNERS[learner][0][-1]
    run = lived(stream, learner)
    run.save(tmp_path / "x.slab")
    found = replay(tmp_path / "x.slab", STREAMS[stream]())
    assert found.is_identical, found
    assert (found.position, found.compared > 100) == (100, True)
    # a run that was opened and went on, too
    again = opened(tmp_path / "x.slab", stream)
    again.advance(33)
    again.save(tmp_path / "y.slab")
    assert replay(tmp_path / "y.slab", STREAMS[stream]()).is_identical


@pytest.mark.parametrize(
    ("member", "old", "new", "what"),
    [
        ("run.json", '{"half_life":9}', '{"half_life":8}', "SMART: the event 'tuned'"),
        ("events.json", "→ 9", "→ 8", "after 50 instances: SMART: the event 'tuned'"),
        ("events.json", "→ 9", "→ 9", ""),
    ],
)
def test_the_first_difference_is_told(member, old, new, what, tmp_path):
    tree_of = mutants.tree_of(mutants.sound())
    text = tree_of[member].decode()
    assert old in text
    tree_of[member] = text.replace(old, new).encode()
    (tmp_path / "x.slab").write_bytes(mutants.built(tree_of))
    found = replay(tmp_path / "x.slab")
    assert found.is_identical == (not what)
    if what:
        assert what in str(found.difference)


def test_a_learner_that_knows_more_is_found(tmp_path):
    run = sl.Run(STREAMS["flat"](), {"a": sl.NoChange(), "b": sl.MajorityLabels()}, chunk=20)
    run.advance(80)
    # what nobody knows of
    chunk = next(run.stream.chunks(30, start=100))
    run.learner_runs["b"].learner.learn_many(chunk.X, 1 - chunk.Y)
    run.advance(40)
    run.save(tmp_path / "x.slab")
    found = replay(tmp_path / "x.slab")
    assert found.difference is not None
    assert found.difference.learner == "b"
    assert found.difference.position == 100


def test_what_cannot_be_replayed_is_said(tmp_path):
    def noisy(stream, at):
        return feature_noise(stream, at=at)

    run = sl.Run(STREAMS["flat"](), {"it": tree.HoeffdingTreeClassifier()}, chunk=20)
    run.advance(60)
    run.put_drift(noisy)
    run.advance(40)
    run.save(tmp_path / "x.slab")
    with pytest.raises(ValueError, match=r"x\.slab: the drift put in after 60 instances was the Python function noisy"):
        replay(tmp_path / "x.slab")


def test_how_the_way_was_cut_is_no_difference(tmp_path):
    def made() -> sl.Run:
        learners = {"a": sl.SMART(seed=1, warm_up=20), "b": sl.SMART(seed=2, warm_up=20), "c": sl.MajorityLabels()}
        return sl.Run(STREAMS["late"](), learners, chunk=60, alarms="label", alarm_delta=0.3)

    run = made()
    while run.advance(7):
        pass
    run.tune("a", half_life=20.0)
    assert {"a", "b", "c"} <= set(run.events.learner)
    run.save(tmp_path / "x.slab")
    found = replay(tmp_path / "x.slab", STREAMS["late"]())
    assert found.is_identical, found
    assert found.position == 240
