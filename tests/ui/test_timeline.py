"""The timeline in the browser: what is seen of a run, by hand and by keys, and going back in it."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

APPS = ("stream_monitor",)


def axis(screen: Any) -> list[float]:
    return screen.timeline()["axis"]


def a_name_shows_its_curve_alone_and_a_mark_says_why(screen: Any) -> None:
    page = screen.page
    # the first chunk, answered before anything was learned (0), does not make the axis
    assert page.locator(".sl-tick").first.text_content() in {".3", ".7"}
    boxes = sorted(each.bounding_box()["y"] for each in page.locator(".sl-name").all())
    assert all(after - above >= 15 for above, after in pairwise(boxes)), "names do not lie on each other"
    assert page.evaluate(DIMMED) == []
    page.locator(".sl-name", has_text="no-change").hover()
    screen.wait(lambda: sorted(page.evaluate(DIMMED)) == ["SMART", "SMART without fading"])
    page.mouse.move(5, 5)
    screen.wait(lambda: page.evaluate(DIMMED) == [])
    page.locator(".sl-name", has_text="SMART without fading").focus()
    screen.wait(lambda: sorted(page.evaluate(DIMMED)) == ["SMART", "no-change"])
    page.locator(".sl-play").focus()
    screen.wait(lambda: page.evaluate(DIMMED) == [])
    # a mark: its row, and in the note when, on what evidence, against what
    page.get_by_role("button", name=re.compile(r"^SMART: Error alarm\. ")).click()
    (at,) = [at for at, who, title in screen.ticks() if who == "SMART" and title == "Error alarm"]
    screen.wait(lambda: screen.position == at)
    note = screen.panel
    note.get_by_role("heading", name="SMART: Error alarm").wait_for()
    note.get_by_text(re.compile(f"^Row {at:,}: Hamming loss rose.*, {at - 1200} rows after change ①.$")).wait_for()
    note.get_by_text("evidence from row").first.wait_for()
    # who noticed the change, and when, in words that cross nothing; what changed in four
    words = page.locator(".sl-delay").all_inner_texts()
    # how soon it was stands there where that has room
    soon = {f"alarm after {delay} rows" for delay in screen.delays()}
    assert set(words) & soon
    assert set(words) <= soon | {"alarm"}
    assert len(words) == len(screen.delays())
    assert page.locator(".sl-brief").all_inner_texts() == ["labels renamed at row 1,200"]
    assert page.evaluate(CROSSED) == []
    # nothing lies over the bar's buttons, and nothing of the curve under them
    for name in ("Play", "Step one instance"):
        screen.button(name).click(trial=True)


def test_a_run_that_ended_is_looked_at_and_another_forks_and_drifts_at_the_row_that_is_clicked(visit: Any) -> None:
    screen = visit()
    screen.speed("flat out")
    screen.play()
    screen.until("finished")
    screen.wait(lambda: len(screen.curves()["position"]) == 25)
    keys_wheel_and_drags_choose_the_rows_that_are_seen(screen)
    a_name_shows_its_curve_alone_and_a_mark_says_why(screen)
    screen.renewed(screen.button("Start again").click)
    forks_and_drifts_begin_at_the_row_that_is_clicked(screen)


def keys_wheel_and_drags_choose_the_rows_that_are_seen(screen: Any) -> None:
    assert axis(screen) == [0, 2417]
    # the strip of all rows is there only while a part is seen
    assert not screen.page.locator(".sl-overview").is_visible()
    curves = screen.page.get_by_role("group", name="Curves: plus and minus zoom")
    curves.focus()
    screen.page.keyboard.press("+")
    screen.wait(lambda: axis(screen)[1] - axis(screen)[0] < 1700)
    screen.page.keyboard.press("ArrowLeft")
    screen.wait(lambda: axis(screen)[1] < 2417)
    screen.page.locator(".sl-overview").wait_for()
    box = curves.bounding_box()
    screen.page.mouse.move(box["x"] + 300, box["y"] + 60)
    before = axis(screen)
    screen.page.mouse.wheel(0, -300)
    screen.wait(lambda: axis(screen)[1] - axis(screen)[0] < 0.8 * (before[1] - before[0]))
    before = axis(screen)
    screen.page.mouse.down()
    screen.page.mouse.move(box["x"] + 420, box["y"] + 60, steps=3)
    screen.page.mouse.up()
    screen.wait(lambda: axis(screen)[0] < before[0])
    # a drag on the strip
    box = curves.bounding_box()
    strip = screen.page.locator(".sl-overview").bounding_box()
    before = axis(screen)
    screen.page.mouse.move(strip["x"] + 4, strip["y"] + 8)
    screen.page.mouse.down()
    screen.page.mouse.move(strip["x"] + strip["width"] - 4, strip["y"] + 8, steps=3)
    screen.page.mouse.up()
    screen.wait(lambda: axis(screen)[1] > before[1] + 100)
    now = axis(screen)
    assert now[1] - now[0] == pytest.approx(before[1] - before[0])
    screen.button("Follow the run").click()
    screen.wait(lambda: axis(screen) == [0, 2417])
    # the numbers of a row, and what a mark says
    screen.page.mouse.move(box["x"] + 500, box["y"] + 80)
    screen.page.locator(".sl-tip", has_text="no-change: 0.").wait_for()
    screen.page.get_by_role("button", name="① The stream changes at row 1,200").focus()
    screen.page.locator(".sl-tip", has_text="what was Class1 is Class2 now").wait_for()
    # a click on it goes there
    screen.page.keyboard.press("Enter")
    screen.wait(lambda: screen.position == 1200)
    screen.page.get_by_role("slider", name="Position in the stream").focus()
    screen.page.keyboard.press("PageDown")
    screen.wait(lambda: screen.position == 1100)
    screen.page.keyboard.press("End")
    screen.wait(lambda: screen.position == 2417)


CROSSED = """() => {
    // words on the curve that lie on each other
    const found = ".sl-delay, .sl-brief, .sl-lost, .sl-name, .sl-number, .sl-measure";
    const { plot } = window.__streamlab_timeline;
    const boxes = [...plot.querySelectorAll(found)].map(node => node.getBoundingClientRect());
    const meets = (one, other) => one.left < other.right - 2 && other.left < one.right - 2
        && one.top < other.bottom - 3 && other.top < one.bottom - 3;
    return boxes.flatMap((one, i) => boxes.slice(i + 1).filter(other => meets(one, other)).map(() => [one.x, one.y]));
}"""
PLACE = """row => {
    // where a row is in the window
    const { plot, drawn: { frame: { width, left, right }, axis: [from, to] } } = window.__streamlab_timeline;
    const curve = plot.querySelector("[data-part=curve]").getBoundingClientRect();
    const x = left + ((row - from) / (to - from)) * (width - left - right);
    return [plot.getBoundingClientRect().left + x, curve.top + curve.height / 2];
}"""
LINES = """() => window.__streamlab_timeline.lines(0).map(
    ({ name, values, ownFrom }) => [name, values.filter(value => !isNaN(value)).length, ownFrom])"""
DIMMED = """() => {
    // names of the learners whose names are dimmed
    const names = [...window.__streamlab_timeline.curves.querySelectorAll(".sl-name")];
    const dimmed = names.filter(node => Number(getComputedStyle(node).opacity) < 0.5);
    return dimmed.map(node => node.querySelector("title").textContent);
}"""


def stepped(screen: Any, rows: int) -> None:
    for row in range(100, rows + 100, 100):
        screen.button("Step one chunk").click()
        screen.wait(lambda row=row: screen.position == row and screen.state == "paused")
    screen.wait(lambda: screen.curves()["position"][-1:] == [rows])


def menu_at(screen: Any, row: int, button: str = "left") -> Any:
    """Open the box of a row: a click is as exact as a pixel, the arrows as a row."""
    x, y = screen.page.evaluate(PLACE, row)
    screen.page.mouse.click(x, y, button=button)
    menu = screen.page.get_by_role("dialog", name="At row")
    menu.wait_for()
    off = row - int(menu.get_by_role("status").inner_text().removeprefix("Row ").replace(",", ""))
    assert abs(off) < 5
    for _ in range(abs(off)):
        screen.page.keyboard.press("ArrowRight" if off > 0 else "ArrowLeft")
    assert menu.get_by_role("status").inner_text() == f"Row {row:,}"
    return menu


def forks_and_drifts_begin_at_the_row_that_is_clicked(screen: Any) -> None:
    stepped(screen, 500)
    width = screen.page.locator("[data-part=curve]").bounding_box()["width"]
    # the button at the playhead is there when it looks back
    fork_here = screen.page.locator(".sl-fork-here")
    assert not fork_here.is_visible()
    menu_at(screen, 350, "right").get_by_role("button", name="Go to this row").click()
    screen.wait(lambda: screen.position == 350)
    fork_here.wait_for()
    assert "SMART, half-life 100" in fork_here.get_attribute("title")
    menu_at(screen, 240).get_by_role("button", name="Fork here").click()
    screen.wait(lambda: "SMART, half-life 100" in screen.learners())
    assert screen.position == 240
    screen.wait(lambda: [at for at, text in screen.marks() if "left SMART" in text] == [240])
    assert screen.page.locator("[data-part=curve]").bounding_box()["width"] == pytest.approx(width, abs=2)
    for at in (300, 400):
        screen.button("Step one chunk").click()
        screen.wait(lambda at=at: screen.position == at and screen.curves()["position"][-1:] == [at])
    screen.wait(lambda: screen.timeline()["playhead"] == 400)
    drawn = {name: more for name, *more in screen.page.evaluate(LINES)}
    assert drawn["SMART"] == [4, 0]
    assert drawn["SMART, half-life 100"] == [3, 400], (
        "from the last point that it shares, its own from the first whole chunk"
    )
    # a drift, amid a chunk that has been answered
    menu_at(screen, 381).get_by_role("button", name="Let a drift begin here").click()
    screen.wait(lambda: screen.position == 300)
    screen.button("Step one chunk").click()
    screen.wait(lambda: [drift["at"] for drift in screen.timeline()["drifts"]] == [381])


@pytest.mark.nightly
def test_the_playhead_on_the_curves_goes_back_in_time(visit: Any) -> None:
    screen = visit()
    for chunk in range(1, 6):
        screen.button("Step one chunk").click()
        screen.wait(lambda chunk=chunk: screen.position == 100 * chunk)
    line = screen.page.locator(".sl-playhead")
    line.scroll_into_view_if_needed()
    boxes = [line.bounding_box()]

    def rests() -> bool:
        # the picture may still grow above it
        screen.page.wait_for_timeout(200)
        boxes.append(line.bounding_box())
        return boxes[-1] == boxes[-2]

    screen.wait(rests)
    box = boxes[-1]
    screen.page.mouse.move(box["x"] + 9, box["y"] + 100)
    screen.page.mouse.down()
    screen.page.mouse.move(box["x"] - 40, box["y"] + 100, steps=4)
    screen.page.mouse.move(box["x"] - 71, box["y"] + 100, steps=4)
    screen.page.mouse.up()
    screen.wait(lambda: 150 < screen.position < 350)
    assert screen.button("Back to the newest row").is_visible()
    # another measure, large, chosen where it is drawn
    screen.page.get_by_label("Measure", exact=True).select_option(label="Hamming loss")
    screen.wait(lambda: screen.drawn() == (["Hamming loss"], "chunk"))
    screen.button("Back to the newest row").click()
    screen.wait(lambda: len(screen.curves()["position"]) == 5)
    assert "Lower is better" in screen.page.get_by_label("Measure", exact=True).get_attribute("title")


@pytest.mark.nightly
def test_all_that_was_reported_is_listed_searched_and_gone_to(visit: Any) -> None:
    screen = visit()
    page = screen.page
    screen.speed("flat out")
    screen.play()
    screen.until("finished")
    screen.wait(lambda: len(screen.curves()["position"]) == 25)
    drawn = screen.timeline()
    whole = len(drawn["events"]) + len(drawn["drifts"])
    menu_at(screen, 1000).get_by_role("button", name="All reports").click()
    page.get_by_text(f"{whole} reports").wait_for()
    cards = page.get_by_role("list", name="What was reported, the newest first").get_by_role("listitem")
    screen.wait(lambda: cards.count() == whole)
    assert cards.first.inner_text().startswith("The end of the stream")
    mine = [event for event in drawn["events"] if event[1] == drawn["learners"].index("SMART")]
    page.get_by_label("Search what was reported").fill("SMART Error alarm")
    screen.wait(lambda: cards.count() == 1)
    (at,) = [at for at, _, kind, *_ in mine if drawn["kinds"][kind]["title"] == "Error alarm"]
    assert f"{at - 1200} rows after change ①." in cards.inner_text()
    page.get_by_label("Search what was reported").fill("no such words")
    screen.wait(lambda: cards.count() == 0)
    page.get_by_label("Search what was reported").fill("smart error")
    cards.get_by_role("button").click()
    screen.wait(lambda: screen.position == at)
