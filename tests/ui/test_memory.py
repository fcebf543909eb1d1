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


@pytest.mark.nightly
def test_the_monitor_draws_what_is_remembered(visit: Any) -> None:
    screen = visit(query="?stream=yeast&learners=ARkNN")
    screen.page.get_by_role("heading", name="How to read the memory").wait_for()
    # what is out of sight is not drawn
    screen.page.locator(".sl-memory .sl-stage").scroll_into_view_if_needed()
    screen.play()
    screen.page.locator(".sl-memory .sl-stage").scroll_into_view_if_needed()
    screen.wait(lambda: picture(screen)["rows"] > 100)
    screen.pause()
    screen.page.locator(".sl-memory .sl-stage").focus()

    def at_the_newest() -> int | None:
        # a frame may still be on its way when the pause shows
        screen.page.keyboard.press("Home")
        shown = picture(screen)
        return shown["cursor"] if shown["now"] == screen.position else None

    newest = screen.wait(at_the_newest)
    assert newest == screen.position - 1
    screen.page.keyboard.press("Enter")
    screen.page.get_by_role("heading", name=f"ARkNN, row {newest + 1:,}").wait_for()
    screen.page.keyboard.press("PageDown")
    screen.wait(lambda: picture(screen)["label"] == 0)
    screen.page.keyboard.press("ArrowDown")
    screen.wait(lambda: picture(screen)["cursor"] not in (newest, None))
    screen.page.locator(".sl-memory").get_by_text("Table", exact=True).click()
    screen.page.locator(".sl-memory tbody").get_by_role("button", name=f"{newest + 1:,}", exact=True).wait_for()
