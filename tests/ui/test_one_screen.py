"""Cause, effect and mechanism on one screen: picture, curve, story, Play and cards are whole without scrolling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.ui.screen import Screen

pytest.importorskip("panel")
pytest.importorskip("panel_material_ui")

pytestmark = pytest.mark.ui

ALWAYS = ("stream_monitor", "mlhat_tree")
BY_NIGHT = ("hedged_tree", "label_hierarchy", "balanced_neighbours", "drift_lab")
APPS = ALWAYS + BY_NIGHT
SIZES = [(1280, 720), (1400, 900), (1920, 1080)]
LEAST_SHARE = 0.4
"""Of the window, that the picture has."""


def prepare() -> None:
    from streamlab.learners import MLHAT, SMART, BalancedKNN, HedgedMLHAT, HierarchicalKNN

    # compiled once here, so that the pages read the kernels from the cache
    for learner in (SMART, MLHAT, HedgedMLHAT, HierarchicalKNN, BalancedKNN):
        learner.prepare()


def parts(screen: Screen) -> dict[str, dict[str, float]]:
    """Boxes of what a first look needs, px."""
    page = screen.page
    found = {"picture": page.locator("[data-part=picture]:visible"), "curve": page.locator("[data-part=curve]")}
    found |= {"story": page.locator("[data-area=story]"), "Play": page.locator(".sl-play")}
    drawings = page.locator("[data-part=picture]:visible .sl-stage")
    found |= {f"drawing {i + 1}": drawings.nth(i) for i in range(drawings.count())}
    cards = page.locator("[data-area=cards] h3")
    found |= {f"card {i + 1}": cards.nth(i) for i in range(min(2, len(screen.learners())))}
    return {name: each.bounding_box() for name, each in found.items()}


def cut(box: dict[str, float], width: int, height: int) -> bool:
    """Whether a box is not wholly in the window."""
    return box["x"] < 0 or box["y"] < 0 or box["x"] + box["width"] > width or box["y"] + box["height"] > height


def test_a_first_look_at_the_monitor_and_at_a_tree_needs_no_scrolling(visit: Any) -> None:
    for app in ALWAYS:
        nothing_is_cut(visit, app)


@pytest.mark.nightly
@pytest.mark.parametrize("app", BY_NIGHT)
def test_a_first_look_at_the_others_needs_no_scrolling(visit: Any, app: str) -> None:
    nothing_is_cut(visit, app)


def nothing_is_cut(visit: Any, app: str) -> None:
    screen = visit(app, played=True)
    screen.wait(lambda: len(screen.curves()["position"]) > 0)
    # nothing lies over them
    controls = (screen.button("Play"), screen.page.get_by_label("Measure", exact=True))
    fits(screen.page, lambda: parts(screen), controls)
    screen.page.set_viewport_size({"width": 320, "height": 640})
    screen.wait(lambda: screen.rightmost() <= 320, timeout_s=10)


def fits(
    page: Any, boxes: Callable[[], dict[str, Any]], controls: Sequence[Any] = (), least: float = LEAST_SHARE
) -> None:
    """Assert that boxes are whole in windows of all ``SIZES``, and that the picture has its least share of them."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})

        def faults(width: int = width, height: int = height) -> list[str]:
            found = boxes()
            share = found["picture"]["width"] * found["picture"]["height"] / (width * height)
            return [f"{name}: {box}" for name, box in found.items() if cut(box, width, height)] + [
                f"the picture has {share:.0%} of the window"
            ] * (share < least)

        # it follows the window's size a moment later
        for _ in range(20):
            if not faults():
                break
            page.wait_for_timeout(100)
        assert faults() == [], f"{width} x {height}"
        for control in controls:
            control.click(trial=True, timeout=5_000)
