"""The figures and tables of the papers that are drawn again: what they compute, their pictures and their pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.figures.pages import with_table
from docs.figures.papers import FIGURES, main

FOLDER = Path(__file__).parents[1] / "docs" / "papers"


def test_a_table_takes_the_place_of_the_former_one():
    page = "before\n<!-- table: a -->\nold\n<!-- end -->\nbetween\n<!-- table: b -->\n<!-- end -->\n"
    once = with_table(page, "a", "| new |")
    assert once == page.replace("\nold\n", "\n\n| new |\n\n")
    assert with_table(once, "a", "| new |") == once
    with pytest.raises(ValueError, match="table: c"):
        with_table(page, "c", "| new |")
    with pytest.raises(ValueError, match="once"):
        with_table(page + page, "a", "| new |")


def test_what_is_asked_for_is_drawn_and_what_cannot_be_had_is_said(tmp_path, capsys):
    assert main(["--only", "hierarchical-6", "mlhat-5", "--out", str(tmp_path), "--folder", str(tmp_path)]) == 1
    assert "mlhat-5 was not drawn" in capsys.readouterr().out
    written = {path.name for path in (tmp_path / "papers" / "img").iterdir()}
    assert written == {"hierarchical_6.svg", "hierarchical_6-dark.svg"}
    with pytest.raises(SystemExit):
        main(["--only", "mlhat-9"])
    assert "mlhat-9" in capsys.readouterr().err
    assert main(["--list"]) == 0
    listed = capsys.readouterr().out
    assert [name for name in FIGURES if f"{name}: " not in listed] == []


@pytest.mark.parametrize("page", sorted(FOLDER.glob("*.md")), ids=lambda page: page.name)
def test_a_page_has_its_tables_filled_and_its_pictures_beside_it(page):
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"<!-- table: (.+?) -->\n(.*?)<!-- end -->", text, re.DOTALL)
    assert len(blocks) == text.count("<!-- table: ") == text.count("<!-- end -->")
    assert [name for name, table in blocks if table.count("\n|") < 3] == []
    for shown in re.findall(r"\]\((img/[^)]+)\)", text):
        assert (FOLDER / shown).is_file()
        assert (FOLDER / shown).with_stem(f"{Path(shown).stem}-dark").is_file()


def test_every_picture_is_shown():
    text = "".join(page.read_text(encoding="utf-8") for page in FOLDER.glob("*.md"))
    names = {path.name for path in (FOLDER / "img").iterdir() if not path.stem.endswith("-dark")}
    assert {name for name in names if f"(img/{name})" not in text} == set()
