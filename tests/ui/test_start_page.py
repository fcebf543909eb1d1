"""The start page of `streamlab monitor` in a browser: read, followed, and nothing wider than a phone."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.ui.screen import Screen

pn = pytest.importorskip("panel")
pytest.importorskip("panel_material_ui")

pytestmark = pytest.mark.ui

COMMAND = (sys.executable, "-c", "from streamlab.cli import main; main()", "monitor", "--port", "{port}", "--address")


def test_the_first_address_tells_what_this_is_and_every_door_opens(start_server: Any, page: Any, wait_until: Any):
    server = start_server(*COMMAND, "127.0.0.1")
    for width, scheme in ((1400, "light"), (420, "dark"), (320, "light")):
        opened = page(f"{server.address}/", width=width, color_scheme=scheme)
        assert opened.title() == "streamlab: see a learner learn"
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        doors = opened.locator("a.door")
        assert doors.count() == 7
        for door in doors.all():
            box = door.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
    # by keyboard: the first door is the first stop
    opened.keyboard.press("Tab")
    opened.keyboard.press("Enter")
    opened.wait_for_url("**/stream_monitor")
    screen = Screen(opened, wait_until)
    screen.button("Step one chunk").click()
    screen.wait(lambda: screen.position == 400)  # 300 rows were played
    assert server.faults() == []


@pytest.mark.nightly
def test_the_runs_that_were_played_last_are_doors_too(start_server: Any, page: Any, wait_until: Any) -> None:
    server = start_server(*COMMAND, "127.0.0.1")
    opened = page(f"{server.address}/")
    assert opened.get_by_role("heading", name="Your latest runs").is_hidden()
    # what another script of this address left is text, and no address of another place
    left = [{"id": 1, "page": "//evil.example/x", "query": "", "about": "a", "position": 1}, None, 7]
    left.append({"id": 2, "page": "drift_lab", "query": "x", "about": "<img src=x onerror=alert(1)>", "position": 3})
    opened.evaluate("left => localStorage.setItem('streamlab.recent', JSON.stringify(left))", left)
    opened.reload()
    runs = opened.locator("#recent a")
    assert runs.count() == 1
    assert runs.inner_text().startswith("<img src=x onerror=alert(1)>")
    opened.evaluate("localStorage.setItem('streamlab.recent', 'no list')")
    opened.goto(f"{server.address}/stream_monitor?SMART.half_life=50")
    screen = Screen(opened, wait_until)
    screen.play()
    screen.wait(lambda: screen.position > 400)
    screen.pause()
    at = screen.position
    opened.goto(f"{server.address}/")
    runs.wait_for()
    assert runs.inner_text().splitlines() == [
        "Yeast genes, labels rotated half-way: SMART, SMART without fading, no-change", f"row {at:,}",
    ]  # fmt: skip
    runs.click()
    screen = Screen(opened, wait_until)
    screen.wait(lambda: screen.position == at)
    opened.get_by_text("half of its evidence fades in 50 rows", exact=True).wait_for()
    assert server.faults() == []
