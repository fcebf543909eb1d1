"""A drift as a name with parameters does what the function of that name does."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.streams import DriftRecipe, prior_shift, swap_labels
from streamlab.streams.changes.drift_entry import running_drifts

PARAMETERS = {
    "feature_noise": {"strength": 0.5},
    "stuck_features": {"share": 0.5},
    "new_label": {"label": 0},
    "prior_shift": {"label": 0, "factor": 3.0},
    "rotate_labels": {"width": 20},
    "swap_features": {"share": 0.5},
    "swap_labels": {"a": 0, "b": 1},
    "vanish_label": {"label": 1},
}


@pytest.mark.parametrize("name", running_drifts())
def test_each_is_put_in_where_it_is_asked_for(name):
    stream = sl.load("syn-tree-sudden", n_rows=200)
    drift = DriftRecipe(name, **PARAMETERS[name])
    changed = drift(stream, 100)
    assert any(each.start == 100 for each in changed.drifts[-2:])
    before, after = (list(changed.chunks(100))[k] for k in (0, 1))
    plain = list(stream.chunks(100))
    if name != "new_label":
        np.testing.assert_array_equal(before.X, plain[0].X)
        np.testing.assert_array_equal(before.Y, plain[0].Y)
    assert not (np.array_equal(after.X, plain[1].X) and np.array_equal(after.Y, plain[1].Y)) or name == "new_label"
    assert eval(repr(drift)) == drift


def test_without_a_seed_the_position_is_it():
    stream = sl.load("syn-tree-sudden", n_rows=200)
    of = {"label": 0, "factor": 3}
    for drift, seed in ((DriftRecipe("prior_shift", **of), 50), (DriftRecipe("prior_shift", seed=9, **of), 9)):
        wanted = prior_shift(stream, 0, 3, at=50, seed=seed)
        for a, b in zip(drift(stream, 50).chunks(90), wanted.chunks(90), strict=True):
            np.testing.assert_array_equal(a.Y, b.Y)


def test_it_does_not_change_and_is_equal_by_its_values():
    drift = DriftRecipe("swap_labels", a=0, b=np.int64(1))
    assert drift == DriftRecipe("swap_labels", a=0, b=1)
    assert hash(drift) == hash(DriftRecipe("swap_labels", a=0, b=1))
    assert drift != DriftRecipe("swap_labels", a=0, b=2)
    assert drift != swap_labels
    with pytest.raises(AttributeError, match="cannot assign to field 'name'"):
        drift.name = "rotate_labels"


@pytest.mark.parametrize(
    ("name", "parameters", "why"),
    [
        ("swap_label", {}, "did you mean 'swap_labels'"),
        (3, {}, "there is no drift 3"),
        ("swap_labels", {"at": 3}, "no parameter 'at'"),
        ("swap_labels", {"c": 3}, "no parameter 'c'"),
        ("swap_labels", {"a": object()}, "expected a number, a text"),
        ("feature_noise", {"strength": float("nan")}, "expected a number, a text"),
    ],
)
def test_what_it_refuses(name, parameters, why):
    with pytest.raises(ValueError, match=why):
        DriftRecipe(name, **parameters)


def test_a_parameter_that_is_missing_is_said_when_it_is_put_in():
    with pytest.raises(ValueError, match=r"swap_labels: .*missing"):
        DriftRecipe("swap_labels", a=0)(sl.load("yeast"), 10)
