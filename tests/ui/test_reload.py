"""A reload goes on with the same run, and Back and Forward find it; another page with the same address does not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.screen import Screen

APPS = ("stream_monitor",)


def a_reload_goes_on_with_the_same_run(screen: Screen) -> None:
    """As a step of a visit that stands at row 0, SMART with a half-life of 100 (``test_links.py``)."""
    screen.control("SMART").press("ArrowRight")
    for chunk in (1, 2, 3):
        screen.button("Step one chunk").click()
        screen.wait(lambda chunk=chunk: screen.position == 100 * chunk)
    screen.wait(lambda: len(screen.curves()["position"]) == 3)
    drawn = screen.curves()
    screen.wait(lambda: "half_life" not in screen.page.url)
    # while it plays: it goes on playing from where it was
    screen.speed("25 rows/s")
    screen.play()
    screen.wait(lambda: screen.position > 310)
    at = screen.position
    screen.page.reload()
    screen.until_ready()
    screen.wait(lambda: screen.position >= at)
    screen.until("playing")
    now = screen.position
    screen.wait(lambda: screen.position > now)
    screen.wait(lambda: screen.curves()["v0"][:3] == drawn["v0"])
    screen.wait(lambda: screen.marks()[:1] == [(0, "SMART half_life: 100 → 200")])


@pytest.mark.nightly
def test_back_and_forward_find_the_page_as_it_was_set_at_its_row(visit: Any) -> None:
    screen = visit()
    screen.control("SMART").press("ArrowLeft")
    for chunk in (1, 2):
        screen.button("Step one chunk").click()
        screen.wait(lambda chunk=chunk: screen.position == 100 * chunk)
    screen.button("Step one instance").click()
    screen.wait(lambda: screen.position == 201)
    screen.wait(lambda: "SMART.half_life=100" in screen.page.url)

    def is_there() -> bool:
        return screen.position == 201 and screen.control("SMART").first.inner_text() == "100"

    screen.page.goto("about:blank")
    screen.page.go_back()
    screen.until_ready()
    screen.wait(is_there)
    assert "at=" not in screen.page.url, "the address is as short as before"
    screen.page.go_back()
    screen.page.wait_for_url("about:blank")
    screen.page.go_forward()
    screen.until_ready()
    screen.wait(is_there)
