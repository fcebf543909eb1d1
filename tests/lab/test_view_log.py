"""The light log of views: in the order of positions, and the last one up to a position is found."""

from __future__ import annotations

import pytest

from streamlab.lab.view_log import ViewEntry, ViewLog


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
    assert log.entries == [ViewEntry(10, {"a": 2})]
    with pytest.raises(ValueError, match="position=9: the log is at 10 already"):
        log.add(9, {})
    assert len(log) == 1
