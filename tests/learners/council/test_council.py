"""The council: its formulas by hand, its experts, failures, states, and what it says of itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

import streamlab as sl
from streamlab.learners.base._decisions import choose_expected_f1


class Failing(sl.NoChange):
    """Raises an error when it learns its 150th row."""

    def _learn(self, X, Y, missing):
        self._learned = getattr(self, "_learned", 0) + len(X)
        if self._learned >= 150:
            raise OverflowError("150 rows are too many")
        super()._learn(X, Y, missing)


def rows(n: int = 400) -> tuple[np.ndarray, np.ndarray]:
    chunk = next(sl.load("yeast-rotated").chunks(n))
    return chunk.X, chunk.Y


def made(**given) -> sl.Council:
    return sl.Council([sl.SMART(warm_up=10, seed=1), sl.ARkNN(window=60), sl.NoChange()], **given)


def said_alone(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """What the experts of ``made`` say of each row before they learn it."""
    return np.array(
        [
            np.concatenate([expert.test_then_train(X[i : i + 1], Y[i : i + 1])[0] for i in range(len(X))])
            for expert in made().experts.values()
        ]
    )


def f1_of_labels(answers: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The F1 of each row's labels, by expert: (rows, experts)."""
    return np.array(
        [2 * (each & Y).sum(axis=1) / np.maximum(each.sum(axis=1) + Y.sum(axis=1), 1) for each in answers]
    ).T


class Column(sl.NoChange):
    """Says of two labels, of which each row has one, what a column of the row says of the first."""

    column: int

    def _scores_row_by_row(self, X, Y, missing):
        return np.column_stack([X[:, self.column], 1 - X[:, self.column]])


def stacked(scores: np.ndarray, Y: np.ndarray, fading: float) -> np.ndarray:
    """The probabilities, as the docstring's formulas say them."""
    n_experts, n, n_labels = scores.shape
    v, b = np.array([0.0, *[1 / n_experts] * n_experts]), 0.0
    d, bl = np.zeros((n_experts + 1, n_labels)), np.zeros(n_labels)
    v_squares, b_squares = np.full(n_experts + 1, 0.01), 1.0
    d_squares, bl_squares = np.ones_like(d), np.ones(n_labels)
    f, seen, out = np.zeros(n_labels), 0.0, []
    for t in range(n):
        share = (f + 0.1) / (seen + 1)
        with np.errstate(divide="ignore"):
            z = np.clip(np.log(scores[:, t] / (1 - scores[:, t])), -4, 4)
        z = np.vstack([np.log(share / (1 - share)), z])
        p = 1 / (1 + np.exp(-(b + bl + ((v[:, None] + d) * z).sum(axis=0))))
        out.append(p)
        g = p - Y[t]
        d_squares = np.maximum(fading * d_squares, 1) + (g * z) ** 2
        d = d - 0.02 * g * z / np.sqrt(d_squares)
        bl_squares = np.maximum(fading * bl_squares, 1) + g**2
        bl = bl - 0.02 * g / np.sqrt(bl_squares)
        v_squares = np.maximum(fading * v_squares, 0.01) + (g * z).sum(axis=1) ** 2
        v = v - 0.05 * (g * z).sum(axis=1) / np.sqrt(v_squares)
        b_squares = max(fading * b_squares, 1) + g.sum() ** 2
        b -= 0.05 * g.sum() / math.sqrt(b_squares)
        f, seen = fading * f + Y[t], fading * seen + 1
    return np.array(out)


@pytest.mark.parametrize("fading", [0.99, 1.0])
def test_its_answer_is_that_of_the_formulas(fading):
    X, Y = rows(300)
    scores, labels = made(fading=fading).test_then_train(X, Y)
    np.testing.assert_allclose(scores, stacked(said_alone(X, Y), Y, fading), rtol=1e-9, atol=1e-12)
    chosen = np.zeros(Y.shape, np.uint8)
    choose_expected_f1(scores, True, chosen)
    np.testing.assert_array_equal(labels, chosen)


def test_late_labels_judge_what_experts_said_when_the_row_was_answered():
    X, Y = rows(200)
    late, learned = 40, 160
    judged = said_alone(X, Y)
    for place, expert in enumerate(made().experts.values()):
        # a row's answer knows all rows but the latest 40; what is said before anything is learned judges nobody
        for i in range(late + 1, learned):
            expert.learn_many(X[i - late - 1 : i - late], Y[i - late - 1 : i - late])
            judged[place, i] = expert.answer_many(X[i : i + 1])[0][0]
    run = sl.Run(sl.delay_labels(sl.load("yeast-rotated"), late), {"it": made(fading=0.99)}, chunk=25)
    run.advance(200)
    # what was said goes back and on with the run
    run.seek(100)
    run.advance(100)
    found, _ = run._learners.learner("it").answer_many(X[learned : learned + 1])
    np.testing.assert_allclose(found[0], stacked(judged, Y, 0.99)[learned], rtol=1e-9, atol=1e-12)


def test_labels_come_late_also_after_an_expert_has_left():
    council = sl.Council([sl.SMART(warm_up=10, seed=1), Failing(), sl.NoChange()], on_failure="leave")
    run = sl.Run(sl.delay_labels(sl.load("yeast-rotated"), (20, 60), seed=1), {"it": council}, chunk=25)
    run.advance(400)
    assert list(run._learners.learner("it").experts) == ["SMART", "NoChange"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: sl.MLBELS(chunk=20, n_windows=4, seed=1),
        lambda: sl.MLKNN(chunk=30),
        lambda: sl.BalancedKNN(window=30, chunk=40),
        lambda: sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN(window=30),
        lambda: sl.StandardScaler() | sl.SMART(seed=1),
        lambda: sl.SMART(warm_up=10, seed=1),
        # weights that grow so fast that the landmark moves, and paths for which there is soon no room
        lambda: sl.SMART(warm_up=10, half_life=0.1, height=9, seed=1),
    ],
)
def test_experts_that_answer_whole_chunks_are_asked_row_by_row(make):
    X, Y = rows(170)
    X[::9, 4] = np.nan
    one, other = make(), make()
    alone = np.concatenate([one.test_then_train(X[i : i + 1], Y[i : i + 1])[0] for i in range(len(X))])
    other.bind(one.schema)
    parts = [other._scores_row_by_row(X[i], Y[i], np.isnan(X[i]).any(axis=1)) for i in (slice(60), slice(60, None))]
    np.testing.assert_array_equal(np.concatenate(parts), alone)


def test_an_expert_that_fails_is_named_and_the_others_go_on():
    X, Y = rows()
    model = sl.Council([sl.SMART(warm_up=10, seed=1), Failing(), sl.ARkNN(window=60)])
    model.learn_many(X[:100], Y[:100])
    with pytest.raises(RuntimeError, match=r"the expert 'Failing' failed: OverflowError: 150 .* \(after 200 rows\)"):
        model.learn_many(X[100:200], Y[100:200])
    assert list(model.experts) == ["SMART", "ARkNN"]
    scores, _ = model.test_then_train(X[200:], Y[200:])
    assert np.isfinite(scores).all()
    told = sl.Council([sl.SMART(warm_up=10, seed=1), Failing(), sl.ARkNN(window=60)], on_failure="leave")
    told.learn_many(X[:100], Y[:100])
    told.learn_many(X[100:200], Y[100:200])
    (left,) = [event for event in told.take_events() if event["kind"] == "left"]
    assert left["expert"] == "Failing"
    assert "150 rows are too many" in left["message"]
    np.testing.assert_array_equal(told.test_then_train(X[200:], Y[200:])[0], scores)
    assert told.trust_history()["values"].shape[1] == 3


def test_when_all_fail_none_leaves():
    X, Y = rows(160)
    model = sl.Council([Failing()])
    with pytest.raises(RuntimeError, match="all experts of the council failed; the expert 'Failing'"):
        model.learn_many(X, Y)
    assert list(model.experts) == ["Failing"]


def test_it_is_tuned_by_its_experts_names_also_mid_stream():
    X, Y = rows()
    model = made()
    model.learn_many(X[:100], Y[:100])
    model.tune(SMART__half_life=20, fading=0.99)
    assert model.experts["SMART"].half_life == model.SMART__half_life == 20
    model.learn_many(X[100:], Y[100:])
    other = made()
    other.learn_many(X, Y)
    assert (model._shared != other._shared).any()
    with pytest.raises(ValueError, match="no tunable parameter 'MLHAT__tau'"):
        model.tune(MLHAT__tau=1)


def test_what_each_adds_sums_to_the_answer():
    X, Y = rows()
    model = made()
    model.learn_many(X[:300], Y[:300])
    said = model.expert_answers(X[300])
    assert said["names"] == ["label frequency", "SMART", "ARkNN", "NoChange", "bias"]
    scores, labels = model.answer_many(X[300:301])
    np.testing.assert_allclose(1 / (1 + np.exp(-said["adds"].sum(axis=0))), scores[0], rtol=1e-12)
    np.testing.assert_array_equal(said["labels"], labels[0])
    # of the latest row it is kept, as the experts have learned it since
    model.learn_many(X[300:301], Y[300:301])
    np.testing.assert_array_equal(model.expert_answers()["scores"], said["scores"])
    assert (model.expert_answers(X[300])["scores"] != said["scores"]).any()
    np.testing.assert_array_equal(model.copy().expert_answers()["scores"], said["scores"])
    with pytest.raises(ValueError, match="no row has been learned"):
        made().bind(model.schema).expert_answers()
    story = model.describe_node(1)
    assert (story["name"], story["of"]) == ("SMART", 3)
    assert [name for name, _ in story["more"]] == [model.schema.labels[j] for j in np.argsort(-model._own[1])[:3]]


def test_how_well_each_expert_answered_before_a_row_and_lately_is_told():
    X, Y = rows(700)
    said, model = said_alone(X, Y), made()
    f1 = f1_of_labels((said >= 0.3).astype(np.uint8), Y)
    for start in range(0, 700, 35):
        model.learn_many(X[start : start + 35], Y[start : start + 35])
    np.testing.assert_allclose(model.f1_around(300), [f1[200:400].mean(axis=0), f1[500:].mean(axis=0)])
    np.testing.assert_allclose(model.f1_around(100), [f1[400:600].mean(axis=0), f1[600:].mean(axis=0)])
    assert np.isnan(model.f1_around(700)[0]).all(), "nothing is before the first row"


def test_why_an_expert_is_trusted_over_another_is_told_where_the_other_still_errs():
    rng = np.random.default_rng(0)
    own = rng.integers(0, 2, 900).astype(np.uint8)
    right, steady = own * 0.8 + 0.1, np.where(rng.random(900) < 0.15, 1 - own, own) * 0.8 + 0.1
    X, Y = np.column_stack([np.where(np.arange(900) < 600, right, 1 - right), steady]), np.column_stack([own, 1 - own])
    one, other = Column(), Column()
    one.column, other.column = 0, 1
    model = sl.Council({"one": one, "other": other})
    model.learn_many(X, Y)
    assert model.did_within(300) == "moved trust from erring “one” to its “other”"
    np.testing.assert_allclose(model.f1_around(300), [[1, 0.85], [0, 0.85]], atol=0.05)
    assert model.did_within(900) == ""


def test_it_answers_as_no_change_while_that_leads(monkeypatch):
    X, Y = rows()
    order = np.lexsort(Y.T)
    X, Y = X[order], Y[order]
    _, ruled = made().test_then_train(X, Y)
    with monkeypatch.context() as context:
        context.setattr(sl.Council, "_give_way", lambda self, *arguments: None)
        _, own = made().test_then_train(X, Y)
    repeated = np.vstack([np.zeros_like(Y[:1]), Y[:-1]])
    lead, ways, expected = 0.0, 0, own.copy()
    for i, ahead in enumerate(f1_of_labels(repeated[None], Y)[:, 0] - f1_of_labels(own[None], Y)[:, 0]):
        if lead > 0:
            expected[i], ways = repeated[i], ways + 1
        lead = 0.99 * lead + ahead
    assert 50 < ways < len(Y)
    np.testing.assert_array_equal(ruled, expected)
    model = made()
    for start in (0, 150):
        model.learn_many(X[start : start + 150], Y[start : start + 150])
        answered = model.predict_many(X[start + 150 : start + 151])
        np.testing.assert_array_equal(answered, ruled[start + 150 : start + 151])
    assert model.gave_way == "NoChange"
    # a row that waits for its labels comes after rows whose labels are not known
    mixed = made()
    mixed.learn_many(*rows())
    own = mixed.predict_many(X)
    mixed._lead[:] = 1.0
    np.testing.assert_array_equal(mixed._answer_waiting(X)[1], own)
    np.testing.assert_array_equal(mixed.predict_many(X), np.repeat(rows()[1][-1:], len(X), axis=0))
    # what serves the macro F1 is not judged by the F1 of rows; without no-change it has nobody to give way to
    by_label = made(decision="threshold")
    by_label.learn_many(X, Y)
    assert by_label.gave_way == ""
    other = sl.Council([sl.SMART(seed=1), sl.MajorityLabels()])
    other.learn_many(X, Y)
    assert other.gave_way == ""


def test_its_notes_stay_few():
    model = sl.Council([sl.NoChange(), sl.MajorityLabels()])
    Y = np.random.default_rng(0).integers(0, 2, (12_000, 2)).astype(np.uint8)
    for start in range(0, len(Y), 1000):
        model.learn_many(np.zeros((1000, 1)), Y[start : start + 1000])
    noted = model.trust_history()["rows"]
    assert len(noted) < 512
    assert set(np.diff(noted)) == {40}
    assert noted[-1] == 12_000
    # none of the rows is lost of what notes that went had counted
    before, lately = model.f1_around(200)
    assert ((before > 0) & (before < 1) & (lately > 0) & (lately < 1)).all()


@pytest.mark.parametrize(
    ("learners", "match"),
    [
        ([], "there is none"),
        ("SMART", "expected learners by name, or a list"),
        (["Nobody"], "Nobody"),
        ([sl.SMART], "expected a learner of streamlab's"),
        ({"a__b": sl.SMART()}, "without '__'"),
        ([model := sl.SMART(), model], "there twice"),
    ],
)
def test_wrong_experts_are_refused(learners, match):
    with pytest.raises(ValueError, match=match):
        sl.Council(learners)


def test_a_hierarchy_is_refused_before_anything_changes():
    model = made()
    with pytest.raises(ValueError, match="would contradict the labels' hierarchy"):
        model.bind(sl.load("segments").schema)
    model.learn_many(*rows(50))


@pytest.mark.parametrize(
    ("entry", "value", "match"),
    [
        ("experts", '["a", "b"]', "expected 3 names"),
        ("experts", '["a", "a", "b"]', "expected 3 names"),
        ("shared", np.full(5, np.nan), "shared"),
        ("0.parameters", "{}{", "step 0: .*parameters"),
    ],
)
def test_an_altered_state_is_refused(entry, value, match):
    model = made()
    model.learn_many(*rows(60))
    state = model.state()
    assert entry in state
    state[entry] = value
    with pytest.raises(ValueError, match=match):
        sl.Council.from_state(state)


def test_an_expert_whose_scores_are_no_numbers_is_out():
    class Broken(sl.NoChange):
        def _test_then_train(self, X, Y, missing):
            return np.full(Y.shape, np.nan), np.zeros(Y.shape, np.uint8)

    model = sl.Council([sl.MajorityLabels(), Broken()], on_failure="leave")
    model.learn_many(*rows(50))
    assert list(model.experts) == ["MajorityLabels"]
    assert np.isfinite(model._shared).all()


def test_whose_trust_moved_most_is_told_by_the_notes():
    stream = sl.load("yeast-rotated")
    run = sl.Run(stream, {"council": sl.Council([sl.NoChange(), sl.MajorityLabels(), sl.OnlineLogistic()])})
    run.advance(1500)
    model = run.learner_runs["council"].learner
    words = model.did_within(300)
    history = model.trust_history()
    before = history["values"][history["rows"] == 1200][0, 1:]
    gain = model.node_columns()["trust"][1:] - before
    trust = model.node_columns()["trust"][1:]
    assert trust[np.argmax(gain)] < trust[np.argmin(gain)], "who lost most is trusted more as yet"
    told = [part.rsplit(" ", 1)[0].strip("“”") for part in words.removeprefix("trusts ").split(", ")]
    plain = ["last row", "MajorityLabels", "linear"]
    expected = [k for k, sign in ((np.argmin(gain), -1), (np.argmax(gain), 1)) if sign * gain[k] > 0.005]
    assert told == [plain[k] for k in expected]
    assert model.did_within(10_000) == ""
