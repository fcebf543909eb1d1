"""What every picture has from the kit: zoom, pan, search, table and keys; each in a real page, on frames of its own."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from streamlab.views.kit.component import javascript, with_kit
from streamlab.views.pictures.forest.picture import layout
from tests.ui.test_hierarchy_js import LABELS as CLASSES
from tests.ui.test_hierarchy_js import classes
from tests.ui.test_hierarchy_js import frame_of as frame_of_classes
from tests.ui.test_projection_js import frame as frame_of_points
from tests.ui.test_tree_js import FEATURES, small_tree
from tests.ui.test_tree_js import frame_of as frame_of_tree
from tests.ui.test_views_js import LABELS, EvolvingTrees


def forest() -> dict[str, Any]:
    trees = EvolvingTrees(n_trees=4)
    trees.learn(300)
    cells = {name: values.tolist() for name, values in layout(trees.columns()).items()}
    return cells | trees.extra() | {"height": 8, "drawn_depth": 7, "now": 300, "subject": "made"}


def pairs() -> dict[str, Any]:
    names = ["one", "two", "three", "four", "five"]
    return {
        "names": names,
        "recent": [0.5] * 5,
        "whole": [0.2] * 5,
        "together": np.linspace(0, 0.5, 10).tolist(),
        "now": 9,
    }


def members() -> dict[str, Any]:
    """Three learners of two labels over four chunks; the second of the first label came where another was set aside."""
    return {
        "id": [0, 3, 5, 1], "group": [0, 0, 0, 1], "seat": [0, 1, 1, 0], "born": [0, 0, 60, 0],
        "left": [-1, 40, -1, -1], "value": [0.9, None, 0.8, None], "aside": [0, 1, 0, 0],
        "first": [0, 0, 3, 4], "cells": [4, 2, 1, 0],
        "cell": [0.6, 0.7, 0.9, 0.9, 0.5, 0.4, 0.8], "chunks": 4, "step": 20, "end": 80, "measure": "right answers",
        "mark": {"row": 40, "drift": 1}, "subject": "it", "now": 85,
    }  # fmt: skip


def remembered() -> dict[str, Any]:
    rows = np.arange(6)
    return {
        "id": (rows + 40).tolist(),
        "age": rows[::-1].tolist(),
        "standing": np.linspace(0.1, 1, 6).tolist(),
        "share": np.linspace(0.1, 1, 6).tolist(),
        "asked": [2] * 6,
        "right": [1] * 6,
        "rank": [0, 1, 0, 2, 0, 0],
        "bits": [1, 2, 3, 1, 2, 3],
        "sizes": [4, 5, 6],
        **{"n_labels": 3, "held": 6, "most": 9, "answered_by": 2, "now": 46, "subject": "made"},
        **{"measure": "fitness", "leaves": "dropped below 0.001", "best": 1.0, "worst": 0.0},
    }


def weights() -> dict[str, Any]:
    return {
        "id": [0, 1],
        "intercept": [-1.0, -2.0],
        "intercept_before": [-1.2, -2.0],
        "threshold": [0.5, 0.5],
        "total": [0.5, -1.5],
        "others": [0.25, 0.0],
        "n_others": [2, 0],
        "score": [0.62, 0.18],
        "answered": [1, 0],
        "carried": [1, 0],
        "noun": "label",
        "heat": [0.75, -0.5, 0.1, 0.5],
        "values": [1.7, 1.0],
        "bar_term": [0, 1, 1, 0],
        "bar": [0.75, -0.5, 0.5, 0.1],
        "bar_before": [0.2, -0.1, -0.4, 0.1],
        "step_term": [0, -1, 1, -1],
        "scaled": [1.7, 0.0, 1.0, 0.0],
        "adds": [1.25, 0.0, 0.5, 0.0],
        "moved_label": [1],
        "moved_term": [1],
        "moved_from": [-0.4],
        "moved_to": [0.5],
        **{"names": ["sand", "cloud"], "columns": [0, 1], "marked": {"row": 30, "number": 1}, "first": 0},
        **{"more": 0, "hidden": 0, "now": 46, "subject": "made"},
    }


def gaussians() -> dict[str, Any]:
    return {
        "id": [0, 1],
        "count": [30, 16],
        "share": [0.65, 0.35],
        "score": [0.8, 0.2],
        "answered": [1, 0],
        "carried": [1, 0],
        "prior": [0.0, 0.6],
        "total": [0.0, 1.4],
        "others": [0.0, 0.1],
        "n_others": [0, 1],
        "strip": [0, 1],
        "between": [0.7, 0.2],
        "value": [1.5, None],
        "mean": [1.0, 5.0, 3.0, 5.5],
        "deviation": [0.5, 1.0, 0.75, 0.0],
        "mean_before": [0.5, 5.0, None, None],
        "deviation_before": [0.5, 1.5, None, None],
        "likelihood": [-1.2, 0.0, -1.9, 0.0],
        "step_term": [-1, 0],
        "step_value": [0.0, 1.5],
        "adds": [0.0, 0.7],
        **{"names": ["sand", "cloud"], "marked": {"row": 30, "number": 1}, "noun": "class"},
        **{"more": 1, "hidden": 0, "now": 46, "subject": "made"},
    }


MADE = {
    "ensemble": ("ensemble", members, {"labels": ["Beach", "Sunset"]}, "sunset"),
    "forest": ("fading", forest, {"labels": LABELS}, "beach"),
    "labels": ("labels", pairs, {}, "three"),
    "tree": ("tree", lambda: frame_of_tree(small_tree()), {"labels": LABELS, "features": FEATURES}, "humidity"),
    "hierarchy": ("hierarchy", lambda: frame_of_classes(classes()), {"labels": CLASSES}, "oboe"),
    "projection": ("projection", frame_of_points, {"labels": ["Beach", "Sunset", "Field"]}, "field"),
    "memory": ("memory", remembered, {"labels": ["Beach", "Sunset", "Field"]}, "sunset"),
    "weights": ("weights", weights, {"labels": ["Beach", "Sunset"]}, "sunset"),
    "gaussians": ("gaussians", gaussians, {"labels": ["Beach", "Sunset"]}, "sunset"),
}

SHOW = """async ([source, frame, options]) => {
    const address = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
    const { View } = (await import(address)).render;
    document.body.style.minHeight = "3000px";
    window.said = [];
    window.root = document.body.appendChild(document.createElement("div"));
    window.view = new View(root, {...options, onSelect: (id) => said.push(id)});
    for (const [name, values] of Object.entries(frame))
        if (Array.isArray(values)) frame[name] = values.map(each => each === null ? NaN : each);
    view.update(frame);
}"""


class Shown:
    """One picture on an empty page."""

    def __init__(self, page: Any, name: str, **options: Any) -> None:
        self.name, frame, given, self.query = MADE[name]
        self.page = page
        clean = json.loads(json.dumps(frame()).replace("NaN", "null"))
        page.evaluate(SHOW, [javascript(name), clean, given | options])
        page.wait_for_function("() => view.stats().frames_drawn > 0 && !view.stats().waiting && !view.stats().moving")
        self.stage = page.locator(f".sl-{self.name} .sl-stage")

    def zoom(self) -> dict[str, Any]:
        self.page.wait_for_function("() => !view.stats().moving")
        return self.page.evaluate("view.stats().zoom")

    def middle(self) -> tuple[float, float]:
        box = self.page.locator(f".sl-{self.name} .sl-stage > canvas").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture(params=MADE)
def shown(request: pytest.FixtureRequest, page: Any) -> Shown:
    return Shown(page("about:blank", width=1000), request.param)


def test_it_zooms_and_pans_and_fits_again(shown: Shown) -> None:
    fit = shown.page.get_by_role("button", name="Fit: show everything")
    assert shown.zoom()["fitted"]
    assert fit.get_attribute("aria-pressed") == "true"
    shown.page.get_by_role("button", name="Zoom in").click()
    nearer = shown.zoom()
    assert nearer["k"] == pytest.approx(1.3)
    assert not nearer["fitted"]
    assert fit.get_attribute("aria-pressed") == "false"

    shown.page.mouse.move(*shown.middle())
    shown.page.mouse.down()
    x, y = shown.middle()
    shown.page.mouse.move(x + 30, y + 10, steps=4)
    shown.page.mouse.up()
    moved = shown.zoom()
    assert moved["x"] - nearer["x"] == pytest.approx(30, abs=1)
    assert moved["y"] - nearer["y"] == pytest.approx(10, abs=1)
    assert shown.page.evaluate("said") == [], "what is dragged is not clicked"

    # the bare wheel is the page's, with Ctrl it zooms
    shown.page.mouse.wheel(0, 120)
    shown.page.wait_for_function("() => scrollY > 60")
    assert shown.zoom() == moved
    shown.page.evaluate("scrollTo(0, 0)")
    shown.page.keyboard.down("Control")
    shown.page.mouse.wheel(0, -120)
    shown.page.keyboard.up("Control")
    shown.page.wait_for_function("() => view.stats().zoom.k > 1.5")

    fit.click()
    fitted = shown.zoom()
    assert (fitted["x"], fitted["y"], fitted["k"], fitted["fitted"]) == (0, 0, 1, True)


def test_keys_zoom_about_the_cursor_and_it_stays_in_view(shown: Shown) -> None:
    shown.stage.focus()
    for key in ("ArrowDown", "+", "+", "+", "+"):
        shown.page.keyboard.press(key)
    cursor = shown.page.evaluate("view.stats().cursor")
    assert cursor is not None
    assert shown.zoom()["k"] == pytest.approx(1.3**4)
    place = shown.page.evaluate("id => view.place(id)", cursor)
    box = shown.page.locator(f".sl-{shown.name} .sl-stage > canvas").bounding_box()
    assert 0 <= place["x"] <= box["width"]
    assert 0 <= place["y"] <= box["height"]
    shown.page.keyboard.press("Home")
    shown.zoom()
    place = shown.page.evaluate("id => view.place(id)", shown.page.evaluate("view.stats().cursor"))
    assert 0 <= place["x"] <= box["width"]
    assert 0 <= place["y"] <= box["height"]
    shown.page.keyboard.press("0")
    assert shown.zoom()["fitted"]


def test_it_finds_and_goes_from_one_to_the_next(shown: Shown) -> None:
    field = shown.page.get_by_role("searchbox")
    field.fill(shown.query)
    live = shown.page.locator(f".sl-{shown.name} [aria-live]")
    assert live.text_content().endswith(" found.")
    assert not live.text_content().startswith("0 ")
    field.press("Enter")
    assert shown.page.evaluate("said.length") == 1
    field.press("Escape")
    assert field.input_value() == ""


def test_what_it_shows_stands_in_a_table_and_enter_selects(shown: Shown) -> None:
    shown.page.get_by_text("Table", exact=True).click()
    shown.page.locator(f".sl-{shown.name} tbody tr").first.wait_for()
    shown.stage.focus()
    for key in ("ArrowDown", "Enter"):
        shown.page.keyboard.press(key)
    (chosen,) = shown.page.evaluate("said")
    assert chosen == shown.page.evaluate("view.stats().selected")
    tip = shown.page.locator(f".sl-{shown.name} .sl-tip")
    assert tip.is_visible()
    shown.page.keyboard.press("Escape")
    assert shown.page.evaluate("said") == [chosen, None]
    assert not tip.is_visible()
    # no trap: Tab goes on to the next control
    assert shown.stage.evaluate("node => document.activeElement === node")
    shown.page.keyboard.press("Tab")
    assert not shown.stage.evaluate("node => document.activeElement === node")
    # rows that can be chosen are buttons
    for button in shown.page.locator("tbody tr").last.get_by_role("button").all():
        button.click()
        assert shown.page.evaluate("said.length") == 3 or shown.name == "fading", "a forest's rows are its trees"
        assert button.get_attribute("aria-pressed") == "true"


@pytest.mark.parametrize("name", MADE)
def test_it_fits_a_phone_in_the_dark(page: Any, name: str) -> None:
    shown = Shown(page("about:blank", width=360), name, dark=True)
    assert shown.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert shown.page.locator(f".sl-{shown.name}.sl-dark").count() == 1
    colour = shown.page.locator(f".sl-{shown.name}").evaluate("node => getComputedStyle(node).color")
    assert colour == "rgb(230, 232, 235)"


def test_another_packages_picture_stands_on_the_kit_without_a_build(page: Any) -> None:
    source = with_kit("""
        class Dots extends kit.CanvasView {
            static about = {
                name: "dots", title: "Dots", role: "dots", keys: "Dots.", find: "Find a dot",
                table: {label: "Table of dots", caption: "One row per dot.", heads: ["Dot"]},
            };
            render(context) { context.fillStyle = this.theme.accent; context.fillRect(0, 0, 20, 20); }
            box(row) { return this.camera.see({x: 20 * row, y: 0, width: 20, height: 20}); }
            describe(row) { return {title: `Dot ${this.idOf(row)}`, lines: []}; }
            tableRows() { return Array.from(this.frame.id, (id) => ({id, name: `${id}`, cells: []})); }
            moves(row) { return {ArrowRight: () => Math.min(row + 1, this.frame.id.length - 1)}; }
        }
        export const render = kit.renderPicture(Dots);
    """)
    opened = page("about:blank")
    opened.evaluate(SHOW, [source, {"id": [7, 8], "now": 3}, {}])
    opened.wait_for_function("() => view.stats().now === 3")
    opened.locator(".sl-dots .sl-stage").focus()
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("Enter")
    assert opened.evaluate("said") == [8]
    assert opened.locator(".sl-dots [aria-live]").text_content() == "Dot 8. selected."
