"""Rows and labels of two Redis streams, and of two topics of librdkafka's mock brokers, as one stream."""

from __future__ import annotations

import json

import numpy as np
import pytest
import streamlab as sl
from tests.lab.made import wait_until

from live_tests.kafka_brokers import MockBrokers
from live_tests.redis_server import RedisServer
from streamlab_live.joiner import Joiner

BEGIN = 1_700_000_000_000
N = 300


def row(i):
    return {"id": f"r{i}", "x": i / 2, "kind": ["a", "b"][i % 2]}


def labels(i):
    return {"id": f"r{i}", "genres": ["rock", "pop"][i % 2 :]}


def expected(within):
    """Labels come 5 rows later; each tenth row has none; rows and labels alike one a second."""
    joiner = Joiner(within_seconds=within)
    marked = [i for i in range(N) if i % 10 != 9]
    joiner.add_rows([f"r{i}" for i in range(N)], [float(i) for i in range(N)])
    joiner.add_labels([f"r{i}" for i in marked], [i + 5.5 for i in marked], [b"\1"] * len(marked))
    joiner.end()
    found = list(joiner.take())
    Y = np.array([[1, 1] if each.row % 2 == 0 else [1, 0] for each in found])  # in order of their names: pop, rock
    return [each.row / 2 for each in found], Y, [each.arrives for each in found], joiner.counts


def read_and_compare(stream):
    wait_until(lambda: stream.reader.rows.journal.n_rows == N)
    wait_until(lambda: stream.reader.labels.journal.n_rows == N * 9 // 10)
    stream.end()
    chunks = list(stream.chunks(100))
    x, Y, arrives, counts = expected(20)
    np.testing.assert_array_equal(np.concatenate([each.X[:, 0] for each in chunks]), x)
    np.testing.assert_array_equal(np.concatenate([each.Y for each in chunks]), Y)
    np.testing.assert_array_equal(stream.labelling.arrives(np.arange(len(Y))), arrives)
    assert stream.counts == counts
    assert [feature.kind for feature in stream.schema.features] == ["numeric", "nominal"]
    assert stream.status().bad == {}


def test_two_redis_streams_are_joined_while_the_server_is_killed(tmp_path):
    if RedisServer.missing():
        pytest.skip(RedisServer.missing())
    (tmp_path / "redis").mkdir()
    server = RedisServer(tmp_path / "redis")

    def add(first, last):
        with server.client() as client:
            for i in range(first, last):
                client.xadd("rows", {"value": json.dumps(row(i))}, id=f"{BEGIN + 1000 * i}-1")
                if i % 10 != 9:
                    client.xadd("labels", {"value": json.dumps(labels(i))}, id=f"{BEGIN + 1000 * i + 5500}-1")

    try:
        add(0, 220)
        address = f"redis://127.0.0.1:{server.port}/rows"
        with sl.load(
            address, label_topic="labels", key="id", tags={"genres": ["pop", "rock"]}, within_seconds=20,
            journal=tmp_path / "journal",
        ) as stream:  # fmt: skip
            wait_until(lambda: stream.available > 100)
            server.kill()
            wait_until(lambda: not stream.status().connected)
            assert stream.status().trouble.startswith(("rows: redis://", "labels: redis://"))
            server.start()
            add(220, N)
            read_and_compare(stream)
            assert stream.status().source == f"{address} with redis://127.0.0.1:{server.port}/labels"
    finally:
        server.kill()


def test_two_topics_of_kafka_are_joined(tmp_path):
    brokers = MockBrokers()
    try:
        producer = brokers.producer()
        for i in range(N):
            producer.produce("rows", json.dumps(row(i)), partition=0, timestamp=BEGIN + 1000 * i)
            if i % 10 != 9:
                producer.produce("labels", json.dumps(labels(i)), partition=0, timestamp=BEGIN + 1000 * i + 5500)
        assert producer.flush(60) == 0
        with sl.load(
            f"kafka://{brokers.servers}/rows?label_topic=labels&key=id&tags=genres:pop|rock&within_seconds=20"
            f"&journal={tmp_path}/journal"
        ) as stream:
            read_and_compare(stream)
    finally:
        brokers.kill()


@pytest.fixture
def brokers():
    brokers = MockBrokers()
    yield brokers
    brokers.kill()


def produce(brokers, topic, *lines, at=BEGIN):
    producer = brokers.producer()
    for i, line in enumerate(lines):
        producer.produce(topic, line, partition=0, timestamp=at + 1000 * i)
    assert producer.flush(60) == 0


ROWS = [f"r{i},{i / 2},{'ab'[i % 2]}" for i in range(N)]
MARKS = [f"{i % 2};r{i};by hand" for i in range(N)]


@pytest.mark.parametrize(
    ("rows", "labels", "options"),
    [
        (["id,x,kind", *ROWS], ["hot;id;by", *MARKS], "format=csv"),
        (ROWS, MARKS, "format=csv&columns=id,x,kind&words=kind:a|b&label_columns=hot,id,by&label_separator=;"),
        (["id,x,kind", *ROWS], [json.dumps({"id": f"r{i}", "hot": i % 2}) for i in range(N)],
         "format=csv&label_format=json"),
        ([json.dumps(row(i)) for i in range(N)], MARKS,
         "label_format=csv&label_columns=hot,id,by&label_separator=;&label_header=no"),
    ],
)  # fmt: skip
def test_topics_of_csv_have_a_format_each_and_no_label_is_lost(brokers, tmp_path, rows, labels, options):
    produce(brokers, "rows", *rows)
    produce(brokers, "labels", *labels, at=BEGIN + 5500)
    address = (
        f"kafka://{brokers.servers}/rows?{options}&label_topic=labels&key=id&labels=hot&within_seconds=20"
        f"&journal={tmp_path}/journal"
    )
    for _ in range(2):  # the second time from the journal
        with sl.load(address) as stream:
            wait_until(lambda: stream.reader.rows.journal.n_rows == N)
            wait_until(lambda: stream.reader.labels.journal.n_rows == N)
            assert (stream.status().bad, stream.status().refused) == ({}, {})
            assert stream.schema.labels == ("hot",)
            assert stream.schema.features[1].categories == ("a", "b")
    with sl.load(address) as stream:
        stream.end()
        chunk = next(stream.chunks(N))
    assert (stream.counts.labelled, stream.counts.never) == (N, 0)
    np.testing.assert_array_equal(chunk.X[:, 0], np.arange(N) / 2)
    np.testing.assert_array_equal(chunk.Y[:, 0], np.arange(N) % 2)


@pytest.mark.parametrize(
    ("rows", "options", "said"),
    [
        (ROWS, "format=csv", r"the first message holds '0\.0'; expected the names of the columns; without"),
        (ROWS, "format=csv&header=no", "which columns has the CSV"),
        (["id,x,kind", *ROWS], "format=csv&columns=id,warm,kind&header=yes", "'warm' is not a column"),
        (ROWS, "header=no", "header= goes with CSV, and the format is json"),
        (["id,x,kind", *ROWS], "format=csv&label_format=csv&label_header=no", "label_columns= of labels"),
    ],
)  # fmt: skip
def test_what_csv_topics_do_not_tell_is_asked_for(brokers, tmp_path, rows, options, said):
    produce(brokers, "rows", *rows)
    produce(brokers, "labels", *MARKS)
    with pytest.raises(ValueError, match=said):
        sl.load(f"kafka://{brokers.servers}/rows?{options}&label_topic=labels&key=id&labels=hot&learn_seconds=2")


def test_a_header_may_come_again_and_header_no_takes_it_as_a_row(brokers, caplog):
    produce(brokers, "rows", "x,kind,hot", "2.5,a,0", "1,b,1", "x,kind,hot", "3,a,1")
    server = f"kafka://{brokers.servers}/rows?format=csv&labels=hot&learn_seconds=1"
    with sl.load(server) as stream:
        wait_until(lambda: stream.available == 3)
        assert next(stream.chunks(3)).X.tolist() == [[2.5, 0.0], [1.0, 1.0], [3.0, 0.0]]
        assert stream.status().bad == {}
    with sl.load(f"{server}&header=no&columns=x,kind,hot&words=kind:a|b") as stream:
        wait_until(lambda: stream.available == 3)
        assert stream.status().bad == {"wrong type": 2}
        assert stream.status().refused["wrong type: x"][0] == 2
    assert [each.message for each in caplog.records if each.name == "streamlab" and "'x' is 'x'" in each.message] == [
        f"kafka://{brokers.servers}/rows: a message was refused, as others like it will be: the column 'x' is 'x'; "
        "expected a number, or missing=x where it stands for no value"
    ]
