"""The curves of an earlier run, from its archive."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab.earlier import earlier_run


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    run = sl.Run("yeast", {"SMART": sl.SMART(seed=3, n_trees=2), "no-change": sl.NoChange()})
    run.advance(400)
    path = tmp_path_factory.mktemp("kept") / "earlier.slab"
    run.save(path)
    return run, path


@pytest.mark.parametrize("over", ["chunk", "faded", "cumulative"])
def test_its_curves_are_those_that_the_run_had(kept, over):
    run, path = kept
    earlier = earlier_run(path, run.stream.schema)
    assert (earlier.stream, earlier.rows) == ("yeast", 400)
    positions, values = earlier.curves("micro_f1", over)
    table = run.curves(over, ["micro_f1"])
    for name in ("SMART", "no-change"):
        mine = table[table["learner"] == name]
        np.testing.assert_array_equal(positions, mine["position"])
        np.testing.assert_array_equal(values[name], mine["micro_f1"])


def test_the_stream_may_have_changed_but_its_labels_not(kept):
    _, path = kept
    changed = sl.rotate_labels(sl.load("yeast"), at=100)
    assert earlier_run(path, changed.schema).rows == 400
    with pytest.raises(ValueError, match=r"earlier.slab: the run was on 'yeast', and none of its labels is among"):
        earlier_run(path, sl.load("segments").schema)


def test_a_measure_that_it_did_not_count_has_no_curve(kept):
    _, path = kept
    earlier = earlier_run(path, sl.load("yeast").schema)
    assert earlier.curves("hierarchical_f1")[1] == {}
    with pytest.raises(ValueError, match="unknown measure"):
        earlier.curves("no such measure")


def test_a_file_that_is_no_archive_or_has_no_curves_is_refused(tmp_path, kept):
    run, path = kept
    for content in (b"", b"no archive", path.read_bytes()[:-100]):
        (tmp_path / "bad.slab").write_bytes(content)
        with pytest.raises(ValueError, match=r"bad\.slab") as refused:
            earlier_run(tmp_path / "bad.slab", run.stream.schema)
        assert "\n" not in str(refused.value)
    sl.Run("yeast", sl.NoChange()).save(tmp_path / "new.slab")
    with pytest.raises(ValueError, match=r"new.slab: the run has no curves yet: it passed 0 rows"):
        earlier_run(tmp_path / "new.slab", run.stream.schema)
