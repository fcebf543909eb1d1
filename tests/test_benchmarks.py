"""The benchmarks' entry, and that the peers which SMART is compared with do the same work."""

from __future__ import annotations

import importlib
import platform

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from benchmarks import growth, house, kept
from benchmarks.__main__ import BENCHMARKS
from benchmarks.harness import CHUNK, MACHINE_MADE, MISSING, ROOT, Results, figure, figures, mean, with_tables
from benchmarks.peers import DenseTrees, Neighbours
from benchmarks.speed import read_and_write
from benchmarks.study_sets import NEW, SETS, sources
from benchmarks.study_tables import PAGES, written
from docs.figures.__main__ import FIGURES
from streamlab.learners import MLHAT, SMART
from streamlab.learners.smart._kernels import COUNTS, SEEN
from streamlab.measures import Counts, evaluate
from tests.fuzz.__main__ import TRIALS
from tests.learners.generated import generated, schema_of

COMMANDS = (BENCHMARKS, FIGURES, TRIALS)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.package)
def test_every_name_is_listed_with_its_purpose(command, capsys):
    assert all(command.available().values())
    assert command([]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in command.available())


def test_trips_through_the_house_are_short():
    """Calls and files that may be touched, at most; the figures themselves: ``python -m benchmarks house``."""
    most = {"a chunk of SMART in a run": (180, 36), "its half-life changed": (60, 15), "a seek": (2000, 64)}
    found = {trip: (calls, files) for trip, calls, _, files in house.trips()}
    assert found.keys() == most.keys()
    assert {trip: each for trip, each in found.items() if each[0] > most[trip][0] or each[1] > most[trip][1]} == {}


@pytest.mark.parametrize(("command", "name"), [(each, name) for each in COMMANDS for name in each.available()])
def test_each_tells_its_options(command, name, capsys):
    with pytest.raises(SystemExit) as ended:
        command.loaded(name)(["--help"])
    assert ended.value.code == 0
    assert f"{command.package} {name}" in capsys.readouterr().out


def test_tables_are_put_into_the_machine_made_part_of_a_page():
    page = with_tables("# By hand\n\n## smart\n\nkept\n", "smart", ["one"])
    page = with_tables(page, "arff", ["two", "three"])
    page = with_tables(page, "smart", ["four"])
    made = f"{MACHINE_MADE}\n\n## arff\n\ntwo\n\nthree\n\n## smart\n\nfour\n"
    assert page == f"# By hand\n\n## smart\n\nkept\n\n{made}"


def test_an_unknown_benchmark_is_refused(capsys):
    assert BENCHMARKS(["smart", "nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().out


def test_dense_trees_answer_as_smart_does():
    schema = schema_of(5, 3, n_labels=6)
    X, Y = generated(schema, 2000, seed=40)
    peer = DenseTrees(schema, seed=3, n_trees=4, height=6)
    peer.half_life = 5.0
    model = SMART(n_trees=4, height=6, half_life=5.0, seed=3).bind(schema)
    for start in range(0, 2000, 100):
        piece = slice(start, start + 100)
        scores, labels = model.test_then_train(X[piece], Y[piece])
        peer_scores, peer_labels = peer.test_then_train(X[piece], Y[piece])
        np.testing.assert_allclose(scores, peer_scores, rtol=1e-9, atol=1e-11)
        assert (labels != peer_labels).mean() < 1e-3


def test_reads_and_writes_alone_go_the_ways_of_smart():
    schema = schema_of(5, 3, n_labels=6)
    X, Y = generated(schema, CHUNK, seed=40)
    X = np.nan_to_num(X)
    model = SMART(n_trees=4, height=6, half_life=np.inf, seed=3).bind(schema)
    model.learn_many(X, Y)
    before = model._sums.copy()
    path, sums = np.zeros((CHUNK, 4, 6), np.uint32), before.copy()
    arrays = model._roots, model._nodes, model._nodes.view(np.float64), sums, path
    read_and_write(X, Y, True, *arrays, np.zeros(Y.shape), np.zeros(Y.shape, np.uint8))
    np.testing.assert_array_equal(path, model._find_paths(X, np.zeros(CHUNK, bool), model._empty))
    model.learn_many(X, Y)
    kept = [SEEN, *range(COUNTS, sums.shape[1])]
    np.testing.assert_array_equal((sums - before)[:, kept], (model._sums - before)[:, kept])


@pytest.mark.parametrize("window", [20, 100])
def test_neighbours_answer_as_river_s_do(window):
    from river.neighbors import KNNClassifier, LazySearch

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


def test_results_go_on_in_a_file_of_fewer_fields(tmp_path):
    path = tmp_path / "kept.csv"
    path.write_text("stream,learner,seed,f1\nyeast,MLHAT,1,0.5\n")
    results = Results(path, ("stream", "learner", "seed"), ("f1", "brier_loss"))
    assert results.holds("yeast", "MLHAT", 1)
    assert not results.holds("yeast", "MLHAT", 2)
    results.add({"stream": "yeast", "learner": "MLHAT", "seed": 2, "f1": 0.75, "brier_loss": 0.25})
    results.add({"stream": "yeast", "learner": "MLHAT", "seed": 3, "f1": 1.0, "brier_loss": 0.75, "further": 1})
    again = Results(path, ("stream", "learner", "seed"), ("f1", "brier_loss"))
    assert [(row["seed"], row["f1"]) for row in again.rows] == [(1, 0.5), (2, 0.75), (3, 1.0)]
    assert (mean(again.rows, "f1"), mean(again.rows, "brier_loss")) == (0.75, 0.5)
    assert figure(again.rows[0]["brier_loss"]) == MISSING


def test_the_figures_of_both_rules_are_those_of_two_runs():
    schema = schema_of(5, 0, n_labels=4)
    X, Y = generated(schema, 1500, seed=2)
    runs = {rule: MLHAT(seed=1, decision=rule).bind(schema).test_then_train(X, Y) for rule in ("half", "cardinality")}
    found = figures(Y, runs["half"][1], runs["half"][0], decides=True)
    for rule, prefix in (("half", ""), ("cardinality", "cardinality_")):
        counts = Counts.zeros(4).count(Y, runs[rule][1])
        expected = evaluate(counts, ("example_f1", "micro_f1", "hamming_loss"))
        assert [found[f"{prefix}{name}"] for name in ("f1", "micro_f1", "hamming_loss")] == list(expected.values())
    assert found["f1"] != found["cardinality_f1"]
    assert np.isnan(figures(Y, *runs["half"][::-1], decides=False)["cardinality_f1"])


@pytest.fixture
def few_rows(monkeypatch):
    shards = importlib.import_module("benchmarks.shards")
    schema = schema_of(5, 0, n_labels=4)
    X, Y = generated(schema, 2000, seed=5)
    monkeypatch.setattr(shards, "read", lambda name: (schema, X, Y))
    return shards, schema, X, Y


def test_one_shard_is_one_learner(few_rows):
    shards, schema, X, Y = few_rows
    (found,) = shards.measured("any", "HoeffdingTrees", 1, seed=3)
    model = shards.LEARNERS["HoeffdingTrees"](3).bind(schema)
    labels = []
    for start in range(0, 2000, 100):
        piece = slice(start, start + 100)
        labels.append(model.predict_many(X[piece]))
        if start < 1600:
            model.learn_many(X[piece], Y[piece])
    for where, rows in (("online", slice(0, 1600)), ("held", slice(1600, 2000))):
        counts = Counts.zeros(4).count(Y[rows], np.concatenate(labels)[rows])
        assert found[f"{where}_f1"] == evaluate(counts, ["example_f1"])["example_f1"]


@pytest.mark.parametrize("name", ["SMART", "SMART, never forgets"])
def test_shards_of_smart_add_up_to_one_and_their_votes_do_not(few_rows, name):
    shards, *_ = few_rows
    held = [f"held_{each}" for each in shards.MEASURES]
    alone, _ = shards.measured("any", name, 1, seed=3)
    voting, added = shards.measured("any", name, 8, seed=3)
    assert added["learner"] == name + shards.ADDED
    assert [added[each] for each in held] == pytest.approx([alone[each] for each in held], rel=1e-9)
    assert voting["held_brier_loss"] != pytest.approx(alone["held_brier_loss"], rel=1e-4)
    assert np.isnan(added["online_f1"])


@pytest.mark.nightly
def test_learn_in_shards_is_compared_with_one_learner_on_rows_held_out(monkeypatch):
    import streamlab as sl

    shards = importlib.import_module("benchmarks.shards")
    stream = sl.load("yeast")
    chunk = next(stream.chunks(stream.n_rows))
    monkeypatch.setattr(shards, "opened", lambda name: [stream])
    monkeypatch.setattr(shards, "read", lambda name: (stream.schema, chunk.X, chunk.Y))
    assert shards.exact("yeast", 3, seed=1, n_rows=1000) < 1e-9


@pytest.mark.parametrize("page", PAGES)
def test_the_tables_of_a_page_are_those_of_what_is_kept(page):
    assert written(page) == (ROOT / page).read_text(encoding="utf-8"), "python -m benchmarks study_tables"


def test_what_is_kept_anew_takes_the_place_of_the_same_cell(tmp_path, monkeypatch):
    path = tmp_path / "kept.parquet"
    monkeypatch.setitem(kept.KEYS, path, ["learner", "seed"])
    first = pd.DataFrame({"learner": ["a", "a", "b"], "seed": [1, 2, None], "f1": [0.1, 0.2, 0.3]})
    kept.keep(first.astype({"seed": "Int64"}), path)
    kept.keep(
        pd.DataFrame({"learner": ["b"], "seed": [None], "f1": [0.5], "more": [1]}).astype({"seed": "Int64"}), path
    )
    found = kept.read(path)
    assert found.f1.tolist() == [0.1, 0.2, 0.5]
    assert not any(platform.node() in str(value) for value in (kept.machine(), *kept.read(kept.STUDY).machine.unique()))


def test_a_slope_is_the_exponent_over_the_largest_sizes():
    sizes = [10, 100, 1000, 10_000]
    assert growth.slope([1, *sizes], [50.0, *(0.003 * size**1.5 for size in sizes)]) == pytest.approx(1.5)
    assert np.isnan(growth.slope([1, 10], [1.0, 2.0]))


@pytest.mark.parametrize("axis", growth.AXES)
def test_a_curve_has_the_sizes_that_end_in_time(axis):
    sizes = [200, 400]
    found = list(growth.measured("SMART", axis, 60.0, sizes))
    assert [row["size"] for row in found] == ["200", "400"]
    assert all(row["us"] > 0 and row["bytes"] > 0 for row in found)
    assert list(growth.measured("SMART", axis, 1e-6, sizes)) == []


@pytest.mark.parametrize("has_tree", [False, True])
def test_topics_are_rows_of_their_schema(has_tree):
    rows = growth.Topics(n_labels=120, has_tree=has_tree)
    X, Y = next(rows.chunks())
    model = (sl.HierarchicalKNN() if has_tree else sl.MajorityLabels()).bind(rows.schema)
    model.learn_many(X, Y)  # refuses what contradicts the schema
    assert (Y.sum(axis=1).max() == rows.schema.tree.n_levels) if has_tree else (Y.sum(axis=1) >= 1).all()


def test_sets_of_the_study_that_cannot_be_had_are_named_and_left_out(tmp_path, monkeypatch, capsys):
    def refuse(name):
        raise ConnectionError(f"{name}: no network")

    monkeypatch.setattr(sl, "load", refuse)
    assert list(sources(folder=tmp_path)) == ["movies", *NEW]
    told = capsys.readouterr().out
    assert [name for name in SETS if name not in told] == ["movies"]


def test_sets_of_the_study_come_from_the_catalogue_where_their_files_are_not(tmp_path, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(sl, "load", asked.append)
    found = sources(["scene", "tmc", "yeast"], tmp_path)
    assert found == {"yeast": {}, "scene": {"files": ["scene_training", "scene_test"]}}
    assert asked == ["yeast", "scene_training", "scene_test"]
    assert "tmc" in capsys.readouterr().out
