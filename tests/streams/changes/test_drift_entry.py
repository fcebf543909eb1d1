"""Drifts by name, and what is refused of all of them."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.streams import DRIFTS, DriftRecipe, prior_shift, swap_labels
from streamlab.streams.changes.drift_entry import running_drifts
from tests.streams.changes.made import N, plain

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
def test_what_is_refused(name, parameters, why):
    with pytest.raises(ValueError, match=why):
        DriftRecipe(name, **parameters)


def test_a_parameter_that_is_missing_is_said_when_it_is_put_in():
    with pytest.raises(ValueError, match=r"swap_labels: .*missing"):
        DriftRecipe("swap_labels", a=0)(sl.load("yeast"), 10)


SWAP = {"a": 0, "b": 1, "at": 5}
SHIFT = {"label": 0, "factor": 0.5, "at": 5}
TWO_OR_SHARE = "expected two features or a share of them"
EITHER = "expected exactly one of them"


@pytest.mark.parametrize(
    ("drift", "options", "message"),
    [
        ("swap_labels", {**SWAP, "a": "new"}, "a='new': arrays has no such label; did you mean 'news'"),
        ("swap_labels", {**SWAP, "b": 4}, "b=4: arrays has no such label; expected a position from 0 to 3"),
        ("swap_labels", {**SWAP, "b": "news"}, "a=0 and b='news' are the same label of arrays; expected two"),
        ("swap_labels", {**SWAP, "at": N}, "at=900: expected a position before the end of the 900 rows"),
        ("swap_labels", {**SWAP, "at": -1}, "at=-1: expected a whole number"),
        ("swap_labels", {**SWAP, "at": 2.5}, "at=2.5: expected a whole number"),
        ("swap_labels", {**SWAP, "at": None}, "at=None: expected a whole number"),
        ("swap_labels", {**SWAP, "at": "abc"}, "at='a': expected a whole number"),
        ("swap_labels", {**SWAP, "at": []}, r"at=\(\) is empty"),
        ("swap_labels", {**SWAP, "at": [5, 5]}, "at=5 follows 5: expected ascending positions, at least width=1"),
        ("swap_labels", {**SWAP, "at": [5, 9], "width": 5}, "at=9 follows 5: expected ascending"),
        ("swap_labels", {**SWAP, "width": 0}, "width=0: expected"),
        ("swap_labels", {**SWAP, "seed": -1}, "seed=-1: expected"),
        ("swap_labels", {**SWAP, "width": 9, "until": 13}, "until=13: expected a position from .* 14"),
        ("swap_labels", {**SWAP, "until": N}, "until=900: expected a position before the end"),
        ("swap_labels", {**SWAP, "until": [9]}, "until=.* expected a whole number"),
        ("swap_labels", {**SWAP, "at": [5, 9], "until": 13}, r"until=13 goes with one position, not with at=\[5,"),
        ("swap_features", {**SWAP, "a": "u", "b": "c"}, r"'u' \(numeric\) and 'c' \(nominal: 'red', .*\) cannot be"),
        ("swap_features", {**SWAP, "a": "x"}, "a='x': arrays has no such feature"),
        ("swap_features", {"a": "u", "at": 5}, TWO_OR_SHARE),
        ("swap_features", {"at": 5}, TWO_OR_SHARE),
        ("swap_features", {**SWAP, "share": 0.5}, TWO_OR_SHARE),
        ("swap_features", {"share": 0.0, "at": 5}, "share=0.0: expected a number above 0 and at most 1"),
        ("swap_features", {"share": "half", "at": 5}, "share='half': expected a number"),
        ("swap_features", {"share": 0.5}, "at=None: expected a whole number"),
        ("stuck_features", {"at": 5, "share": 0.0}, "share=0.0: expected a number above 0 and at most 1"),
        ("feature_noise", {"at": 5, "share": 1.5}, "share=1.5: expected a number"),
        ("feature_noise", {"at": 5, "strength": 0}, "strength=0: expected a number above 0"),
        ("feature_noise", {"at": 5, "strength": float("nan")}, "strength=nan: expected a number above 0"),
        ("feature_noise", {"at": 5, "sample": 1}, "sample=1: expected a whole number, at least 2"),
        ("new_label", {"label": "arts", "at": 5}, "label='arts': arrays has no such label; did you mean 'art'"),
        ("vanish_label", {"label": True, "at": 5}, "label=True: arrays has no such label"),
        ("rotate_labels", {}, EITHER),
        ("rotate_labels", {"at": 5, "stages": 11}, EITHER),
        ("rotate_labels", {"at": [3, 2.5]}, "at=2.5: expected a whole number"),
        ("rotate_labels", {"at": 5, "width": 0}, "width=0: expected"),
        ("rotate_labels", {"at": 5, "by": 4}, "by=4: expected"),
        ("rotate_labels", {"at": 5, "by": 0}, "by=0: expected"),
        ("rotate_labels", {"at": 5, "seed": -1}, "seed=-1: expected"),
        ("rotate_labels", {"stages": 1}, "stages=1: expected"),
        ("rotate_labels", {"stages": 2000}, "expected at least as many rows, arrays has 900"),
        ("rotate_labels", {"stages": 11, "width": 5}, "width=5 goes with at="),
        ("prior_shift", {**SHIFT, "factor": 1}, "factor=1: expected a positive, finite number other than 1"),
        ("prior_shift", {**SHIFT, "factor": 0}, "factor=0: expected a positive"),
        ("prior_shift", {**SHIFT, "factor": float("inf")}, "factor=inf: expected a positive"),
        ("prior_shift", {**SHIFT, "factor": float("nan")}, "factor=nan: expected a positive"),
        ("prior_shift", {**SHIFT, "factor": "2"}, "factor='2': expected a positive, finite number"),
        ("prior_shift", {**SHIFT, "label": "y7"}, "label='y7': arrays has no such label"),
        ("prior_shift", {**SHIFT, "at": [50, 55], "width": 10}, "at=55 follows 50: expected ascending positions"),
        ("prior_shift", {**SHIFT, "width": 0}, "width=0: expected"),
        ("prior_shift", {**SHIFT, "seed": 1.5}, "seed=1.5: expected"),
        ("hide_labels", {"share": 1.1}, "share=1.1: expected a number from 0 to 1"),
        ("hide_labels", {"share": float("nan")}, "share=nan: expected a number from 0 to 1"),
        ("hide_labels", {"share": True}, "share=True: expected a number from 0 to 1"),
        ("hide_labels", {"share": 0.5, "per": "row"}, "per='row': expected 'instance' or 'label'"),
        ("hide_labels", {"share": 0.5, "seed": -1}, "seed=-1: expected"),
    ],
)
def test_wrong_parameters(drift, options, message):
    with pytest.raises(ValueError, match=message):
        DRIFTS.load(drift).function(plain(), **options)
