"""What matters on a page: asked while it is open, on the rows of the curve; a feature and a row are told about."""

from __future__ import annotations

from typing import Any

from tests.ui.screen import Screen

APPS = ("mlhat_tree",)
QUERY = "?stream=songs-branches&rate=1000&at=0"


def picture(screen: Screen) -> dict[str, Any]:
    return screen.stats("importance") or {"features": 0, "told": []}


def test_lines_of_features_go_on_while_they_are_seen_and_say_what_they_are(visit: Any) -> None:
    screen = visit(query=QUERY)
    assert not picture(screen)["features"]
    screen.view("What matters")
    screen.play()
    screen.wait(lambda: picture(screen)["points"] >= 5)
    drawn = picture(screen)
    assert drawn["features"] == 10
    assert drawn["axis"] == screen.page.evaluate("window.__streamlab_timeline.seen.axis")
    assert drawn["told"][0]["value"].startswith("+")
    screen.pause()
    first = drawn["told"][0]["name"]
    stage = screen.page.locator(".sl-importance .sl-stage").first
    stage.focus()
    for key in ("Home", "Enter"):
        screen.page.keyboard.press(key)
    screen.page.get_by_role("heading", name=first).wait_for()
    screen.page.locator("p:visible", has_text="not of causes").first.wait_for()
    screen.page.keyboard.press("Escape")
    screen.panel.wait_for(state="hidden")
    screen.page.locator(".sl-seen").click()
    screen.page.locator(".sl-row-why p").first.wait_for()
    assert len(screen.page.locator(".sl-row-why").inner_text().split()) <= 40
    # rows that passed while it was closed are asked about when it is opened again
    screen.page.keyboard.press("Escape")
    at, points = screen.position, picture(screen)["points"]
    screen.view("Tree")
    screen.play()
    screen.wait(lambda: screen.position > at + 1000)
    screen.pause()
    screen.view("What matters")
    screen.wait(lambda: picture(screen).get("points", 0) >= points + 5)


def test_a_phone_has_the_five_first_features(visit: Any) -> None:
    screen = visit(query=f"{QUERY}&tab=What+matters", width=420, height=900)
    screen.play()
    screen.wait(lambda: len(picture(screen)["told"]) == 5)
    assert screen.rightmost() <= 420
