"""The log keeps every tuning and the newest of the rest, in order."""

from __future__ import annotations

import pytest

from streamlab.lab.events import EventLog


def numbers(events) -> list[int]:
    return [event.number for event in events]


@pytest.fixture
def log() -> EventLog:
    """Ten events, each third a tuning: 0, 3, 6, 9; of the others the newest three are kept: 5, 7, 8."""
    log = EventLog(limit=3)
    for i in range(10):
        event = log.add(10 * i, "SMART", "tuned" if i % 3 == 0 else "replaced", f"event {i}", {"parameter": "p"})
        assert event.number == i
        assert event.position == 10 * i
    return log


def test_tunings_are_never_dropped(log):
    assert numbers(log) == [0, 3, 5, 6, 7, 8, 9]
    assert len(log) == 7
    assert log.next_number == 10


@pytest.mark.parametrize("number", range(12))
def test_since(log, number):
    assert numbers(log.since(number)) == [n for n in (0, 3, 5, 6, 7, 8, 9) if n >= number]


def test_bounded():
    log = EventLog(limit=50)
    for i in range(10_000):
        log.add(i, "", "drift", "sudden")
    assert len(log) == 50
    assert numbers(log.since(9_990)) == list(range(9_990, 10_000))


def test_an_event_has_a_detail_of_its_own():
    log = EventLog()
    first, second = log.add(0, "", "drift", ""), log.add(0, "", "drift", "")
    assert first.detail == second.detail == {}
    assert first.detail is not second.detail


def test_the_table(log):
    table = log.table()
    assert table.columns.tolist() == ["position", "learner", "kind", "parameter", "old", "new", "message"]
    assert table.position.tolist() == [0, 30, 50, 60, 70, 80, 90]
    assert table.parameter.tolist() == ["p"] * 7
    assert table.old.isna().all()


def test_marks_of_an_endless_run_hold_no_more_than_a_few_times_the_log():
    """Each place to which a snapshot returns has the log as it was, and what is given up is held by old ones alone."""
    log, marks = EventLog(limit=50), []
    for i in range(3_000):
        log.add(i, "SMART", "tuned" if i % 500 == 0 else "replaced", f"event {i}")
        if i % 7 == 0:
            marks.append((log.mark(), numbers(log)))
    assert max(sum(len(part.events) for part in mark.chain()) for mark, _ in marks) <= 300
    for mark, then in marks:
        log.rewind(mark)
        assert numbers(log) == then
    # from a place of before it goes on as ever
    log.rewind(marks[100][0])
    for i in range(1_000):
        log.add(i, "SMART", "replaced", "")
        assert sum(len(part.events) for part in log.mark().chain()) <= 300


def test_events_are_sorted_by_their_positions_and_numbered_again():
    log = EventLog(limit=5)
    log.add(3, "", "drift", "")
    mark = log.mark()
    log.add(9, "", "tuned", "")
    first = log.next_number
    for position, learner, kind in [(7, "a", "alarm"), (9, "a", "alarm"), (5, "b", "tuned"), (7, "b", "grew")]:
        log.add(position, learner, kind, "", {"position": position})
    log.sort_since(first)
    expected = [(3, ""), (9, ""), (5, "b"), (7, "a"), (7, "b"), (9, "a")]
    assert [(event.position, event.learner) for event in log] == expected
    assert numbers(log) == list(range(6))
    assert [event.detail["position"] for event in log.since(first)] == [5, 7, 7, 9]
    after = log.mark()
    log.rewind(mark)
    assert numbers(log) == [0]
    log.rewind(after)
    assert [(event.position, event.learner) for event in log] == expected
    assert log.next_number == 6
