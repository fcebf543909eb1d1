"""River's data sets as streams."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from river import datasets
from river.datasets import synth

from streamlab.streams.readers.river import RiverStream


class Pairs:
    def __init__(self, *pairs):
        self.pairs = pairs

    def __iter__(self):
        return iter(self.pairs)


def test_multi_label_dictionaries():
    stream = RiverStream(Pairs(({"a": 1, "w": "v"}, {"l": True}), ({"w": "u", "b": True}, {"m": 1, "l": False})))
    assert stream.schema.feature_names == ("a", "w", "b")
    assert stream.schema.features[1].categories == ("u", "v")
    assert stream.schema.labels == ("l", "m")
    assert stream.n_rows == 2
    X, Y = next(stream.blocks())
    np.testing.assert_array_equal(X, [[1, 1, np.nan], [np.nan, 0, 1]])
    assert Y.tolist() == [[1, 0], [0, 1]]
    assert list(stream) == [
        ({"a": 1.0, "w": "v"}, {"l": True, "m": False}),
        ({"w": "u", "b": 1.0}, {"l": False, "m": True}),
    ]
    assert len(stream.preview(5)) == 2


def test_classes_become_labels():
    stream = RiverStream(datasets.ImageSegments(), name="segments")
    assert stream.schema.labels == ("brickface", "cement", "foliage", "grass", "path", "sky", "window")
    assert (stream.n_rows, stream.schema.n_features) == (2310, 18)
    n = 0
    for (x, y), (ours_x, ours_y) in zip(datasets.ImageSegments(), stream, strict=True):
        n += 1
        assert ours_x == x
        assert [label for label, flag in ours_y.items() if flag] == [y]
    assert n == 2310


def test_classes_that_are_equal_are_one():
    stream = RiverStream(Pairs(*(({"a": 1.0}, y) for y in (1, True, 0, np.int64(1), False, 2))))
    assert stream.schema.classes == (0, 1, 2)
    assert np.concatenate([Y for _, Y in stream.blocks()]).argmax(axis=1).tolist() == [1, 1, 0, 1, 0, 2]


def test_start_and_limit():
    stream = RiverStream(datasets.Phishing(), n_rows=700)
    assert stream.n_rows == 700
    whole = np.concatenate([X for X, _ in stream.blocks()])
    np.testing.assert_array_equal(np.concatenate([X for X, _ in stream.blocks(600)]), whole[600:])
    assert stream.schema.labels == ("False", "True")


def test_endless_generator():
    generator = datasets.synth.Agrawal(seed=1)
    stream = RiverStream(generator)
    assert stream.n_rows is None
    chunk = next(stream.chunks(10, start=2000))
    expected = list(itertools.islice(generator, 2000, 2010))
    np.testing.assert_array_equal(chunk.X, [list(x.values()) for x, _ in expected])
    assert RiverStream(generator, n_rows=50).n_rows == 50


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ((), "no rows"),
        ((({"a": "x"}, True), ({"a": 1}, True)), "row 1, feature 'a': expected a string as before, found 1"),
        ((({"a": 1}, True), ({"a": "x"}, True)), "row 1, feature 'a': expected a number as before, found 'x'"),
        ((({"a": float("inf")}, True),), "row 0, feature 'a': expected a finite number, found inf"),
        ((({"a": [1]}, True),), "row 0, feature 'a': expected a number, found [1]"),
        ((({"a": 1}, {"l": 2}),), "row 0, label 'l': expected True or False, found 2"),
        ((({"a": 1}, 2.5),), "row 0: the outcome 2.5 is not a class"),
        ((({"a": 1}, {"l": 1}), ({"a": 1}, "c")), "dictionaries in some rows and classes in others"),
    ],
)
def test_wrong_data(pairs, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        RiverStream(Pairs(*pairs))


def test_what_the_first_pass_did_not_see():
    class Endless:
        n_samples = None

        def __init__(self, late):
            self.late = late

        def __iter__(self):
            yield from itertools.repeat(({"a": 1, "w": "u"}, "c"), 1500)
            yield self.late

    for late, message in (
        (({"b": 1}, "c"), "row 1500: the feature 'b' is new"),
        (({"w": "v"}, "c"), "row 1500, feature 'w': unknown value 'v'; expected one of 'u'"),
        (({"a": 1}, "d"), "row 1500: the label 'd' is new"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            list(RiverStream(Endless(late)).blocks())


def test_neither_iterators_nor_downloads():
    with pytest.raises(ValueError, match="only once"):
        RiverStream(iter([({"a": 1}, True)]))

    class Remote(Pairs):
        is_downloaded = False

    with pytest.raises(ValueError, match="call its download"):
        RiverStream(Remote())


def test_the_drift_of_a_concept_drift_stream_is_known():
    changing = synth.ConceptDriftStream(
        synth.Agrawal(0, seed=1), synth.Agrawal(4, seed=2), position=400, width=40, seed=1
    )
    (drift,) = RiverStream(changing, n_rows=600).drifts
    assert (drift.start, drift.width) == (380, 40)
    assert RiverStream(datasets.ImageSegments(), n_rows=50).drifts == ()
