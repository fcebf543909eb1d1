"""The one panel of why: what it says of a cell and of the row."""

from __future__ import annotations

from typing import Any

import pytest

APPS = ("stream_monitor",)


def test_what_is_clicked_is_read_in_the_panel(visit: Any) -> None:
    what_is_clicked_is_read(visit(played=True), 1400)


@pytest.mark.nightly
def test_on_a_phone_the_panel_is_in_the_window(visit: Any) -> None:
    what_is_clicked_is_read(visit(played=True, width=420), 420)


def what_is_clicked_is_read(screen: Any, width: int) -> None:
    page = screen.page
    screen.wait(lambda: screen.position == 300)
    page.locator(".sl-fading").first.scroll_into_view_if_needed()
    screen.wait(lambda: (screen.stats("fading") or {"frames_drawn": 0})["frames_drawn"] > 0)
    assert not screen.panel.count()
    cells = page.locator(".sl-fading .sl-stage").first
    cells.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    screen.panel.get_by_role("heading", name="SMART · tree 1").first.wait_for()
    assert screen.panel.get_by_text("it keeps the evidence of").count() == 1
    # it lies in the window, and beside what it is about
    box = screen.panel.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= page.viewport_size["height"]
    page.keyboard.press("Escape")
    screen.panel.wait_for(state="hidden")

    page.locator(".sl-seen").click()
    screen.panel.get_by_role("region", name="The latest row", exact=True).wait_for()
    # a click elsewhere closes it, and does what it does
    screen.view("Labels")
    screen.panel.wait_for(state="hidden")
    screen.wait(lambda: "tab=Labels" in page.url)
