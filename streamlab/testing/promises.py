"""What a learner promises, each as a function that raises an AssertionError if it is broken."""

from __future__ import annotations

import copy
import math
import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import scipy.sparse

from streamlab.lab import Run, time_machine
from streamlab.lab.events import reported
from streamlab.learners import LEARNERS, Tunable, load_model
from streamlab.learners.base.learner import ROUNDING
from streamlab.streams import ArrayStream
from streamlab.testing.case import N_LEARNED, Case, clean, refused, same, same_models, state_of

__all__ = ["PROMISES"]

SIZES = (1, 7, 40)
# how many of the bad chunks are bad without any columns known
BY_VALUE = 11


def _scores_and_labels(case: Case) -> None:
    shape = (case.n, case.schema.n_labels)
    model = case.bound()
    clean(model.answer_many(case.X), shape)
    clean(model.test_then_train(case.X, case.Y), shape)
    clean(model.answer_many(case.X), shape)
    for n in range(2):
        clean(model.test_then_train(case.X[:n], case.Y[:n]), (n, shape[1]))
    x = case.row(case.X[0])
    _, labels = model.answer_many(case.X[:1])
    assert list(model.predict_one(x).values()) == list(map(bool, labels[0])), "predict_one is not predict_many"
    scores = model.predict_proba_many(case.X)
    assert ((scores >= 0) & (scores <= 1)).all(), "predict_proba_many is outside [0, 1]"
    assert np.allclose(scores, model.answer_many(case.X)[0], 0, ROUNDING), "predict_proba_many is not answer_many"
    of_one = [p[True] for p in model.predict_proba_one(x).values()]
    assert of_one == model.predict_proba_many(case.X[:1])[0].tolist(), "predict_proba_one is not predict_proba_many"


def _before_learning(case: Case) -> None:
    model = case.make()
    assert model.predict_one({}) == {}, "predict_one of one that knows no label is not {}"
    clean(model.answer_many(np.zeros((2, 0))), (2, 0))
    assert isinstance(model.nodes(), pd.DataFrame), "nodes() is no DataFrame"
    assert model.n_bytes >= 0, "n_bytes is negative"
    model.prepare()


def _asking(case: Case) -> None:
    model, twin = case.learned(), case.learned()
    before = state_of(model)
    for _ in range(2):
        model.predict_many(case.X)
        model.predict_proba_many(case.X)
        model.predict_one(case.row(case.X[0]))
        model.nodes()
    same(before, state_of(model), "after it was asked")
    same_models(case, model, twin, "one that was asked before")


def _determinism(case: Case) -> None:
    one, other = case.learned(), case.learned()
    same(state_of(one), state_of(other), "made and taught alike")
    same_models(case, one, other, "made and taught alike")


def _chunks(case: Case) -> None:
    whole = case.learned()
    by_row = case.bound()
    for x, y in case.rows[:N_LEARNED]:
        by_row.learn_one(x, y)
    same(whole.answer_many(case.X), by_row.answer_many(case.X), "learned with learn_one, and in one chunk")
    for size in SIZES:
        parts = case.bound()
        for start in range(0, N_LEARNED, size):
            stop = min(start + size, N_LEARNED)
            parts.learn_many(case.X[start:stop], case.Y[start:stop])
        same(whole.answer_many(case.X), parts.answer_many(case.X), f"learned in chunks of {size}, and in one chunk")


def _test_then_train(case: Case) -> None:
    one, other = case.bound(), case.bound()
    size = 40 if one.predicts_whole_chunks else 1
    for start in range(0, case.n, 40):
        chunk = slice(start, start + 40)
        scores, labels = one.test_then_train(case.X[chunk], case.Y[chunk])
        for at in range(0, 40, size):
            part = slice(start + at, start + at + size)
            answer = other.answer_many(case.X[part])
            same((scores[at : at + size], labels[at : at + size]), answer, "test_then_train, and predict then learn")
            other.learn_many(case.X[part], case.Y[part])
    same(one.answer_many(case.X), other.answer_many(case.X), "after test_then_train, and after predict then learn")


def _states(case: Case) -> None:
    model = case.learned()
    state = model.state()
    for taught, name in ((model, "one that has learned"), (case.bound(), "a bound one"), (case.make(), "a new one")):
        same(taught.state(), type(model).from_state(taught.state()).state(), f"the state of {name}")
    twin = type(model).from_state(state)
    same_models(case, twin, case.learned(), "one from a state")
    same(state, model.state(), "the state of one whose copy learned (they share an array)")
    kind = type(model)
    # a file is opened as the class that is registered under its name
    with mock.patch.dict(LEARNERS._loaded), tempfile.TemporaryDirectory() as folder:
        if kind.__name__ not in LEARNERS:
            LEARNERS.add(kind.__name__, kind)
        path = Path(folder) / "model.safetensors"
        model.save(path)
        for loaded, how in ((load_model(path), "a file"), (load_model(model.to_bytes()), "bytes")):
            assert type(loaded) is kind, f"from {how} comes a {type(loaded).__name__}"
            same(state, loaded.state(), f"one from {how}")
            same_models(case, loaded, case.learned(), f"one from {how}")


def _altered_states(case: Case) -> None:
    state, kind = state_of(case.learned()), type(case.make())
    for key, value in state.items():
        if isinstance(value, np.ndarray):
            for altered, what in ((value[None], "one axis more"), (value.astype("U"), "texts")):
                refused(f"a state whose {key} has {what}", kind.from_state, {**state, key: altered})
    if state:
        refused("a state of another learner", kind.from_state, {**state, "learner": "Another"})
        refused("a state whose parameters are no JSON", kind.from_state, {**state, "parameters": "{"})


def _copies(case: Case) -> None:
    for how, made in (
        ("copy", lambda m: m.copy()),
        ("deepcopy", copy.deepcopy),
        ("pickle", lambda m: pickle.loads(pickle.dumps(m))),
    ):
        model = case.learned()
        answer = model.answer_many(case.X)
        twin = made(model)
        case.go_on(twin)
        same(answer, model.answer_many(case.X), f"one whose {how} has learned")
        same_models(case, made(model), case.learned(), how)
    fresh = case.learned().clone()
    assert fresh.schema.n_labels == 0, "a clone knows what its original has learned"
    same_models(case, fresh.bind(case.schema), case.bound(), "a clone")


def _missing_values(case: Case) -> None:
    X, shape = case.X.copy(), (case.n, case.schema.n_labels)
    X[np.random.default_rng(2).random(X.shape) < 0.3] = np.nan
    X[:3] = np.nan
    model, by_row = case.bound(), case.bound()
    clean(model.test_then_train(X, case.Y), shape)
    clean(model.answer_many(np.full_like(X, np.nan)), shape)
    for x, y in zip(X, case.Y, strict=True):
        by_row.learn_one(case.row(x), case.flags(y))
    same(model.answer_many(X), by_row.answer_many(X), "with missing values, in a chunk and as dictionaries")


def _odd_numbers(case: Case) -> None:
    column = next((j for j, feature in enumerate(case.schema.features) if not feature.is_nominal), None)
    if column is None:
        return
    X, meant = case.X.copy(), case.X.copy()
    X[::9, column], meant[::9, column] = 1e-310, 0.0
    X[60, column], meant[60, column] = 1e6, np.nan
    one, other = case.bound(), case.bound()
    for start in range(0, case.n, 20):
        part = slice(start, start + 20)
        answers = one.test_then_train(X[part], case.Y[part]), other.test_then_train(meant[part], case.Y[part])
        same(*answers, "with tiny numbers as with 0, and with one far from all before as with it missing")
    same(one.answer_many(case.X), other.answer_many(case.X), "after tiny numbers, and one far from all before")


def _new_columns(case: Case) -> None:
    model, n = case.make(), 0
    words = any(feature.is_nominal for feature in case.schema.features)
    for i, (x, y) in enumerate(case.rows):
        if i >= case.n // 2:
            x = {**x, "later": float(i % 5), **({"later too": "red" if i % 2 else "blue"} if words else {})}
            y = {**y, "later": bool(i % 3)}
        if i % 7 == 3:
            x = dict(list(x.items())[1:])
        model.learn_one(x, y)
        n = max(n, len(y))
        scores = [p[True] for p in model.predict_proba_one(x).values()]
        assert len(scores) == n, f"with {n} labels known it answers {len(scores)}"
        assert all(0 <= score <= 1 for score in scores), "a score is outside [0, 1]"
    if state_of(model):
        twin = type(model).from_state(model.state())
        same(model.state(), twin.state(), "the state after columns have joined")
        assert twin.predict_proba_one(x) == model.predict_proba_one(x), "one from a state answers otherwise"


def _bad_input(case: Case) -> None:
    n_features = case.schema.n_features
    X, Y = case.X[:4], case.Y[:4]
    frame, flags = case.frames(X, Y)

    def put(values: np.ndarray, value: Any) -> np.ndarray:
        changed = values.astype(object if isinstance(value, (str, type(None))) else np.float64)
        changed[2, 0] = value
        return changed

    bad: list[tuple[str, Any, Any]] = [
        *((f"a feature that is {v!r}", put(X, v), Y) for v in (math.inf, -math.inf, 1e101, "text")),
        *((f"a label that is {v!r}", X, put(Y, v)) for v in (math.nan, math.inf, 2, -1, 0.5, "yes", None)),
        ("too few columns", X[:, :-1], Y),
        ("too many columns", np.hstack([X, X]), Y),
        ("one axis", X[0], Y),
        ("too few labels", X, Y[:, :-1]),
        ("too few rows of labels", X, Y[:3]),
        ("a table that lacks a feature", frame[frame.columns[1:]], flags),
        ("a table that lacks a label", frame, flags[flags.columns[1:]]),
        *((f"an unknown category of {f.name!r}", np.where(np.arange(n_features) == j, 99.0, X), Y)
          for j, f in enumerate(case.schema.features) if f.categories),
    ]  # fmt: skip
    first, x, y = case.schema.features[0].name, *case.rows[0]
    rows = [
        ("a dictionary with an infinite number", {**x, "new": math.inf}, {**y, "new": True}),
        ("a dictionary with another kind of value", {**x, first: [1.0], "new": 1.0}, {**y, "new": True}),
        ("a dictionary with a label that is no flag", {**x, "new": 1.0}, {**y, "new": "yes"}),
        ("a dictionary with a label that is NaN", {**x, "new": 1.0}, {**y, "new": math.nan}),
    ]
    for model, when in ((case.bound(), "before it has learned"), (case.learned(), "after it has learned")):
        before, answer, schema = state_of(model), model.answer_many(case.X), model.schema
        for verb in ("learn_many", "test_then_train"):
            for what, bad_X, bad_Y in bad:
                refused(f"{verb} of {what}, {when}", getattr(model, verb), bad_X, bad_Y)
        for what, bad_x, bad_y in rows:
            refused(f"{what}, {when}", model.learn_one, bad_x, bad_y)
        assert model.schema == schema, f"bad rows have left columns behind, {when}"
        same(before, state_of(model), f"the state after bad rows, {when}")
        same(answer, model.answer_many(case.X), f"the answers after bad rows, {when}")
    model = case.make()
    for what, bad_X, bad_Y in bad[:BY_VALUE]:
        refused(f"a first chunk with {what}", model.learn_many, bad_X, bad_Y)
    assert model.schema.n_features == 0, "a bad first chunk has left columns behind"


def _input_is_read(case: Case) -> None:
    X, Y = case.X.copy(), case.Y.copy()
    X.flags.writeable = Y.flags.writeable = False
    model, other = case.bound(), case.bound()
    answer = model.test_then_train(X, Y)
    mine, flags = X.copy(), Y.copy()
    scores, labels = other.test_then_train(mine, flags)
    same((X, Y), (mine, flags), "the arrays that it was given")
    same(answer, (scores, labels), "with read-only arrays, and with others")
    mine[:], flags[:], scores[:], labels[:] = 0.5, 0, 9.0, 9
    same_models(case, model, other, "after the arrays have changed")


def _kinds_of_input(case: Case) -> None:
    plain = case.learned().answer_many(case.X)
    X, Y = case.X[:N_LEARNED], case.Y[:N_LEARNED]
    kinds = {f"labels of {dtype.__name__}": (X, Y.astype(dtype)) for dtype in (bool, np.int64, np.float32, object)}
    kinds["arrays in Fortran's order"] = np.asfortranarray(X), np.asfortranarray(Y)
    kinds["tables"] = case.frames(X, Y)
    for kind, (a, b) in kinds.items():
        model = case.bound()
        model.learn_many(a, b)
        same(plain, model.answer_many(case.X), f"learned from {kind}")
    frame = case.frames(case.X, case.Y)[0]
    frame.index = pd.Index(range(7, 7 + case.n))
    scores, labels = model.predict_proba_many(frame), model.predict_many(frame)
    for table in (scores, labels):
        assert list(table.columns) == list(case.schema.labels), "the answer to a table has other columns"
    assert scores.index.equals(frame.index), "the answer to a table has another index"
    plain = model.predict_proba_many(case.X), plain[1]
    same(plain, (scores.to_numpy(), labels.to_numpy().astype(np.uint8)), "asked with a table")


def _sparse_rows(case: Case) -> None:
    if not getattr(case.make(), "takes_sparse", False):
        return
    rng = np.random.default_rng(3)
    X = np.where(rng.random((case.n, 30)) < 0.2, rng.random((case.n, 30)), 0.0)
    Y = (X[:, :3] > 0).astype(np.uint8)
    dense, sparse = case.make(), case.make()
    for start in range(0, case.n, 40):
        part = slice(start, start + 40)
        answer = sparse.test_then_train(scipy.sparse.csr_array(X[part]), Y[part])
        same(dense.test_then_train(X[part], Y[part]), answer, "sparse rows, and the same as an array")
    same(dense.answer_many(X), sparse.answer_many(scipy.sparse.csr_array(X)), "sparse rows, and the same as an array")


def _values_of(tunable: Tunable) -> list[Any]:
    """Return both ends, the middle, and what stands for "never" or "no bound"."""
    if tunable.choices:
        return list(tunable.choices)
    middle = math.sqrt(tunable.low * tunable.high) if tunable.logarithmic else (tunable.low + tunable.high) / 2
    ends = [round(v) if tunable.integer else float(v) for v in (tunable.low, middle, tunable.high)]
    return ends + [math.inf] * tunable.infinite + [None] * tunable.optional


def _tuning(case: Case) -> None:
    model = case.learned()
    refused("tune of a parameter that it has not", model.tune, no_such_parameter=1)
    for tunable in model.tunables:
        name = tunable.name
        before, old = state_of(model), getattr(model, name)
        for value in (math.nan, "no such value", [1], *([] if tunable.choices else [tunable.low - 1])):
            refused(f"tune of {name} to {value!r}", model.tune, **{name: value})
        refused("tune of one that it has and one that it has not", model.tune, **{name: old, "no_such_parameter": 1})
        same(before, state_of(model), f"the state after {name} was tuned in vain")
        for value in _values_of(tunable):
            for each in (case.learned(), case.bound()):
                each.tune(**{name: value})
                now = getattr(each, name)
                assert now == value, f"{name} is {now!r} after it was tuned to {value!r}"
                case.go_on(each)
                answer = each.answer_many(case.X)
                clean(answer, (case.n, case.schema.n_labels))
                if state := state_of(each):
                    same(
                        answer, type(each).from_state(state).answer_many(case.X), f"from a state with {name}={value!r}"
                    )


def _tuned_at_first(case: Case) -> None:
    known = case.make()._get_params()
    for tunable in case.make().tunables:
        for value in _values_of(tunable) if tunable.name in known else ():
            tuned, made = case.bound(), case.make().clone({tunable.name: value}).bind(case.schema)
            tuned.tune(**{tunable.name: value})
            same_models(case, tuned, made, f"{tunable.name} tuned to {value!r} before the first row, and made with it")


def _events(case: Case) -> None:
    model = case.learned()
    for event in model.take_events():
        kind = reported(event)[1]
        assert kind in model.events, f"it reports {kind!r}, which is none of the kinds in its events"
    assert model.take_events() == [], "take_events returns events twice"


def _runs(case: Case) -> None:
    def run() -> Run:
        return Run(ArrayStream(case.X, case.Y, schema=case.schema), {"it": case.make()}, chunk=20)

    straight = run()
    straight.advance()
    # a snapshot after every chunk
    with mock.patch.multiple(time_machine, SPACING_SECONDS=0.0, COST_SHARE=1e12):
        sought = run()
        sought.advance(90)
        for position in (37, 60):
            sought.seek(position)
        sought.fork("it", "its fork")
        sought.advance()
        answer = straight.learner_runs["it"].learner.answer_many(case.X)
        for name, what in (("it", "a run that went back"), ("its fork", "a fork")):
            same(answer, sought.learner_runs[name].learner.answer_many(case.X), f"{what}, and one straight on")
        one, other = (
            each.summary.drop(columns=["seconds", "instances_per_second", "bytes"]).loc["it"]
            for each in (straight, sought)
        )
        assert one.equals(other), "the measures of a run that went back are others"


PROMISES: dict[str, Callable[[Case], None]] = {
    "scores in [0, 1] and labels of 0 and 1": _scores_and_labels,
    "answers before learning": _before_learning,
    "asking changes nothing": _asking,
    "the same seed, the same answers": _determinism,
    "row by row as in chunks": _chunks,
    "test, then train": _test_then_train,
    "states and files": _states,
    "altered states are refused": _altered_states,
    "copies are independent": _copies,
    "missing values": _missing_values,
    "numbers that are tiny or far from all before": _odd_numbers,
    "new features and labels": _new_columns,
    "bad input changes nothing": _bad_input,
    "input is only read": _input_is_read,
    "tables and arrays of every kind": _kinds_of_input,
    "sparse rows as arrays": _sparse_rows,
    "tuning": _tuning,
    "tuned before the first row as made so": _tuned_at_first,
    "events": _events,
    "seeking and forks": _runs,
}
"""What ``check_learner`` checks, by the names that ``except_for`` takes; besides River's and scikit-learn's checks."""
