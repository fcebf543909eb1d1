"""The picture of an ensemble in the monitor: lines of learners, one that is selected, and a phone's width."""

from __future__ import annotations

from typing import Any

from tests.ui.screen import Screen

QUERY = "?stream=yeast-rotated&learners=ML-BELS&tab=Ensemble&at=1300"


APPS = ("stream_monitor",)


def prepare() -> None:
    from streamlab.rivals import MLBELS

    MLBELS.prepare()


def picture(screen: Screen) -> dict[str, Any]:
    return screen.stats("ensemble") or {"members": 0, "frames_drawn": 0}


def test_learners_are_lines_and_one_is_told_about(visit: Any) -> None:
    screen = visit(query=QUERY, height=1700)
    screen.wait(lambda: screen.position == 1300 and picture(screen)["members"] >= 42)
    part = screen.page.locator(".sl-ensemble")
    assert "34 learners answer for 14 labels; 7 more only learn as yet." in part.locator(".sl-summary").inner_text()
    part.locator(".sl-stage").focus()
    for key in ("Home", "ArrowDown", "ArrowRight", "Enter"):
        screen.page.keyboard.press(key)
    chosen = screen.wait(lambda: picture(screen)["selected"])
    screen.page.get_by_role("heading", name=f"ML-BELS, learner {chosen} of Class1").wait_for()
    screen.page.keyboard.press("Escape")
    screen.panel.wait_for(state="hidden")
    part.get_by_placeholder("Find a label or a number").fill("class14")
    screen.wait(lambda: " of " in part.locator(".sl-search .sl-muted").inner_text())
    # it goes on with the run
    drawn = picture(screen)["now"]
    screen.play()
    screen.wait(lambda: picture(screen)["now"] > drawn)
