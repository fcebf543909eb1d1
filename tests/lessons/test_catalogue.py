"""Lessons: what ships and what is added; what a file says is read, and what is wrong is told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs.figures.lessons import written
from streamlab.lessons import catalogue
from streamlab.lessons.catalogue import read_lesson
from streamlab.lessons.lesson import Choice, Ending, Lesson
from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.hosting.serving import START_HTML
from tests.lessons.made import SMALL

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def own_list(monkeypatch):
    monkeypatch.setattr(catalogue, "_paths", dict(catalogue._paths))


def test_what_ships_is_listed_in_order():
    assert [each.name for each in catalogue.lessons()] == list(catalogue.ORDER)


def test_a_file_is_added_under_its_name_and_read_again_when_it_changes(tmp_path):
    path = tmp_path / "my-own.md"
    path.write_text(SMALL)
    assert catalogue.add_lesson(path).name == "my-own"
    assert catalogue.lesson_names()[-1] == "my-own"
    path.write_text(SMALL.replace("A small lesson", "Another title"))
    assert catalogue.lesson_of("my-own").title == "Another title"
    path.write_text("nothing")
    assert [each.name for each in catalogue.lessons()] == list(catalogue.ORDER)
    with pytest.raises(ValueError, match=r"my-own\.md: expected a first line"):
        catalogue.lesson_of("my-own")


def test_a_name_that_is_taken_or_hostile_is_refused(tmp_path):
    for name, told in (
        ("drift.md", "there is a lesson 'drift' already"),
        ("a b.md", "expected a file name of letters"),
    ):
        (tmp_path / name).write_text(SMALL)
        with pytest.raises(ValueError, match=told):
            catalogue.add_lesson(tmp_path / name)
    with pytest.raises(ValueError, match=r"there is no lesson \.\./\.\./x; there are: drift"):
        catalogue.lesson_of("../../x")


def test_the_start_page_lists_them():
    page = START_HTML.read_text(encoding="utf-8")
    for each in catalogue.lessons():
        assert f'href="stream_monitor?lesson={each.name}" title="{each.minutes} minutes"><b>{each.title}</b>' in page


@pytest.mark.parametrize("name", ["README.md", *(f"{name}.md" for name in catalogue.ORDER)])
def test_the_sheets_are_current(name):
    """``python -m docs.figures.lessons docs/lessons`` writes them."""
    assert (ROOT / "docs" / "lessons" / name).read_text(encoding="utf-8") == written()[name]


def read(folder: Path, text: str) -> Lesson:
    path = folder / "small.md"
    path.write_text(text, encoding="utf-8")
    return read_lesson(path)


def test_all_that_a_file_says_is_read(tmp_path):
    lesson = read(tmp_path, SMALL)
    assert (lesson.name, lesson.title, lesson.minutes, lesson.teacher) == (
        "small",
        "A small lesson",
        5,
        "**Aim.** None.",
    )
    first, choice, line, tune, look = lesson.steps
    assert first.page.learners == ("SMART", "no-change")
    assert (first.page.seed, first.page.chunk, first.page.speed, first.hidden) == (3, 50, 1000.0, ("story",))
    assert choice.predict == Choice("Which?", ("this", "that"), 1)
    assert choice.ending == Ending(row=200)
    assert choice.reveal == (["p", {}, "It is 0.46."],)
    assert line.page.parameters == {"SMART": {"half_life": "50"}}
    assert line.predict == Choice("How on", ("up", "down"), 0)
    assert line.ending == Ending(row=500)
    assert tune.drifts == (("swap_labels", {"a": "Class1", "b": "Class2"}),)
    assert tune.ending == Ending(learner="SMART", parameter="half_life", value=20)
    assert look.ending == Ending(tab="Labels")


def test_a_stream_may_be_made_for_a_lesson(tmp_path):
    made = (
        "  stream: yeast-rotated\n",
        "stream: {source: syn-hp, how: sudden, rows: 2000, delay: 50, changes: {at: 0.5, drift: rotate_labels}}\n",
    )
    lesson = read(
        tmp_path,
        SMALL.replace(made[0], "")
        .replace("page:\n", made[1] + "page:\n")
        .replace("Class1", "l1")
        .replace("Class2", "l2"),
    )
    spec = lesson.steps[0].stream
    assert isinstance(spec, StreamSpec)
    assert (spec.source, spec.how, spec.n_rows, spec.delay) == ("syn-hp", "sudden", 2000, 50)
    assert [(share, change.name) for share, change in spec.changes] == [(0.5, "rotate_labels")]


WRONG = {
    "no front matter": (("---\ntitle", "title"), "small.md: expected a first line '---'"),
    "no yaml": (("minutes: 5", "minutes: [5"), "small.md: invalid YAML in line"),
    "a key twice": (("minutes: 5", "minutes: 5\nminutes: 6"), "the key 'minutes' occurs twice"),
    "an anchor": (("minutes: 5", "minutes: &a 5"), "anchors (&name, *name) are not read here"),
    "an unknown key": (("minutes: 5", "minutes: 5\nabuot: x"), "abuot is unknown: expected title, about"),
    "no title": (("title: A small lesson\n", ""), "title is missing: expected a text"),
    "minutes": (("minutes: 5", "minutes: long"), "minutes='long': expected a whole number from 1 to 120"),
    "an unknown stream": (("stream: yeast-rotated", "stream: yaest"), "small.md: page: stream=yaest: not offered here"),
    "an unknown learner": (("[SMART, no-change]", "[SMRT]"), "page: learners=SMRT: not offered here"),
    "no learners": (("  learners: [SMART, no-change]\n", ""), "expected at least a stream and learners"),
    "a nested setting": (("seed: 3", "seed: {a: 3}"), "page.seed={'a': 3}: expected a text or a number"),
    "another page's setting": (("seed: 3", "lesson: small"), "page: lesson=small: not offered here"),
    "an unknown part": (("hide: [story]", "hide: [stroy]"), "hide='stroy': expected 'story', 'curves'"),
    "a picture": (("Some *text*", "![x](https://a.b/c.png)"), "step 1 (The beginning): image in the text: expected"),
    "html": (("Some *text*", "Some\n\n    code"), "step 1 (The beginning): code block in the text"),
    "a link elsewhere": (("https://example.org/a", "http://example.org/a"),
        "expected https://… or a page of this server"),
    "no text": (("Choose first.\n", ""), "step 2 (A choice): expected some text"),
    "no answers": (("options: [this, that]", "options: [this]"),
        "ask.options=['this']: expected a list of 2 to 5 texts"),
    "the same answers": (("options: [this, that]", "options: [this, this]"), "ask.options: two answers are the same"),
    "no such answer": (("answer: 2", "answer: 3"),
        "step 2 (A choice): ask.answer=3: expected a whole number from 1 to 2"),
    "no reveal": (("```reveal\nIt is 0.46.\n```\n", ""), "ask without a block ```reveal"),
    "nothing to reveal": (("Tune.\n", "Tune.\n\n```reveal\nx\n```\n"),
        "step 4 (Tune): a block ```reveal without ask"),
    "no end of a block": (("It is 0.46.\n```", "It is 0.46."), "small.md: "),
    "another block": (("Tune.\n", "Tune.\n\n```python\nx\n```\n"), "a block 'python'"),
    "an end behind": (("until: {row: 200}", "until: {row: 0}"), "until.row=0: expected a whole number from 1"),
    "an end before": (("row: 500", "row: 240"), "step 3 (Another): until.row=240: expected a row behind 250"),
    "both ends": (("until: {tab: Labels}", "until: {tab: Labels, row: 9000}"),
        "step 5 (Look): until: expected row, tab or tuned"),
    "no such end": (("until: {tab: Labels}", "until: {time: 5}"),
        "step 5 (Look): until.time is unknown: expected row, tab"),
    "no such tab": (("until: {tab: Labels}", "until: {tab: Lables}"),
        "until.tab='Lables': expected 'Trust', 'Hierarchy', "),
    "no such parameter": (("SMART.half_life: 20", "SMART.halflife: 20"), "SMART.halflife=20: no such parameter here"),
    "out of range": (("SMART.half_life: 20", "SMART.half_life: -2"), "step 4 (Tune): SMART: half_life=-2"),
    "tuned without a dot": (("{SMART.half_life: 20}", "{half_life: 20}"), "until.tuned: expected one parameter"),
    "no such drift": (("drift: swap_labels", "drift: swap"),
        "step 4 (Tune): put in.drift='swap': expected 'feature_noise', "),
    "another parameter": (("b: Class2", "c: Class2"), "step 4 (Tune): swap_labels has no parameter"),
    "a claim not said": (('is: "0.46"', 'is: "0.47"'), "claims.is=0.47: the text does not say this number"),
    "a claim of nobody": (("{of: no-change, measure", "{of: MLHAT, measure"),
        "claims.of='MLHAT': expected 'SMART' or 'no-change'"),
    "a claim of nothing": (("measure: micro_f1, after", "measur: micro_f1, after"),
        ".measur is unknown: expected of, is, measure"),
    "a run in step one": (("Some *text*", "```step\npage: {stream: yeast}\n```\n\nSome"),
        "the first step takes its stream and learners from the front matter"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_told_in_one_line(tmp_path, what):
    (old, new), told = WRONG[what]
    assert old in SMALL
    with pytest.raises(ValueError, match=r"^small\.md") as error:
        read(tmp_path, SMALL.replace(old, new, 1))
    message = str(error.value)
    assert told in message
    assert "\n" not in message


def test_a_file_that_is_too_large_or_no_text_is_refused(tmp_path):
    path = tmp_path / "large.md"
    path.write_bytes(b"-" * 300_000)
    with pytest.raises(ValueError, match=r"large.md: expected at most 200,000 bytes"):
        read_lesson(path)
    path.write_bytes(b"---\n\xff\n---\n")
    with pytest.raises(ValueError, match=r"large.md: expected text in UTF-8"):
        read_lesson(path)


LINES = SMALL.splitlines()


@pytest.mark.nightly
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cut=st.lists(st.integers(0, len(LINES) - 1), max_size=4, unique=True),
    put=st.lists(
        st.tuples(
            st.integers(0, len(LINES)),
            st.sampled_from(
                ["---", "```", "## ", "```step", "ask:", "  - [", "page: 3", "# x", "until: [[[[", "\u202e", "a: *b"]
            )
            | st.text(max_size=30),
        ),
        max_size=4,
    ),
)
def test_a_damaged_file_is_read_or_refused_in_a_line(tmp_path, cut, put):
    lines = [line for i, line in enumerate(LINES) if i not in cut]
    for place, line in put:
        lines.insert(place, line)
    told = ""
    try:
        lesson = read(tmp_path, "\n".join(lines).encode("utf-8", "replace").decode())
    except ValueError as error:
        told = str(error)
    else:
        assert lesson.steps
    assert told == "" or (told.startswith("small.md") and "\n" not in told)
