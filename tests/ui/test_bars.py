"""The measured bars without a clock: nothing moves, nothing is cut off, keys reach all and show where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.ui.probes import (
    OBSERVE,
    cumulative_shift,
    is_wider_than_window,
    shifted_parts,
    stops_to_play,
    unseen_focus,
)

APPS = (
    "stream_monitor", "label_hierarchy", "drift_lab", "mlhat_tree", "hedged_tree", "balanced_neighbours", "council"
)  # fmt: skip


def prepare() -> None:
    from streamlab.learners import SMART, FlatKNN, HierarchicalKNN

    for learner in (SMART, FlatKNN, HierarchicalKNN):
        learner.prepare()


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1400, 900)])
def test_nothing_moves_while_it_plays(visit: Callable[..., Any], width: int, height: int) -> None:
    screen = visit(played=True, width=width, height=height)
    screen.wait(lambda: screen.position == 300)
    screen.speed("1,000 rows/s")
    screen.play()
    screen.page.evaluate(f"({OBSERVE})()")
    # what came before is kept by the browser, and heard now
    screen.wait(lambda: screen.position > 400)
    screen.page.evaluate("bars.shifts.length = 0")
    screen.until("finished")
    assert screen.position == 1797
    assert cumulative_shift(screen.page) < 0.02, shifted_parts(screen.page)


@pytest.mark.nightly
@pytest.mark.parametrize("app", APPS)
def test_a_page_of_320_px_or_twice_as_large_does_not_scroll_sideways(visit: Callable[..., Any], app: str) -> None:
    for options in ({"width": 320, "height": 640}, {"width": 700, "height": 450, "device_scale_factor": 2}):
        screen = visit(app, played=True, **options)
        assert not is_wider_than_window(screen.page)
        for title in screen.views():
            screen.view(title)
            assert not is_wider_than_window(screen.page), title
        screen.page.close()


@pytest.mark.nightly
def test_play_is_among_the_first_five_stops_and_every_control_shows_its_focus(visit: Callable[..., Any]) -> None:
    screen = visit(played=True)
    screen.wait(lambda: screen.position == 300)
    assert (stops_to_play(screen.page) or 99) <= 5
    screen.page.reload()
    screen.until_ready()
    screen.wait(lambda: screen.position == 300)
    controls, unseen = unseen_focus(screen.page)
    assert controls > 20
    assert not unseen, unseen
