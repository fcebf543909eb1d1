"""A loop of one's own in a real browser: the page follows it, holds, catches up, and goes back."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

pytestmark = [pytest.mark.ui, pytest.mark.nightly]

PATIENCE = 60_000
SCRIPT = """
import sys, time
import streamlab as sl
from river import tree
from river.datasets import synth

model = tree.HoeffdingAdaptiveTreeClassifier(grace_period=50, seed=1)
seen = sl.see(model, port=int(sys.argv[1]), show=False)
for x, y in synth.Agrawal(seed=42).take(100_000):
    answer = model.predict_one(x)
    model.learn_one(x, y)
    seen.row(x, y, answer)
    time.sleep(0.002)
seen.wait()
"""


def test_a_page_follows_a_loop_holds_and_catches_up(start_server: Any, page: Any, tmp_path: Any) -> None:
    script = tmp_path / "loop.py"
    script.write_text(SCRIPT)
    server = start_server(sys.executable, "-u", str(script), "{port}")
    opened = page(server.address, width=1400, height=900)
    position = "(window.__streamlab_transport?.stats().position ?? -1)"
    opened.wait_for_function(f"{position} >= 700", timeout=PATIENCE)
    # the loop's tree splits within its first rows
    opened.get_by_role("button", name=re.compile("A leaf splits")).first.wait_for(timeout=PATIENCE)
    opened.get_by_role("button", name="Pause").click()
    opened.wait_for_function("window.__streamlab_transport.stats().state === 'paused'", timeout=PATIENCE)
    held = opened.evaluate(position)
    opened.wait_for_timeout(1500)
    assert opened.evaluate(position) == held
    opened.get_by_role("button", name="Play", exact=True).click()
    opened.wait_for_function(f"{position} >= {held + 400}", timeout=PATIENCE)
    opened.get_by_role("slider", name="Position in the stream").focus()
    opened.keyboard.press("Home")
    opened.wait_for_function(f"{position} === 0", timeout=PATIENCE)
    assert server.faults() == []
