"""Curves by Matplotlib: where lines, dated rows and names stand, and in which colours."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

import streamlab as sl
from streamlab.views.kit.themes import THEMES
from streamlab.views.on_paper import LINESTYLES, apart
from streamlab.views.timeline.bands import COLOURS, DASHES, style_of

LEARNERS = {"SMART": lambda: sl.SMART(seed=1, n_trees=2), "no change": sl.NoChange, "$x$": sl.MajorityLabels}


@pytest.fixture(scope="module")
def result() -> sl.PrequentialResult:
    learners = {name: make() for name, make in LEARNERS.items()}
    return sl.prequential("yeast-rotated", learners, n=1500, measures=["micro_f1", "macro_f1", "hamming_loss"])


def curves_of(axes):
    """The lines of learners, not those of rows."""
    return [line for line in axes.lines if len(line.get_xdata()) > 2]


def dated_on(axes) -> list[float]:
    return [line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 2]


def ends_on(axes) -> dict[str, object]:
    """The names at the ends of lines, by text."""
    return {text.get_text(): text for text in axes.texts if text.anncoords == "axes fraction"}


@pytest.mark.whole
@pytest.mark.parametrize("over", ["chunk", "cumulative", "faded", "tenth"])
def test_a_line_is_the_table_of_its_learner(result, over):
    (axes,) = result.plot("macro_f1", over).axes
    table = result.tenths.rename(columns={"stop": "position"}) if over == "tenth" else result.curves_over(over)
    for line, name in zip(curves_of(axes), LEARNERS, strict=True):
        own = table[table.learner == name]
        assert np.array_equal(line.get_xdata(), own.position)
        assert np.array_equal(line.get_ydata(), own.macro_f1)
    assert axes.get_xlim() == (0, 1500)


def test_lines_have_the_colours_and_dashes_of_the_page(result):
    (axes,) = result.plot().axes
    for i, (line, end) in enumerate(zip(curves_of(axes), map(ends_on(axes).get, LEARNERS), strict=True)):
        colour, dash = style_of(i)
        assert (to_hex(line.get_color()), end.get_color()) == (colour.lower(), colour)
        expected = LINESTYLES[dash]
        assert line.get_linestyle() == (expected if isinstance(expected, str) else "--")
    assert set(LINESTYLES) == set(DASHES)


def test_a_drift_is_a_line_with_its_name_where_there_is_room():
    stream = sl.swap_labels(sl.rotate_labels(sl.load("yeast"), at=600), "Class1", "Class2", at=610)
    (axes,) = sl.prequential(stream, sl.NoChange(), n=1500, measures=["micro_f1"]).plot(title="Named").axes
    assert dated_on(axes) == [600, 610]
    above = [(text.xy, text.get_text()) for text in axes.texts if text.anncoords == "offset points"]
    assert above == [((600, 1), "label rotation")]
    assert axes.figure.get_suptitle() == "Named"


def test_names_stand_at_the_ends_apart_from_each_other_and_within_the_figure(result):
    figure = result.plot(width=600).canvas.figure
    figure.draw_without_rendering()
    (axes,) = figure.axes
    named = ends_on(axes)
    assert set(named) == set(LEARNERS)
    ends = {name: line.get_ydata()[-1] for line, name in zip(curves_of(axes), LEARNERS, strict=True)}
    boxes = {name: Text.get_window_extent(text) for name, text in named.items()}
    lower, middle, upper = sorted(named, key=ends.get)
    assert boxes[lower].y1 < boxes[middle].y1 < boxes[upper].y1
    assert boxes[middle].y0 - boxes[lower].y0 > 11 < boxes[upper].y0 - boxes[middle].y0
    for name, text in named.items():
        assert text.xy == (1500, ends[name])
        assert axes.get_window_extent().x1 < boxes[name].x0 < boxes[name].x1 <= 600
    assert not any(text.get_parse_math() for text in named.values()), "names are no formulas"


def test_seeds_of_a_learner_are_one_line_with_a_band():
    learners = {f"SMART · seed {i}": sl.SMART(seed=i, n_trees=1) for i in (1, 2)} | {"none": sl.NoChange()}
    result = sl.prequential("yeast", learners, n=500, measures=["micro_f1"])
    (axes,) = result.plot().axes
    values = result.curves.pivot(index="position", columns="learner", values="micro_f1")
    mean, none = curves_of(axes)
    assert set(ends_on(axes)) == {"SMART (2 seeds)", "none"}
    assert mean.get_ydata() == pytest.approx(values[list(learners)[:2]].mean(axis=1))
    assert to_hex(none.get_color()) == COLOURS[1].lower()
    (band,) = axes.collections
    path = band.get_paths()[0].vertices
    at = path[path[:, 0] == 300, 1]
    assert (at.min(), at.max()) == pytest.approx(tuple(values.loc[300, list(learners)[:2]].agg(["min", "max"])))


def test_several_measures_have_a_panel_each_above_one_another(result):
    figure = result.plot(["macro_f1", "hamming_loss"], theme="dark", width=420, ylim=(0, 1), xscale="linear")
    assert figure.get_size_inches().tolist() == [4.2, 6.4]
    upper, lower = figure.axes
    assert upper.get_position().y0 > lower.get_position().y1
    assert (upper.get_ylabel(), lower.get_xlabel()) == ("F1 (macro), per chunk", "rows")
    assert (upper.get_ylim(), lower.get_ylim()) == ((0, 1), (0, 1))
    assert dated_on(upper) == dated_on(lower) == [1200]
    assert {to_hex(each.get_facecolor()) for each in (figure, upper, lower)} == {THEMES["dark"].paper.lower()}


def test_what_there_is_not_is_refused_by_name(result):
    for asked, says in (
        ({"measure": "micro_f2"}, "measure='micro_f2'"), ({"measure": ["macro_f1", "micro_f2"]}, "measure='micro_f2'"),
        ({"measure": []}, "measure: expected at least one"), ({"over": "week"}, "over='week'"),
        ({"theme": "blue"}, "theme='blue'"), ({"backend": "matplotlib"}, "plot: there is no option backend="),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=says):
            result.plot(**asked)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("wanted", "expected"),
    [([], []), ([70], [70]), ([50, 50, 90], [45, 55, 90]), ([-5, 99, 100], [0, 90, 100]), ([0] * 21, range(0, 105, 5))],
)
def test_heights_are_apart_and_within(wanted, expected):
    assert apart(wanted, 10, 100) == pytest.approx(list(expected))
