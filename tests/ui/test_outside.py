"""A stranger's learner, picture, stream and measure in the monitor, from the packages of docs/contributing."""

from __future__ import annotations

import re
import sys
import urllib.request
from typing import Any

import pytest

from tests.outside.packages import install
from tests.ui.screen import LOG_FORMAT

APPS = ("stream_monitor",)


@pytest.fixture(scope="module")
def server(browser: Any, start_server: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The monitor where the packages are installed."""
    site = install(tmp_path_factory)
    address = ("--port", "{port}", "--address", "127.0.0.1", "--log-format", LOG_FORMAT)
    command = (sys.executable, "-m", "panel", "serve", "apps/stream_monitor.py", *address)
    started = start_server("env", f"PYTHONPATH={site}", *command)
    urllib.request.urlopen(f"{started.address}/stream_monitor").close()
    return started


def test_all_four_appear_and_work(visit: Any) -> None:
    screen = visit()
    screen.unfold("Learners")
    screen.learner("SMART without fading").uncheck()
    screen.page.get_by_label("FadingCentroids (fading-centroids)").check()
    screen.close_drawer()
    screen.set("Stream", "seasons (seasons)")
    screen.wait(lambda: "stream=seasons" in screen.page.url)
    screen.until_ready()
    screen.wait(lambda: any("FadingCentroids" in each for each in screen.learners()))
    name = next(each for each in screen.learners() if "FadingCentroids" in each)
    screen.button("Step one chunk").click()
    screen.wait(lambda: screen.position == 100)
    screen.wait(lambda: screen.curves()["position"] != [])

    screen.view("Centroids")
    picture = screen.page.locator(".sl-centroids .sl-stage")
    picture.wait_for()
    # what is out of sight is not drawn
    picture.scroll_into_view_if_needed()
    screen.wait(lambda: "3 labels" in screen.page.locator(".sl-centroids .sl-summary").inner_text())
    picture.focus()
    screen.page.keyboard.press("ArrowDown")
    screen.page.keyboard.press("Enter")
    screen.page.get_by_text(f"{name}: coat").wait_for()
    screen.page.get_by_role("button", name=re.compile("A label is seen for the first time")).first.wait_for()

    assert screen.more(name).get_by_role("slider").count() > 0, "a control for what it lets people tune"
    screen.page.keyboard.press("Escape")
    screen.unfold("What is drawn")
    screen.set("Measures drawn", "One-error")
    screen.wait(lambda: any("One-error" in title for title in screen.drawn()[0]))
