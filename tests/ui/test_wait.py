"""A page waits for its learners in the run's own place; what people do meanwhile, and in the moment between, counts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ui.screen import LOG_FORMAT, Screen

# majority labels are "compiled" when the test says so, by a file
SLOW = """
import logging, sys, time
from pathlib import Path
import panel as pn
from streamlab import kernels
from streamlab.lab.preparing import Part, parts_of
from streamlab.learners import MajorityLabels
from streamlab.views.page import wait
from streamlab.views.page.monitor import Monitor

logging.basicConfig(format=sys.argv[2])
go = Path(sys.argv[1])

def until_told():
    if getattr(kernels._limited, "only_cached", False) and not go.exists():
        raise kernels.NotCompiled("not yet")
    while not go.exists():
        time.sleep(0.02)

def parts(learner):
    # a part of its own each time: every page waits
    return [Part("slow", "", lambda: until_told(), 12.0)] if isinstance(learner, MajorityLabels) else parts_of(learner)

wait.parts_of = parts
wait.compile_ahead = lambda: None
pn.serve(dict(stream_monitor=lambda: Monitor().served()), port=int(sys.argv[3]), address="127.0.0.1", show=False)
"""
QUERY = "?learners=SMART&learners=majority%20labels"
FOCUSED = """() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.getAttribute("aria-label") ?? "";
}"""


class Waiting:
    """A server whose majority labels wait for a file."""

    def __init__(self, server: Any, page: Callable[..., Any], wait: Any, go: Path) -> None:
        self.server, self.go, self._page, self._wait = server, go, page, wait

    def open(self, **options: Any) -> Any:
        tab = self._page(f"{self.server.address}/stream_monitor{QUERY}", **options)
        tab.get_by_role("button", name="Begin without majority labels").wait_for()
        return tab

    def screen(self, tab: Any) -> Screen:
        return Screen(tab, self._wait)


@pytest.fixture(scope="module")
def slow(start_server: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """The server, one for all: to start it takes longer than a test; and the file that it waits for."""
    go = tmp_path_factory.mktemp("slow") / "go"
    return start_server(sys.executable, "-c", SLOW, str(go), LOG_FORMAT, "{port}"), go


@pytest.fixture
def waiting(slow: tuple[Any, Path], page: Callable[..., Any], wait_until: Callable[..., Any]) -> Iterator[Waiting]:
    server, go = slow
    go.unlink(missing_ok=True)
    before = len(server.faults())
    yield Waiting(server, page, wait_until, go)
    assert server.faults()[before:] == []


def test_a_run_begins_with_all_its_learners_or_without_those_that_people_leave_out(waiting: Waiting) -> None:
    patient, without = waiting.open(), waiting.open()
    place = patient.get_by_role("region", name="The run is made ready")
    bar = patient.get_by_role("progressbar", name="Made ready")
    box, window = place.bounding_box(), patient.viewport_size
    assert box["y"] < 80
    assert box["y"] + box["height"] <= window["height"] + 1
    assert 0 <= int(bar.get_attribute("aria-valuenow")) < 100
    place.get_by_text("row 0 of 1,797").wait_for()
    without.get_by_role("button", name="Begin without majority labels").click()
    alone = waiting.screen(without)
    assert (alone.learners(), alone.position) == (["SMART"], 300)
    patient.get_by_role("button", name="Play when ready").focus()
    waiting.go.touch()
    both = waiting.screen(patient)
    assert (both.learners(), both.position, both.state) == (["SMART", "majority labels"], 300, "paused")
    assert both.curves()["position"] == [100, 200, 300]
    place.wait_for(state="hidden")
    both.wait(lambda: patient.evaluate(FOCUSED) == "Play")
    patient.keyboard.press("Space")
    both.until("playing")
