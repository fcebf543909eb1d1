"""What pages offer and open with: every preset can be opened, and learners of other packages are offered."""

from __future__ import annotations

import dataclasses

import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.lab.frame import FrameMaker
from streamlab.learners import LEARNERS, RiverClassifier, StandardScaler
from streamlab.streams import STREAMS
from streamlab.views.page.pages import DriftLab, make_page
from streamlab.views.page.presets import (
    OFFERED,
    PRESETS,
    described_learners,
    line_of,
    make_learners,
    offered_learners,
    offered_streams,
    river_name,
)
from streamlab.views.page.sentence import Sentence


class Stranger(sl.NoChange):
    """Learns like no-change."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._start()


class Needy(sl.NoChange):
    """Cannot be made from nothing."""

    def __init__(self, helper: object) -> None:
        self.helper = helper
        self._start()


class Scaled(StandardScaler):
    """Is no learner."""


@pytest.fixture
def strangers():
    ends = [LEARNERS.add(kind.__name__, kind) for kind in (Stranger, Needy, Scaled)]
    yield
    for end in ends:
        end()


def test_learners_of_others_are_offered_and_made(strangers, monkeypatch):
    monkeypatch.setattr(LEARNERS, "package", lambda name: "their-package" if name == "Stranger" else "streamlab")
    for nested in (False, True):
        offered = offered_learners(nested)
        assert offered["Stranger (their-package)"] == "Stranger"
        assert not {"Needy", "Scaled", "BalancedLDA"} & set(offered.values())
    made = make_learners(["Stranger", "no-change"], ["Gaussian naive Bayes"], 7)
    assert list(made) == ["Stranger", "no-change", "Gaussian naive Bayes"]
    assert made["Stranger"].seed == 7
    with pytest.raises(ValueError, match="unknown learner 'Nobody'"):
        make_learners(["Nobody"], [], 1)


def test_each_learner_says_what_it_is_what_it_shows_and_what_it_costs(strangers):
    assert all(name in line_of("Council") for name in LEARNERS.load("Council")().experts)
    for nested in (False, True):
        described = described_learners(nested)
        assert list(described.values()) == list(offered_learners(nested).values())
        for words, name in described.items():
            title, _, line = words.partition("\n")
            assert title.startswith(name)
            assert line.endswith((" Fast.", " Medium.", " Slow.")) == (name in OFFERED)


def test_streams_of_others_are_offered():
    own = offered_streams()
    assert own["Yeast genes"] == "yeast"
    assert set(offered_streams(("segments", "instruments")).values()) == {"segments", "instruments"}
    entry = STREAMS.load("yeast")
    end = STREAMS.add("theirs", dataclasses.replace(entry, name="theirs"))
    try:
        assert offered_streams() == own | {"theirs": "theirs"}
        assert "theirs" not in offered_streams(("segments",)).values()
    finally:
        end()


@pytest.mark.costly
@pytest.mark.parametrize("name", PRESETS)
def test_every_page_opens_on_what_its_preset_says(name):
    page, preset = make_page(name), PRESETS[name]
    try:
        assert page.page.title == preset.title
        assert isinstance(page, DriftLab) == (name == "drift_lab")
        run = page._view._run
        nested = run.stream.schema.hierarchy is not None
        theirs = [river_name(each) for each in preset.river]
        assert list(run.learner_runs) == [*(preset.nested_learners if nested else preset.learners), *theirs]
        assert run.position == preset.played
        titles = page._view._stage.titles
        assert page._view._stage.opened == preset.view.get("tab", titles[0])
    finally:
        page.close()


def test_an_unknown_page():
    with pytest.raises(ValueError, match="unknown page 'nowhere'; there are: stream_monitor, drift_lab"):
        make_page("nowhere")


def test_300_rows_after_the_laboratorys_drift_who_forgets_is_plainly_ahead():
    preset = PRESETS["drift_lab"]
    run = Run(preset.stream.make(), make_learners(list(preset.learners), [], 1), alarms=None)
    (drift, *later) = (each.start for each in run.stream.drifts)
    assert drift + 1000 < min(later)
    run.advance(drift + 300)
    last = run.curves().query("position == @run.position").set_index("learner")["micro_f1"]
    assert last["SMART"] - last["SMART without fading"] > 0.15


@pytest.mark.nightly
def test_rivers_models_are_taken_as_they_are_and_the_forest_comes_back_first():
    preset = PRESETS["river_models"]
    stream = preset.stream.make()
    run = Run(
        stream, make_learners(preset.learners, preset.river, 1, stream.schema), measures=["accuracy"], alarms=None
    )
    assert {type(each.learner) for each in run.learner_runs.values()} == {RiverClassifier}
    run.advance(800)
    # River's own tau would hold it at one leaf
    assert run["Eager adaptive tree"].model.n_leaves > 5
    run.advance(700)
    curves = run.curves().pivot(index="position", columns="learner", values="accuracy")
    assert (curves.loc[1100] > 0.75).all()
    others = curves.loc[1500].drop("Adaptive random forest")
    assert curves.loc[1500, "Adaptive random forest"] - others.max() > 0.15
    run.advance(500)
    maker = FrameMaker(run)
    maker.choose(measures=["accuracy"])
    frame = maker.make(maker.cursor(), "paused", "", None, 0.0)
    sentence = Sentence(stream, {name: each.learner for name, each in run.learner_runs.items()}, "accuracy")
    sentence.take(frame)
    verdicts = sentence.verdicts(2000)
    assert [each.back for each in verdicts.values()].count(True) == 2, "of one the latest point is near"
    told = "Adaptive random forest replaced erring trees and came back first; the others follow."
    assert sentence.tell(frame).text == f"Every class took the next one's name. {told}"
