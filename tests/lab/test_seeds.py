"""A learner with several seeds: members are ordinary learners, grouped by their names."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab.script import script_of
from streamlab.lab.seeds import banded, groups_of, with_seeds

CURVES = ["micro_f1", "hamming_loss"]


def small(seed: int = 1) -> sl.SMART:
    return sl.SMART(seed=seed, n_trees=2)


@pytest.fixture(scope="module")
def run() -> sl.Run:
    run = sl.Run("yeast", {"SMART": small(4), "no-change": sl.NoChange()}, seeds=3)
    run.advance(450)
    return run


def test_each_learner_with_a_seed_runs_with_those_that_follow(run):
    assert list(run.learner_runs) == ["SMART · seed 4", "SMART · seed 5", "SMART · seed 6", "no-change"]
    alone = sl.Run("yeast", {"SMART": small(5)})
    alone.advance(450)
    curves = run.curves(measures=CURVES)
    of_member = curves[curves["learner"] == "SMART · seed 5"][CURVES].to_numpy()
    np.testing.assert_array_equal(of_member, alone.curves(measures=CURVES)[CURVES].to_numpy())
    others = curves[curves["learner"] == "SMART · seed 6"][CURVES].to_numpy()
    assert (of_member != others).any()


def test_a_run_with_seeds_is_saved_and_written_down(run, tmp_path):
    run.save(tmp_path / "seeds.slab")
    again = sl.Run.open(tmp_path / "seeds.slab")
    assert groups_of(again.learner_runs) == groups_of(run.learner_runs)
    assert again.advance(50) == 50
    assert script_of(run).count("sl.SMART(n_trees=2, seed=") == 3


def test_steps_of_a_pipeline_have_their_seeds():
    made = with_seeds({"both": sl.StandardScaler() | small(7)}, 2)
    assert list(made) == ["both · seed 7", "both · seed 8"]
    assert [each.parts[-1].seed for each in made.values()] == [7, 8]


@pytest.mark.parametrize("n", [0, 101, True, 2.5])
def test_another_number_of_seeds_is_refused(n):
    with pytest.raises(ValueError, match="expected a whole number from 1 to 100"):
        sl.Run("yeast", small(), seeds=n)


def test_two_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two are called 'A · seed 2'"):
        with_seeds({"A · seed 2": sl.NoChange(), "A": small()}, 2)


def test_names_decide_who_belongs_together():
    names = ["A · seed 1", "B", "A · seed 2", "C · seed 9", "D", "D · seed 1", "D · seed 2"]
    assert groups_of(names) == {
        "A": ("A · seed 1", "A · seed 2"),
        "B": ("B",),
        "C · seed 9": ("C · seed 9",),
        "D": ("D",),
        "D · seed 1": ("D · seed 1",),
        "D · seed 2": ("D · seed 2",),
    }


def test_bands_are_of_the_values_that_there_are():
    nan = np.nan
    curves = {
        "A · seed 1": np.array([1.0, nan, nan]),
        "A · seed 2": np.array([3.0, 5.0, nan]),
        "B": np.array([0.0, nan, 2.0]),
    }
    found = banded(curves)
    assert list(found) == ["A", "B"]
    np.testing.assert_array_equal(np.array(found["A"]), [[2, 5, nan], [1, 5, nan], [3, 5, nan]])
    np.testing.assert_array_equal(np.array(found["B"]), [curves["B"]] * 3)
    around = banded(curves, "deviation")["A"]
    np.testing.assert_allclose(around.high - around.middle, [np.sqrt(2), 0, nan])
    with pytest.raises(ValueError, match="spread='all': expected 'range' or 'deviation'"):
        banded(curves, "all")
