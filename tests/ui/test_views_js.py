"""The fading view and the label view in a real page, fed by trees that grow, fade and drift ten times a second."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import pytest

from streamlab.views.kit.picture import Drawn
from streamlab.views.pictures.forest.picture import ForestView
from streamlab.views.pictures.labels.picture import LabelView

PERIOD_MS = 100
LABELS = ["Beach", "Sunset", "Fall foliage", "Field", "Mountain", "Urban"]


class EvolvingTrees:
    """Trees with random tests on a stream whose instances drift: what SMART's ``nodes()`` gives, without SMART."""

    def __init__(self, n_trees: int = 20, depths: int = 8, half_life: float = 200.0, seed: int = 1) -> None:
        self.rng = np.random.default_rng(seed)
        self.n_trees, self.depths, self.half_life = n_trees, depths, half_life
        shape = (n_trees, 2**depths - 1)
        self.weight, self.seen = np.zeros(shape), np.zeros(shape)
        self.last, self.id = np.full(shape, -1), np.full(shape, -1)
        self.turn = self.rng.beta(0.5, 0.5, shape)
        self.top = self.rng.integers(0, len(LABELS), shape)
        self.now = self.next_id = 0

    @property
    def before(self) -> float:
        """The share of evidence that is from before row 1,000."""
        return 0.0 if self.now < 1000 else 0.5 ** ((self.now - 1000) / self.half_life)

    def extra(self) -> dict[str, Any]:
        mark = None if self.now < 1000 else {"row": 1000, "drift": 1, "since": self.now - 1000}
        return {
            "half_life": self.half_life, "n_trees": self.n_trees, "height": 15, "full": float(self.weight[:, 0].max()),
            "share": self.before, "mark": mark,
        }  # fmt: skip

    def learn(self, count: int) -> None:
        if self.now // 2000 != (self.now + count) // 2000:
            self.turn = self.rng.beta(0.5, 0.5, self.turn.shape)
        trees = np.arange(self.n_trees)
        self.weight *= 0.5 ** (count / self.half_life)
        for _ in range(count):
            self.now += 1
            node = np.zeros(self.n_trees, dtype=int)
            for _ in range(self.depths):
                self.weight[trees, node] += 1
                self.seen[trees, node] += 1
                self.last[trees, node] = self.now
                node = 2 * node + 1 + (self.rng.random(self.n_trees) < self.turn[trees, node])
                if node.max() >= self.weight.shape[1]:
                    break

    def columns(self) -> dict[str, np.ndarray]:
        new = (self.weight > 0) & (self.id < 0)
        self.id[new] = self.next_id + np.arange(new.sum())
        self.next_id += int(new.sum())
        tree, node = np.nonzero(self.weight > 1e-3)
        parent = np.where(node > 0, self.id[tree, (node - 1) // 2], -1)
        weight = self.weight[tree, node]
        full = self.weight[:, 0].max() or 1.0
        share = self.seen[tree, node] / np.maximum(self.seen[tree, 0], 1)
        return {
            "id": self.id[tree, node],
            "tree": tree,
            "node": node,
            "parent": parent,
            "depth": np.floor(np.log2(node + 1)).astype(int),
            "weight": weight,
            "share": share,
            "age": self.now - self.last[tree, node],
            "fill": np.minimum(weight / (full * share), 1.0),
            "before": np.full(len(node), self.before),
            "lit": (tree == 0) & (np.isin(node, [0, 1, 4])),
            "cardinality": np.full(len(node), 1.3),
            "top": self.top[tree, node],
        }


class Feed:
    """What a page's session holds: its trees, its views, and the callback that feeds one to the other."""

    def __init__(self, dark: bool = False, n_labels: int = 6) -> None:
        self.trees = EvolvingTrees()
        self.names = LABELS if n_labels == 6 else [f"label {i}" for i in range(n_labels)]
        self.fading = ForestView(labels=LABELS, dark=dark)
        self.labels = LabelView(dark=dark)
        self.on = True
        self.phase = np.random.default_rng(2).uniform(0, 6, n_labels)

    def step(self) -> None:
        if not self.on:
            return
        trees = self.trees
        trees.learn(20)
        self.fading.show(Drawn("SMART", trees.now, trees.columns(), trees.extra()))
        now = 0.22 + 0.18 * np.sin(trees.now / 400 + self.phase)
        whole = np.full(len(now), 0.22) + 0.02 * np.cos(self.phase)
        both = np.outer(now, now) * (0.6 + 0.4 * np.sin(self.phase[:, None] - self.phase))
        shares = {"recent": now, "whole": whole}
        self.labels.show(Drawn("SMART", trees.now, shares, {"names": self.names, "together": both}))

    def app(self) -> Any:
        pn.state.add_periodic_callback(self.step, period=PERIOD_MS)
        return pn.Column(self.labels, self.fading, sizing_mode="stretch_width", margin=0)


NOTE_FALLING = """() => {
    const find = (root) => {
        for (const node of root.querySelectorAll("*")) {
            const found = node.__fading_stats ?? (node.shadowRoot && find(node.shadowRoot));
            if (found) return found;
        }
    };
    const stats = find(document);
    const look = () => (window.fell = stats().falling) || requestAnimationFrame(look);
    look();
}"""
STAGE = ".sl-fading .sl-stage"
CANVAS = f"{STAGE} canvas"


def stats(page: Any, view: str = "fading") -> dict[str, float]:
    """The view's own counts; Panel draws it in nested shadow roots."""
    return page.evaluate(
        """name => {
            const find = (root) => {
                for (const node of root.querySelectorAll("*")) {
                    const found = node[`__${name}_stats`] ?? (node.shadowRoot && find(node.shadowRoot));
                    if (found) return found;
                }
            };
            return (find(document) ?? (() => null))();
        }""",
        view,
    )


def wait_for_cells(page: Any, wait_until: Any, count: int = 40) -> None:
    page.wait_for_selector(CANVAS, state="attached")
    wait_until(lambda: (stats(page) or {"cells": 0})["cells"] >= count, page)


def cell_place(page: Any) -> tuple[float, float]:
    """A place in the root of the large tree, in page pixels."""
    box = page.locator(CANVAS).bounding_box()
    return box["x"] + 60, box["y"] + 16


BEFORE_BARS = 84
"""About how wide the words before the bars are, px."""


def bar_place(page: Any, tree: int, n_trees: int) -> tuple[float, float]:
    """The middle of a tree's small bar, in page pixels."""
    box = page.locator(CANVAS).bounding_box()
    # they end at the right edge, and which tree is large stands before them
    step = (box["width"] - 4 - BEFORE_BARS) / n_trees
    return box["x"] + box["width"] - 2 - (n_trees - tree - 0.4) * step, box["y"] + box["height"] - 20


def test_pointer_and_keys_describe_and_select(serve: Any, page: Any, wait_until: Any) -> None:
    feed = Feed()
    opened = page(serve(feed.app))
    wait_for_cells(opened, wait_until)
    opened.locator(CANVAS).scroll_into_view_if_needed()
    x, y = cell_place(opened)
    root = int(feed.trees.id[0, 0])
    opened.mouse.click(x, y)
    wait_until(lambda: feed.fading.selected == root, opened)
    opened.mouse.click(x, y)
    wait_until(lambda: feed.fading.selected is None, opened)
    opened.mouse.move(x + 3, y)
    tip = opened.locator(f"{STAGE} .sl-tip")
    tip.wait_for(state="visible")
    assert "Tree 1 · level 1 (root)" in tip.inner_text()
    assert "evidence kept: that of" in tip.inner_text()

    feed.on = False
    opened.mouse.move(0, 0)
    live = opened.locator(".sl-fading [aria-live]")
    wait_until(lambda: live.text_content() == "Nothing is selected.", opened)
    opened.locator(STAGE).focus()
    for key, said in [("ArrowDown", "Tree 1, level 1 (root)"), ("PageDown", "Tree 2, level 1 (root)")]:
        opened.keyboard.press(key)
        assert live.text_content().startswith(said), key
    opened.keyboard.press("Enter")
    wait_until(lambda: feed.fading.selected == int(feed.trees.id[1, 0]), opened)
    assert "selected" in live.text_content()
    opened.keyboard.press("Escape")
    wait_until(lambda: feed.fading.selected is None, opened)

    # what is large follows the keys, a click on a bar, and the table; in Python it is a parameter
    wait_until(lambda: feed.fading.tree == 1, opened)
    opened.keyboard.press("Enter")
    wait_until(lambda: feed.fading.selected is not None, opened)
    opened.mouse.click(*bar_place(opened, 4, 20))
    wait_until(lambda: feed.fading.tree == 4, opened)
    wait_until(lambda: feed.fading.selected is None, opened)
    assert live.text_content().startswith("Tree 5, level 1 (root)")
    assert stats(opened)["tree"] == 4
    opened.locator(".sl-fading summary").click()
    opened.get_by_role("button", name="Show tree 3").click()
    wait_until(lambda: feed.fading.tree == 2, opened)
    feed.fading.tree = 0
    wait_until(lambda: stats(opened)["tree"] == 0, opened)


def test_a_row_falls_and_old_evidence_is_hatched_below_new(serve: Any, page: Any, wait_until: Any) -> None:
    feed = Feed()
    opened = page(serve(feed.app))
    wait_for_cells(opened, wait_until)
    view = opened.locator(".sl-fading")
    feed.on = False
    # a row falls where rows come rarely; that may be over before the test looks again
    opened.evaluate(NOTE_FALLING)

    def has_fallen() -> bool:
        opened.wait_for_timeout(800)
        feed.trees.learn(1)
        feed.fading.show(Drawn("SMART", feed.trees.now, feed.trees.columns(), feed.trees.extra()))
        opened.wait_for_timeout(200)
        return opened.evaluate("window.fell")

    # a browser that has no time to draw takes several frames together, and none of their rows falls
    wait_until(has_fallen, opened)
    wait_until(lambda: not stats(opened)["moving"], opened)
    feed.trees.learn(1212 - feed.trees.now)
    feed.fading.show(Drawn("SMART", feed.trees.now, feed.trees.columns(), feed.trees.extra()))
    opened.locator(".sl-fading summary").click()
    wait_until(lambda: view.locator("tbody tr").count() == 20, opened)
    wait_until(lambda: view.locator("tbody tr").first.locator("td").all_inner_texts()[2] == "48 %", opened)
    # hatched below, solid above: as high as the shares say
    column = opened.locator(CANVAS).evaluate(
        """canvas => {
            const ratio = window.devicePixelRatio, context = canvas.getContext("2d");
            const { data } = context.getImageData(Math.round(6 * ratio), 0, 1, canvas.height);
            return Array.from({ length: data.length / 4 }, (_, i) => Array.from(data.slice(4 * i, 4 * i + 3)));
        }"""
    )
    solid = [colour == [42, 148, 133] for colour in column]
    first = solid.index(True)
    n_solid = solid.index(False, first) - first
    # the next level begins with its own solid part
    n_level = solid.index(True, first + n_solid) - first
    assert 0.42 <= n_solid / n_level <= 0.6


# The first message about a model that came after the page did has BokehJS 3.9 send that model back whole; harmless.
@pytest.mark.filterwarnings("ignore:reference already known")
def test_empty_then_tables_then_removed_and_shown_again(serve: Any, page: Any, wait_until: Any) -> None:
    feed = Feed()
    feed.on = False
    place = pn.Column(sizing_mode="stretch_width")

    def app() -> Any:
        place[:] = [feed.app()]
        return place

    opened = page(serve(app))
    wait_until(lambda: opened.get_by_text("The picture is being drawn").count() == 2, opened)
    feed.on = True
    wait_for_cells(opened, wait_until)
    assert not opened.locator(".sl-fading .sl-empty").is_visible()
    opened.locator(".sl-fading summary").click()
    wait_until(lambda: opened.locator(".sl-fading tbody tr").count() == 20, opened)
    opened.locator(".sl-labels summary").click()
    wait_until(lambda: opened.locator(".sl-labels tbody tr").count() == len(LABELS), opened)

    feed.on = False
    place.clear()
    opened.locator(CANVAS).wait_for(state="detached")
    assert stats(opened) is None
    # A page that comes late gets the last frame, though none is sent any more.
    place.append(feed.fading)
    wait_for_cells(opened, wait_until)
