"""Parts of a stream learned apart and added: what one learner of the whole stream answers."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.study import learn_in_shards
from streamlab.study.shards import _here, _parts
from tests.study.made import csv


def alone(stream, model):
    model.bind(stream.schema)
    for chunk in stream.chunks(500):
        model.learn_many(chunk.X, chunk.Y)
    return model


@pytest.mark.parametrize("half_life", [300.0, float("inf")])
def test_smart_over_eight_shards_is_one_smart(half_life):
    stream = sl.load("syn-tree-recurrent", n_rows=4000, seed=5)
    merged = learn_in_shards(stream, sl.SMART(n_trees=6, half_life=half_life, seed=3), 8, workers=2)
    whole = alone(stream, sl.SMART(n_trees=6, half_life=half_life, seed=3))
    X = next(stream.chunks(600)).X
    assert np.allclose(merged.predict_proba_many(X), whole.predict_proba_many(X), rtol=1e-9, atol=1e-12)
    assert np.array_equal(merged.predict_many(X), whole.predict_many(X))


def test_ranges_that_nobody_declares_are_those_of_the_first_rows(tmp_path):
    stream = sl.load(csv(tmp_path / "a.csv", 900), labels=["label_p", "label_q"])
    merged = learn_in_shards(stream, sl.SMART(n_trees=4, seed=3), 3, workers=2)
    whole = alone(stream, sl.SMART(n_trees=4, seed=3))
    X = next(stream.chunks(600)).X
    assert np.allclose(merged.predict_proba_many(X), whole.predict_proba_many(X), rtol=1e-9, atol=1e-12)


def test_what_cannot_be_merged_is_refused(tmp_path):
    with pytest.raises(ValueError, match="MLHAT cannot be merged"):
        learn_in_shards("yeast", sl.MLHAT(seed=1))
    with pytest.raises(ValueError, match="seed=None"):
        learn_in_shards("yeast", sl.SMART())
    with pytest.raises(ValueError, match="shards=0"):
        learn_in_shards("yeast", sl.SMART(seed=1), 0)
    with pytest.raises(ValueError, match="known length"):
        learn_in_shards(sl.load("syn-regions", endless=True), sl.SMART(seed=1))
    for workers in (-1, 0, 1.5, True):
        with pytest.raises(ValueError, match=f"workers={workers}: expected a whole number from 1"):
            learn_in_shards("yeast", sl.SMART(seed=1), 2, workers=workers)
    for change in (sl.hide_labels(sl.load("yeast"), 0.9), sl.delay_labels(sl.load("yeast"), 10)):
        # behind a drift they are hidden and late all the same
        for stream in (change, sl.swap_labels(change, 0, 1, at=100)):
            with pytest.raises(ValueError, match="labels are hidden or come late"):
                learn_in_shards(stream, sl.SMART(seed=1), 2, workers=1)


def test_a_part_that_cannot_be_learned_says_why(tmp_path):
    path = tmp_path / "a.csv"
    stream = sl.load(csv(path, 900), labels=["label_p", "label_q"])
    parts = _parts(stream, sl.SMART(bounds=(-5.0, 5.0), seed=1), 2)
    lines = path.read_text().splitlines()
    lines[800] = "x" + lines[800]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(ValueError, match="could not be learned: ValueError: the stream 'a' differs"):
        _here(parts, 2)
