"""Balanced neighbours as a user has them: points and means that move, neighbours of what is pointed at."""

from __future__ import annotations

from typing import Any

from tests.ui.screen import Screen

APPS = ("balanced_neighbours", "stream_monitor")


def prepare() -> None:
    from streamlab.views.page.presets import make_learners

    # compiled once here, so that the page reads the kernels from the cache
    for learner in make_learners(["Balanced neighbours", "ML-KNN", "SMART"], [], 1).values():
        learner.prepare()


def picture(screen: Screen) -> dict[str, Any]:
    return screen.stats("projection") or {"points": 0, "frames_drawn": 0, "links": 0, "target": None}


def test_the_instance_under_the_pointer_is_linked(visit: Any) -> None:
    screen = visit()
    assert screen.page.title() == "streamlab · balanced neighbours"
    screen.play()
    # at the speed that the page opens with
    screen.wait(lambda: picture(screen)["means"] == 7)
    assert screen.position < 20 * 250
    screen.speed("1,000 rows/s")
    screen.wait(lambda: screen.position >= 700)
    screen.pause()
    stage = screen.page.locator(".sl-projection .sl-stage").first
    stage.focus()

    def at_the_newest() -> int | None:
        # a frame may still be on its way when the pause shows
        screen.page.keyboard.press("Home")
        shown = picture(screen)
        return shown["newest"] if shown["target"] == shown["newest"] else None

    newest = screen.wait(at_the_newest)
    link, table = (screen.page.locator(f".sl-projection {part}").first for part in ("summary", ".sl-scroll"))
    place = link.bounding_box()
    link.click()
    screen.wait(lambda: picture(screen) and table.bounding_box())
    assert link.bounding_box()["y"] == place["y"]
    below = table.bounding_box()
    assert place["y"] < below["y"] < below["y"] + below["height"] < screen.page.viewport_size["height"]
    link.click()
    stage.focus()
    newest = screen.wait(at_the_newest)
    # five of the class that is answered; they come with a frame of their own
    screen.wait(lambda: picture(screen)["links"] == 5)
    screen.page.keyboard.press("Enter")
    screen.page.get_by_role("heading", name=f"Balanced neighbours, instance {newest + 1:,}").wait_for()
    screen.page.keyboard.press("Escape")
    screen.wait(lambda: picture(screen)["target"] is None)
    screen.panel.wait_for(state="hidden")
    # the pointer asks while it plays, too
    screen.play()
    box = stage.bounding_box()
    screen.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stage.evaluate("node => node.dispatchEvent(new PointerEvent('pointerleave'))")
    screen.until("finished")
    screen.wait(lambda: picture(screen)["target"] is None)
