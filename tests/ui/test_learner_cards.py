"""The learner cards in a browser: they are the legend, open the forks, take a learner out, and follow the run."""

from __future__ import annotations

from typing import Any

import pytest

pn = pytest.importorskip("panel")
pytest.importorskip("panel_material_ui")

pytestmark = pytest.mark.ui

APPS = ("stream_monitor",)


def names(screen: Any) -> list[str]:
    # a card's heading: its line, its name, its score
    return [text for text in screen.page.locator("h3 > i + span").all_inner_texts() if text]


def test_a_card_for_each_learner_that_forks_removes_and_follows(visit: Any) -> None:
    screen = visit()
    assert names(screen) == ["SMART", "SMART without fading", "no-change"]
    for words in (
        "half of its evidence fades in 200 rows",
        "its evidence never fades",
        "a baseline: it looks at labels",
    ):
        assert screen.page.locator("h3 + p").filter(has_text=words).count() == 1
    for chunk in (1, 2):
        screen.button("Step one chunk").click()
        screen.wait(lambda chunk=chunk: screen.position == 100 * chunk)
    # the score of the card is that of the table
    score = screen.page.locator("h3 > b").first
    cell = screen.page.locator(".sl-board tbody td").first
    screen.wait(lambda: score.inner_text() == cell.inner_text() != "")

    screen.slider("Half-life").focus()
    screen.page.keyboard.press("ArrowLeft")
    said = screen.page.get_by_text("half of its evidence fades in 100 rows", exact=True)
    said.wait_for()
    # back in time it is what it was, and the control shows it
    time = screen.page.get_by_role("slider", name="Position in the stream")
    time.focus()
    time.press("Home")
    screen.page.get_by_text("half of its evidence fades in 200 rows", exact=True).wait_for()
    screen.button("Back to the newest row").click()
    said.wait_for()

    screen.button("Fork").nth(1).click()
    screen.wait(lambda: screen.page.get_by_role("tab", selected=True).first.inner_text().lower() == "forks")
    origin = screen.page.get_by_role("combobox", name="Fork", exact=True)
    screen.wait(lambda: origin.inner_text() == "SMART without fading")

    screen.button("Remove").nth(2).click()
    screen.wait(lambda: names(screen) == ["SMART", "SMART without fading"])
    screen.button("Put it back").click()
    screen.wait(lambda: "no-change" in names(screen))
