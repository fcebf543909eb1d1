"""The question at the first thing worth one, as a user has it: a served page and a real Chromium."""

from __future__ import annotations

from typing import Any

APPS = ("stream_monitor",)


def test_the_page_asks_once_by_keyboard_and_keeps_that_somebody_does_not_want_it(visit: Any) -> None:
    screen = visit(played=True, asks=True)
    page = screen.page
    question = page.get_by_role("region", name="A question on what happened")
    screen.button("Play").click()
    question.wait_for()
    assert screen.position == 1400
    assert page.get_by_role("region", name="What happens", exact=True).count() == 0
    # the question has the focus: the next Tab goes to the first answer
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    question.get_by_text("Right, as the next rows will show.").wait_for()
    assert (
        question.get_by_role("link", name="Lesson: Forgetting on purpose").get_attribute("href").endswith("forgetting")
    )
    question.get_by_role("button", name="Do not ask again").click()
    question.wait_for(state="hidden")
    screen.wait(lambda: screen.position > 1400)
    # the browser keeps it for the next page, as those of the other tests
    assert {each["name"]: each["value"] for each in page.context.cookies()}["streamlab_asks"] == "off"
