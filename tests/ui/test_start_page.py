"""The start page of `streamlab monitor` in a browser: read, followed, and nothing wider than a phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.screen import Screen


def test_the_first_address_tells_what_this_is_and_every_link_opens(shared_server: Any, page: Any, wait_until: Any):
    before = len(shared_server.faults())
    for width, scheme in ((1400, "light"), (420, "dark"), (320, "light")):
        opened = page(f"{shared_server.address}/", width=width, color_scheme=scheme)
        assert opened.title() == "streamlab: see a learner learn"
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        links = opened.locator("a.door")
        assert links.count() == 9
        for link in links.all():
            box = link.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
    # its letters are those of the other pages, and its theme goes along
    assert opened.evaluate("document.fonts.check('14px Roboto') && [...document.fonts].length > 0")
    opened.get_by_role("button", name="Light or dark").click()
    assert opened.evaluate("getComputedStyle(document.body).color") == "rgb(242, 244, 247)"
    # by keyboard: the first picture comes after the button that has the focus
    assert "theme=dark" in opened.locator("nav a").last.get_attribute("href")
    opened.keyboard.press("Tab")
    opened.keyboard.press("Enter")
    opened.wait_for_url("**/stream_monitor?*")
    screen = Screen(opened, wait_until)
    screen.button("Step one chunk").click()
    screen.wait(lambda: screen.position == 400)  # 300 rows were played
    assert shared_server.faults()[before:] == []


@pytest.mark.nightly
def test_the_runs_that_were_played_last_are_links_too(shared_server: Any, page: Any, wait_until: Any) -> None:
    before = len(shared_server.faults())
    opened = page(f"{shared_server.address}/")
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
    opened.goto(f"{shared_server.address}/stream_monitor?SMART.half_life=50")
    screen = Screen(opened, wait_until)
    screen.play()
    screen.wait(lambda: screen.position > 400)
    screen.pause()
    at = screen.position
    opened.goto(f"{shared_server.address}/")
    runs.wait_for()
    assert runs.inner_text().splitlines() == [
        "Handwritten digits, their bars renamed half-way: SMART, SMART without fading, no-change", f"row {at:,}",
    ]  # fmt: skip
    runs.click()
    screen = Screen(opened, wait_until)
    screen.wait(lambda: screen.position == at)
    screen.wait(lambda: screen.control("SMART").inner_text() == "50")
    assert shared_server.faults()[before:] == []
