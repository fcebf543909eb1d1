"""River's drift detectors, kept as the numbers since their last detection."""

from __future__ import annotations

import numpy as np
import pytest
from river import drift

from streamlab.detectors import RecordedDetector, recorded

MADE = {
    "ADWIN": lambda: drift.ADWIN(),
    "KSWIN": lambda: drift.KSWIN(seed=3),
    "PageHinkley": lambda: drift.PageHinkley(threshold=5),
    "DDM": lambda: drift.binary.DDM(),
    "EDDM": lambda: drift.binary.EDDM(),
    "FHDDM": lambda: drift.binary.FHDDM(),
    "HDDMA": lambda: drift.binary.HDDMA(),
    "HDDMW": lambda: drift.binary.HDDMW(),
}


def errors(n=1500, seed=0):
    rate = np.where(np.arange(n) // 500 % 2, 0.7, 0.1)
    return (np.random.default_rng(seed).random(n) < rate) * 1.0


@pytest.mark.parametrize("name", MADE)
def test_it_notices_what_rivers_notices_and_goes_on_from_its_state(name):
    values, theirs, found = errors(), MADE[name](), []
    for row, value in enumerate(values):
        theirs.update(bool(value) if name not in ("ADWIN", "KSWIN", "PageHinkley") else value)
        if theirs.drift_detected:
            found.append(row)
    whole = [change.row for change in RecordedDetector(MADE[name]()).update_many(values)]
    assert whole == found
    assert whole
    ours, parts = RecordedDetector(MADE[name]()), []
    for start in range(0, len(values), 70):
        twin = RecordedDetector(MADE[name]())
        twin.set_state(ours.state())
        ours = twin
        parts += [start + change.row for change in ours.update_many(values[start : start + 70])]
    assert parts == whole


def test_it_says_from_where_to_where():
    watch = RecordedDetector(drift.ADWIN())
    (rose,) = watch.update_many(np.repeat([0.1, 0.9], 500))
    assert rose.rising
    # 43 of the newest 50 are from after the change
    assert (rose.before, rose.after) == pytest.approx((0.1, 0.8 * 44 / 50 + 0.1))


def test_one_without_a_seed_is_reproducible_and_the_one_given_is_not_fed():
    given = drift.KSWIN()
    first, second = (RecordedDetector(given).update_many(errors()) for _ in range(2))
    assert first == second
    assert not given.window


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(recorded, "LONGEST", 100)
    watch = RecordedDetector(drift.NoDrift())
    assert watch.update_many(np.zeros(250)) == []
    assert len(watch.state()["fed"]) == 50
    with pytest.raises(ValueError, match=r"state: fed is float64 \(101,\); expected float64 \(100,\)"):
        watch.set_state({"fed": np.zeros(101)})


@pytest.mark.parametrize("thing", [drift.ADWIN, 0.002, "ADWIN"])
def test_what_is_no_detector_is_refused(thing):
    with pytest.raises(ValueError, match=r"expected one of River's drift detectors, such as river.drift.ADWIN\(\)"):
        RecordedDetector(thing)
