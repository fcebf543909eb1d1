"""What a page shows in tables: the measures that are drawn, and the latest row."""

from __future__ import annotations

import re

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.lab.frame import ReadingFailed
from streamlab.measures import MEASURES
from streamlab.views.page.tables import MOST_VALUES, LatestRowPane, RunSettings, read_latest
from tests.lab.made import made_stream


def passed(stream, n: int = 30, **learners) -> sl.Run:
    run = sl.Run(stream, learners or {"no-change": sl.NoChange()}, chunk=10)
    run.advance(n)
    return run


def test_before_the_first_row_there_is_none():
    assert read_latest(sl.Run("yeast", sl.NoChange())) is None


def test_it_is_the_row_that_the_stream_has_there():
    stream = sl.load("instruments")
    run = passed(stream, 30, tree=sl.MLKNN(), none=sl.NoChange())
    latest = read_latest(run)
    assert (latest.row, latest.title) == (29, stream.title_of(29))
    chunk = next(stream.chunks(1, start=29))
    assert latest.truth == tuple(stream.schema.labels[j] for j in np.flatnonzero(chunk.Y[0]))
    assert set(latest.answers) == {"tree", "none"}
    assert latest.values[0] == ("mfcc_1", f"{chunk.X[0, 0]:.5g}")
    assert latest.summary == "30 features"


def test_of_a_wide_row_the_values_that_are_not_0_and_of_many_the_largest():
    X = np.zeros((3, 500))
    X[2, [3, 400]] = 5.0, np.nan
    latest = read_latest(passed(sl.load((X, np.ones((3, 1)))), 3))
    assert [text for _, text in latest.values] == ["5", "missing"]
    assert latest.summary == "2 of 500 features; the others are 0"
    X[2] = np.arange(500)
    latest = read_latest(passed(sl.load((X, np.ones((3, 1)))), 3))
    assert [text for _, text in latest.values] == [str(i) for i in range(500 - MOST_VALUES, 500)]
    assert latest.summary == f"{MOST_VALUES} of 500 features; the others are closer to 0"


def test_sparse_and_nominal_values_are_named():
    from scipy import sparse

    X = sparse.csr_array(np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 3.0]]))
    latest = read_latest(passed(sl.load((X, np.ones((2, 1))), sparse=True), 2))
    assert latest.values == (("x2", "3"),)
    schema = sl.Schema((sl.Feature("colour", ("red", "<b>")), sl.Feature("size")), ("good",))
    latest = read_latest(passed(sl.load(([[1.0, 2.0]], [[1]]), schema=schema), 1))
    assert latest.values == (("colour", "<b>"), ("size", "2"))


def test_the_browser_gets_titles_answers_and_what_was_missed():
    pane = LatestRowPane()
    X, Y = np.zeros((3, 1)), np.array([[1, 0], [0, 1], [1, 1]])
    pane.show(read_latest(passed(sl.load((X, Y), titles=["a", "b", "c\n\u202e<i>"]), 3)))
    html = pane.object
    assert "<h3>Row 3 · c ⟨U+202E⟩&lt;i&gt;</h3>" in html
    chips = re.findall(r"<span class='chip (\w*)' title='\w*'>(\w+)</span>", html)
    assert chips == [("", "y0"), ("", "y1"), ("right", "y1"), ("missed", "y0")]
    pane.show(None)
    assert pane.object == html
    pane.show(ReadingFailed("it <broke>"))
    assert pane.object == "<p>The row cannot be shown: it &lt;broke&gt;</p>"


def settings_of(**options) -> RunSettings:
    run = Run(made_stream(50), {"no-change": sl.NoChange()}, **options)
    return RunSettings(run, ["micro_f1"])


@pytest.mark.parametrize("asked", [None, ["micro_f1", "log_loss", "brier_loss"]])
def test_measures_are_offered_whose_counts_the_run_keeps(asked):
    options = settings_of(measures=asked).measures.options.values()
    assert {"micro_f1", "ranking_loss", "label_ranking_loss"} <= set(options)
    assert ({"log_loss", "brier_loss"} & set(options) != set()) == (asked is not None)
    assert "hierarchical_f1" not in options


def test_the_help_tells_what_the_drawn_measures_are():
    settings = settings_of()
    control, told = settings.measures, settings.explanation
    assert MEASURES["micro_f1"].formula in told.object
    control.value = ["ranking_loss", "label_ranking_loss"]
    assert "those with no or all labels have no pair and are left out" in told.object
    assert "which has no pair, counts as 0" in told.object
    control.value = []
    assert told.object == ""
