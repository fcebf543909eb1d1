"""The list of lessons: what ships, and what is added."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from streamlab.lessons import catalogue
from streamlab.lessons.sheets import written
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
        link = re.escape(f'href="stream_monitor?lesson={each.name}"><b>{each.title}')
        assert re.search(f"{link}[^/]*(?:</em>)?</b><span>{each.minutes} minutes</span>", page)


@pytest.mark.parametrize("name", ["README.md", *(f"{name}.md" for name in catalogue.ORDER)])
def test_the_sheets_are_current(name):
    """``python -m streamlab.lessons.sheets docs/lessons`` writes them."""
    assert (ROOT / "docs" / "lessons" / name).read_text(encoding="utf-8") == written()[name]
