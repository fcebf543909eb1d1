"""No wait is silent: pages open with rows played, and say what they prepare while they go on with the rest."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.ui.screen import LOG_FORMAT, Screen

pytest.importorskip("panel")
pytest.importorskip("panel_material_ui")

pytestmark = pytest.mark.ui

APPS = ("stream_monitor", "mlhat_tree")

# majority labels are "compiled" when the test says so, by a file; no-change a second time
SLOW = """
import logging, sys, threading, time
from pathlib import Path
import panel as pn
from streamlab.lab.preparing import Preparation
from streamlab.views.page import preparing
from streamlab.views.page.monitor import Monitor

logging.basicConfig(format=sys.argv[2])
go = Path(sys.argv[1])

def until_told():
    while not go.exists():
        time.sleep(0.02)

slow = Preparation("majority labels", (), until_told)
threading.Thread(target=slow.carry_out, args=(None,), daemon=True).start()
preparing.preparation = lambda title, learner: slow if title == "majority labels" and not slow.done else None
preparing._prepare_others = lambda: None
pn.serve(dict(page=lambda: Monitor().served()), port=int(sys.argv[3]), address="127.0.0.1", show=False)
"""
QUERY = "?learners=SMART&learners=majority%20labels"


@pytest.mark.nightly
def test_a_page_opens_with_rows_played_and_nothing_blank(visit: Any) -> None:
    screen = visit(played=True)
    screen.wait(lambda: screen.position == 300)
    assert screen.state == "paused"
    screen.wait(lambda: screen.curves()["position"] == [100, 200, 300])
    screen.page.locator(".sl-stage").first.scroll_into_view_if_needed()
    screen.wait(lambda: (screen.stats("fading") or {}).get("frames_drawn", 0) > 0)
    assert "Nothing yet" not in screen.page.locator("body").inner_text()
    screen.button("Step one chunk").click()
    screen.wait(lambda: screen.position == 400)
    # starting again is from the beginning
    screen.renewed(screen.button("Start again").click)
    screen.wait(lambda: screen.position == 0)
    tree = visit("mlhat_tree", played=True)
    tree.wait(lambda: tree.position == 300)


def test_a_run_goes_on_while_a_learner_is_prepared(
    start_server: Callable[..., Any], page: Callable[..., Any], wait_until: Callable[..., Any], tmp_path: Path
) -> None:
    go = tmp_path / "go"
    server = start_server(sys.executable, "-c", SLOW, str(go), LOG_FORMAT, "{port}")
    screens = [Screen(page(f"{server.address}/page{QUERY}"), wait_until) for _ in range(3)]
    waiting, playing, without = screens
    for screen in screens:
        screen.page.get_by_text("Preparing majority labels, once, about 15 s.").wait_for()
        assert screen.learners() == ["SMART"]
        assert screen.position == 300
    bar = waiting.page.get_by_role("progressbar", name="Preparing")
    before = bar.evaluate("node => node.value")
    waiting.wait(lambda: bar.evaluate("node => node.value") > before)
    box, window = bar.bounding_box(), waiting.page.viewport_size
    assert 0 < box["x"] < box["x"] + box["width"] < window["width"]
    assert 0 < box["y"] < window["height"]
    playing.button("Step one chunk").click()
    playing.wait(lambda: playing.position == 400)
    without.button("Go on without it").click()
    without.page.get_by_text("Preparing majority").wait_for(state="hidden")
    go.touch()
    for screen in (waiting, playing):
        screen.wait(lambda screen=screen: screen.learners() == ["SMART", "majority labels"])
        screen.page.get_by_text("Preparing majority").wait_for(state="hidden")
        screen.until_ready()
    waiting.wait(lambda: waiting.position == 300)
    assert waiting.events() == [], "nobody had done anything: both began together"
    assert playing.position == 400
    playing.wait(lambda: "majority labels joined" in " ".join(playing.events()))
    assert without.learners() == ["SMART"]
    # who was left out can be asked in
    without.unfold("Learners")
    without.button("Add to this run").click()
    without.close_drawer()
    without.wait(lambda: without.learners() == ["SMART", "majority labels"])
    assert server.faults() == []
