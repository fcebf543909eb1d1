"""The council’s page: an expert is chosen by keys and told about, a label is found, a member has its own picture."""

from __future__ import annotations

from typing import Any

import pytest

APPS = ("council",)


def prepare() -> None:
    from streamlab.learners import Council

    Council().prepare()


@pytest.mark.nightly
def test_an_expert_is_chosen_by_keys_and_shows_its_own_picture(visit: Any) -> None:
    screen = visit(query="?at=1300")
    screen.wait(lambda: screen.position == 1300 and (screen.stats("council") or {}).get("experts") == 8)
    assert screen.stats("council")["rows"] == 14
    part = screen.page.locator(".sl-council")
    assert "Trusted most now: RankedKNN" in part.locator(".sl-summary").inner_text()
    part.locator(".sl-stage").focus()
    for key in ("Home", "ArrowDown", "ArrowRight", "Enter"):
        screen.page.keyboard.press(key)
    screen.page.get_by_role("heading", name="Council: SMART", exact=True).wait_for()
    part.get_by_placeholder("Find a label").fill("class1")
    screen.wait(lambda: part.locator(".sl-search .sl-muted").inner_text() == "6 of 14 labels")
    # with no other ensemble on the page, the member's name stands above its picture
    screen.page.get_by_role("tab", name="Ensemble").click()
    screen.page.get_by_role("heading", name="Council: MLBELS", exact=True).wait_for()
    screen.wait(lambda: (screen.stats("ensemble") or {}).get("members", 0) > 14)
