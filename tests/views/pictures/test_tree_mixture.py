"""The two answers that nodes of a hedged tree mix: what travels of them, and what the details say."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.views.kit.picture import Budget, Subject
from streamlab.views.pictures.tree import TreePicture
from streamlab.views.pictures.tree.picture import mixture_columns, tree_details, waiting
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
def test_the_leaf_that_splits_next_says_when_and_by_what_rule(run, name):
    learner = run.learner_runs[name].learner
    columns = learner.node_columns()
    told = waiting(learner, columns)
    leaf = int(re.match(r"Leaf (\d+) splits (?:at its next try, )?in about [\d,]+ rows", told["next"])[1])
    assert told["leaf"] == leaf
    ready = columns["readiness"]
    assert ready[columns["id"].tolist().index(leaf)] == np.nanmax(ready[~columns["background"]])
    race = learner.describe_node(leaf)["race"]
    # what decides is the larger of the two that the bound must fall below
    assert ("above" not in told["rule"]) == (race["gap"] <= race["tie"])
    lead, *rest = re.findall(r"\d\.\d+", told["rule"])
    # with one digit more where two would read the same
    figures = [(lead, "gap"), (rest[0], "epsilon"), *([(rest[1], "tie")] if len(rest) > 1 else [])]
    assert all(said in {f"{race[name]:.{digits}f}" for digits in (2, 3)} for said, name in figures)
    assert drawn(run, name).extra["wait"] == told
    assert waiting(learner, {**columns, "readiness": np.full(len(ready), np.nan)}) == {}
    assert waiting(learner, {key: value for key, value in columns.items() if key != "readiness"}) is None


def test_two_figures_that_are_not_equal_do_not_read_as_equal():
    class Told:
        def describe_node(self, node_id):
            race = {"instances_until_split": 90, "second": None, "best": "f1", "gap": 0.1, "tie": 0.5563}
            return {"race": race | {"epsilon": 0.5612 if node_id == 1 else 0.61}}

    columns = {"readiness": np.array([0.5]), "background": np.array([False])}
    rules = [waiting(Told(), {**columns, "id": np.array([leaf])})["rule"] for leaf in (1, 2)]
    assert [re.findall(r"0\.\d+", rule)[1:] for rule in rules] == [["0.561", "0.556"], ["0.61", "0.56"]]


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


def test_a_leaf_that_has_nothing_to_mix_has_no_shares():
    columns = sl.HedgedMLHAT(**HEDGED_QUICK).bind(sl.load("syn-branches").schema).node_columns()
    mixed = mixture_columns(columns | {"regime": np.ones(len(columns["id"]), int)})
    assert list(mixed) == list(MIXED)
    assert all(np.isnan(values).all() for values in mixed.values())


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


def test_the_details_say_it_in_words_with_both_losses(run):
    learner = run.learner_runs["hedged"].learner
    said = set()
    for node in learner.node_columns()["id"].tolist():
        story = learner.describe_node(node)
        text = re.sub("<.*?>", "", tree_details("hedged", story))
        hedge = story["hedge"]
        if hedge is None:
            said.add("none")
            assert "It keeps no regressions of its own" in text
        elif not story["is_leaf"]:
            said.add("branch")
            own = round(100 * hedge["share_own"])
            losses = f"losses {hedge['loss_own']:.2f} and {hedge['loss_below']:.2f}"
            assert f"It trusts itself {own} %, what is below {100 - own} %; {losses}" in text
        elif story["regime"] in ("knn", "bagging"):
            said.add("leaf")
            near = round(100 * hedge["share_neighbours"])
            assert f"It mixes its neighbours, {near} %, with its regressions, {100 - near} %" in text
            assert "asks" not in text
    assert said == {"none", "branch", "leaf"}


def test_a_leaf_of_one_label_set_and_a_plain_tree_say_what_they_said(run):
    learner = run.learner_runs["hedged"].learner
    one = learner.describe_node(int(learner.node_columns()["id"][-1])) | {
        "is_leaf": True,
        "regime": "majority",
        "hedge": {"share_neighbours": 0.5},
    }
    assert "one label set only" in tree_details("hedged", one)
    assert "mixes" not in tree_details("hedged", one)
    plain = run.learner_runs["plain"].learner
    for node in plain.node_columns()["id"].tolist():
        html = tree_details("plain", plain.describe_node(node))
        assert "trusts" not in html
        assert "mixes" not in html


@pytest.mark.parametrize(("epsilon", "how"), [(0.6, "once"), (0.49, "as")])
def test_a_leaf_that_is_sure_enough_waits_for_its_next_try(epsilon, how):
    race = {"instances_until_split": 92, "second": "b", "best": "a", "gap": 0.2, "tie": 0.51, "epsilon": epsilon}
    learner = SimpleNamespace(describe_node=lambda node: {"race": race})
    columns = {"readiness": np.array([0.9]), "background": np.array([False]), "id": np.array([5])}
    said = f"a leads by 0.20: a tie, split {how} the doubt ε of {epsilon:.2f} is below 0.51"
    assert waiting(learner, columns)["rule"] == said


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
