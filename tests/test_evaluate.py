"""Prequential evaluation: on real streams, with a bar, in tables and a picture."""

from __future__ import annotations

import math
import threading

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from streamlab.measures import DEFAULT_MEASURES
from tests.live.made import HEAD, lines

STATIC = {"half_life": math.inf}


@pytest.fixture(scope="module")
def yeast():
    return sl.load("yeast")


@pytest.fixture(scope="module")
def result(yeast):
    learners = {"SMART": sl.SMART(seed=1), "none": sl.NoChange(), "majority": sl.MajorityLabels()}
    return sl.prequential(yeast, learners)


def test_smart_learns_yeast(result):
    for measure in ("micro_f1", "example_f1"):
        values = result.summary[measure]
        assert values["SMART"] > values["none"] + 0.05
        assert values["SMART"] > values["majority"] + 0.05
    assert result.summary.ranking_loss["SMART"] < result.summary.ranking_loss["none"] - 0.05


def test_detections_are_set_against_a_measure_that_was_counted():
    result = sl.prequential("image-segments", {"majority": sl.MajorityLabels()}, measures=["macro_f1"], n=500)
    assert list(result.detection.learner) == ["majority"]


def test_the_tables(result):
    assert result.summary.index.tolist() == ["SMART", "none", "majority"]
    assert result.summary.columns.tolist() == [
        *DEFAULT_MEASURES, "instances", "seconds", "instances_per_second", "bytes",
    ]  # fmt: skip
    assert (result.summary.instances == 2417).all()
    assert (result.summary.seconds > 0).all()
    assert result.summary.bytes["SMART"] > 100_000
    assert result.curves.groupby("learner").position.apply(list).map(tuple).nunique() == 1
    assert result.curves[result.curves.learner == "none"].position.tolist() == [*range(100, 2401, 100), 2417]
    tenths = result.tenths[result.tenths.learner == "SMART"]
    assert tenths.tenth.tolist() == list(range(1, 11))
    assert tenths.start.tolist() == [-(-2417 * i // 10) for i in range(10)]
    assert tenths.stop.tolist() == [*tenths.start.tolist()[1:], 2417]
    assert result.events.kind.tolist() == ["finished"]


def test_the_curves_end_where_the_summary_stands(result):
    last = result.curves_over("cumulative").groupby("learner").last()
    for measure in DEFAULT_MEASURES:
        for name in result.summary.index:
            assert last[measure][name] == pytest.approx(result.summary[measure][name], abs=1e-12)


def test_the_seconds_are_those_of_the_learner(result):
    assert result.summary.seconds["none"] < result.summary.seconds["SMART"]
    summary = result.summary
    assert np.allclose(summary.instances / summary.seconds, summary.instances_per_second)


def test_it_is_the_run_and_nothing_else(yeast):
    run = sl.Run(yeast, sl.SMART(seed=3), chunk=64, measures=["micro_f1"])
    run.advance()
    result = sl.prequential(yeast, sl.SMART(seed=3), chunk=64, measures=["micro_f1"])
    pd.testing.assert_frame_equal(result.curves, run.curves(), check_exact=True)


@pytest.mark.parametrize("progress", [False, True])
@pytest.mark.parametrize(("n", "positions"), [(0, []), (50, [50]), (250, [100, 200, 250]), (10**6, [100, 200, 300])])
def test_only_so_many_instances(progress, n, positions):
    rng = np.random.default_rng(0)
    X, Y = rng.random((300, 2)), (rng.random((300, 2)) < 0.5).astype(np.uint8)
    result = sl.prequential((X, Y), sl.NoChange(), n=n, progress=progress)
    assert result.summary.instances.tolist() == [min(n, 300)]
    assert result.curves.position.tolist() == positions
    assert result.run.finished == (n > 300)


def test_a_negative_number_of_instances(capfd):
    with pytest.raises(ValueError, match="n=-1"):
        sl.prequential("yeast", sl.NoChange(), n=-1, progress=True)
    assert capfd.readouterr().err == "", "no bar for what does not begin"


def test_the_bar_is_on_standard_error(yeast, capfd):
    sl.prequential(yeast, sl.NoChange(), progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "yeast" in err
    assert "2417/2417" in err
    sl.prequential(yeast, sl.NoChange(), progress=False)
    assert capfd.readouterr() == ("", "")


def test_a_long_stream_keeps_few_points():
    rng = np.random.default_rng(0)
    X, Y = rng.random((1000, 2)), (rng.random((1000, 2)) < 0.5).astype(np.uint8)
    result = sl.prequential((X, Y), sl.NoChange(), chunk=1, history=100)
    assert result.curves.position.tolist() == [*range(16, 1000, 16), 1000]


# ---------------------------------------------------------------------- the claim of the SMART paper


def last_tenths(stream, **options) -> pd.Series:
    """Micro F1 over the last three tenths of a stream, by learner: SMART, and SMART that never forgets."""
    learners = {"SMART": sl.SMART(seed=1, **options), "static": sl.SMART(seed=1, **options, **STATIC)}
    result = sl.prequential(stream, learners, measures=["micro_f1"])
    assert result.tenths.tenth.max() == 10
    last = result.tenths[result.tenths.tenth >= 8]
    return last.groupby("learner").micro_f1.mean()


def test_fading_pays_when_labels_rotate_yeast(yeast):
    stream = sl.rotate_labels(yeast, stages=11, seed=0)
    assert len(stream.drifts) == 10
    values = last_tenths(stream)
    assert values["SMART"] > values["static"] + 0.02


@pytest.mark.nightly
def test_the_rows_of_a_live_stream_are_waited_for(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(HEAD + lines(100))
    with sl.load(f"tail:{path}?labels=alarm,late") as stream:
        timer = threading.Timer(0.5, lambda: path.open("a").write(lines(200)))
        timer.start()
        result = sl.prequential(stream, sl.NoChange(), n=300)
        timer.join()
        assert result.summary.instances.iloc[0] == 300
        with pytest.raises(ValueError, match="is live and has no end; expected how many instances"):
            sl.prequential(stream, sl.NoChange())
        stream.end()
        assert sl.prequential(stream, sl.NoChange()).summary.instances.iloc[0] == 300
