"""MLHTPS in a browser: its tree's leaves are told apart, and one tells the label sets that it chooses from."""

from __future__ import annotations

from typing import Any

from tests.ui.screen import Screen

APPS = ("stream_monitor",)
QUERY = "?stream=syn-branches&learners=MLHTPS&tab=Tree&at=1150"


def prepare() -> None:
    from streamlab.rivals import MLHTPS

    MLHTPS.prepare()


def picture(screen: Screen) -> dict[str, Any]:
    return screen.stats("tree") or {"nodes": 0, "now": -1}


def test_leaves_choose_among_label_sets(visit: Any) -> None:
    screen = visit(query=QUERY, height=1700)
    screen.wait(lambda: picture(screen)["now"] == 1150)
    part = screen.page.locator(".sl-tree")
    part.locator(".sl-stage").focus()
    told = screen.page.get_by_text("Label sets it chooses from")
    for key in ("Home", "ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        screen.page.keyboard.press(key)
    told.wait_for()
    screen.page.get_by_text("answers with the most probable of the label sets that it keeps").wait_for()
    # the panel lies beside the node, over the picture's tools
    screen.page.keyboard.press("Escape")
    screen.panel.wait_for(state="hidden")
    part.get_by_text("Table", exact=True).click()
    cells = part.locator("tbody").inner_text()
    assert "choice among label sets" in cells
    assert "majority or one label set" in cells
