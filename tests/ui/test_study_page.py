"""The page of a study in a browser: its table, its choices, its address, and from a figure to the run itself."""

from __future__ import annotations

import sys
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from streamlab.study import Study
from tests.study.made import csv
from tests.ui.screen import Screen
from tests.ui.test_accessibility import is_without_violation
from tests.ui.test_one_screen import fits

COMMAND = (sys.executable, "-c", "from streamlab.cli import main; main()", "study", "show")
FILE = """
name = "four small runs"
measures = ["example_f1", "micro_f1"]
seeds = 2

[streams]
first = {{ use = "{first}", labels = ["label_p", "label_q"] }}
second = {{ use = "{second}", labels = ["label_p", "label_q"] }}

[learners]
"<img src=x onerror=alert(1)>" = {{ use = "NoChange" }}
usual = {{ use = "MajorityLabels" }}
"HT" = {{ use = "HT one per label" }}
"""
HOSTILE = "<img src=x onerror=alert(1)>"
WHOLE = "node => node.scrollHeight <= node.clientHeight + 1 && node.scrollWidth <= node.clientWidth"
INSIDE = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def study(tmp_path_factory: Any) -> Study:
    folder = tmp_path_factory.mktemp("study")
    places = {name: csv(folder / f"{name}.csv", 400, i) for i, name in enumerate(("first", "second"))}
    (folder / "four.toml").write_text(FILE.format(**places), encoding="utf-8")
    made = Study.read(folder / "four.toml")
    made.file = folder / "four.toml"  # type: ignore[attr-defined]
    # what runs later, while the page is open
    late = [cell for cell in made._cells if cell.learner == "HT"]
    part = Study.read(folder / "four.toml")
    part._cells = tuple(cell for cell in made._cells if cell not in late)  # type: ignore[misc]
    part.run(workers=1)
    return made


@pytest.fixture(scope="module")
def server(study: Study, start_server: Any) -> Any:
    return start_server(*COMMAND, str(study.file), "--port", "{port}", "--address", "127.0.0.1")  # type: ignore[attr-defined]


@pytest.fixture
def visit(server: Any, page: Any) -> Any:
    before = len(server.faults())

    def visited(query: str = "", **options: Any) -> Any:
        opened = page(f"{server.address}/study{query}", **options)
        opened.ran = []
        opened.on("dialog", lambda dialog: (opened.ran.append(dialog.message), dialog.dismiss()))
        return opened

    yield visited
    assert server.faults()[before:] == []


def table(opened: Any) -> list[list[str]]:
    opened.locator(".sl-study tbody tr").first.wait_for()
    # all rows at once: one that goes meanwhile would be waited for
    return opened.locator(".sl-study tbody tr").evaluate_all(
        """rows => rows.map(row => [row.querySelector("th").innerText,
            ...[...row.querySelectorAll("td a")].map(link => link.innerText.split("\\n")[0])])"""
    )


def asked(opened: Any) -> dict[str, list[str]]:
    return parse_qs(urlsplit(opened.url).query)


@pytest.mark.nightly
def test_the_table_follows_the_study_while_it_runs(visit: Any, study: Study, wait_until: Any) -> None:
    opened = visit()
    before = table(opened)
    assert [row[0] for row in before].count(HOSTILE) == 1
    assert {row[0]: row[1:] for row in before}["HT"] == ["·", "·"]
    told = opened.get_by_role("status")
    assert told.inner_text() == "4 of 6 runs are done. streamlab study run four.toml"
    assert opened.locator(".sl-progress").evaluate_all(
        "all => all.map(each => each.querySelectorAll('.sl-ended').length)"
    ) == [2 * (row[0] != "HT") for row in before]
    study.run(workers=1)
    opened.locator(".sl-lane").first.wait_for()
    assert "runs are done" not in told.inner_text()
    figures = study.table("example_f1")
    shown = {row[0]: row[1:] for row in table(opened)}
    for learner in figures.index:
        assert shown[learner] == [f"{value:.3f}" for value in figures.loc[learner]]
    best = figures["first"].idxmax()
    assert opened.locator("tr").filter(has=opened.locator("td:nth-child(2) .sl-best")).locator(
        "th"
    ).all_inner_texts() == [best]
    # the tests are behind a click
    opened.get_by_role("button", name="Why").click()
    opened.get_by_text("told apart").or_(opened.get_by_text("differs from all")).first.wait_for()
    opened.get_by_text("All 6 runs are done.").wait_for()
    opened.keyboard.press("Escape")
    assert opened.get_by_text("All 6 runs are done.").is_hidden()
    assert opened.ran == []


def test_all_is_seen_at_once_and_what_is_chosen_stands_in_the_address(
    visit: Any, study: Study, wait_until: Any
) -> None:
    study.run(workers=1)
    opened = visit()
    table(opened)
    areas = {
        "picture": "[data-part=picture]",
        "diagram": ".sl-ranks",
        "story": "[data-area=story]",
        "table": ".sl-table-host",
    }
    fits(opened, lambda: {name: opened.locator(css).bounding_box() for name, css in areas.items()}, least=0.25)
    # narrow, or at 200 %, the diagram is there as a whole; and on a projector with the table
    picture = opened.locator(".sl-ranks")
    for width, height in ((420, 900), (720, 450)):
        opened.set_viewport_size({"width": width, "height": height})
        wait_until(lambda: picture.evaluate(WHOLE), opened)
    opened.set_viewport_size({"width": 1280, "height": 720})
    opened.keyboard.press("p")
    fits(opened, lambda: {name: opened.locator(css).bounding_box() for name, css in areas.items()}, least=0.2)
    opened.keyboard.press("Escape")
    opened.get_by_label("Measure", exact=True).select_option(label="F1 (micro)")
    opened.get_by_role("button", name="Choose").click()
    opened.get_by_role("checkbox", name="usual").uncheck()
    wait_until(lambda: len(table(opened)) == 2, opened)
    opened.get_by_role("button", name="Curves").click()
    opened.locator(".sl-curve-host .sl-curves").wait_for()
    opened.get_by_label("Curves on").select_option(label="second")
    wait_until(lambda: asked(opened).get("curves") == ["second"], opened)
    assert asked(opened) == {"measure": ["micro_f1"], "learners": [HOSTILE, "HT"], "curves": ["second"]}
    link = opened.url

    # what an address cannot ask for is refused in a sentence
    other = visit(f"?{urlsplit(link).query}&run=../../../etc/passwd&file=%3Cscript%3Ealert(1)%3C/script%3E&theme=dark")
    told = other.get_by_text("The link asked for what cannot be had here")
    told.wait_for()
    assert "run=../../../etc/passwd: not in this study" in told.inner_text()
    assert "file=<script>alert(1)</script>: the page has no such setting" in told.inner_text()
    assert other.locator(".sl-study.sl-dark").count() == 1
    assert {row[0] for row in table(other)} == {HOSTILE, "HT"}
    assert other.get_by_label("Measure", exact=True).evaluate("node => node.selectedOptions[0].text") == "F1 (micro)"
    # the last one stays
    other.get_by_role("button", name="Choose").click()
    other.get_by_role("checkbox", name="HT").uncheck()
    wait_until(lambda: len(table(other)) == 1, other)
    other.get_by_role("checkbox", name=HOSTILE).click()
    assert other.get_by_role("checkbox", name=HOSTILE).is_checked()
    other.get_by_role("button", name="show all").click()
    wait_until(lambda: len(table(other)) == 3, other)
    # sorting by a title, by keyboard too
    title = other.get_by_role("button", name="second")
    title.focus()
    other.keyboard.press("Enter")
    figures = study.table("micro_f1")["second"].sort_values(ascending=False)
    assert [row[0] for row in table(other)] == figures.index.tolist()
    other.keyboard.press("Enter")
    assert [row[0] for row in table(other)] == figures.index.tolist()[::-1]
    # back to the ranks, whose small dots are the runs, too
    other.get_by_role("button", name="Ranks").click()
    other.locator(".sl-lane").first.wait_for()
    wait_until(lambda: "curves" not in asked(other), other)
    assert other.locator(".sl-lane a").count() == 2 * 3
    assert opened.ran + other.ran == []


@pytest.mark.nightly
def test_a_figure_opens_its_run_and_the_way_back_marks_it(visit: Any, study: Study, wait_until: Any) -> None:
    study.run(workers=1)
    opened = visit("?measure=micro_f1")
    table(opened)
    link = opened.locator('.sl-study tbody tr:has-text("usual") td a').nth(1)
    key = link.get_attribute("data-key")
    link.focus()
    opened.keyboard.press("Enter")
    screen = Screen(opened, wait_until)
    assert asked(opened)["run"] == [key]
    assert screen.position == 300
    value = study.table("micro_f1").loc["usual", "second"]
    screen.open_drawer()
    opened.get_by_text(f"the study’s result is F1 (micro) {value:.3f} over all its rows").wait_for()
    screen.close_drawer()
    # the run has the study's figures, at each row
    curve = study.curves("micro_f1", "cumulative", "second")
    then = curve[(curve.learner == "usual") & (curve.position == 300)].value.item()
    opened.keyboard.press("f")
    opened.get_by_role("region", name="Figures").filter(has_text=f"{then:.3f}").wait_for()
    opened.get_by_role("link", name="Table of the study").click()
    marked = opened.locator(".sl-study a[aria-current]")
    marked.wait_for()
    assert marked.get_attribute("data-key") == key
    assert asked(opened)["cell"] == [key]


@pytest.mark.nightly
def test_a_point_of_a_curve_opens_its_run_at_that_row(visit: Any, study: Study, wait_until: Any) -> None:
    study.run(workers=1)
    opened = visit("?learners=usual&curves=first")
    table(opened)
    curve = opened.get_by_role("slider", name="Row of the curves")
    curve.focus()
    opened.keyboard.press("Home")
    opened.keyboard.press("ArrowRight")
    wait_until(lambda: curve.get_attribute("aria-valuenow") == "100", opened)
    assert curve.get_attribute("aria-valuetext").startswith("usual. Row 100: ")
    opened.keyboard.press("Enter")
    screen = Screen(opened, wait_until)
    assert screen.position == 100
    opened.go_back()
    curve.wait_for()
    curve.scroll_into_view_if_needed()
    line = curve.locator(".sl-grid").first.bounding_box()
    opened.mouse.click(line["x"] + line["width"] * 200 / 400, line["y"] - 40)
    screen = Screen(opened, wait_until)
    assert screen.position == 200


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (420, "dark"), (320, "light")])
def test_it_is_no_wider_than_the_window_and_axe_finds_nothing(
    visit: Any, study: Study, wait_until: Any, width: int, scheme: str
) -> None:
    study.run(workers=1)
    opened = visit(width=width, color_scheme=scheme)
    table(opened)
    wait_until(lambda: opened.locator(".sl-study.sl-dark").count() == (scheme == "dark"), opened)
    assert opened.evaluate(INSIDE)
    key = opened.locator(".sl-study tbody a").first.get_attribute("data-key")
    is_without_violation(opened)
    opened = visit(f"?run={key}&at=150", width=width, color_scheme=scheme)
    screen = Screen(opened, wait_until)
    assert screen.position == 150
    assert opened.evaluate(INSIDE)
    is_without_violation(opened)
