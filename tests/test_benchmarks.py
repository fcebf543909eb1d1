"""The benchmarks' entry, and that the peers which SMART is compared with do the same work."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from benchmarks.__main__ import available, main
from streamlab.learners import SMART
from streamlab.learners.smart import _kernels
from tests.learners.generated import generated, schema_of


def test_every_benchmark_is_listed_with_its_purpose(capsys):
    assert {"smart", "memory", "startup"} <= set(available())
    assert all(available().values())
    assert main([]) == 0
    assert "startup" in capsys.readouterr().out


@pytest.mark.parametrize("name", available())
def test_every_benchmark_has_a_main(name):
    assert callable(importlib.import_module(f"benchmarks.{name}").main)


def test_an_unknown_benchmark_is_refused(capsys):
    assert main(["smart", "nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().out


@pytest.mark.parametrize("literal", [True, False])
def test_the_dense_peers_answer_as_smart_does(literal):
    dense_trees = importlib.import_module("benchmarks._dense_trees")
    schema = schema_of(5, 3, n_labels=6)
    X, Y = generated(schema, 2000, seed=40)
    peer = dense_trees.DenseTrees(schema, literal=literal, seed=3, kernels=_kernels, n_trees=4, height=6)
    peer.half_life = 5.0
    model = SMART(n_trees=4, height=6, half_life=5.0, seed=3).bind(schema)
    for start in range(0, 2000, 100):
        piece = slice(start, start + 100)
        scores, labels = model.test_then_train(X[piece], Y[piece])
        peer_scores, peer_labels = peer.test_then_train(X[piece], Y[piece])
        np.testing.assert_allclose(scores, peer_scores, rtol=1e-9, atol=1e-11)
        assert (labels != peer_labels).mean() < 1e-3


@pytest.mark.parametrize("window", [20, 100])
def test_neighbours_answer_as_river_s_do(window):
    from river.neighbors import KNNClassifier, LazySearch

    from benchmarks._neighbours import Neighbours
    from streamlab.learners import OnePerLabel

    schema = schema_of(5, 0, n_labels=4)
    X, Y = generated(schema, 400, seed=1)
    X = np.nan_to_num(X)
    X[200:205] = X[195:200]  # exact matches
    ours = Neighbours(window=window).bind(schema)
    theirs = OnePerLabel(KNNClassifier(engine=LazySearch(window_size=window))).bind(schema)
    for start in range(0, 400, 100):
        piece = slice(start, start + 100)
        answers = [model.test_then_train(X[piece], Y[piece]) for model in (ours, theirs)]
        np.testing.assert_allclose(answers[0][0], answers[1][0], atol=1e-9)
        np.testing.assert_array_equal(answers[0][1], answers[1][1])
