"""The memory's picture without a browser: what is drawn of a learner's rows, what travels, what is told of a row."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import streamlab as sl
from streamlab.views.kit.picture import Budget
from streamlab.views.pictures.memory import MemoryPicture
from tests.views import wire


@pytest.fixture(scope="module")
def run() -> sl.Run:
    made = sl.Run("yeast", {"it": sl.ARkNN(window=60)}, alarms=None)
    made.advance(200)
    return made


drawn_of = partial(wire.drawn_of, MemoryPicture())


sent = partial(wire.sent, MemoryPicture())


def test_each_remembered_row_is_a_point_as_high_as_it_is_fit(run):
    learner = run.learner_runs["it"].learner
    header, columns = sent(run, drawn_of(run))
    assert len(columns["id"]) == learner.n_rows
    assert columns["age"][-1] == 0
    np.testing.assert_allclose(columns["share"], learner.nodes()["standing"], atol=1e-6)
    assert header["measure"] == "fitness"
    assert (header["held"], header["most"]) == (learner.n_rows, 60)
    bits = columns["bits"].reshape(len(columns["id"]), 2)
    np.testing.assert_array_equal(np.unpackbits(bits, axis=1, bitorder="little")[:, :14], learner.labels_of_rows())
    assert columns["sizes"].tolist() == learner.sizes_before().tolist()


def test_of_many_rows_the_newest_and_those_that_answered_are_drawn(run):
    whole, part = drawn_of(run), drawn_of(run, budget=Budget(5))
    asked = whole.columns["id"][whole.columns["rank"] > 0]
    assert set(part.columns["id"]) == {*asked.tolist(), *whole.columns["id"][-5:].tolist()}
    assert len(part.extra["bits"]["bits"]) == 2 * len(part.columns["id"])


def test_a_selected_row_is_told_until_it_is_forgotten(run):
    picture, schema = MemoryPicture(), run.stream.schema
    newest = int(drawn_of(run).columns["id"][-1])
    told = picture.details("<it>", drawn_of(run, newest).story, schema)
    assert f"&lt;it&gt;, row {newest + 1:,}" in told
    assert "Its fitness is" in told
    assert "sl-details-meter" in told
    assert "dropped below 0.001" in told
    assert drawn_of(run, 0).story is None
    assert "forgotten" in picture.details("it", None, schema)
