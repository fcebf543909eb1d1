"""The hierarchy view in a real page, fed by hand-made classes: places, colours, the lit path, words, keys."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

from streamlab.views.kit.picture import Drawn
from streamlab.views.kit.tree_layout import tree_layout
from streamlab.views.pictures.hierarchy.picture import CLASSES, HierarchyView
from tests.ui.drawing import Drawing, opened

LABELS = ["strings", "violin", "cello", "winds", "reeds", "oboe", "clarinet", "flute"]
PARENTS = [-1, 0, 0, -1, 3, 4, 4, 3]
DEPTHS = [0, 1, 1, 0, 1, 2, 2, 1]


def classes(**changes: Any) -> dict[str, np.ndarray]:
    """The walk went to the reeds and stopped there, between oboe and clarinet; true is the oboe."""
    n = len(LABELS)
    on = lambda *rows: np.isin(np.arange(n), rows)  # noqa: E731
    columns = {
        "id": np.arange(n),
        "parent": np.array(PARENTS),
        "depth": np.array(DEPTHS),
        "is_leaf": on(1, 2, 5, 6, 7),
        "arrivals": np.array([500, 200, 300, 1500, 900, 400, 500, 600]),
        "weight": np.array([50.0, 20, 30, 150, 90, 40, 50, 60]),
        "hp": np.full(n, 0.9),
        "hr": np.full(n, 0.5),
        "hf": np.array([0.8, 0.0, 1.0, 0.7, 0.6, 0.5, 0.4, np.nan]),
        "was": np.full(n, np.nan),
        "true": on(3, 4, 5),
        "predicted": on(3, 4),
    }
    assert set(columns) == set(CLASSES.needed)
    return columns | changes


def frame_of(
    columns: dict[str, np.ndarray], *, now: int = 1234, playing: bool = False, **layout: Any
) -> dict[str, Any]:
    """A frame as the module takes it, with lists for columns."""
    table = columns | dict.fromkeys(("competes_with", "branch"), np.full(len(columns["id"]), -1))
    drawn = HierarchyView._travelling(table, tree_layout(table, **layout))
    header = {"now": now, "playing": playing, "subject": "walk", "n_nodes": len(columns["id"])}
    return {name: values.tolist() for name, values in drawn.items()} | header


STAGE = ".sl-hierarchy .sl-stage"
CANVAS = f"{STAGE} > canvas"


class View(Drawing):
    name = "hierarchy"
    options: ClassVar = {"labels": LABELS}
    hears = ("onSelect", "onMessage", "onChange")
    margin = "0"

    def show(self, columns: dict[str, np.ndarray] | None = None, **frame: Any) -> None:
        self.page.evaluate("frame => view.update(frame)", frame_of(columns or classes(), **frame))
        self.page.wait_for_function("() => !view.stats().waiting")

    def place(self, label: str) -> tuple[float, float]:
        """Where a class is drawn, in pixels of the page."""
        return self.at(f"place({LABELS.index(label)})")

    def pixel(self, x: float, y: float) -> list[int]:
        return super().pixel(x, y)[:3]

    def bar(self, label: str, score: float, learner: int = 0, of: int = 1) -> list[int]:
        """The colour at a score on a bar of a class."""
        x, y = self.place(label)
        dx = self.page.evaluate(
            """([label, score]) => {
                const from = Math.round(0.58 * view.width), end = view.width - 230;
                return from + score * (end - from) - view.place(label).x;
            }""",
            [LABELS.index(label), score],
        )
        return self.pixel(x + dx, y + (8 * learner - 4) * (of > 1))


view = opened(View, 1000)
GUESS, BLUE, ORANGE = [0x96, 0x30, 0x8A], [0x00, 0x72, 0xB2], [0xD5, 0x5E, 0x00]


def test_a_group_of_leaves_has_a_bar_of_its_recent_hf(view: Any) -> None:
    shown = view()
    shown.page.get_by_text("The picture is being drawn").wait_for()
    shown.show(classes(hf=np.array([0.8, 0.0, 1.0, 0.7, 0.6, 0.5, 0.4, 0.3])))
    assert not shown.page.locator(".sl-empty").is_visible()
    for label, score in {"strings": 0.8, "reeds": 0.6, "flute": 0.3}.items():
        assert shown.bar(label, score - 0.02) == GUESS, label
        assert shown.bar(label, score + 0.02) != GUESS, label
    assert shown.bar("violin", 0.02) != GUESS, "it is one of a group"


def test_the_true_path_is_solid_and_what_leaves_it_is_dashed(view: Any) -> None:
    shown = view()
    shown.show(classes(predicted=np.isin(np.arange(len(LABELS)), [3, 4, 6])))
    stats = shown.stats()
    assert (stats["truth"], stats["predicted"]) == ([3, 4, 5], [[3, 4, 6]])

    def along(label: str, parent: str) -> set[tuple[int, ...]]:
        (x0, _), (x1, y) = shown.place(parent), shown.place(label)
        xs = np.arange((x0 + x1) / 2, (x0 + x1) / 2 + 20)
        return {tuple(shown.pixel(x, y)) for x in xs}

    assert along("reeds", "winds") == {(0x1F, 0x23, 0x28)}, "of both that are right there is one way"
    left = along("clarinet", "reeds")
    assert tuple(GUESS) in left
    assert len(left) > 1, "dashed"


def test_click_selects_and_double_click_folds(view: Any) -> None:
    shown = view()
    shown.show()
    shown.page.mouse.click(*shown.place("cello"))
    assert shown.said() == [["select", 2]]
    assert shown.live().startswith("cello. strings › cello")
    shown.page.mouse.click(*shown.place("cello"))
    assert shown.said() == [["select", None]]
    shown.page.mouse.dblclick(*shown.place("reeds"))
    assert shown.said() == [["select", 4], ["collapse", 4]]
    shown.show(collapsed=[4])
    assert shown.stats()["classes"] == 6
    shown.page.mouse.move(*shown.place("reeds"))
    shown.page.get_by_text("2 more below, folded").wait_for()
    shown.page.mouse.dblclick(*shown.place("flute"))
    assert shown.said() == [["select", 7]], "a leaf has nothing to fold"


def test_two_learners_have_a_bar_each_the_end_of_which_was_lost(view: Any) -> None:
    shown = view()
    n = len(LABELS)
    second = {f"other_{name}": values for name, values in classes().items() if name in ("hp", "hr", "was")}
    second |= {"other_hf": np.full(n, 1.0), "other_predicted": np.isin(np.arange(n), [3, 4, 5])}
    frame = frame_of(classes(was=np.full(n, 0.9)) | second)
    learners = [{"name": "walk", "colour": "#0072B2"}, {"name": "flat", "colour": "#D55E00"}]
    shown.page.evaluate("frame => view.update(frame)", frame | {"learners": learners, "mark": 1})
    shown.page.wait_for_function("() => !view.stats().waiting")
    assert [shown.bar("strings", 0.78, learner, 2) for learner in (0, 1)] == [BLUE, ORANGE]
    assert [shown.bar("strings", 0.88, learner, 2) for learner in (0, 1)] == [[0x89, 0x91, 0x9D], ORANGE]
    stats = shown.stats()
    assert stats["learners"] == ["walk", "flat"]
    assert stats["predicted"] == [[3, 4], [3, 4, 5]]
    assert stats["said"] == [[0, "stopped at reeds"], [1, "✓ right"]]
    shown.page.get_by_text("Row 1,234: walk: stopped at reeds; flat: ✓ right.").wait_for()
    shown.page.get_by_text("Table", exact=True).click()
    shown.page.get_by_role("columnheader", name="flat: Latest row").wait_for()


def test_while_instances_stream_by_the_lit_path_changes_seldom(view: Any) -> None:
    shown = view()
    shown.show()
    before = shown.stats()["relit"]
    shown.page.evaluate(
        """async frame => {
            for (let i = 1; i <= 20; i++) {
                view.update({...frame, now: frame.now + i});
                await new Promise(done => setTimeout(done, 60));
            }
        }""",
        frame_of(classes(), playing=True),
    )
    assert 2 <= shown.stats()["relit"] - before <= 4
    # when it pauses, the latest instance is lit at once
    shown.show(classes(true=classes()["predicted"]), now=5000)
    assert shown.stats()["truth"] == [3, 4]


def test_narrow_it_is_an_outline_whose_groups_open(view: Any) -> None:
    shown = view(width=360)
    shown.show()
    assert shown.stats()["outline"]
    assert shown.stats()["classes"] == 4, "the groups, what is above them, and a leaf beside one"
    shown.page.mouse.click(*shown.place("reeds"))
    assert shown.said() == [["select", 4]]
    assert shown.stats()["classes"] == 6
    ys = [shown.place(label)[1] for label in ("winds", "reeds", "oboe", "clarinet", "flute")]
    assert np.diff(ys).min() >= 20, "no two in a row, and a finger finds each"
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= 360
    shown.page.mouse.click(*shown.place("clarinet"))
    assert shown.said()[-1] == ["select", LABELS.index("clarinet")]
    assert shown.stats()["classes"] == 6, "its group stays open"


def test_panel_draws_it_and_hears_what_is_chosen(serve: Any, page: Any, wait_until: Any) -> None:
    made = []

    def app() -> HierarchyView:
        component = HierarchyView(labels=LABELS, sizing_mode="stretch_width")
        component.show(Drawn("walk", 5, classes(), {}))
        made.append(component)
        return component

    opened = page(serve(app))
    opened.get_by_text("walk: 8 classes on 3 levels, after 5 rows").wait_for()
    (component,) = made
    opened.locator(STAGE).focus()
    opened.keyboard.press("End")
    opened.keyboard.press("Enter")
    wait_until(lambda: component.selected == 7, opened)
    opened.keyboard.press("ArrowLeft")
    opened.keyboard.press("c")
    wait_until(lambda: component.collapsed == [3], opened)
    opened.get_by_text("4 of 8 classes drawn").wait_for()
    opened.keyboard.press("c")
    wait_until(lambda: component.collapsed == [], opened)
    opened.get_by_text("walk: 8 classes on 3 levels").wait_for()
    opened.keyboard.press("Escape")
    wait_until(lambda: component.selected is None, opened)
    component.dark = True
    opened.locator(".sl-hierarchy.sl-dark").wait_for()


def many_classes(n_groups: int = 20, n_leaves: int = 24) -> tuple[dict[str, np.ndarray], list[str]]:
    """Some 500 classes: groups with leaves below them; the latest row is of the first leaf of the tenth group."""
    parents = [-1] * n_groups + [group for group in range(n_groups) for _ in range(n_leaves)]
    n, rng = len(parents), np.random.default_rng(1)
    order = np.arange(n)
    is_leaf = order >= n_groups
    latest = np.isin(order, [9, n_groups + 9 * n_leaves])
    columns = {
        "id": order,
        "parent": np.array(parents),
        "depth": is_leaf.astype(int),
        "is_leaf": is_leaf,
        "arrivals": rng.integers(1, 900, n),
        "weight": rng.gamma(2.0, 20.0, n),
        **{name: rng.random(n) for name in ("hp", "hr", "hf")},
        "was": np.full(n, np.nan),
        "true": latest,
        "predicted": latest,
    }
    return columns, [f"group {i}" if i < n_groups else f"species {i}" for i in range(n)]


def test_where_leaves_stand_too_close_there_is_a_row_for_each_group_and_a_selected_one_opens(page: Any) -> None:
    columns, labels = many_classes()
    shown = View(page("about:blank", width=1000, height=620), labels=labels, picture_height=400)
    shown.page.evaluate("root.dataset.part = 'picture', root.style.cssText = 'height:520px;--sl-fill:1'")
    shown.show(columns, max_nodes=1000)
    shown.page.wait_for_function("() => view.height > 0 && view.fills && root.__hierarchy_stats().classes === 20")
    at, canvas = shown.page.evaluate("view.place(3)"), shown.page.locator(CANVAS).bounding_box()
    shown.page.mouse.click(canvas["x"] + at["x"], canvas["y"] + at["y"])
    shown.page.wait_for_function("() => root.__hierarchy_stats().classes === 44")


def test_five_hundred_classes_are_shown_whole_and_are_legible_by_zoom_and_overview(page: Any) -> None:
    columns, labels = many_classes(60, 8)
    shown = View(page("about:blank", width=1000, height=620), labels=labels, picture_height=400)
    shown.page.evaluate("""() => {
        root.dataset.part = "picture";
        root.style.cssText = "height:520px;--sl-fill:1";
    }""")
    shown.show(columns, max_nodes=1000)
    shown.page.wait_for_function("() => view.height > 0 && view.fills")
    canvas = shown.page.locator(CANVAS).bounding_box()
    assert canvas["y"] + canvas["height"] <= 620
    shown.page.get_by_text("Names of all classes are there when you zoom in.").wait_for()

    def place(row: int) -> tuple[float, float]:
        at = shown.page.evaluate("id => view.place(id)", row)
        return at["x"], at["y"]

    before = [place(row) for row in (62, 63)]
    for _ in range(13):
        shown.page.get_by_role("button", name="Zoom in").click()
    shown.page.wait_for_function("() => !root.__hierarchy_stats().moving")
    # the rows have moved apart, both levels stay in view
    after = [place(row) for row in (62, 63)]
    assert after[1][1] - after[0][1] > 12
    assert before[1][1] - before[0][1] < 2
    assert [x for x, _ in after] == pytest.approx([x for x, _ in before])
    # the last class is brought into sight by its key, and there it can be pointed at and selected
    shown.page.locator(STAGE).focus()
    shown.page.keyboard.press("End")
    shown.page.wait_for_function("() => !root.__hierarchy_stats().moving")
    last = len(labels) - 1
    x, y = place(last)
    canvas = shown.page.locator(CANVAS).bounding_box()
    assert 0 < y < canvas["height"]
    shown.page.mouse.click(canvas["x"] + x, canvas["y"] + y)
    assert shown.said() == [["select", last]]
