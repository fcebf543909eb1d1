"""Compact trees: columns get places as they are first seen; what is learned and answered is as if all had places."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from streamlab.learners import MLHAT, HedgedMLHAT
from streamlab.learners.base.rows import SparseRows
from streamlab.learners.base.state import load_model
from streamlab.learners.mlhat import growth
from streamlab.schema import Feature, NumberedFeatures, Schema
from tests.learners.mlhat.columns import arena
from tests.learners.mlhat.streams import HEDGED_QUICK, QUICK
from tests.learners.sparse_streams import chunkings, csr, wide
from tests.learners.states import assert_same

KINDS = [(MLHAT, QUICK), (HedgedMLHAT, HEDGED_QUICK)]


@pytest.fixture(autouse=True)
def _compact_from_a_hundred(monkeypatch):
    monkeypatch.setattr(MLHAT, "COMPACT_FROM", 100)


class WholeMLHAT(MLHAT):
    COMPACT_FROM = 1 << 60


class WholeHedgedMLHAT(HedgedMLHAT):
    COMPACT_FROM = 1 << 60


WHOLE = {MLHAT: WholeMLHAT, HedgedMLHAT: WholeHedgedMLHAT}


def late(n, n_features, n_labels=4, *, seed=0, density=0.05, **how):
    """Rows whose columns come bit by bit, in no order, and some of them twice in the stream."""
    X, Y = wide(n, n_features, n_labels, density=density, seed=seed, **how)
    rng = np.random.default_rng(seed)
    first = np.where(rng.random(n_features) < 0.3, 0, rng.integers(0, n, n_features))
    X[np.arange(n)[:, None] < first] = 0.0
    # a few columns that tell labels, and those of equal counts: ties in the search
    strong = rng.choice(n_features, 3, replace=False)
    for j, column in enumerate(strong):
        X[:, column] = np.where(rng.random(n) < 0.4, 1.0, 0.0)
        Y[:, j] = (X[:, column] > 0) ^ (rng.random(n) < 0.02)
    twins = rng.choice(n_features, 2, replace=False)
    X[:, twins] = X[:, strong[:1]]
    again = rng.integers(0, n, n // 10)
    X[again], Y[again] = X[again // 2], Y[again // 2]
    return X, Y


def compare(kind, parameters, X, Y, schema=None, tune=None):
    """Learn the rows in both ways; return both learners."""
    S = csr(X, explicit=0.02)
    compact, whole = kind(**parameters), WHOLE[kind](**parameters)
    for model in (compact, whole) if schema is not None else ():
        model.bind(schema)
    for part in chunkings(len(X), 3):
        for mine, its in zip(
            compact.test_then_train(S[part], Y[part]), whole.test_then_train(S[part], Y[part]), strict=True
        ):
            np.testing.assert_array_equal(mine, its)
        # rows of the future too, with columns that nobody has seen
        np.testing.assert_array_equal(compact.predict_proba_many(S[::7]), whole.predict_proba_many(S[::7]))
        if tune:
            for model in (compact, whole):
                model.tune(**tune)
    assert len(compact._tree.place_cursor)
    assert not len(whole._tree.place_cursor)
    return compact, whole


@pytest.mark.parametrize(("kind", "parameters"), KINDS)
@pytest.mark.parametrize("start", ["fresh", "inherit"])
@pytest.mark.parametrize(
    "how",
    [{}, {"missing": 0.002}, {"density": 0.4}, {"outliers": 0.001}],
    ids=["plain", "missing", "dense", "outliers"],
)
def test_answers_and_trees_are_those_of_a_tree_that_knows_all_columns(kind, parameters, start, how):
    X, Y = late(1200, 400, seed=len(how), **how)
    compact, whole = compare(kind, parameters | {"leaf_start": start}, X, Y)
    mine, its = compact.take_events(), whole.take_events()
    assert mine == its
    assert "split" in {event["kind"] for event in mine}
    for name, values in whole.node_columns().items():
        np.testing.assert_array_equal(compact.node_columns()[name], values, err_msg=name)
    assert compact.nodes().drop(columns="bytes").equals(whole.nodes().drop(columns="bytes"))
    for node in whole.node_columns()["id"]:
        assert compact.describe_node(int(node)) == whole.describe_node(int(node))


@pytest.mark.parametrize(("kind", "parameters"), KINDS)
def test_nominal_features_and_those_that_come_later_have_places(kind, parameters):
    X, Y = late(900, 200, seed=2)
    X[:, 150:155] = np.floor(np.abs(X[:, 150:155]) * 5) % 3
    schema = Schema(
        tuple(Feature(f"x{j}", ("a", "b", "c") if 150 <= j < 155 else None) for j in range(200)), tuple("klmn")
    )
    compact, whole = compare(kind, parameters, X, Y, schema)
    rng = np.random.default_rng(3)
    for model in (compact, whole):
        # not bound any more, so that columns may come
        model._intake.bound = False
    for i in range(400):
        x = {f"x{j}": float(X[i, j]) for j in np.flatnonzero(X[i]) if not 150 <= j < 155} | {"x151": "b"}
        if i > 50:
            x |= {"late": float(rng.normal()), "colour": "red" if i % 3 else "blue"}
        y = {"k": bool(Y[i, 0]), "l": i % 3 == 0} | ({"more": rng.random() < 0.5} if i > 90 else {})
        assert compact.predict_proba_one(x) == whole.predict_proba_one(x)
        for model in (compact, whole):
            model.learn_one(x, y)
    assert compact.schema.n_features == whole.schema.n_features == 202
    assert compact.take_events() == whole.take_events()
    twin = kind.from_state(compact.state())
    assert_same(twin.state(), compact.state())
    # the columns that came later are zeros
    rows = csr(np.pad(X, ((0, 0), (0, 2))))
    np.testing.assert_array_equal(twin.predict_proba_many(rows), whole.predict_proba_many(rows))


@pytest.mark.parametrize(("kind", "parameters"), KINDS)
def test_a_restored_tree_goes_on_without_places_in_reserve(kind, parameters, tmp_path):
    X, Y = late(1000, 300, seed=4)
    S = csr(X)
    model = kind(**parameters)
    model.learn_many(S[:600], Y[:600])
    state = model.state()
    places = state["column_of"]
    assert len(places) == state["place_cursor"][arena.PLACES] == state["weights"].shape[1] < 300
    assert set(places.tolist()) == set(np.flatnonzero((X[:600] != 0).any(axis=0)).tolist())
    model.save(tmp_path / "model.safetensors")
    twins = [kind.from_state(state), load_model(tmp_path / "model.safetensors"), model.copy()]
    answers = [each.test_then_train(S[600:], Y[600:])[0] for each in (model, *twins)]
    for mine in answers[1:]:
        np.testing.assert_array_equal(mine, answers[0])
    for twin in twins:
        assert_same(twin.state(), model.state())
        assert twin.used_bytes == model.used_bytes


ALTERED = [
    ("column_of", lambda state: state["column_of"].__setitem__(0, 4_000)),
    ("column_of", lambda state: state["column_of"].__setitem__(0, -1)),
    ("column_of", lambda state: state["column_of"].__setitem__(0, state["column_of"][1])),
    ("column_of", lambda state: state.update(column_of=state["column_of"].astype(np.int32))),
    ("", lambda state: state.update(column_of=state["column_of"][:-1])),
    ("place_cursor", lambda state: state["place_cursor"].__setitem__(arena.PLACES, 3)),
    ("place_cursor", lambda state: state["place_cursor"].__setitem__(arena.WANT_PLACES, -1)),
    ("place_cursor", lambda state: state["place_cursor"].__setitem__(arena.FULL, 2)),
    ("place_cursor", lambda state: state.update(place_cursor=state["place_cursor"][:-1])),
    ("links", lambda state: state["links"].__setitem__((0, arena.SEARCH), 301)),
]


@pytest.mark.parametrize(("named", "alter"), ALTERED, ids=[f"{i} {name}" for i, (name, _) in enumerate(ALTERED)])
def test_an_altered_state_is_refused(named, alter):
    X, Y = late(60, 300, seed=4)
    model = MLHAT(**QUICK)
    model.learn_many(csr(X), Y)
    state = {key: value.copy() if isinstance(value, np.ndarray) else value for key, value in model.state().items()}
    alter(state)
    with pytest.raises(ValueError, match=f"the state of MLHAT contradicts itself: .*{named}"):
        MLHAT.from_state(state)


@pytest.mark.costly
@pytest.mark.parametrize(("kind", "parameters"), KINDS)
def test_the_bound_of_memory_stops_growth_then_columns_whatever_the_chunks(kind, parameters):
    # 1,024 places are always given
    X, Y = late(1000, 3000, seed=6, density=0.01)
    S = csr(X)
    bound = 1_200_000
    models = [kind(**parameters, max_bytes=bound) for _ in range(2)]
    answers = []
    for model, step in zip(models, (1000, 70), strict=True):
        scores = [model.test_then_train(S[i : i + step], Y[i : i + step])[0] for i in range(0, 1000, step)]
        answers.append(np.concatenate(scores))
        assert model.used_bytes <= bound
    np.testing.assert_array_equal(*answers)
    assert_same(models[0].state(), models[1].state())
    events = [event["kind"] for event in models[0].take_events()]
    assert events.count("memory_limit") == 1
    places = models[0]._tree.plain_place_cursor
    assert 1024 < places[arena.PLACES] < (X != 0).any(axis=0).sum()
    assert places[arena.FULL] == 1
    assert not models[0].node_columns()["active"].any()
    # a wider bound: columns get places again
    before = int(places[arena.PLACES])
    models[0].tune(max_bytes=None)
    models[0].learn_many(S, Y)
    assert models[0]._tree.plain_place_cursor[arena.PLACES] > before
    assert models[0].node_columns()["active"].any()


def test_columns_that_nobody_has_seen_take_no_room():
    n_features = 1 << 18
    rng = np.random.default_rng(0)
    columns = np.sort(rng.choice(n_features, 200, replace=False))
    X, Y = wide(300, 200, 5, density=0.1)
    rows = SparseRows.of(X)
    S = scipy.sparse.csr_array((rows.data, columns[rows.indices], rows.indptr), shape=(300, n_features))
    model = MLHAT(seed=1).bind(Schema(NumberedFeatures(n_features), tuple("abcde")))
    model.test_then_train(S, Y)
    # the map of the columns takes 1 MB, weights for all 100 MB
    assert model.used_bytes < 4e6
    assert model.n_bytes < 5e6
    assert model._tree.plain_place_cursor[arena.PLACES] == 200
    asked = scipy.sparse.csr_array((np.ones(3), np.array([5, 7, 11]), np.array([0, 3])), shape=(1, n_features))
    state = model.state()
    assert model.predict_proba_many(asked).shape == (1, 5)
    assert_same(state, model.state())


def test_dense_rows_of_too_many_columns_begin_a_compact_tree(monkeypatch):
    monkeypatch.setattr(growth, "MOST_AT_FIRST", 200_000)
    X, Y = late(100, 150, seed=1)
    model, small = MLHAT(**QUICK), MLHAT(**QUICK)
    model.learn_many(X, Y)
    assert len(model._tree.place_cursor)
    small.learn_many(X[:, :110], Y[:, :1])
    assert not len(small._tree.place_cursor)
