"""What is seen of the row that was answered last."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import streamlab as sl
from streamlab.views.page.row_seen import row_marks, row_picture, row_seen
from streamlab.views.page.tables import LatestRow, read_latest
from streamlab.views.timeline.bands import style_of


def latest(truth: tuple[str, ...], **answers: Any) -> LatestRow:
    return LatestRow(7, "", sl.load("yeast"), truth, answers, (), "")


def test_labels_are_right_or_missed_or_not_there():
    row = latest(("a", "b", "c\x1b"), SMART=("b", "d"), late=None)
    assert row_marks(row, "SMART") == [["b", "✓"], ["a", "○"], ["c␛", "○"], ["d", "✕"]]
    assert row_marks(row, "late") == row_marks(row, "nobody") == row_marks(None, "SMART") == []


def test_of_a_run_the_marks_are_what_the_learner_answered():
    run = sl.Run("yeast", sl.MajorityLabels())
    run.advance(50)
    row = read_latest(run)
    assert row is not None
    (name,) = run.learner_runs
    marks = row_marks(row, name)
    assert {label for label, mark in marks if mark != "✕"} == set(row.truth)
    assert {label for label, mark in marks if mark != "○"} == set(row.answers[name] or ())


@pytest.mark.parametrize("made", [np.asarray, scipy.sparse.csr_array])
def test_pixels_are_shares_of_the_scale_row_by_row(made: Any):
    digits = SimpleNamespace(pixels=(2, 3, 8.0))
    x = made(np.array([[0.0, 4, 8, 16, 1, 0]]))
    expected = {"kind": "pixels", "shape": [2, 3], "values": [0.0, 0.5, 1.0, 1.0, 0.125, 0.0]}
    assert row_picture(digits, x) == expected
    # of a stream that is made of it, too; not where it has other features
    assert sl.swap_labels(sl.load("digits-renamed"), 0, 1, at=9).pixels == (8, 8, 16.0)
    assert row_picture(digits, np.zeros(5)) is None


def test_a_text_is_its_beginning_and_other_rows_are_nothing():
    stream = SimpleNamespace(pixels=None)
    assert row_picture(stream, np.zeros(3)) is None
    found = row_picture(stream, np.zeros(3), "a\x00 film " * 50)
    assert found is not None
    assert (found["kind"], found["text"][:7], len(found["text"]) <= 81) == ("text", "a␀ film", True)


@pytest.mark.parametrize(("rows", "note"), [(900, ""), (901, "answers by the new names")])
def test_a_picture_says_that_its_labels_have_other_names(rows, note):
    run = sl.Run("digits-renamed", {"no-change": sl.NoChange()})
    run.advance(rows)
    seen = row_seen(read_latest(run), "no-change", place=1)
    assert seen["note"] == note
    assert (seen["who"], seen["colour"]) == ("no-change", style_of(1)[0])
    genes = sl.Run("yeast-rotated", {"no-change": sl.NoChange()})
    genes.advance(1300)
    assert row_seen(read_latest(genes), "no-change")["note"] == "", "their names say nothing by themselves"
