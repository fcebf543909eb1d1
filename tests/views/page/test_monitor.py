"""The monitor without a browser: which learners run on the stream that is chosen."""

from __future__ import annotations

import pytest

pytest.importorskip("panel_material_ui")

import streamlab as sl
from streamlab.views.page.monitor import Monitor
from streamlab.views.page.presets import DEMONSTRATION, NESTED_DEMONSTRATION, PRESETS, offered_learners


@pytest.fixture
def page_of():
    pages: list[Monitor] = []

    def make(*arguments, **options) -> Monitor:
        pages.append(Monitor(*arguments, **options))
        return pages[-1]

    yield make
    for page in pages:
        page.close()


def ran(page: Monitor) -> list[str]:
    return list(page._view._run.learner_runs)


def test_it_opens_a_hierarchy_with_learners_that_know_it_and_leaves_it_without(page_of):
    page = page_of("segments")
    assert ran(page) == page.learner_choice.value == list(NESTED_DEMONSTRATION)
    assert page.learner_choice.options == offered_learners(True)
    page.stream_choice.value = "yeast"
    assert ran(page) == page.learner_choice.value == list(DEMONSTRATION)
    assert page.learner_choice.options == offered_learners(False)


def test_a_choice_of_ones_own_stays_as_far_as_it_is_offered(page_of):
    page = page_of("yeast")
    page.learner_choice.value = ["SMART", "no-change"]
    page.stream_choice.value = "segments"
    assert ran(page) == ["SMART", "no-change"]
    page.learner_choice.value = ["SMART", "FlatKNN"]
    page.begin()
    assert ran(page) == ["SMART", "FlatKNN"]
    page.stream_choice.value = "yeast"
    assert ran(page) == page.learner_choice.value == ["SMART"]
    page.learner_choice.value = list(DEMONSTRATION)
    page.stream_choice.value = "segments"
    page.learner_choice.value = list(DEMONSTRATION)
    page.begin()
    assert ran(page) == list(DEMONSTRATION), "chosen on purpose, they are not changed"


def test_a_preset_may_offer_some_streams_only(page_of):
    page = page_of(preset=PRESETS["label_hierarchy"])
    assert set(page.stream_choice.options.values()) == {"segments", "instruments"}
    for name in page.stream_choice.options.values():
        assert sl.load(name).schema.hierarchy is not None
    assert page._view._tabs._names[page._view._tabs.active] == "Hierarchy"


def test_a_stream_that_cannot_be_loaded_is_said_and_the_run_goes_on(page_of):
    page = page_of("yeast")
    run = page._view._run
    page._source = "nowhere.csv"
    page.begin()
    assert "nowhere.csv" in page.note.object
    assert page._view._run is run
