"""One moment, one truth: while a run plays, figures of one name are the same on cards and curves."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.screen import Screen

BY_NIGHT = (
    "mlhat_tree", "hedged_tree", "label_hierarchy", "balanced_neighbours", "drift_lab", "council", "river_models",
)  # fmt: skip
APPS = ("stream_monitor", *BY_NIGHT)
SPEEDS = ("250 rows/s", "1,000 rows/s", "10,000 rows/s")
SAMPLED = """async n => {
    const all = (selector, root = document) => [...root.querySelectorAll("*")].flatMap(node => [
        ...(node.matches(selector) ? [node] : []), ...(node.shadowRoot ? all(selector, node.shadowRoot) : []),
    ]);
    const read = () => ({
        cards: all("h3").filter(node => node.querySelector(":scope > i + span")).map(node => [
            node.querySelector("span").title, node.querySelector("b").textContent, node.querySelector("b").title,
        ]),
        curves: all(".sl-timeline .sl-chart")[0] ? all(".sl-name", all(".sl-timeline .sl-chart")[0]).map(node => [
            node.lastChild.textContent, node.querySelector(".sl-value").textContent.trim(),
        ]) : [],
        state: window.__streamlab_transport.stats().state,
    });
    const found = [];
    for (let i = 0; i < n; i++) {
        await new Promise(done => setTimeout(done, 20 + 37 * Math.random()));
        found.push(read());
    }
    return found;
}"""
"""Reads the page some times, at moments of no pattern, each in one go."""


def prepare() -> None:
    from streamlab.learners import SMART

    SMART.prepare()


def differences(state: dict[str, Any]) -> list[str]:
    """Return which figures of one name differ in one state of a page."""
    cards = {name: number for name, number, _ in state["cards"] if number}
    windows = {title for _, number, title in state["cards"] if number}
    curves = {name: f"0{number}" if number.startswith(".") else number for name, number in state["curves"]}
    wrong = [f"{name}: card {cards.get(name)}, curve {end}" for name, end in curves.items() if cards.get(name) != end]
    wrong += [f"rows of cards: {windows}"] * (len(windows) > 1)
    return wrong


def sampled(screen: Screen, n: int) -> list[dict[str, Any]]:
    """Play at three speeds; return what was seen of the page."""
    found: list[dict[str, Any]] = []
    for speed in SPEEDS:
        screen.speed(speed)
        if screen.state == "paused":
            screen.play()
            # the first points take as long as the machine does for the page and the learners
            screen.wait(lambda: len(screen.curves()["position"]) > 0)
        found += screen.page.evaluate(SAMPLED, n)
    return found


def compare(screen: Screen, n: int) -> None:
    states = sampled(screen, n)
    wrong = [each for state in states for each in differences(state)]
    assert not wrong, f"{len(wrong)} in {len(states)} states, such as {wrong[:5]}"
    assert all(state["curves"] for state in states[n:])


@pytest.mark.nightly
@pytest.mark.whole
@pytest.mark.parametrize("app", APPS)
def test_every_figure_of_one_name_is_the_same_while_a_page_plays(visit: Any, app: str) -> None:
    compare(visit(app), 67)
