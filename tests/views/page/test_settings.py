"""The controls of what is drawn, without a browser: which measures are offered, and what their help says."""

from __future__ import annotations

import pytest

pytest.importorskip("panel_material_ui")

import streamlab as sl
from streamlab.lab import Run
from streamlab.measures import MEASURES
from streamlab.views.page.measures_shown import RunSettings
from tests.lab.made import made_stream


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
