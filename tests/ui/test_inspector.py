"""The inspector in a browser: beside the stage where there is room, else under it, and what it says of a cell."""

from __future__ import annotations

from typing import Any

import pytest

pn = pytest.importorskip("panel")
pytest.importorskip("panel_material_ui")

pytestmark = pytest.mark.ui

APPS = ("stream_monitor",)


def boxes(page: Any) -> tuple[dict[str, float], dict[str, float]]:
    stage, inspector = page.locator(".sl-fading").first.bounding_box(), page.locator(".sl-inspector").bounding_box()
    assert stage
    assert inspector
    return stage, inspector


@pytest.mark.parametrize("width", [1400, 420])
def test_what_is_clicked_is_read_in_the_inspector(visit: Any, width: int) -> None:
    screen = visit(played=True, width=width)
    page = screen.page
    screen.wait(lambda: screen.position == 300)
    page.locator(".sl-fading").first.scroll_into_view_if_needed()
    screen.wait(lambda: (screen.stats("fading") or {"frames_drawn": 0})["frames_drawn"] > 0)
    if width == 1400:
        # the settings leave no room for a third column
        page.locator("header button").first.click()
        screen.wait(lambda: boxes(page)[1]["x"] > boxes(page)[0]["x"] + boxes(page)[0]["width"])
    else:
        stage, inspector = boxes(page)
        assert inspector["y"] >= stage["y"] + stage["height"]
        assert inspector["x"] + inspector["width"] <= width
    inspector = page.locator(".sl-inspector")
    inspector.get_by_role("heading", name="How to read the forest").wait_for()
    cells = page.locator(".sl-fading .sl-stage").first
    cells.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    # the same cell of both learners, one under the other
    for learner in ("SMART", "SMART without fading"):
        inspector.get_by_role("heading", name=f"{learner} · tree 1").first.wait_for()
    assert inspector.get_by_role("heading", name="How to read the forest").count() == 0
    assert inspector.get_by_text("evidence kept").count() == 2

    inspector.get_by_role("tab", name="Latest row").click()
    inspector.get_by_role("region", name="The latest row", exact=True).wait_for()
    page.get_by_role("tab", name="Labels").click()
    inspector.get_by_role("region", name="The latest row", exact=True).wait_for()
    screen.wait(lambda: "tab=Labels" in page.url)
