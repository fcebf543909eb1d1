"""The memory's picture in a browser: rows that answered, keys, colours, and the monitor that opens it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.screen import Screen

pytest.importorskip("panel")
pytest.importorskip("panel_material_ui")

pytestmark = pytest.mark.ui

APPS = ("stream_monitor",)


def prepare() -> None:
    import streamlab as sl

    sl.ARkNN.prepare()


def picture(screen: Screen) -> dict[str, Any]:
    return screen.stats("memory") or {"rows": 0}


def test_the_monitor_draws_what_is_remembered(visit: Any) -> None:
    screen = visit(query="?stream=yeast&learners=ARkNN&at=700")
    screen.page.get_by_role("heading", name="How to read the memory").wait_for()
    screen.wait(lambda: picture(screen)["rows"] > 300 and picture(screen)["now"] == 700)
    stage = screen.page.locator(".sl-memory .sl-stage")
    stage.focus()
    screen.page.keyboard.press("Home")
    screen.wait(lambda: picture(screen)["cursor"] == 699)
    screen.page.keyboard.press("Enter")
    screen.page.get_by_role("heading", name="ARkNN, row 700").wait_for()
    screen.page.keyboard.press("PageDown")
    screen.wait(lambda: picture(screen)["label"] == 0)
    screen.page.keyboard.press("ArrowDown")
    screen.wait(lambda: picture(screen)["cursor"] not in (699, None))
    screen.page.locator(".sl-memory").get_by_text("Table", exact=True).click()
    screen.page.locator(".sl-memory").get_by_role("rowheader", name="700", exact=True).wait_for()
