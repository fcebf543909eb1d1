"""The pages on ideas and learners and the gallery: their Python runs as written, their tables and links are true."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import streamlab as sl
from docs.figures.book import FOLDERS, MOST_BYTES
from docs.figures.ideas import FIGURES, NARROW
from docs.figures.replays import DARK, LESSONS, REPLAYS, SHOTS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [*sorted((DOCS / "ideas").glob("*.md")), *sorted((DOCS / "learners").glob("*.md")), DOCS / "gallery.md"]
PAPERS = sorted((DOCS / "papers").glob("*.md"))
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TABLE = re.compile(r"^#+ Parameters of (\w+)\n(.*?)(?=^#|\Z)", re.DOTALL | re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \| `([^`]*)` \| \S.* \| \S.* \|$", re.MULTILINE)
# a target in brackets, or an attribute of raw HTML; addresses elsewhere and references in the page aside
LINK = re.compile(r"""(?:\]\(|href="|src=")(?!https?:|#|/)([^)"#\s]+)""")


def named(page: Path) -> str:
    return str(page.relative_to(DOCS))


def tables() -> list[tuple[str, str]]:
    return [match for page in PAGES for match in TABLE.findall(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_page_runs_and_prints_what_it_says(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    space = {"__name__": "page"}
    printed = ""
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "python":
            exec(compile(text, named(page), "exec"), space)  # as a reader does
            printed = capsys.readouterr().out
        else:
            assert [line.rstrip() for line in printed.splitlines()] == [line.rstrip() for line in text.splitlines()]


@pytest.mark.parametrize("page", [*PAGES, *PAPERS], ids=named)
def test_the_page_s_links_lead_somewhere(page):
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        # the site copies the notebooks into its own folder
        place = (page.parent / target).resolve()
        if place.is_relative_to(DOCS / "notebooks"):
            place = DOCS.parent / "notebooks" / place.name
        assert place.exists(), target


@pytest.mark.parametrize(("name", "text"), tables(), ids=[name for name, _ in tables()])
def test_the_table_has_the_parameters_and_defaults_of_the_code(name, text):
    def defaults(cls: type) -> dict[str, str]:
        return {
            each.name: "required" if each.default is each.empty else repr(each.default)
            for each in inspect.signature(cls.__init__).parameters.values()
            if each.name != "self"
        }

    cls = getattr(sl, name)
    told, known = dict(ROW.findall(text)), defaults(cls)
    assert len(told) == len(re.findall(r"^\| `", text, re.MULTILINE)), "a row of the table has another form"
    assert told.items() <= known.items()
    # what is left out is as in the class it comes from
    assert {key: known[key] for key in known if key not in told}.items() <= defaults(cls.__mro__[1]).items()


def test_each_learner_has_a_table():
    ours = {
        name for name in sl.__all__ if isinstance(getattr(sl, name), type) and issubclass(getattr(sl, name), sl.Learner)
    }
    without = {"Learner", "NoChange", "MajorityLabels"}
    assert ours - without <= {name for name, _ in tables()}


@pytest.mark.parametrize(
    ("kind", "names", "ending", "variant"),
    [
        ("figures", FIGURES, "svg", NARROW),
        ("replays", REPLAYS, "html", ""),
        ("lessons", LESSONS, "html", ""),
        ("pictures", SHOTS, "png", DARK),
    ],
    ids=list(FOLDERS),
)
def test_what_the_pages_show_is_made_by_the_script_and_light(kind, names, ending, variant):
    files = {path.name: path.stat().st_size for path in (DOCS / FOLDERS[kind]).iterdir()}
    assert set(files) == {f"{name}{which}.{ending}" for name in names for which in ("", variant)}
    assert max(files.values()) <= MOST_BYTES
    shown = "".join(page.read_text(encoding="utf-8") for page in (*PAGES, DOCS / "index.md", DOCS / "replay.md"))
    assert [name for name in names if f"/{name}.{ending}" not in shown] == []
