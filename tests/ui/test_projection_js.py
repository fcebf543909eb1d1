"""The projection view in a real page, fed by made-up frames: gliding, names, links, pointer and keys."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np
import pytest

from tests.ui.drawing import Drawing, opened

LABELS = ["Beach", "Sunset", "Field"]
MEANS = [(-1.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
STAGE = ".sl-projection .sl-stage"
CHOSEN = [184, 87, 143]


def frame(first: int = 0, count: int = 240, **changes: Any) -> dict[str, Any]:
    """Instances on a grid, number ``first`` in a corner; every third carries the first label, the last carries all."""
    rows = np.arange(first, first + count)
    x, y = np.linspace(-2, 2, 24)[rows % 24], np.linspace(-2, 2, 10)[(rows // 24) % 10]
    bits = np.where(rows % 3 == 0, 1, 2)
    bits[-1] = 7
    means = np.array(MEANS)
    return {
        "now": int(first + count), "n_labels": 3, "subject": "BKNN", "target": None, "truth": [], "n_old": 0,
        "bounds": [-2, 2, -2, 2],
        "row": rows.tolist(), "x": x.tolist(), "y": y.tolist(), "bits": bits.tolist(),
        "mean_x": means[:, 0].tolist(), "mean_y": means[:, 1].tolist(), "rows": [80, 160, 1],
        "link_row": [], "link_x": [], "link_y": [],
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


FRESH, OLD = [0x2A, 0x94, 0x85], [0x85, 0x7B, 0x6F]


def test_rows_from_before_a_drift_are_hollow_and_others_filled(view: Any) -> None:
    shown = view()
    shown.page.get_by_text("The picture is being drawn").wait_for()
    shown.update(frame() | {"row": [], "x": [], "y": [], "bits": []})
    shown.page.get_by_text("No instance yet: press play").wait_for()
    shown.show(frame(n_old=100, before={"drift": 1, "row": 100, "rows": 100, "of": 240, "renewed": 0}))
    assert not shown.page.locator(".sl-empty").is_visible()
    stats = shown.stats()
    assert (stats["points"], stats["means"], stats["names"], stats["newest"]) == (240, 3, 3, 239)
    shown.page.get_by_text("Each mark is one of the newest 240 rows kept.").wait_for()
    assert shown.pixel(*shown.at("place(100)"))[:3] == pytest.approx(FRESH, abs=40)
    x, y = shown.at("place(99)")
    assert shown.pixel(x, y)[3] == 0
    assert shown.pixel(x - 3.6, y)[:3] == pytest.approx(OLD, abs=60)


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
    links = {"link_row": [27, 25], "link_x": [0, 0], "link_y": [0, 0]}
    shown.show(frame(target=target, **links))
    tip = shown.page.locator(f"{STAGE} .sl-tip")
    assert tip.inner_text().split("\n") == ["Instance 25", "true: Beach"]
    # a link half-way to the farther neighbour
    (x1, y1) = shown.at("place(27)")
    middle = shown.pixel((x + x1) / 2 + 6, (y + y1) / 2)
    assert middle[:3] == pytest.approx([0x6B, 0x74, 0x80], abs=40)
    shown.page.mouse.click(x, y)
    assert shown.said_until(["select", 24]) == [["select", 24]]
    assert shown.live().endswith("pinned.")
    shown.page.mouse.move(2, 2)
    assert shown.said_until(["pointed", None]) == [["pointed", None]]
    shown.page.mouse.click(x, y)
    shown.said_until(["select", None])


def test_labels_are_chosen_by_name_and_key_and_let_go(view: Any) -> None:
    shown = view()
    shown.show(frame())
    assert shown.pixel(*shown.at("place(0)"))[:3] != pytest.approx(CHOSEN, abs=30), "none is chosen at first"
    of_first = [place + 9 for place in shown.at("tip(-1).box")]
    shown.page.mouse.click(*of_first)
    shown.said_until(["label", 0])
    assert shown.pixel(*shown.at("place(0)"))[:3] == pytest.approx(CHOSEN, abs=40)
    assert shown.page.evaluate("view.summarise()").endswith("80 have Beach.")
    shown.page.mouse.click(*of_first)
    shown.said_until(["label", -1])
    shown.page.locator(STAGE).focus()
    shown.page.keyboard.press("PageDown")
    shown.page.wait_for_function("() => said.filter(([kind]) => kind === 'label').length === 1")
    assert shown.live() == "Beach is in colour."
