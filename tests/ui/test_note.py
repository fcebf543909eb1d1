"""The note in a browser: beside the stage where there is room, else under it, and what it says of a cell."""

from __future__ import annotations

from typing import Any

import pytest

APPS = ("stream_monitor",)


@pytest.mark.parametrize("width", [1400, 420])
def test_what_is_clicked_is_read_in_the_note(visit: Any, width: int) -> None:
    screen = visit(played=True, width=width)
    page = screen.page
    screen.wait(lambda: screen.position == 300)
    page.locator(".sl-fading").first.scroll_into_view_if_needed()
    screen.wait(lambda: (screen.stats("fading") or {"frames_drawn": 0})["frames_drawn"] > 0)
    note = page.locator("[data-area=note]")
    stage, beside = page.locator("[data-area=stage]").bounding_box(), note.bounding_box()
    if width == 1400:
        assert beside["x"] >= stage["x"] + stage["width"]
    else:
        assert beside["y"] >= stage["y"] + stage["height"]
    assert beside["x"] + beside["width"] <= width
    note.get_by_role("heading", name="How to read the forest").wait_for()
    cells = page.locator(".sl-fading .sl-stage").first
    cells.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    # the same cell of both learners, one under the other
    for learner in ("SMART", "SMART without fading"):
        note.get_by_role("heading", name=f"{learner} · tree 1").first.wait_for()
    assert note.get_by_role("heading", name="How to read the forest").count() == 0
    assert note.get_by_text("it keeps the evidence of").count() == 2

    note.get_by_role("tab", name="Latest row").click()
    note.get_by_role("region", name="The latest row", exact=True).wait_for()
    page.get_by_role("tab", name="Labels").click()
    note.get_by_role("region", name="The latest row", exact=True).wait_for()
    screen.wait(lambda: "tab=Labels" in page.url)
