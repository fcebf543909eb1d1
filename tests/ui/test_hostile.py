"""Names that a stranger chose, in a real browser: they are shown as text, run nothing and widen nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import panel_material_ui as pmui
import pytest

import streamlab as sl
from streamlab.hierarchy import Hierarchy
from streamlab.lab import Run
from streamlab.schema import Feature, Schema
from streamlab.streams import ArrayStream
from streamlab.streams.stream import Drift
from tests.ui.screen import LOG_FORMAT, PATIENCE_S, Screen

APPS = ("stream_monitor",)
IMAGE = '<img src=x onerror="window.ran=1">'
HOSTILE = (
    IMAGE,
    f"{IMAGE}{'W' * 4990}",
    "\u202eexe.gnp\u2066\x07\n\t\r\x1b[31m",
    "$$\\href{javascript:window.ran=1}{x}$$ \\(x\\)",
    "**bold** [link](javascript:window.ran=1) `code` <script>window.ran=1</script>",
    "@what{safe} @{message} $name {{7*7}} ${window.ran=1} %(x)s",
    f"\"'><svg onload=window.ran=1>{'Z' + chr(0x301) * 4000}",
    "</style></script><iframe srcdoc='<script>parent.ran=1</script>'>",
)
"""What labels, features, categories, learners, streams and files are called here."""
SIZES = [(1400, 900), (420, 900)]
N_ROWS = 900
INSIDE = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def hostile_stream(nested: bool) -> ArrayStream:
    """Instances with a drift, whose labels, features and categories have hostile names."""
    rng = np.random.default_rng(3)
    X = rng.random((N_ROWS, len(HOSTILE)))
    X[:, 2] = rng.integers(0, 3, N_ROWS)
    top = (X[:, 0] > 0.5) ^ (np.arange(N_ROWS) > N_ROWS // 2)
    Y = np.column_stack([top, ~top, *((top if j % 2 else ~top) & (X[:, j] > 0.4) for j in range(2, len(HOSTILE)))])
    features = [Feature(name, HOSTILE[:3] if j == 2 else None) for j, name in enumerate(HOSTILE)]
    parents = (-1, -1, *(j % 2 ^ 1 for j in range(2, len(HOSTILE))))
    schema = Schema(tuple(features), HOSTILE, Hierarchy(parents) if nested else None)
    drift = Drift(N_ROWS // 2, 1, HOSTILE[0])
    return ArrayStream(X, Y.astype(np.uint8), schema=schema, name=HOSTILE[1], drifts=[drift])


def learners(nested: bool) -> dict[str, Any]:
    made = [sl.HierarchicalKNN(), sl.SMART(seed=1), sl.NoChange()] if nested else [
        sl.MLHAT(seed=1, grace_period=30), sl.SMART(seed=1), sl.BalancedKNN(), sl.NoChange()
    ]  # fmt: skip
    return dict(zip(HOSTILE, made, strict=False))


@pytest.mark.parametrize("nested", [False, True], ids=["flat", "hierarchy"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_tab_tooltip_and_export_shows_text(
    serve: Any, page: Any, wait_until: Any, nested: bool, width: int, height: int
) -> None:
    from streamlab.views.page.run_view import RunView

    views = []

    def app() -> Any:
        views.append(RunView(Run(hostile_stream(nested), learners(nested), chunk=50), page=False, rate=None))
        return pmui.Page(main=[views[-1]], busy_indicator=None, title="test")

    for learner in learners(nested).values():
        # compiling takes longer than a page waits for
        learner.prepare()
    opened = page(serve(app), width=width, height=height)
    dialogs: list[str] = []
    opened.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    screen = Screen(opened, wait_until)
    screen.button("Play").click()
    screen.until("finished")
    views[0].player.tune(HOSTILE[1], half_life=99).result(30)
    screen.button("Settings").click()
    if not nested:
        # the name is text, at its picture or at the end of its line
        opened.locator(".sl-head-name, .sl-name").filter(has_text=IMAGE).first.wait_for()
    for title in screen.views():
        look_at(screen, title)
        walk(screen, title)
        assert opened.evaluate(INSIDE), f"{title}: the page is wider than the window"
    for choice in opened.get_by_role("combobox").all():
        if choice.is_visible():
            # by a key: where the window is narrow, the details stay on top of what was scrolled away
            choice.focus()
            opened.keyboard.press("ArrowDown")
            opened.wait_for_timeout(150)
            assert opened.evaluate(INSIDE), "a list is wider than the window"
            screen.close_list()
    for figure in opened.locator(".sl-chart").all():
        hover(opened, figure)
        assert opened.evaluate(INSIDE), "a tooltip widens the page"
    for mark in opened.locator(".sl-marks button").all()[:20]:
        mark.focus()
    assert opened.evaluate(INSIDE), "what a mark says widens the page"
    still_harmless(opened, dialogs)
    views[0].close()


def look_at(screen: Screen, title: str) -> None:
    """Choose a view, and wait until the picture before it has gone."""
    stages = screen.page.locator(".sl-stage")
    if screen.viewed == title:
        return
    stages.evaluate_all("nodes => nodes.forEach((node) => { node.isEarlier = true; })")
    screen.view(title)
    screen.wait(lambda: not any(stages.evaluate_all("nodes => nodes.map((node) => Boolean(node.isEarlier))")))


def walk(screen: Screen, title: str) -> None:
    """Use the picture of a tab: by keys, which select and describe, and by the pointer, which shows a tooltip."""
    page = screen.page
    for stage in page.locator(".sl-stage").all():
        if not stage.is_visible():
            continue
        stage.scroll_into_view_if_needed()
        stage.focus()
        for key in ("ArrowDown", "ArrowRight", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        page.wait_for_timeout(400)
        hover(page, stage)
    if title == "Drift":
        page.get_by_role("button", name="Put it in now").click()
        page.wait_for_timeout(300)


def hover(page: Any, target: Any) -> None:
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    if box is None:
        return
    for across in (0.1, 0.3, 0.5, 0.7, 0.9):
        page.mouse.move(box["x"] + across * box["width"], box["y"] + 0.45 * box["height"])
        page.wait_for_timeout(60)


def still_harmless(page: Any, dialogs: list[str]) -> None:
    assert page.evaluate("window.ran") is None, "a script in a name ran"
    assert dialogs == []
    found = page.evaluate(
        """() => {
            const found = [];
            const visit = root => {
                for (const node of root.querySelectorAll("*")) {
                    const made = node.matches("img[src=x], iframe[srcdoc], svg[onload], a[href^=javascript]");
                    if (made) found.push(node.outerHTML);
                    if (node.shadowRoot) visit(node.shadowRoot);
                }
            };
            visit(document);
            return found;
        }"""
    )
    assert found == []


# ---------------------------------------------------------------------- uploads


def arff(attributes: list[str], rows: list[str], relation: str = "r") -> str:
    def quoted(name: str) -> str:
        return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"

    head = "\n".join(f"@attribute {quoted(name)} {kind}" for name, kind in (each.rsplit(" ", 1) for each in attributes))
    return f"@relation {quoted(relation)}\n{head}\n@data\n" + "\n".join(rows) + "\n"


ONE_LINE = tuple(name for name in HOSTILE if name.isprintable() and "'" not in name and "\\" not in name)
"""Names that an ARFF file can hold in quotes."""


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_hostile_upload_is_refused_and_shown_as_text(visit: Any, tmp_path: Path, width: int, height: int) -> None:
    screen = visit(width=width, height=height)
    page = screen.page
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    files = page.get_by_label("Upload a stream")
    bad = tmp_path / "<img src=x onerror=window.ran=1>.arff"
    bad.write_text(f"@relation '{IMAGE}'\n@attribute '{IMAGE}' string\n@data\na\n")
    files.set_input_files(bad)
    asked = page.get_by_role("dialog").filter(has_text="onerror")
    asked.wait_for()
    assert "<img src=x onerror" in asked.inner_text(), "its name is shown as it is"
    assert "streamlab-uploads" not in asked.inner_text()
    assert page.evaluate(INSIDE)
    still_harmless(page, dialogs)
    asked.get_by_role("button", name="Close").click()

    rng = np.random.default_rng(1)
    rows = [",".join(["1" if v > 0.5 else "0" for v in row[:2]] + [f"{v:.3f}" for v in row[2:]])
            for row in rng.random((60, len(ONE_LINE)))]  # fmt: skip
    good = tmp_path / "<svg onload=window.ran=1>.arff"
    good.write_text(arff([f"{n} {'{0,1}' if j < 2 else 'numeric'}" for j, n in enumerate(ONE_LINE)], rows, "x: -C 2"))
    files.set_input_files(good)
    screen.wait(lambda: screen.timeline()["axis"] == [0, 60])
    assert page.evaluate(INSIDE)
    screen.close_drawer()
    screen.button("Step one chunk").click()
    screen.wait(lambda: screen.position > 0)
    for title in screen.views():
        look_at(screen, title)
        walk(screen, title)
        assert page.evaluate(INSIDE), title
    still_harmless(page, dialogs)


# ---------------------------------------------------------------------- a server with limits


def test_a_page_over_the_limit_says_so_and_has_room_when_another_closes(
    start_server: Any, page: Any, wait_until: Any
) -> None:
    server = start_server(
        sys.executable, "-c", "from streamlab.cli import main; main()", "monitor", "--port", "{port}", "--address",
        "127.0.0.1", "--most-pages", "1", "--most-upload-mb", "1",
    )  # fmt: skip
    first = Screen(page(f"{server.address}/stream_monitor"), wait_until)
    second = page(f"{server.address}/mlhat_tree")
    second.get_by_text("This server is full: 1 page is open, which is the most it allows.").wait_for()
    assert second.locator(".sl-play").count() == 0
    first.unfold("A stream of your own")
    first.page.get_by_text("At most 1 MB").wait_for()
    first.page.close()

    def has_room() -> bool:
        second.reload()
        full = second.get_by_text("This server is full")
        second.locator(".sl-play").or_(full).first.wait_for()
        if full.count():
            second.wait_for_timeout(2_000)
        return not full.count()

    wait_until(has_room, second)
    assert server.faults() == []


# ---------------------------------------------------------------------- a browser that forges

FORGE = """async () => {
    const models = [...new Set(Bokeh.documents[0].all_roots.flatMap(root => [...root.references()]))];
    const values = [1e300, -1, "x", [["y"]], {a: 1}, null, true];
    const send = (model, attr, value) => {
        const json = {events: [{kind: "ModelChanged", model: {id: model.id}, attr, new: value}]};
        const socket = window.forged_socket;
        const header = {msgid: String(Math.random()), msgtype: "PATCH-DOC"};
        for (const part of [header, {}, json]) socket.send(JSON.stringify(part));
    };
    let sent = 0;
    for (const model of models)
        for (const attr of ["value", "active", "selected", "options", "start", "end", "data", "label"])
            for (const value of values) { send(model, attr, value); sent++; }
    return sent;
}"""
CATCH_SOCKET = """
const Own = window.WebSocket;
window.WebSocket = class extends Own { constructor(...all) { super(...all); window.forged_socket = this; } };
"""


def test_thousands_of_forged_messages_change_nothing_and_kill_nothing(
    start_server: Any, browser: Any, wait_until: Any
) -> None:
    server = start_server(
        sys.executable, "-m", "panel", "serve", "apps/stream_monitor.py", "--port", "{port}", "--address", "127.0.0.1",
        "--log-format", LOG_FORMAT,
    )  # fmt: skip
    context = browser.new_context()
    forger = context.new_page()
    forger.set_default_timeout(1000 * PATIENCE_S)
    forger.add_init_script(CATCH_SOCKET)
    forger.goto(f"{server.address}/stream_monitor")
    screen = Screen(forger, wait_until)

    sent = forger.evaluate(FORGE)
    assert sent > 2_000
    forger.wait_for_timeout(3_000)
    # the reload goes on with the run, wherever the messages have brought it
    forger.reload()
    screen.until_ready()
    screen.renewed(lambda: screen.button("Start again").click())
    screen.wait(lambda: screen.position == 0)
    screen.button("Step one chunk").click()
    screen.wait(lambda: screen.position == 100)
    assert server.faults() == []
    context.close()
    server.stop()
