"""The reading process is killed: afterwards there are the same rows, none lost and none twice."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time

import pytest

import streamlab as sl
from streamlab.live.journal import Journal

APPEND = """
import sys
import numpy as np
from streamlab.live.journal import Journal
journal = Journal.open(sys.argv[1], write=True)
while True:
    X = np.arange(journal.n_rows, journal.n_rows + 7.0)[:, None]
    n = journal.append(X, np.zeros((7, 1), np.uint8), np.zeros(7), {"p": journal.n_rows + 7}, notes=[str(X[0, 0])])
    journal.give_up(n - 500)
    print(n, flush=True)
"""
needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")


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
