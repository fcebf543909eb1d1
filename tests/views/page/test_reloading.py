"""A run is handed to a reload of its page alone; every other page that is left ends, and its run is freed."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import panel as pn
import pytest
from bokeh.client import pull_session
from bokeh.server.session import ServerSession
from panel.io.state import set_curdoc

from streamlab.views.hosting import limits
from streamlab.views.hosting.serving import free_port
from streamlab.views.page import reloading
from streamlab.views.page.address import Address
from streamlab.views.page.monitor import Monitor
from streamlab.views.page.page_link import RunStart
from streamlab.views.page.reloading import AFRESH, COOKIE, Reloading, Reloads

PLAIN, OTHER = Address(), Address(seed=3)


class Page:
    """A page of the monitor, as far as a reload knows it."""

    def __init__(self, address: Address) -> None:
        self.address, self.closed = address, False
        self.link = SimpleNamespace(read=lambda query: address)

    def close(self) -> None:
        self.closed = True


def visit(application: object, cookie: str = "", address: Address = PLAIN) -> tuple[Reloading, Page]:
    """Open a page, one that shows its run and that no browser looks at any longer."""
    context = SimpleNamespace(
        server_context=SimpleNamespace(application_context=application), session=SimpleNamespace(connection_count=0),
        request=SimpleNamespace(cookies={COOKIE: cookie}),
    )  # fmt: skip
    doc: Any = SimpleNamespace(session_context=context, add_next_tick_callback=lambda action: action())
    page = Page(address)
    with set_curdoc(doc):
        reloading = Reloading(page)
    view: Any = SimpleNamespace(transport=SimpleNamespace(query="", secret=""))
    reloading.begin(view, "yeast", RunStart())
    page.secret = view.transport.secret
    return reloading, page


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_only_a_reload_of_the_same_page_takes_the_run():
    monitor, laboratory = object(), object()
    first, page = visit(monitor)
    reload, _ = visit(monitor, page.secret)
    assert reload.left(PLAIN) == page.secret
    assert reload.left(PLAIN) is None, "said once"
    assert not page.closed

    for application, mark, address in (
        (laboratory, "", PLAIN), (monitor, "", OTHER), (monitor, AFRESH, PLAIN), (laboratory, AFRESH, OTHER),
    ):  # fmt: skip
        first, page = visit(monitor)
        following, _ = visit(application, mark + page.secret)
        assert following.left(address) is None
        until(lambda page=page: page.closed)
        assert following.left(PLAIN) is None
        assert first is not following


def test_a_page_that_is_still_looked_at_stays():
    first, page = visit("monitor")
    first._session.connection_count = 1
    following, _ = visit("laboratory", page.secret)
    assert following.left(PLAIN) is None
    assert not page.closed


@pytest.mark.parametrize("state", ["playing", "paused", "finished"])
def test_a_run_that_played_is_handed_over_to_play(state: str) -> None:
    reload, page = visit("monitor")
    page.own_data, page.parts = SimpleNamespace(give_folder=lambda: None), SimpleNamespace(every=lambda duty: None)
    view: Any = SimpleNamespace(transport=SimpleNamespace(), player=SimpleNamespace(state=state), run="the run")
    reload.begin(view, "yeast", RunStart({"SMART": {}}))
    handed = reload.give()
    assert handed is not None
    assert (handed.run, handed.start.made, handed.start.plays) == ("the run", {"SMART": {}}, state == "playing")
    assert page.closed


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def playing(made: weakref.ref) -> tuple[weakref.ref, weakref.ref]:
    """Let a page show its run, as it does when a browser has it, and play; returns the run and the player's thread."""
    page = made()
    page._browser._loaded()
    until(lambda: page._view is not None)
    page._doc.add_next_tick_callback(lambda: page._view._command("ready", None))
    until(lambda: page._view._polling._doc is not None)
    # there is no browser that says that it has drawn the page
    page._doc.add_next_tick_callback(lambda: page._view._polling._begin())
    until(lambda: page._view._polling._callback is not None)
    page._view.player.play()
    return weakref.ref(page._view.run), weakref.ref(page._view.player._thread)


def test_the_run_of_a_page_that_was_left_is_freed_in_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sessions' clock is turned; what keeps a run by mistake keeps it for ever."""

    # on a thread of its own: a browser that other tests drive has a loop of events on this one
    def on_its_own_loop() -> None:
        asyncio.set_event_loop(asyncio.new_event_loop())
        _leave_a_page(monkeypatch)

    with ThreadPoolExecutor(1) as threads:
        threads.submit(on_its_own_loop).result()


def _leave_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[weakref.ref] = []

    def app() -> Any:
        pages.append(weakref.ref(page := Monitor("yeast")))
        return page.served()

    port = free_port("127.0.0.1")
    server = pn.serve(
        {"app": app}, port=port, address="127.0.0.1", threaded=True, show=False, verbose=False, title="test",
        check_unused_sessions_milliseconds=100,
    )  # fmt: skip
    try:
        until(lambda: is_listening(port))
        session = pull_session(url=f"http://127.0.0.1:{port}/app")
        run, thread = playing(pages[0])
        now = ServerSession.milliseconds_since_last_unsubscribe.fget
        turned = property(lambda each: now(each) + 60_000)
        session.close()
        assert run() is not None
        monkeypatch.setattr(ServerSession, "milliseconds_since_last_unsubscribe", turned)
        monkeypatch.setattr(limits, "GIVE_BACK_S", 300.0)  # the timer is still there when it is asked for
        until(lambda: thread() is None or not thread().is_alive())
        until(lambda: any(each.name == "streamlab memory" for each in threading.enumerate()))
        until(lambda: gc.collect() is not None and run() is None)
    finally:
        server.stop()


class LeftPage:
    def __init__(self, looks: int = 0) -> None:
        self.looks = looks

    @property
    def is_watched(self) -> bool:
        self.looks -= 1
        return self.looks >= 0


def test_a_page_is_given_away_once_and_to_who_knows_its_secret():
    pages, page = Reloads(), LeftPage()
    secret = pages.enter(page)
    assert len(secret) >= 20
    assert pages.take("another") is None
    assert pages.find(secret) is page
    assert pages.take(secret) is page
    assert pages.take(secret) is None


def test_a_page_that_is_still_looked_at_is_waited_for_and_otherwise_kept(monkeypatch: pytest.MonkeyPatch):
    pages, soon, never = Reloads(), LeftPage(looks=3), LeftPage(looks=10**9)
    assert pages.take(pages.enter(soon)) is soon
    monkeypatch.setattr(reloading, "WAIT_SECONDS", 0.1)
    secret = pages.enter(never)
    assert pages.take(secret) is None
    assert pages.find(secret) is never
