"""A Kafka topic as a source, against librdkafka's mock brokers in another process; no real Kafka takes part.

The mock speaks Kafka's protocol but knows no retention, no transactions and no credentials: what is said of those is
tested with offsets that the mock does not have.
"""

from __future__ import annotations

import pytest

from live_tests.kafka_brokers import MockBrokers
from streamlab_live import kafka_source
from streamlab_live.addresses import parse_address, source_of
from streamlab_live.kafka_source import KafkaSource

START = 1_700_000_000_000


@pytest.fixture(scope="module")
def brokers():
    brokers = MockBrokers(2)
    yield brokers
    brokers.kill()


@pytest.fixture
def topic(request):
    return "rows-" + "".join(letter if letter.isalnum() else "-" for letter in request.node.name)[-100:]


def filled(brokers, topic, n, *, start=0, partitions=1):
    producer = brokers.producer()
    for i in range(start, start + n):
        producer.produce(topic, str(i).encode(), key=f"k{i}", partition=i % partitions, timestamp=START + i)
    assert producer.flush(60) == 0


@pytest.fixture
def reading(brokers, topic):
    source = KafkaSource(brokers.servers, topic)
    yield source
    source.close()


def read(source, n, most=7):
    """Messages, until there are as many, and one more poll."""
    found = []
    for _ in range(200):
        part = source.poll(most, 1.0 if len(found) < n else 0.0)
        assert len(part) <= most
        found += part
        if len(found) >= n and not part:
            return found
    raise AssertionError(f"{len(found)} of {n} messages came")


def test_every_message_comes_once_and_in_order(brokers, topic, reading):
    filled(brokers, topic, 250)
    reading.seek({})
    found = read(reading, 250)
    assert [message.offset for message in found] == list(range(250))
    assert [message.value for message in found] == [str(i).encode() for i in range(250)]
    assert [message.key for message in found] == [f"k{i}" for i in range(250)]
    assert [message.when for message in found] == [(START + i) / 1000 for i in range(250)]
    assert {message.partition for message in found} == {f"{topic}/0"}


@pytest.mark.parametrize("at", [0, 3, 99])
def test_it_goes_on_after_an_offset(brokers, topic, reading, at):
    filled(brokers, topic, 100)
    reading.seek({f"{topic}/0": at})
    assert [message.offset for message in read(reading, 99 - at)] == list(range(at + 1, 100))


def test_several_partitions_are_each_in_order_and_go_on_by_themselves(brokers, topic, reading):
    filled(brokers, topic, 200, partitions=3)
    reading.seek({})
    first = reading.poll(50, 30.0)
    last = {message.partition: message.offset for message in first}
    reading.seek(last)
    found = first + read(reading, 200 - len(first))
    by_partition = {}
    for message in found:
        by_partition.setdefault(message.partition, []).append(int(message.value))
    assert by_partition == {f"{topic}/{p}": list(range(p, 200, 3)) for p in range(3)}


def test_the_lag_is_what_waits_in_all_partitions(brokers, topic, reading):
    assert reading.lag() is None
    filled(brokers, topic, 60, partitions=2)
    reading.seek({})
    assert reading.lag() == 60
    n = len(reading.poll(10, 30.0))
    assert reading.lag() == 60 - n
    read(reading, 60 - n)
    assert reading.lag() == 0
    filled(brokers, topic, 5, start=60)
    assert reading.lag() == 5
    reading.seek({f"{topic}/0": 20, f"{topic}/1": 29})
    assert reading.lag() == 60 + 5 - 21 - 30


def test_a_message_without_value_or_with_a_broken_key_is_passed_on(brokers, topic, reading):
    producer = brokers.producer()
    producer.produce(topic, None, key=b"\xff", partition=0)
    producer.produce(topic, b"x", partition=0)
    assert producer.flush(60) == 0
    reading.seek({})
    assert [(message.value, message.key) for message in read(reading, 2)] == [(b"", "\\xff"), (b"x", None)]


def test_what_retention_has_taken_is_told(brokers, topic, reading, monkeypatch):
    """The mock has no retention: the server's answer, where a partition begins, is put in its place."""
    filled(brokers, topic, 20)
    monkeypatch.setattr(reading, "_watermarks", lambda number: (10, 20) if number == 0 else (0, 0))
    reading.seek({f"{topic}/0": 9})
    assert [message.offset for message in read(reading, 10)] == list(range(10, 20))
    with pytest.raises(ValueError, match=r"after offset 8 are gone, their retention has passed; the first .* is 10"):
        reading.seek({f"{topic}/0": 8})


def test_an_offset_that_the_server_does_not_have_is_told_while_reading(brokers, topic, reading, monkeypatch):
    filled(brokers, topic, 5)
    monkeypatch.setattr(reading, "_watermarks", lambda number: (0, 1000))
    reading.seek({f"{topic}/0": 700})
    with pytest.raises(ValueError, match=r"partition 0: the messages after offset 700 are gone"):
        read(reading, 1)


def test_an_offset_behind_the_end_is_told(brokers, topic, reading):
    filled(brokers, topic, 5)
    reading.seek({f"{topic}/0": 4})
    with pytest.raises(ValueError, match="offset 5 was read already, and it ends with 4"):
        reading.seek({f"{topic}/0": 5})


def test_what_came_before_an_error_is_given_first_and_nothing_behind_it_is_lost(brokers, topic, reading):
    """An error among the messages of a poll: the client's own objects, in an order in which it may give them."""
    filled(brokers, topic, 6)
    reading.seek({})
    consumer = reading._consumer
    good = []
    while len(good) < 6:
        good += consumer.consume(6, 1.0)

    class Broken:
        def error(self):
            import confluent_kafka

            return confluent_kafka.KafkaError(confluent_kafka.KafkaError._TRANSPORT)

    class Consumer:
        def __init__(self):
            self.rounds = [[good[0]], [good[1], Broken(), good[2]]]

        def consume(self, most, timeout):
            return self.rounds.pop(0) if self.rounds else []

        def close(self):
            consumer.close()

    reading._consumer = Consumer()
    assert [message.offset for message in reading.poll(10, 0.0)] == [0, 1]
    with pytest.raises(ConnectionError):
        reading.poll(10, 0.0)
    reading.seek({f"{topic}/0": 1})
    assert [message.offset for message in read(reading, 4)] == [2, 3, 4, 5]


def test_an_unknown_topic_is_refused(brokers):
    with pytest.raises(ValueError, match="no topic 'nowhere'"):
        KafkaSource(brokers.servers, "nowhere").seek({})


def test_a_topic_that_was_there_is_waited_for(brokers):
    source = KafkaSource(brokers.servers, "nowhere")
    # the journal has offsets of it: brokers that begin again do not know all topics for a moment
    with pytest.raises(ConnectionError, match="no longer exists"):
        source.seek({"nowhere/0": 5})
    source.close()


@pytest.mark.parametrize(
    "partition", ["rows", "other/0", "rows/-1", "rows/x", "rows/²", "rows/" + "9" * 30, "rows/7777"]
)
def test_offsets_of_what_is_no_partition_are_refused(brokers, partition):
    filled(brokers, "rows", 1)
    with pytest.raises(ValueError, match=r"not a partition of this topic|partition 7777 is gone"):
        KafkaSource(brokers.servers, "rows").seek({partition: 0})


@pytest.mark.parametrize("offset", [-1, "5", 2**63, True, 1.5])
def test_what_is_no_offset_is_refused(brokers, offset):
    with pytest.raises(ValueError, match="expected a whole number from 0"):
        KafkaSource(brokers.servers, "rows").seek({"rows/0": offset})


def test_new_partitions_are_read_too(brokers, topic, reading, monkeypatch):
    filled(brokers, topic, 20, partitions=2)
    monkeypatch.setattr(reading, "_partitions", lambda: [0])
    reading.seek({})
    assert {message.partition for message in read(reading, 10)} == {f"{topic}/0"}
    monkeypatch.undo()
    monkeypatch.setattr(kafka_source, "LOOK_AGAIN", 0.0)
    assert [message.partition for message in read(reading, 10)] == [f"{topic}/1"] * 10


def test_a_cluster_that_goes_away_is_told_and_another_reader_goes_on(monkeypatch):
    monkeypatch.setattr(kafka_source, "PATIENCE", 2.0)
    brokers = MockBrokers()
    source = KafkaSource(brokers.servers, "rows")
    try:
        filled(brokers, "rows", 10)
        source.seek({})
        assert len(read(source, 10)) == 10
        brokers.kill()
        with pytest.raises(ConnectionError, match="kafka://"):
            any(source.poll(10, 1.0) for _ in range(60))
        with pytest.raises(ConnectionError):
            source.seek({"rows/0": 9})
        with pytest.raises(ConnectionError):
            source.poll(10, 0.0)
    finally:
        source.close()
        source.close()
        brokers.kill()


def settings(tmp_path, monkeypatch, text):
    path = tmp_path / "kafka.properties"
    path.write_text(text)
    monkeypatch.setenv("STREAMLAB_KAFKA_CONFIG", str(path))


def test_settings_come_from_a_file_that_the_environment_names(brokers, topic, tmp_path, monkeypatch):
    filled(brokers, topic, 3)
    settings(tmp_path, monkeypatch, "# how we connect\n\nsecurity.protocol = plaintext\nclient.id=the lab\n")
    source = KafkaSource(brokers.servers, topic)
    assert source._config["client.id"] == "the lab"
    source.seek({})
    assert len(read(source, 3)) == 3
    source.close()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("bootstrap.servers=elsewhere\n", "line 1: 'bootstrap.servers' cannot be set here"),
        ("\nplugin.library.paths=evil\n", "line 2: 'plugin.library.paths'"),
        ("enable.auto.commit=true", "cannot be set"),
        ("sasl.password", "line 1: expected name=value"),
    ],
)
def test_other_settings_are_refused(tmp_path, monkeypatch, text, says):
    settings(tmp_path, monkeypatch, text)
    with pytest.raises(ValueError, match=says) as refusal:
        KafkaSource("localhost:9092", "rows")
    assert "evil" not in str(refusal.value)


def test_a_password_is_in_no_message(tmp_path, monkeypatch):
    settings(
        tmp_path,
        monkeypatch,
        "sasl.mechanisms=open-sesame\nsecurity.protocol=sasl_plaintext\nsasl.password=hush-hush\n",
    )
    source = KafkaSource("localhost:9092", "rows")
    with pytest.raises(ValueError, match="refuses its settings") as refusal:
        source.seek({})
    assert "sesame" not in str(refusal.value)
    assert "hush" not in str(refusal.value) + source.name
    monkeypatch.setenv("STREAMLAB_KAFKA_CONFIG", str(tmp_path / "missing"))
    with pytest.raises(ValueError, match="STREAMLAB_KAFKA_CONFIG: the file cannot be read"):
        KafkaSource("localhost:9092", "rows")


def test_an_address_names_servers_and_topic(brokers, topic):
    filled(brokers, topic, 2)
    source = source_of(parse_address(f"kafka://{brokers.servers}/{topic}"))
    source.seek({})
    assert len(read(source, 2)) == 2
    source.close()
    assert source_of(parse_address("kafka://host/rows"))._config["bootstrap.servers"] == "host:9092"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("kafka://host/", "expected up to 249"),
        ("kafka://host/a/b", "expected up to 249"),
        ("kafka:///rows", "needs a server"),
        ("kafka://host/rows?group=x", "no option group="),
    ],
)
def test_an_address_that_is_none_is_refused(address, says):
    with pytest.raises(ValueError, match=says):
        source_of(parse_address(address))
