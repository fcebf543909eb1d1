"""River's models: pickled whole, and without making them slower."""

from __future__ import annotations

import pickle
from itertools import islice

import pytest
from river import datasets, tree

from streamlab.learners.river_models import _attributes, pickled

ROWS = list(islice(datasets.ImageSegments(), 900))


def variances_of(model):
    """What the leaves of a tree know of the features."""
    splitters = [each for leaf in model._root.iter_leaves() for each in leaf.splitters.values()]
    return [dist._var for each in splitters for dist in each._att_dist_per_class.values()]


def test_a_model_keeps_its_attributes_beside_it_and_what_is_loaded_learns_on_as_it_does():
    model = tree.HoeffdingAdaptiveTreeClassifier(grace_period=50, tau=0.5, seed=1)
    for x, y in ROWS[:600]:
        model.learn_one(x, y)
    known = variances_of(model)
    before = [_attributes(each) for each in known]
    assert len(known) > 100
    assert None not in before
    twin = pickle.loads(pickled(model))
    assert [_attributes(each) for each in known] == before
    assert [vars(each).keys() for each in variances_of(twin)] == [each.keys() for each in before]
    for x, y in ROWS[600:]:
        # River sums over sets of words, whose order pickling may change: the last digit does
        assert twin.predict_proba_one(x) == pytest.approx(model.predict_proba_one(x), rel=1e-12, abs=1e-12)
        twin.learn_one(x, y)
        model.learn_one(x, y)


class Odd:
    shared = 1

    def __init__(self):
        self.one, self.two = 1, None


def test_attributes_that_no_method_of_the_class_sets_are_not_overlooked():
    assert _attributes(Odd()) == {"one": 1, "two": None}
    for name in ("later", "shared"):
        thing = Odd()
        del thing.one
        setattr(thing, name, 1)
        assert _attributes(thing) is None
