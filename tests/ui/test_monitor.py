"""The stream monitor as a user has it: the app's own file, served, and a real Chromium that clicks, types and reads."""

from __future__ import annotations

import gc
import re
import statistics
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest

from tests.ui.screen import Screen

APP = "apps/stream_monitor.py"
APPS = ("stream_monitor",)
N_ROWS = 2417
DRIFT_AT = 1200
PAUSES = 5
# what a quiet machine keeps; a shared one is given five times as long
PAUSE_MS = 200
# roles that a user operates, and which are nothing to a screen reader without a name
CONTROLS = {"button", "checkbox", "combobox", "link", "radio", "slider", "switch", "tab", "textbox", "spinbutton"}
CONTROLS |= {"searchbox", "listbox", "menuitem", "option", "application", "DisclosureTriangle"}


# ---------------------------------------------------------------------- playing


def test_one_visit_plays_to_the_end_and_again_changes_a_setting_and_follows_light_and_dark(visit: Any) -> None:
    screen = visit(color_scheme="dark")
    the_demonstration_shows_a_drift_within_ten_seconds_of_play(screen)
    steps_keys_speed_and_a_pause_at_once(screen)
    the_half_life_acts_mid_stream_leaves_a_dated_mark_and_every_control_has_a_name(screen)
    screen.close_drawer()
    light_and_dark_are_followed_and_kept_in_the_address(screen)


def the_demonstration_shows_a_drift_within_ten_seconds_of_play(screen: Screen) -> None:
    assert (screen.state, screen.position) == ("paused", 0)
    assert screen.learners() == ["SMART", "SMART without fading", "no-change"]
    assert screen.curves()["position"] == []
    # by the speed that is set, not by the clock, which runs on while others have the machine's cores
    speed = screen.page.get_by_label("Speed").evaluate("node => node.selectedOptions[0].text")
    a_second = float(speed.removesuffix(" rows/s").replace(",", ""))
    assert DRIFT_AT / a_second <= 12
    screen.play()
    screen.wait(lambda: len(screen.curves()["position"]) >= 3)
    assert screen.stats("fading")["cells"] > 40
    screen.speed("1,000 rows/s")
    screen.wait(screen.marks)
    assert screen.marks() == [(DRIFT_AT, "label rotation")]
    assert screen.page.locator(".sl-changes .sl-number").count() == 1
    screen.speed("flat out")
    screen.until("finished")
    screen.wait(lambda: screen.curves()["position"] == [*range(100, N_ROWS, 100), N_ROWS])
    curves = screen.curves()
    assert set(curves) == {"position", "v0", "v1", "v2"}
    forgetting, keeping = (np.mean(curves[column][-8:]) for column in ("v0", "v1"))
    assert forgetting > keeping + 0.05, "SMART recovers, SMART without fading does not"

    # 1,217 rows after the drift: 2^(-1217/200) of SMART's evidence is older, and 1,200 of 2,417 rows without fading
    screen.page.keyboard.press("f")
    heads, rows = screen.wait(lambda: figures(screen))
    old = heads.index("old evidence")
    assert [row[old] for row in rows] == ["1 %", "50 %", "–"]
    assert (heads[-1], [len(row[-1]) for row in rows]) == ("F1 (micro), all rows", [5, 5, 5])
    screen.page.keyboard.press("f")
    screen.page.locator("[data-area=figures]").wait_for(state="hidden")

    # nothing goes on from here; Play plays it again
    for name in ("Step one instance", "Step one chunk"):
        assert screen.button(name).is_disabled()
    screen.speed("25 rows/s")
    screen.button("Play").click()
    screen.wait(lambda: screen.state == "playing" and screen.position < 1000)
    assert len(screen.curves()["position"]) == 25, "the curve is that of the run"
    screen.button("Start again").click()
    screen.wait(lambda: screen.state == "paused" and screen.position == 0)
    screen.wait(lambda: screen.curves()["position"] == [])
    assert screen.marks() == []
    assert screen.events() == []


def steps_keys_speed_and_a_pause_at_once(screen: Screen) -> None:
    keyboard = screen.page.keyboard
    keyboard.press("ArrowRight")
    screen.wait(lambda: screen.position == 1)
    keyboard.press("PageDown")
    screen.wait(lambda: screen.position == 100)
    keyboard.press("Space")
    screen.until("playing")
    keyboard.press("Space")
    screen.until("paused")
    at = screen.position
    screen.button("Step one instance").click()
    screen.wait(lambda: screen.position == at + 1)
    end = 100 * ((at + 1) // 100) + 100
    screen.button("Step one chunk").click()
    screen.wait(lambda: screen.position == end)
    assert screen.state == "paused"
    screen.wait(lambda: screen.curves()["position"] == [*range(100, end + 100, 100)])

    screen.speed("25 rows/s")
    screen.button("Play").evaluate(
        """node => {
            window.latencies = [];
            let clicked;
            node.addEventListener("click", (event) => { clicked = event.timeStamp; }, {capture: true});
            new MutationObserver(() => requestAnimationFrame(() => {
                if (node.ariaLabel === "Play") window.latencies.push(performance.now() - clicked);
            })).observe(node, {attributes: true, attributeFilter: ["aria-label"]});
        }"""
    )
    for number in range(PAUSES):
        before = screen.position
        screen.play()
        screen.wait(lambda before=before: screen.position > before)
        screen.pause()
        screen.wait(lambda number=number: screen.page.evaluate("window.latencies.length") == number + 1)
    assert screen.position < end + 1000, "twenty-five a second is slow"
    latencies = screen.page.evaluate("window.latencies")
    measured = ", ".join(f"{each:.0f}" for each in latencies)
    assert statistics.median(latencies) < 5 * PAUSE_MS, f"from the click on pause until it showed: {measured} ms"

    # no key steps from a field
    position = screen.position
    screen.unfold("Learners")
    field = screen.page.get_by_label("River's models")
    field.focus()
    # a list's own key
    keyboard.press("ArrowDown")
    screen.close_drawer()
    assert screen.position == position


def the_half_life_acts_mid_stream_leaves_a_dated_mark_and_every_control_has_a_name(screen: Screen) -> None:
    begin = screen.position

    def changed() -> list[tuple[float, str]]:
        # on a busy machine it may come to the drift meanwhile
        return [(at, text) for at, text in screen.marks() if "half_life" in text]

    screen.play()
    screen.wait(lambda: screen.position > begin)
    screen.control("SMART").press("ArrowLeft")
    screen.wait(changed)
    ((position, text),) = changed()
    assert text == "SMART half_life: 200 → 100"
    assert begin < position < begin + 1000
    assert screen.state == "playing"
    assert f"{position:,.0f}" in screen.events()[0]
    assert "half_life: 200 → 100" in screen.events()[0]
    screen.wait(lambda: screen.page.get_by_role("button", name="SMART: A setting was changed").count() == 1)
    screen.wait(lambda: screen.control("SMART").inner_text() == "100")
    # the other SMART keeps its own
    screen.control("SMART without fading").press("ArrowLeft")
    screen.wait(lambda: len(changed()) == 2)
    assert changed()[1][1].startswith("SMART without fading half_life: inf → ")
    screen.pause()
    screen.more("SMART")
    screen.wait(
        lambda: (
            roles_of_the_named(screen)
            >= {"banner", "main", "button", "slider", "combobox", "spinbutton", "application"}
        )
    )
    # a click elsewhere closes it
    screen.page.locator(".sl-transport").click(position={"x": 600, "y": 20})
    screen.panel.wait_for(state="hidden")
    for title in ("Learners", "A stream of your own"):
        screen.unfold(title)
    # a section is open before what it holds is built
    screen.wait(lambda: roles_of_the_named(screen) >= {"button", "combobox", "textbox", "checkbox"})


# ---------------------------------------------------------------------- looking


def figures(screen: Screen) -> tuple[list[str], list[list[str]]] | None:
    """Heads and rows of the docked table of figures; None while it has none."""
    table = screen.page.get_by_role("region", name="Figures").get_by_role("table").first
    if not table.count():
        return None
    heads = table.locator("thead th").all_inner_texts()
    return heads, [row.locator("th,td").all_inner_texts() for row in table.locator("tbody tr").all()]


def light_and_dark_are_followed_and_kept_in_the_address(screen: Screen) -> None:
    screen.wait(lambda: max(background(screen)) < 60)
    screen.page.locator(".sl-transport.sl-dark").wait_for()
    # the header, too, which is drawn before any picture
    assert screen.page.locator(".sl-view:not(.sl-dark) > nav.sl-menu").count() == 0
    screen.page.locator(".sl-fading.sl-dark").first.wait_for()
    assert "theme" not in screen.page.url
    screen.button("Toggle theme").click()
    screen.wait(lambda: min(background(screen)) > 200)
    screen.wait(lambda: "theme=light" in screen.page.url)
    screen.page.reload()
    screen.until_ready()
    screen.wait(lambda: min(background(screen)) > 200)
    screen.page.locator(".sl-transport:not(.sl-dark)").wait_for()
    screen.button("Toggle theme").click()
    screen.wait(lambda: "theme" not in screen.page.url)


def background(screen: Screen) -> list[float]:
    """Red, green and blue behind the curves' title: the middle of the page, as painted."""
    import io

    from PIL import Image

    box = screen.page.locator(".sl-transport").bounding_box()
    corner = {"x": box["x"] - 12, "y": box["y"] + box["height"] / 2, "width": 4, "height": 4}
    picture = Image.open(io.BytesIO(screen.page.screenshot(clip=corner)))
    return np.asarray(picture.convert("RGB")).mean(axis=(0, 1)).tolist()


def roles_of_the_named(screen: Screen) -> set[str]:
    """Return the roles of what a screen reader meets, where every control has a name."""
    session = screen.page.context.new_cdp_session(screen.page)
    nodes = [node for node in session.send("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]]
    nameless = [node for node in nodes if node["role"]["value"] in CONTROLS and not name(node)]
    where = [session.send("DOM.getOuterHTML", {"backendNodeId": node["backendDOMNodeId"]}) for node in nameless]
    assert where == []
    return {node["role"]["value"] for node in nodes}


def name(node: dict[str, Any]) -> str:
    return node.get("name", {}).get("value", "").strip()


# ---------------------------------------------------------------------- the server's side


@pytest.mark.nightly
def test_a_page_that_closes_leaves_neither_thread_nor_memory(serve: Any, page: Any, wait_until: Any) -> None:
    from streamlab.views.page.monitor import Monitor

    def players() -> int:
        return sum(thread.name == "streamlab player" for thread in threading.enumerate())

    made: list[weakref.ref] = []

    def app() -> Any:
        monitor = Monitor()
        made.append(weakref.ref(monitor))
        return monitor.served()

    url = serve(app, unused_session_lifetime_milliseconds=1000, check_unused_sessions_milliseconds=200)
    before = players()
    screens = [Screen(page(url), wait_until) for _ in range(2)]
    # a session that began with the HTML but expired before the browser's socket came has left nothing either
    screens[1].wait(lambda: players() == before + 2)
    screens[0].play()
    screens[0].page.close()
    screens[1].wait(lambda: players() == before + 1)
    screens[1].play()
    screens[1].page.goto("about:blank")
    screens[1].wait(lambda: players() == before)

    def kept() -> int:
        gc.collect()
        return sum(each() is not None for each in made)

    # Panel remembers the last document it worked on
    screens[1].wait(lambda: kept() <= 1)


CUT_OFF = """() => Bokeh.documents[0].on_event("connection_lost", (_document, event) => {
    if (!window.has_cut) event.connection.deref()._receiver.consume('{"msgtype": "PATCH-DOC"}');
    window.has_cut = true;
})"""
"""Let the connection end in a message of which only the beginning has come."""


@pytest.mark.nightly
def test_a_lost_server_is_told_and_a_new_one_does_not_pass_for_it(
    start_server: Any, page: Any, wait_until: Any
) -> None:
    server = start_server(
        sys.executable, "-m", "panel", "serve", APP, "--port", "{port}", "--address", "127.0.0.1"
    )  # fmt: skip
    screen = Screen(page(f"{server.address}/stream_monitor"), wait_until)
    screen.play()
    assert screen.page.locator(".sl-banner").is_hidden()
    screen.page.evaluate(CUT_OFF)
    server.stop()
    banner = screen.page.locator(".sl-banner")
    screen.page.get_by_text("Connection lost").wait_for()
    assert "If it was stopped, the run is gone." in banner.inner_text()

    def unsent() -> int:
        return sum("cannot send" in error for error in screen.page.errors)

    # a word said again and again would meet a socket half open, which would then be closed for good
    before = unsent()
    screen.page.wait_for_timeout(1600)
    assert unsent() < before + 3
    server.start()
    screen.page.get_by_text("the server does not know this run").wait_for()
    reload = screen.page.get_by_role("button", name="Reload the page")
    with screen.page.expect_navigation():
        reload.click()
    screen.until_ready()
    assert screen.page.get_by_text("does not know this run").count() == 0
    assert banner.is_hidden()
    assert screen.position == 300, "another run, as pages open"
    # the browser says that it cannot reach the server, Bokeh that the sizes of figures cannot be sent, and nothing else
    known = "ERR_CONNECTION|websocket|not connected so cannot send"
    unexpected = [error for error in screen.page.errors if not re.search(known, error, re.I)]
    assert unexpected == []
    screen.page.errors.clear()
