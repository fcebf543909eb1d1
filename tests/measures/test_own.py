"""Measures of a user's own, as a notebook's cell makes them: in evaluations, live runs and studies."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module, reload

import numpy as np
import pytest

import streamlab as sl
from streamlab.measures import Counts


@pytest.fixture
def registered():
    """What a test adds is taken away after it."""
    before = set(sl.MEASURES)
    yield
    for name in set(sl.MEASURES) - before:
        sl.MEASURES.remove(sl.MEASURES[name])


pytestmark = pytest.mark.usefixtures("registered")


def test_what_each_row_is_worth_is_averaged_over_the_rows_where_it_is_known():
    @sl.measure(higher_is_better=False)
    def spurious(Y, Z):
        """Share of the predicted labels that are wrong."""
        with np.errstate(invalid="ignore"):
            return ((1 - Y) & Z).sum(axis=1) / Z.sum(axis=1)

    assert (spurious.title, spurious.formula) == ("Spurious", "Share of the predicted labels that are wrong")
    result = sl.prequential("yeast", {"SMART": sl.SMART(seed=1)}, n=700, measures=[spurious, "micro_f1"])
    model, wrong = sl.SMART(seed=1), []
    for chunk in sl.load("yeast").chunks(100):
        if chunk.start < 700:
            _, Z = model.test_then_train(chunk.X, chunk.Y)
            wrong += [((1 - y) & z).sum() / z.sum() for y, z in zip(chunk.Y, Z, strict=True) if z.any()]
    assert result.summary.spurious["SMART"] == pytest.approx(np.mean(wrong))
    assert 0 < len(wrong) < 700, "NaN leaves a row out"
    assert result.curves.spurious.notna().all()


def test_a_function_of_the_counts_has_its_curve_in_a_run_that_has_begun():
    run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
    run.advance(500)

    @sl.measure
    def exact_share(counts):
        return counts.total("exact") / max(counts.n, 1)

    found = run.curves("cumulative", measures=[exact_share, "subset_accuracy"])
    np.testing.assert_array_equal(found.exact_share, found.subset_accuracy)
    assert len(found) == 5
    assert "exact_share" in sl.prequential("yeast", sl.NoChange(), n=200).summary, "later runs have it by default"


def test_scores_and_a_title_and_a_range():
    @sl.measure(name="top_score", title="Highest score", range=(0.0, 2.0))
    def highest(Y, Z, scores):
        return 2 * scores.max(axis=1)

    result = sl.prequential("yeast", sl.MLKNN(), n=400, measures=highest)
    assert 0 < result.summary.top_score.iloc[0] < 2
    assert (highest.title, highest.range) == ("Highest score", (0.0, 2.0))


def test_a_cell_that_is_run_again_replaces_its_measure_and_a_run_that_has_begun_goes_on():
    def defined(factor):
        @sl.measure
        def scaled(Y, Z):
            return factor * (Y == Z).all(axis=1)

        return scaled

    first = defined(1.0)
    run = sl.Run("yeast", sl.NoChange(), measures=[first])
    run.advance(200)
    second = defined(2.0)
    run.advance(200)
    other = sl.prequential("yeast", sl.NoChange(), n=400, measures=["scaled"])
    assert other.summary.scaled.iloc[0] == pytest.approx(2 * run.summary.scaled.iloc[0])
    assert sl.MEASURES["scaled"] is second


def test_what_is_wrong_with_it_is_said_by_name():
    with pytest.raises(ValueError, match=r"'odd': its function has the parameters \(truth\); expected \(counts\)"):

        @sl.measure
        def odd(truth):
            return 0

    with pytest.raises(ValueError, match="there is a measure 'micro_f1' already"):

        @sl.measure
        def micro_f1(Y, Z):
            return Y[:, 0]

    with pytest.raises(ValueError, match="tables have a column of that name"):
        sl.measure(name="seconds")(lambda Y, Z: Y[:, 0])

    @sl.measure
    def whole(Y, Z):
        return (Y == Z).mean()

    with pytest.raises(ValueError, match=r"measure 'whole'.*returned the shape \(\); expected \(100,\), a value"):
        sl.prequential("yeast", sl.NoChange(), measures=[whole])
    assert np.isnan(sl.prequential("yeast", sl.NoChange(), n=100).summary.whole.iloc[0]), "nobody asked for it"


def test_over_nothing_a_loss_is_0():
    @sl.measure(higher_is_better=False)
    def loss(Y, Z):
        return (Y != Z).any(axis=1)

    assert loss.value(Counts.zeros(2, loss.counts), 1.0) == 0.0


@pytest.mark.nightly
def test_a_study_runs_it_in_other_processes_and_refuses_one_of_a_notebook(tmp_path, monkeypatch):
    module = "import streamlab as sl\n\n@sl.measure\ndef all_right(Y, Z):\n    return (Y == Z).all(axis=1)\n"
    (tmp_path / "my_measures.py").write_text(module)
    script = """
import streamlab as sl
from my_measures import all_right

if __name__ == "__main__":
    study = sl.Study(["yeast"], ["NoChange"], measures=[all_right, "subset_accuracy"], results="results")
    study.run(1)
    (row,) = study.results().to_dict("records")
    assert row["status"] == "done", row["message"]
    assert row["all_right"] == row["subset_accuracy"] > 0

    @sl.measure
    def here(Y, Z):
        return Y[:, 0]

    sl.Study(["yeast"], ["NoChange"])  # nobody asked for it
    try:
        sl.Study(["yeast"], ["NoChange"], measures=[here])
    except ValueError as error:
        assert "the measure 'here' was added in this session and is __main__:here, which no other" in str(error), error
    else:
        raise AssertionError("no other process knows it")
"""
    (tmp_path / "script.py").write_text(script)
    ran = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    # a function that was changed is another measure: what it was before is not taken for its figure
    monkeypatch.syspath_prepend(tmp_path)
    mine = import_module("my_measures")
    for status in ("done", "open"):
        measures = [reload(mine).all_right, "subset_accuracy"]
        study = sl.Study(["yeast"], ["NoChange"], measures=measures, results=tmp_path / "results")
        assert study.cells().status.tolist() == [status]
        (tmp_path / "my_measures.py").write_text(module.replace("(Y == Z)", "0.5 * (Y == Z)"))
