"""What a model without a picture says of itself: as text, bounded and escaped; and of a model that is not as it was."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from river import base, datasets, ensemble, facto, forest, linear_model, multiclass, naive_bayes, tree

pytest.importorskip("panel_material_ui")

import streamlab as sl
from streamlab.views.kit.picture import Budget, fitting
from streamlab.views.page.picture_panel import PicturePanel
from streamlab.views.page.reading import Reading, read
from streamlab.views.pictures import PICTURES
from streamlab.views.pictures.text import TextPicture
from streamlab.views.pictures.text.picture import MOST_LINES, MOST_OF_LINE
from tests.views import wire


class Talker(base.Classifier):
    """A classifier that says what it is told."""

    def __init__(self, text="<b>bold</b>\tand\u202e\n", times=1):
        self.text, self.times = text, times

    @property
    def _multiclass(self):
        return True

    def learn_one(self, x, y):
        pass

    def predict_proba_one(self, x):
        return {"sky": 1.0}

    def debug_one(self, x):
        if not self.text:
            raise KeyError("nothing to say")
        return self.text * self.times


def ran(model: object, stream: object = "image-segments", rows: int = 300) -> sl.Run:
    run = sl.Run(stream, {"it": model}, chunk=100, alarms=None)
    run.advance(rows)
    return run


drawn_of = partial(wire.drawn_of, TextPicture())


def row_of(run: sl.Run) -> dict:
    return dict(zip([each.name for each in run.stream.schema.features], run.last[0].tolist(), strict=True))


def test_it_is_what_the_model_says_of_the_latest_row_after_it_was_learned():
    run = ran(facto.FMClassifier(seed=1), datasets.Phishing())
    drawn = drawn_of(run)
    said = run.learner_runs["it"].learner.model.debug_one(row_of(run)).splitlines()
    assert drawn.extra["lines"] == said
    assert drawn.extra["said"] == "FMClassifier's debug_one, of row 300, asked again after it was learned."
    assert fitting(TextPicture(), run) == ["it"]
    assert len(drawn.columns["id"]) == len(said)
    before = sl.Run(datasets.Phishing(), {"it": facto.FMClassifier(seed=1)})
    assert drawn_of(before).extra == {"lines": [], "said": "FMClassifier's debug_one."}


def test_models_around_others_say_what_these_say_and_one_that_says_nothing_is_written_as_river_writes_it():
    run = ran(ensemble.AdaBoostClassifier(tree.HoeffdingTreeClassifier(), 2, seed=1))
    lines, model = drawn_of(run).extra["lines"], run.learner_runs["it"].learner.model
    assert lines[:2] == ["AdaBoostClassifier", "    0: HoeffdingTreeClassifier"]
    assert f"        n_nodes: {model[0].n_nodes}" in lines
    assert "    1: HoeffdingTreeClassifier" in lines
    assert f"        {model[1].debug_one(row_of(run)).splitlines()[0]}" in lines
    apart = ran(multiclass.OneVsOneClassifier(tree.HoeffdingTreeClassifier()), rows=100)
    assert "    ('foliage', 'path'): HoeffdingTreeClassifier" in drawn_of(apart).extra["lines"]
    mute = drawn_of(ran(linear_model.ALMAClassifier(), datasets.Phishing())).extra
    assert mute["lines"] == repr(linear_model.ALMAClassifier()).splitlines()
    assert mute["said"] == "ALMAClassifier as River writes it: it says nothing of a row."
    assert (
        drawn_of(ran(tree.HoeffdingTreeClassifier(), "yeast", 0)).extra["lines"][0] == "Class1: HoeffdingTreeClassifier"
    )
    labels = drawn_of(ran(tree.HoeffdingTreeClassifier(), "yeast", 100))
    assert [line for line in labels.extra["lines"] if line.startswith("Class2")] == ["Class2: HoeffdingTreeClassifier"]


def test_long_and_foreign_text_is_bounded_and_shown_as_text():
    assert drawn_of(ran(Talker())).extra["lines"] == ["<b>bold</b> and⟨U+202E⟩"]
    many = drawn_of(ran(Talker("x" * 1000 + "\n", 5000)))
    assert len(many.extra["lines"]) == MOST_LINES + 1
    assert {len(line) for line in many.extra["lines"][:-1]} == {MOST_OF_LINE}
    assert many.extra["lines"][-1] == f"… the first {MOST_LINES} lines"
    few = drawn_of(ran(Talker("x" * 1000 + "\n", 5000)), budget=Budget(bytes=10_000))
    assert sum(map(len, few.extra["lines"])) < 10_000
    assert drawn_of(ran(Talker(""))).extra["lines"] == ["debug_one failed: KeyError: 'nothing to say'"]
    view = TextPicture().view(ran(Talker()).stream.schema)
    view.show(many)
    assert view.packed["lines"] == many.extra["lines"]


# ---------------------------------------------------------------------- a version of River that is not as it was


OTHERWISE = {
    "tree": (tree.HoeffdingAdaptiveTreeClassifier(seed=1), "tree"),
    "forest": (forest.ARFClassifier(n_models=2, seed=1), "ensemble"),
    "bayes": (naive_bayes.GaussianNB(), "gaussians"),
}


@pytest.mark.costly
@pytest.mark.parametrize("name", OTHERWISE)
def test_a_reader_that_does_not_find_what_it_knows_gives_way_to_the_models_own_words(name):
    model, picture = OTHERWISE[name]
    run = ran(model, rows=200)
    learner = run.learner_runs["it"].learner
    assert learner.picture == picture
    twin = ran(model, rows=400)

    class Lost(type(learner._seen)):
        """A reader to which River has become strange, from now on."""

        def __getattribute__(self, name):
            if name in {"events", "columns", "node_columns", "cells", "class_gaussians", "mark"}:
                raise AttributeError("'Leaf' object has no attribute 'stats'")
            return super().__getattribute__(name)

    learner._seen.__class__ = Lost
    run.advance(200)
    assert run.position == 400
    reading = read(PICTURES.load(picture)(), ("it",), None, run)
    assert isinstance(reading, Reading)
    assert reading.failed == ""
    assert (
        "otherwise than its picture knows it (AttributeError: 'Leaf' object has no attribute 'stats')."
        in (reading.drawn.extra["said"])
    )
    assert reading.drawn.extra["lines"]
    assert learner.picture == "text"
    chunk = next(run.stream.chunks(500))
    np.testing.assert_array_equal(
        learner.predict_proba_many(chunk.X), twin.learner_runs["it"].learner.predict_proba_many(chunk.X)
    )


def test_an_attribute_that_river_no_longer_has_is_said_in_one_sentence_in_the_pictures_place(monkeypatch):
    run = ran(tree.HoeffdingTreeClassifier(), rows=100)
    panel = PicturePanel(PICTURES.load("tree")(), run, ["it"], changed=lambda _: None)
    reader = panel.readers()["picture tree"]

    class Frame:
        """What the panel looks at of a frame."""

        live, state, position, readings = True, "playing", 100, {"picture tree": reader(run)}

    panel.show(Frame)
    assert panel.view.visible
    with monkeypatch.context() as change:
        for kind in (tree.HoeffdingTreeClassifier, tree.HoeffdingTreeClassifier.__base__):
            change.delattr(kind, "leaf_prediction")
        run.advance(100)
        Frame.readings = {"picture tree": reader(run)}
        panel.show(Frame)
        assert "has no attribute 'leaf_prediction'" in panel.error.object
        assert panel._words.visible
        assert not panel.view.visible
    Frame.readings = {"picture tree": reader(run)}
    panel.show(Frame)
    assert (panel.view.visible, panel._words.visible, panel.error.visible) == (True, False, False)
