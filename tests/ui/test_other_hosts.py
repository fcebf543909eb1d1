"""No page asks another host for anything, whatever is opened on it, and its browser would not let it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.screen import Screen

PAGES = (
    "stream_monitor", "study", "stream_monitor?lesson=drift", "council", "drift_lab", "hedged_tree", "mlhat_tree",
    "label_hierarchy", "balanced_neighbours",
)  # fmt: skip
FOREIGN = """() => new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", (event) => resolve(event.blockedURI), { once: true });
    const sheet = { rel: "stylesheet", href: "https://other.example/a.css" };
    document.head.append(Object.assign(document.createElement("link"), sheet));
})"""

FETCHED = "performance.getEntriesByType('resource').map((each) => each.name)"


@pytest.mark.parametrize("name", PAGES)
def test_nothing_that_is_opened_asks_another_host(shared_server: Any, page: Any, wait_until: Any, name: str) -> None:
    opened = page(f"{shared_server.address}/{name}")  # ``page`` fails at the end if another host was asked
    if name == "study":
        opened.locator(".sl-study .sl-areas").wait_for()
    else:
        screen = Screen(opened, wait_until)
        opened.locator(".sl-play:not([disabled])").wait_for()
        for title in screen.views():
            screen.view(title)
        screen.open_drawer()
        for section in opened.locator(".MuiAccordionSummary-root").all():
            if section.get_attribute("aria-expanded") != "true":
                section.click()
        screen.close_drawer()
        for name in ("Share", "Figures"):
            screen.button(name).click()
        screen.panel.wait_for()
        opened.keyboard.press("Escape")
    opened.get_by_role("button", name="Projector").click()
    opened.keyboard.press("Escape")
    assert opened.errors == []
    # nor for letters that are not there: one sheet of panel-material-ui has browsers fetch those of all alphabets
    assert not [each for each in opened.evaluate(FETCHED) if "cyrillic" in each or "vietnamese" in each]
    assert opened.evaluate(FOREIGN).startswith("https://other.example")
    opened.errors.clear()
