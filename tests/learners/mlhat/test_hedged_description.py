"""HedgedMLHAT does what its description says: against a transcription in plain Python."""

from __future__ import annotations

import inspect
import math
from collections import Counter

import numpy as np
import pytest

from streamlab.learners import MLHAT, HedgedMLHAT
from tests.learners.generated import generated, schema_of
from tests.learners.mlhat.hedged_by_hand import HedgedByHand
from tests.learners.mlhat.streams import HEDGED_QUICK, learn_in_chunks, lists, stump_stream

GROWS = {"split", "alternate_started", "alternate_promoted"}


@pytest.mark.parametrize(
    ("stream", "parameters", "expected"),
    [
        ({"n": 1500, "flips": (900,)}, {}, GROWS),
        ({"n": 1200, "missing": 0.1, "flips": (600,)}, {"bootstrap": False, "leaf_start": "inherit"}, {"split"}),
        ({"n": 1000, "missing": 0.05, "flips": (500,)}, {"bootstrap": "strict", "poisson_rate": 1.5}, {"split"}),
        ({"n": 1000, "flips": (600,)}, {"combine_alternates": False, "drift_measure": "subset"}, {"split"}),
        ({"n": 1000, "flips": (500,)}, {"alternate_grace_period": 400}, {"split", "alternate_started"}),
        ({"n": 1000, "flips": (600,)}, {"eta": 5.0, "loss_memory": 40, "drift_measure": "micro_f1"}, {"split"}),
        ({"n": 1200, "flips": (700,)}, {"kept_levels": 1, "tau": 0.2}, {"split"}),
        ({"n": 900, "flips": (500,)}, {"kept_levels": 0, "loss_memory": math.inf}, {"split"}),
        ({"n": 800, "missing": 0.2}, {"max_depth": 1, "n_neighbors": 7, "eta": 0.0}, {"split"}),
        ({"n": 600}, {"max_depth": 0}, set()),
    ],
    ids=[
        *("bootstrap", "inherit", "strict", "alone", "long duels", "slow trust", "one level", "root only", "shallow"),
        "one leaf",
    ],
)
def test_generated_streams_equal_the_description(stream, parameters, expected):
    schema, X, Y = stump_stream(**stream, seed=3)
    model = HedgedMLHAT(**HEDGED_QUICK | parameters).bind(schema)
    by_hand = HedgedByHand(model, schema)
    scores, labels = learn_in_chunks(model, X, Y, 173)
    wanted = np.array([by_hand.test_then_train(x, y) for x, y in lists(X, Y)])
    np.testing.assert_allclose(scores, wanted, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(labels, wanted > 0.5)
    events = model.take_events()
    mine = [(e["kind"], e["node"], e["position"]) for e in events]
    assert sorted(mine) == sorted(e[:3] for e in by_hand.events)
    assert expected <= {kind for kind, *_ in mine}
    columns = model.node_columns()
    order = np.argsort(columns["id"])
    names = ("id", "depth", "background", "is_leaf", "feature", "weight")
    assert list(zip(*(columns[n][order].tolist() for n in names), strict=True)) == by_hand.structure()
    for i, node in enumerate(columns["id"].tolist()):
        assert columns["keeps_regressions"][i] == (node in by_hand.kept and not columns["is_leaf"][i])
        if columns["is_leaf"][i]:
            found = columns["loss_neighbours"][i], columns["loss_regressions"][i]
        elif columns["keeps_regressions"][i]:
            found = columns["loss_own"][i], columns["loss_below"][i]
        else:
            continue
        assert found == pytest.approx(by_hand.experts[node], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("missing", "seed"), [(0.0, 1), (0.15, 2)])
def test_another_stream_equals_the_description(missing, seed):
    schema = schema_of(5, 2, n_labels=4)
    X, Y = generated(schema, 600, missing=missing, seed=seed)
    model = HedgedMLHAT(**HEDGED_QUICK | {"bootstrap": seed == 1}).bind(schema)
    by_hand = HedgedByHand(model, schema)
    scores, _ = learn_in_chunks(model, X, Y)
    np.testing.assert_allclose(scores, [by_hand.test_then_train(x, y) for x, y in lists(X, Y)], rtol=1e-9, atol=1e-9)
    assert Counter(e["kind"] for e in model.take_events()) == by_hand.kinds()
    assert by_hand.kinds()["split"]


def test_the_defaults_are_the_descriptions():
    own = {"eta": 50.0, "loss_memory": 500, "tau": 0.1, "kept_levels": None}
    parameters, plain = inspect.signature(HedgedMLHAT).parameters, inspect.signature(MLHAT).parameters
    assert {name: parameters[name].default for name in own} == own
    others = set(plain) - {"cardinality_threshold", "entropy_threshold", "tau"}
    assert set(parameters) == others | set(own)
    assert all(parameters[name].default == plain[name].default for name in others)
    assert set(own) <= {tunable.name for tunable in HedgedMLHAT.tunables}
