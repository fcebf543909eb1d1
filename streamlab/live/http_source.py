"""An HTTP endpoint that accepts rows: answered once they are in the journal, refused while it is too far ahead."""

from __future__ import annotations

import hmac
import ipaddress
import json
import os
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from streamlab._checks import checked_count
from streamlab.live.addresses import Address
from streamlab.live.decoding import MESSAGE_BYTES
from streamlab.live.source import Message, Offset, Source

__all__ = ["HttpSource"]

TOKEN = "STREAMLAB_HTTP_TOKEN"
"""The environment variable with the token that requests must carry; none: only this machine may send rows."""
BODY_BYTES = 8 << 20
BODY_ROWS = 10_000
MOST_WAITING = 64 << 20
"""Bytes of the requests that wait to be written."""
MOST_THREADS = 32
ANSWER_SECONDS = 30.0
SOCKET_SECONDS = 10.0
RETRY_SECONDS = 1
PAUSED_SECONDS = 1.0
KEY_LETTERS = 200
NOTE = "key "


@dataclass(eq=False)
class _Request:
    """The rows of one request, and what is to be answered."""

    values: list[bytes]
    key: str
    done: threading.Event = field(default_factory=threading.Event)
    status: int = 503
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def n_bytes(self) -> int:
        return sum(map(len, self.values))

    def answer(self, status: int, **told: Any) -> None:
        self.status, self.told = status, told
        self.done.set()


class HttpSource(Source):
    """Rows that others send by ``POST``: a JSON object, a list of them, or JSON lines.

    A request is answered 202 when its rows are in the journal and on the disk, with what was refused among them; 503
    with ``Retry-After`` while the journal is too far ahead of its reader; 401 without the token, where there is one.
    ``GET`` answers whether it reads.

    Parameters
    ----------
    host, port
        Where it listens. Only this machine's own addresses, unless there is a token. Port 0: any that is free.
    path
        Where rows are accepted, such as ``/rows``.
    token
        What requests must carry, as ``Authorization: Bearer …``; None: what the environment variable
        ``STREAMLAB_HTTP_TOKEN`` holds.
    most_bytes
        Bytes of a row; a body may have 8 MiB and 10,000 rows.

    Raises
    ------
    ValueError
        If it would listen to other machines without a token, or it cannot listen there.
    """

    guarantee = (
        "At least once: a request that was answered 202 is on the disk; one that was not may be, and is sent again. "
        "Exactly once with an Idempotency-Key: the latest 10,000 are written down with their rows."
    )
    format = "json"

    options: ClassVar[Mapping[str, str]] = {}
    has_topics = False
    title = "An endpoint that takes rows, on this machine"
    where = ("Port and path", "localhost:8080/rows")

    def __init__(
        self,
        host: str = "localhost",
        port: int = 0,
        path: str = "/",
        *,
        token: str | None = None,
        most_bytes: int = MESSAGE_BYTES,
    ) -> None:
        self._token = os.environ.get(TOKEN, "") if token is None else token
        if not self._token and not _is_own(host):
            raise ValueError(
                f"http://{host}: other machines could send rows; expected localhost, or a token in the environment "
                f"variable {TOKEN}"
            )
        self.path = path if path.startswith("/") else f"/{path}"
        self.most_bytes = most_bytes
        self._alone = threading.Condition()
        self._waiting: deque[_Request] = deque()
        self._under_way: list[_Request] = []
        self._in_flight: set[str] = set()
        self._keys: dict[str, None] = {}
        self._at = 0
        self._closed = False
        self._paused_until = 0.0
        try:
            self._server = _Server((host.strip("[]"), port), self)
        except (OSError, OverflowError) as error:
            raise ValueError(f"http://{host}:{port}: it cannot listen there: {error}") from None
        self.port = int(self._server.server_address[1])
        self.name = f"http://{host}:{port}{self.path}" if port else f"http://{host}{self.path}"
        self.url = f"http://{host}:{self.port}{self.path}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, name="streamlab http source", daemon=True
        )
        self._thread.start()

    @classmethod
    def from_address(cls, address: Address) -> HttpSource:
        """Return the source of ``http://host:port/path``."""
        most = address.count("most_bytes", MESSAGE_BYTES)
        return cls(address.host or "localhost", address.port or 0, address.path or "/", most_bytes=most)

    # ------------------------------------------------------------------ the reader's side

    def seek(self, offsets: Mapping[str, Offset]) -> None:
        self._at = checked_count(f"{self.name}: offset", offsets.get("http", 0))
        self._let_go(self._under_way)  # what was polled was not written
        self._under_way = []

    def poll(self, most: int, timeout: float) -> list[Message]:
        with self._alone:
            self._paused_until = 0.0
            self._alone.wait_for(lambda: self._waiting or self._closed, timeout)
            # a request is written whole, in one record, so that its key goes with all its rows
            taken: list[_Request] = []
            n = 0
            while self._waiting and (not taken or n + len(self._waiting[0].values) <= most):
                taken.append(self._waiting.popleft())
                n += len(taken[-1].values)
            self._under_way += taken
        now, messages = time.time(), []
        for request in taken:
            for value in request.values:
                self._at += 1
                messages.append(Message("http", self._at, now, value))
        return messages

    def notes(self) -> Sequence[str]:
        return [f"{NOTE}{request.key}" for request in self._under_way if request.key]

    def remember(self, notes: Sequence[str]) -> None:
        with self._alone:
            for note in notes:
                if note.startswith(NOTE):
                    self._know(note.removeprefix(NOTE))

    def settled(self, refused: Mapping[int, str]) -> None:
        at = 0
        with self._alone:
            done, self._under_way = self._under_way, []
            for request in done:
                if request.key:
                    self._know(request.key)
                    self._in_flight.discard(request.key)
        for request in done:
            bad = {str(i): refused[at + i] for i in range(len(request.values)) if at + i in refused}
            at += len(request.values)
            request.answer(202, rows=len(request.values) - len(bad), refused=bad)

    def pause(self) -> None:
        with self._alone:
            self._paused_until = time.monotonic() + PAUSED_SECONDS
            given_back = list(self._waiting)
            self._waiting.clear()
        self._let_go(given_back)

    def lag(self) -> int | None:
        with self._alone:
            return sum(len(request.values) for request in self._waiting)

    def close(self) -> None:
        with self._alone:
            if self._closed:
                return
            self._closed = True
            left = [*self._under_way, *self._waiting]
            self._waiting.clear()
            self._under_way = []
            self._alone.notify_all()
        self._let_go(left)
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5.0)

    def _is_full(self, request: _Request) -> bool:
        return sum(each.n_bytes for each in self._waiting) + request.n_bytes > MOST_WAITING

    def _know(self, key: str) -> None:
        self._keys[key] = None
        while len(self._keys) > BODY_ROWS:
            del self._keys[next(iter(self._keys))]

    def _let_go(self, requests: Sequence[_Request]) -> None:
        with self._alone:
            for request in requests:
                self._in_flight.discard(request.key)
        for request in requests:
            request.answer(503, error="the rows were not taken; send them again later")

    # ------------------------------------------------------------------ the senders' side

    def is_allowed(self, given: str | None) -> bool:
        """Return whether a request with this ``Authorization`` may send rows."""
        wanted = f"Bearer {self._token}".encode()
        return not self._token or hmac.compare_digest((given or "").encode(), wanted)

    def take(self, values: list[bytes], key: str) -> tuple[int, dict[str, Any]]:
        """Let rows be written, wait for it, and return the status of the answer and what it says."""
        request = _Request(values, key)
        with self._alone:
            if key and key in self._keys:
                return 202, {"rows": 0, "refused": {}, "repeated": True}
            if key and key in self._in_flight:
                return 409, {"error": "a request with this Idempotency-Key is under way; ask again later"}
            if self._closed or time.monotonic() < self._paused_until or self._is_full(request):
                return 503, {"error": "too many rows wait to be read; send them again later"}
            if key:
                self._in_flight.add(key)
            self._waiting.append(request)
            self._alone.notify_all()
        if not request.done.wait(ANSWER_SECONDS):
            with self._alone:
                if request in self._waiting:
                    self._waiting.remove(request)
                    self._in_flight.discard(key)
            return 503, {"error": "the rows were not written in time; send them again later"}
        return request.status, request.told

    @property
    def state(self) -> dict[str, Any]:
        """What ``GET`` answers."""
        with self._alone:
            return {"reads": not self._closed and time.monotonic() >= self._paused_until, "waiting": len(self._waiting)}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, place: tuple[str, int], source: HttpSource) -> None:
        self.source = source
        self._seats = threading.BoundedSemaphore(MOST_THREADS)
        if ":" in place[0]:
            import socket

            self.address_family = socket.AF_INET6
        super().__init__(place, _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._seats.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._seats.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is nothing to write about."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "streamlab", ""
    timeout = SOCKET_SECONDS

    def do_GET(self) -> None:
        if self._is_mine():
            self._answer(200, self.server.source.state)

    def do_POST(self) -> None:
        if not self._is_mine():
            return
        key = self.headers.get("Idempotency-Key", "")
        if len(key) > KEY_LETTERS or not key.isprintable():
            self._answer(400, {"error": f"invalid Idempotency-Key; expected up to {KEY_LETTERS} printable letters"})
            return
        body = self._body()
        if body is None:
            return
        values, why = _rows_in(body, self.server.source.most_bytes)
        if values is None:
            self._answer(400, {"error": why})
            return
        most = self.server.source.most_rows
        if len(values) > most:
            self._answer(413, {"error": f"{len(values):,} rows; expected at most {most:,} in one request"})
            return
        self._answer(*self.server.source.take(values, key))

    def _is_mine(self) -> bool:
        if not self.server.source.is_allowed(self.headers.get("Authorization")):
            self._answer(401, {"error": "expected Authorization: Bearer and the token"})
        elif self.path.partition("?")[0] != self.server.source.path:
            self._answer(404, {"error": "there is nothing here"})
        elif not self.server.source._token and self.headers.get("Origin"):
            # a page of another site, in the browser of somebody on this machine
            self._answer(403, {"error": "pages of a browser may not send rows here without a token"})
        else:
            return True
        return False

    def _body(self) -> bytes | None:
        length = self.headers.get("Content-Length", "")
        if self.headers.get("Transfer-Encoding") or not (length.isascii() and length.isdigit() and len(length) < 12):
            self._answer(411, {"error": "expected a Content-Length"})
        elif int(length) > BODY_BYTES:
            self._answer(413, {"error": f"a body of {int(length):,} bytes; expected at most {BODY_BYTES:,}"})
        else:
            body = self.rfile.read(int(length))
            if len(body) == int(length):
                return body
            self.close_connection = True
        return None

    def _answer(self, status: int, told: Mapping[str, Any]) -> None:
        raw = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.send_header("X-Content-Type-Options", "nosniff")
        if status == 503 or status == 409:
            self.send_header("Retry-After", str(RETRY_SECONDS))
        if status >= 400:
            # what was not read of the body must not be taken for the next request
            self.send_header("Connection", "close")
            self.close_connection = True
        if status == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing: what others send does not belong into a log."""


def _rows_in(body: bytes, most_bytes: int) -> tuple[list[bytes] | None, str]:
    """Return the rows of a body, each as the bytes of a JSON object; or None, and why there are none."""
    text = body.strip()
    if text.startswith(b"["):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            return None, f"no JSON: {str(error)[:200]}"
        values = [json.dumps(each).encode() for each in found]
    else:
        values = [line for line in text.split(b"\n") if line.strip()]
        if len(values) > 1 and text.startswith(b"{") and not values[0].strip().endswith(b"}"):
            values = [text]  # one object, written over several lines
    if not values:
        return None, "there are no rows; expected a JSON object, a list of them, or JSON lines"
    if len(values) > BODY_ROWS:
        return None, f"{len(values):,} rows; expected at most {BODY_ROWS:,} in one request"
    return [value[: most_bytes + 1] for value in values], ""


def _is_own(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
