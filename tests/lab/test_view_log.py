"""The light log of views: in the order of positions, and the last one up to a position is found."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.lab.view_log import ViewLog


def test_entries_stand_in_order_and_the_last_up_to_a_position_is_found():
    log = ViewLog()
    assert log.at(5) is None
    for position in (0, 100, 250):
        log.add(position, {"picture labels": position})
    assert [entry.position for entry in log.entries] == [0, 100, 250]
    assert [log.at(position).position for position in (0, 99, 100, 249, 250, 9999)] == [0, 0, 100, 100, 250, 250]
    assert log.at(-1) is None


def test_the_same_position_takes_the_last_entrys_place_and_an_earlier_one_is_refused():
    log = ViewLog()
    readings = {"a": 1}
    log.add(10, readings)
    log.add(10, {"a": 2})
    readings["a"] = 3
    assert [(entry.position, entry.readings) for entry in log.entries] == [(10, {"a": 2})]
    with pytest.raises(ValueError, match="position=9: the log is at 10 already"):
        log.add(9, {})
    assert len(log) == 1


def test_a_log_past_its_budget_gives_up_every_second_entry_and_the_newest_stays():
    log = ViewLog(budget=50_000)
    for position in range(0, 1000, 10):
        if log.wants(position):
            log.add(position, {"picture tree of it": {"columns": np.zeros(250)}})
    assert log.n_bytes <= 50_000
    assert log.n_bytes == sum(entry.n_bytes for entry in log.entries)
    positions = np.array([entry.position for entry in log.entries])
    assert positions[0] == 0
    assert positions[-1] > 900
    assert (np.diff(positions) > 0).all()
    assert np.diff(positions).max() <= 2 * log.spacing


def test_a_part_of_a_log_is_its_own():
    log = ViewLog()
    for position in (0, 10, 20, 30):
        log.add(position, {"a": "x" * position})
    part = log.until(20)
    part.add(25, {"a": "y"})
    assert [entry.position for entry in part.entries] == [0, 10, 20, 25]
    assert [entry.position for entry in log.entries] == [0, 10, 20, 30]
    assert part.entries[1] is log.entries[1]
    assert part.n_bytes == sum(entry.n_bytes for entry in part.entries)
