"""A live stream that is read in a process of its own: the same rows, whatever becomes of the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import astuple

import numpy as np
import psutil
import pytest
import streamlab as sl
from tests.lab.made import wait_until

from live_tests.made import csv_lines, made_rows
from streamlab_live import reader
from streamlab_live.journal import Journal

N = 3000
needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "rows.csv"
    made.write_text("a,b,c,u,v\n" + "".join(csv_lines(*made_rows(N))))
    return made


def address(path, **options):
    told = "".join(f"&{name}={value}" for name, value in options.items())
    return f"tail:{path}?labels=u,v&own_process=yes&journal={path.parent / 'journal'}{told}"


def grow(path, n, seed):
    X, Y = made_rows(n, seed)
    with path.open("a") as file:
        file.write("".join(csv_lines(X, Y)))
    return X, Y


def reading(stream):
    return psutil.Process(stream.reader._worker.process.pid)


def same(stream, X, Y):
    got = list(stream.chunks(500, stop=len(X)))
    np.testing.assert_array_equal(np.concatenate([each.X for each in got]), X)
    np.testing.assert_array_equal(np.concatenate([each.Y for each in got]), Y)


def test_the_rows_are_those_of_a_reader_in_a_thread_and_the_process_ends_with_the_stream(path):
    with sl.load(address(path)) as stream:
        same(stream, *made_rows(N))
        grow(path, 5, seed=2)
        wait_until(lambda: stream.available == N + 5, "rows that came later")
        process = reading(stream)
        assert process.ppid() == os.getpid()
        stream.end()
        assert stream.ended
        assert stream.has_rows(N + 5, 10)
        status = stream.status()
        assert (status.rows, status.bad, status.trouble, status.ended) == (N + 5, {}, "", True)
    assert not process.is_running()


def test_a_journal_that_nobody_named_is_deleted(path):
    stream = sl.load(f"tail:{path}", labels="u,v", own_process=True)
    folder = stream.journal.folder
    wait_until(lambda: stream.available == N, "the rows")
    assert folder.is_dir()
    stream.close()
    assert not folder.exists()
    assert stream.why_waiting() == "the stream was closed"


@pytest.mark.nightly
@needs_kill
def test_a_process_that_is_killed_again_and_again_loses_no_row_and_reads_none_twice(path):
    rows = [made_rows(N)]
    with sl.load(address(path)) as stream:
        for i in range(4):
            wait_until(lambda: stream.available > i * 300, "rows")  # noqa: B023
            process = stream.reader._worker.process
            process.kill()
            rows.append(grow(path, 1000, seed=10 + i))
            wait_until(lambda: stream.reader._worker.process is not process, "another process", seconds=120)  # noqa: B023
        wait_until(lambda: stream.available == N + 4000, "all rows", seconds=120)
        wait_until(lambda: stream.status().connected, "how it stands")
        assert stream.status().trouble == ""
        same(stream, *(np.concatenate(each) for each in zip(*rows, strict=True)))


@needs_kill
def test_a_process_that_was_killed_is_told_of_until_another_one_reads(path, monkeypatch):
    monkeypatch.setattr(reader, "FIRST_WAIT", 1000.0)
    monkeypatch.setattr(reader, "LONGEST_WAIT", 1000.0)
    with sl.load(address(path)) as stream:
        wait_until(lambda: stream.available == N, "the rows")
        reading(stream).kill()
        wait_until(lambda: "signal 9" in stream.why_waiting(), "the trouble")
        status = stream.status()
        assert (status.connected, status.failed) == (False, False)
        same(stream, *made_rows(N))  # what is there can be read


@needs_kill
def test_where_the_asking_process_is_killed_the_other_one_ends_and_the_journal_goes_on(path):
    code = (
        f"import time, streamlab as sl; s = sl.load({address(path)!r}); "
        "print(s.reader._worker.process.pid, flush=True); time.sleep(600)"
    )
    asking = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert asking.stdout is not None
    other = psutil.Process(int(asking.stdout.readline()))
    asking.kill()
    asking.wait()
    with sl.load(address(path)) as stream:  # it waits for the other one's lock
        wait_until(lambda: stream.available == N, "the rows")
        same(stream, *made_rows(N))
    wait_until(lambda: not other.is_running() or other.status() == psutil.STATUS_ZOMBIE, "its end")


def test_a_run_is_the_same_to_the_bit_goes_back_and_is_saved(path, tmp_path):
    with sl.load(address(path)) as stream:
        run = sl.Run(stream, sl.SMART(seed=1, n_trees=3), chunk=100)
        wait_until(lambda: bool(run.advance()) and run.position >= 2000, "the rows")
        run.seek(1000)
        wait_until(lambda: stream.available == N, "all that is written")
        run.save(tmp_path / "run.slab")
    again = sl.Run.open(tmp_path / "run.slab", sl.load(path.parent / "journal"))
    plain = sl.Run(sl.load(path.parent / "journal"), sl.SMART(seed=1, n_trees=3), chunk=100)
    plain.advance(1000)
    ours, theirs = (next(iter(each.learner_runs.values())).learner.state() for each in (again, plain))
    assert ours.keys() == theirs.keys()
    for name in ours:
        np.testing.assert_array_equal(ours[name], theirs[name])


@pytest.mark.parametrize(
    ("options", "kind", "told"),
    [
        ("labels=w", ValueError, "names 'w', which is not a column"),
        ("labels=u&label=v", ValueError, "there is no option label=; did you mean 'labels'"),
        ("labels=u&most_ahead=0", ValueError, "most_ahead=0: expected a whole number, at least 1"),
        ("labels=u&own_process=perhaps", ValueError, "own_process='perhaps': expected 'yes' or 'no'"),
    ],
)
def test_what_is_wrong_is_said_as_without_a_process(path, options, kind, told):
    text = f"tail:{path}?{options}" + ("" if "own_process" in options else "&own_process=yes")
    with pytest.raises(kind, match=told):
        sl.load(text)


def test_opening_can_be_stopped(tmp_path):
    (tmp_path / "rows.csv").write_text("a,u\n")
    with pytest.raises(ValueError, match="opening was stopped"):
        sl.load(f"tail:{tmp_path / 'rows.csv'}?labels=u&own_process=yes", cancel=lambda: True)


def test_a_file_that_was_cut_short_ends_reading_for_good(path):
    with sl.load(address(path)) as stream:
        wait_until(lambda: stream.available == N, "the rows")
        path.write_text("a,b,c,u,v\n")
        wait_until(lambda: bool(stream.reader.failure), "the failure")
        assert stream.status().failed
        with pytest.raises(ValueError, match="was cut short"):
            stream.has_rows(N, 1)
        same(stream, *made_rows(N))


def test_few_rows_ahead_are_enough(path):
    with sl.load(address(path, most_ahead=7)) as stream:
        same(stream, *made_rows(N))


def test_rows_that_are_given_up_are_gone_here_too(path):
    folder = path.parent / "other"
    schema = sl.Schema.anonymous(1, 1)
    writer = Journal.create(folder, schema)
    followed = Journal.open(folder)
    for i in range(20):
        writer.append(np.full((1, 1), i), np.zeros((1, 1), np.uint8), [0.0], {})
        followed.look()
    assert (followed.n_rows, followed.first_row) == (20, 0)
    writer.give_up(15)
    followed.look()
    assert followed.first_row == writer.first_row > 0
    assert [float(each.X[0, 0]) for each in followed.read(followed.first_row)] == list(range(writer.first_row, 20))
    with pytest.raises(ValueError, match="were given up"):
        next(followed.read(0))
    writer.close()


def test_rows_and_labels_of_two_files_are_joined_there(tmp_path):
    rows, labels = tmp_path / "rows.csv", tmp_path / "labels.csv"
    rows.write_text("id,at,heat\n" + "".join(f"{i},{i},{i % 9}\n" for i in range(900)))
    labels.write_text("id,at,hot\n" + "".join(f"{i},{i + 3},{i % 2}\n" for i in range(0, 900, 3)))
    options = {
        "label_topic": str(labels), "key": "id", "time": "at", "label_time": "at", "labels": "hot", "within_rows": 10
    }  # fmt: skip
    found = []
    for there in (False, True):
        with sl.load(f"tail:{rows}", **options, own_process=there) as stream:
            # of the rows two thirds have no labels; what is joined by then no longer changes
            wait_until(lambda: stream.counts.labels >= 290 and stream.counts.rows >= 890, "both sides")
            wait_until(lambda: "rows wait for" in stream.why_waiting(), "what is missing")
            stream.end()
            chunk = next(stream.chunks(1000))
            arrives = stream.labelling.arrives(np.arange(len(chunk)))
            found.append((chunk.X, chunk.Y, arrives, np.array(astuple(stream.counts))))
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("more", [{"own_process": "yes"}, {"label_topic": "l.csv", "key": "a", "labels": ["u"]}])
def test_a_file_where_the_journal_is_to_be_is_told(tmp_path, more):
    (tmp_path / "rows.csv").write_text("a,u,v\n1,0,1\n")
    (tmp_path / "j").write_text("mine")
    with pytest.raises(ValueError, match=f"journal=.*{tmp_path / 'j'} is a file; expected a folder"):
        sl.load(f"tail:{tmp_path / 'rows.csv'}", **{"labels": ["u", "v"], "journal": str(tmp_path / "j"), **more})
