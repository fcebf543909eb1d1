"""axe-core on every page, light and dark: no violation of WCAG 2.1 A and AA by anything of ours."""

from __future__ import annotations

import time
from typing import Any

import axe_playwright_python.sync_playwright as axe
import pytest

from tests.ui.screen import PATIENCE_S, Screen

PAGES = (
    "", "stream_monitor", "drift_lab", "mlhat_tree", "hedged_tree", "label_hierarchy", "balanced_neighbours",
    "council?at=300", "river_models?at=900",
    "stream_monitor?lesson=forgetting&step=3", "stream_monitor?lesson=drift&step=3",
)  # fmt: skip
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "resultTypes": ["violations"]}
OF_THE_LIBRARY = {
    "aria-progressbar-name": "the line under a page's header, which is never seen here",
    "aria-prohibited-attr": "the icon with a control's help",
    "button-name": "the small plus and minus of a number",
}
"""Rules that parts of panel-material-ui 0.16 break which nobody outside it can mend, and which parts."""


def ours(violation: dict[str, Any]) -> list[str]:
    """Return the elements of a violation that are not panel-material-ui's own."""
    known = violation["id"] in OF_THE_LIBRARY
    return [
        f"{violation['id']}: {node['html'][:160]}"
        for node in violation["nodes"]
        if not (known and ("Mui" in node["html"] or 'sx="[object Object]"' in node["html"]))
    ]


def is_without_violation(opened: Any) -> None:
    """Wait until axe finds nothing: colours may still be on their way from light to dark."""

    def found() -> list[str]:
        violations = axe.Axe().run(opened, options=RULES).response["violations"]
        return [line for each in violations for line in ours(each)]

    end = time.monotonic() + PATIENCE_S / 4
    while (lines := found()) and time.monotonic() < end:
        opened.wait_for_timeout(500)
    assert lines == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_no_violation(shared_server: Any, page: Any, wait_until: Any, name: str, scheme: str) -> None:
    opened = page(f"{shared_server.address}/{name}", color_scheme=scheme)
    if name:
        screen = Screen(opened, wait_until)
        screen.button("Step one chunk").click()
        screen.wait(lambda: screen.position > 0 and screen.state == "paused")
    is_without_violation(opened)
