"""The drift laboratory and the drift ruler as a user has them: a served page and a real Chromium."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.ui.screen import Screen

APPS = ("drift_lab", "stream_monitor")


def table(screen: Screen) -> list[str]:
    return screen.page.get_by_role("region", name="How well drifts were detected").locator("tbody tr").all_inner_texts()


def test_changes_are_what_one_sees_first_and_drifts_are_noticed(visit: Any) -> None:
    screen = visit()
    changes_are_put_in(screen)
    assert screen.page.title() == "streamlab · drift laboratory"
    # a picture, and the table one click away
    screen.wait(lambda: screen.stats("fading") is not None)
    screen.view("Drift")
    screen.speed("flat out")
    screen.button("Play").click()
    screen.wait(lambda: screen.position >= 5000)
    screen.pause()
    screen.wait(lambda: [position for position, _ in screen.marks()][:2] == [300, 2500])
    screen.wait(lambda: len(screen.delays()) >= 2)
    assert {what for *_, what in screen.ticks()} >= {"Error alarm"}
    assert {learner for _, learner, _ in screen.ticks()} >= {"SMART", "SMART without fading"}
    screen.wait(lambda: len(table(screen)) == 3)
    assert {"SMART", "SMART without fading"} <= {
        row.split("\t")[0] for row in table(screen) if re.search(r"\t[1-9] of ", row)
    }


def changes_are_put_in(screen: Screen) -> None:
    """Step to row 300, where a drift begins by a click; the sentence says what it was."""
    buttons = screen.page.get_by_role("button", name=re.compile("^(Rename|Swap|Add noise|Let|Change a)"))
    screen.wait(lambda: buttons.count() == 7)
    curve = screen.page.locator("[data-area=timeline]").bounding_box()
    assert all(each.bounding_box()["y"] < curve["y"] for each in buttons.all())
    assert curve["y"] + curve["height"] < screen.page.locator("[data-area=stage]").bounding_box()["y"] + 1
    # one line of words, in reach of a finger
    tops = [each.bounding_box()["y"] for each in buttons.all()]
    assert max(tops) - min(tops) < 2
    assert curve["y"] - tops[0] < 60
    screen.view("Drift")
    screen.page.get_by_text("No drift has begun yet").wait_for()
    screen.view("Trees")
    for chunk in range(1, 4):
        screen.button("Step one chunk").click()
        screen.wait(lambda chunk=chunk: screen.position == 100 * chunk)
    screen.page.get_by_role("button", name=re.compile("^Rename the labels")).click()
    screen.page.get_by_text("Label rotation, from 300 on.").wait_for()
    screen.button("Step one chunk").click()
    screen.wait(lambda: [position for position, _ in screen.marks()] == [300])
    told = screen.page.get_by_role("region", name="What happens")
    screen.wait(lambda: told.inner_text().startswith("① Every label took the next one's name."))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("drift", "said"),
    [
        ("Rename the labels", "label rotation"),
        ("Change a label's share", "prior shift"),
        ("Add noise to features", "feature noise"),
    ],
)
def test_a_drift_put_in_by_hand_is_in_the_ruler_within_one_chunk(visit: Any, drift: str, said: str) -> None:
    screen = visit("stream_monitor")
    # by steps: a machine under load must not run to the end before the drift is put in
    for chunk in range(1, 5):
        screen.button("Step one chunk").click()
        screen.wait(lambda chunk=chunk: screen.position == 100 * chunk)
    screen.view("Drift")
    screen.select("Drift", drift)
    if drift == "Add noise to features":
        screen.select("It takes effect", "over 100 instances")
    at = 400
    screen.button("Put it in now").click()
    screen.page.get_by_text(f"{said.capitalize()}, from {at:,} on.").wait_for()
    assert screen.marks() == []
    screen.button("Step one chunk").click()
    screen.wait(lambda: [position for position, _ in screen.marks()] == [at])
    assert screen.position == at + 100
    assert screen.marks()[0][1].startswith(said)
    screen.wait(lambda: any(said in event for event in screen.events()))
