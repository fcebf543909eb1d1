"""Whom a server answers: its own names and those of the loopback, and no page of another site."""

from __future__ import annotations

import asyncio
import http.client
import json
import logging
import os
import re
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import panel as pn
import pytest
from bokeh.document import Document
from bokeh.protocol import Protocol
from bokeh.protocol.exceptions import ProtocolError
from bokeh.protocol.message import Message
from bokeh.server.connection import ServerConnection
from bokeh.server.protocol_handler import ProtocolHandler
from bokeh.server.session import ServerSession

from streamlab.lessons.catalogue import lesson_names
from streamlab.study.page import page as study_pages
from streamlab.views.hosting.serving import (
    START_HTML,
    is_known_host,
    keep_the_log_clean,
    origins,
    policy_of,
    serve_pages,
    with_loopback,
)
from streamlab.views.page import pages, served
from streamlab.views.page.presets import PRESETS
from tests.lab.made import wait_until

ROOT = Path(__file__).parents[3]
SWITCHING, REFUSED = 101, 403


def test_origins():
    assert origins("localhost", 5006) == ["localhost:5006", "127.0.0.1:5006"]
    assert origins("0.0.0.0", 80, ["lab.example:443"]) == ["localhost:80", "127.0.0.1:80", "lab.example:443"]
    assert origins("10.0.0.7", 80)[-1] == "10.0.0.7:80"
    assert origins("::1", 80) == ["localhost:80", "127.0.0.1:80"]


def test_the_names_of_the_loopback_go_together():
    assert with_loopback(["localhost:5006"]) == {"localhost:5006", "127.0.0.1:5006", "[::1]:5006"}
    assert with_loopback(["lab.example:443", "*"]) == {"lab.example:443", "*"}


def test_each_file_of_apps_serves_the_page_of_its_name(monkeypatch):
    said = []

    def making(name="study"):
        servable = SimpleNamespace(servable=lambda: said.append(name))
        return SimpleNamespace(served=lambda: servable)

    monkeypatch.setattr(pn, "state", SimpleNamespace(served=True))
    monkeypatch.setattr(pn, "extension", lambda **options: said.append(options))
    monkeypatch.setattr(pages, "make_page", making)
    monkeypatch.setattr(study_pages, "make_study_page", lambda *_: making())
    files = sorted((ROOT / "apps").glob("*.py"))
    for path in files:
        exec(compile(path.read_text(), str(path), "exec"), {})
    assert said == [each for path in files for each in ({"reconnect": True}, path.stem)]


def get(port, host="localhost", path="/"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers={"Host": f"{host}:{port}", "Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.headers.get("Content-Encoding")


def text():
    return pn.pane.Str("text " * 1000)


def test_pages_are_served_compressed_and_to_known_names_from_the_first_request_on():
    thread = serve_pages({"text": text}, "text", port=0, show=False, threaded=True)
    other = pn.serve({"text": text}, port=free_port(), show=False, threaded=True, verbose=False)
    try:
        ports = {}
        for each in (thread, other):
            wait_until(lambda each=each: each.server_id in pn.state._servers, "the server")
            ports[each] = pn.state._servers[each.server_id][0].port
        assert get(ports[thread], "evil.example", "/text") == (REFUSED, None)
        assert get(ports[thread], "127.0.0.1", "/text") == (200, "gzip")
        assert get(ports[other], "evil.example", "/text") == (200, None), "a server of somebody else stays as it was"
    finally:
        thread.stop()
        other.stop()


def test_a_page_has_its_server_completed_also_where_the_command_line_has_no_option_for_it():
    def page():
        served.serve_page(None, pn.state.curdoc, lambda: None)
        return text()

    thread = pn.serve({"a": page, "b": page}, port=free_port(), show=False, threaded=True, verbose=False)
    try:
        wait_until(lambda: thread.server_id in pn.state._servers, "the server")
        port = pn.state._servers[thread.server_id][0].port
        assert get(port, path="/a")[0] == 200, "it begins with this one"
        assert get(port, path="/a") == (200, "gzip")
        assert get(port, path="/b") == (200, "gzip")
        assert get(port, "evil.example", "/b") == (REFUSED, None)
        assert get(port, "127.0.0.1", "/b") == (200, "gzip")
    finally:
        thread.stop()


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost", True), ("127.0.0.1", True), ("[::1]", True), ("10.1.2.3", True), ("lab.example", True),
        ("a.lab.example", False), ("evil.example", False), ("localhost.evil.example", False),
        ("127.0.0.1.nip.example", False),        ("", False), ("<img>", False),
    ],
)  # fmt: skip
def test_known_hosts(host, known):
    assert is_known_host(host, {"localhost:5006", "lab.example:443"}) == known
    assert is_known_host(host, {"*"})


def test_a_pattern_with_a_star_is_kept_to():
    assert is_known_host("a.lab.example", {"*.lab.example:80"})
    assert not is_known_host("a.b.example", {"*.lab.example"})


def test_what_a_browser_sent_before_it_left_is_not_logged(caplog):
    keep_the_log_clean()
    session = ServerSession("a session", Document())
    there, left = (ServerConnection(Protocol(), None, None, session) for _ in range(2))
    left.detach_session()

    def handle(message: Message, connection: ServerConnection) -> Message:
        # Playwright leaves its event loop running in the thread of the tests
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, ProtocolHandler().handle(message, connection)).result()

    with caplog.at_level(logging.DEBUG, "bokeh.server.protocol_handler"):
        asked = Protocol().create("PULL-DOC-REQ")
        assert handle(asked, there).msgtype == "PULL-DOC-REPLY"
        assert handle(asked, left).msgtype == "ERROR"
        assert caplog.records == []
        # what cannot be read still is
        broken = Protocol().create("PUSH-DOC", Document())
        broken.content["doc"] = {}
        handle(broken, there)
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_a_socket_that_bokeh_refuses_is_a_line_and_what_we_raise_a_traceback(caplog):
    keep_the_log_clean()
    try:
        Protocol().create("NO-SUCH-MESSAGE")
    except ProtocolError as error:
        ours, theirs = error.__traceback__, error.__traceback__.tb_next
        for trace in (ours, theirs):
            told = (ProtocolError, error, trace)
            logging.getLogger("tornado.application").error("Uncaught exception GET /ws", exc_info=told)
    assert [(each.levelname, bool(each.exc_info)) for each in caplog.records] == [("ERROR", True), ("WARNING", False)]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server by its command line."""

    def __init__(self, *command: str, log: Path, **environment: str) -> None:
        self.port = free_port()
        self.log = log
        with log.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, *(word.format(port=self.port) for word in command)],
                cwd=ROOT,
                env={**os.environ, **environment},
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.05)

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Ask with these headers and no others; the status and what came."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest("GET", path, skip_host=True)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        text = "" if answer.status == SWITCHING else answer.read().decode("utf-8", "replace")
        connection.close()
        return answer.status, text

    def token(self, page: str) -> str:
        """Begin a session, and return what its socket needs."""
        status, text = self.get(page, Host=f"localhost:{self.port}")
        assert status == 200
        return json.loads('"' + text.split('"token":"')[1].split('"')[0] + '"')

    def socket(self, page: str, token: str, host: str, origin: str) -> int:
        """Open the socket of a page's session from somewhere; the status."""
        status, _ = self.get(
            f"{page}/ws", Host=host, Origin=f"http://{origin}", Connection="Upgrade", Upgrade="websocket",
            Sec_WebSocket_Version="13", Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
            Sec_WebSocket_Protocol=f"bokeh, {token}",
        )  # fmt: skip
        return status

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


CLI = ("-c", "from streamlab.cli import main; main()")
COMMANDS = {
    "streamlab monitor": (*CLI, "monitor", "--port", "{port}", "--address", "127.0.0.1"),
    "streamlab monitor, localhost": (*CLI, "monitor", "--port", "{port}"),
    "panel serve": ("-m", "panel", "serve", "apps/stream_monitor.py", "--port", "{port}", "--address", "127.0.0.1"),
}


@pytest.fixture(scope="module", params=COMMANDS)
def server(request, tmp_path_factory):
    started = Server(*COMMANDS[request.param], log=tmp_path_factory.mktemp("server") / "log.txt")
    yield started
    started.stop()


@pytest.mark.nightly
def test_the_loopback_answers_to_all_its_names_and_to_no_other_site(server):
    page, port = "/stream_monitor", server.port
    # of one session, as to begin one takes a second
    token = server.token(page)
    for name in ("localhost", "127.0.0.1", "[::1]"):
        assert server.socket(page, token, f"{name}:{port}", f"{name}:{port}") == SWITCHING
    for host, origin in (
        (f"localhost:{port}", "evil.example"),
        (f"127.0.0.1:{port}", f"evil.example:{port}"),
        (f"evil.example:{port}", f"evil.example:{port}"),
        ("evil.example", "evil.example"),
        (f"localhost:{port}", f"localhost:{port + 1}"),
        (f"localhost:{port}", "null"),
    ):
        assert server.socket(page, token, host, origin) == REFUSED, (host, origin)
    assert server.socket(page, token, f"localhost:{port}", f"localhost:{port}") == SWITCHING, "the token is good still"
    for forged in ("x", "%%%", "a.b.c", "__4", "e30", "W10", "A" * 5000, "\xe9"):
        assert server.socket(page, forged, f"localhost:{port}", f"localhost:{port}") == SWITCHING, "then it is closed"
    status, text = server.get(page, Host=f"<b>evil.example:{port}")
    assert status in (400, REFUSED)
    status, text = server.get(page, Host=f"evil.example:{port}")
    assert status == REFUSED
    assert text.startswith("This server does not answer to the name evil.example.")
    said = server.log.read_text()
    assert "Traceback" not in said
    assert said.count("a message from a browser was refused: ") == 8


FONT = "static/extensions/panel-material-ui/panel-material-ui.bundle.css"


def test_every_page_has_a_link_and_every_link_a_page():
    html = START_HTML.read_text(encoding="utf-8")
    links = {address.partition("?")[0] for address in re.findall(r'class="door(?: first)?" href="([^"]*)"', html)}
    assert links == {*PRESETS, "study"}


def test_nothing_is_asked_of_another_address():
    html = START_HTML.read_text(encoding="utf-8")
    lessons = {f"stream_monitor?lesson={name}" for name in lesson_names()}
    asked = set(re.findall(r'(?:href|src)="([^"]*)"', html))
    assert lessons <= asked
    assert {each.partition("?")[0] for each in asked} == {*PRESETS, "study", "data:,", "#lessons", FONT}
    assert "http" not in html
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    assert "fetch" not in script
    assert "innerHTML" not in script
    assert html.count("<script") == 1
    assert html.count("<em>Start here</em>") == 1
    assert policy_of(html).startswith("default-src 'none'; script-src 'sha256-")
    # Panel renders it as a template of tornado's when it is asked to (--index)
    assert not re.search(r"\{[{%#]", html)
