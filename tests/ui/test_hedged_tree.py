"""MLHAT and HedgedMLHAT side by side: one tree waits, the other grows and says what it trusts."""

from __future__ import annotations

from typing import Any

from tests.ui.screen import Screen

APPS = ("hedged_tree",)


def prepare() -> None:
    from streamlab.learners import MLHAT, HedgedMLHAT

    # compiled once here, so that the page reads the kernels from the cache
    MLHAT.prepare()
    HedgedMLHAT.prepare()


def trees(screen: Screen) -> list[dict[str, Any]]:
    """The counts of both trees, in the order of the page."""
    return screen.page.evaluate(
        """() => {
            const found = [];
            const walk = (root) => root.querySelectorAll("*").forEach((node) => {
                if (node.__tree_stats) found.push(node.__tree_stats());
                if (node.shadowRoot) walk(node.shadowRoot);
            });
            walk(document);
            return found;
        }"""
    )


def grown(visit: Any) -> Screen:
    """Open the page where the hedged tree has some branches, and the other one not yet."""
    screen = visit(query="?at=3000")
    screen.wait(lambda: screen.position == 3000 and trees(screen)[1]["mixing"] >= 7)
    return screen


def test_one_tree_waits_and_in_the_other_all_nodes_answer(visit: Any) -> None:
    screen = grown(visit)
    assert screen.page.title() == "streamlab · MLHAT beside HedgedMLHAT"
    for name in ("MLHAT", "HedgedMLHAT"):
        screen.head(name).wait_for()
    plain, hedged = trees(screen)
    assert hedged["nodes"] >= 7 > plain["nodes"]
    assert plain["mixing"] == 0
    first, second = (screen.page.locator(".sl-tree").nth(i) for i in range(2))
    assert first.bounding_box()["x"] + first.bounding_box()["width"] <= second.bounding_box()["x"]
    second.locator("summary", has_text="Table").click()
    heads = second.locator("thead th").all_inner_texts()
    assert heads[-2:] == ["Mixes", "Losses (1 − F1)"]
    screen.wait(lambda: "trusts itself" in second.locator("tbody tr").first.inner_text())
    first.locator("summary", has_text="Table").click()
    assert first.locator("thead th").all_inner_texts() == heads[:-2]
