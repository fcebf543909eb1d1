"""librdkafka's mock brokers in a process of their own: they speak Kafka's protocol, and keep messages in memory."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

__all__ = ["MockBrokers"]

_SERVE = """
import sys
from confluent_kafka import Producer
serving = Producer({"test.mock.num.brokers": int(sys.argv[1]), "log_level": 0})
found = serving.list_topics(timeout=30).brokers.values()
print(",".join(f"{each.host}:{each.port}" for each in found), flush=True)
sys.stdin.read()
"""


class MockBrokers:
    """Brokers that live in the producer that made them, in another process: killing it is a cluster that goes away.

    They have four partitions for each topic, which a producer's first message makes.
    """

    def __init__(self, n: int = 1) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVE, str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None, "it was asked for"
        self.servers = self._process.stdout.readline().strip()
        assert self.servers, "the mock brokers did not start"

    def producer(self) -> Any:
        """Return a producer for them."""
        from confluent_kafka import Producer

        return Producer({"bootstrap.servers": self.servers, "linger.ms": 0, "log_level": 0})

    def kill(self) -> None:
        """End them."""
        self._process.kill()
        self._process.communicate()
