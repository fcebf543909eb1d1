"""How the apps are served: compressed, however the server was started, to which addresses; and the start page."""

from __future__ import annotations

import base64
import gc
import hashlib
import logging
import re
import socket
import traceback
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar
from weakref import WeakSet

from bokeh.server.connection import ServerConnection
from bokeh.server.tornado import BokehTornado
from bokeh.server.util import match_host
from bokeh.settings import settings
from bokeh.util.warnings import BokehUserWarning
from tornado.httputil import HTTPHeaders, HTTPServerRequest
from tornado.ioloop import IOLoop
from tornado.routing import Matcher, Rule
from tornado.web import GZipContentEncoding, RequestHandler
from tornado.websocket import WebSocketClosedError

from streamlab._checks import cannot_be_led_away
from streamlab.views.kit.text import shown

Made = TypeVar("Made")

HERE = ("localhost", "127.0.0.1", "[::1]")
"""What people write for this machine."""
EVERYWHERE = ("", "0.0.0.0", "::")


MOST_FILES = 200
_compressed: dict[str, list[bytes]] = {}
"""What was made of each chunk of a file, by the tag of its content."""


class Compression(GZipContentEncoding):
    """Tornado's own, which compresses a file only once: those of a page take it a fifth of a second each time.

    What is sent in several chunks and has a tag is a file; a page is sent whole, and is another each time.
    """

    def __init__(self, request: HTTPServerRequest) -> None:
        super().__init__(request)
        self._is_taken = "gzip" in request.headers.get("Accept-Encoding", "")

    def transform_first_chunk(self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool) -> Any:
        is_file = self._is_taken and status_code == 200 and not finishing and "Content-Encoding" not in headers
        self._tag = headers.get("Etag", "") if is_file else ""
        self._known, self._made = iter(_compressed.get(self._tag, ())), list[bytes]()
        return super().transform_first_chunk(status_code, headers, chunk, finishing)

    def transform_chunk(self, chunk: bytes, finishing: bool) -> bytes:
        known = next(self._known, None)
        if known is not None:
            return known
        made = super().transform_chunk(chunk, finishing)
        self._made.append(made)
        # of kinds that are not compressed it returns the chunk itself
        if finishing and made is not chunk and self._tag and len(_compressed) < MOST_FILES:
            _compressed[self._tag] = self._made
        return made


def free_port(address: str) -> int:
    """Return a port of an address that nobody listens on now."""
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.bind((address, 0))
        return probe.getsockname()[1]


def serve_pages(
    pages: Mapping[str, Callable[[], Any]],
    title: str | Mapping[str, str],
    *,
    port: int,
    address: str = HERE[0],
    show: bool,
    allow_origin: Sequence[str] | None = None,
    **further: Any,
) -> Any:
    """Serve pages until the process is told to end, and return what ``panel.serve`` does.

    Parameters
    ----------
    pages, title
        What makes each page for a browser, and what its window is called, by the last part of its address.
    port, address, show
        Where; port 0 is any that is free. Whether a browser opens.
    allow_origin
        ``host:port`` under which browsers reach it besides.
    further
        Of ``panel.serve``.
    """
    import panel as pn

    pn.extension(reconnect=True)
    port = port or free_port(address)
    if not further.get("threaded"):
        # as the first thing that the loop does, when the server is up
        IOLoop.current().add_callback(complete_servers)
    served = pn.serve(
        pages, port=port, address=address, show=show, title=title,
        websocket_origin=origins(address, port, allow_origin), **further,
    )  # fmt: skip
    if further.get("threaded"):
        served.asyncio_loop.call_soon_threadsafe(complete_servers)
    return served


def origins(address: str, port: int, further: Sequence[str] | None = None) -> list[str]:
    """Return the addresses from which a page may open its socket; a page of any other site may not.

    The names of this machine's loopback go together: where one of them is here, :func:`with_loopback` adds the others.

    Parameters
    ----------
    address, port
        Where the server listens.
    further
        ``host:port`` under which browsers reach it besides.
    """
    own = () if ":" in address or address in (*HERE, *EVERYWHERE) else (f"{address}:{port}",)
    return list(dict.fromkeys([f"localhost:{port}", f"127.0.0.1:{port}", *own, *(further or ())]))


def with_loopback(allowed: Iterable[str]) -> set[str]:
    """Return allowed origins with all names of the loopback wherever one of them is allowed, at its port."""
    known = set(allowed)
    ports = {port for host, _, port in (each.rpartition(":") for each in known) if host in HERE}
    return known | {f"{name}:{port}" for name in HERE for port in ports}


def is_known_host(host: str, allowed: Iterable[str]) -> bool:
    """Whether a request may call the server by this name, without its port.

    Parameters
    ----------
    host
        What the request calls the server: the name in its ``Host``.
    allowed
        The origins that may open a socket.
    """
    return cannot_be_led_away(host) or any(
        match_host(host, name or port) for name, _, port in (each.rpartition(":") for each in allowed)
    )


class ForeignHost(RequestHandler):
    """Refuses a request that calls the server by a name that is not its own."""

    def prepare(self) -> None:
        self.set_status(403)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(
            f"This server does not answer to the name {shown(self.request.host_name)}. If that is its name, start "
            "it with --allow-origin (panel serve: --allow-websocket-origin) and name:port.\n"
        )


class _Foreign(Matcher):
    """Matches a request that calls the server by a name that is not its own."""

    def __init__(self, server: BokehTornado) -> None:
        self._server = server

    def match(self, request: HTTPServerRequest) -> dict[str, Any] | None:
        names = settings.allowed_ws_origin() or self._server.websocket_origins
        return None if is_known_host(request.host_name, names) else {}


def living(kind: type[Made]) -> list[Made]:
    """Return the objects of a class that there are in this process."""
    return [each for each in gc.get_objects() if issubclass(type(each), kind)]


def complete_servers() -> None:
    """Complete the servers of the loop that runs: ``complete``.

    ``panel serve`` has no options for what that does. When an app's code first runs its server is already up, and
    neither Panel nor Bokeh hands out what serves: it is looked for among all objects, which takes some 0.1 s.
    """
    for server in living(BokehTornado):
        if getattr(server, "io_loop", None) is IOLoop.current() and Compression not in server.transforms:
            complete(server)
            _completed.update(each.server_context for each in server.applications.values())


def complete_server_of(session: Any) -> None:
    """Complete the server of a session, if it was not before; None: there is none."""
    context = getattr(session, "server_context", None)
    if context is not None and context not in _completed:
        complete_servers()
        _completed.add(context)


_completed: WeakSet[Any] = WeakSet()
"""Of the pages of servers that are complete."""


def complete(server: BokehTornado) -> None:
    """Have a server compress what it sends, and answer to its own names only.

    Bokeh compares the ``Origin`` of a socket with what is allowed, by default ``localhost`` alone, and no ``Host``.
    Here foreign ``Host`` names are refused, and all names of the loopback are alike.
    """
    # what another has compressed already it leaves as it is
    server.add_transform(Compression)
    server.websocket_origins.update(with_loopback(server.websocket_origins))
    # handlers of a host come before the pages
    server.add_handlers(".*", [Rule(_Foreign(server), ForeignHost)])


SOCKET = "bokeh.server.views.ws"


class _OneLine(logging.Filter):
    """Leaves the traceback out of what Bokeh says of messages and sockets that it refuses, and cuts the message short.

    What our own code or Panel's raised stays as it is: that is a fault to be found.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and _of_bokeh_alone(record.exc_info[2]):
            kind = record.exc_info[0]
            record.msg = f"a message from a browser was refused: {kind.__name__ if kind else 'error'}: %s"
            record.args = (shown(record.exc_info[1], 200),)
            record.exc_info = record.exc_text = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


def _of_bokeh_alone(trace: TracebackType | None) -> bool:
    modules = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(trace)]
    if SOCKET in modules:
        # it is Tornado and Panel that have Bokeh read the token with which a socket is opened
        modules = modules[modules.index(SOCKET) :]
    return all(module.split(".")[0] in ("bokeh", "json", "base64", "encodings", "tornado") for module in modules)


def _is_of_interest(record: logging.LogRecord) -> bool:
    """Leave out that a browser had left when something was sent to it, or when its last messages were read."""
    if record.exc_info and record.exc_info[2]:
        *_, (frame, _) = traceback.walk_tb(record.exc_info[2])
        of_no_session = ServerConnection.session.fget.__code__  # type: ignore[attr-defined]  # Bokeh's own assertion
        if isinstance(record.exc_info[1], WebSocketClosedError) or frame.f_code is of_no_session:
            return False
    return not record.getMessage().startswith("Failed sending message as connection was closed")


def keep_the_log_clean() -> None:
    """Have messages that Bokeh cannot read, which no page of ours sends, logged in a line each, as a warning.

    Of messages that were on their way when a browser left nothing is logged: of one that Panel sends in parts asyncio
    would log the error of each part, or that of Panel's task, with a traceback.
    """
    # BokehJS sends a model back whole with its first message, if it came after the page: it is the one that is known
    warnings.filterwarnings("ignore", "reference already known", BokehUserWarning)
    # the last one says what a socket raises as it opens: a page that slept longer than its token holds
    for name in ("bokeh.server.protocol_handler", SOCKET, "panel.io.document", "tornado.application", "asyncio"):
        logger = logging.getLogger(name)
        if _is_of_interest not in logger.filters:
            logger.addFilter(_is_of_interest)
            if name != "asyncio":
                logger.addFilter(_OneLine())


START_HTML = Path(__file__).with_name("html") / "start.html"
"""The file: ``panel serve apps/*.py --index`` takes it too."""


def policy_of(html: str) -> str:
    """Return what a browser may do with a page: run the page's own script, and fetch but its font."""
    (script,) = re.findall("<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    own = "style-src 'self' 'unsafe-inline'; font-src 'self'"
    return f"default-src 'none'; script-src 'sha256-{digest}'; {own}; img-src data:"


class StartPage(RequestHandler):
    """Answers ``/`` of a server that serves the pages of ``PRESETS`` beside it."""

    def get(self) -> None:
        """Send the page."""
        html = START_HTML.read_text(encoding="utf-8")
        self.set_header("Content-Security-Policy", policy_of(html))
        self.finish(html)
