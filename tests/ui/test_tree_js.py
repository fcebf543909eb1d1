"""The tree view in a real page, fed by a made-up tree that grows, is challenged by alternates, and loses to them."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

from streamlab.views.kit.tree_layout import tree_layout
from streamlab.views.pictures.tree.picture import TreeView
from tests.ui.drawing import Drawing, opened

FEATURES = ["temperature", "humidity", "f3", "wind speed", "colour", "pressure"]
CATEGORIES = [None, None, None, None, ["red", "green", "blue"]]
LABELS = ["Beach", "Sunset", "Fall foliage", "Field", "Mountain", "Urban"]
COLOUR = FEATURES.index("colour")


class MadeUpTree:
    """What a Hoeffding tree tells of its nodes, without the tree."""

    def __init__(self, seed: int = 1) -> None:
        self.rng = np.random.default_rng(seed)
        self.nodes: dict[int, dict[str, Any]] = {}
        self.now = self.next_id = 0
        self.add(-1, -1, 0, 0, 1000.0)

    def add(self, parent: int, rival: int, branch: int, depth: int, weight: float, background: bool = False) -> int:
        node, self.next_id = self.next_id, self.next_id + 1
        self.nodes[node] = {
            "id": node,
            "parent": parent,
            "competes_with": rival,
            "branch": branch,
            "depth": depth,
            "weight": weight,
            "weight_recent": weight / 5,
            "is_leaf": True,
            "background": background,
            "feature": -1,
            "is_nominal": False,
            "threshold": 0.0,
            "error": float(self.rng.beta(2, 4)),
            "entropy": 1.5,
            "n_labelsets": 7,
            "regime": int(self.rng.integers(1, 4)),
            "top": int(self.rng.integers(len(LABELS))),
            "active": bool(self.rng.random() < 0.9),
        }
        return node

    def split(self, node: int, feature: int | None = None, threshold: float | None = None) -> tuple[int, int]:
        self.nodes[node]["feature"] = int(self.rng.integers(len(FEATURES))) if feature is None else feature
        is_nominal = self.nodes[node]["feature"] == COLOUR
        drawn = float(self.rng.integers(3)) if is_nominal else round(self.rng.normal(), 2)
        self.nodes[node] |= {"is_leaf": False, "regime": 0, "is_nominal": is_nominal}
        self.nodes[node]["threshold"] = drawn if threshold is None else threshold
        depth, background = self.nodes[node]["depth"] + 1, self.nodes[node]["background"]
        share = self.rng.beta(2, 2)
        weights = [self.nodes[node]["weight"] * part for part in (share, 1 - share)]
        left, right = (self.add(node, -1, branch, depth, weights[branch], background) for branch in (0, 1))
        return left, right

    def challenge(self, node: int) -> int:
        rival = self.nodes[node]
        return self.add(-1, node, rival["branch"], rival["depth"], rival["weight"] / 8, background=True)

    def grow(self, n_nodes: int) -> None:
        while len(self.nodes) < n_nodes:
            leaves = [node["id"] for node in self.nodes.values() if node["is_leaf"]]
            self.split(int(self.rng.choice(leaves)))

    def below(self, node: int) -> list[int]:
        found = [node]
        for each in found:
            found += [n["id"] for n in self.nodes.values() if each in (n["parent"], n["competes_with"])]
        return found

    def columns(self) -> dict[str, np.ndarray]:
        names = next(iter(self.nodes.values()))
        return {name: np.array([node[name] for node in self.nodes.values()]) for name in names}


def small_tree() -> MadeUpTree:
    """Root 0 (f3 ≤ 0.52) with 1 (colour = red; leaves 3 and 4) and 2 (humidity); alternate 7 beside 2, with leaves."""
    tree = MadeUpTree()
    left, right = tree.split(0, FEATURES.index("f3"), 0.52)
    tree.split(left, COLOUR, 0.0)
    tree.split(right, FEATURES.index("humidity"), 31.0)
    tree.split(tree.challenge(right), FEATURES.index("wind speed"), 4.0)
    for node in tree.nodes.values():
        node |= {"top": 0 if node["id"] == 3 else 3, "error": node["id"] / 20}
    tree.now = 1234
    return tree


def frame_of(tree: MadeUpTree, **layout: Any) -> dict[str, Any]:
    """A frame as the module takes it, with lists for columns."""
    columns = tree.columns()
    drawn = TreeView._travelling(columns, tree_layout(columns, **layout))
    n_nodes = int(np.count_nonzero(columns["background"] == 0))
    return {name: values.tolist() for name, values in drawn.items()} | {"now": tree.now, "n_nodes": n_nodes}


STAGE = ".sl-tree .sl-stage"
CANVAS = f"{STAGE} > canvas"


class View(Drawing):
    name = "tree"
    options: ClassVar = {"labels": LABELS, "features": FEATURES, "categories": CATEGORIES}
    hears = ("onSelect", "onMessage")

    def show(self, tree: MadeUpTree, rest: bool = True, **layout: Any) -> None:
        self.page.evaluate("frame => view.update(frame)", frame_of(tree, **layout))
        if rest:
            self.rest()

    def rest(self) -> None:
        self.page.wait_for_function("() => !view.stats().waiting && !view.stats().moving")
        # a frame that comes sooner after another may jump
        self.page.wait_for_timeout(60)

    def place(self, node: int) -> tuple[float, float]:
        """Where a node is drawn, in pixels of the page."""
        return self.at(f"place({node})")


view = opened(View)


def test_draws_what_it_is_given(view: Any) -> None:
    shown = view()
    shown.page.get_by_text("The picture is being drawn").wait_for()
    tree = small_tree()
    shown.show(tree)
    assert not shown.page.locator(".sl-empty").is_visible()
    assert shown.stats()["nodes"] == len(tree.nodes) == 10
    assert shown.stats()["now"] == 1234
    shown.page.get_by_text("4 leaves, 3 tests, depth 2, after 1,234 rows. Beside it 1 alternate of 3 nodes.").wait_for()
    # a leaf that errs is filled
    tree.nodes[6] |= {"error": 0.0, "regime": 1, "active": True}
    shown.show(tree)
    x, y = shown.place(6)
    y -= 8  # above its label
    clean = shown.pixel(x, y)
    tree.nodes[6]["error"] = 0.9
    shown.show(tree)
    assert shown.pixel(x, y) != clean


def test_nodes_keep_their_identity_and_glide(view: Any) -> None:
    shown, tree = view(stopped=True), small_tree()
    run_for = shown.page.clock.run_for

    def counts() -> tuple[int, int, bool]:
        stats = shown.stats()
        return stats["nodes"], stats["leaving"], stats["moving"]

    shown.show(tree, rest=False)
    run_for(1_000)
    assert counts() == (10, 0, False)
    x, y = shown.place(2)
    shown.page.mouse.click(x, y)
    assert shown.said() == [["select", 2]]
    run_for(1_000)
    drawn = shown.stats()["frames_drawn"]
    tree.split(3)
    shown.show(tree, rest=False)
    run_for(50)
    assert counts() == (12, 0, True)
    run_for(1_000)
    assert counts() == (12, 0, False)
    assert shown.stats()["frames_drawn"] >= drawn + 4
    # the alternate wins: its nodes stay the same nodes, the loser's shrink away
    for node in tree.below(2):
        if node not in (7, 8, 9):
            del tree.nodes[node]
    tree.nodes[7] |= {"parent": 0, "competes_with": -1}
    for node in (7, 8, 9):
        tree.nodes[node]["background"] = False
    shown.show(tree, rest=False)
    run_for(50)
    assert counts() == (9, 3, True)
    run_for(1_000)
    assert counts() == (9, 0, False)
    # nothing moves, nothing is drawn
    drawn = shown.stats()["frames_drawn"]
    run_for(1_000)
    assert shown.stats()["frames_drawn"] == drawn


def test_click_selects_and_double_click_folds(view: Any) -> None:
    shown, tree = view(), small_tree()
    shown.show(tree)
    shown.page.mouse.click(*shown.place(3))
    assert shown.said() == [["select", 3]]
    assert shown.live().startswith("Leaf, depth 2, node 3. reached if colour = red")
    assert shown.live().endswith("selected.")
    shown.page.mouse.click(*shown.place(3))
    assert shown.said() == [["select", None]]
    assert shown.live() == "Nothing is selected."
    shown.page.mouse.dblclick(*shown.place(2))
    assert shown.said() == [["select", 2], ["collapse", 2]]
    shown.show(tree, collapsed=[2])
    assert shown.stats()["nodes"] == 8
    x, y = shown.place(2)
    shown.page.mouse.move(x, y)
    tip = shown.page.locator(f"{STAGE} .sl-tip")
    tip.get_by_text("2 more nodes below, not drawn: folded").wait_for()
    # a click on "+2" unfolds
    shown.page.mouse.click(x, y + 20)
    assert shown.said() == [["collapse", 2]]
    # a leaf has nothing to fold
    shown.page.mouse.dblclick(*shown.place(4))
    assert shown.said() == [["select", 4]]


def test_a_tree_that_grows_moves_the_camera_until_somebody_did(view: Any) -> None:
    shown, tree = view(), small_tree()
    shown.show(tree)
    first = shown.stats()["transform"]
    assert first["following"]
    shown.page.get_by_role("button", name="Zoom in").click()
    shown.rest()
    nearer = shown.stats()["transform"]
    assert nearer["step_x"] == pytest.approx(1.3 * first["step_x"])
    assert not nearer["following"]
    shown.page.get_by_role("button", name="Zoom out").click()
    assert shown.stats()["transform"]["step_x"] == pytest.approx(first["step_x"])

    # a tree that grows no longer moves the camera, until it is told to follow again
    before = shown.stats()["transform"]
    tree.grow(24)
    shown.show(tree)
    assert shown.stats()["transform"] == before
    shown.page.get_by_role("button", name="Fit").click()
    shown.rest()
    assert shown.stats()["transform"]["following"]
    box = shown.page.locator(CANVAS).bounding_box()
    for node in tree.nodes:
        x, y = shown.place(node)
        assert box["x"] < x < box["x"] + box["width"]
        assert box["y"] < y < box["y"] + box["height"]


def test_reduced_motion_jumps(view: Any) -> None:
    shown, tree = view(reduced_motion="reduce"), small_tree()
    shown.show(tree)
    drawn = shown.stats()["frames_drawn"]
    tree.grow(20)
    shown.page.evaluate("frame => view.update(frame)", frame_of(tree))
    shown.page.wait_for_function("() => view.stats().nodes === 20")
    assert not shown.stats()["moving"]
    shown.page.wait_for_timeout(300)
    assert shown.stats()["frames_drawn"] <= drawn + 2


# ------------------------------------------------------------------ two answers in a node


COLOURS = """
([x, y, reach, selector]) => {
    const canvas = document.querySelector(selector), box = canvas.getBoundingClientRect();
    const ratio = canvas.width / box.width, side = 2 * reach * ratio;
    const {data} = canvas.getContext("2d").getImageData(
        (x - box.x - reach) * ratio, (y - box.y - reach) * ratio, side, side);
    const count = {};
    for (let i = 0; i < data.length; i += 4) {
        const name = data.slice(i, i + 3).join(",");
        if (data[i + 3] === 255) count[name] = (count[name] ?? 0) + 1;
    }
    return Object.keys(count).filter((name) => count[name] >= 3);
}
"""


OWN = {"184,87,143", "0,114,178"}
"""Colours of a part in the answer."""


def mixing(frame: dict[str, Any], shares: dict[int, float]) -> dict[str, Any]:
    """A frame of a tree whose nodes mix two answers, by node the share of the first; the others mix none."""
    share = [shares.get(node, float("nan")) for node in frame["id"]]
    return frame | {"share_first": share, "loss_first": [0.413] * len(share), "loss_second": [0.478] * len(share)}


def test_a_branch_and_a_leaf_show_their_part_in_the_answer(view: Any) -> None:
    shown, tree = view(), small_tree()
    tree.nodes[6] |= {"active": True, "regime": 2, "error": 0.0}
    send = "frame => view.update({...frame, share_first: Float32Array.from(frame.share_first, (x) => x ?? NaN)})"

    def show(shares: dict[int, float]) -> None:
        frame = mixing(frame_of(tree), shares)
        frame["share_first"] = [None if share != share else share for share in frame["share_first"]]
        shown.page.evaluate(send, frame)
        shown.rest()

    def colours(node: int, reach: int) -> set[str]:
        """What is drawn around a node, without the softened edges: colours of several pixels."""
        return set(shown.page.evaluate(COLOURS, [*shown.place(node), reach, CANVAS]))

    show({1: 0.82, 6: 0.5})
    # a test that keeps nothing has no part; below one that answers alone the leaves have none
    assert shown.stats()["mixing"] == 5
    assert OWN & colours(1, 40)
    assert OWN & colours(3, 24)
    assert not OWN & colours(0, 40)
    show({1: 1.0, 6: 0.0})
    assert OWN & colours(1, 40)
    assert not OWN & colours(3, 24)

    show({1: 0.82, 6: 0.5})
    tip = shown.page.locator(f"{STAGE} .sl-tip")
    shown.page.mouse.move(*shown.place(1))
    tip.get_by_text("trusts itself 82 %, what is below 18 %; losses 0.41 and 0.48").wait_for()
    assert "predicts by" not in tip.inner_text()
    shown.page.locator("summary", has_text="Table").click()
    cells = shown.page.locator("tbody tr").nth(1).locator("td")
    cells.last.wait_for()
    assert cells.all_inner_texts()[-2:] == ["trusts itself 82 %, what is below 18 %", "0.41, 0.48"]

    # a tree that mixes nothing: no bar, no column, and the table still opens nodes
    shown.show(tree)
    assert shown.stats()["mixing"] == 0
    assert not OWN & colours(1, 40)
    assert shown.page.locator("thead th").all_inner_texts()[-1] == "Not drawn below"
    # rows are written at most once a second
    shown.page.get_by_role("button", name="Select node 1", exact=True).click()
    assert shown.said() == [["select", 1]]
    assert shown.page.locator("tbody tr").nth(1).locator("td").count() == 8
