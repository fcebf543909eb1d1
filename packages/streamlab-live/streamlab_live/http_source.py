"""An HTTP endpoint that accepts rows: answered once they are in the journal, refused while it is too far ahead."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import numpy as np
from streamlab._checks import checked_count

from streamlab_live.addresses import Address
from streamlab_live.decoding import MESSAGE_BYTES
from streamlab_live.source import Message, Offset, Source, credential

if TYPE_CHECKING:
    from streamlab_live.http_server import Exchange

__all__ = ["HttpSource"]

MOST_ROWS = 10_000
MOST_CELLS = 100_000
"""Cells of a row, those of lists in it too."""
MOST_DEPTH = 16
LISTED = b"["
BLANKS = b" \t\r\n"
_STEPS = np.zeros(256, np.int8)
_STEPS[list(b"[{")], _STEPS[list(b"]}")] = 1, -1
COMMA = ord(",")


class Body:
    """Rows that come in parts: a JSON object, a list of them, or JSON lines.

    Examples
    --------
    >>> body = Body()
    >>> body.add(b'[{"x": 1}, {"x"')
    >>> body.add(b": 2}]")
    >>> body.rows(1000)
    [b'{"x": 1}', b'{"x": 2}']
    """

    def __init__(self) -> None:
        self._raw = bytearray()
        self._is_list: bool | None = None
        self._in_text = self._is_escaped = False
        self._depth = self._cells = 0
        self._n_rows = 1

    def add(self, part: bytes) -> None:
        """Take a further part.

        Raises
        ------
        ValueError
            If a list has too many rows, a row of it too many cells, or it goes too deep.
        """
        if self._is_list is None:
            part = part.lstrip(BLANKS)
            if not part:
                return
            self._is_list = part.startswith(LISTED)
        self._raw += part
        if self._is_list:
            self._count(part)

    def _count(self, part: bytes) -> None:
        if self._is_escaped:
            part = b"_" + part[1:]
        if b"\\" in part:
            part = part.replace(b"\\\\", b"__").replace(b'\\"', b"__")
        self._is_escaped = part.endswith(b"\\")
        outside = part.split(b'"')
        plain = np.frombuffer(b"".join(outside[self._in_text :: 2]), np.uint8)
        self._in_text ^= len(outside) % 2 == 0
        depths = np.cumsum(_STEPS[plain], dtype=np.int32) + self._depth
        commas = plain == COMMA
        ends = np.flatnonzero(commas & (depths <= 1))  # of rows
        cells = np.cumsum(commas & (depths > 1), dtype=np.int32)
        at_ends = cells[ends]
        last = int(cells[-1]) if len(cells) else 0
        widest = max(np.diff(at_ends, prepend=-self._cells, append=last).tolist())
        self._cells = last - int(at_ends[-1]) if len(ends) else self._cells + last
        self._n_rows += len(ends)
        self._depth = int(depths[-1]) if len(depths) else self._depth
        _check(self._n_rows, widest + 1)
        if len(depths) and depths.max() > MOST_DEPTH:
            raise ValueError(f"lists and objects within each other, more than {MOST_DEPTH}; expected flat rows")

    def rows(self, most_bytes: int) -> list[bytes]:
        """Return the rows, each as the bytes of a JSON value; of one that is longer, ``most_bytes`` and one more.

        Raises
        ------
        ValueError
            If there are none, there are too many, a row has too many cells, or a list is no JSON.
        """
        text = bytes(self._raw).rstrip(BLANKS)
        if self._is_list:
            try:
                values: list = msgspec.json.decode(text, type=list[msgspec.Raw])
            except (msgspec.DecodeError, RecursionError) as error:
                raise ValueError(f"no JSON: {str(error)[:200]}") from None
        else:
            lines = text.split(b"\n", 2 * MOST_ROWS)
            values = [line for line in lines if line.strip()]
            if len(values) > 1 and text.startswith(b"{") and not values[0].strip().endswith(b"}"):
                values = [text]  # one object, written over several lines
            elif len(lines) > 2 * MOST_ROWS:  # the rest is in the last
                _check(len(lines), 0)
            for value in values:
                _check(len(values), value.count(b",") + 1)
        if not values:
            raise ValueError("there are no rows; expected a JSON object, a list of them, or JSON lines")
        return [bytes(memoryview(value)[: most_bytes + 1]) for value in values]


def _check(n_rows: int, n_cells: int) -> None:
    if n_rows > MOST_ROWS:
        raise ValueError(f"more than {MOST_ROWS:,} rows; expected at most so many in one request")
    if n_cells > MOST_CELLS:
        raise ValueError(f"a row of more than {MOST_CELLS:,} cells; expected at most so many")


# ---------------------------------------------------------------------- the source

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
            from streamlab_live.http_server import Server
        except ModuleNotFoundError:
            raise ImportError("rows by HTTP need tornado: pip install ./packages/streamlab-live") from None
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

    def _tell(self, request: _Request, status: int, content: Mapping[str, Any]) -> None:
        self._server.call(request.answer, status, content)

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
