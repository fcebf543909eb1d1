"""The two answers that nodes of a hedged tree mix: what travels of them, and what the details say."""

from __future__ import annotations

import re

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.views.kit.picture import Budget, Subject
from streamlab.views.kit.text import roughly
from streamlab.views.pictures.tree import TreePicture
from streamlab.views.pictures.tree.picture import waiting
from tests.learners.mlhat.streams import HEDGED_QUICK
from tests.views.wire import received

MIXED = ("share_first", "loss_first", "loss_second")


def run_of(**learners: sl.Learner) -> Run:
    made = Run(sl.load("syn-branches", seed=1), learners, alarms=None)
    made.advance(3000)
    return made


@pytest.fixture(scope="module")
def run():
    # kept_levels: some branches give up their regressions
    return run_of(
        hedged=sl.HedgedMLHAT(**HEDGED_QUICK | {"tau": 0.3}, kept_levels=1),
        plain=sl.MLHAT(seed=1),
        early=sl.HedgedMLHAT(seed=1),
    )


def drawn(run: Run, name: str):
    return TreePicture().columns(Subject(name, run.learner_runs[name].learner, run), None, Budget())


@pytest.mark.parametrize("name", ["plain", "early"])
def test_the_leaf_that_splits_next_says_when(run, name):
    learner = run.learner_runs[name].learner
    columns = learner.node_columns()
    told = waiting(learner, columns)
    ready, place = columns["readiness"], columns["id"].tolist().index(told["leaf"])
    assert ready[place] == np.nanmax(ready[~columns["background"]])
    rows = int(re.search(r"([\d,]+) rows", told["next"])[1].replace(",", ""))
    assert rows == roughly(learner.describe_node(told["leaf"])["race"]["instances_until_split"])
    assert drawn(run, name).extra["wait"] == told
    assert drawn(run, name).extra["hue"] == list(run.learner_runs).index(name)
    assert waiting(learner, {**columns, "readiness": np.full(len(ready), np.nan)}) == {}
    assert waiting(learner, {key: value for key, value in columns.items() if key != "readiness"}) is None


def test_a_leaf_shows_how_often_it_errs_lately(run):
    learner, columns = run.learner_runs["plain"].learner, drawn(run, "plain").columns
    duels = set(columns["competes_with"].tolist())
    for place in np.flatnonzero(columns["is_leaf"] & ~columns["background"]).tolist():
        story = learner.describe_node(int(columns["id"][place]))
        latest = story["error_history"][-4:]
        expected = story["error"] if story["id"] in duels or not latest else np.mean(latest)
        assert columns["error"][place] == pytest.approx(expected)


def test_each_node_has_its_own_two_answers(run):
    columns = drawn(run, "hedged").columns
    leaf, keeps = columns["is_leaf"], columns["keeps_regressions"]
    answers = np.isin(columns["regime"], (2, 3))
    assert keeps.any()
    assert (~leaf & ~keeps).any()
    assert answers.any()
    for mine, of_branch, of_leaf in (
        ("share_first", "share_own", "share_neighbours"),
        ("loss_first", "loss_own", "loss_neighbours"),
        ("loss_second", "loss_below", "loss_regressions"),
    ):
        np.testing.assert_array_equal(columns[mine][keeps], columns[of_branch][keeps])
        np.testing.assert_array_equal(columns[mine][answers], columns[of_leaf][answers])
        assert not np.isnan(columns[mine][keeps | answers]).any()
        assert np.isnan(columns[mine][~keeps & ~answers]).all()


def test_what_is_mixed_travels_and_of_a_plain_tree_nothing_more_than_before(run):
    view = TreePicture().view(run.stream.schema)
    view.show(drawn(run, "plain"))
    assert not set(MIXED) & set(received(view))
    view.show(drawn(run, "hedged"))
    hedged, columns = received(view), drawn(run, "hedged").columns
    place = {node: i for i, node in enumerate(columns["id"].tolist())}
    rows = [place[node] for node in hedged["id"].tolist()]
    for name in MIXED:
        np.testing.assert_array_equal(hedged[name], columns[name][rows].astype("f4"))
    view.show(drawn(run, "plain"))
    assert not set(MIXED) & set(received(view))
    # folding chooses again among what was kept
    view.show(drawn(run, "hedged"))
    view.collapsed = [0]
    assert received(view)["share_first"][0] == hedged["share_first"][0]


def test_the_nodes_that_answered_the_latest_row_have_all_of_the_answer(run):
    for name in ("hedged", "plain", "early"):
        way = drawn(run, name).extra["way"]
        learner = run.learner_runs[name].learner
        columns = {key: values.tolist() for key, values in learner.node_columns().items()}
        assert sum(share for _, share in way) == pytest.approx(1)
        # the tree's own leaf first; of a tree without alternates and without mixing it answers alone
        leaf = columns["id"].index(way[0][0])
        assert columns["is_leaf"][leaf]
        assert not columns["background"][leaf]
        assert name != "plain" or any(columns["background"]) or way == [[way[0][0], 1.0]]
        assert learner.describe_node(way[0][0])["last_rows"][-1] == run.position - 1
