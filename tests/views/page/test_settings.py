"""The controls of what is drawn, without a browser: which measures are offered, and what their help says."""

from __future__ import annotations

import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.measures import MEASURES
from streamlab.views.page.tables import RunSettings
from streamlab.views.timeline.timeline import Timeline
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


def test_a_measure_that_is_added_beside_it_is_offered_or_said_to_be_for_a_new_run():
    run = Run(made_stream(50), {"no-change": sl.NoChange()})
    settings, timeline = RunSettings(run, ["micro_f1"]), Timeline({"no-change": {}}, ["micro_f1"])
    chosen = []
    settings.measures.param.watch(lambda event: chosen.append(event.new), "value", onlychanged=False)
    settings.offer_new(timeline)
    assert chosen == []
    of_counts = sl.measure(name="of_counts")(lambda counts: counts.n)
    of_rows = sl.measure(name="of_rows")(lambda Y, Z: Y[:, 0])
    try:
        settings.offer_new(timeline)
        assert settings.measures.options["Of counts"] == "of_counts" == timeline.offered[-1]
        assert settings.measures.disabled_options == ["of_rows"]
        assert chosen[-1] == ["micro_f1"], "drawn again, as before"
        assert RunSettings(Run(made_stream(50), sl.NoChange()), ["micro_f1"]).measures.disabled_options == []
        settings.measures.value = ["of_counts"]
        # counted by this run as it was, defined once more
        own = RunSettings(Run(made_stream(50), sl.NoChange(), measures=[of_rows]), ["of_rows"])
        of_rows = sl.measure(name="of_rows")(lambda Y, Z: Y[:, 1])
        own.offer_new(timeline)
        assert (own.measures.value, own.measures.disabled_options) == (["of_rows"], ["of_rows"])
    finally:
        for each in (of_counts, of_rows):
            MEASURES.remove(each)
    settings.offer_new(timeline)
    assert settings.measures.value == [timeline.offered[0]]
    assert "of_counts" not in settings.measures.options.values()
