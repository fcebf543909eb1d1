"""How the apps are served: compressed, however the server was started, to which addresses; and the start page."""

from __future__ import annotations

import base64
import hashlib
import logging
import re
import socket
import traceback
import warnings
from asyncio import Future
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import Any

from bokeh.server.connection import ServerConnection
from bokeh.server.tornado import BokehTornado
from bokeh.server.util import match_host
from bokeh.settings import settings
from bokeh.util.warnings import BokehUserWarning
from tornado.httputil import HTTPHeaders, HTTPServerRequest
from tornado.ioloop import PeriodicCallback
from tornado.web import Application, GZipContentEncoding, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from streamlab._checks import cannot_be_led_away
from streamlab.views.kit.text import shown

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

    def transform_first_chunk(self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool) -> Any:
        self._tag = "" if finishing or status_code != 200 else headers.get("Etag", "")
        self._known, self._made = iter(_compressed.get(self._tag, ())), list[bytes]()
        return super().transform_first_chunk(status_code, headers, chunk, finishing)

    def transform_chunk(self, chunk: bytes, finishing: bool) -> bytes:
        known = next(self._known, None) if self._gzipping else None
        if known is not None:
            return known
        made = super().transform_chunk(chunk, finishing)
        self._made.append(made)
        if finishing and self._gzipping and self._tag and len(_compressed) < MOST_FILES:
            _compressed[self._tag] = self._made
        return made


def compress_responses() -> None:
    """Have every tornado application of this process compress what it sends.

    ``panel serve`` has no option for it, and uncompressed a page is some 5 MB. When an app's code first runs its server
    is already up, and neither Panel nor Bokeh hands out the application that serves; so the class answers for all of
    its instances: each request asks it for the transforms that its response goes through.
    """
    if isinstance(vars(Application).get("transforms"), property):
        return

    def transforms(self: Application) -> list:
        own = vars(self)["transforms"]
        return own if GZipContentEncoding in own else [*own, Compression]

    def replace(self: Application, value: list) -> None:
        vars(self)["transforms"] = value

    # the class declares an attribute of the instances; a property takes its place
    Application.transforms = property(transforms, replace)  # type: ignore[assignment]


def keep_periods() -> None:
    """Have what Tornado calls again and again go on when the clock is set back.

    It notes when the next call is due by that clock. One that is set back by an hour keeps Bokeh for an hour from
    ending the sessions of pages that were closed, whose runs play on, and from pinging those that are open.
    """
    update = PeriodicCallback._update_next
    if hasattr(update, "__wrapped__"):
        return

    @wraps(update)
    def update_next(self: PeriodicCallback, current_time: float) -> None:
        # what was due in one period is not due later
        if self._next_timeout > current_time + self.callback_time / 1000:
            self._next_timeout = current_time
        update(self, current_time)

    PeriodicCallback._update_next = update_next  # type: ignore[method-assign]


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
    compress_responses()
    keep_to_known_hosts()
    port = port or free_port(address)
    return pn.serve(
        pages, port=port, address=address, show=show, title=title,
        websocket_origin=origins(address, port, allow_origin), **further,
    )  # fmt: skip


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


def keep_to_known_hosts() -> None:
    """Have every Bokeh server of this process refuse foreign ``Host`` names, and take all names of the loopback alike.

    Bokeh compares the ``Origin`` of a socket with what is allowed, by default ``localhost`` alone, and no ``Host``.
    For ``panel serve``, whose server is up when an app's code first runs, the class answers for all of its instances.
    """
    if getattr(BokehTornado, "_keeps_to_known_hosts", False):
        return
    allowed, find = BokehTornado.websocket_origins, BokehTornado.find_handler

    def websocket_origins(self: BokehTornado) -> set[str]:
        return with_loopback(allowed.fget(self))  # type: ignore[attr-defined]

    def find_handler(self: BokehTornado, request: HTTPServerRequest, **options: Any) -> Any:
        names = settings.allowed_ws_origin() or self.websocket_origins
        if is_known_host(request.host_name, names):
            return find(self, request, **options)
        return self.get_handler_delegate(request, ForeignHost)

    BokehTornado.websocket_origins = property(websocket_origins)  # type: ignore[method-assign,assignment]
    BokehTornado.find_handler = find_handler  # type: ignore[method-assign,assignment]
    BokehTornado._keeps_to_known_hosts = True  # type: ignore[attr-defined]


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
        # a connection without its session: Bokeh's own assertion
        if frame.f_code is ServerConnection.session.fget.__code__:  # type: ignore[attr-defined]
            return False
    return not record.getMessage().startswith("Failed sending message as connection was closed")


def keep_the_log_clean() -> None:
    """Have messages that Bokeh cannot read, which no page of ours sends, logged in a line each, as a warning.

    Of messages that were on their way when a browser left nothing is logged. A socket that is closed raises at once, so
    that Panel, which sends a message in parts, forgets the parts before: asyncio would log their errors, or that of
    Panel's task, each with a traceback. Here each part answers by its future.
    """
    # BokehJS sends a model back whole with its first message, if it came after the page: it is the one that is known
    warnings.filterwarnings("ignore", "reference already known", BokehUserWarning)
    # the last one says what a socket raises as it opens: a page that slept longer than its token holds
    for name in ("bokeh.server.protocol_handler", SOCKET, "panel.io.document", "tornado.application"):
        logger = logging.getLogger(name)
        if _is_of_interest not in logger.filters:
            logger.addFilter(_is_of_interest)
            logger.addFilter(_OneLine())
    write = WebSocketHandler.write_message
    if getattr(write, "_is_heard", False):
        return

    def write_message(self: WebSocketHandler, message: Any, binary: bool = False) -> Any:
        try:
            sent = write(self, message, binary)
        except WebSocketClosedError as error:
            sent = Future()
            sent.set_exception(error)
        # whoever waits for it has the error all the same
        sent.add_done_callback(lambda each: each.cancelled() or each.exception())
        return sent

    write_message._is_heard = True  # type: ignore[attr-defined]
    WebSocketHandler.write_message = write_message  # type: ignore[method-assign]


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
