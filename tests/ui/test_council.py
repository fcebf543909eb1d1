"""The council’s page: an expert is chosen by keys and told about, a label is found, a member has its own picture."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

APPS = ("council",)


def prepare() -> None:
    from streamlab.learners import Council

    Council().prepare()


@pytest.mark.nightly
def test_an_expert_is_chosen_by_keys_and_shows_its_own_picture(visit: Any) -> None:
    screen = visit(query="?at=1300")
    screen.wait(lambda: screen.position == 1300 and (screen.stats("council") or {}).get("experts") == 7)
    # of the row that was learned last the labels that were answered, or are true
    assert 0 < screen.stats("council")["rows"] < 14
    part = screen.page.locator(".sl-council")
    assert "Trusted most now: RankedKNN" in part.locator(".sl-summary").inner_text()
    part.locator(".sl-stage").focus()
    for key in ("Home", "ArrowDown", "ArrowRight", "Enter"):
        screen.page.keyboard.press(key)
    screen.page.get_by_role("heading", name="Council: SMART", exact=True).wait_for()
    screen.page.get_by_text("random trees that forget", exact=True).wait_for()
    part.get_by_placeholder("Find a label").fill("class1")
    screen.wait(lambda: part.locator(".sl-search .sl-muted").inner_text() == "6 of 14 labels")
    # along a column of the picture the words are those of the cell that is pointed at
    stage, told = part.locator(".sl-stage"), set()
    box = stage.bounding_box()
    for share in (0.3, 0.5, 0.7):
        stage.hover(position={"x": box["width"] * 0.75, "y": box["height"] * share})
        told.add(part.locator(".sl-tip b").inner_text())
    assert len(told) == 3
    # with no other ensemble on the page, the member's name stands above its picture
    screen.view("Ensemble")
    screen.page.get_by_role("heading", name="Council: MLBELS", exact=True).wait_for()
    screen.wait(lambda: (screen.stats("ensemble") or {}).get("members", 0) > 14)


@pytest.mark.nightly
def test_on_a_phone_names_do_not_lie_on_each_other_and_a_touch_tells_who_it_is(visit: Any) -> None:
    screen = visit(query="?at=300", width=420, height=850)
    screen.wait(lambda: screen.position == 300 and (screen.stats("council") or {}).get("experts") == 7)
    stats = screen.stats("council")
    assert 0 < stats["rows"] < 14
    assert len(stats["ends"]) == 7
    assert min(np.diff(sorted(y for _, y in stats["ends"]))) >= 11
    stage = screen.page.locator(".sl-council .sl-stage")
    stage.scroll_into_view_if_needed()
    x, y = stats["ends"][0]
    stage.hover(position={"x": x + 10, "y": y})
    assert "a tree: old and new mixed" in screen.page.locator(".sl-council .sl-tip").inner_text()
