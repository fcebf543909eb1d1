"""A drift put into the running stream: from the next chunk on, in the truth and in the log."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.learners import MajorityLabels, NoChange
from streamlab.streams import feature_noise, prior_shift, rotate_labels, swap_features, swap_labels, vanish_label
from tests.lab.made import Failing, made_arrays, made_stream

CHANGES = {
    "rotation": lambda stream, at: rotate_labels(stream, at=at),
    "swap": lambda stream, at: swap_labels(stream, 0, 2, at=at, width=50),
    "prior": lambda stream, at: prior_shift(stream, 0, 5.0, at=at),
    "vanishing": lambda stream, at: vanish_label(stream, 1, at=at),
    "noise": lambda stream, at: feature_noise(stream, at=at, strength=3.0),
    "features": lambda stream, at: swap_features(stream, at=at, share=0.5),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("before", [0, 200, 230])
def test_as_if_the_stream_had_been_so_from_the_start(name, before):
    change, at = CHANGES[name], -(-before // 100) * 100
    run = Run(made_stream(1000), {"SMART": sl.SMART(warm_up=50, seed=1)}, measures=["micro_f1"])
    run.advance(before)
    event = run.put_drift(change)
    assert (event.kind, event.position, event.detail["at"]) == ("put in", before, at)
    run.advance()
    same = Run(change(made_stream(1000), at), {"SMART": sl.SMART(warm_up=50, seed=1)}, measures=["micro_f1"])
    same.advance()
    assert run.position == same.position
    np.testing.assert_array_equal(run.curves().micro_f1, same.curves().micro_f1)
    drifts = [(e.position, e.kind, e.message) for e in run.log if e.kind == "drift"]
    assert drifts == [(e.position, e.kind, e.message) for e in same.log if e.kind == "drift"]
    assert drifts[0][0] == at


def test_exactly_at_a_row_amid_a_chunk_that_has_not_been_answered():
    run = Run(made_stream(1000), {"SMART": sl.SMART(warm_up=50, seed=1)}, measures=["micro_f1"])
    run.advance(230)
    with pytest.raises(ValueError, match="at=250: expected a row from 300 on"):
        run.put_drift(CHANGES["rotation"], at=250)
    assert run.put_drift(CHANGES["rotation"], at=345).detail["at"] == 345
    run.advance(370)
    # gone back over it, it is put in there once more
    run.seek(100)
    run.advance()
    same = Run(rotate_labels(made_stream(1000), at=345), {"SMART": sl.SMART(warm_up=50, seed=1)}, measures=["micro_f1"])
    same.advance()
    np.testing.assert_array_equal(run.curves().micro_f1, same.curves().micro_f1)
    assert [event.position for event in run.log if event.kind == "drift"] == [345]


def test_one_after_the_other():
    run = Run(made_stream(1000), NoChange())
    run.advance(150)
    run.put_drift(CHANGES["rotation"])
    run.advance(300)
    run.put_drift(CHANGES["rotation"])
    run.advance()
    assert [e.position for e in run.log if e.kind == "drift"] == [200, 500]
    assert [d.start for d in run.stream.drifts] == [200, 500]
    _, Y = made_arrays(1000)
    last = run.last[1]
    np.testing.assert_array_equal(last, np.roll(Y[-1], 2))


def test_twice_at_the_same_place():
    run = Run(made_stream(400), NoChange())
    run.advance(100)
    run.put_drift(CHANGES["rotation"])
    run.put_drift(CHANGES["rotation"])
    run.advance()
    np.testing.assert_array_equal(run.last[1], np.roll(made_arrays(400)[1][-1], 2))


def test_a_drift_that_the_stream_had_ahead_is_still_told():
    run = Run(rotate_labels(made_stream(600), at=400), MajorityLabels())
    run.advance(100)
    run.put_drift(CHANGES["vanishing"])
    run.advance()
    assert [e.position for e in run.log if e.kind == "drift"] == [100, 400]


def test_what_cannot_be_put_in_changes_nothing():
    run = Run(made_stream(300), NoChange())
    run.advance(100)
    stream = run.stream
    with pytest.raises(ValueError, match="has no such label"):
        run.put_drift(lambda stream, at: vanish_label(stream, "no such label", at=at))
    with pytest.raises(ValueError, match="expected a Stream"):
        run.put_drift(lambda stream, at: None)
    with pytest.raises(ValueError, match="another schema"):
        run.put_drift(lambda stream, at: made_stream(300, n_labels=2))
    assert run.stream is stream
    run.advance()
    with pytest.raises(ValueError, match="the stream has no rows left"):
        run.put_drift(CHANGES["rotation"])
    assert not [e for e in run.log if e.kind in ("drift", "put in")]


def test_of_a_run_that_broke_off():
    run = Run(made_stream(300), {"failing": Failing(after=150)})
    with pytest.raises(ValueError, match="this row is too much for me"):
        run.advance()
    with pytest.raises(ValueError, match="the stream has no rows left"):
        run.put_drift(CHANGES["rotation"])
