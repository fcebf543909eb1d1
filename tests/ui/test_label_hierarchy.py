"""The hierarchy as a user has it: alone and in the monitor, on both streams."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.screen import Screen

APPS = ("label_hierarchy", "stream_monitor")


def prepare() -> None:
    from streamlab.learners import FlatKNN, HierarchicalKNN

    # compiled once here, so that the page reads the kernels from the cache
    HierarchicalKNN.prepare()
    FlatKNN.prepare()


def hierarchy(screen: Screen) -> dict[str, Any]:
    return screen.stats("hierarchy") or {"classes": 0, "now": 0, "subject": None}


@pytest.mark.nightly
def test_alone_on_both_streams(visit: Any) -> None:
    screen = visit()
    assert screen.page.title() == "streamlab · label hierarchy"
    assert screen.learners() == ["HierarchicalKNN", "FlatKNN"]
    screen.speed("1,000 rows/s")
    screen.play()
    screen.wait(lambda: hierarchy(screen)["now"] > 500)
    screen.pause()
    screen.wait(lambda: hierarchy(screen)["now"] == screen.position)
    stats = hierarchy(screen)
    assert (stats["classes"], stats["subject"]) == (46, "HierarchicalKNN")
    assert stats["truth"]
    assert stats["learners"] == ["HierarchicalKNN", "FlatKNN"]
    assert {learner for learner, _ in stats["said"]} == {0, 1}
    screen.renewed(lambda: screen.set("Stream", "Image segments"))
    screen.speed("1,000 rows/s")
    screen.play()
    screen.wait(lambda: hierarchy(screen)["now"] > 300)
    assert hierarchy(screen)["classes"] == 9


def test_a_class_tells_its_story_of_both_learners(visit: Any) -> None:
    screen = visit()
    screen.button("Step one chunk").click()
    screen.wait(lambda: hierarchy(screen)["now"] == 100)
    screen.page.locator(".sl-hierarchy .sl-stage").focus()
    screen.page.keyboard.press("Home")
    screen.page.keyboard.press("Enter")
    screen.page.get_by_role("heading", name="chordophones").wait_for()
    screen.page.get_by_text("Distance to the row learned last, the nearest first").wait_for()
    for name in ("HierarchicalKNN", "FlatKNN"):
        screen.panel.get_by_text(f"{name}: F1 lately").wait_for()
    screen.page.keyboard.press("ArrowDown")
    screen.page.keyboard.press("Enter")
    screen.page.get_by_role("heading", name="bowed").wait_for()
    screen.page.keyboard.press("c")
    screen.wait(lambda: hierarchy(screen)["classes"] == 42)
    screen.page.keyboard.press("Escape")
    screen.panel.wait_for(state="hidden")
