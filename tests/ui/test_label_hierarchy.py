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
    assert (stats["classes"], stats["subject"]) == (16, "HierarchicalKNN"), "31 leaves stand too close"
    assert stats["truth"]
    assert stats["learners"] == ["HierarchicalKNN", "FlatKNN"]
    assert {learner for learner, _ in stats["said"]} == {0, 1}
    screen.renewed(lambda: screen.set("Stream", "Image segments"))
    screen.speed("1,000 rows/s")
    screen.play()
    screen.wait(lambda: hierarchy(screen)["now"] > 300)
    assert hierarchy(screen)["classes"] == 9
