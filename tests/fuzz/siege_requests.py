"""The besiegers of the trial ``siege``, to 127.0.0.1 for some seconds; and mutants of a valid request."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

from tests.fuzz.child import tell

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


# ---------------------------------------------------------------------- mutants


WORDS = (
    b"\r\n", b"\r\n\r\n", b"\n", b"\0", b"\xff", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n",
    b"HTTP/1.1",
    b"Host: elsewhere\r\n", b"Authorization: Bearer x\r\n", b"Connection: close\r\n", b"Expect: 100-continue\r\n", b":",
    b"9" * 30, b"-1", b"NaN", b"[", b"{", b'"', b"\\", b"true", b"\xd9\xa3", b"\xef\xbb\xbf", b"GET", b"HEAD", b"PUT",
    b"//",
    b"CONNECT", b"%00", b",", b"Upgrade: websocket\r\n", b"Content-Encoding: gzip\r\n", b"Idempotency-Key: \x01\r\n",
    b"0x10", b"+5", b"1e3", b"a" * 20_000, b" ",
)  # fmt: skip


def mutant(port: int, token: str, seed: int, number: int | None) -> bytes:
    """Return a valid request, changed in one to four places; unchanged where the number is None."""
    rng = random.Random(f"{seed}/{number}")
    names = [f"x{j}" for j in range(20)]
    rows = [{"n": i} | {name: round(rng.random(), 3) for name in names} | {"u": 1, "v": 0} for i in range(3)]
    body = json.dumps(rows).encode() if rng.random() < 0.5 else b"\n".join(json.dumps(row).encode() for row in rows)
    head = [
        b"POST /rows HTTP/1.1", f"Host: {HOST}:{port}".encode(), f"Authorization: Bearer {token}".encode(),
        b"Content-Type: application/json", f"Idempotency-Key: {seed}-{number}".encode(), b"Connection: close",
    ]  # fmt: skip
    if number is None:
        return _joined(head, body)
    in_body, keeps_length = rng.random() < 0.4, rng.random() < 0.7
    if in_body:
        body = _changed(rng, body)
        return _joined(head, body) if keeps_length else _changed(rng, _joined(head, body))
    if rng.random() < 0.3:
        head.insert(rng.randrange(len(head) + 1), rng.choice(head))
    if rng.random() < 0.3:
        del head[rng.randrange(len(head))]
    return _changed(rng, _joined(head, body)) if rng.random() < 0.9 else _joined(head, body)


def _joined(head: list[bytes], body: bytes) -> bytes:
    return b"\r\n".join([*head, b"Content-Length: %d" % len(body), b"", body])


def _changed(rng: random.Random, raw: bytes) -> bytes:
    # mostly where the headers are
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(min(len(raw), 300 if rng.random() < 0.7 else len(raw)) or 1)
        to = min(len(raw), at + rng.choice((1, 1, 2, 8, 100)))
        raw = rng.choice((
            lambda a, b: raw[:a] + rng.randbytes(b - a) + raw[b:],  # noqa: B023
            lambda a, b: raw[:a] + raw[b:],  # noqa: B023
            lambda a, b: raw[:b] + raw[a:b] + raw[b:],  # noqa: B023
            lambda a, b: raw[:a] + rng.choice(WORDS) + raw[a:],  # noqa: B023
            lambda a, b: raw[:a] + rng.choice(WORDS) + raw[b:],  # noqa: B023
            lambda a, b: raw[:b],  # noqa: B023
        ))(at, to)  # fmt: skip
    return raw


def sent(port: int, raw: bytes) -> str:
    """Send a request, and return its status, ``"cut"`` without one, or ``"stuck"`` if the connection stays open."""
    said = b""
    with socket.create_connection((HOST, port), timeout=0.5) as line:
        try:
            line.sendall(raw)
            while part := _received(line):
                said += part
        except ConnectionError:
            pass
        except TimeoutError:
            return "stuck"
    found = re.findall(rb"^HTTP/1\.1 (\d{3})", said, re.MULTILINE)
    # the worst, where there are several requests in one
    return max(found).decode() if found else "cut"


def _received(line: socket.socket) -> bytes:
    try:
        return line.recv(65536)
    except TimeoutError:
        line.shutdown(socket.SHUT_WR)  # it waits for more
        line.settimeout(20.0)
        return line.recv(65536)


def main(**options: Any) -> None:
    """Besiege, and tell how often."""
    os.nice(19)  # they stand for other machines
    counts = asyncio.run(besiege(**options))
    tell(over=True, counts=counts)


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
