"""Internals of Panel and tornado that are overridden: the reason still holds, and the override still takes effect."""

from __future__ import annotations

import asyncio
import gzip
import inspect
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui
import pytest
from bokeh.document import Document
from bokeh.server.tornado import BokehTornado
from panel.custom import JSComponent
from panel.io.state import state
from panel.models.esm import DataEvent
from panel.util import edit_readonly
from panel.viewable import MimeRenderMixin
from tornado.httpclient import AsyncHTTPClient
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler, StaticFileHandler

from streamlab.views.hosting.notebook import CellLayout
from streamlab.views.hosting.serving import Compression, complete
from streamlab.views.kit.component import FrameComponent
from streamlab.views.page.monitor import Monitor

CLOCK = time.time
NOTHING = "export function render() {}"


class LongAnswer(RequestHandler):
    def get(self) -> None:
        self.write("to be compressed " * 1000)


def in_a_thread(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine where no event loop runs: the browser's tests leave one in this process's main thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result(30)


async def encoding(app: Application) -> str | None:
    """How an application answers a browser that takes gzip."""
    (address,) = bind_sockets(0, "127.0.0.1")
    server = HTTPServer(app)
    server.add_socket(address)
    port = address.getsockname()[1]
    answer = await AsyncHTTPClient(force_instance=True).fetch(
        f"http://127.0.0.1:{port}/long", headers={"Accept-Encoding": "gzip"}, decompress_response=False
    )
    server.stop()
    assert answer.code == 200
    return answer.headers.get("Content-Encoding")


async def completed(app: BokehTornado) -> list[str | None]:
    """How a server answers before and after it is completed."""
    app.initialize(IOLoop.current())
    before = await encoding(app)
    complete(app)
    return [before, await encoding(app)]


def test_a_server_that_is_up_compresses_from_then_on():
    """``hosting/serving.py``."""
    app = BokehTornado({}, extra_patterns=[("/long", LongAnswer)])
    assert in_a_thread(completed(app)) == [None, "gzip"]
    assert app.transforms == [Compression]


async def answers(app: Application, paths: list[str]) -> list[bytes]:
    (address,) = bind_sockets(0, "127.0.0.1")
    server = HTTPServer(app)
    server.add_socket(address)
    client, port = AsyncHTTPClient(force_instance=True), address.getsockname()[1]
    headers = {"Accept-Encoding": "gzip"}
    found = [
        await client.fetch(f"http://127.0.0.1:{port}/{path}", headers=headers, decompress_response=False)
        for path in paths
    ]
    server.stop()
    assert {each.headers["Content-Encoding"] for each in found} == {"gzip"}
    return [each.body for each in found]


def test_a_file_is_compressed_once_and_one_that_changed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    kept: dict[str, list[bytes]] = {}
    monkeypatch.setattr("streamlab.views.hosting.serving._compressed", kept)
    text = b"".join(b"line %d\n" % i for i in range(30_000))
    for name, content in (("a.js", text), ("b.js", text[::-1])):
        (tmp_path / name).write_bytes(content)
    app = Application([("/", LongAnswer), ("/(.*)", StaticFileHandler, {"path": str(tmp_path)})])
    app.add_transform(Compression)
    StaticFileHandler.reset()
    bodies = in_a_thread(answers(app, ["a.js", "b.js", "a.js", "b.js"]))
    assert [gzip.decompress(body) for body in bodies] == 2 * [text, text[::-1]]
    assert [len(pieces) for pieces in kept.values()] == [len(text) // 65_536 + 2] * 2
    marked = {tag: [b"kept", *pieces[1:]] for tag, pieces in kept.items()}
    kept.update(marked)
    assert in_a_thread(answers(app, ["a.js"]))[0].startswith(b"kept")
    (tmp_path / "a.js").write_bytes(text[1:])
    StaticFileHandler.reset()
    assert gzip.decompress(in_a_thread(answers(app, ["a.js"]))[0]) == text[1:]
    # a page is another each time: nothing of it is kept
    in_a_thread(answers(app, [""]))
    assert len(kept) == 3


def test_a_notebook_does_not_get_back_what_was_streamed_to_it(monkeypatch):
    """``hosting/notebook.py``: Panel hands every message of a cell's browser to ``_on_msg(ref, manager, msg)``."""
    assert list(inspect.signature(MimeRenderMixin._on_msg).parameters) == ["self", "ref", "manager", "msg"]
    assert "partial(self._on_msg, ref, manager)" in inspect.getsource(MimeRenderMixin)
    heard: list[Any] = []
    monkeypatch.setattr(pn.Column, "_on_msg", lambda self, ref, manager, msg: heard.append(msg["content"]["events"]))
    layout = CellLayout()
    kinds = ("ColumnsStreamed", "ModelChanged", "ColumnsPatched")
    layout._on_msg("ref", None, {"content": {"events": [{"kind": kind} for kind in kinds]}})
    layout._on_msg("ref", None, {"content": {"events": [{"kind": "ColumnsStreamed"}]}})
    assert heard == [[{"kind": "ModelChanged"}]]


def test_a_cell_hears_that_its_output_has_gone():
    gone: list[bool] = []
    layout = CellLayout(pn.pane.Str("x"), on_gone=lambda: gone.append(True))
    first, second = layout.get_root(), layout.get_root()
    layout._cleanup(first)
    assert gone == [], "another output shows it still"
    layout._cleanup(second)
    assert gone == [True]


class Heard(FrameComponent):
    _esm = NOTHING

    def _handle_msg(self, data: Any) -> None:
        self.heard = [*getattr(self, "heard", []), data]


class Plain(JSComponent):
    _esm = NOTHING

    def _handle_msg(self, data: Any) -> None:
        pass


def busy_records(component: JSComponent, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often Panel says that the page is busy, while a component hears one message of the browser."""
    records: list[str] = []
    monkeypatch.setattr(type(state), "_add_busy_event", lambda self, event: records.append(event))
    monkeypatch.setattr(type(state), "_remove_busy_event", lambda self, event: None)
    document = Document()
    event = DataEvent(component.get_root(document), {"kind": "hello"})
    in_a_thread(component._event_coroutine(document, event))
    return len(records)


def test_a_component_hears_without_the_record_of_who_is_busy(monkeypatch):
    """``kit/component.py``: ``_process_bokeh_event``."""
    mine = Heard()
    assert busy_records(mine, monkeypatch) == 0
    assert mine.heard == [{"kind": "hello"}]
    assert busy_records(Plain(), monkeypatch) == 1, "Panel no longer records it: the override can go"


def test_the_page_does_not_say_busy_and_idle_at_every_message():
    """``page/monitor.py``: ``page.busy``."""
    plain, monitor = pmui.Page(), Monitor()
    try:
        with edit_readonly(state):
            state.busy = True
        assert plain.busy, "the page no longer follows Panel's state: the override can go"
        assert not monitor.page.busy
    finally:
        with edit_readonly(state):
            state.busy = False
        monitor.close()
