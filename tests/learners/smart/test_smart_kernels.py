"""Each kernel of SMART against a plain twin."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from streamlab.learners import SMART
from streamlab.learners.smart import _kernels as kernels
from tests.fuzz.fuzz import bounds_checked
from tests.learners.generated import generated, schema_of

ROOT = Path(__file__).parents[3]


def draws(n: int, seed: int = 1, tree: int = 0):
    """The tests of the first ``n`` nodes of a tree over two numeric features and one of three categories."""
    low, high, n_categories = np.array([0.0, -5.0, 0.0]), np.array([1.0, 5.0, 0.0]), np.array([0.0, 0.0, 3.0])
    return [kernels._draw_test(seed, tree, heap, low, high, n_categories) for heap in range(n)]


def test_a_draw_is_uniform_over_features_thresholds_and_categories():
    drawn = draws(9000)
    features = np.array([feature for feature, *_ in drawn])
    assert (np.abs(np.bincount(features) - 3000) < 5 * math.sqrt(2000)).all()
    for feature, low, high in ((0, 0.0, 1.0), (1, -5.0, 5.0)):
        thresholds = np.sort([lower for f, lower, upper in drawn if f == feature and upper == math.inf])
        assert len(thresholds) == (features == feature).sum()
        uniform = (thresholds - low) / (high - low)
        # Kolmogorov and Smirnov: beyond 1.95 / sqrt(n) once in a thousand
        assert np.abs(uniform - np.linspace(0, 1, len(uniform))).max() < 1.95 / math.sqrt(len(uniform))
    categories = np.array([(lower + upper) / 2 for f, lower, upper in drawn if f == 2])
    assert set(categories) == {0.0, 1.0, 2.0}
    assert (np.abs(np.bincount(categories.astype(int)) - 1000) < 6 * math.sqrt(1000)).all()


def test_a_draw_depends_on_seed_tree_and_node_and_on_nothing_else():
    assert draws(50) == draws(50)
    assert draws(50) != draws(50, seed=2)
    assert draws(50) != draws(50, tree=1)
    # only categories repeat
    thresholds = [test for test in draws(50) if test[0] != 2]
    assert len(set(thresholds)) == len(thresholds) > 20
    # two neighbours in (tree, node) do not share their draws
    assert draws(51)[1:] != draws(50, tree=1)


@pytest.fixture(scope="module")
def learned():
    schema = schema_of(4, 2, n_labels=4)
    X, Y = generated(schema, 600, missing=0.05, seed=30)
    model = SMART(n_trees=3, height=6, half_life=40, seed=2).bind(schema)
    model.learn_many(X, Y)
    return model, X, np.isnan(X).any(axis=1)


def test_free_dead_frees_what_is_light_and_cuts_off_nothing_else(learned):
    model = learned[0].copy()
    top = int(model._cursor[kernels.TOP])
    weights = model._sums[:top, kernels.WEIGHT].copy()
    threshold = float(np.median(weights[1:]))
    in_use = kernels.free_dead(model._nodes, model._sums, model._place, model._roots, model._cursor, threshold)
    alive = np.flatnonzero(weights >= threshold)
    assert in_use == len(alive)
    assert model._cursor[kernels.N_FREE] == top - 1 - in_use
    reached, stack = set(), [int(r) for r in model._roots if r]
    while stack:
        s = stack.pop()
        reached.add(s)
        stack += [int(c) for c in model._nodes[s, [kernels.LEFT, kernels.RIGHT]] if c]
    assert reached == set(alive.tolist())
    assert (model._place[:top, kernels.ID][model._sums[:top, kernels.WEIGHT] == 0] == -1).all()


BOUNDS_CHECKED = """
import math, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from streamlab.learners import SMART
from tests.learners.generated import generated, schema_of

schema = schema_of(4, 2)
X, Y = generated(schema, 1500, missing=0.05)
models = [SMART(n_trees=3, height=10, half_life=2, seed=1).bind(schema) for _ in range(2)]
for start in range(0, 1500, 100):
    piece = slice(start, start + 100)
    models[start // 100 % 2].learn_many(X[piece], Y[piece], timestamps=np.arange(start, start + 100) + 1)
    models[0].test_then_train(X[piece][:0], Y[piece][:0])
    models[0].predict_many(X[piece])
models[0].merge(models[1])
for parameters in ({"n_trees": 5}, {"height": 4}, {"height": 12, "half_life": math.inf}, {"n_trees": 1}):
    models[0].tune(**parameters)
    models[0].test_then_train(X[:200], Y[:200])
    models[0].nodes()
assert np.isfinite(models[0].predict_proba_many(X)).all()
print("done")
"""


@pytest.mark.nightly
def test_no_kernel_reads_or_writes_beside_its_arrays():
    environment = os.environ | bounds_checked()
    done = subprocess.run(
        [sys.executable, "-c", BOUNDS_CHECKED, str(ROOT)], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "done\n"
