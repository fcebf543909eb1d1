"""MLHAT's tree as a user has it: it splits, background trees take over, and the page says why."""

from __future__ import annotations

from typing import Any

from tests.ui.screen import Screen
from tests.ui.test_one_screen import nothing_is_cut

APPS = ("mlhat_tree", "stream_monitor")
PROMOTED = "An alternate replaces its branch"


def prepare() -> None:
    from streamlab.learners import MLHAT

    # compiled once here, so that the page reads the kernels from the cache
    MLHAT.prepare()


def tree(screen: Screen) -> dict[str, Any]:
    return screen.stats("tree") or {"nodes": 0, "frames_drawn": 0}


def test_it_splits_within_seconds_tells_why_and_a_background_tree_takes_over(visit: Any) -> None:
    screen = visit()
    assert screen.page.title() == "streamlab · MLHAT's tree"
    # at the speed that the page opens with, not by the clock, which runs on while others have the machine's cores
    speed = screen.page.get_by_label("Speed").evaluate("node => node.selectedOptions[0].text")
    a_second = float(speed.removesuffix(" rows/s").replace(",", ""))
    screen.speed("1,000 rows/s")
    screen.play()
    screen.wait(lambda: tree(screen)["nodes"] >= 3)
    screen.pause()
    drawn = screen.timeline()
    splits = [at for at, _, kind, *_ in drawn["events"] if drawn["kinds"][kind]["title"] == "A leaf splits"]
    assert min(splits) < 20 * a_second
    a_node_tells_its_story(screen)
    screen.speed("10,000 rows/s")
    screen.play()
    # the first promotion is at row 11,306; much later its node may have been replaced as well
    screen.wait(lambda: screen.position > 10_000)
    screen.speed("1,000 rows/s")
    screen.wait(lambda: any("alternate_promoted" in event for event in screen.events()))
    screen.wait(lambda: tree(screen)["nodes"] > 5)
    assert tree(screen)["frames_drawn"] > 0
    screen.pause()
    # that it was replaced is one click from its mark on the timeline
    screen.page.locator(f".sl-marks button[aria-label*='{PROMOTED}']").last.click()
    note = screen.page.locator("[data-area=note]")
    note.get_by_text(PROMOTED).first.wait_for()
    screen.page.keyboard.press("Escape")
    note.wait_for(state="hidden")


def a_node_tells_its_story(screen: Screen) -> None:
    window = screen.page.viewport_size
    nothing_is_cut(screen)
    # why it split is seen without scrolling, in a small window too
    screen.page.set_viewport_size({"width": 1280, "height": 720})
    stage = screen.page.locator(".sl-tree .sl-stage").first
    stage.focus()
    screen.page.keyboard.press("Home")
    screen.page.keyboard.press("Enter")
    screen.page.get_by_role("heading", name="MLHAT, node 0").wait_for()
    chart = screen.page.locator(".sl-details-race").first
    assert "It split at row" in chart.locator("xpath=..").inner_text()
    note = screen.page.locator("[data-area=note]")

    def is_seen() -> bool:
        inner, outer = chart.bounding_box(), note.bounding_box()
        return outer["y"] <= inner["y"] and inner["y"] + inner["height"] <= outer["y"] + outer["height"] <= 720

    screen.wait(is_seen)
    screen.page.keyboard.press("ArrowDown")
    screen.page.keyboard.press("Enter")
    story = screen.page.locator("h3", has_text="MLHAT, node")
    screen.wait(lambda: "node 0:" not in story.inner_text())
    assert "An instance comes here if" in story.locator("xpath=..").inner_text()
    nodes = tree(screen)["nodes"]
    screen.page.keyboard.press("Home")
    for is_folded in (True, False):
        screen.page.keyboard.press("c")
        screen.wait(lambda is_folded=is_folded: (tree(screen)["nodes"] < nodes) == is_folded)
    screen.page.keyboard.press("Escape")
    screen.page.set_viewport_size(window)
