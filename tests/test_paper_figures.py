"""The figures and tables of the papers that are drawn again: what they compute, their pictures and their pages."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from docs.figures import hierarchical
from docs.figures.mlhat import properties
from docs.figures.mlhat_runs import shares
from docs.figures.pages import with_table
from docs.figures.papers import FIGURES, main
from docs.figures.svg import draw_dots, draw_panels
from streamlab.hierarchy import Hierarchy
from streamlab.streams.readers.arrays import ArrayStream

FOLDER = Path(__file__).parents[1] / "docs" / "papers"
TABLE = pd.DataFrame(
    [("left", curve, x, x * factor) for curve, factor in (("one", 1.0), ("two", 2.0)) for x in (1, 2, 4)]
    + [("right", "one", 1, 5.0), ("right", "one", 1, 7.0), ("right", "one", 2, 8.0)],
    columns=["panel", "curve", "x", "y"],
)


def test_a_table_takes_the_place_of_the_former_one():
    page = "before\n<!-- table: a -->\nold\n<!-- end -->\nbetween\n<!-- table: b -->\n<!-- end -->\n"
    once = with_table(page, "a", "| new |")
    assert once == page.replace("\nold\n", "\n\n| new |\n\n")
    assert with_table(once, "a", "| new |") == once
    with pytest.raises(ValueError, match="table: c"):
        with_table(page, "c", "| new |")
    with pytest.raises(ValueError, match="once"):
        with_table(page + page, "a", "| new |")


def test_panels_show_each_curve_with_the_mean_and_the_range_of_its_points():
    figure = draw_panels(TABLE, across=2, x="shards", y="F1", log2=True, marks={"left": [3]})
    left, right = figure.axes
    assert [axes.get_title("left") for axes in figure.axes] == ["left", "right"]
    mark, *curves = left.get_lines()
    assert list(mark.get_xdata()) == [3, 3]
    assert [line.get_ydata().tolist() for line in curves] == [[1, 2, 4], [2, 4, 8]]
    (line,) = right.get_lines()
    assert (line.get_xdata().tolist(), line.get_ydata().tolist()) == ([1, 2], [6, 8])
    band = right.collections[0].get_paths()[0].vertices
    assert (band[:, 1].min(), band[:, 1].max()) == (5, 8)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["one", "two"]


def test_dots_stand_in_their_rows():
    table = pd.DataFrame(
        [("b", "printed", 0.25), ("b", "ours", 0.5), ("a", "ours", 0.75), ("a", "ours", 0.25)],
        columns=["row", "curve", "x"],
    )
    axes = draw_dots(table, theme="dark", x="F1", lines={"chance": 0.1}).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b", "a"]
    dots = {line.get_label(): line.get_xdata() for line in axes.get_lines()}
    np.testing.assert_array_equal(dots["printed"], [0.25, np.nan])
    np.testing.assert_array_equal(dots["ours"], [0.5, 0.5])


def test_the_variance_of_a_grid_is_shared_among_its_axes():
    rng = np.random.default_rng(0)
    a, b, c = (rng.normal(size=n) for n in (3, 4, 2))
    added = a[:, None, None] + 2 * b[None, :, None] + 0 * c
    found = shares(added, ["a", "b", "c"])
    total = a.var() + 4 * b.var()
    assert found["a",] == pytest.approx(a.var() / total)
    assert found["b",] == pytest.approx(4 * b.var() / total)
    assert max(abs(share) for names, share in found.items() if len(names) == 2 or names == ("c",)) < 1e-12
    together = shares(np.array([[1.0, -1.0], [-1.0, 1.0]]), ["a", "b"])
    assert next(iter(together.items())) == (("a", "b"), 1.0)
    assert shares(np.ones((2, 2)), ["a", "b"]) == {}


def test_the_properties_of_a_stream_are_counted_over_all_its_parts():
    # labels 4, 2, 1 and 0 times in four rows
    Y = np.array([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]])
    parts = [ArrayStream(np.zeros((2, 3)), half) for half in (Y[:2], Y[2:])]
    assert properties(parts) == (4, 3, 4, 7 / 4, 7 / 16, pytest.approx((1 + 2 + 4) / 3))


def test_leaves_have_rows_of_their_own_and_others_stand_amid_their_children():
    #   0: 1 (2, 3), 4;  5
    hierarchy = Hierarchy((-1, 0, 1, 1, 0, -1))
    assert hierarchical.placed(hierarchy) == {
        0: (0, 1.25), 1: (1, 0.5), 2: (2, 0.0), 3: (2, 1.0), 4: (1, 2.0), 5: (0, 3.0),
    }  # fmt: skip
    drawn = hierarchical.draw_hierarchy(("a", "b", "c_d", "e", "f", "g"), hierarchy, "dark").axes[0]
    assert {text.get_text() for text in drawn.texts} == {"a", "b", "c d", "e", "f", "g"}


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
