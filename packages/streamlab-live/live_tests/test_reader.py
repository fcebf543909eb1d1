"""The reader: nothing is fatal but a source that is wrong for good; bounded, and exact after trouble."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.lab.made import wait_until

from live_tests.made import FullDisk, ListSource, made_rows, reader_of
from streamlab_live.record import DeadLetters
from streamlab_live.source import Message


def messages(n, seed=0):
    X, Y = made_rows(n, seed)
    return [
        json.dumps(dict(zip("abcuv", [*x, *y], strict=True))).encode()
        for x, y in zip(X.tolist(), Y.tolist(), strict=True)
    ]


@pytest.fixture
def reading(tmp_path):
    """Makes readers, started, and closes them at the end."""
    made = []

    def make(source, **options):
        made.append(reader_of(source, tmp_path / "journal", **options))
        made[-1].start()
        return made[-1]

    yield make
    for reader in made:
        reader.close()


def rows(reader):
    parts = [record.X for record in reader.journal.read()]
    return np.concatenate(parts) if parts else np.empty((0, 3))


def test_what_comes_is_in_the_journal(reading):
    source = ListSource(messages(2500))
    reader = reading(source)
    wait_until(lambda: reader.journal.n_rows == 2500, "the rows")
    np.testing.assert_array_equal(rows(reader), made_rows(2500)[0])
    status = reader.status()
    assert (status.rows, status.waiting, status.bad, status.connected, status.trouble) == (2500, 2500, {}, True, "")
    assert reader.journal.offsets == {"p": 2500}
    reader.close()
    reader.close()
    assert source.closed


def test_bad_messages_are_set_aside_and_the_reader_goes_on(reading):
    values = messages(100)
    values[10], values[50] = b"{", b'{"a": "\xc3\xbc"}'
    source = ListSource(values)
    reader = reading(source)
    wait_until(lambda: reader.journal.offsets.get("p") == 100, "the rows")
    assert reader.journal.n_rows == 98
    told = [json.loads(line) for line in reader.dead.path.read_text().splitlines()]
    assert [(each["partition"], each["offset"], each["kind"]) for each in told] == [
        ("p", 11, "not JSON"),
        ("p", 51, "wrong type"),
    ]
    assert told[1]["text"] == '{"a": "ü"}'
    assert reader.status().bad == {"not JSON": 1, "wrong type": 1}
    wait_until(lambda: source.settlements, "the answer")
    assert set(source.settlements[0]) == {10, 50}


def test_only_bad_messages_move_the_offset_on(reading):
    reader = reading(ListSource([b"no"] * 5))
    wait_until(lambda: reader.journal.offsets.get("p") == 5, "the offset")
    assert reader.journal.n_rows == 0


def test_the_reader_connects_again(reading, monkeypatch):
    monkeypatch.setattr("streamlab_live.reader.FIRST_WAIT", 0.001)
    source = ListSource(messages(10))
    source.troubles.extend([ConnectionError("the server is away")] * 5)
    reader = reading(source)
    wait_until(lambda: reader.journal.n_rows == 10, "the rows")
    assert source.n_seeks == 6, "each time from the journal's offsets"
    assert reader.status().connected


def test_waits_grow_to_a_bound_and_follow_the_seed(tmp_path, monkeypatch):
    waits = []
    for folder in ("one", "other"):
        reader = reader_of(ListSource(), tmp_path / folder, seed=3)
        own = []
        monkeypatch.setattr(reader._wakeup, "wait_for", lambda _, seconds, own=own: own.append(seconds))
        for failures in range(1, 60):
            reader._rest(failures)
        waits.append(own)
        reader.journal.close()
    assert waits[0] == pytest.approx(waits[1], abs=0.01)
    assert all(15.0 <= wait <= 30.0 for wait in waits[0][20:])
    assert waits[0][0] <= 0.2


def test_while_the_server_is_away_it_is_said(reading):
    source = ListSource()
    source.troubles.extend([ConnectionError("the server is away")] * 100)
    reader = reading(source)
    wait_until(lambda: reader.status().trouble == "the server is away", "the trouble")
    assert not reader.status().connected
    assert not reader.has_stopped


def test_a_source_that_is_wrong_for_good_stops_the_reading(reading):
    source = ListSource(messages(10))
    reader = reading(source)
    wait_until(lambda: reader.journal.n_rows == 10, "the rows")
    source.troubles.append(ValueError("the file was cut short"))
    wait_until(lambda: reader.failure, "the failure")
    assert reader.failure == "the file was cut short"
    wait_until(lambda: source.closed, "the end")
    assert len(rows(reader)) == 10


def test_a_source_with_an_error_of_its_own_is_told(reading):
    source = ListSource()
    source.troubles.append(KeyError("odd"))
    reader = reading(source)
    wait_until(lambda: "KeyError" in reader.failure, "the failure")


@pytest.mark.parametrize("most", [1, 1000, 3000])
def test_backpressure_bounds_the_journal(reading, most):
    source = ListSource(messages(10_000))
    reader = reading(source, most_ahead=most)
    wait_until(lambda: reader.status().is_full, "that it is full")
    polls = source.n_polls
    bound = most + 1000  # a batch more
    assert most <= reader.journal.n_rows <= bound
    reader.has_read(500)
    wait_until(lambda: reader.journal.n_rows >= most + 500 and reader.status().is_full, "the next rows")
    assert reader.journal.n_rows <= bound + 500
    assert source.n_polls >= polls
    reader.want(8000)
    wait_until(lambda: reader.journal.n_rows >= 8000, "what a large chunk wants")
    assert reader.journal.n_rows <= 9000


def test_a_full_disk_is_waited_for_and_nothing_is_lost_or_comes_twice(tmp_path, monkeypatch):
    monkeypatch.setattr("streamlab_live.reader.FIRST_WAIT", 0.001)
    values = messages(3000)
    values[1500] = b"bad"
    source = ListSource(values)
    reader = reader_of(source, tmp_path / "journal")
    disk = FullDisk(reader.journal, 3)
    reader.start()
    wait_until(lambda: reader.journal.n_rows == 2999, "the rows")
    reader.close()
    assert (disk.failed, source.n_seeks) == (3, 4), "they are asked for again, each time"
    np.testing.assert_array_equal(rows(reader), np.delete(made_rows(3000)[0], 1500, axis=0))
    assert len(reader.dead.path.read_text().splitlines()) == 1


def test_after_a_restart_it_goes_on_behind_the_offsets(reading):
    source = ListSource(messages(100))
    reader = reading(source)
    wait_until(lambda: reader.journal.n_rows == 100, "the rows")
    reader.close()
    again = ListSource(messages(150))
    reader = reading(again)
    wait_until(lambda: reader.journal.n_rows == 150, "the rows")
    np.testing.assert_array_equal(rows(reader), made_rows(150)[0])


def test_a_source_that_ends_ends_the_stream(reading):
    source = ListSource(messages(30))
    source.has_ended = True
    reader = reading(source)
    wait_until(lambda: reader.journal.ended, "the end")
    assert reader.journal.n_rows == 30


def test_rows_that_were_read_are_given_up(reading):
    source = ListSource(messages(20_000))
    reader = reading(source, most_ahead=2000, keep_rows=3000)
    at = 0
    while at < 20_000:
        wait_until(lambda: reader.journal.n_rows > at, "rows")  # noqa: B023
        at = reader.journal.n_rows
        assert reader.journal.first_row <= max(0, at - 3000), "what is kept, and what nobody has read"
        reader.has_read(at)
    source.values += messages(10)
    wait_until(lambda: reader.journal.first_row > 0, "that old rows go")
    assert sum(len(record) for record in reader.journal.read(17_000)) >= 3000


def test_what_a_crash_left_among_the_dead_letters_is_cut_off(tmp_path):
    dead = DeadLetters(tmp_path)
    dead.add([(Message("p", 1, 0.0, b"one"), "not JSON", "why")])
    upto, counts = dead.n_bytes, dict(dead.counts)
    dead.add([(Message("p", 2, 0.0, b"\xff" * 5000), "not text", "why")])
    again = DeadLetters(tmp_path, upto, counts)
    assert sum(again.counts.values()) == 1
    assert again.path.stat().st_size == upto


def test_a_file_of_dead_letters_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr("streamlab_live.record.LETTERS_BYTES", 10_000)
    dead = DeadLetters(tmp_path)
    for i in range(100):
        dead.add([(Message("p", i, 0.0, b"x" * 10_000), "too long", "why")])
    assert sum(dead.counts.values()) == 100
    assert 0 < dead.path.stat().st_size <= 10_000
    assert all(len(json.loads(line)["text"]) == 2048 for line in dead.path.read_text().splitlines())


def test_a_message_that_is_nested_deeply_is_set_aside(reading):
    values = messages(50)
    deep = [b'{"a": %s1%s, "b": 1}' % (b"[" * n, b"]" * n) for n in [*range(940, 1009), 20_000]]
    source = ListSource([*values[:20], *deep, *values[20:]])
    reader = reading(source)
    wait_until(lambda: reader.journal.n_rows == 50, "the rows")
    assert sum(reader.status().bad.values()) == 70
    assert not reader.failure


def test_what_breaks_the_decoding_is_set_aside(reading, monkeypatch):
    values = messages(50)
    reader = reading(ListSource())
    decode = reader.decoding.row

    def row(value):
        if value == values[7]:
            raise OverflowError("too large")
        return decode(value)

    monkeypatch.setattr(type(reader.decoding), "row", lambda self, value: row(value))
    reader.source.values += values
    wait_until(lambda: reader.journal.n_rows == 49, "the rows")
    assert reader.status().bad == {"not readable": 1}


def test_wide_rows_are_polled_in_small_numbers(reading, monkeypatch):
    from streamlab_live import reader as readers

    monkeypatch.setattr(readers, "RECORD_BYTES", 3 * 8 * 10)
    reader = reading(ListSource(messages(95)))
    wait_until(lambda: reader.journal.n_rows == 95, "the rows")
    assert [len(record) for record in reader.journal.read()] == [10] * 9 + [5]


def test_a_stream_whose_reading_failed_can_be_ended(reading):
    source = ListSource(messages(30))
    reader = reading(source)
    wait_until(lambda: reader.journal.n_rows == 30, "the rows")
    source.troubles.append(ValueError("cut short"))
    wait_until(lambda: reader.failure, "the failure")
    reader.end()
    assert reader.journal.ended
    assert reader.status().ended
