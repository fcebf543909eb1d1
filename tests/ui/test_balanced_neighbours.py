"""Balanced neighbours as a user has them: points and means that move, neighbours of what is pointed at, bars."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.screen import Screen

pn = pytest.importorskip("panel")
pytest.importorskip("panel_material_ui")

pytestmark = pytest.mark.ui


APPS = ("balanced_neighbours", "stream_monitor")


def prepare() -> None:
    from streamlab.views.page.presets import make_learners

    # compiled once here, so that the page reads the kernels from the cache
    for learner in make_learners(["Balanced neighbours", "ML-KNN", "SMART"], [], 1).values():
        learner.prepare()


def picture(screen: Screen) -> dict[str, Any]:
    return screen.stats("projection") or {"points": 0, "frames_drawn": 0, "trail": 0, "links": 0, "target": None}


def test_means_move_and_the_instance_under_the_pointer_is_linked(visit: Any) -> None:
    screen = visit()
    assert screen.page.title() == "streamlab · balanced neighbours"
    screen.page.get_by_role("heading", name="How to read the projection").wait_for()
    screen.play()
    # at the speed that the page opens with
    screen.wait(lambda: picture(screen)["means"] == 14)
    assert screen.position < 20 * 250
    screen.speed("1,000 a second")
    screen.wait(lambda: picture(screen)["trail"] >= 2)
    screen.pause()
    stage = screen.page.locator(".sl-projection .sl-stage")
    stage.focus()

    def at_the_newest() -> int | None:
        # a frame may still be on its way when the pause shows
        screen.page.keyboard.press("Home")
        shown = picture(screen)
        return shown["newest"] if shown["target"] == shown["newest"] else None

    newest = screen.wait(at_the_newest)
    link, table = (screen.page.locator(f".sl-projection {part}") for part in ("summary", ".sl-scroll"))
    place = link.bounding_box()
    link.click()
    screen.wait(lambda: picture(screen) and table.bounding_box())
    assert link.bounding_box()["y"] == place["y"]
    below = table.bounding_box()
    assert place["y"] < below["y"] < below["y"] + below["height"] < screen.page.viewport_size["height"]
    link.click()
    stage.focus()
    newest = screen.wait(at_the_newest)
    # five of each of the fourteen classes, where there are five; they come with a frame of their own
    screen.wait(lambda: 60 <= picture(screen)["links"] <= 70)
    screen.page.keyboard.press("Enter")
    screen.page.get_by_role("heading", name=f"Balanced neighbours, instance {newest + 1:,}").wait_for()
    screen.page.keyboard.press("Escape")
    screen.wait(lambda: picture(screen)["target"] is None)
    screen.page.get_by_role("heading", name="How to read the projection").wait_for()
    # the pointer asks while it plays, too
    screen.play()
    box = stage.bounding_box()
    screen.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stage.evaluate("node => node.dispatchEvent(new PointerEvent('pointerleave'))")
    screen.until("finished")
    screen.wait(lambda: picture(screen)["target"] is None)


@pytest.mark.nightly
def test_in_the_monitor_it_stands_beside_smart(visit: Any) -> None:
    screen = visit("stream_monitor")
    screen.unfold("Learners")
    screen.learner("Balanced neighbours").check()
    screen.learner("ML-KNN").check()
    screen.renewed(screen.button("Start with these").click)
    screen.close_drawer()
    screen.speed("flat out")
    screen.button("Play").click()
    screen.until("finished")
    assert {"Balanced neighbours", "ML-KNN"} <= set(screen.learners())
    screen.page.get_by_role("tab", name="Projection").click()
    screen.page.get_by_role("heading", name="How to read the projection").wait_for()
    # what is out of sight is not drawn
    screen.page.locator(".sl-projection .sl-stage").scroll_into_view_if_needed()
    screen.wait(lambda: picture(screen)["points"] == 300)
    screen.page.get_by_role("tab", name="Trees").click()
    screen.page.get_by_role("heading", name="How to read the forest").first.wait_for()


@pytest.mark.nightly
@pytest.mark.parametrize("dark", [False, True])
def test_on_a_phone(visit: Any, dark: bool) -> None:
    screen = visit(width=420, height=800, has_touch=True, color_scheme="dark" if dark else "light")
    screen.speed("1,000 a second")
    screen.button("Play").tap()
    # a tap may have scrolled to the transport, and what is out of sight is not drawn
    screen.page.locator(".sl-projection .sl-stage").first.scroll_into_view_if_needed()
    screen.wait(lambda: picture(screen)["points"] == 300)
    assert screen.page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    # the curves begin below the bars
    bars = screen.page.locator(".sl-projection .sl-list").bounding_box()
    curves = screen.page.locator(".sl-timeline").first.bounding_box()
    assert bars["y"] + bars["height"] < curves["y"]
