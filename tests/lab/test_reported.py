"""What a learner answers and reports is checked at once: a saved run can be opened, and errors name the learner."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.lab import Run
from streamlab.learners import LEARNERS, Array, Council, Learner, NoChange, Number, Oversampling, Pipeline, Storage
from streamlab.learners.scaler import StandardScaler
from streamlab.streams import delay_labels
from tests.lab.made import made_stream


class Sharing(Learner):
    """Scores each label by its share of the rows."""

    storage = Storage(Array("hits", ("labels",)), Number("n_seen", int, low=0))

    def __init__(self) -> None:
        self._start()

    def _predict(self, X, missing):
        scores = np.tile(self._hits / max(self._n_seen, 1), (len(X), 1))
        return scores, (scores > 0.5).astype(np.uint8)

    def _learn(self, X, Y, missing) -> None:
        self._hits = self._hits + Y.sum(axis=0)
        self._n_seen += len(Y)


class Answering(Sharing):
    """Answers as ``answers_with`` makes of the scores and labels."""

    answers_with = staticmethod(lambda scores, labels: (scores, labels))

    def _predict(self, X, missing):
        return type(self).answers_with(*super()._predict(X, missing))


class AnsweringByItself(Answering):
    """Answers by the public methods, past the base class."""

    def test_then_train(self, X, Y):
        scores, labels = super().test_then_train(X, Y)
        return scores.astype(np.float32), labels.astype(bool)


class Telling(Sharing):
    """Reports one event, ``event``, for every chunk."""

    event: object = None
    past = 0
    """Its position is so many rows before the last one learned."""
    is_due = False

    def _learn(self, X, Y, missing) -> None:
        super()._learn(X, Y, missing)
        self.is_due = True

    def take_events(self):
        if not self.is_due:
            return []
        self.is_due = False
        at = {"position": np.int64(self._n_seen - self.past)} if self.past else {}
        return [self.event | at if isinstance(self.event, dict) else self.event]


class Uncounted(Telling):
    """Has no count of its rows."""

    now = None


@pytest.fixture(autouse=True)
def registered():
    removals = [
        LEARNERS.add(kind.__name__, kind) for kind in (Sharing, Answering, AnsweringByItself, Telling, Uncounted)
    ]
    yield
    for remove in removals:
        remove()


def through_all(run: Run, tmp_path) -> Run:
    """Go back, on, fork, save and open."""
    run.advance(250)
    run.seek(50)
    run.seek(250)
    run.fork("mine", "fork")
    run.advance(50)
    run.save(tmp_path / "run.slab")
    return Run.open(tmp_path / "run.slab", run.stream)


@pytest.mark.parametrize(
    "answers_with",
    [
        lambda scores, labels: (scores, labels.astype(bool)),
        lambda scores, labels: (scores, labels.astype(int)),
        lambda scores, labels: (scores, labels.astype(float)),
        lambda scores, labels: (scores.astype(np.float32), labels),
        lambda scores, labels: (scores.tolist(), labels.tolist()),
    ],
)
def test_other_dtypes_are_taken_where_nothing_is_lost(answers_with, tmp_path, monkeypatch):
    monkeypatch.setattr(Answering, "answers_with", staticmethod(answers_with))
    run = Run(made_stream(400), {"mine": Answering()}, chunk=50)
    again = through_all(run, tmp_path)
    kept = again.learner_runs["mine"]
    assert (kept.last_scores.dtype, kept.last_labels.dtype) == (np.float64, np.uint8)
    twin = Run(made_stream(400), {"mine": Sharing()}, chunk=50)
    twin.advance(300)
    assert np.array_equal(kept.last_labels, twin.learner_runs["mine"].last_labels)
    model = Answering()
    model.learn_many(*(np.ones((2, 3)), np.eye(3, dtype=np.uint8)[:2]))
    assert model.predict_proba_many(np.ones((4, 3))).dtype == np.float64
    assert model.predict_many(np.ones((4, 3))).dtype == np.uint8


@pytest.mark.parametrize(
    ("answers_with", "said"),
    [
        (lambda s, y: (s[:, :-1], y), r"answered scores of shape \(50, 2\); expected \(50, 3\)"),
        (lambda s, y: (s[0], y[0]), r"answered scores of shape \(3,\); expected \(50, 3\)"),
        (lambda s, y: (s, y[:-1]), r"answered labels of shape \(49, 3\); expected \(50, 3\)"),
        (lambda s, y: (s, y + 0.5), r"answered labels with 0.5 in row 0, column 0; expected 0 or 1"),
        (lambda s, y: (s, y.astype(int) - 3), r"answered labels with -3 in row 0, column 0; expected 0 or 1"),
        (lambda s, y: (s.astype(complex), y), "answered scores of dtype complex128; expected float64"),
        (lambda s, y: (s, y.astype(str)), "answered labels of dtype <U.; expected uint8"),
        (lambda s, y: ([[1.0], [1.0, 2.0]], y), "answered scores that are not an array"),
        (lambda s, y: (s, y, 1), "answered tuple of 3; expected two arrays, scores and labels"),
        (lambda s, y: None, "answered None; expected two arrays, scores and labels"),
        (lambda s, y: (s * np.nan, y), "scores holds nan in row 0, column 0"),
        (lambda s, y: (s + np.inf, y), "answered scores with inf in its last row; expected finite numbers"),
    ],
)
def test_a_wrong_answer_names_the_learner_and_what_was_expected(answers_with, said, monkeypatch):
    monkeypatch.setattr(Answering, "answers_with", staticmethod(answers_with))
    run = Run(made_stream(100), {"good": NoChange(), "my learner": Answering()}, chunk=50)
    with pytest.raises(ValueError, match=f"^learner 'my learner': .*{said}"):
        run.advance()
    with pytest.raises(ValueError, match=f"broke off after 0 instances: learner 'my learner': .*{said}"):
        run.advance()


def test_a_wrong_answer_is_refused_before_anything_is_learned(monkeypatch):
    monkeypatch.setattr(Answering, "answers_with", staticmethod(lambda s, y: (s[:, :-1], y)))
    model = Answering()
    with pytest.raises(ValueError, match="Answering answered scores of shape"):
        model.test_then_train(np.ones((4, 3)), np.zeros((4, 3), np.uint8))
    assert model._n_seen == 0


def test_what_else_a_learner_raises_names_it_with_its_kind(monkeypatch):
    def learn(self, X, Y, missing):
        raise KeyError("rate")

    monkeypatch.setattr(Sharing, "_learn", learn)
    run = Run(made_stream(100), {"my learner": Sharing()})
    with pytest.raises(RuntimeError, match=r"^learner 'my learner': KeyError: 'rate'") as raised:
        run.advance()
    assert isinstance(raised.value.__cause__, KeyError), "with the traceback of its own code"
    with pytest.raises(ValueError, match="broke off after 0 instances: learner 'my learner': KeyError: 'rate'"):
        run.advance()


def test_positions_of_numpy_and_odd_numbers_are_saved(tmp_path, monkeypatch):
    odd = {
        "kind": np.str_("first"), "message": "m", "rows": np.arange(3), "set": {1, 2},
        "mixed": np.array([(1, 2), "a"], object), "by": {frozenset({1}): 2},
    }  # fmt: skip
    monkeypatch.setattr(Telling, "event", odd)
    monkeypatch.setattr(Telling, "past", 47)
    again = through_all(Run(made_stream(400), {"mine": Telling()}, chunk=50), tmp_path)
    assert next(iter(again.log)).position == 3


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"kind": "first", "message": "m", "position": 1.0}, "event 'first': position is 1.0; expected a whole number"),
        ({"kind": "first", "message": "m", "position": None}, "event 'first': position is None; expected"),
        ({"kind": "first", "message": "m", "position": True}, "event 'first': position is True; expected"),
        ({"kind": "first"}, "event 'first': message is None; expected a text"),
        ({"kind": "first", "message": 3}, "event 'first': message is 3; expected a text"),
        ({"kind": "first", "message": "m" * 100_001}, "event 'first': message is 'm+…'; expected a text of at most"),
        ({"message": "m"}, "event: kind is None; expected a text"),
        ("first", "take_events returned 'first'; expected dictionaries"),
    ],
)
def test_an_event_that_cannot_be_kept_names_the_learner_and_itself(event, said, monkeypatch):
    monkeypatch.setattr(Telling, "event", event)
    run = Run(made_stream(100), {"my learner": Telling()})
    with pytest.raises(ValueError, match=f"^learner 'my learner': {said}"):
        run.advance()


TOLD = {"kind": "first", "message": "m"}


@pytest.mark.parametrize(("kind", "counted"), [(Telling, "learned"), (Uncounted, "of the run")])
@pytest.mark.parametrize("off", [-60, -1, 51])
@pytest.mark.parametrize("late", [0, 10])
def test_a_position_of_another_step_names_the_learner_and_the_event(kind, counted, off, late, monkeypatch):
    stream, begins = made_stream(200), 50 - late * (kind is Telling)
    run = Run(delay_labels(stream, late) if late else stream, {"my learner": kind()}, chunk=50)
    monkeypatch.setattr(Telling, "event", TOLD)
    run.advance(50)
    monkeypatch.setattr(Telling, "event", TOLD | {"position": begins + off})
    said = f"position is {begins + off}; expected {begins} to {begins + 50}, the rows {counted} in this step"
    with pytest.raises(ValueError, match=f"^learner 'my learner': event 'first': {said}"):
        run.advance(50)


@pytest.mark.parametrize(
    ("made", "called"),
    [
        (lambda model: Oversampling(model, seed=1), "first"),
        (lambda model: Council({"one": model, "other": NoChange()}), "expert"),
        (lambda model: Pipeline(StandardScaler(), model, chunk=25), "first"),
    ],
)
def test_a_wrong_position_is_refused_inside_others_too(made, called, monkeypatch):
    monkeypatch.setattr(Telling, "event", TOLD | {"position": 10_000})
    run = Run(made_stream(200), {"my learner": made(Telling())}, chunk=50)
    with pytest.raises(
        ValueError, match=f"^learner 'my learner': event '{called}': position is [0-9,]+; expected 0 to 50"
    ):
        run.advance()


@pytest.mark.parametrize(
    "made", [lambda model: Oversampling(model, seed=1), lambda model: Council({"one": model, "other": NoChange()})]
)
def test_what_counts_no_rows_has_no_position_inside_others(made, monkeypatch):
    monkeypatch.setattr(Telling, "event", TOLD | {"position": 10_000})
    run = Run(made_stream(200), {"mine": made(Uncounted())}, chunk=50)
    run.advance(100)
    assert [event.position for event in run.log if event.learner == "mine"] == [50, 100]
