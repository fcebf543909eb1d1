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
        assert doors.count() == 6
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
