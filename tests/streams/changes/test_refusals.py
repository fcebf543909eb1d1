"""What drifts refuse: each parameter by its name, with what was expected; positions are checked alike for all."""

from __future__ import annotations

import pytest

from streamlab.streams import DRIFTS
from tests.streams.changes.made import N, plain

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
