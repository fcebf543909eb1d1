"""A service on a topic of CSV whose labels come late, on mock brokers, killed five times: each label is learned once.

What its user writes are the eight lines of ``DEFINITION`` and ``streamlab watch``; the producer stands for the traffic.
"""

from __future__ import annotations

import os
import random
import signal
import time

import numpy as np
import pytest
import streamlab as sl

from live_tests.kafka_brokers import MockBrokers
from live_tests.service.test_service import PATIENCE, same, started, states, until
from streamlab_live.service.service import listed, newest_run

BEGIN, N, KILLS = 1_700_000_000_000, 2000, 5
FAR = BEGIN + 1000 * (N + 1000)
DEFINITION = """
stream = "kafka://{servers}/rows?format=csv&label_topic=labels&key=id&labels=hot,wet&within_seconds=30"
chunk = 20
[learners]
SMART = {{ half_life = 100, n_trees = 3 }}
majority = {{ use = "MajorityLabels" }}
[snapshots]
every_seconds = 0.2
keep = 2
"""


@pytest.mark.nightly
def test_a_csv_topic_with_late_labels_is_learned_once_through_five_kills(tmp_path):
    brokers, draw = MockBrokers(), random.Random(3)
    rng = np.random.default_rng(3)
    X = np.round(rng.random((N, 2)), 4)
    Y = (X > 0.5).astype(np.uint8)
    marked = [i for i in range(N) if i % 10]
    producer = brokers.producer()

    def send(topic, line, when):
        producer.produce(topic, line, partition=0, timestamp=when)

    def send_rows(first, last):
        for i in range(first, last):
            send("rows", f"r{i},{X[i, 0]},{X[i, 1]}", BEGIN + 1000 * i)
            if i % 10:
                send("labels", f"{Y[i, 1]},r{i},{Y[i, 0]}", BEGIN + 1000 * i + 20_500)
        assert producer.flush(60) == 0

    send("rows", "id,heat,wind", BEGIN)
    send("labels", "wet,id,hot", BEGIN)
    send_rows(0, 400)
    file, folder = tmp_path / "run.toml", tmp_path / "run"
    file.write_text(DEFINITION.format(servers=brokers.servers))
    try:
        sent = 400
        for life in range(KILLS + 1):
            service = started(file)
            try:
                if life == KILLS:
                    break
                more = (N - sent) // (KILLS - life)
                send_rows(sent, sent + more)
                sent += more
                before = listed(folder)[:1]
                until("rows learned", lambda: listed(folder)[:1] != before or service.poll() is not None)  # noqa: B023
                assert service.poll() is None, service.communicate()[0]
                time.sleep(draw.random() / 2)  # the kill may come anywhere in what follows
            finally:
                if life < KILLS:
                    os.killpg(service.pid, signal.SIGKILL)
                    service.communicate()
        # later rows and labels say that no more can come for those before
        send("rows", "late,0.5,0.5", FAR)
        send("labels", "0,nobody,0", FAR)
        assert producer.flush(60) == 0
        until("all labels", lambda: listed(folder)[0][0] == len(marked) or service.poll() is not None)
        service.send_signal(signal.SIGTERM)
        said = service.communicate(timeout=PATIENCE)[0]
    finally:
        service.kill()
        brokers.kill()
    assert (service.returncode, f"stopped after {len(marked):,} rows" in said) == (0, True), said
    assert "refused" not in said
    stream = sl.load(folder / "journal")
    chunk = next(stream.chunks(N))
    np.testing.assert_array_equal(chunk.X, X[marked])
    assert stream.schema.labels == ("wet", "hot")  # as in the header
    np.testing.assert_array_equal(chunk.Y, Y[marked][:, ::-1])
    found = newest_run(folder, stream)
    learners = {"SMART": sl.SMART(half_life=100, n_trees=3, seed=1), "majority": sl.MajorityLabels()}
    undisturbed = sl.Run(stream, learners, chunk=20)
    undisturbed.advance(len(marked))
    assert found.position == undisturbed.position == len(marked)
    assert same(states(found), states(undisturbed))
