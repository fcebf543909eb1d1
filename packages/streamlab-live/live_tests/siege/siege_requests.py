"""The besiegers of the trial ``siege``, to 127.0.0.1 for some seconds."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

from live_tests.siege.child import tell

HOST = "127.0.0.1"
DRIP_SECONDS = 3.0
AGAIN_SECONDS = 0.25
"""Until a connection that was cut begins again."""
BODY = 8 << 20
BODIES = (
    lambda n: b"[" + b"{}," * (n // 3) + b"{}]",
    lambda n: b"[" + b"[]," * (n // 3) + b"[]]",
    lambda n: b"[" * n,
    lambda n: b"[{" + b'"a":1,' * (n // 6) + b'"a":1}]',
    lambda n: b'["' + b"\\" * n,
    lambda n: b"{}\n" * (n // 3),
    lambda n: b"[" + b'"",' * (n // 3) + b"1]",
    lambda n: b"\0" * n,
)


class Besiegers:
    """Connections that begin again when they are cut, until the time is over."""

    def __init__(self, port: int, token: str, seconds: float, seed: int) -> None:
        self.port, self.token, self.until = port, token, time.monotonic() + seconds
        self.rng = random.Random(seed)
        self.bodies = [made(BODY - 10) for made in BODIES]
        self.counts: Counter[str] = Counter()

    async def again(self, what: str, attack: Callable[..., Coroutine[Any, Any, None]], number: int) -> None:
        """Attack, again and again."""
        while time.monotonic() < self.until:
            writer = None
            try:
                reader, writer = await asyncio.open_connection(HOST, self.port)
                self.counts[what] += 1
                await asyncio.wait_for(attack(reader, writer, number), max(0.1, self.until - time.monotonic()))
            except (OSError, TimeoutError, asyncio.IncompleteReadError):
                pass
            finally:
                if writer is not None:
                    writer.close()
            await asyncio.sleep(AGAIN_SECONDS * (0.5 + self.rng.random()))

    async def slow(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
        """Send a byte of a header now and then."""
        writer.write(b"POST /rows HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        while not reader.at_eof():
            writer.write(b"a")
            await writer.drain()
            try:
                if not await asyncio.wait_for(reader.read(1000), DRIP_SECONDS):
                    return
            except TimeoutError:
                continue

    async def garbage(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
        """Send bytes at random, sometimes with the end of headers."""
        writer.write(self.rng.randbytes(self.rng.randrange(1, 2000)) + b"\r\n\r\n" * (number % 2))
        await writer.drain()
        await reader.read(1000)

    async def hostile(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
        """Send a large body that costs to decode."""
        body = self.bodies[number % len(BODIES)]
        allowed = f"Authorization: Bearer {self.token}\r\n" if number % 4 < 2 else ""
        writer.write(f"POST /rows HTTP/1.1\r\nHost: localhost\r\n{allowed}Content-Length: {len(body)}\r\n\r\n".encode())
        writer.write(body)
        try:
            await writer.drain()
        finally:
            head = await reader.read(1000)
            self.counts[f"hostile {head[9:12].decode()}"] += 1


async def besiege(port: int, token: str, seconds: float, seed: int, **numbers: int) -> Counter[str]:
    """Besiege a port of this machine, by as many connections of each kind."""
    crowd = Besiegers(port, token, seconds, seed)
    await asyncio.gather(*(
        crowd.again(what, getattr(crowd, what), number) for what, n in numbers.items() for number in range(n)
    ))  # fmt: skip
    return crowd.counts


def main(**options: Any) -> None:
    """Besiege, and tell how often."""
    os.nice(19)  # they stand for other machines
    counts = asyncio.run(besiege(**options))
    tell(over=True, counts=counts)


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
