"""A real Panel server and a real Chromium for the tests in this folder.

Without Chromium or playwright they are skipped, unless STREAMLAB_REQUIRE_BROWSER=1: then they fail.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest

from tests.ui.screen import LOG_FORMAT, PATIENCE_S, Screen

CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # a process that has run the pages' scripts before opens the next page in two thirds of the time
    "--process-per-site",
]

WARMED = "STREAMLAB_WARMED"
"""Set where ``tests/conftest.py`` has compiled all kernels."""
START_TIMEOUT_S = PATIENCE_S
STEP_TIMEOUT_MS = 1000 * PATIENCE_S


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "ui: drives a real browser")


def _unavailable(reason: str) -> None:
    if os.environ.get("STREAMLAB_REQUIRE_BROWSER") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium: the one that CHROMIUM names, or the system's; of several test processes two may have one."""
    if hasattr(request.config, "workerinput"):
        # the processes' folders are in one of this run's
        claim = tmp_path_factory.getbasetemp().parent / "browser"
        with suppress(FileExistsError):
            claim.mkdir()
            (claim / request.config.workerinput["workerid"]).touch()
        owners = [path.name for path in claim.iterdir()]
        assert len(owners) <= 2, "browser tests slow each other: see tests/conftest.py"
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _unavailable("playwright is not installed")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        _unavailable("no Chromium on PATH, and CHROMIUM does not name one")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGS)
        yield running
        running.close()


def _watched(opened: Any) -> Any:
    """Let a page keep what goes wrong on it in a list ``errors``."""
    opened.set_default_timeout(STEP_TIMEOUT_MS)
    opened.errors, opened.home = [], ""

    def complain(message: Any) -> None:
        if message.type == "error":
            opened.errors.append(f"{message.text} {message.location.get('url', '')}")

    def check(asked: Any) -> None:
        if urlsplit(asked.url).netloc not in ("", opened.home):
            opened.errors.append(f"asked another host: {asked.url}")

    opened.on("console", complain)
    opened.on("pageerror", lambda error: opened.errors.append(str(error)))
    opened.on("requestfailed", lambda request: opened.errors.append(f"request failed: {request.url}"))
    opened.on("request", check)
    opened.on("websocket", check)
    return opened


@pytest.fixture(scope="session")
def blank_page(browser: Any) -> Any:
    """The empty page of the drawings, each of which begins on it anew: a page of its own takes a second of a core."""
    return _watched(browser.new_context().new_page())


class Usual:
    """The context of most pages: what one left, cookies and what a browser stores for it, the next does not find."""

    def __init__(self, browser: Any) -> None:
        self.context = browser.new_context()
        # its process stays as long as it has a page
        self._stays = self.context.new_page()
        self._stayed = False

    def open(self, url: str, size: dict[str, int], media: dict[str, str]) -> Any:
        if not self._stayed:
            self._stays.goto(f"{urljoin(url, '/')}favicon.ico")
            self._stayed = True
        opened = self.context.new_page()
        opened.set_viewport_size(size)
        if media:
            opened.emulate_media(**media)
        return opened

    def clear(self, origins: set[str]) -> None:
        for each in self.context.pages:
            if each != self._stays:
                each.close()
        self.context.clear_cookies()
        session = self.context.new_cdp_session(self._stays)
        for origin in origins:
            session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "local_storage"})
        session.detach()


@pytest.fixture(scope="session")
def usual(browser: Any) -> Usual:
    return Usual(browser)


@pytest.fixture
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Open a page: ``page(url, width=1400, height=900, own=False, **context options)``.

    The first empty one of a test is shared with other tests,
    and of the others the context, unless it is its ``own`` or has further context options.

    The page has a list ``errors`` of console errors, uncaught exceptions, failed requests and requests to another host
    than the page's own; one that is not empty at the end fails the test.
    """
    contexts, pages, origins = [], [], set[str]()

    def open_page(url: str, *, width: int = 1400, height: int = 900, own: bool = False, **options: Any) -> Any:
        size = {"width": width, "height": height}
        if url == "about:blank" and not (pages or own or options):
            opened = request.getfixturevalue("blank_page")
            opened.errors = []
            opened.set_viewport_size(size)
            opened.mouse.move(width - 1, height - 1)
        else:
            if options.keys() <= {"color_scheme", "reduced_motion"} and url.startswith("http:") and not own:
                opened = request.getfixturevalue("usual").open(url, size, options)
                origins.add(urljoin(url, "/").rstrip("/"))
            else:
                contexts.append(browser.new_context(viewport=size, **options))
                opened = contexts[-1].new_page()
            _watched(opened)
        opened.home = urlsplit(url).netloc
        opened.goto(url)
        pages.append(opened)
        return opened

    yield open_page
    errors = [error for opened in pages for error in opened.errors]
    for context in contexts:
        context.close()
    if origins:
        request.getfixturevalue("usual").clear(origins)
    assert not errors


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _await_answer(url: str) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            urllib.request.urlopen(url, timeout=START_TIMEOUT_S).close()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Serve a function that makes an app, on a free port, in a thread of its own; gives the address."""
    servers = []

    def start(app: Callable[[], Any], **options: Any) -> str:
        import panel as pn

        port = _free_port()
        servers.append(
            pn.serve(
                {"app": app},
                **options,
                port=port,
                address="127.0.0.1",
                threaded=True,
                show=False,
                verbose=False,
                title="test",
            )
        )
        # Not the app itself: asking for it would begin a session.
        _await_answer(f"http://127.0.0.1:{port}/favicon.ico")
        return f"http://127.0.0.1:{port}/app"

    yield start
    for server in servers:
        server.stop()
        server.join(timeout=PATIENCE_S)


class ServerProcess:
    """A server in a process of its own, with what it writes.

    Parameters
    ----------
    command
        What starts it; ``{port}`` stands for the port.
    log
        File for its output.
    """

    def __init__(self, command: list[str], log: Path) -> None:
        port = _free_port()
        self.address = f"http://127.0.0.1:{port}"
        self._command = [word.format(port=port) for word in command]
        self._log = log
        log.touch()
        self.start()

    def start(self) -> None:
        """Start it, again after :meth:`stop`, at the same address."""
        with self._log.open("a") as output:
            self._process = subprocess.Popen(
                self._command, cwd=Path(__file__).parents[2], stdout=output, stderr=subprocess.STDOUT
            )
        _await_answer(f"{self.address}/favicon.ico")

    def faults(self) -> list[str]:
        """What it wrote of errors, record by record."""
        records = re.split(r"^(?=\d{4}-\d\d-\d\d )", self.log(), flags=re.MULTILINE)
        return [each for each in records if re.search("Traceback|ERROR|CRITICAL", each)]

    def log(self) -> str:
        """Return all that it wrote."""
        return self._log.read_text()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def start_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., ServerProcess]]:
    """Start a server by its command line, as a user would: ``start_server("panel", "serve", ..., "{port}")``.

    It ends with the module: some dozen servers at a time would take gigabytes.
    """
    running: list[ServerProcess] = []

    def start(*command: str) -> ServerProcess:
        running.append(ServerProcess(list(command), tmp_path_factory.mktemp("server") / "log.txt"))
        return running[-1]

    yield start
    for server in running:
        server.stop()


@pytest.fixture(scope="session")
def shared_server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """``streamlab monitor``: its start page and all behind it, one server for all: to start one takes 4 s."""
    code = f"import logging; logging.basicConfig(format={LOG_FORMAT!r}); from streamlab.cli import main; main()"
    command = [sys.executable, "-c", code, "monitor", "--address", "127.0.0.1", "--port", "{port}"]
    started = ServerProcess(command, tmp_path_factory.mktemp("server") / "log.txt")
    yield started
    started.stop()


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, shared_server: ServerProcess) -> ServerProcess:
    """The server of all pages.

    Before it is visited the module's ``prepare()``, where it has one, is called: it compiles kernels here, so that the
    page reads them from the cache. Where the whole set runs they are compiled already.
    """
    if WARMED not in os.environ:
        getattr(request.module, "prepare", lambda: None)()
    return shared_server


@pytest.fixture
def visit(
    request: pytest.FixtureRequest, server: ServerProcess, page: Callable[..., Any], wait_until: Callable[..., Any]
) -> Iterator[Callable[..., Screen]]:
    """Open an app: ``visit("stream_monitor", query="?theme=dark", width=…)``; without a name the first of ``APPS``.

    It stands at row 0, not where the page opens by itself, unless ``played=True``.
    At the end the server must have had nothing to complain of.
    """
    before = len(server.faults())

    def visited(app: str = request.module.APPS[0], query: str = "", played: bool = False, **options: Any) -> Screen:
        more = [] if played or "at=" in query else ["at=0"]
        if app == "stream_monitor" and not (played or re.search("(stream|lesson|run)=", query)):
            # rows and figures of the tests are those of the genes
            more.append("stream=yeast-rotated")
        query = "&".join([query or "?", *more]).replace("?&", "?") if more else query
        return Screen(page(f"{server.address}/{app}{query}", **options), wait_until)

    yield visited
    assert server.faults()[before:] == []


@pytest.fixture
def wait_until() -> Callable[[Callable[[], Any]], Any]:
    """Wait for a condition on the Python side: ``wait_until(lambda: view.selected == 3, page)`` returns its value."""

    def wait(condition: Callable[[], Any], page: Any, timeout_s: float = PATIENCE_S) -> Any:
        deadline, pause_ms = time.monotonic() + timeout_s, 20.0
        while not (value := condition()):
            assert time.monotonic() < deadline, "condition not met in time"
            page.wait_for_timeout(pause_ms)
            # what takes long is looked for less often: each look takes time of the browser and of its driver
            pause_ms = min(1.3 * pause_ms, 100.0)
        return value

    return wait
