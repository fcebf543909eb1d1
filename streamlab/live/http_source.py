"""An HTTP endpoint that accepts rows: answered once they are in the journal, refused while it is too far ahead."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from streamlab._checks import checked_count
from streamlab.live.addresses import Address
from streamlab.live.decoding import MESSAGE_BYTES
from streamlab.live.http_body import Body
from streamlab.live.source import Message, Offset, Source, credential

if TYPE_CHECKING:
    from streamlab.live.http_server import Exchange

__all__ = ["HttpSource"]

TOKEN = "STREAMLAB_HTTP_TOKEN"
"""The environment variable with the token that requests must carry; none: only this machine may send rows."""
MOST_WAITING = 64 << 20
"""Bytes of the requests that wait to be written."""
MOST_KEYS = 10_000
ANSWER_SECONDS = 30.0
PAUSED_SECONDS = 1.0
KEY_LETTERS = 200
NOTE = "key "
REPEATED: tuple[int, dict[str, Any]] = (202, {"rows": 0, "refused": {}, "repeated": True})


@dataclass(eq=False)
class _Request:
    """The rows of one request, and whom to tell what became of them."""

    values: list[bytes]
    key: str
    answer: Callable[..., None]

    @property
    def n_bytes(self) -> int:
        return sum(map(len, self.values))


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
    ImportError
        If the package ``tornado`` is not installed.
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
        try:
            from streamlab.live.http_server import Server
        except ModuleNotFoundError:
            raise ImportError('rows by HTTP need tornado: pip install "streamlab[live]"') from None
        token = (credential(TOKEN) or "") if token is None else token
        if not token and not _is_own(host):
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
            self._server = Server(host, port, self, token=token)
        except (OSError, OverflowError) as error:
            raise ValueError(f"http://{host}:{port}: it cannot listen there: {error}") from None
        self.port = self._server.port
        self.name = f"http://{host}:{port}{self.path}" if port else f"http://{host}{self.path}"
        self.url = f"http://{host}:{self.port}{self.path}"

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
            # the server listens before the journal is open: what came meanwhile may be in it
            known = [request for request in self._waiting if request.key in self._keys]
            for request in known:
                self._waiting.remove(request)
                self._in_flight.discard(request.key)
        for request in known:
            self._tell(request, *REPEATED)

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
            self._tell(request, 202, {"rows": len(request.values) - len(bad), "refused": bad})

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
        self._server.close()

    def _is_full(self, request: _Request) -> bool:
        return sum(each.n_bytes for each in self._waiting) + request.n_bytes > MOST_WAITING

    def _know(self, key: str) -> None:
        self._keys[key] = None
        while len(self._keys) > MOST_KEYS:
            del self._keys[next(iter(self._keys))]

    def _let_go(self, requests: Sequence[_Request]) -> None:
        with self._alone:
            for request in requests:
                self._in_flight.discard(request.key)
        for request in requests:
            self._tell(request, 503, {"error": "the rows were not taken; send them again later"})

    def _tell(self, request: _Request, status: int, told: Mapping[str, Any]) -> None:
        self._server.call(request.answer, status, told)

    # ------------------------------------------------------------------ the senders' side, on the server's thread

    def begin(self, exchange: Exchange) -> None:
        """Answer what asks for the state, and refuse what is no request for rows; for the server alone, as the rest."""
        key = exchange.headers.get("Idempotency-Key", "")
        if exchange.path != self.path:
            exchange.answer(404, {"error": "there is nothing here"})
        elif exchange.method == "GET":
            exchange.answer(200, self.state)
        elif exchange.method != "POST":
            exchange.answer(405, {"error": "expected POST, or GET"})
        elif len(key) > KEY_LETTERS or not key.isprintable():
            exchange.answer(400, {"error": f"invalid Idempotency-Key; expected up to {KEY_LETTERS} printable letters"})
        else:
            exchange.body = Body()

    def part(self, exchange: Exchange, part: bytes) -> None:
        """Count a part of a body."""
        try:
            exchange.body.add(part)
        except ValueError as error:
            exchange.answer(400, {"error": str(error)})

    def whole(self, exchange: Exchange) -> None:
        """Let the rows of a body be written; it is answered when they are, or after some seconds."""
        try:
            values = exchange.body.rows(self.most_bytes)
        except ValueError as error:
            exchange.answer(400, {"error": str(error)})
            return
        if len(values) > self.most_rows:
            exchange.answer(413, {"error": f"{len(values):,} rows; expected at most {self.most_rows:,} in one request"})
            return
        exchange.body = None
        request = _Request(values, exchange.headers.get("Idempotency-Key", ""), exchange.answer)
        if (answer := self._queue(request)) is not None:
            exchange.answer(*answer)
        else:
            exchange.within(ANSWER_SECONDS, self._give_up, request)

    def _queue(self, request: _Request) -> tuple[int, dict[str, Any]] | None:
        """Return the answer to a request whose rows are not to be written; else queue it."""
        key = request.key
        with self._alone:
            if key and key in self._keys:
                return REPEATED
            if key and key in self._in_flight:
                return 409, {"error": "a request with this Idempotency-Key is under way; ask again later"}
            if self._closed or time.monotonic() < self._paused_until or self._is_full(request):
                return 503, {"error": "too many rows wait to be read; send them again later"}
            if key:
                self._in_flight.add(key)
            self._waiting.append(request)
            self._alone.notify_all()
        return None

    def _give_up(self, request: _Request) -> None:
        with self._alone:
            if request in self._waiting:
                self._waiting.remove(request)
                self._in_flight.discard(request.key)
        request.answer(503, {"error": "the rows were not written in time; send them again later"})

    @property
    def state(self) -> dict[str, Any]:
        """What ``GET`` answers."""
        with self._alone:
            return {"reads": not self._closed and time.monotonic() >= self._paused_until, "waiting": len(self._waiting)}


def _is_own(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
