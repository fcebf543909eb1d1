"""Cause, effect and mechanism on one screen: sentence, pictures, curve and Play are whole without scrolling."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.ui.probes import words_seen
from tests.ui.screen import PATIENCE_S, Screen
from tests.ui.test_timeline import PLACE

APPS = (
    "stream_monitor",
    "hedged_tree",
    "label_hierarchy",
    "balanced_neighbours",
    "drift_lab",
    "council",
    "river_models",
)
"""The other tests of the monitor and of a tree look there, so as not to open a page of their own."""
SIZES = [(1280, 720), (1400, 900), (1920, 1080)]
COUNTED = """() => {
    sessionStorage.clicks = 0;
    addEventListener("pointerdown", () => { sessionStorage.clicks = 1 + Number(sessionStorage.clicks); }, true);
}"""
LEAST_SHARE = 0.4
"""Of the window, that the picture has."""
SMALL_SHARE = 0.2
"""The same in the drift laboratory, where the curve is the main picture."""


def prepare() -> None:
    from streamlab.learners import MLHAT, SMART, BalancedKNN, Council, HedgedMLHAT, HierarchicalKNN

    # compiled once here, so that the pages read the kernels from the cache
    for learner in (SMART, MLHAT, HedgedMLHAT, HierarchicalKNN, BalancedKNN, Council()):
        learner.prepare()


def parts(screen: Screen) -> dict[str, dict[str, float]]:
    """Boxes of what a first look needs, px."""
    page = screen.page
    found = {"picture": page.locator("[data-part=picture]:visible"), "curve": page.locator("[data-part=curve]")}
    found |= {"story": page.locator("[data-area=story]"), "Play": page.locator(".sl-play")}
    drawings = page.locator("[data-part=picture]:visible .sl-stage")
    found |= {f"drawing {i + 1}": drawings.nth(i) for i in range(drawings.count())}
    heads = page.locator(".sl-pane-head:visible")
    found |= {f"head {i + 1}": heads.nth(i) for i in range(heads.count())}
    return {name: each.bounding_box() for name, each in found.items()}


def cut(box: dict[str, float], width: int, height: int) -> bool:
    """Whether a box is not wholly in the window."""
    return box["x"] < 0 or box["y"] < 0 or box["x"] + box["width"] > width or box["y"] + box["height"] > height


@pytest.mark.nightly
@pytest.mark.parametrize("app", APPS[1:])
def test_a_first_look_needs_no_scrolling(visit: Any, app: str) -> None:
    nothing_is_cut(visit(app, played=True), SMALL_SHARE if app == "drift_lab" else LEAST_SHARE)


def nothing_is_cut(screen: Screen, least: float = LEAST_SHARE) -> None:
    """Assert that what a first look needs is whole in windows of all ``SIZES``, and on a phone nothing is wider."""
    screen.wait(lambda: len(screen.curves()["position"]) > 0)
    # nothing lies over them
    controls = (screen.button("Play"), screen.page.get_by_label("Measure", exact=True))
    fits(screen.page, lambda: parts(screen), controls, least)
    screen.page.set_viewport_size({"width": 320, "height": 640})
    screen.wait(lambda: screen.rightmost() <= 320)


MOST_WORDS = 110
"""On the first screen, those drawn on canvases aside."""


def test_parts_have_their_heights_and_few_words_before_the_first_event_at_it_and_at_the_end(visit: Any) -> None:
    screen = visit(query="?at=1100")
    page = screen.page

    def areas(*names: str) -> dict[str, Any]:
        return {name: page.locator(f"[data-area={name}]").bounding_box() for name in names}

    def has_few_words() -> None:
        screen.wait(lambda: page.locator(".sl-curves .sl-name:visible").count() == 3)
        words = words_seen(page)
        assert 30 < len(words) <= MOST_WORDS, " ".join(words)

    screen.wait(lambda: screen.curves()["position"][-1:] == [1100])
    has_few_words()
    assert page.locator("header.header").bounding_box()["height"] == 48
    screen.wait(lambda: areas("transport")["transport"]["y"] == 840)
    found = areas("stage", "timeline", "transport")
    assert {name: (box["y"], box["height"]) for name, box in found.items()} == {
        "stage": (112, 492), "timeline": (604, 236), "transport": (840, 60),
    }  # fmt: skip
    for _ in range(2):
        page.keyboard.press("PageDown")
    screen.wait(lambda: screen.curves()["position"][-1:] == [1300] and page.locator(".sl-brief").count() == 1)
    has_few_words()
    screen.speed("flat out")
    screen.play()
    screen.until("finished")
    screen.wait(lambda: screen.curves()["position"][-1:] == [2417])
    has_few_words()
    on_a_phone_the_curve_comes_first_and_play_is_at_the_bottom(page, areas, screen.wait)


def on_a_phone_the_curve_comes_first_and_play_is_at_the_bottom(page: Any, areas: Any, wait: Any) -> None:
    page.set_viewport_size({"width": 420, "height": 860})

    def stands() -> bool:
        tops = [box["y"] for box in areas("story", "timeline", "stage").values()]
        bar = areas("transport")["transport"]
        words, head = page.locator(".sl-views").bounding_box(), page.locator(".sl-pane-head").first.bounding_box()
        in_a_line = words["height"] < 50 and words["x"] >= 0 and words["y"] + words["height"] <= head["y"] + 1
        return tops == sorted(tops) and abs(bar["y"] + bar["height"] - 860) <= 2 and in_a_line

    wait(stands)


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
        end = time.monotonic() + PATIENCE_S
        while faults() and time.monotonic() < end:
            page.wait_for_timeout(100)
        assert faults() == [], f"{width} x {height}"
        for control in controls:
            control.click(trial=True)


@pytest.mark.nightly
def test_what_people_want_is_one_or_two_clicks_away(visit: Any, tmp_path: Path) -> None:
    own = tmp_path / "own.csv"
    own.write_text("a,b,y\n" + "".join(f"{i % 7},{i % 5},{i % 2}\n" for i in range(300)))
    screen = visit("stream_monitor", played=True)
    page = screen.page
    page.evaluate(COUNTED)
    needed: dict[str, int] = {}

    def done(what: str) -> None:
        needed[what] = page.evaluate("Number(sessionStorage.clicks)")
        page.evaluate("sessionStorage.clicks = 0")

    screen.control("SMART").click()
    page.keyboard.type("100")
    page.keyboard.press("Enter")
    screen.wait(lambda: any("half_life" in text for _, text in screen.marks()))
    done("change half-life")
    screen.play()
    done("play")
    screen.speed("flat out")
    screen.until("finished")
    page.evaluate("sessionStorage.clicks = 0")
    page.get_by_role("button", name="The stream changes at row 900").click()
    screen.panel.get_by_text("every label took the next one's name").first.wait_for()
    done("see the drift's cause")
    page.mouse.click(*page.evaluate(PLACE, 1400))
    page.get_by_role("dialog", name="At row").get_by_role("button", name="Go to this row").click()
    screen.wait(lambda: 1380 < screen.position < 1420)
    done("go back 500 rows")
    page.get_by_role("button", name="Fork here").click()
    screen.wait(lambda: len(screen.learners()) == 4)
    done("fork")
    with page.expect_file_chooser() as choice:
        page.locator(".sl-upload .sl-drop").first.click()
    choice.value.set_files(own)
    screen.renewed(page.locator("dialog.sl-own").get_by_role("button", name="Start").click)
    screen.wait(lambda: screen.timeline()["axis"] == [0, 300])
    done("load an own CSV")
    page.get_by_role("button", name="Lessons").click()
    page.get_by_role("navigation", name="Lessons").get_by_role("link").first.click()
    page.wait_for_function("window.__streamlab_lesson?.stats().number === 1")
    done("take lesson 1")
    assert {what: clicks for what, clicks in needed.items() if not 1 <= clicks <= 2} == {}
