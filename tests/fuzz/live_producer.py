"""Writes the topics of the trial ``live`` to Redis in real time: each entry once, whatever happens beneath it."""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Iterator
from typing import Any

from tests.fuzz.live_topics import Topics, tell

TICK = 0.02
"""Seconds between two sendings."""
TRIM_EVERY = 5.0


class Sender:
    """One topic: entries have ids that are known beforehand, so that after a failure only what is missing is sent."""

    def __init__(self, client: Any, topic: str, entries: Iterator[tuple[int, str, int]]) -> None:
        self._client, self.topic, self._entries = client, topic, entries
        self._next: tuple[int, str, int] | None = next(entries, None)
        self._unsure: deque[tuple[str, bytes]] = deque()
        self.sent = 0

    @property
    def is_over(self) -> bool:
        return self._next is None and not self._unsure

    def send(self, until: int) -> None:
        """Send what is due; raises ``redis.RedisError`` if it is not certain that it arrived."""
        if self._unsure:
            newest = self._newest()
            while self._unsure and _place(self._unsure[0][0]) <= newest:
                self._unsure.popleft()
                self.sent += 1
        number = self.sent + len(self._unsure)
        while self._next is not None and self._next[0] <= until and len(self._unsure) < 2000:
            when, key, film = self._next
            # 1 at the least: 0-0 is no id; numbers rise, so that ids of one millisecond do
            self._unsure.append((f"{when}-{number + 1}", Topics.message(self.topic, key, film)))
            number += 1
            self._next = next(self._entries, None)
        if not self._unsure:
            return
        # one command for the server, which writes it to its disk at once
        with self._client.pipeline(transaction=True) as together:
            for id_, message in self._unsure:
                together.xadd(self.topic, {"value": message}, id=id_)
            together.execute()
        self.sent += len(self._unsure)
        self._unsure.clear()

    def _newest(self) -> tuple[int, int]:
        import redis

        try:
            return _place(self._client.xinfo_stream(self.topic)["last-generated-id"].decode())
        except redis.ResponseError:  # it is not there yet
            return (0, 0)


def _place(id_: str) -> tuple[int, int]:
    when, _, number = id_.partition("-")
    return int(when), int(number)


def main(port: int, keep: int, **topic_options: int) -> None:
    """Write both topics of these options in real time; entries older than ``keep`` seconds are trimmed."""
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    topics = Topics(**topic_options)
    client = redis.Redis(port=port, socket_timeout=20, retry=Retry(NoBackoff(), 0))
    senders = [Sender(client, "rows", topics.rows()), Sender(client, "labels", topics.labels())]
    trimmed = told = time.monotonic()
    failures, latest = 0, 0.0
    while not all(sender.is_over for sender in senders):
        now = time.time() * 1000
        try:
            for sender in senders:
                sender.send(int(now))
            if time.monotonic() - trimmed > TRIM_EVERY:
                trimmed = time.monotonic()
                for sender in senders:
                    client.xtrim(sender.topic, minid=f"{int(now) - keep * 1000}-0", approximate=True)
        except redis.RedisError:
            failures += 1
            time.sleep(0.1)
        latest = max(latest, time.time() * 1000 - now)
        if time.monotonic() - told > 1:
            told = time.monotonic()
            late = (time.time() * 1000 - topics.when(senders[0].sent)) / 1000 if not senders[0].is_over else 0.0
            tell(sent=[sender.sent for sender in senders], failures=failures, late=late)
        time.sleep(max(0.0, TICK - (time.time() * 1000 - now) / 1000))
    tell(sent=[sender.sent for sender in senders], failures=failures, over=True)


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
