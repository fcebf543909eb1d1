"""One moment, one truth: while a run plays, figures of one name are the same on heads and curves."""

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
    const ends = () => {
        // the point of each curve up to the row whose figures are shown
        const { run, position, charts: [chart] } = window.__streamlab_timeline;
        const at = position === run?.position ? run.figures : position;
        return (chart?.drawn?.lines ?? []).map(({ name, positions, values, wholeEnd }) => {
            let k = positions.filter(row => row <= at).length - 1;
            while (k >= 0 && !Number.isFinite(values[k])) k--;
            const value = wholeEnd != null && k === values.length - 1 ? wholeEnd : values[k];
            return [name, k < 0 ? "" : value.toFixed(2).replace(/^0/, "")];
        });
    };
    const read = () => ({
        heads: all(".sl-pane-head").filter(node => node.getClientRects().length).map(node => {
            const value = node.querySelector(".sl-head-value");
            return [node.querySelector(".sl-head-name").textContent, value.textContent, value.title];
        }),
        names: all(".sl-timeline .sl-name").map(node => [
            node.lastChild.textContent, node.querySelector(".sl-value").textContent.trim(),
        ]),
        ends: ends(),
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
    ends, names = dict(state["ends"]), dict(state["names"])
    heads = {name: number for name, number, _ in state["heads"]}
    windows = {title for _, number, title in state["heads"] if number}
    wrong = [f"{name}: head {number}, curve {ends.get(name)}" for name, number in heads.items() if number != ends[name]]
    # a figure has one place: that of a learner without a head is at its curve's end
    wrong += [
        f"{name}: {number} at its curve's end" for name, number in names.items() if bool(number) == (name in heads)
    ]
    wrong += [f"{name}: written {number}" for name, number in names.items() if number and number != ends.get(name)]
    wrong += [f"rows of heads: {windows}"] * (len(windows) > 1)
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
    assert all(state["names"] for state in states[n:])


@pytest.mark.nightly
@pytest.mark.whole
@pytest.mark.parametrize("app", APPS)
def test_every_figure_of_one_name_is_the_same_while_a_page_plays(visit: Any, app: str) -> None:
    compare(visit(app), 67)
