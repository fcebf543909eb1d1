"""The pictures of a study: bars on lines of their own, no two labels in one place, at any width."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

import streamlab as sl
from streamlab.study import plot_evolution, plot_heat, plot_spread, plot_tradeoff
from streamlab.study.pictures.evolution import bands_of
from streamlab.study.pictures.tradeoff import not_beaten
from streamlab.study.scores import tradeoff_of
from streamlab.views.kit.themes import THEMES

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


@pytest.mark.parametrize("bars", ["nemenyi", "wilcoxon"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_bars_of_the_diagram_are_the_groups_and_do_not_overlap(found, bars, width):
    (axes,) = found.plot_ranks(bars, width=width).axes
    drawn = [line for line in axes.lines if line.get_linewidth() == 3]
    ends = [(line.get_xdata().min(), line.get_xdata().max(), line.get_ydata()[0]) for line in map(as_arrays, drawn)]
    groups = found.groups(bars)
    assert sorted(end[:2] for end in ends) == [(found.ranks[each[0]], found.ranks[each[-1]]) for each in groups]
    assert len(groups) > 2
    for i, one in enumerate(ends):
        for other in ends[:i]:
            assert one[2] != other[2] or one[1] < other[0] or other[1] < one[0]


def as_arrays(line):
    line.set_data(np.array(line.get_xdata()), np.array(line.get_ydata()))
    return line


def test_the_interval_around_the_control(found):
    figure = found.plot_ranks("control", width=800)
    (axes,) = figure.axes
    low, high = axes.patches[-1].get_x(), axes.patches[-1].get_x() + axes.patches[-1].get_width()
    within = {"MLHAT", "GOCC", "GORT", "MLBELS", "KNN"}
    assert {name for name, rank in found.ranks.items() if low <= rank <= high} == within
    assert {text.get_text().split()[0] for text in axes.texts if text.get_weight() == "bold"} == within
    assert "4.93 ranks of MLHAT" in " ".join(text.get_text() for text in figure.texts)


def test_names_are_drawn_as_they_are_on_one_side_where_they_are_long(found):
    names = {name: f"{name} with ${{x}}_1$ in its long name" for name in found.ranks.index}
    table = found.scores.rename(columns=names)
    longer = sl.compare(table.melt(ignore_index=False, var_name="learner", value_name="example_f1").reset_index(),
                        "example_f1", alpha=0.01)  # fmt: skip
    for width, sides in ((420, {"right"}), (1400, {"left", "right"})):
        figure = longer.plot_ranks(width=width)
        assert {text.get_ha() for text in figure.axes[0].texts} == sides
        areas_are_apart(list(written(figure)), *figure.bbox.extents[2:])
        assert len([text for _, text in written(figure) if "${x}_1$" in text]) == len(names)


def areas_are_apart(areas, width, height):
    for i, (one, name) in enumerate(areas):
        assert one[0] >= 0, name
        assert one[2] <= width, name
        assert one[1] >= 0, name
        assert one[3] <= height, name
        for other, of in areas[:i]:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, f"{name} and {of} at {width}"


def written(figure):
    """All texts of a figure that are drawn, and where, in pixels."""
    figure.draw_without_rendering()
    beyond = set()  # an axis has some ticks beyond its ends, which are not drawn
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
            hidden = [tick for tick in ticks if not low <= tick.get_loc() <= high]
            beyond |= {label for tick in hidden for label in (tick.label1, tick.label2)}
    for text in figure.findobj(Text):
        if text.get_text() and text.get_visible() and text not in beyond:
            yield tuple(Text.get_window_extent(text).padded(-0.5).extents), text.get_text()


@pytest.mark.parametrize("width", WIDTHS)
def test_no_two_labels_are_in_one_place_and_none_is_cut(found, paper, width):
    for figure in (
        found.plot_spread(width=width), plot_spread(paper, "example_f1", "Emo", by="learner", width=width),
        found.plot_pairs("MLHAT", "MLBELS", width=width), found.plot_heat(width=width),
        plot_tradeoff(paper, "example_f1", mark="MLHAT", width=width), plot_heat(paper, "seconds", width=width),
        *(found.plot_ranks(bars, width=width) for bars in (None, "control", "nemenyi")),
    ):  # fmt: skip
        areas_are_apart(list(written(figure)), *figure.bbox.extents[2:])


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
    (axes, _) = found.plot_heat(theme=theme, width=1400).axes
    (mesh,) = axes.collections
    cells = mesh.to_rgba(mesh.get_array())
    figures = [text for text in axes.texts if text.get_text() != "–"]
    assert len(figures) == 31 * 19 - 19
    for text in figures:
        column, row = text.get_position()
        assert contrast(to_hex(cells[row, column]), text.get_color()) >= 4.4


def curves() -> pd.DataFrame:
    points = [
        (learner, stream, seed, row, 0.1 * i + seed / 100 + row / 1e4)
        for i, learner in enumerate(("A", "B"))
        for stream in ("s", "t")
        for seed in (1, 2, 3)
        for row in range(50, 1001, 50)
    ]
    return pd.DataFrame(points, columns=["learner", "stream", "seed", "position", "micro_f1"])


def test_the_band_is_the_range_over_the_seeds_where_all_have_come_to():
    rows = [("A", 1, 50, 0.2), ("A", 2, 50, 0.4), ("A", 1, 100, 0.6), ("B", None, 50, 0.1)]
    table = pd.DataFrame(rows, columns=["learner", "seed", "position", "value"]).astype({"seed": "Int64"})
    found = bands_of(table)
    assert [(positions.tolist(), seeds) for positions, _, seeds in found.values()] == [([50], 2), ([50], 1)]
    assert np.ravel(found["A"][1]) == pytest.approx([0.3, 0.2, 0.4])
    assert np.ravel(found["B"][1]) == pytest.approx([0.1, 0.1, 0.1])
    (band,) = plot_evolution(curves(), "micro_f1", ["t"]).axes[0].collections[1:]
    path = band.get_paths()[0].vertices
    assert np.unique(path[path[:, 0] == 500, 1]) == pytest.approx([0.16, 0.18])


def test_a_panel_for_each_stream():
    figure = plot_evolution(curves(), "micro_f1", ["t", "s"], drifts={"s": [500]})
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["t", "s"]
    assert [len(axes.lines) for axes in figure.axes] == [2, 3]
    assert figure.axes[1].lines[2].get_xdata() == [500, 500]
    assert [{text.get_text() for text in axes.texts} for axes in figure.axes] == [{"A", "B"}, {"A", "B"}]
    narrow = plot_evolution(curves(), "micro_f1", width=420, title="Two")
    assert len({round(axes.get_position().x0, 3) for axes in narrow.axes}) == 1, "below each other on a phone"
    logarithmic = plot_evolution(curves().rename(columns={"micro_f1": "seconds"}), "seconds")
    assert logarithmic.axes[0].get_yscale() == "log"


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


def test_a_box_is_the_middle_half_and_the_diamond_the_learner(found):
    (axes,) = found.plot_spread().axes
    scores = found.scores.loc[[label.get_text() for label in axes.get_yticklabels()]]
    for (_, row), box in zip(scores.iterrows(), axes.patches, strict=True):
        x = box.get_path().vertices[:4, 0]
        assert (x.min(), x.max()) == pytest.approx(tuple(row.quantile([0.25, 0.75])))
    diamonds = next(line for line in axes.lines if line.get_marker() == "D")
    assert diamonds.get_xdata().tolist() == pytest.approx(scores.MLHAT.tolist(), nan_ok=True)


def test_what_is_wrong_is_named(found, paper):
    for options, says in (
        ({"theme": "blue"}, "theme='blue': expected 'light' or 'dark'"),
        ({"width": 100}, "width=100: expected a number, at least 320"),
        ({"backend": "bokeh"}, "plot_ranks: there is no option backend=; expected 'theme', 'width', 'bars', 'title'"),
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
