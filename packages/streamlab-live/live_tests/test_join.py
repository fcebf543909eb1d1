"""Rows and labels of two sources as one stream: through journals, over restarts and kills, in a run."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
import streamlab as sl
from tests.lab.made import wait_until

from live_tests.made import altered, told
from streamlab_live.join_reader import FILE as STATE
from streamlab_live.joiner import Joiner
from streamlab_live.journal import Journal
from streamlab_live.record import sealed, written

LABELS = ("hot", "wet")


def topics(n, seed=0, missing=0.1, longest=6.0):
    """Rows and labels as dictionaries, each in the order of its times; some labels twice, of nobody, or never."""
    draws = random.Random(seed)
    rows = [{"id": i, "t": 1000 + i / 10, "x": float(i), "y": draws.random()} for i in range(n)]
    labels = []
    for row in rows:
        if draws.random() < missing:
            continue
        mark = {
            "id": row["id"],
            "t": row["t"] + draws.uniform(0, longest),
            "hot": draws.randrange(2),
            "wet": row["id"] % 2,
        }
        labels.append(mark)
        if draws.random() < 0.05:
            labels.append({**mark, "t": mark["t"] + 0.2, "hot": 1 - mark["hot"]})
    labels.append({"id": "nobody", "t": 1003.0, "hot": 1, "wet": 1})
    labels.append({"id": "later", "t": rows[-1]["t"] + 2 * longest, "hot": 1, "wet": 1})
    return rows, sorted(labels, key=lambda each: each["t"])


def expected(rows, labels, within_seconds=5.0, within_rows=1_000_000):
    joiner = Joiner(within_seconds=within_seconds, within_rows=within_rows)
    joiner.add_rows([str(row["id"]) for row in rows], [row["t"] for row in rows])
    joiner.add_labels(
        [str(each["id"]) for each in labels],
        [each["t"] for each in labels],
        [bytes([each[name] for name in LABELS]) for each in labels],
    )
    joiner.end()
    found = list(joiner.take())
    X = np.array([[rows[each.row]["x"], rows[each.row]["y"]] for each in found])
    Y = np.array([list(each.labels) for each in found], np.uint8)
    return X, Y, np.array([each.arrives for each in found]), joiner.counts


def write(path, messages):
    with open(path, "a") as file:
        file.writelines(json.dumps(each) + "\n" for each in messages)


def address(folder):
    return (
        f"tail:{folder}/rows.jsonl?label_topic={folder}/labels.jsonl&key=id&time=t&label_time=t&columns=x,y"
        f"&labels=hot,wet&within_seconds=5&journal={folder}/journal"
    )


def content(stream):
    chunks = list(stream.chunks(50))
    X, Y = np.concatenate([each.X for each in chunks]), np.concatenate([each.Y for each in chunks])
    return X, Y, stream.labelling.arrives(np.arange(len(Y)))


def assert_same(found, wanted):
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)


def all_read(stream, rows, labels):
    return [each.journal.n_rows for each in (stream.reader.rows, stream.reader.labels)] == [len(rows), len(labels)]


def test_two_files_give_what_the_join_says(tmp_path):
    rows, labels = topics(400)
    X, Y, arrives, counts = expected(rows, labels)
    write(tmp_path / "rows.jsonl", rows)
    write(tmp_path / "labels.jsonl", labels)
    with sl.load(address(tmp_path)) as stream:
        assert stream.is_live
        assert stream.schema.labels == LABELS
        assert [feature.name for feature in stream.schema.features] == ["x", "y"]
        wait_until(lambda: all_read(stream, rows, labels))
        wait_until(lambda: stream.available > 200)
        stream.end()
        assert_same(content(stream), (X, Y, arrives))
        assert stream.counts == counts
        status = stream.status()
        assert (status.rows, status.unlabelled, status.ended) == (len(Y), counts.never, True)
        assert counts.never > 20
        assert counts.twice > 5
        assert counts.without_row > 20  # those that came too late, too
    again = sl.load(str(tmp_path / "journal"))
    assert not again.is_live
    assert_same(content(again), (X, Y, arrives))
    late = sl.delay_labels(again, 5)
    np.testing.assert_array_equal(late.labelling.arrives([0, 1, 2]), arrives[:3] + 5)
    hidden = sl.hide_labels(late, 1.0)
    assert (hidden.labelling.arrives([0, 1]) == sl.streams.NEVER).all()


def test_rows_are_there_when_their_labels_are_certain_and_it_says_what_is_missing(tmp_path):
    rows, labels = topics(100, missing=0.0, longest=0.0)
    write(tmp_path / "rows.jsonl", rows[:50])
    (tmp_path / "labels.jsonl").touch()
    with sl.load(address(tmp_path)) as stream:
        wait_until(lambda: stream.why_waiting() == "50 rows wait for labels")
        assert stream.available == 0
        assert not stream.has_rows(0, 10)
        write(tmp_path / "labels.jsonl", [each for each in labels if each["t"] < rows[50]["t"]])
        wait_until(lambda: stream.available == 49)
        assert stream.has_rows(0, 49)
        wait_until(lambda: stream.why_waiting() == "1 row waits for later rows, which say when labels came")
        assert stream.status().held == {"labels": 0, "later rows": 1}
        write(tmp_path / "rows.jsonl", rows[50:])
        write(tmp_path / "labels.jsonl", [each for each in labels if each["t"] >= rows[50]["t"]])
        # the last label but one is of the last row
        wait_until(lambda: stream.available >= 99)


def test_a_row_and_labels_of_nobody_let_time_pass_in_topics_that_are_quiet(tmp_path):
    rows, labels = topics(100, missing=0.2, longest=3.0)
    labels = labels[:-1]  # but for the one that came long after
    write(tmp_path / "rows.jsonl", rows)
    write(tmp_path / "labels.jsonl", labels)
    X = expected(rows, labels)[0]
    with sl.load(address(tmp_path)) as stream:
        wait_until(lambda: all_read(stream, rows, labels) and sum(stream.status().held.values()) > 10)
        assert stream.available < len(X)
        when = max(rows[-1]["t"], labels[-1]["t"]) + 5.1
        beat = {"id": "beat", "t": when}
        write(tmp_path / "rows.jsonl", [{**beat, "x": 0.0, "y": 0.0}])
        write(tmp_path / "labels.jsonl", [{**beat, "id": "nobody else", "hot": 0, "wet": 0}])
        wait_until(lambda: stream.available == len(X))
        np.testing.assert_array_equal(next(stream.chunks(len(X))).X, X)


def test_with_quiet_seconds_the_last_rows_are_given_and_stay_as_they_are(tmp_path):
    rows, labels = topics(100, missing=0.2, longest=0.5)
    labels = labels[:-1]
    write(tmp_path / "rows.jsonl", rows)
    write(tmp_path / "labels.jsonl", labels)
    quiet = address(tmp_path).replace("within_seconds=5", "within_seconds=0.6") + "&quiet_seconds=0.3"
    X, Y, arrives, _ = expected(rows, labels, within_seconds=0.6)
    with sl.load(quiet) as stream:
        wait_until(lambda: stream.available == len(Y))
        wait_until(lambda: stream.status().held == {"labels": 0, "later rows": 0})
        assert all_read(stream, rows, labels)
    # more comes, some of it older than the time that has passed, over restarts with the state of then and of now
    old = (tmp_path / "journal" / STATE).read_bytes()
    more = [{"id": 200 + i, "t": rows[-1]["t"] + 0.01 * i, "x": 1.0 * i, "y": 0.0} for i in range(50)]
    write(tmp_path / "rows.jsonl", more)
    write(tmp_path / "labels.jsonl", [{"id": each["id"], "t": each["t"] + 0.1, "hot": 1, "wet": 0} for each in more])
    found = []
    for state in (None, old):
        if state is not None:
            (tmp_path / "journal" / STATE).write_bytes(state)
        with sl.load(quiet) as stream:
            wait_until(lambda: stream.available == len(Y) + 50)
            wait_until(lambda: not sum(stream.status().held.values()))
            assert stream.reader.joiner.given == stream.available
            found.append(content(sl.load(str(tmp_path / "journal"))))
    assert_same(found[0], found[1])
    for a, b in zip(found[0], (X, Y, arrives), strict=True):
        np.testing.assert_array_equal(a[: len(b)], b)


@pytest.mark.parametrize("seed", range(3))
def test_it_goes_on_where_it_was_closed(tmp_path, seed):
    """Files that grow in turns, a stream that is closed and opened in between, with a state or without."""
    rows, labels = topics(600, seed)
    draws = random.Random(seed)
    (tmp_path / "rows.jsonl").touch()
    (tmp_path / "labels.jsonl").touch()
    i = j = 0
    while i < len(rows) or j < len(labels):
        n, m = draws.randrange(150), draws.randrange(150)
        write(tmp_path / "rows.jsonl", rows[i : i + n])
        write(tmp_path / "labels.jsonl", labels[j : j + m])
        i, j = i + n, j + m
        with sl.load(address(tmp_path)) as stream:
            wait_until(lambda: stream.reader.rows.journal.n_rows == min(i, len(rows)))  # noqa: B023
            wait_until(lambda: stream.reader.labels.journal.n_rows == min(j, len(labels)))  # noqa: B023
        if draws.random() < 0.3:
            (tmp_path / "journal" / STATE).unlink()  # as if it had been killed before it was ever written
    with sl.load(address(tmp_path)) as stream:
        stream.end()
        *wanted, counts = expected(rows, labels)
        assert_same(content(stream), wanted)
        assert stream.counts == counts


CONSUMER = """
import sys
import streamlab as sl
from streamlab_live import join_reader
join_reader.STATE_EVERY, join_reader.BATCH = 50, 7
stream = sl.load(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.nightly
def test_a_consumer_that_is_killed_again_and_again_loses_nothing_and_has_nothing_twice(tmp_path):
    rows, labels = topics(3000, longest=3.0)
    draws = random.Random(5)
    (tmp_path / "rows.jsonl").touch()
    (tmp_path / "labels.jsonl").touch()
    for part in range(6):
        write(tmp_path / "rows.jsonl", rows[part * 500 : (part + 1) * 500])
        done = part * 500 * len(labels) // 3000, (part + 1) * 500 * len(labels) // 3000
        write(tmp_path / "labels.jsonl", labels[done[0] : done[1]])
        consumer = subprocess.Popen(
            [sys.executable, "-c", CONSUMER, address(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert consumer.stdout.readline() == b"open\n"
        # in the middle of its work: after as many rows as the draws say
        wanted = draws.randrange(part * 300 + 100)
        wait_until(lambda: not Journal.open(tmp_path / "journal").n_rows < wanted)  # noqa: B023
        consumer.send_signal(signal.SIGKILL)
        consumer.communicate()
    write(tmp_path / "labels.jsonl", labels[done[1] :])
    with sl.load(address(tmp_path)) as stream:
        wait_until(lambda: all_read(stream, rows, labels))
        stream.end()
        *wanted, counts = expected(rows, labels)
        assert_same(content(stream), wanted)
        assert stream.counts == counts


def test_what_no_state_needs_any_more_is_deleted(tmp_path, monkeypatch):
    from streamlab_live import join_reader

    monkeypatch.setattr(join_reader, "STATE_EVERY", 100)
    rows, labels = topics(2000, longest=1.0)
    (tmp_path / "rows.jsonl").touch()
    (tmp_path / "labels.jsonl").touch()
    with sl.load(address(tmp_path)) as stream:
        for start in range(0, 2000, 100):
            write(tmp_path / "rows.jsonl", rows[start : start + 100])
            write(
                tmp_path / "labels.jsonl", [each for each in labels if start <= (each["t"] - 1000) * 10 < start + 100]
            )
            wait_until(lambda: stream.counts.rows >= start)  # noqa: B023
        wait_until(lambda: stream.reader.rows.journal.first_row > 1000)
        wait_until(lambda: stream.reader.labels.journal.first_row > 800)
    (tmp_path / "journal" / STATE).unlink()
    with pytest.raises(ValueError, match="the state of the join is missing"):
        sl.load(address(tmp_path))


def test_rows_of_one_record_each_that_are_deleted_are_not_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr("streamlab_live.join_reader.STATE_EVERY", 1)
    monkeypatch.setattr("streamlab_live.reader.BATCH", 1)
    rows, labels = topics(300, missing=0.4, longest=1.0)
    write(tmp_path / "rows.jsonl", rows)
    write(tmp_path / "labels.jsonl", labels)
    with sl.load(address(tmp_path)) as stream:
        wait_until(lambda: all_read(stream, rows, labels))
        wait_until(lambda: stream.reader.failure or stream.reader.rows.journal.first_row > 100)
        stream.end()
        assert stream.reader.failure == ""
        assert_same(content(stream), expected(rows, labels)[:3])


def test_a_run_learns_labels_when_they_came(tmp_path):
    rows, labels = topics(500)
    X, Y, arrives, _ = expected(rows, labels)
    write(tmp_path / "rows.jsonl", rows)
    write(tmp_path / "labels.jsonl", labels)
    with sl.load(address(tmp_path)) as stream:
        wait_until(lambda: all_read(stream, rows, labels))
        stream.end()
        run = sl.Run(stream, {"k": sl.BalancedKNN(window=50)}, chunk=50)
        assert run.advance() == len(Y)
        run.save(tmp_path / "run.slab")

    class Plain(sl.Stream):
        def __init__(self):
            self.name, self.schema, self.labelling = "plain", stream.schema, Known()

        def blocks(self, start=0):
            yield X[start:], Y[start:]

    class Known(sl.streams.Labelling):
        def arrives(self, rows):
            return arrives[np.asarray(rows)]

    other = sl.Run(Plain(), {"k": sl.BalancedKNN(window=50)}, chunk=50)
    other.advance()
    for name, value in run.learner_runs["k"].learner.state().items():
        np.testing.assert_array_equal(value, other.learner_runs["k"].learner.state()[name], err_msg=name)
    again = sl.Run.open(tmp_path / "run.slab", tmp_path / "journal")
    again.seek(123)
    again.advance()
    for name, value in run.learner_runs["k"].learner.state().items():
        np.testing.assert_array_equal(value, again.learner_runs["k"].learner.state()[name], err_msg=name)


def test_bad_messages_of_both_sides_are_counted_and_set_aside(tmp_path):
    rows, labels = topics(50)
    write(tmp_path / "rows.jsonl", [{"id": 1, "t": 1.0, "x": "words", "y": 1.0}, {"t": 1.0, "x": 1.0, "y": 1.0}, *rows])
    # a time that is yet to come would let the limits of all rows pass
    ahead = {"id": 1, "t": time.time() + 1e6, "hot": 1, "wet": 0}
    write(tmp_path / "labels.jsonl", [{"id": 1, "t": 1.0, "hot": 7, "wet": 0}, ahead, *labels])
    with sl.load(address(tmp_path)) as stream:
        wait_until(lambda: all_read(stream, rows, labels))
        assert sum(stream.status().bad.values()) == 4
        stream.end()
        assert_same(content(stream), expected(rows, labels)[:3])
    for side in ("rows", "labels"):
        assert (tmp_path / "journal" / side / "dead_letters.jsonl").exists()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("key=id&", ""), "expected key="),
        (("&labels=hot,wet", ""), "which labels are there"),
        (("labels=hot,wet", "labels=2"), "the labels' names"),
        (("within_seconds=5", "within_seconds=-1"), "within_seconds"),
        (("within_seconds=5", "within_rows=1.5"), "whole number"),
        (("within_seconds=5", "within_hours=5"), "no option within_hours="),
        (("labels.jsonl", "rows.jsonl"), "is where the rows are"),
        (("tail:", "http://localhost:1"), "does not go with http"),
    ],
)
def test_an_address_that_is_wrong_is_refused(tmp_path, change, says):
    write(tmp_path / "rows.jsonl", [])
    write(tmp_path / "labels.jsonl", [])
    with pytest.raises(ValueError, match=says):
        sl.load(address(tmp_path).replace(*change))
    assert not (tmp_path / "journal").exists()


def test_other_limits_need_another_journal(tmp_path):
    write(tmp_path / "rows.jsonl", [])
    write(tmp_path / "labels.jsonl", [])
    sl.load(address(tmp_path)).close()
    sl.load(address(tmp_path)).close()
    with pytest.raises(ValueError, match="expected another folder"):
        sl.load(address(tmp_path).replace("within_seconds=5", "within_seconds=6"))
    sl.load(address(tmp_path)).close()  # nothing is locked


def test_a_journal_of_other_columns_is_refused(tmp_path):
    write(tmp_path / "rows.jsonl", [])
    write(tmp_path / "labels.jsonl", [])
    sl.load(address(tmp_path)).close()
    about = told(tmp_path / "journal")
    altered(tmp_path / "journal", about | {"schema": about["schema"].replace("hot", "cold")})
    with pytest.raises(ValueError, match="the columns of its rows and labels are not those that were joined"):
        sl.load(address(tmp_path))


def test_files_that_were_altered_are_refused(tmp_path):
    rows, labels = topics(100)
    write(tmp_path / "rows.jsonl", rows)
    write(tmp_path / "labels.jsonl", labels)
    with sl.load(address(tmp_path)) as stream:
        wait_until(lambda: all_read(stream, rows, labels))
        stream.end()
        n = stream.available
    folder = tmp_path / "journal"
    with pytest.raises(ValueError, match=f"row {n:,} is not there"):
        sl.load(str(folder)).labelling.arrives(np.arange(n + 1))
    kept = Journal.open(folder)
    record = next(kept.read())
    for arrives in (None, np.zeros(len(record), np.int64)):
        raw = sealed(written(replace(record, arrives=arrives), kept.schema))
        with sqlite3.connect(folder / "journal.db") as file:
            file.execute("UPDATE records SET raw = ? WHERE first = 0", (raw,))
        file.close()
        with pytest.raises(ValueError, match="row 0: it does not say after which row"):
            sl.load(str(folder)).labelling.arrives([0, 1])
    state = bytearray((folder / STATE).read_bytes())
    state[len(state) // 2] ^= 1
    (folder / STATE).write_bytes(state)
    with pytest.raises(ValueError, match="it is damaged"):
        sl.load(address(tmp_path))


def test_columns_that_are_not_known_are_left_out_of_the_labels_too(tmp_path):
    rows, labels = topics(200)
    X, Y, arrives, _ = expected(rows, labels)
    write(tmp_path / "rows.jsonl", [{**row, "junk": 1} for row in rows])
    write(tmp_path / "labels.jsonl", [{**each, "by": "anna"} for each in labels])
    with sl.load(address(tmp_path), extra="ignore") as stream:
        wait_until(lambda: all_read(stream, rows, labels))
        stream.end()
        assert_same(content(stream), (X, Y, arrives))
        assert stream.status().bad == {}
