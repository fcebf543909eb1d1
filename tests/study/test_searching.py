"""A search over parameters, as a user runs it: the table, the best, what is refused, and the warning."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.stats import loguniform

import streamlab as sl

TUNED = "its parameters were chosen on the first 300 rows of 'yeast', and it is tested on them again"


@pytest.fixture(scope="module")
def found() -> sl.study.Search:
    grid = {"half_life": [5, 500], "decision": ["half", "expected_f1"]}
    return sl.search(sl.SMART(n_trees=5), "yeast", grid, rows=300, measures=["macro_f1"], workers=2)


def test_the_table_has_every_combination_the_best_first_with_its_prequential_score(found):
    table = found.table
    assert list(table.columns[:5]) == ["rank", "half_life", "decision", "micro_f1", "macro_f1"]
    assert table["rank"].tolist() == [1, 2, 3, 4]
    assert table.micro_f1.is_monotonic_decreasing
    assert set(table.status) == {"done"}
    best = sl.SMART(n_trees=5, seed=1, **found.best_parameters)
    first = sl.join([sl.load("yeast")], 300)
    scored = sl.prequential(first, best, chunk=1, measures=["micro_f1"]).summary.micro_f1.iloc[0]
    assert found.best_score == table.micro_f1[0] == pytest.approx(scored, abs=1e-12)
    html = found._repr_html_()
    assert "<table" in html
    assert "4 combinations on the first 300 rows of yeast, by micro_f1" in html


def test_who_tests_the_best_where_it_was_chosen_is_warned_and_the_rest_is_fair(found, tmp_path):
    found.best.save(tmp_path / "model")
    ways = {
        "itself": found.best, "a clone": found.best.clone({"seed": 2}), "a copy": found.best.copy(),
        "a file": sl.load_model(tmp_path / "model"),
    }  # fmt: skip
    for model in ways.values():
        with pytest.warns(UserWarning, match=TUNED):
            sl.prequential("yeast", {"tuned": model}, n=10)
    with pytest.warns(UserWarning, match=TUNED):
        sl.Run(sl.join([sl.load("yeast")], 200), found.best)
    with pytest.warns(UserWarning, match=f"tuned: {TUNED}"):
        sl.Study(["yeast"], {"tuned": found.best}, results=tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = sl.prequential(found.rest, found.best, n=100)
        sl.prequential("yeast", sl.SMART(**found.best_parameters), n=10)
        sl.prequential("syn-regions", found.best, n=10)
        sl.search(found.best, "yeast", {"n_trees": [2]}, rows=300, workers=1)
    assert found.rest.name == "yeast, from row 300"
    assert len(result.curves) == 1
    whole, rest = sl.load("yeast"), next(found.rest.chunks(50, start=40))
    np.testing.assert_array_equal(rest.X, next(whole.chunks(50, start=340)).X)
    assert found.rest.n_rows == whole.n_rows - 300


def test_a_pipelines_steps_random_draws_and_several_seeds():
    pipe = sl.StandardScaler() | sl.SMART(n_trees=3)
    drawn = {"smart__half_life": loguniform(1, 1000), "smart__height": [3, 9]}
    found, again = (
        sl.search(pipe, "yeast", drawn, n=3, seed=seed, seeds=2, rows=250, measure="hamming_loss", workers=2)
        for seed in (7, 7)
    )
    assert len(found.table) == 3
    assert found.table.smart__half_life.between(1, 1000).all()
    assert found.table.equals(again.table.assign(seconds=found.table.seconds))
    assert found.table.hamming_loss.is_monotonic_increasing, "a loss: the lowest is the best"
    assert (found.table.hamming_loss_std > 0).any()
    assert found.best.smart__height == found.table.smart__height[0]
    with pytest.warns(UserWarning, match="chosen on the first 250 rows"):
        sl.prequential("yeast", found.best, n=10)


def test_what_is_not_allowed_is_refused_by_name_before_anything_runs():
    wrong = {
        r"parameters\['halflife'\]: SMART has no such parameter; did you mean 'half_life'": {"halflife": [1]},
        r"half_life=-1: half_life=-1: expected a number, at least 0.001": {"half_life": [50, -1]},
        r"height=99: height=99: expected a whole number, 1 to 40": {"height": [99]},
        r"decision='most': decision='most': expected 'half'": {"decision": ["most"]},
        r"parameters\['height'\] is 5; expected a list of values": {"height": 5},
        r"parameters=\{\}: expected lists": {},
    }
    for said, parameters in wrong.items():
        with pytest.raises(ValueError, match=said):
            sl.search(sl.SMART(), "yeast", parameters)
    pipe = sl.StandardScaler() | sl.SMART()
    with pytest.raises(ValueError, match="there is no part 'mlknn'; there are: standardscaler, smart"):
        sl.search(pipe, "yeast", {"mlknn__chunk": [1]})


def test_a_search_of_thresholds_by_label_and_of_all_rows():
    grid = {"decision": [{"Class14": 0.01}, 0.3]}
    found = sl.search(sl.MLKNN(), sl.join([sl.load("yeast")], 150), grid, workers=1)
    assert found.best_parameters["decision"] in grid["decision"]
    with pytest.raises(ValueError, match="all rows of the stream were searched; expected rows="):
        found.rest  # noqa: B018
    with pytest.raises(ValueError, match="is a part of a stream already"):
        sl.search(sl.MLKNN(), sl.join([sl.load("yeast")], 150), grid, rows=50)
