"""The page on a projector, and on a phone: what is enlarged, what is left out, what stays within reach."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.screen import Screen
from tests.ui.test_one_screen import nothing_is_cut

APPS = ("stream_monitor",)

SMALLEST = """() => {
    // of what is seen: the smallest type on the screen, px
    let least = Infinity;
    const walk = (root) => {
        for (const node of root.querySelectorAll("*")) {
            if (node.shadowRoot) walk(node.shadowRoot);
            const says = [...node.childNodes].some(each => each.nodeType === 3 && each.data.trim());
            const box = node.getBoundingClientRect();
            if (!says || !box.width || box.width < 3 || getComputedStyle(node).visibility === "hidden") continue;
            // of a button's two lines the second has no size
            least = Math.min(least, (parseFloat(getComputedStyle(node).fontSize) || Infinity) * node.currentCSSZoom);
        }
    };
    walk(document);
    return least;
}"""
SCROLLS = """() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    return scrollHeight > innerHeight + 1 || scrollWidth > innerWidth + 1;
}"""
TYPE = "node => parseFloat(getComputedStyle(node).fontSize) * node.currentCSSZoom"


SIZES = [(1280, 720), (853, 480), (512, 288), (1400, 900), (1920, 1080)]
"""The window of the projector at 100, 150 and 250 %, and others."""


PICTURE = "[data-part=picture]:visible .sl-stage:visible"


def on_the_sheet(screen: Screen, *more: str, picture: str = PICTURE) -> list[str]:
    """What is not whole in the window, of what a class sees, and what is smaller there than 18 px of 720."""
    page, size = screen.page, screen.page.viewport_size
    parts = [*filter(None, [picture]), "[data-part=curve]", ".sl-play", *more]
    boxes = {f"{each} {i}": one.bounding_box() for each in parts for i, one in enumerate(page.locator(each).all())}
    boxes |= dict.fromkeys(each for each in parts if f"{each} 0" not in boxes)
    faults = [
        f"{name}: {box}"
        for name, box in boxes.items()
        if box is None or min(box["x"], box["y"]) < 0 or box["x"] + box["width"] > size["width"] + 1
        or box["y"] + box["height"] > size["height"] + 1
    ]  # fmt: skip
    least, most = page.evaluate(SMALLEST), 18 * min(size["width"] / 1280, size["height"] / 720)
    return faults + [f"{least} px"] * (least < most - 0.01) + ["it scrolls"] * page.evaluate(SCROLLS)


def test_one_key_shows_a_class_story_pictures_and_curve_at_every_zoom(visit: Any) -> None:
    screen = visit(query="?at=1500", width=1280, height=720)
    page = screen.page
    screen.wait(lambda: screen.position == 1500)
    nothing_is_cut(screen)
    page.set_viewport_size({"width": 1280, "height": 720})
    screen.wait(lambda: page.evaluate(SMALLEST) <= 12)
    page.keyboard.press("p")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        screen.wait(lambda: on_the_sheet(screen, "[data-area=story]") == [])
        told = page.locator("[data-area=story] p").evaluate(TYPE)
        assert told >= 28 * min(width / 1280, height / 720)
    page.set_viewport_size({"width": 1280, "height": 720})
    for unseen in ("Projector", "Step one instance", "Trees"):
        assert not screen.button(unseen).first.is_visible()
    # what a learner is set to is half of why it copes
    assert page.locator(".sl-head-says").first.is_visible()
    # both forests: what one forgets and the other does not is the demonstration
    assert page.locator("[data-part=picture]:visible .sl-stage:visible").count() == 2
    names = page.locator(".sl-curves .sl-name")
    said = names.evaluate_all("nodes => nodes.map(node => node.firstChild.textContent)")
    assert said == screen.timeline()["learners"]
    # what is pointed at is what is meant: the first line of cells is the root, as wide as the stage
    screen.wait(lambda: on_the_sheet(screen) == [])
    box = page.locator(".sl-stage:visible").first.bounding_box()
    page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 20)
    page.locator(".sl-stage .sl-tip", has_text="level 1 (root)").first.wait_for()
    page.keyboard.press("Space")
    screen.until("finished")
    page.keyboard.press("Escape")
    screen.wait(lambda: page.evaluate(SMALLEST) <= 12)
    assert page.get_by_role("button", name="Projector").get_attribute("aria-pressed") == "false"
    # a small window, or 200 %: as on a phone Play lies over the picture at the bottom, and nothing shines through
    page.set_viewport_size({"width": 720, "height": 450})
    playback = page.get_by_role("group", name="Playback")
    screen.wait(lambda: abs(playback.evaluate("node => node.getBoundingClientRect().bottom") - 450) <= 2)
    assert playback.evaluate("node => getComputedStyle(node).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.nightly
def test_before_a_class_a_lessons_text_takes_the_storys_place_and_a_clicker_steps_it(visit: Any) -> None:
    screen = visit(query="?lesson=forgetting&step=1", width=1280, height=720)
    page = screen.page

    def stands(number: int) -> bool:
        step = page.evaluate("window.__streamlab_lesson.stats()")
        return step["number"] == number and not step["busy"]

    page.keyboard.press("p")
    screen.wait(lambda: on_the_sheet(screen, ".sl-lesson") == [])
    lesson = page.locator(".sl-lesson").bounding_box()
    assert lesson["y"] + lesson["height"] <= page.locator("[data-part=curve]").bounding_box()["y"]
    page.keyboard.press("PageDown")
    screen.wait(lambda: stands(2))
    # the step waits for its rows: the same key plays them
    page.keyboard.press("PageDown")
    screen.wait(lambda: screen.position == 1200 and page.evaluate("window.__streamlab_lesson.stats().over"))
    page.keyboard.press("ArrowLeft")
    screen.wait(lambda: stands(1))
    page.keyboard.press("Escape")
    screen.wait(lambda: page.evaluate(SMALLEST) <= 12)
    # what the lesson leaves is left to the page
    page.get_by_role("button", name="Leave the lesson").click()
    page.locator(".sl-lesson").wait_for(state="hidden")
    screen.wait(lambda: page.locator("[data-area=transport]").bounding_box()["width"] > 1200)
