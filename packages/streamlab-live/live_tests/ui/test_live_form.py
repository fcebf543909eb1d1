"""A live stream by clicks: typed into the form, followed, refused, closed again."""

from __future__ import annotations

import os
import sys
from typing import Any

import pytest
from tests.ui.screen import Screen

from live_tests.made import HEAD, lines

MAIN = (sys.executable, "-c", "from streamlab.cli import main; main()")
INSIDE = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
PICTURES = os.environ.get("STREAMLAB_PICTURES")
"""A folder for screenshots, for people to look at."""


def at_rest(page: Any, control: Any) -> None:
    """Wait until nothing above a control grows any more: a click on what moves away is lost."""
    seen: list[Any] = [None, control.bounding_box()]
    while seen[-1] is None or seen[-1] != seen[-2]:
        page.wait_for_timeout(300)
        seen.append(control.bounding_box())


@pytest.fixture(scope="module")
def server(start_server: Any) -> Any:
    return start_server(*MAIN, "monitor", "--live", "--port", "{port}", "--address", "127.0.0.1")


@pytest.mark.parametrize("width", [1400, 420])
def test_a_file_that_grows_is_followed(server, page, wait_until, tmp_path, width):
    faults = len(server.faults())
    path = tmp_path / "rows.csv"
    path.write_text(HEAD + lines(500))
    opened = page(f"{server.address}/stream_monitor?learners=SMART,majority", width=width, height=900)
    screen = Screen(opened, wait_until)
    screen.open_drawer()
    opened.get_by_role("button", name="A live stream", exact=True).click()
    # its fields come one by one, and each moves what is below it
    opened.get_by_label("Folder that keeps the rows").wait_for()
    listen = opened.get_by_role("button", name="Listen")
    at_rest(opened, listen)
    # nothing typed yet: it says what is missing
    listen.click()
    opened.get_by_text("expected one such as /var/log/requests.csv").wait_for()
    opened.get_by_label("Path of the file").fill(str(path))
    opened.get_by_label("Label columns").fill("alarm, lately")
    listen.click()
    opened.get_by_text("did you mean 'late'").wait_for()
    opened.get_by_label("Label columns").fill("alarm, late")
    listen.click()
    opened.get_by_text("Live from tail:").wait_for()
    # the drawer has made room; the line of Python stands in it
    screen.open_drawer()
    opened.get_by_text("sl.load('tail:").wait_for()
    screen.close_drawer()
    screen.wait(lambda: screen.position == 500)
    with path.open("a") as file:
        file.write(lines(200, seed=2) + "what is this?\n" + lines(200, seed=3))
    screen.wait(lambda: screen.position == 900)
    opened.get_by_text("1 refused, set aside (the last at rows.csv").wait_for()
    assert opened.evaluate(INSIDE)
    if PICTURES:
        opened.screenshot(path=f"{PICTURES}/live_{width}.png")
    # a reload takes the stream over, and the rows go on
    opened.reload()
    screen = Screen(opened, wait_until)
    screen.wait(lambda: screen.position == 900)
    with path.open("a") as file:
        file.write(lines(100, seed=4))
    screen.wait(lambda: screen.position == 1000)
    opened.close()
    assert server.faults()[faults:] == []


@pytest.mark.nightly
def test_a_server_that_was_not_told_so_opens_none(start_server, page, wait_until):
    plain = start_server(*MAIN, "monitor", "--port", "{port}", "--address", "127.0.0.1")
    screen = Screen(page(f"{plain.address}/stream_monitor"), wait_until)
    screen.open_drawer()
    assert screen.page.get_by_text("A stream of your own").count()
    assert not screen.page.get_by_text("A live stream").count()
