"""What the picture of a council sends and says, and the pictures of its members, without a browser."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_array

import streamlab as sl
from streamlab.lab.events import Event
from streamlab.streams import ArrayStream
from streamlab.views.kit.picture import Budget, Drawn, Subject, fitting, subject_of
from streamlab.views.page.picture_panel import PicturePanel
from streamlab.views.page.reading import read
from streamlab.views.pictures.council import CouncilPicture
from streamlab.views.pictures.council.picture import CouncilView, expert_details, id_of
from streamlab.views.pictures.forest import ForestPicture
from streamlab.views.pictures.tree import TreePicture
from streamlab.views.recording import record
from streamlab.views.timeline.bands import COLOURS, styles_of
from tests.views import wire
from tests.views.wire import unpack


class Failing(sl.NoChange):
    """Fails once it has been told 300 rows."""

    told = 0

    def _scores_row_by_row(self, X, Y, missing):
        self.told += len(X)
        if self.told > 300:
            raise RuntimeError("the wire broke")
        return super()._scores_row_by_row(X, Y, missing)


def council(**given) -> sl.Council:
    experts = {"forest": sl.SMART(n_trees=2, seed=1), "last": sl.NoChange(), "tree": sl.MLHAT(seed=1)}
    return sl.Council(experts | given.pop("more", {}), **given)


def ran(rows: int = 1400, **given) -> sl.Run:
    run = sl.Run("yeast-rotated", {"it": council(**given), "alone": sl.SMART(n_trees=2, seed=1)}, chunk=100)
    run.advance(rows)
    return run


@pytest.fixture(scope="module")
def run() -> sl.Run:
    return ran()


drawn_of = partial(wire.drawn_of, CouncilPicture())


def sent(view: CouncilView, drawn: Drawn) -> dict[str, np.ndarray]:
    view.show(drawn)
    return unpack(view._frame["spec"], view._frame["buffer"])


def test_the_trust_is_drawn_with_its_drift_its_labels_and_who_said_what(run):
    learner, view = run.learner_runs["it"].learner, CouncilPicture().view(run.stream.schema)
    columns = sent(view, drawn_of(run))
    assert view._frame["names"] == ["forest", "last", "tree"]
    assert view._frame["drifts"] == [{"row": 1200, "number": 1}]
    assert columns["noted"][0] == 10
    assert columns["noted"][-1] == 1400
    np.testing.assert_allclose(columns["values"].reshape(-1, 3)[-1], learner.node_columns()["trust"][1:], atol=1e-6)
    np.testing.assert_allclose([columns["before"], columns["lately"]], learner.f1_around(200), atol=1e-6)
    spread = np.ptp(learner.own_trust()[1:], axis=0)
    assert columns["label"].tolist() == np.argsort(-spread, kind="stable").tolist()
    np.testing.assert_allclose(columns["own"].reshape(14, 3).T, learner.own_trust()[1:, columns["label"]], atol=1e-6)
    said = learner.expert_answers()
    np.testing.assert_allclose(columns["score"].reshape(14, 3).T, said["scores"][:, columns["label"]], atol=0.003)
    np.testing.assert_allclose(columns["adds"].reshape(14, 3).T, said["adds"][1:-1, columns["label"]], atol=1e-5)
    assert set(columns["label"][columns["carried"]]) == set(np.flatnonzero(run.last[1]))
    # the council's own is what was scored: it knows the row by now
    each = run.learner_runs["it"]
    assert set(columns["label"][columns["answered"]]) == set(np.flatnonzero(each.last_labels))
    np.testing.assert_allclose(columns["probability"], each.last_scores[columns["label"]], atol=1e-6)
    assert view._frame["has_learned"]
    # the labels that were answered are those of the highest scores
    is_above = each.last_scores > view._frame["threshold"]
    np.testing.assert_array_equal(is_above, each.last_labels)
    assert view._frame["words"] == ["random trees that forget", "repeats the last row", ""]
    # before it learned the row NoChange said the labels of the one before
    before = next(sl.load("yeast-rotated").chunks(1399)).Y[-1]
    np.testing.assert_array_equal(columns["score"].reshape(14, 3)[:, 1], before[columns["label"]])


def test_with_nothing_learned_there_is_nothing_to_draw():
    assert np.isnan(drawn_of(ran(100)).columns["before"]).all(), "there was no drift"
    columns = sent(CouncilView(), drawn_of(ran(0)))
    assert len(columns["id"]) == len(columns["label"]) == len(columns["noted"]) == 0


def test_many_labels_stay_within_the_budget_with_those_of_the_row_and_sparse_rows_are_read():
    rng = np.random.default_rng(1)
    X = csr_array(rng.random((60, 5)) * (rng.random((60, 5)) > 0.5))
    Y = (rng.random((60, 500)) < 0.05).astype(np.uint8)
    run = sl.Run(ArrayStream(X, Y), {"it": sl.Council([sl.NoChange(), sl.MajorityLabels()])}, chunk=20)
    run.advance(60)
    whole = drawn_of(run)
    view = CouncilView()
    assert len(sent(view, whole)["label"]) == 500
    few = drawn_of(run, budget=Budget(bytes=10_000))
    columns = sent(view, few)
    assert len(view._frame["buffer"]) < 10_000
    assert 0 < len(columns["label"]) < 500
    assert set(np.flatnonzero(run.last[1])) <= set(columns["label"].tolist())


def test_who_left_is_told_and_the_others_keep_their_ids():
    run = ran(400, more={"weak": Failing(), "twin": sl.SMART(n_trees=2, seed=1)}, on_failure="leave")
    drawn = drawn_of(run, id_of("twin"))
    assert drawn.extra["left"] == [{"row": 300, "name": "weak"}]
    assert drawn.columns["id"].tolist() == [id_of(name) for name in ("forest", "last", "tree", "twin")]
    assert drawn.story["name"] == "twin"
    gone = drawn_of(run, id_of("weak"))
    assert gone.story is None
    happened = [event for event in run.log if id_of("weak") in CouncilPicture().parts_of(event)]
    note = CouncilPicture().note("it", id_of("weak"), None, run.stream.schema, happened)
    assert "Row 300: weak failed and left: RuntimeError: the wire broke." in note


def test_the_note_says_place_labels_and_since_when(run):
    note, happened = CouncilPicture().note, [event for event in run.log if event.kind == "trusted most"]
    story = drawn_of(run, id_of("last")).story
    text = note("it", id_of("last"), story, run.stream.schema, [])
    assert "of 3" in text
    assert "more for" in text
    assert happened, "another expert comes to be trusted most"
    leader = happened[-1].detail["expert"]
    mine = [event for event in happened if event.detail["expert"] == leader]
    text = note("it", id_of(leader), drawn_of(run, id_of(leader)).story, run.stream.schema, mine)
    assert f"since row {mine[-1].position:,}" in text
    assert "<b>" not in expert_details("<b>", story | {"name": "<b>", "more": [("<b>", 0.1)]}, [])


def test_what_does_not_fit_is_named(run):
    drawn = drawn_of(run)
    with pytest.raises(ValueError, match=r"extra: votes: .*score"):
        CouncilView().show(Drawn("it", 1, drawn.columns, {**drawn.extra, "votes": {"adds": np.zeros(3)}}))


# ---------------------------------------------------------------------- members


def test_members_have_their_own_pictures(run):
    assert fitting(ForestPicture(), run) == ["alone", "it: forest"]
    assert fitting(TreePicture(), run) == ["it: tree"]
    member = read(ForestPicture(), ("it: forest",), None, run).drawn
    assert member.subject == "it: forest"
    forest = run.learner_runs["it"].learner.members["forest"]
    drawn = ForestPicture().columns(Subject("any", forest, run), None, Budget())
    np.testing.assert_array_equal(member.columns["id"], drawn.columns["id"])
    tree = read(TreePicture(), ("it: tree",), None, run).drawn
    assert tree.subject == "it: tree", "its colour is that of its council's curve"
    assert COLOURS[tree.extra["hue"]] == styles_of(run.learner_runs)["it"][0]
    assert subject_of("it: nobody", run) is None
    assert "is not in the run here" in read(TreePicture(), ("it: nobody",), None, run).message


def test_what_a_member_reports_is_its_own_in_its_picture(run):
    panel = PicturePanel(TreePicture(), run, ["it: tree"], changed=lambda _: None, chosen=lambda _: None)
    events = [
        Event(40, "it", "expert", "tree: node 0 split", {"expert": "tree", "told": "split", "node": 0}, 3),
        Event(41, "it", "expert", "forest: something", {"expert": "forest", "told": "split", "node": 0}, 4),
        Event(42, "it", "left", "tree left", {"expert": "tree"}, 5),
        Event(43, "it", "expert", "odd", {"expert": "tree", "told": ["split"]}, 6),
    ]
    panel.add(events)
    assert [(each.kind, each.message, each.number) for each in panel._happened["it: tree"]] == [
        ("split", "node 0 split", 3)
    ]


def test_members_are_recorded_and_looked_back_at():
    run = ran(0)
    log = record(run, 200, entries=3)
    assert {"picture forest of it: forest", "picture forest of alone", "picture council of it"} <= set(
        log.entries[-1].readings
    )
