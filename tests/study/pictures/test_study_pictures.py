"""The pictures of a study: bars on lines of their own, no two labels in one place, at any width."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.study import plot_evolution, plot_heat, plot_pairs, plot_spread, plot_tradeoff
from streamlab.study.pictures.by_stream import draw_heat, draw_pairs, draw_spread, mixed
from streamlab.study.pictures.drawing import THEMES, Scale, text_width, wrapped
from streamlab.study.pictures.evolution import banded
from streamlab.study.pictures.ranks import draw_ranks, lanes
from streamlab.study.pictures.tradeoff import draw_tradeoff, not_beaten
from streamlab.study.scores import tradeoff_of

LIGHT = THEMES["light"]
WIDTHS = (360, 420, 800, 1400)


@pytest.fixture(scope="module")
def paper():
    table = sl.published("mlhat-paper")
    rng = np.random.default_rng(1)
    seconds = np.where(table.status == "done", np.exp(rng.normal(4, 2, len(table))), np.nan)
    return table.assign(seconds=seconds)


@pytest.fixture(scope="module")
def found(paper):
    return sl.compare(paper, "example_f1", control="MLHAT", alpha=0.01)


interval = st.tuples(st.floats(0, 20), st.floats(0, 20)).map(sorted).map(tuple)


@given(st.lists(interval, max_size=12))
@settings(deadline=None)
def test_bars_that_overlap_or_touch_lie_on_different_lines(intervals):
    rows = lanes(intervals)
    assert len(rows) == len(intervals)
    for i, (a, b) in enumerate(intervals):
        for j, (c, d) in enumerate(intervals):
            if i != j and rows[i] == rows[j]:
                assert b < c or d < a
    # no more lines than bars that lie over one place
    deepest = max((sum(c <= a <= d for c, d in intervals) for a, _ in intervals), default=0)
    assert len(set(rows)) == deepest


@pytest.mark.parametrize("bars", ["nemenyi", "wilcoxon"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_bars_of_the_diagram_do_not_overlap(found, bars, width):
    drawing = draw_ranks(found, LIGHT, width, bars=bars)
    drawn = [line for line in drawing.lines if line.width == 4]
    assert len(drawn) == len(found.groups(bars)) > 2
    for i, one in enumerate(drawn):
        for other in drawn[:i]:
            assert one.y0 != other.y0 or one.x1 < other.x0 or other.x1 < one.x0


def test_the_interval_around_the_control(found):
    drawing = draw_ranks(found, LIGHT, 800, bars="control")
    (band,) = drawing.boxes
    dots = {name: dot.x for name, dot in zip(found.ranks.index, drawing.dots, strict=True)}
    assert {name for name, x in dots.items() if band.x0 <= x <= band.x1} == {"MLHAT", "GOCC", "GORT", "MLBELS", "KNN"}
    assert {text.text for text in drawing.texts if text.bold} >= {"GOCC", "KNN"}
    assert "4.93 ranks of MLHAT" in " ".join(text.text for text in drawing.texts)


def area(text):
    width = text_width(text.text, text.size) * 0.9  # the measure is generous
    if text.turned:
        return text.x - text.size / 2, text.y - width, text.x + text.size / 2, text.y
    left = text.x - {"left": 0, "center": width / 2, "right": width}[text.align]
    return left, text.y - text.size / 2, left + width, text.y + text.size / 2


def drawings(found, paper, width):
    yield draw_ranks(found, LIGHT, width)
    yield draw_ranks(found, LIGHT, width, bars="control")
    yield draw_ranks(found, LIGHT, width, bars="nemenyi")
    yield draw_spread(found, LIGHT, width, mark="MLHAT")
    yield draw_spread(found, LIGHT, width, by="learner")
    yield draw_pairs(found, LIGHT, width, one="MLHAT", other="MLBELS")
    yield draw_heat(found, LIGHT, width)
    asked = tradeoff_of(paper, "example_f1", "seconds", "MLHAT")
    yield draw_tradeoff(asked.pop("table"), LIGHT, width, **asked)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_two_labels_are_in_one_place_and_none_is_cut(found, paper, width):
    for drawing in drawings(found, paper, width):
        areas = [(area(text), text.text) for text in drawing.texts]
        for i, (one, name) in enumerate(areas):
            assert one[0] >= 0, name
            assert one[2] <= width, name
            assert one[1] >= 0, name
            assert one[3] <= drawing.height, name
            for other, of in areas[:i]:
                apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
                assert apart, f"{name} and {of} at {width}"


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_written_can_be_read(found, theme):
    colours = THEMES[theme]
    for ink in (colours.ink, colours.muted, colours.mark):
        assert contrast(ink, colours.paper) >= 4.5
    assert contrast(colours.worse, colours.paper) >= 3
    drawing = draw_heat(found, colours, 1400)
    cells = drawing.boxes[30:]  # the first are the key's
    written = [text for text in drawing.texts if text.size == 10]
    assert len(written) == len(cells) == 31 * 19 - 19
    for box, text in zip(cells, written, strict=True):
        assert contrast(box.colour, text.colour) >= 4.4


@pytest.mark.parametrize("theme", THEMES)
def test_every_picture_is_as_wide_as_it_is_asked_to_be(found, paper, theme):
    options = {"theme": theme, "width": 420}
    for figure in (
        found.plot_ranks(**options), found.plot_ranks("wilcoxon", **options), found.plot_spread(**options),
        found.plot_pairs(**options), found.plot_heat(**options), found.plot_tradeoff(**options),
        plot_spread(paper, "example_f1", "Emo", by="learner", **options), plot_heat(paper, "seconds", **options),
        plot_pairs(paper, "KNN", "NB", "example_f1", **options), plot_tradeoff(paper, "example_f1", **options),
    ):  # fmt: skip
        assert figure.get_size_inches()[0] == pytest.approx(4.2)
        assert figure.axes[0].texts
        figure.savefig("/dev/null", format="png")


def test_a_call_that_names_the_library_is_told_that_there_is_one(found):
    with pytest.warns(DeprecationWarning, match="backend: all pictures of a study are Matplotlib's"):
        assert found.plot_ranks(backend="bokeh").axes


def curves() -> pd.DataFrame:
    points = [
        (learner, stream, seed, row, 0.1 * i + seed / 100 + row / 1e4)
        for i, learner in enumerate(("A", "B"))
        for stream in ("s", "t")
        for seed in (1, 2, 3)
        for row in range(50, 1001, 50)
    ]
    return pd.DataFrame(points, columns=["learner", "stream", "seed", "position", "micro_f1"])


def test_the_band_is_the_range_over_seeds():
    table = banded(curves(), "micro_f1")
    one = table[(table.learner == "B") & (table.stream == "t") & (table.position == 500)].iloc[0]
    assert one[["mean", "min", "max"]].tolist() == pytest.approx([0.17, 0.16, 0.18])


def test_a_panel_for_each_stream():
    figure = plot_evolution(curves(), "micro_f1", ["t", "s"], drifts={"s": [500]})
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["t", "s"]
    assert [len(axes.lines) for axes in figure.axes] == [2, 3]
    narrow = plot_evolution(curves(), "micro_f1", width=420, title="Two")
    assert len({round(axes.get_position().x0, 3) for axes in narrow.axes}) == 1, "below each other on a phone"
    logarithmic = plot_evolution(curves().rename(columns={"micro_f1": "seconds"}), "seconds")
    assert logarithmic.axes[0].get_yscale() == "log"


def test_the_curves_of_a_study_are_drawn_as_they_come():
    figure = plot_evolution(curves().rename(columns={"micro_f1": "value"}), "micro_f1")
    assert figure.axes[0].lines[1].get_ydata()[0] == pytest.approx(0.125)


def test_tenths():
    figure = plot_evolution(curves(), "micro_f1", ["s"], over="tenth")
    line = figure.axes[0].lines[0]
    assert line.get_xdata().tolist() == list(range(100, 1001, 100))
    assert line.get_ydata()[0] == pytest.approx(0.02 + 0.0075)


def test_an_average_is_chosen_where_there_are_several():
    both = pd.concat([curves().assign(over="chunk"), curves().assign(over="faded", micro_f1=0.5)])
    figure = plot_evolution(both, "micro_f1", over="faded")
    assert set(figure.axes[0].lines[0].get_ydata()) == {0.5}
    with pytest.raises(ValueError, match="over='cumulative': the curves have 'chunk', 'faded'"):
        plot_evolution(both, "micro_f1", over="cumulative")


def test_who_is_beaten_by_none():
    table = pd.DataFrame({"quality": [0.5, 0.6, 0.6, 0.4, 0.9], "cost": [1, 2, 3, 2, 9]}, index=list("ABCDE"))
    assert not_beaten(table, higher_is_better=True) == ["A", "B", "E"]
    assert not_beaten(table, higher_is_better=False) == ["A", "D"]


def test_only_streams_that_all_finished_are_averaged(paper):
    asked = tradeoff_of(paper, "example_f1", "seconds", None)
    complete = paper.pivot(index="stream", columns="learner", values="example_f1").dropna()
    assert f"the {len(complete)} streams that all finished" in asked["about"]
    assert asked["table"].quality["KNN"] == pytest.approx(complete["KNN"].mean())
    some = paper.assign(seconds=paper.seconds.where(paper.stream != "Flags", 0.0))
    assert tradeoff_of(some, "example_f1", "seconds", None)["about"].endswith("mean of time (s).")
    never = paper.assign(status=np.where(paper.learner == "SGT", "memory", "done"))
    never.loc[never.example_f1.isna(), "status"] = "memory"
    with pytest.raises(ValueError, match="no stream that all learners finished"):
        tradeoff_of(never, "example_f1", "seconds", None)


def test_scales():
    linear = Scale([0.0, 1.0], 0, 300)
    assert linear.ticks(50) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert linear(0.5) == pytest.approx(150)
    logarithmic = Scale([1.0, 1000.0], 0, 300, logarithmic=True)
    assert logarithmic.ticks(50) == [1.0, 10.0, 100.0, 1000.0]
    assert logarithmic(10.0) < logarithmic(100.0) < 300
    assert Scale([2.0], 0, 10)(2.0) == pytest.approx(5)


def test_texts_and_colours():
    assert wrapped("one two three", text_width("one two")) == ["one two", "three"]
    assert (mixed("#000000", "#ffffff", 0), mixed("#000000", "#ffffff", 0.5)) == ("#000000", "#808080")


def test_what_is_wrong_is_named(found, paper):
    for options, says in (
        ({"theme": "blue"}, "theme='blue': expected 'light' or 'dark'"),
        ({"width": 100}, "width=100: expected a number, at least 320"),
        ({"bars": "dunn"}, "bars='dunn': expected 'control', 'rivals', 'nemenyi' or 'wilcoxon'"),
    ):
        with pytest.raises(ValueError, match=says):
            found.plot_ranks(**options)
    with pytest.raises(ValueError, match="bars='control': expected a comparison with a control"):
        sl.compare(paper, "example_f1").plot_ranks("control")
    with pytest.raises(ValueError, match="mark='Z': expected 'MLHAT', 'KNN'"):
        found.plot_spread("Z")
    with pytest.raises(ValueError, match="by='row': expected 'stream' or 'learner'"):
        found.plot_spread(by="row")
    with pytest.raises(ValueError, match="other='Z': expected 'MLHAT', 'KNN'"):
        found.plot_pairs("KNN", "Z")
    with pytest.raises(ValueError, match="one and other are both 'KNN'"):
        found.plot_pairs("KNN", "KNN")
    with pytest.raises(ValueError, match="no column 'bytes'"):
        found.plot_tradeoff("bytes")
    with pytest.raises(ValueError, match="stream='u': expected 's' or 't'"):
        plot_evolution(curves(), "micro_f1", ["u"])
    with pytest.raises(ValueError, match="the curves have no column 'macro_f1'"):
        plot_evolution(curves(), "macro_f1")
    with pytest.raises(ValueError, match="over='row'"):
        plot_evolution(curves(), "micro_f1", over="row")
