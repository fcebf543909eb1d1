"""The page before a class, and on a phone: what is enlarged, what is left out, what stays within reach."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("panel")
pytest.importorskip("panel_material_ui")

pytestmark = pytest.mark.ui

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
            least = Math.min(least, parseFloat(getComputedStyle(node).fontSize) * node.currentCSSZoom);
        }
    };
    walk(document);
    return least;
}"""
WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"


def test_one_key_makes_the_page_ready_for_a_class_and_back(visit: Any) -> None:
    screen = visit(played=True)
    page = screen.page
    screen.wait(lambda: screen.position == 300)
    assert page.evaluate(SMALLEST) <= 12
    page.keyboard.press("p")
    screen.wait(lambda: page.evaluate(SMALLEST) >= 19.99)
    assert page.get_by_role("button", name="Projector").get_attribute("aria-pressed") == "true"
    assert not page.evaluate(WIDER)
    # the picture and the curve are in the window, and the strip is as wide as its frame
    for part in ("[data-part=picture]:visible .sl-stage", "[data-part=curve]"):
        box = page.locator(part).first.bounding_box()
        assert box["y"] + box["height"] <= 900
    strip = page.locator(".sl-overview")
    screen.wait(lambda: abs(strip.locator("svg").bounding_box()["width"] - strip.bounding_box()["width"]) < 2)
    # what is pointed at is what is meant: a point of the strip is its row, a cell of the trees that cell
    screen.speed("flat out")
    screen.play()
    screen.until("finished")
    slider = page.get_by_role("slider", name="Position in the stream")
    slider.scroll_into_view_if_needed()
    strip = slider.bounding_box()
    page.mouse.click(strip["x"] + strip["width"] / 2, strip["y"] + strip["height"] / 2)
    screen.wait(lambda: abs(screen.position - 1208) <= 12)
    stage = page.locator(".sl-stage").first
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    # the first line of cells is the root, as wide as the stage
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 20)
    page.get_by_text("level 1 (root)").first.wait_for()
    page.keyboard.press("p")
    screen.wait(lambda: page.evaluate(SMALLEST) <= 12)


@pytest.mark.nightly
def test_in_a_field_the_key_is_a_letter(visit: Any) -> None:
    screen = visit(played=True)
    screen.unfold("Learners")
    field = screen.page.get_by_label("Seed of the learners")
    field.click()
    screen.page.keyboard.press("p")
    assert field.input_value().endswith("p")
    field.fill("1")
    screen.close_drawer()
    assert screen.button("Projector").get_attribute("aria-pressed") == "false"


@pytest.mark.nightly
def test_on_a_phone_the_transport_stays_at_the_bottom(visit: Any) -> None:
    screen = visit(played=True, width=420, height=860, has_touch=True, is_mobile=True)
    page = screen.page
    screen.wait(lambda: screen.position == 300)

    def bottom() -> float:
        box = page.get_by_role("group", name="Playback").bounding_box()
        return box["y"] + box["height"]

    screen.wait(lambda: abs(bottom() - 860) <= 2)
    page.get_by_role("tab", name="Labels").scroll_into_view_if_needed()
    assert abs(bottom() - 860) <= 2
    screen.button("Play").tap()
    screen.until("playing")
    assert not page.evaluate(WIDER)
