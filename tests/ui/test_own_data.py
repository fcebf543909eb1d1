"""Files of one's own, by clicks, in one page: thirty habits brought to a learner, or refused in a sentence."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.streams.tables.habits import HABITS, N
from tests.ui.screen import Screen

pytest.importorskip("panel")
pytest.importorskip("panel_material_ui")

pytestmark = pytest.mark.ui

APPS = ("stream_monitor",)
PICTURES = os.environ.get("STREAMLAB_PICTURES")
"""A folder for screenshots, for people to look at."""


SEEN = """() => {
    window.seenUpload = [];
    window.seenShares = [];
    const find = (root, css) => {
        for (const node of root.querySelectorAll("*")) {
            const found = node.matches(css) ? node : node.shadowRoot && find(node.shadowRoot, css);
            if (found) return found;
        }
    };
    const look = () => {
        const going = find(document, ".sl-going"), bar = find(document, "dialog.sl-own progress");
        if (going) new MutationObserver(() => seenUpload.push(going.innerText.replaceAll("\\n", " ")))
            .observe(going, {subtree: true, childList: true, characterData: true, attributes: true});
        if (bar) new MutationObserver(() => bar.value && seenShares.push(bar.value)).observe(bar, {attributes: true});
    };
    look();
}"""
DROPPED = """([name, text, held]) => { held.items.add(new File([text], name, {type: "text/csv"})); }"""


class Talk:
    """The conversation about a file, in the words of what a user does and sees there."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.page = screen, screen.page
        self.dialog = screen.page.locator("dialog.sl-own")
        self.files = screen.page.get_by_label("Upload a stream")

    def drop(self, path: Path) -> None:
        """Choose a file and wait until its rows are shown."""
        self.screen.unfold("A stream of your own")
        self.files.set_input_files(path)
        self.dialog.get_by_role("heading", name=path.name).wait_for()
        self.screen.wait(lambda: "Looking" not in self.dialog.inner_text())

    def choose(self, column: str, role: str) -> None:
        self.dialog.get_by_label(f"Role of {column}", exact=True).select_option(role)

    @property
    def asked(self) -> list[str]:
        return self.dialog.get_by_label("What is unclear").locator("li").all_inner_texts()

    @property
    def python(self) -> str:
        return self.dialog.get_by_label("The same in Python").inner_text()

    def can_start(self) -> bool:
        return self.dialog.get_by_role("button", name="Start").is_enabled()

    def start(self) -> None:
        self.dialog.get_by_role("button", name="Start").click()

    def close(self) -> None:
        self.dialog.get_by_role("button", name="Close").click()
        self.dialog.wait_for(state="hidden")


def picture(page: Any, name: str) -> None:
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png")


@pytest.mark.nightly
def test_thirty_habits_by_clicks(visit: Any, tmp_path: Path) -> None:
    screen = visit()
    talk = Talk(screen)
    # one learner without a picture: what is asked here is whether it learns at all
    screen.unfold("Learners")
    for name in ("SMART", "SMART without fading"):
        screen.learner(name).uncheck()
    begun = 0
    for habit in HABITS:
        path = tmp_path / habit.name
        path.write_bytes(habit.made())
        if habit.name == "ragged.csv":
            # rows that do not fit are seen when the whole file is read
            habit.roles.update({"l": "label"})
        talk.drop(path)
        for column, role in habit.roles.items():
            talk.choose(column, role)
        if habit.refused and not habit.options and "labels" not in habit.refused:
            screen.wait(talk.can_start)
            talk.start()
            screen.wait(lambda: talk.dialog.get_by_role("alert").is_visible())
            said = talk.dialog.get_by_role("alert").inner_text()
            assert habit.refused in said, said
            assert habit.name in said
            assert "streamlab-uploads" not in said
            talk.close()
            continue
        if habit.refused:
            screen.wait(lambda habit=habit: any(habit.refused in each for each in talk.asked))
            assert not talk.can_start()
            talk.close()
            continue
        screen.wait(talk.can_start)
        assert talk.python.startswith(f"sl.load('{habit.name}', labels=")
        screen.renewed(talk.start)
        talk.dialog.wait_for(state="hidden")
        screen.close_drawer()
        assert f"0 of {N} rows" in screen.page.locator(".sl-transport").inner_text()
        screen.button("Step one chunk").click()
        screen.wait(lambda: screen.position == 100)
        begun += 1
    assert begun == sum(not habit.refused for habit in HABITS) >= 28


@pytest.mark.nightly
def test_a_file_whose_labels_are_not_clear_is_rescued_by_keys(visit: Any, tmp_path: Path) -> None:
    screen = visit()
    talk = Talk(screen)
    path = tmp_path / "sales.csv"
    rows = [f"{i},{i * 1.5:.1f},{i % 7 * 0.5},{'yes' if i % 2 else 'no'},{i % 3 + 0.5}" for i in range(N)]
    path.write_text("id;price;weight;sold;size\n".replace(";", ",") + "\n".join(rows) + "\n")
    talk.drop(path)
    picture(screen.page, "own-data-light-1400")
    assert "“id” is left out: it holds the numbers of the rows." in talk.asked
    talk.choose("sold", "feature")
    screen.wait(lambda: talk.asked[0].startswith("Which columns are the labels?"))
    assert not talk.can_start()
    assert "“sold” could be" in talk.asked[0]
    picture(screen.page, "own-data-asks")
    box = talk.dialog.get_by_label("Role of sold")
    box.focus()
    # the first letter of an option chooses it
    screen.page.keyboard.press("l")
    screen.wait(talk.can_start)
    assert talk.python == "sl.load('sales.csv', labels='sold', ignore=['id'])"
    screen.page.keyboard.press("Escape")
    talk.dialog.wait_for(state="hidden")
    screen.unfold("A stream of your own")
    screen.button("Choose the columns again").click()
    talk.dialog.wait_for()
    assert talk.python == "sl.load('sales.csv', labels='sold', ignore=['id'])"
    talk.choose("size", "ignore")
    screen.wait(lambda: "'size'" in talk.python)
    screen.renewed(talk.start)
    # and once more while it is on the screen
    screen.unfold("A stream of your own")
    screen.button("Choose the columns again").click()
    talk.choose("weight", "ignore")
    screen.wait(lambda: "'weight'" in talk.python)
    screen.renewed(talk.start)
    screen.unfold("First rows of this stream")
    screen.page.get_by_text("1 feature, 1 label. First rows:").wait_for()


@pytest.mark.nightly
def test_a_large_file_is_dropped_beside_the_button_and_its_progress_is_shown(visit: Any, tmp_path: Path) -> None:
    screen = visit()
    screen.page.evaluate(SEEN)
    talk = Talk(screen)
    path = tmp_path / "large.csv"
    line = ",".join(f"{j}.5" for j in range(1, 60))
    # more than one piece by far
    rows = [f"{i}.25,{line},{i % 2}" for i in range(50_000)]
    path.write_text(",".join([*(f"f{j}" for j in range(60)), "label"]) + "\n" + "\n".join(rows) + "\n")
    assert path.stat().st_size > 10_000_000
    held = screen.page.evaluate_handle("() => new DataTransfer()")
    screen.page.evaluate(DROPPED, ["large.csv", path.read_text(), held])
    screen.page.locator(".sl-play").dispatch_event("drop", {"dataTransfer": held})
    talk.dialog.get_by_role("heading", name="large.csv").wait_for()
    seen = screen.page.evaluate("window.seenUpload")
    assert any(each.startswith("Uploading large.csv") for each in seen), seen
    assert len({each for each in seen if " of " in each}) > 3, seen
    screen.renewed(talk.start)
    talk.dialog.wait_for(state="hidden")
    screen.close_drawer()
    assert any(0 < share < 1 for share in screen.page.evaluate("window.seenShares"))
    screen.button("Step one chunk").click()
    screen.wait(lambda: screen.position == 100)


@pytest.mark.nightly
def test_an_upload_that_is_too_large_is_refused_in_a_sentence(visit: Any) -> None:
    screen = visit()
    screen.unfold("A stream of your own")
    screen.page.evaluate("window.held = new DataTransfer()")
    # a file that is not read before it is refused
    screen.page.evaluate(
        """() => {
            const part = new Blob([new Uint8Array(1e6)]);
            held.items.add(new File(Array(201).fill(part), "huge.csv"));
        }"""
    )
    held = screen.page.evaluate_handle("window.held")
    screen.page.locator(".sl-play").dispatch_event("drop", {"dataTransfer": held})
    screen.page.get_by_text("the upload is larger than 200 MB, which this server allows").wait_for()
    assert screen.page.get_by_role("progressbar", name="Upload").count() == 0


@pytest.mark.nightly
def test_another_separator_is_tried_at_once(visit: Any, tmp_path: Path) -> None:
    screen = visit()
    talk = Talk(screen)
    path = tmp_path / "m.csv"
    path.write_text("a;b;l\n" + "".join(f"{i},5;{i % 7},25;{i % 2}\n" for i in range(N)))
    talk.drop(path)
    assert "decimal=','" in talk.python
    talk.dialog.get_by_label("Cells are separated by").select_option("|")
    screen.wait(lambda: talk.dialog.locator("thead th").count() == 2)
    assert not talk.can_start()
    talk.dialog.get_by_label("Cells are separated by").select_option(";")
    screen.wait(lambda: talk.dialog.locator("thead th").count() == 4)
    talk.dialog.get_by_label("First row", exact=True).select_option("data")
    screen.wait(lambda: any("expected" in each or "names" in each for each in [talk.dialog.inner_text()]))
    talk.close()


def test_an_arff_file_that_does_not_name_its_labels_asks_for_them(visit: Any, tmp_path: Path) -> None:
    screen = visit()
    talk = Talk(screen)
    path = tmp_path / "plain.arff"
    rows = "\n".join(f"{i * 0.5},{i % 2},{i // 2 % 2}" for i in range(N))
    path.write_text(
        f"@relation plain\n@attribute x numeric\n@attribute a {{0,1}}\n@attribute b {{0,1}}\n@data\n{rows}\n"
    )
    talk.drop(path)
    talk.choose("a", "feature")
    screen.wait(lambda: talk.python == "sl.load('plain.arff', labels=['b'])")
    screen.renewed(talk.start)
    screen.close_drawer()
    screen.button("Step one chunk").click()
    screen.wait(lambda: screen.position == 100)
    # no address leads to these rows: the browser asks before they are lost
    asked: list[str] = []
    screen.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    screen.page.evaluate("setTimeout(() => { location.href = 'drift_lab'; })")
    screen.wait(lambda: asked == ["beforeunload"])
    assert screen.position == 100


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "theme"), [(1400, "dark"), (420, "light"), (420, "dark")])
def test_the_conversation_fits_the_screen(visit: Any, tmp_path: Path, width: int, theme: str) -> None:
    screen = visit(query=f"?theme={theme}", width=width, height=900)
    talk = Talk(screen)
    path = tmp_path / "wide.csv"
    names = [f"feature_{j}" for j in range(30)] + ["genre", "tags"]
    rng = np.random.default_rng(1)
    rows = [",".join([*(f"{v:.3f}" for v in each), "rock" if each[0] > 0.5 else "pop", "a;b" if each[1] > 0.4 else "b"])
            for each in rng.random((N, 30))]  # fmt: skip
    path.write_text(",".join(names) + "\n" + "\n".join(rows) + "\n")
    talk.drop(path)
    talk.dialog.get_by_label("Role of tags", exact=True).scroll_into_view_if_needed()
    picture(screen.page, f"own-data-{theme}-{width}")
    assert ("sl-dark" in talk.dialog.locator("..").get_attribute("class")) == (theme == "dark")
    box = talk.dialog.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert talk.dialog.get_by_role("button", name="Start").is_visible()
    talk.close()
