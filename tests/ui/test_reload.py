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
def test_back_and_forward_find_the_run_as_it_was_left(visit: Any) -> None:
    screen = visit()
    screen.control("SMART").press("ArrowLeft")
    for chunk in (1, 2):
        screen.button("Step one chunk").click()
        screen.wait(lambda chunk=chunk: screen.position == 100 * chunk)
    # what was done while it played, and rows learned one by one
    screen.speed("100 rows/s")
    screen.play()
    screen.wait(lambda: screen.position > 210)
    screen.control("SMART").press("ArrowLeft")
    screen.wait(lambda: len(screen.marks()) == 2)
    screen.pause()
    at = screen.position
    screen.button("Step one instance").click()
    screen.wait(lambda: screen.position == at + 1)
    marks = screen.marks()

    def is_at(row: int, marks: list[Any]) -> bool:
        return (screen.position, screen.marks()) == (row, marks)

    screen.page.goto("about:blank")
    screen.page.go_back()
    screen.until_ready()
    screen.wait(lambda: is_at(at + 1, marks))
    assert "did=" not in screen.page.url, "the address is as short as before"
    screen.button("Step one chunk").click()
    end = 100 * ((at + 1) // 100 + 1)
    screen.wait(lambda: (screen.position, screen.curves()["position"][-1]) == (end, end))

    def settled() -> Any:
        before = screen.curves()
        screen.page.wait_for_timeout(500)
        return before == screen.curves() and before

    drawn = screen.wait(settled)
    screen.page.go_back()
    screen.page.wait_for_url("about:blank")
    screen.page.go_forward()
    screen.until_ready()
    screen.wait(lambda: is_at(end, marks))
    screen.wait(lambda: screen.curves() == drawn)
