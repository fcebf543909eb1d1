"""The projection view in a real page, fed by made-up frames: gliding, names, links, bars, pointer and keys."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np
import pytest

from tests.ui.drawing import Drawing, opened

LABELS = ["Beach", "Sunset", "Field"]
MEANS = [(-1.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
STAGE = ".sl-projection .sl-stage"
CANVAS = f"{STAGE} > canvas"
CHOSEN = [184, 87, 143]


def frame(first: int = 0, count: int = 240, **changes: Any) -> dict[str, Any]:
    """Instances on a grid, number ``first`` in a corner; every third carries the first label, the last carries all."""
    rows = np.arange(first, first + count)
    x, y = np.linspace(-2, 2, 24)[rows % 24], np.linspace(-2, 2, 10)[(rows // 24) % 10]
    bits = np.where(rows % 3 == 0, 1, 2)
    bits[-1] = 7
    means = np.array(MEANS)
    return {
        "now": int(first + count), "n_labels": 3, "subject": "BKNN", "target": None, "truth": [],
        "row": rows.tolist(), "x": x.tolist(), "y": y.tolist(), "bits": bits.tolist(),
        "mean_x": means[:, 0].tolist(), "mean_y": means[:, 1].tolist(), "weight": [80, 160, 1], "window": [80, 160, 1],
        "threshold": [0.1, 0.2, -0.3], "score": [0.4, 0.1, -0.2],
        "link_label": [], "link_row": [], "link_x": [], "link_y": [],
    } | changes  # fmt: skip


class View(Drawing):
    name = "projection"
    options: ClassVar = {"labels": LABELS}
    hears = ("onSelect", "onChange")

    def update(self, given: dict[str, Any]) -> None:
        received = self.stats()["frames_received"]
        # JSON has no NaN
        self.page.evaluate(
            """given => view.update(Object.fromEntries(Object.entries(given).map(
                ([name, value]) => [name, Array.isArray(value) ? value.map(v => v === null ? NaN : v) : value])))""",
            given,
        )
        assert self.stats()["frames_received"] == received + 1

    def show(self, given: dict[str, Any]) -> None:
        self.update(given)
        self.page.wait_for_function(
            "now => view.stats().now === now && !view.stats().waiting && !view.stats().moving", arg=given["now"]
        )
        # a frame that comes sooner after another may jump
        self.page.wait_for_timeout(60)

    def said_until(self, last: list[Any]) -> list[list[Any]]:
        """What it told the page since the last call, once it has told this."""
        as_text = json.dumps(last, separators=(",", ":"))
        self.page.wait_for_function("last => said.some(each => JSON.stringify(each) === last)", arg=as_text)
        return self.said()


view = opened(View)


def test_points_crosses_and_bars(view: Any) -> None:
    shown = view()
    shown.page.get_by_text("The picture is being drawn").wait_for()
    shown.update(frame() | {"row": [], "x": [], "y": [], "bits": []})
    shown.page.get_by_text("No instance yet: press play").wait_for()
    shown.show(frame())
    assert not shown.page.locator(".sl-empty").is_visible()
    stats = shown.stats()
    assert (stats["points"], stats["means"], stats["names"], stats["newest"]) == (240, 3, 3, 239)
    shown.page.get_by_text("Each mark is one of the newest 240 rows kept; 81 have Beach.").wait_for()
    # with the label: filled; without: hollow, and another class's mean grey
    assert shown.pixel(*shown.at("place(0)"))[:3] == pytest.approx(CHOSEN, abs=30)
    assert shown.pixel(*shown.at("place(1)"))[3] == 0
    assert shown.pixel(*shown.at("placeOfMean(1)"))[:3] == pytest.approx([107, 116, 128], abs=30)
    rows = shown.page.get_by_role("list", name="Decision score of each class").get_by_role("listitem")
    assert [text.split() for text in rows.all_inner_texts()] == [
        ["Beach", "46.7", "%", "✓", "right"], ["Sunset", "36.7", "%", "○", "missed"],
        ["Field", "26.7", "%", "✓", "right"],
    ]  # fmt: skip
    # each has a mark that it has to pass, but where each row has one class
    ticks = shown.page.locator(".sl-projection .sl-tick:visible")
    assert ticks.count() == 3
    outcome = shown.page.locator(".sl-answer")
    assert [int(word) for word in outcome.inner_text().split() if word.isdigit()] == [2, 0, 1, 3]
    # the answer that was scored comes first, and is not mixed with the one that is asked again
    scored = {"answered": [1], "true": [0, 1]}
    shown.show(frame(24, scored=scored))
    assert [int(word) for word in outcome.inner_text().split() if word.isdigit()] == [1, 0, 1, 3]
    # of a row that is not learned yet there are no bars: words and bars are of the newest that is
    shown.show(frame(24, scored=scored, now=290))
    assert [int(word) for word in outcome.inner_text().split() if word.isdigit()] == [2, 0, 1, 3]
    shown.show(frame(24, scored={"answered": [0], "true": [0]}, classes=True, counted=True, threshold=[0.1, 0.4, 0.4]))
    assert (outcome.inner_text(), ticks.count()) == ("Answered: Beach, right", 0)
    assert "Asked again" not in shown.page.locator(".sl-asked").inner_text()


def test_a_list_that_is_cut_says_how_many_more_there_are(view: Any) -> None:
    shown = view()
    shown.show(frame())
    # head and line at the foot take 45 px, a class 25
    cut = shown.page.locator(".sl-projection .sl-list[data-more]")
    shown.page.evaluate("view.scores.node.style.setProperty('max-height', '75px', 'important')")
    cut.wait_for()
    assert [int(word) for word in cut.get_attribute("data-more").split() if word.isdigit()] == [2]
    shown.page.evaluate("view.scores.node.scrollTop = 1000")
    cut.wait_for(state="detached")


def test_instances_keep_their_identity(view: Any) -> None:
    shown = view(stopped=True)
    shown.update(frame())
    shown.page.clock.run_for(1_000)
    moved = [x + 0.3 for x, _ in MEANS]
    shown.update(frame(24, mean_x=moved, mean_y=[0.0, 0.0, None]))
    shown.page.clock.run_for(50)
    # 24 have come, 24 are leaving
    stats = shown.stats()
    assert (stats["moving"], stats["drawn_points"]) == (True, 264)
    shown.page.clock.run_for(1_000)
    stats = shown.stats()
    assert (stats["moving"], stats["drawn_points"], stats["means"]) == (False, 240, 2)
    # the same again: nothing moves
    shown.update(frame(24, mean_x=moved, mean_y=[0.0, 0.0, None], now=999))
    shown.page.clock.run_for(50)
    stats = shown.stats()
    assert (stats["now"], stats["moving"]) == (999, False)


def test_the_pointer_asks_and_a_click_pins(view: Any) -> None:
    shown = view()
    shown.show(frame())
    x, y = shown.at("place(24)")
    shown.page.mouse.move(x, y)
    assert shown.said_until(["pointed", 24]) == [["pointed", 24]]
    target = [24, frame()["x"][24], frame()["y"][24]]
    links = {"link_label": [0, 1], "link_row": [27, 25], "link_x": [0, 0], "link_y": [0, 0]}
    answer = frame(target=target, truth=[0], score=[0.0, 0.5, -0.9], **links)
    shown.show(answer)
    tip = shown.page.locator(f"{STAGE} .sl-tip")
    assert tip.inner_text().split("\n") == ["Instance 25", "true: Beach", "answered: Sunset"]
    shown.page.get_by_text("Row 25, pointed at").wait_for()
    # a link in colour half-way to the neighbour of the label
    (x1, y1) = shown.at("place(27)")
    middle = shown.pixel((x + x1) / 2, (y + y1) / 2)
    assert middle[:3] == pytest.approx(CHOSEN, abs=40)
    shown.page.mouse.click(x, y)
    assert shown.said_until(["select", 24]) == [["select", 24]]
    assert shown.live().endswith("pinned.")
    shown.page.mouse.move(2, 2)
    assert shown.said_until(["pointed", None]) == [["pointed", None]]
    shown.page.get_by_text("Row 25, pinned").wait_for()
    shown.page.mouse.click(x, y)
    shown.said_until(["select", None])


def test_labels_are_chosen_by_cross_bar_list_and_key(view: Any) -> None:
    shown = view()
    shown.show(frame())
    shown.page.mouse.click(*shown.at("placeOfMean(1)"))
    shown.said_until(["label", 1])
    shown.page.get_by_role("listitem").filter(has_text="Field").click()
    shown.page.get_by_label("Label in colour", exact=True).select_option(label="Beach")
    shown.page.locator(STAGE).focus()
    shown.page.keyboard.press("PageUp")
    shown.page.wait_for_function("() => said.filter(([kind]) => kind === 'label').length === 3")
    assert shown.page.evaluate("said") == [["label", 2], ["label", 0], ["label", 2]]
    assert shown.live() == "Field is in colour."
    assert shown.pixel(*shown.at("place(0)"))[3] == 0
