"""A run that is recorded: which pictures are read, when, and that the learners answer as without."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Player
from streamlab.lab.frame import ReadingFailed
from streamlab.views.kit.picture import Drawn, Picture
from streamlab.views.pictures import PICTURES
from streamlab.views.recording import readers_of, record
from tests.lab.made import EndlessStream, made_stream, nested_stream


def made_run(n: int = 600) -> sl.Run:
    return sl.Run(made_stream(n), {"SMART": sl.SMART(seed=1, n_trees=3), "tree": sl.MLHAT(seed=1)}, chunk=50)


class Stumbling(Picture):
    """A picture of another package that fails now and then."""

    name: ClassVar[str] = "stumbling"
    title: ClassVar[str] = "Stumbling"
    help: ClassVar[str] = ""

    def fits(self, subject: Any) -> bool:
        return subject.name == "SMART"

    def columns(self, subject: Any, selection: Any, budget: Any) -> Drawn:
        if subject.run.position == 100:
            raise RuntimeError("it stumbled")
        return Drawn(subject.name, subject.run.position, {}, {})

    def view(self, schema: Any, **options: Any) -> Any:
        raise NotADirectoryError("not asked here")

    def details(self, subject: str, story: Any, schema: Any) -> str:
        return ""


def test_there_is_a_reader_for_each_picture_and_each_learner_that_it_fits():
    assert set(readers_of(made_run())) == {"picture forest of SMART", "picture tree of tree", "picture labels"}
    nested = sl.Run(nested_stream(), {"a": sl.HierarchicalKNN(), "of b": sl.NoChange()})
    expected = {"picture hierarchy of a", "picture hierarchy of of b", "picture labels"}
    assert set(readers_of(nested)) == expected


def test_a_recording_is_continued():
    run = made_run()
    log = record(run, 120, entries=4)
    run.tune("SMART", half_life=50)
    assert record(run, views=log, entries=3) is log
    assert [entry.position for entry in log.entries] == [0, 50, 100, 120, 250, 500, 600]
    assert run.finished or run.position == 600


def test_a_stream_of_unknown_length_is_thinned_as_it_goes_on():
    run = sl.Run(EndlessStream(), {"a": sl.NoChange()}, chunk=10)
    run.stream.n_rows = run._course.n_rows = None
    log = record(run, 400, entries=5)
    positions = [entry.position for entry in log.entries]
    assert positions == [0, 100, 200, 300, 400]


def test_the_learners_answer_as_without_a_recording():
    recorded, plain, stepped = made_run(), made_run(), made_run()
    step = record(recorded, entries=37).entries[1].position
    assert step < 50
    plain.advance()
    while stepped.advance(step):
        pass
    assert recorded.curves().equals(plain.curves())
    # to the bit, also where what is kept lies in memory: that follows how a run is cut into steps
    for name in plain.learner_runs:
        states = [run.learner_runs[name].learner.state() for run in (recorded, stepped)]
        a, b = ({key: np.asarray(value).tobytes() for key, value in state.items()} for state in states)
        assert a == b


def test_a_picture_that_fails_once_leaves_a_gap_and_the_run_goes_on():
    take_away = PICTURES.add("stumbling", Stumbling)
    try:
        log = record(made_run(200), entries=5)
    finally:
        take_away()
    readings = [entry.readings["picture stumbling of SMART"] for entry in log.entries]
    assert [entry.position for entry in log.entries] == [0, 50, 100, 150, 200]
    assert readings[2] == ReadingFailed("it stumbled")
    assert all(isinstance(reading, Drawn) for i, reading in enumerate(readings) if i != 2)


def test_a_run_that_a_player_has_is_left_to_it():
    run = made_run()
    player = Player(run)
    try:
        with pytest.raises(ValueError, match="a player has the run"):
            record(run)
    finally:
        player.close()
    assert len(record(run, 50, entries=2)) == 2


@pytest.mark.parametrize(("options", "match"), [({"entries": 1}, "entries=1"), ({"n": -1}, "n=-1")])
def test_impossible_wishes_are_refused(options: dict[str, int], match: str):
    run = made_run()
    with pytest.raises(ValueError, match=match):
        record(run, **options)
    assert run.position == 0
