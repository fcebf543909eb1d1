"""Tables of a run as CSV and Parquet."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import streamlab as sl


@pytest.fixture(scope="module")
def run() -> sl.Run:
    learners = {"SMART": sl.SMART(seed=1, n_trees=3), 'μ, "x"': sl.SMART(seed=2, n_trees=3)}
    run = sl.Run(sl.rotate_labels(sl.load("yeast"), at=300), learners)
    run.advance(250)
    run.tune("SMART", half_life=50)
    run.advance(250)
    return run


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_the_curves_come_back_as_they_are(run, tmp_path, ending):
    path = run.write_curves(tmp_path / f"curves{ending}", "faded", ["micro_f1", "hamming_loss"])
    read = pd.read_csv(path) if ending == ".csv" else pd.read_parquet(path)
    pd.testing.assert_frame_equal(read, run.curves("faded", ["micro_f1", "hamming_loss"]), check_dtype=ending != ".csv")


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_the_events_have_their_numbers(run, tmp_path, ending):
    path = run.write_events(tmp_path / f"events{ending}")
    read = pd.read_csv(path, keep_default_na=False) if ending == ".csv" else pd.read_parquet(path)
    assert list(read["position"]) == list(run.events["position"])
    assert list(read["message"]) == list(run.events["message"])
    tuned = read[read["kind"] == "tuned"].iloc[0]
    assert (json.loads(tuned["old"]), json.loads(tuned["new"])) == (200, 50)
    drift = read[read["kind"] == "drift"].iloc[0]
    assert json.loads(drift["detail"])["width"] == 1
    assert pd.isna(drift["old"]) or drift["old"] == ""


def test_details_of_any_kind_are_written(tmp_path):
    run = sl.Run("yeast", sl.SMART(seed=1, n_trees=2))
    run.log.add(0, "SMART", "odd", "a message", {"a": np.float64(2.5), "b": np.arange(2), "c": object, "d": "é"})
    table = pd.read_parquet(run.write_events(tmp_path / "events.parquet"))
    detail = json.loads(table["detail"][0])
    assert (detail["a"], detail["b"], detail["d"]) == (2.5, [0, 1], "é")
    assert "object" in detail["c"]


def test_a_run_without_events_has_a_table_without_rows(tmp_path):
    run = sl.Run("yeast", sl.SMART(seed=1, n_trees=2))
    assert len(pd.read_parquet(run.write_events(tmp_path / "events.parquet"))) == 0
    assert len(pd.read_csv(run.write_curves(tmp_path / "curves.csv"))) == 0


def test_another_ending_is_refused(run, tmp_path):
    with pytest.raises(ValueError, match=r"ends with '.xlsx'; expected .csv or .parquet"):
        run.write_curves(tmp_path / "curves.xlsx")
    assert list(tmp_path.iterdir()) == []
