"""The header, the heads of pictures and links: what is set stands in the address and opens the same page elsewhere."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.ui.test_reload import a_reload_goes_on_with_the_same_run

APPS = ("stream_monitor",)


def query(screen: Any) -> str:
    return urlsplit(screen.page.url).query


def test_heads_follow_the_run_and_a_link_opens_the_page_as_it_was_copied(visit: Any) -> None:
    screen = visit(width=1280, height=800, permissions=["clipboard-read", "clipboard-write"])
    the_header_is_low(screen, 1280)
    assert query(screen) == "stream=yeast-rotated"
    assert screen.learners() == ["SMART", "SMART without fading", "no-change"]
    said = screen.page.locator(".sl-head-says:visible")
    assert said.all_inner_texts() == ["half fades in 200 rows", "fades never"]
    screen.control("SMART").press("ArrowLeft")
    screen.wait(lambda: "SMART.half_life=100" in query(screen))
    screen.speed("1,000 rows/s")
    screen.wait(lambda: "speed=1000" in query(screen))
    screen.view("Labels")
    screen.wait(lambda: "tab=Labels" in query(screen))
    screen.button("Step one chunk").click()
    screen.wait(lambda: screen.position == 100)
    screen.button("Share").click()
    screen.panel.get_by_role("button", name="Copy link").click()
    screen.panel.get_by_role("button", name="Link copied").wait_for()
    link = screen.page.evaluate("navigator.clipboard.readText()")
    screen.page.keyboard.press("Escape")
    screen.panel.wait_for(state="hidden")
    heads_tell_the_ends_of_curves_and_their_settings_fork_and_remove(screen)
    screen.view("Labels")
    screen.wait(lambda: "tab=Labels" in query(screen))

    # starting again keeps what was set
    screen.renewed(screen.button("Start again").click)
    screen.wait(lambda: "SMART.half_life=100" in query(screen))
    assert screen.viewed == "Labels"
    assert {"stream=yeast-rotated", "speed=1000", "tab=Labels", "SMART.half_life=100"} == set(query(screen).split("&"))

    other = visit(query=f"?{urlsplit(link).query}")
    other.wait(lambda: other.position == 100)
    other.wait(lambda: "SMART.half_life=100" in query(other))
    assert other.page.get_by_label("Speed").evaluate("node => node.selectedOptions[0].text") == "1,000 rows/s"
    other.wait(lambda: other.viewed == "Labels")
    a_stream_is_chosen_in_the_header_alone(other)
    # another page with the same address is another run, and leaves this one alone
    assert screen.position == 0
    other.page.close()
    # over the labels no head stands
    screen.view("Trees")
    a_reload_goes_on_with_the_same_run(screen)


@pytest.mark.nightly
@pytest.mark.parametrize("width", [420, 320])
def test_the_header_of_a_phone_hides_nothing(visit: Any, width: int) -> None:
    screen = visit(width=width, height=800)
    the_header_is_low(screen, width)
    a_stream_is_chosen_in_the_header_alone(screen)


def heads_tell_the_ends_of_curves_and_their_settings_fork_and_remove(screen: Any) -> None:
    screen.button("Step one chunk").click()
    screen.wait(lambda: screen.position == 200)
    # one figure a learner: the end of its curve, in its head, or at the curve's end where it has none
    screen.wait(lambda: len(screen.curves()["v0"]) == 2)
    ends = [f"{screen.curves()[column][-1]:.2f}".removeprefix("0") for column in ("v0", "v1", "v2")]
    screen.view("Trees")
    screen.wait(lambda: screen.page.locator(".sl-head-value:visible").all_inner_texts() == ends[:2])
    written = screen.page.locator(".sl-curves .sl-value")
    screen.wait(lambda: [each for each in written.all_text_contents() if each.strip()] == [f" {ends[2]}"])

    # back in time it is what it was, and the control shows it
    screen.control("SMART").press("ArrowRight")
    screen.wait(lambda: half_life(screen) == "200")
    time = screen.page.get_by_role("slider", name="Position in the stream")
    time.focus()
    time.press("PageDown")
    screen.wait(lambda: half_life(screen) == "100")
    screen.button("Back to the newest row").click()
    screen.wait(lambda: half_life(screen) == "200")

    screen.more("SMART without fading").get_by_role("button", name="Fork").click()
    screen.wait(lambda: screen.viewed == "Forks")
    origin = screen.page.get_by_role("combobox", name="Fork", exact=True)
    screen.wait(lambda: origin.inner_text() == "SMART without fading")

    # its settings open from its name at its curve's end
    screen.more("no-change").get_by_role("button", name="Remove").click()
    screen.wait(lambda: screen.learners() == ["SMART", "SMART without fading"])
    screen.button("Put it back").click()
    screen.wait(lambda: "no-change" in screen.learners())
    screen.view("Trees")
    screen.control("SMART").press("ArrowLeft")
    screen.wait(lambda: half_life(screen) == "100")


def half_life(screen: Any) -> str:
    """What the head of SMART says of it."""
    return screen.control("SMART").first.inner_text()


def the_header_is_low(screen: Any, width: int) -> None:
    header = screen.page.locator("header.header")
    names = ["Data, learners, settings"]
    links = ["Lessons", "Figures", "Share"]
    assert header.bounding_box()["height"] == 48
    for name in names if width < 600 else [*links, *names]:
        box = header.get_by_role("button", name=name).bounding_box()
        assert box["y"] >= 0, name
        assert box["y"] + box["height"] <= 48, name
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= width, name
    if width < 600:
        # on a phone the rest stands in the drawer, which what is opened from it closes
        screen.open_drawer()
        drawer = screen.page.locator(".MuiDrawer-paper")
        for name in links:
            drawer.get_by_role("button", name=name).wait_for()
        drawer.get_by_role("button", name="Share").click()
        screen.panel.get_by_role("button", name="Copy link").wait_for()
        drawer.wait_for(state="hidden")
        # the table below the window is scrolled to
        screen.open_drawer()
        drawer.get_by_role("button", name="Figures").click()
        table = screen.page.locator("[data-area=figures]")
        screen.wait(lambda: (box := table.bounding_box()) and box["height"] > 0 and box["y"] + box["height"] <= 800)
        screen.page.evaluate("localStorage.clear()")
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= width


def a_stream_is_chosen_in_the_header_alone(screen: Any) -> None:
    screen.renewed(lambda: screen.set("Stream", "Image segments"))
    screen.wait(lambda: "stream=segments" in query(screen))
    screen.open_drawer()
    drawer = screen.page.locator(".MuiDrawer-paper")
    assert drawer.get_by_label("Stream", exact=True).count() == 0
    for name in ("Save run", "Copy link"):
        assert drawer.get_by_role("button", name=name, exact=True).count() == 0
