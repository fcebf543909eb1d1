"""What moved a learner's answer to a row, and what would have made it right, in few words."""

from __future__ import annotations

import numpy as np

import streamlab as sl
from streamlab.lab.importance_report import RowReasons, row_reasons
from streamlab.views.page.row_why import sentences
from tests.lab.made import made_stream
from tests.views.pictures.test_importance import songs

LOUDNESS, COLOUR = sl.Feature("loudness"), sl.Feature("colour", ("red", "green"))
MOVES = (("loudness", "angry", 0.324), ("tempo", "calm", -0.2), ("bass", "angry", 1.25))


def test_three_moves_and_a_remedy_are_told_in_at_most_forty_words():
    told = sentences(RowReasons("SMART", MOVES, "angry", True, False, (LOUDNESS, 0.2, 0.6242)))
    assert told == (
        "SMART: loudness raised angry by .32, tempo lowered calm by .20, bass raised angry by 1.25.",
        "angry would have been answered with loudness over .624.",
    )
    assert len(" ".join(told).split()) <= 40


def test_a_row_is_told_about_where_the_run_asks_and_where_it_does_not():
    for importance in (False, {"share": None}):
        run = sl.Run(songs(), {"it": sl.SMART(seed=1)}, importance=importance)
        run.advance(1900)
        state = {name: np.copy(each) for name, each in run["it"].state().items()}
        found = row_reasons(run, "it")
        assert {feature for feature, *_ in found.moves} & {"tempo", "pitch"}
        assert all(np.array_equal(each, state[name], equal_nan=True) for name, each in run["it"].state().items()
                   if np.asarray(each).dtype.kind in "fiub")  # fmt: skip
        assert (run.learner_runs["it"].importance is None) == (importance is False)


def test_of_many_features_some_are_asked_and_a_wrong_label_is_named():
    rng = np.random.default_rng(0)
    X = rng.random((600, 60))
    run = sl.Run(sl.load((X, (X[:, :2] > 0.5).astype(np.uint8))), {"it": sl.OnlineLogistic()})
    seen = set()
    for _ in range(40):
        run.advance(15)
        found = row_reasons(run, "it")
        if found.wrong is not None:
            wrong = run.learner_runs["it"].last_labels != run.last[1]
            assert wrong[run.stream.schema.labels.index(found.wrong)]
            seen.add("by now" if found.is_right_now else "none" if found.remedy is None else "one")
    assert "one" in seen


def test_a_learner_that_answers_by_nothing_has_no_moves():
    run = sl.Run(made_stream(100), {"it": sl.NoChange()})
    run.advance(100)
    assert row_reasons(run, "it").moves == ()
