"""A replay's file in a real browser: opened from the file system, without a network, played, dragged and looked at."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import streamlab as sl
from streamlab.schema import Feature, Schema
from streamlab.streams import ArrayStream, Drift
from streamlab.views.hosting.replay_page import export_html
from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, with_kit
from streamlab.views.kit.picture import Drawn, Picture
from streamlab.views.pictures import PICTURES
from streamlab.views.recording import record
from tests.ui.test_hostile import HOSTILE, IMAGE, hostile_stream, learners
from tests.ui.test_one_screen import fits

LOOKS = [(1400, "light"), (1400, "dark"), (420, "light"), (420, "dark")]
AT_REST = """() => {
    const node = document.querySelector(".sl-slot > .sl-place-of");
    const name = Object.keys(node).find(key => key.endsWith("_stats"));
    if (!name) return false;
    const { waiting, moving, frames_received, frames_drawn } = node[name]();
    return !waiting && !moving && frames_received > 0 && frames_drawn > 0;
}"""
AXIS = "window.__streamlab_replay.timeline.model.axis"
INSIDE = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The default demonstration, its drift at row 1,200 and a setting changed at row 600."""
    made = {
        "SMART": sl.SMART(seed=1, n_trees=6),
        "SMART without fading": sl.SMART(half_life=math.inf, seed=1, n_trees=6),
        "no-change": sl.NoChange(),
    }
    run = sl.Run("yeast-rotated", made, alarms="label")
    log = record(run, 600, entries=15)
    run.tune("SMART", half_life=100)
    record(run, entries=45, views=log)
    return export_html(run, tmp_path_factory.mktemp("replay") / "lesson.html", views=log)


class Replay:
    """An opened replay, in the words of what people do there."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.wait_for_function("window.__streamlab_replay?.playhead")

    @property
    def position(self) -> float:
        return self.page.evaluate("window.__streamlab_replay.playhead.position")

    @property
    def slider(self) -> Any:
        return self.page.get_by_role("slider", name="Position in the stream: go back in time")

    def jump(self, row: int) -> None:
        """Go to a row."""
        self.page.evaluate("row => window.__streamlab_replay.playhead.jump(row)", row)

    def rest(self) -> None:
        """Scroll to the first picture, and wait until it shows its newest frame and nothing in it moves."""
        self.page.locator(".sl-slot .sl-stage > canvas").first.scroll_into_view_if_needed()
        self.page.wait_for_function(AT_REST)

    def pixels(self) -> str:
        """What the first picture shows, once it has come to rest."""
        self.rest()
        return self.page.locator(".sl-slot .sl-stage > canvas").first.evaluate("canvas => canvas.toDataURL()")

    def shown(self, picture: str) -> int:
        """At which row the picture's newest frame was made."""
        return self.page.evaluate(
            """name => [...document.querySelectorAll(".sl-slot *")].map(node => node[`__${name}_stats`])
                .find(Boolean)().now""",
            picture,
        )

    def figure(self, learner: str) -> tuple[str, str]:
        """What stands at the head of a learner's picture, and of which rows it is."""
        head = self.page.locator(".sl-pane-head", has=self.page.get_by_role("button", name=learner, exact=True))
        value = head.locator(".sl-head-value")
        return value.inner_text(), value.get_attribute("title")

    def open(self, picture: str) -> None:
        """Choose another picture by its word."""
        self.page.get_by_role("navigation", name="Pictures").get_by_role("button", name=picture).click()


@pytest.fixture
def opened(page: Callable[..., Any]) -> Callable[..., Replay]:
    """Open a file without a network."""

    def open_file(path: Path, width: int = 1400, scheme: str = "light", **options: Any) -> Replay:
        return Replay(page(path.as_uri(), width=width, color_scheme=scheme, offline=True, **options))

    return open_file


@pytest.fixture(scope="module")
def shared_replay(browser: Any, lesson: Path) -> Iterator[Replay]:
    context = browser.new_context(viewport={"width": 1400, "height": 900}, color_scheme="light", offline=True)
    page = context.new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    page.goto(lesson.as_uri())
    yield Replay(page)
    context.close()


@pytest.fixture
def replay(shared_replay: Replay) -> Iterator[Replay]:
    """The lesson's file on a page that tests share, which only go to other rows: to open it takes longer than these."""
    shared_replay.page.evaluate("document.activeElement.blur()")
    shared_replay.page.mouse.move(1399, 899)
    shared_replay.jump(2417)
    yield shared_replay
    assert shared_replay.page.errors == []


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_it_plays_drags_and_changes_tabs(opened: Any, lesson: Path, width: int, scheme: str) -> None:
    replay = opened(lesson, width, scheme)
    page = replay.page
    assert page.evaluate(INSIDE)
    assert replay.position == 2417
    assert page.locator(".sl-replay.sl-dark").count() == (scheme == "dark")
    assert "SMART, SMART without fading and no-change" in page.locator(".sl-intro").inner_text()
    page.locator(".sl-slot").nth(1).wait_for()
    at_end = replay.pixels()

    replay.slider.focus()
    page.keyboard.press("Home")
    assert replay.position == 0
    if width < 640:
        page.get_by_label("More of playback").click()
    page.get_by_label("Speed").select_option(label="100 rows/s")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("() => window.__streamlab_replay.playhead.position > 30")
    page.get_by_role("button", name="Pause").click()
    stopped = replay.position
    # some refreshes, of which each would have moved it
    page.evaluate("async () => { for (let i = 0; i < 6; i++) await new Promise(requestAnimationFrame); }")
    assert replay.position == stopped

    replay.slider.scroll_into_view_if_needed()
    box, [_, end, left, right, wide] = replay.slider.bounding_box(), page.evaluate(AXIS)
    y, begin = box["y"] + box["height"] / 2, page.locator(".sl-plot").bounding_box()["x"] + left
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(begin + 0.5 * (wide - left - right), y, steps=4)
    page.mouse.up()
    assert abs(replay.position - 0.5 * end) < 20
    in_the_middle = replay.pixels()
    assert in_the_middle != at_end
    assert replay.shown("fading") <= replay.position

    replay.open("Labels")
    labels = page.locator(".sl-labels")
    labels.wait_for()
    assert replay.pixels() not in (at_end, in_the_middle)
    assert page.evaluate(INSIDE)


def test_keys_work_the_slider_and_space_plays_anywhere(replay: Replay) -> None:
    page, slider = replay.page, replay.slider
    slider.focus()
    page.keyboard.press("End")
    assert (replay.position, slider.get_attribute("aria-valuenow")) == (2417, "2417")
    assert slider.get_attribute("aria-valuetext") == "row 2,417 of 2,417"
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert replay.position == 1
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    page.get_by_role("button", name="Pause").wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Play").wait_for()
    stopped = replay.position
    for key, rows in (("ArrowRight", 1), ("PageDown", 100), ("PageUp", -100), ("ArrowLeft", -1)):
        page.keyboard.press(key)
        stopped += rows
        assert replay.position == stopped, key


def test_everything_is_of_the_playheads_row(replay: Replay) -> None:
    page = replay.page
    curves = page.evaluate(
        """() => { const { curves } = window.__streamlab_replay.recording;
            return { at: [...curves[0].positions], chunk: [...curves[0].values[0]] }; }"""
    )
    for row in (1150, 1250, 2000):
        replay.jump(row)
        replay.rest()
        point = max(i for i, at in enumerate(curves["at"]) if at <= row)
        at = curves["at"][point]
        value = f"{curves['chunk'][point]:.2f}".removeprefix("0")
        assert replay.figure("SMART") == (value, f"F1 (micro) of rows {at - 99:,} to {at:,}")
        # of the row itself, or it says of which
        of = replay.shown("fading")
        assert row - 45 < of <= row
        said = page.locator(".sl-when").first.inner_text()
        assert said == "" if of == row else said.startswith(f"Picture of row {of:,}; the next")
        told = page.locator(".sl-story").inner_text()
        assert told.startswith("① Every label took the next one's name.") == (row > 1200)
    assert "SMART is back; without fading is not" in told
    # the last point is of 17 rows: what is written is of them and of the point before
    replay.jump(2417)
    whole = page.evaluate("window.__streamlab_replay.recording.curves[0].whole[0]")
    assert replay.figure("SMART") == (f"{whole:.2f}".removeprefix("0"), "F1 (micro) of rows 2,301 to 2,417")
    page.locator(".sl-dot.sl-short").nth(2).wait_for()
    assert page.locator(".sl-dot.sl-short").count() == 3
    # the name's figure stands on a level line, and the hollow point is elsewhere
    ends = page.locator(".sl-whole-end[visibility=visible]").evaluate_all(
        "nodes => nodes.map(node => [node.getBBox().y, node.textContent])"
    )
    points = page.locator(".sl-dot.sl-short").evaluate_all("nodes => nodes.map(node => node.cy.baseVal.value)")
    assert ends[0][1] == f"rows 2,301 to 2,417: {whole:.2f}"
    assert abs(ends[0][0] - points[0]) > 5
    replay.jump(2000)
    clip = page.locator(".sl-curves clipPath rect").first.evaluate(
        "({ x, width }) => x.baseVal.value + width.baseVal.value"
    )
    whole = page.evaluate("document.querySelector('.sl-curves').width.baseVal.value")
    assert 0.6 < clip / whole < 0.85


@pytest.mark.nightly
def test_a_tree_has_its_features_names_wherever_the_playhead_jumps(opened: Any, tmp_path: Path) -> None:
    learners = {"MLHAT": sl.MLHAT(seed=1), "HedgedMLHAT": sl.HedgedMLHAT(seed=1), "MLHT": sl.MLHT()}
    run = sl.Run("syn-branches", learners)
    path = export_html(run, tmp_path / "tree.html", views=record(run, 4000, entries=41))
    replay = opened(path)
    page = replay.page
    page.locator(".sl-tree").first.get_by_text("Table").click()
    rows = page.locator(".sl-tree").first.locator("tbody tr")
    split = {}
    for row in (4000, 1000, 200, 1100, 4000):
        replay.jump(row)
        replay.rest()
        # the table is written once a second at most
        page.wait_for_timeout(1300)
        texts = rows.all_inner_texts()
        assert any("f4 " in text for text in texts), "its root is a test of f4, which has a name"
        assert split.setdefault(row, texts) == texts
    assert len(split[200]) < len(split[1000]) < len(split[4000])
    # of three learners two stand beside each other
    heads = page.locator(".sl-head-name")
    assert heads.all_inner_texts() == ["MLHAT", "HedgedMLHAT"]
    page.get_by_label("Learner drawn").nth(1).select_option(label="MLHT")
    heads.filter(has_text="MLHT").wait_for()
    assert heads.all_inner_texts() == ["MLHAT", "MLHT"]


def test_a_mark_says_what_happened_and_leads_there(replay: Replay) -> None:
    page = replay.page
    marks = page.get_by_role("group", name="What SMART reported, and what was changed")
    tuned = marks.get_by_role("button", name="A setting was changed")
    tuned.hover()
    tip = page.locator(".sl-plot > .sl-tip")
    tip.filter(has_text="row 600: half_life: 200 → 100").wait_for()
    tuned.click()
    assert replay.position == 600
    # one stop of the Tab key for a learner; the arrows go on
    assert marks.locator("button[tabindex='0']").count() == 1
    tuned.focus()
    page.keyboard.press("ArrowRight")
    # drawn again, the mark under the pointer, which rests, takes nothing from the one that the keys are on
    page.set_viewport_size({"width": 1404, "height": 900})
    page.wait_for_timeout(400)
    tip.filter(has_text="SMART: Error alarm").wait_for(timeout=3000)
    assert replay.position == 600
    page.keyboard.press("Enter")
    assert replay.position > 1200
    change = page.get_by_role("button", name="① The stream changes at row 1,200")
    change.click()
    assert replay.position == 1200


def test_nothing_can_be_asked_of_an_address(opened: Any, lesson: Path) -> None:
    page = opened(lesson, 320).page
    assert page.evaluate(INSIDE)
    answered = page.evaluate(
        """async () => {
            const image = new Promise(done => {
                const node = new Image();
                node.onload = () => done(true);
                node.onerror = () => done(false);
                node.src = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
            });
            const script = document.createElement("script");
            script.textContent = "window.ran = 1";
            document.body.append(script);
            return [await image, await fetch("data:,x").then(() => true, () => false), window.ran === 1];
        }"""
    )
    assert answered == [False, False, False]
    assert page.errors
    page.errors.clear()


def test_measure_and_theme_are_chosen(opened: Any, lesson: Path) -> None:
    replay = opened(lesson)
    page = replay.page
    before = page.locator(".sl-curves").inner_html()
    measure = page.get_by_label("Measure", exact=True)
    measure.select_option(label="Hamming loss")
    page.wait_for_function("() => document.querySelector('.sl-curves').ariaLabel.startsWith('Curves of Hamming')")
    assert "Lower is better." in measure.get_attribute("title")
    assert page.locator(".sl-curves").inner_html() != before
    replay.jump(2416)
    assert replay.figure("SMART")[1] == "Hamming loss of rows 2,301 to 2,400"
    light = replay.pixels()
    page.get_by_role("button", name="Dark colours").click()
    assert page.locator(".sl-fading.sl-dark").count() == 2
    assert replay.pixels() != light
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(20, 23, 26)"


def test_who_wants_less_motion_sees_no_glide(opened: Any, lesson: Path) -> None:
    replay = opened(lesson, reduced_motion="reduce")
    replay.rest()
    moved = replay.page.evaluate(
        """async () => {
            const node = document.querySelector(".sl-slot > .sl-place-of"), seen = [];
            const { now } = node.__fading_stats();
            window.__streamlab_replay.playhead.jump(1000);
            while (node.__fading_stats().now === now || node.__fading_stats().waiting) {
                await new Promise(requestAnimationFrame);
            }
            for (let i = 0; i < 3; i++) {
                seen.push(node.__fading_stats().moving);
                await new Promise(requestAnimationFrame);
            }
            return seen.some(Boolean);
        }"""
    )
    assert not moved


@pytest.mark.parametrize("nested", [False, True], ids=["flat", "hierarchy"])
def test_hostile_names_are_text(opened: Any, tmp_path: Path, nested: bool) -> None:
    run = sl.Run(hostile_stream(nested), learners(nested), chunk=50)
    path = export_html(run, tmp_path / "hostile.html", views=record(run, entries=6), title=HOSTILE[7])
    replay = opened(path, 420)
    page = replay.page
    assert page.locator("h1").inner_text().startswith("</style></script><iframe")
    for place in range(page.evaluate("window.__streamlab_replay.recording.pictures.length")):
        page.evaluate("place => { window.__streamlab_replay.stage.views.model.active = place; }", place)
        page.locator(".sl-slot .sl-stage").first.scroll_into_view_if_needed()
        page.wait_for_function(INSIDE)
    for button in page.locator(".sl-marks button").all()[:6]:
        button.focus()
        assert page.locator(".sl-plot > .sl-tip").is_visible()
    assert IMAGE in page.locator(".sl-intro").inner_text()
    assert page.evaluate("window.ran") is None
    assert page.locator("img, iframe, script[src]").count() == 0


class BarsView(PictureView):
    table = ColumnTable("bar", Column("id", "id", ""), Column("size", "f4", ""))
    _esm = with_kit("""
        class Bars extends kit.CanvasView {
            static about = {
                name: "bars", title: "Bars", role: "bars", keys: "Bars.", find: "Find a bar",
                table: {label: "Table of bars", caption: "One row per bar.", heads: ["Bar"]},
            };
            render(context) {
                context.fillStyle = this.theme.accent;
                this.frame.size.forEach((size, i) => context.fillRect(30 * i, 0, 20, size));
            }
            summarise() { return `${this.frame.id.length} bars after ${this.frame.now}`; }
        }
        export const render = kit.renderPicture(Bars);
    """)


class BarsPicture(Picture):
    name: ClassVar[str] = "bars"
    title: ClassVar[str] = "Bars"
    help: ClassVar[str] = "<p>Bars of another package.</p>"
    order: ClassVar[int] = 1

    def fits(self, subject: Any) -> bool:
        return True

    def columns(self, subject: Any, selection: Any, budget: Any) -> Drawn:
        columns = {"id": np.arange(2), "size": np.full(2, float(subject.run.position))}
        return Drawn(subject.name, subject.run.position, columns, {})

    def view(self, schema: Any, **options: Any) -> BarsView:
        return BarsView(**options)

    def details(self, subject: str, story: Any, schema: Any) -> str:
        return ""


def test_a_picture_of_another_package_is_drawn_out_of_the_file(opened: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    schema = Schema((Feature("x"),), ("a", "b"))
    stream = ArrayStream(
        rng.random((90, 1)), rng.integers(0, 2, (90, 2)).astype(np.uint8), schema=schema, drifts=[Drift(40)]
    )
    take_away = PICTURES.add("bars", BarsPicture)
    try:
        run = sl.Run(stream, {"none": sl.NoChange()}, chunk=30)
        path = export_html(run, tmp_path / "bars.html", views=record(run, entries=4))
    finally:
        take_away()
    replay = opened(path)
    replay.page.get_by_text("2 bars after 90").wait_for()
    full = replay.pixels()
    replay.jump(31)
    replay.page.get_by_text("2 bars after 30").wait_for()
    assert replay.pixels() != full


def test_a_damaged_file_says_so(page: Any, lesson: Path, tmp_path: Path) -> None:
    text = lesson.read_text(encoding="utf-8")
    start = text.index('id="recorded">') + len('id="recorded">')
    broken = tmp_path / "broken.html"
    broken.write_text(text[: start + 4000] + text[start + 8000 :], encoding="utf-8")
    opened = page(broken.as_uri(), offline=True)
    opened.get_by_text("This replay cannot be shown").wait_for()
    opened.errors.clear()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_is_seen_at_once_read_in_both_themes_and_reached_by_keys(opened: Any, lesson: Path, scheme: str) -> None:
    page = opened(lesson, 1400, scheme).page
    contrasts = page.evaluate(
        """() => {
            const linear = c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
            const light = channels => channels.map(c => linear(c / 255))
                .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
            const channels = text => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
            const paper = light(channels(getComputedStyle(document.documentElement).backgroundColor));
            const texts = [
                ...[...document.querySelectorAll(".sl-curves text")].map(node => getComputedStyle(node).fill),
                ...[...document.querySelectorAll(".sl-brief,.sl-delay,.sl-muted,.sl-head-name")]
                    .map(node => getComputedStyle(node).color)];
            return texts.map(text => light(channels(text)))
                .map(value => (Math.max(value, paper) + .05) / (Math.min(value, paper) + .05));
        }"""
    )
    assert len(contrasts) > 12
    assert min(contrasts) >= 4.5

    page.evaluate("document.activeElement.blur()")
    stops = []
    for _ in range(14):
        page.keyboard.press("Tab")
        stops.append(
            page.evaluate(
                """() => { const node = document.activeElement; const style = getComputedStyle(node);
                    return [node.getAttribute("aria-label") || node.textContent, node.matches(":focus-visible")
                        && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1]; }"""
            )
        )
    # behind the last one the browser's own controls come
    stops = [stop for stop in stops if "This replay is drawn" not in stop[0]]
    assert len(stops) > 10
    assert all(name.strip() for name, _ in stops)
    assert all(is_seen for _, is_seen in stops), stops
    assert "Play" in [name for name, _ in stops[:5]]

    areas = {name: f"[data-area={name}]" for name in ("story", "stage", "transport", "timeline")}
    areas |= {"curve": "[data-part=curve]", "picture": ".sl-pair", "drawing": ".sl-slot .sl-stage"}
    fits(page, lambda: {name: page.locator(css).first.bounding_box() for name, css in areas.items()}, least=0.3)
