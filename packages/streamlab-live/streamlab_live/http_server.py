"""The HTTP server of live streams, on a thread of its own: deadlines, seats, names and tokens; it knows no rows."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from http.client import responses
from typing import Any, Protocol

from streamlab._checks import cannot_be_led_away, shown
from tornado.http1connection import HTTP1Connection, HTTP1ServerConnection
from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPHeaders, HTTPInputError, HTTPMessageDelegate, RequestStartLine, ResponseStartLine
from tornado.netutil import bind_sockets

HEADER_SECONDS = 5.0
"""From a connection, or the answer before, to the end of the headers."""
BODY_SECONDS = 10.0
WRITE_SECONDS = 10.0
"""Of the answer."""
MOST_ADMITTED = 64
"""Connections that a request was let in from."""
MOST_PENDING, MOST_PENDING_OF_ONE = 384, 256
"""Connections without such a request, where the process may have a thousand descriptors; of one address."""
HEADER_BYTES = 16 << 10
BODY_BYTES = 8 << 20
BYTES_UNDER_WAY = 32 << 20
"""Of all bodies that are not whole yet."""
LINGER_BYTES, LINGER_SECONDS = 256 << 10, 1.0
"""What is read of a refused body, so that its sender sees the answer; of one admitted, all in that time."""
CLOSE_SECONDS = 2.0
RETRY_SECONDS = 1
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: %d\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    % RETRY_SECONDS
)


class Desk(Protocol):
    """What a server does with requests: it is called on the server's thread, and must not wait.

    One that answers all requests at once, in ``begin``, needs no more; others have ``part(exchange, bytes)`` and
    ``whole(exchange)``, too.
    """

    def begin(self, exchange: Exchange) -> None:
        """The headers have come, and are let in."""


class Server:
    """Serves a desk until ``close``.

    Connections are pending until the headers of a request are whole, and let in: then they are admitted. Where too many
    are pending, the one that has waited longest goes, of the same address first; so whoever holds connections pushes
    out their own, and none that is admitted. Where as many are admitted as may be, the one idle longest goes.

    Parameters
    ----------
    host, port
        Where it listens; port 0 is any that is free.
    desk
        Answers the requests.
    token
        What a request must carry, as ``Authorization: Bearer …``; "": nothing. Then it must name this machine in its
        ``Host`` and come from no page of another site.
    names
        Further names of this machine.

    Raises
    ------
    OSError
        If it cannot listen there.
    """

    def __init__(self, host: str, port: int, desk: Desk, *, token: str = "", names: Iterable[str] = ()) -> None:
        self.desk: Any = desk
        self.token = token
        self.names = frozenset(name.lower() for name in (host, *names))
        sockets = bind_sockets(port, host.strip("[]"))
        self.port = int(sockets[0].getsockname()[1])
        self.most_pending = min(MOST_PENDING, _most_files() * 3 // 8)
        self.admitted: dict[HTTP1ServerConnection, Exchange | None] = {}
        self.pending: dict[HTTP1ServerConnection, Exchange] = {}
        self.under_way: dict[Exchange, int] = {}
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(sockets,), name="streamlab http", daemon=True)
        self._thread.start()
        self._ready.wait()
        if not self._thread.is_alive():
            raise OSError("its thread did not begin")

    def _run(self, sockets: Any) -> None:
        try:
            asyncio.run(self._serve(sockets))
        finally:
            self._ready.set()

    async def _serve(self, sockets: Any) -> None:
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        listener = _Listener(
            self, max_header_size=HEADER_BYTES, idle_connection_timeout=HEADER_SECONDS, max_body_size=BODY_BYTES
        )  # fmt: skip
        listener.add_sockets(sockets)
        self._ready.set()
        await self._stopped.wait()
        listener.stop()
        until = self._loop.time() + CLOSE_SECONDS
        while any(self.admitted.values()) and self._loop.time() < until:
            await asyncio.sleep(0.01)
        await listener.close_all_connections()

    def call(self, do: Callable[..., object], *given: Any) -> None:
        """Have something done on the server's thread, soon; nothing where it has stopped."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(do, *given)

    def close(self) -> None:
        """Take no further connection, give those under way time for their answers, and end; a second time nothing."""
        self.call(self._stopped.set)
        self._thread.join(CLOSE_SECONDS + 5.0)

    # ------------------------------------------------------------------ places

    def waits(self, connection: HTTP1ServerConnection, exchange: Exchange) -> None:
        """A connection waits for its next request."""
        if connection in self.admitted:
            self.left(connection)
            self.admitted[connection] = None  # the last of those that are idle
            return
        self.pending[connection] = exchange
        if len(self.pending) <= min(MOST_PENDING_OF_ONE, self.most_pending):
            return
        of_one = [each for each, other in self.pending.items() if other.address == exchange.address]
        if len(of_one) > MOST_PENDING_OF_ONE:
            self._send_away(of_one[0])
        elif len(self.pending) > self.most_pending:
            self._send_away(next(iter(self.pending)))

    def left(self, connection: HTTP1ServerConnection) -> None:
        """A connection is closed, or its exchange over."""
        for each in (self.pending.pop(connection, None), self.admitted.pop(connection, None)):
            if each is not None:
                each.take_time()

    def _send_away(self, connection: HTTP1ServerConnection) -> None:
        exchange = self.pending.pop(connection)
        exchange.take_time()
        if not exchange.is_answered and not connection.stream.closed():
            connection.stream.write(FULL)
        connection.stream.close()

    def admit(self, connection: HTTP1ServerConnection, exchange: Exchange) -> bool:
        """Return whether there is a place for a connection whose request is let in, and take it."""
        if connection not in self.admitted and len(self.admitted) >= MOST_ADMITTED:
            idle = next((each for each, request in self.admitted.items() if request is None), None)
            if idle is None:
                return False
            idle.stream.close()
            self.left(idle)
        self.pending.pop(connection, None)
        self.admitted[connection] = exchange
        return True

    def took(self, exchange: Exchange, n: int) -> None:
        """Count bytes of a body; where all bodies are too many, the largest is refused."""
        self.under_way[exchange] = self.under_way.get(exchange, 0) + n
        if sum(self.under_way.values()) > BYTES_UNDER_WAY:
            largest = max(self.under_way, key=self.under_way.__getitem__)
            largest.answer(503, {"error": "too many bodies are under way; send it again later"})


def _most_files() -> int:
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return 512
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


class _Listener(HTTPServer):
    def initialize(self, server: Server, **limits: Any) -> None:  # type: ignore[override]
        self.server = server
        super().initialize(lambda _: None, **limits)

    def start_request(self, server_conn: Any, request_conn: Any) -> HTTPMessageDelegate:
        exchange = Exchange(self.server, server_conn, request_conn)
        self.server.waits(server_conn, exchange)
        return exchange

    def on_close(self, server_conn: Any) -> None:
        self.server.left(server_conn)
        super().on_close(server_conn)


class Exchange(HTTPMessageDelegate):
    """A request, and its answer.

    Attributes
    ----------
    method, path, headers
        Of the request; the path is without what stands behind ``?``.
    body
        What the desk keeps of the body.
    """

    method = path = ""
    headers: HTTPHeaders
    body: Any = None
    is_answered = _is_whole = _is_over = _closes = False
    _lingers = 0
    _timer: asyncio.TimerHandle | None = None

    def __init__(self, server: Server, line: HTTP1ServerConnection, connection: HTTP1Connection) -> None:
        self._server, self._line, self._connection = server, line, connection
        self.address: str = line.context.remote_ip  # type: ignore[attr-defined]

    def headers_received(self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders) -> None:
        """Let the request in, or answer why not; nothing of its body has been read."""
        assert isinstance(start_line, RequestStartLine), "it is a server"
        self.method, self.path, self.headers = start_line.method, start_line.path.partition("?")[0], headers
        for name, least in (("Content-Length", 0), ("Host", int(start_line.version != "HTTP/1.0"))):
            if not least <= len(headers.get_list(name)) <= 1:
                raise HTTPInputError(f"expected one {name}")
        self.within(BODY_SECONDS, self._connection.close)
        if not self._is_let_in():
            return
        if not self._server.admit(self._line, self):
            self.answer(503, {"error": "all seats are taken; come again later"})
        elif self._is_of_a_length():
            self._server.desk.begin(self)

    def _is_let_in(self) -> bool:
        token = self._server.token
        if token:
            if not hmac.compare_digest(self.headers.get("Authorization", "").encode(), f"Bearer {token}".encode()):
                self.answer(401, {"error": "expected Authorization: Bearer and the token"})
        elif not self._is_named(self.headers.get("Host", "localhost")):
            self.answer(403, {"error": f"this machine is not {shown(self.headers['Host'])}"})
        elif self.headers.get("Origin"):
            # a page of another site, in the browser of somebody on this machine
            self.answer(403, {"error": "pages of a browser may not ask here without a token"})
        return not self.is_answered

    def _is_named(self, host: str) -> bool:
        name, colon, port = host.rpartition(":")
        name = (name if colon and port.isdigit() else host).lower()
        return cannot_be_led_away(name) or name in self._server.names

    def _is_of_a_length(self) -> bool:
        length = self.headers.get("Content-Length", "")
        if self.headers.get("Transfer-Encoding") or (self.method == "POST" and not length):
            self.answer(411, {"error": "expected a Content-Length"})
        elif length.isascii() and length.isdigit() and (len(length) > 12 or int(length) > BODY_BYTES):
            self._connection.set_max_body_size(1 << 62)  # of which little is read
            self.answer(413, {"error": f"a body of {length[:20]} bytes; expected at most {BODY_BYTES:,}"})
        return not self.is_answered

    def data_received(self, chunk: bytes) -> None:
        """Hand a part of the body on, or away."""
        if not self.is_answered:
            self._server.took(self, len(chunk))
        if not self.is_answered:
            self._server.desk.part(self, chunk)
            return
        self._lingers += len(chunk)
        if self._lingers > LINGER_BYTES and self._line not in self._server.admitted:
            self._end()

    def finish(self) -> None:
        """Hand on that the body has ended."""
        self._is_whole = True
        self._server.under_way.pop(self, None)
        if self.is_answered:
            self._end()
        else:
            self._server.desk.whole(self)

    def on_connection_close(self) -> None:
        """Forget the request: who sent it is gone, or was cut."""
        self.is_answered = True
        self._end()

    def answer(self, status: int, content: Mapping[str, Any] | bytes, kind: str = "application/json") -> None:
        """Answer, once; what comes later is dropped. On the server's thread."""
        if self.is_answered or self._connection.stream.closed():
            self.is_answered = True
            self._end()
            return
        self.is_answered = True
        self._server.under_way.pop(self, None)
        self.body = None
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        headers = HTTPHeaders({"Content-Type": kind, "X-Content-Type-Options": "nosniff"})
        headers["Content-Length"] = str(len(raw))
        if status in (409, 503):
            headers["Retry-After"] = str(RETRY_SECONDS)
        if status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        if status == 405:
            headers["Allow"] = "GET, POST"
        self._closes = not self._is_whole and status >= 400
        if self._closes:
            # what was not read of the body must not be taken for the next request
            headers["Connection"] = "close"
        start = ResponseStartLine("HTTP/1.1", status, responses[status])
        self._connection.write_headers(start, headers, None if self.method == "HEAD" else raw)
        if self._is_whole:
            self._end()
        else:
            self.within(LINGER_SECONDS, self._end)

    def within(self, seconds: float, do: Callable[..., object], *given: Any) -> None:
        """Have something done after some seconds, unless what goes on then sets another limit."""
        self.take_time()
        self._timer = asyncio.get_running_loop().call_later(seconds, do, *given)

    def take_time(self) -> None:
        """Set no limit."""
        if self._timer is not None:
            self._timer.cancel()

    def _end(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        self._server.under_way.pop(self, None)
        self.within(WRITE_SECONDS, self._connection.close)
        if self._closes:
            self._connection.close()
        elif not self._connection.stream.closed():
            self._connection.finish()
