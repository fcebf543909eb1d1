"""The reading process is killed: afterwards there are the same rows, none lost and none twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import streamlab as sl
from tests.lab.made import wait_until

from live_tests.made import csv_lines, made_rows
from streamlab_live.journal import Journal

READ = """
import sys, time
import streamlab as sl
from streamlab_live import reader
reader.BATCH = 37
stream = sl.load(sys.argv[1])
print("reads", flush=True)
time.sleep(600)
"""
APPEND = """
import sys
import numpy as np
from streamlab_live.journal import Journal
journal = Journal.open(sys.argv[1], write=True)
while True:
    X = np.arange(journal.n_rows, journal.n_rows + 7.0)[:, None]
    n = journal.append(X, np.zeros((7, 1), np.uint8), np.zeros(7), {"p": journal.n_rows + 7}, notes=[str(X[0, 0])])
    journal.give_up(n - 500)
    print(n, flush=True)
"""
needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")


@needs_kill
def test_killed_again_and_again_no_row_is_lost_or_comes_twice(tmp_path):
    X, Y = made_rows(6000)
    lines = csv_lines(X, Y)
    bad = list(range(100, 6000, 100))
    for i in bad:
        lines[i] = "what is this?\n"
    path = tmp_path / "rows.csv"
    path.write_text("a,b,c,u,v\n")
    address = f"tail:{path}?columns=a,b,c,u,v&labels=u,v&journal={tmp_path / 'journal'}"
    rng = random.Random(1)
    written = 0
    n_kills = 0
    while written < len(lines):
        process = subprocess.Popen([sys.executable, "-c", READ, address], stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "reads\n"
            for _ in range(rng.randrange(2, 6)):
                n = rng.randrange(100, 900)
                with open(path, "a") as file:
                    file.write("".join(lines[written : written + n]))
                written += n
            # anywhere between the first row and the last
            wanted = rng.randrange(max(1, min(written, len(lines)) - 60))
            wait_until(lambda: rows_there(tmp_path) >= wanted * 0.98, "the rows")  # noqa: B023
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            n_kills += 1
    assert n_kills >= 2
    with sl.load(address) as stream:
        n = len(lines) - len(bad)
        wait_until(lambda: stream.available >= n, "the last rows")
        status = stream.status()
        assert stream.dead_letters.read_bytes().count(b"\n") == len(bad)
    assert sum(status.bad.values()) == len(bad)
    got = list(sl.load(tmp_path / "journal").chunks(1000))
    np.testing.assert_array_equal(np.concatenate([chunk.X for chunk in got]), np.delete(X, bad, axis=0))
    np.testing.assert_array_equal(np.concatenate([chunk.Y for chunk in got]), np.delete(Y, bad, axis=0))


@needs_kill
def test_what_was_appended_is_there_once_whenever_the_process_is_killed(tmp_path):
    folder, rng, acknowledged = tmp_path / "journal", random.Random(2), 0
    Journal.create(folder, sl.Schema.anonymous(1, 1)).close()
    for _ in range(8):
        process = subprocess.Popen([sys.executable, "-c", APPEND, folder], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline()
        time.sleep(rng.random() / 2)
        process.kill()
        acknowledged = max(acknowledged, *map(int, process.stdout.read().splitlines()[:-1] or [0]))
        process.wait()
        there = Journal.open(folder)
        assert acknowledged <= there.n_rows == there.offsets["p"]
        rows = [x for record in there.read(there.first_row) for x in record.X[:, 0]]
        assert rows == list(range(there.first_row, there.n_rows))
        assert there.first_row <= max(0, there.n_rows - 500)
        assert list(there.notes) == [str(float(row)) for row in range(0, there.n_rows, 7)]


def rows_there(tmp_path):
    try:
        return sl.load(tmp_path / "journal").most_rows
    except ValueError:  # not begun yet
        return 0
