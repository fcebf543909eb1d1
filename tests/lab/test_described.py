"""Learners as plain values: River's pipelines and trees, and what cannot be described."""

from __future__ import annotations

import json

import pytest
from river import (
    compose,
    feature_extraction,
    linear_model,
    naive_bayes,
    optim,
    preprocessing,
    stats,
    tree,
)

import streamlab as sl
from streamlab.lab.described import describe, is_seeded, make_described
from tests.study.made import study


def made_again(learner):
    """What another process makes of a learner."""
    return make_described(json.loads(json.dumps(describe(learner))), 1).classifier


def test_rivers_pipelines_keep_their_steps_by_name_and_in_order():
    given = compose.Pipeline(
        ("scale", preprocessing.MinMaxScaler()),
        ("both", preprocessing.StandardScaler(with_std=False) + feature_extraction.PolynomialExtender(degree=3)),
        ("answer", linear_model.LogisticRegression(optimizer=optim.Adam(0.2))),
    )
    again = made_again(given)
    assert list(again.steps) == ["scale", "both", "answer"]
    assert list(again["both"].transformers) == ["StandardScaler", "PolynomialExtender"]
    assert (again["both"]["StandardScaler"].with_std, again["both"]["PolynomialExtender"].degree) == (False, 3)
    assert again["answer"].optimizer.lr.learning_rate == 0.2
    assert describe(sl.OnePerLabel(given)) == describe(given)
    assert not is_seeded(describe(given))
    assert is_seeded(describe(preprocessing.StandardScaler() | tree.HoeffdingAdaptiveTreeClassifier()))


@pytest.mark.nightly
def test_different_pipelines_are_different_cells_that_run(tmp_path):
    scaled = {
        "regression": preprocessing.StandardScaler() | linear_model.LogisticRegression(),
        "bayes": preprocessing.StandardScaler() | naive_bayes.GaussianNB(),
    }
    made = study(tmp_path, learners=scaled)
    assert made.cells().key.nunique() == 4
    made.run(1)
    results = made.results().set_index(["learner", "stream"])
    assert set(results.status) == {"done"}
    alone = sl.prequential(
        sl.load(str(tmp_path / "s1.csv"), labels=["label_p", "label_q"]), {"regression": scaled["regression"]},
        chunk=1, measures=["micro_f1"], alarms=None,
    )  # fmt: skip
    assert results.loc[("regression", "s1"), "micro_f1"] == alone.summary.micro_f1["regression"]


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (lambda: compose.Select("a"), r"Select: its parameter \*keys cannot be described"),
        (lambda: preprocessing.StatImputer(("a", stats.Mean())), r"StatImputer: its parameter \*imputers cannot"),
        (lambda: compose.FuncTransformer(lambda x: x), "func is <function"),
    ],
)
def test_what_cannot_be_described_is_refused(first, said):
    with pytest.raises(ValueError, match=said):
        describe(first() | naive_bayes.GaussianNB())


@pytest.mark.parametrize(
    "steps", [[], None, [["a"]], [["a", {"river": "river.stats.mean.Mean"}]], [["a", 3]], {"a": 3}]
)
def test_a_pipelines_description_that_is_none_is_refused(steps):
    part = {"river": "river.compose.pipeline.Pipeline", "steps": steps, "parameters": {}}
    with pytest.raises(ValueError, match=r"description|River's estimators|parameters"):
        make_described({"learner": "OnePerLabel", "parameters": {"classifier": part}}, 1)
