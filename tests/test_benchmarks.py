"""The benchmarks' entry, and that the peers which SMART is compared with do the same work."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import house
from benchmarks.__main__ import BENCHMARKS
from benchmarks.harness import CHUNK, MACHINE_MADE, ROOT, figures, with_tables
from benchmarks.peers import DenseTrees, Neighbours
from benchmarks.speed import read_and_write
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


@pytest.mark.parametrize("page", PAGES)
def test_the_tables_of_a_page_are_those_of_what_is_kept(page):
    assert written(page) == (ROOT / page).read_text(encoding="utf-8"), "python -m benchmarks study_tables"
