"""Going back in time in the browser: drag back, fork, play on, compare, save, reload, open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ui.test_timeline import PLACE

APPS = ("stream_monitor",)


def slider(screen: Any) -> Any:
    return screen.page.get_by_role("slider", name="Position in the stream: go back in time")


def drag_to(screen: Any, share: float) -> None:
    """Drag the playhead with the mouse, in steps, to a share of the stream."""
    # on a phone it stands further down, and the transport over the window's last lines
    slider(screen).evaluate("node => node.scrollIntoView({ block: 'center' })")
    (at, y), (to_x, _) = (screen.page.evaluate(PLACE, row) for row in (screen.position, share * 2417))
    mouse = screen.page.mouse
    mouse.move(at, y)
    mouse.down()
    for step in range(1, 9):
        mouse.move(at + (to_x - at) * step / 8, y)
        screen.page.wait_for_timeout(30)
    mouse.up()


def to(screen: Any, position: int) -> None:
    """Go on to a position or further, a chunk at a time."""
    while screen.position < position:
        before = screen.position
        screen.button("Step one chunk").click()
        screen.wait(lambda before=before: screen.position > before and screen.state == "paused")
    # the bar is drawn a moment before the curves
    screen.wait(lambda: screen.curves()["position"][-1:] == [screen.position])


@pytest.mark.parametrize("width", [1400, 420])
def test_back_in_time_a_fork_and_on_again(visit: Any, tmp_path: Path, width: int) -> None:
    screen = visit(width=width) if width != 1400 else visit()
    to(screen, 700)
    end = screen.position
    assert screen.button("Back to the newest row").count() == 0
    screen.wait(lambda: screen.curves()["position"][-1:] == [end])
    drawn = screen.curves()["position"]

    drag_to(screen, 300 / 2417)
    screen.wait(lambda: abs(screen.position - 300) < 60 and screen.state == "paused")
    back = screen.position
    assert f"looking back, the run has come to {end:,}" in slider(screen).get_attribute("aria-valuetext")
    assert screen.curves()["position"] == drawn, "what is ahead stays on the curves"
    slider(screen).focus()
    screen.page.keyboard.press("Home")
    screen.wait(lambda: screen.position == 0)
    screen.button("Back to the newest row").click()
    screen.wait(lambda: screen.position == end)
    drag_to(screen, back / 2417)
    screen.wait(lambda: abs(screen.position - back) < 60)

    screen.view("Forks")
    screen.button("Fork here").click()
    screen.wait(lambda: "SMART, half-life 100" in screen.learners())
    screen.wait(lambda: len(screen.curves()["position"]) > 0)
    to(screen, 900)
    screen.wait(lambda: "less that of SMART" in screen.page.get_by_text("since the later of them came").inner_text())
    screen.page.get_by_text("Way 2: left way 1").wait_for()
    assert any("left SMART" in text for _, text in screen.marks())

    stood = screen.position
    for _ in range(2):
        # the same run again is the same file, and it comes
        with screen.page.expect_download() as download:
            screen.button("Share").click()
            screen.panel.get_by_role("button", name="Save run").click()
    path = tmp_path / "run.slab"
    download.value.save_as(path)
    # a reload goes on with the same run
    screen.page.reload()
    screen.until_ready()
    screen.wait(lambda: screen.position == stood)
    screen.wait(lambda: "SMART, half-life 100" in screen.learners())
    screen.renewed(lambda: screen.button("Start again").click())
    screen.wait(lambda: screen.position == 0)
    screen.page.get_by_label("Upload a stream").set_input_files(path)
    screen.wait(lambda: screen.position == stood)
    screen.wait(lambda: "SMART, half-life 100" in screen.learners())
    screen.until_ready()
    to(screen, stood + 100)
