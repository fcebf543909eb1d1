"""The learner cards in a browser: they are the legend, open the forks, take a learner out, and follow the run."""

from __future__ import annotations

from typing import Any

APPS = ("stream_monitor",)


def test_a_card_for_each_learner_that_forks_removes_and_follows(visit: Any) -> None:
    screen = visit()
    assert screen.learners() == ["SMART", "SMART without fading", "no-change"]
    for words in (
        "half of its evidence fades in 200 rows",
        "its evidence never fades",
        "a baseline: it does not look at the features",
    ):
        assert screen.page.locator("[data-area=cards]").get_by_text(words).count() == 1
    for chunk in (1, 2):
        screen.button("Step one chunk").click()
        screen.wait(lambda chunk=chunk: screen.position == 100 * chunk)
    # one figure a learner: the end of its curve, on its card and in the sentence
    screen.wait(lambda: len(screen.curves()["v0"]) == 2)
    ends = [f"{screen.curves()[column][-1]:.2f}" for column in ("v0", "v1", "v2")]
    screen.wait(lambda: screen.page.locator("h3 > b").all_inner_texts() == ends)
    story = screen.page.get_by_role("region", name="What happens")
    screen.wait(lambda: all(end in story.inner_text() for end in ends))

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

    screen.more("SMART without fading")
    screen.button("Fork").click()
    screen.wait(lambda: screen.page.get_by_role("tab", selected=True).first.inner_text().lower() == "forks")
    origin = screen.page.get_by_role("combobox", name="Fork", exact=True)
    screen.wait(lambda: origin.inner_text() == "SMART without fading")

    screen.more("no-change")
    screen.button("Remove").nth(1).click()
    screen.wait(lambda: screen.learners() == ["SMART", "SMART without fading"])
    screen.button("Put it back").click()
    screen.wait(lambda: "no-change" in screen.learners())
