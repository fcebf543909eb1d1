"""The start page of `streamlab monitor` in a browser: read, followed, and nothing wider than a phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.screen import Screen


def test_the_first_address_tells_what_this_is_and_every_door_opens(front_door: Any, page: Any, wait_until: Any):
    before = len(front_door.faults())
    for width, scheme in ((1400, "light"), (420, "dark"), (320, "light")):
        opened = page(f"{front_door.address}/", width=width, color_scheme=scheme)
        assert opened.title() == "streamlab: see a learner learn"
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        doors = opened.locator("a.door")
        assert doors.count() == 9
        for door in doors.all():
            box = door.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
    # its letters are those of the other pages, and its theme goes along
    assert opened.evaluate("document.fonts.check('14px Roboto') && [...document.fonts].length > 0")
    opened.get_by_role("button", name="Light or dark").click()
    assert opened.evaluate("getComputedStyle(document.body).color") == "rgb(242, 244, 247)"
    # by keyboard: the first door comes first
    assert "theme=dark" in opened.locator("a.own").get_attribute("href")
    opened.keyboard.press("Tab")
    opened.keyboard.press("Enter")
    opened.wait_for_url("**/stream_monitor?*")
    screen = Screen(opened, wait_until)
    screen.button("Step one chunk").click()
    screen.wait(lambda: screen.position == 400)  # 300 rows were played
    assert front_door.faults()[before:] == []


@pytest.mark.nightly
def test_the_runs_that_were_played_last_are_doors_too(front_door: Any, page: Any, wait_until: Any) -> None:
    before = len(front_door.faults())
    opened = page(f"{front_door.address}/")
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
    opened.goto(f"{front_door.address}/stream_monitor?SMART.half_life=50")
    screen = Screen(opened, wait_until)
    screen.play()
    screen.wait(lambda: screen.position > 400)
    screen.pause()
    at = screen.position
    opened.goto(f"{front_door.address}/")
    runs.wait_for()
    assert runs.inner_text().splitlines() == [
        "Handwritten digits, their bars renamed half-way: SMART, SMART without fading, no-change", f"row {at:,}",
    ]  # fmt: skip
    runs.click()
    screen = Screen(opened, wait_until)
    screen.wait(lambda: screen.position == at)
    screen.wait(lambda: screen.control("SMART").inner_text() == "50")
    assert front_door.faults()[before:] == []
