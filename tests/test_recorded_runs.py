"""Every learner's answers, states and curves are what they were before the code was moved about."""

from __future__ import annotations

import json
import math

import pytest

from tests import recorded_runs

RECORD = json.loads(recorded_runs.RECORD.read_text())


def test_every_case_is_recorded():
    assert set(RECORD["runs"]) == {f"{name} on {stream}" for name, stream in recorded_runs.CASES}


@pytest.mark.parametrize(("name", "stream"), recorded_runs.CASES)
def test_the_numbers_are_those_recorded(name, stream):
    expected = RECORD["runs"][f"{name} on {stream}"]
    found = recorded_runs.measured(name, stream)
    for measure, value in expected["figures"].items():
        assert math.isclose(found["figures"][measure], value, rel_tol=1e-6, abs_tol=1e-9), measure
    if recorded_runs.arithmetic() != RECORD["arithmetic"]:
        pytest.skip("another machine's arithmetic: the figures agree, the last bits cannot be compared")
    for part in ("answers", "state", "curves"):
        assert found[part] == expected[part], part
