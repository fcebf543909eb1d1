"""A Kafka topic as a source: its partitions are assigned, and the offsets are ours."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from streamlab._checks import checked_count, one_line, shown

from streamlab_live.source import Message, Offset, Source, settings_in

if TYPE_CHECKING:
    from streamlab_live.addresses import Address

__all__ = ["KafkaSource"]

PORT = 9092
PATIENCE = 10.0
"""Seconds that a server may take for an answer."""
LOOK_AGAIN = 60.0
"""Seconds after which it is asked whether the topic has new partitions."""
CONFIG = "STREAMLAB_KAFKA_CONFIG"
_SILENT = logging.getLogger("streamlab.kafka")
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False


class KafkaSource(Source):
    """A topic of Kafka, or of what speaks its protocol (Redpanda, Event Hubs and others).

    All partitions are assigned to this reader: there is no consumer group, nothing is committed, and other readers of
    the topic are not disturbed. Messages come in order within a partition; several partitions in the order in which
    they arrive. A message's key is read as UTF-8; ``when`` is its timestamp.

    Parameters
    ----------
    servers
        Where to begin, ``"host:port"``, several separated by commas.
    topic
        The topic's name.

    Raises
    ------
    ImportError
        If the package ``confluent-kafka`` is not installed.
    ValueError
        If an argument is wrong, or the file of settings.

    Notes
    -----
    Credentials and encryption come from a file of settings alone, which ``STREAMLAB_KAFKA_CONFIG`` names: lines
    ``name=value`` with librdkafka's names, such as ``security.protocol``, ``sasl.mechanisms``, ``sasl.username``,
    ``sasl.password``, ``ssl.ca.location``.

    Examples
    --------
    >>> source = KafkaSource("localhost:9092", "rows")  # doctest: +SKIP
    >>> source.seek({"rows/0": 41})  # doctest: +SKIP
    >>> source.poll(100, timeout=1.0)[0].offset  # doctest: +SKIP
    42
    """

    options: ClassVar[Mapping[str, str]] = {}
    title = "A Kafka topic"
    where = ("Servers and topic", "broker-1:9092,broker-2:9092/rows")
    needs = "confluent-kafka"
    guarantee = (
        "Each message once, also after a crash of the reader, as long as the topic's retention has not passed it; what "
        "a producer sent twice is there twice, unless it is idempotent."
    )

    def __init__(self, servers: str, topic: str) -> None:
        try:
            import confluent_kafka
        except ImportError:
            raise ImportError("Kafka needs confluent-kafka: pip install ./packages/streamlab-live") from None
        if not servers:
            raise ValueError("a Kafka topic needs a server, as in kafka://localhost:9092/rows")
        if not 0 < len(topic) <= 249 or not all(each.isascii() and (each.isalnum() or each in "._-") for each in topic):
            raise ValueError(
                f"topic={shown(topic)}: expected up to 249 letters, digits, '.', '_' and '-', as in "
                "kafka://localhost:9092/rows"
            )
        self.name, self.topic = f"kafka://{servers}/{topic}", topic
        self._kafka: Any = confluent_kafka
        self._config = {
            "group.id": "streamlab",  # the client wants one; nothing is committed under it
            **settings_in(CONFIG),
            "bootstrap.servers": servers,
            "enable.auto.commit": False,
            "enable.auto.offset.store": False,
            "auto.offset.reset": "error",
            "allow.auto.create.topics": False,
            "queued.max.messages.kbytes": 16 * 1024,
            "fetch.queue.backoff.ms": 50,
            "fetch.wait.max.ms": 100,
            "log.connection.close": False,
            "error_cb": self._on_error,
            "logger": _SILENT,
        }
        self._consumer: Any = None
        self._at: dict[int, int] = {}
        self._held: list[Any] = []
        self._away, self._looked = "", 0.0
        self._was_there = False

    @classmethod
    def from_address(cls, address: Address) -> KafkaSource:
        """Return the source of an address such as ``kafka://host:9092/topic`` or ``kafka://a:9092,b:9092/topic``.

        Raises
        ------
        ValueError
            If it names no server or no topic.
        """
        port = PORT if address.port is None else address.port
        servers = address.host if "," in address.host or not address.host else f"{address.host}:{port}"
        return cls(servers, address.path.removeprefix("/"))

    def seek(self, offsets: Mapping[str, Offset]) -> None:
        after = {self._number(partition): self._offset(partition, offset) for partition, offset in offsets.items()}
        self.close()
        self._was_there |= bool(after)
        self._away, self._held = "", []
        self._consumer = self._made()
        partitions = self._partitions()
        missing = [number for number in after if number not in partitions]
        if missing:
            self._drop(f"its partition {missing[0]} is gone; it was read up to offset {after[missing[0]]}")
        self._at = {number: self._begin(number, after.get(number)) for number in partitions}
        self._assign(self._at)
        self._was_there = True

    def poll(self, most: int, timeout: float) -> list[Message]:
        if self._consumer is None:
            raise ConnectionError(f"{self.name}: not connected")
        if time.monotonic() - self._looked > LOOK_AGAIN:
            self._look_for_partitions()
        self._away = ""
        found, self._held = self._held, []
        try:
            if not found:  # the client returns when it has as many, or the time is over: wait for the first alone
                found = self._consumer.consume(1, timeout)
                found += self._consumer.consume(most - 1, 0) if found and most > 1 else []
        except self._kafka.KafkaException as error:
            self._raise(error.args[0])
        messages: list[Message] = []
        for place, each in enumerate(found):
            refusal = each.error()
            if refusal is None:
                messages.append(self._message(each))
            elif refusal.code() != self._kafka.KafkaError._PARTITION_EOF:
                if not messages:
                    self._raise(refusal, each)
                self._held = found[place:]  # what came before the error is given first
                break
        if not messages and self._away:
            raise ConnectionError(f"{self.name}: {self._away}")
        return messages

    def lag(self) -> int | None:
        if self._consumer is None:
            return None
        waiting = 0
        for number, at in list(self._at.items()):
            waiting += max(0, self._watermarks(number)[1] - at)
        return waiting

    def close(self) -> None:
        if self._consumer is not None:
            consumer, self._consumer = self._consumer, None
            consumer.close()

    # ------------------------------------------------------------------ partitions and offsets

    def _made(self) -> Any:
        try:
            return self._kafka.Consumer(self._config)
        except self._kafka.KafkaException as error:
            # the client repeats what it was given, which may be a password in the wrong line
            text = _without(one_line(error), self._config)
            raise ValueError(f"{self.name}: the client refuses its settings: {text}") from None

    def _partitions(self) -> list[int]:
        try:
            about = self._consumer.list_topics(self.topic, timeout=PATIENCE).topics[self.topic]
        except self._kafka.KafkaException as error:
            self._raise(error.args[0])
        self._looked = time.monotonic()
        if about.error is not None:
            self._raise(about.error)
        if not about.partitions:
            self._drop("the topic has no partitions")
        return sorted(about.partitions)

    def _look_for_partitions(self) -> None:
        new = [number for number in self._partitions() if number not in self._at]
        if new:
            begin = {number: self._begin(number, None) for number in new}
            self._at |= begin
            self._assign(self._at)

    def _assign(self, at: Mapping[int, int]) -> None:
        self._consumer.assign([self._kafka.TopicPartition(self.topic, number, offset) for number, offset in at.items()])

    def _watermarks(self, number: int) -> tuple[int, int]:
        try:
            place = self._kafka.TopicPartition(self.topic, number)
            found = self._consumer.get_watermark_offsets(place, timeout=PATIENCE)
        except self._kafka.KafkaException as error:
            self._raise(error.args[0])
        if found is None:
            raise ConnectionError(f"{self.name}: no answer within {PATIENCE:g} seconds")
        return found

    def _begin(self, number: int, after: int | None) -> int:
        """Return the offset to continue from, after a check that it exists or will be the next."""
        first, end = self._watermarks(number)
        if after is None:
            return first
        if after + 1 < first:
            self._drop(
                f"partition {number}: the messages after offset {after} are gone, their retention has passed; the "
                f"first one kept is {first}"
            )
        if after + 1 > end:
            self._drop(
                f"partition {number}: offset {after} was read already, and it ends with {end - 1}: the topic was made "
                "again, or the server lost messages"
            )
        return after + 1

    def _number(self, partition: str) -> int:
        topic, _, number = partition.rpartition("/")
        if topic != self.topic or not number.isdecimal() or not number.isascii() or len(number) > 9:
            raise ValueError(f"{self.name}: the offsets name {shown(partition)}, not a partition of this topic")
        return int(number)

    def _offset(self, partition: str, offset: Offset) -> int:
        return checked_count(f"{self.name}: offset of {partition}", offset, 0, 2**63 - 2)

    # ------------------------------------------------------------------ messages and errors

    def _message(self, each: Any) -> Message:
        number, offset, key = each.partition(), each.offset(), each.key()
        kind, stamp = each.timestamp()
        when = time.time() if kind == self._kafka.TIMESTAMP_NOT_AVAILABLE else stamp / 1000
        self._at[number] = offset + 1
        text = None if key is None else bytes(key).decode("utf-8", "backslashreplace")
        return Message(f"{self.topic}/{number}", offset, when, each.value() or b"", text)

    def _on_error(self, error: Any) -> None:
        """Take an error of the client as a whole, which belongs to no message."""
        if error.code() == self._kafka.KafkaError._ALL_BROKERS_DOWN or self._is_refusal(error):
            self._away = _without(one_line(error.str()), self._config)

    def _is_refusal(self, error: Any) -> bool:
        codes = self._kafka.KafkaError
        forbidden = ("TOPIC", "GROUP", "CLUSTER")
        known = [codes._AUTHENTICATION, codes.SASL_AUTHENTICATION_FAILED, codes._SSL]
        return error.code() in [*known, *(getattr(codes, f"{what}_AUTHORIZATION_FAILED") for what in forbidden)]

    def _raise(self, error: Any, message: Any = None) -> NoReturn:
        codes = self._kafka.KafkaError
        text = _without(one_line(error.str()), self._config)
        if error.code() in (codes._AUTO_OFFSET_RESET, codes.OFFSET_OUT_OF_RANGE):
            number = "" if message is None else f"partition {message.partition()}: "
            at = "" if message is None else f" after offset {self._at.get(message.partition(), 0) - 1}"
            self._drop(f"{number}the messages{at} are gone, their retention has passed")
        if error.code() in (codes.UNKNOWN_TOPIC_OR_PART, codes._UNKNOWN_TOPIC, codes._UNKNOWN_PARTITION):
            if not self._was_there:
                self._drop(f"there is no topic {self.topic!r} on this server")
            # brokers that begin again do not know all topics for a moment
            raise ConnectionError(f"{self.name}: the topic {self.topic!r} no longer exists") from None
        if self._is_refusal(error):
            self._drop(f"the server refuses us ({text}); the credentials are those of the file that {CONFIG} names")
        raise ConnectionError(f"{self.name}: {self._away or text}") from None

    def _drop(self, why: str) -> NoReturn:
        self.close()
        raise ValueError(f"{self.name}: {why}") from None


def _without(text: str, config: Mapping[str, Any]) -> str:
    """Return a text without the values of the settings that may be secret."""
    for name, value in config.items():
        if name.startswith(("sasl.", "ssl.")) and isinstance(value, str) and len(value) > 2:
            text = text.replace(value, "…")
    return text
