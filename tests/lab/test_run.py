"""A run: in lock-step, tested before trained, and the same to the last bit however it is advanced."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from river.naive_bayes import GaussianNB

import streamlab as sl
from streamlab.lab import Run
from streamlab.learners import MajorityLabels, NoChange, OnePerLabel
from streamlab.measures import DEFAULT_MEASURES, Counts, evaluate
from streamlab.schema import Schema
from streamlab.streams import Drift, Stream
from tests.lab.made import Failing, Lagging, RaggedStream, made_arrays, made_stream

TIMES = ["seconds", "instances_per_second", "bytes"]


def four_learners():
    return {
        # nodes die and are swept up, and the forest is warm only after the first chunks
        "SMART": sl.SMART(n_trees=4, height=6, half_life=15, warm_up=70, seed=1),
        "NoChange": NoChange(),
        "MajorityLabels": MajorityLabels(),
        "bayes": OnePerLabel(GaussianNB()),
    }


def same_run(a: Run, b: Run) -> None:
    """All that the two runs answered and counted is the same, bit for bit."""
    assert a.position == b.position
    for over in ("chunk", "cumulative", "faded"):
        pd.testing.assert_frame_equal(a.curves(over), b.curves(over), check_exact=True)
    pd.testing.assert_frame_equal(a.tenths, b.tenths, check_exact=True)
    pd.testing.assert_frame_equal(a.summary.drop(columns=TIMES), b.summary.drop(columns=TIMES), check_exact=True)


# ---------------------------------------------------------------------- reproducible

N = 330
TUNINGS = ((90, {"half_life": 60.0}), (150, {"n_trees": 6}), (275, {"half_life": 5.0, "height": 4}))


def tuned_run(cuts: list[int]) -> Run:
    """A run over ``N`` rows with missing values, advanced in steps that end at ``cuts``, tuned at fixed positions."""
    run = Run(made_stream(N, missing=0.1), four_learners(), chunk=40, history=6)
    for stop in sorted({*cuts, *(position for position, _ in TUNINGS), N}):
        run.advance(stop - run.position)
        for position, parameters in TUNINGS:
            if position == stop:
                run.tune("SMART", **parameters)
    assert run.advance() == 0
    assert run.finished
    return run


@pytest.fixture(scope="module")
def uncut() -> Run:
    return tuned_run([])


@settings(max_examples=15, deadline=None)
@given(cuts=st.lists(st.integers(1, N - 1), max_size=25))
def test_cuts_change_no_bit(uncut, cuts):
    run = tuned_run(cuts)
    same_run(uncut, run)
    pd.testing.assert_frame_equal(uncut.events, run.events)


# ---------------------------------------------------------------------- the order of things


def test_all_learners_are_in_step_and_tested_before_they_are_trained():
    one, other = Lagging(), Lagging()
    run = Run(made_stream(250), {"one": one, "other": other})
    run.advance()
    expected = [("predict", 100), ("learn", 100)] * 2 + [("predict", 50), ("learn", 50)]
    assert one.log == other.log == expected
    _, Y = made_arrays(250)
    lagged = np.repeat(np.vstack([np.zeros((1, 3), np.uint8), Y[[99, 199]]]), [100, 100, 50], axis=0)
    assert np.array_equal(np.vstack([labels for _, labels in one.answers]), lagged)


def test_a_chunk_begun_is_predicted_as_a_whole_but_learned_step_by_step():
    learner = Lagging()
    run = Run(made_stream(250), learner)
    for _ in range(3):
        run.advance(30)
    assert learner.log == [("predict", 100), ("learn", 30), ("learn", 30), ("learn", 30)]
    run.advance(60)
    assert learner.log[4:] == [("learn", 10), ("predict", 100), ("learn", 50)]


def test_advance_tells_how_far_it_came():
    run = Run(made_stream(250), NoChange())
    assert [run.advance(0), run.advance(70), run.advance(130), run.advance(200), run.advance(1), run.advance()] == [
        0, 70, 130, 50, 0, 0,
    ]  # fmt: skip
    assert run.position == 250
    assert run.finished


def test_interrupted_is_asked_between_chunks():
    run = Run(made_stream(1000), NoChange())
    asked = []

    def third() -> bool:
        asked.append(run.position)
        return len(asked) == 3

    assert run.advance(interrupted=third) == 300
    assert asked == [100, 200, 300]
    assert run.advance() == 700


def test_the_end_is_one_event():
    run = Run(made_stream(250), NoChange())
    run.advance(250)
    assert not run.finished, "nobody has asked for the next instance yet"
    run.advance(), run.advance(), run.advance(5)
    assert run.events.kind.tolist() == ["finished"]
    assert run.events.position.tolist() == [250]
    assert run.n_rows == 250


class Empty(Stream):
    name, schema, n_rows = "empty", Schema.anonymous(2, 2), 0

    def blocks(self, start=0):
        return iter(())


def test_an_empty_stream():
    run = Run(Empty(), {"SMART": sl.SMART(seed=1), "none": NoChange()})
    assert run.advance() == 0
    assert run.finished
    assert run.curves().empty
    assert run.tenths.empty
    assert run.summary.instances.tolist() == [0, 0]
    assert run.events.kind.tolist() == ["finished"]


def test_the_last_piece_of_the_stream_has_its_point():
    run = Run(made_stream(1050), Lagging(), history=8)
    run.advance()
    assert run.learner_runs["Lagging"].history.stride == 2
    assert run.curves().position.tolist() == [200, 400, 600, 800, 1000, 1050]
    for measure in DEFAULT_MEASURES:
        assert run.curves("cumulative")[measure].iloc[-1] == pytest.approx(run.summary[measure].iloc[0], abs=1e-12)


# ---------------------------------------------------------------------- tuning


def test_tuning_is_an_event_and_takes_effect():
    learner = Lagging()
    run = Run(made_stream(400), learner)
    run.advance(150)
    event = run.tune("Lagging", gain=0.25)
    assert (event.position, event.learner, event.kind) == (150, "Lagging", "tuned")
    assert event.detail == {"parameter": "gain", "old": 1.0, "new": 0.25}
    assert event.message == "gain: 1 → 0.25"
    assert learner.gain == 0.25
    run.advance(150)
    (first, _), (second, _), (third, _) = learner.answers
    assert first.max() <= 1.0
    assert second.max() > 0.25, "the chunk under way was predicted when it began"
    assert third.max() <= 0.25
    assert run.events.to_dict("records") == [
        {
            "position": 150, "learner": "Lagging", "kind": "tuned",
            "parameter": "gain", "old": 1.0, "new": 0.25, "message": "gain: 1 → 0.25",
        }
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("learner", "parameters", "message"),
    [
        ("SMRT", {"half_life": 5}, "no learner 'SMRT'.*SMART, none"),
        ("SMART", {"half_life": -1}, "half_life=-1"),
        ("SMART", {"n_trees": 5, "half_life": "fast"}, "half_life='fast'"),
        ("SMART", {"seed": 5}, "no tunable parameter 'seed'"),
        ("SMART", {}, "at least one parameter"),
        ("none", {"half_life": 5}, "no tunable parameter 'half_life'"),
    ],
)
def test_a_wrong_tuning_changes_nothing(learner, parameters, message):
    run = Run(made_stream(100), {"SMART": sl.SMART(seed=1), "none": NoChange()})
    run.advance(50)
    with pytest.raises(ValueError, match=message):
        run.tune(learner, **parameters)
    smart = run.learner_runs["SMART"].learner
    assert (smart.half_life, smart.n_trees) == (200.0, 20)
    assert run.events.empty


# ---------------------------------------------------------------------- events


def test_drifts_are_told_where_they_are_once_they_have_come():
    drifts = (Drift(200, 50, "gradual"), Drift(0), Drift(120), Drift(100))
    run = Run(made_stream(300, drifts=drifts), NoChange())
    assert run.events.empty
    run.advance(100)
    assert run.events.position.tolist() == [0]
    run.advance(1)
    assert run.events.position.tolist() == [0, 100]
    run.advance()
    events = run.events[run.events.kind == "drift"]
    assert events.position.tolist() == [0, 100, 120, 200]
    assert events.message.tolist() == ["sudden", "sudden", "sudden", "gradual, over 50 instances"]
    assert (events.learner == "").all()


def test_a_learners_own_events_are_logged():
    learner = Lagging()
    run = Run(made_stream(300), {"mine": learner})
    run.advance(100)
    learner.happened = [{"kind": "replaced", "message": "tree 3 was replaced", "tree": 3}]
    run.advance(100)
    run.advance(100)
    (event,) = list(run.log)
    assert (event.position, event.learner, event.kind) == (200, "mine", "replaced")
    assert event.detail == {"tree": 3}


# ---------------------------------------------------------------------- tables


def test_chosen_measures_in_their_order():
    run = Run(made_stream(250), NoChange(), measures=["ranking_loss", "micro_f1", "macro_average_precision"])
    run.advance()
    assert run.summary.columns.tolist()[:3] == ["ranking_loss", "micro_f1", "macro_average_precision"]
    assert run.curves().columns.tolist() == ["position", "learner", "ranking_loss", "micro_f1"]
    assert run.curves(measures="macro_f1").columns.tolist() == ["position", "learner", "macro_f1"]


@pytest.mark.parametrize("rows", [0, 200])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"over": "week"}, "over='week'"),
        ({"measures": ["micro_f2"]}, "unknown measure 'micro_f2'; did you mean"),
        ({"measures": ["macro_average_precision"]}, "'macro_average_precision' has no curve"),
    ],
)
def test_a_wrong_choice_of_curves(rows, options, message):
    run = Run(made_stream(200), NoChange())
    run.advance(rows)
    with pytest.raises(ValueError, match=message):
        run.curves(**options)


def by_hand(Y, Z, scores) -> dict[str, float]:
    return evaluate(Counts.zeros(Y.shape[1]).count(Y, Z, scores), DEFAULT_MEASURES)


def test_each_value_is_of_its_rows_alone():
    learner = Lagging()
    run = Run(made_stream(460), learner)
    for n in (37, 163, 210, 50):
        run.advance(n)
    assert run.advance() == 0
    _, Y = made_arrays(460)
    scores, labels = (np.vstack(parts) for parts in zip(*learner.answers, strict=True))
    expected = by_hand(Y, labels, scores)
    assert run.summary.loc["Lagging", list(expected)].to_dict() == pytest.approx(expected, abs=1e-12)
    for row in run.curves("chunk").to_dict("records"):
        part = slice((row["position"] - 1) // 100 * 100, row["position"])
        assert {m: row[m] for m in expected} == pytest.approx(
            by_hand(Y[part], labels[part], scores[part]), abs=1e-12
        ), part
    for row in run.curves("cumulative").to_dict("records"):
        part = slice(0, row["position"])
        assert {m: row[m] for m in expected} == pytest.approx(by_hand(Y[part], labels[part], scores[part]), abs=1e-12)
    for row in run.tenths.to_dict("records"):
        part = slice(row["start"], row["stop"])
        assert {m: row[m] for m in expected} == pytest.approx(by_hand(Y[part], labels[part], scores[part]), abs=1e-12)


def test_the_zero_division_and_the_fading_reach_the_measures():
    X, Y = np.zeros((200, 1)), np.zeros((200, 2), np.uint8)
    values = {}
    for zero_division in (0.0, 1.0):
        run = Run((X, Y), NoChange(), zero_division=zero_division)
        run.advance()
        values[zero_division] = run.summary.micro_f1["NoChange"], run.curves().micro_f1.iloc[0]
    assert values == {0.0: (0.0, 0.0), 1.0: (1.0, 1.0)}
    run = Run(made_stream(300), NoChange(), fading=1.0)
    run.advance()
    for measure in DEFAULT_MEASURES:
        assert run.curves("faded")[measure].to_numpy() == pytest.approx(run.curves("cumulative")[measure], abs=1e-12)


# ---------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("chunk", [0, -1, 1.5, True, "100", None, 10**8])
def test_a_wrong_chunk(chunk):
    with pytest.raises(ValueError, match="chunk="):
        Run(made_stream(10), NoChange(), chunk=chunk)


def test_wrong_learners():
    stream, twice = made_stream(10), NoChange()
    for learners, message in (
        ({}, "at least one"),
        ({"a": twice, "b": twice}, "two names"),
        ({"": twice}, "not empty"),
        ({3: twice}, "learners: name=3: expected a text"),
        ({"a": 3}, r"learners\['a'\] is 3"),
        ("SMART", "'SMART'; expected a learner"),
        ({"a": sl.SMART}, "expected a learner"),
    ):
        with pytest.raises(ValueError, match=message):
            Run(stream, learners)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"history": 3}, "history=3"),
        ({"history": 0}, "history=0"),
        ({"history": 2_000_000}, "history=2000000: expected a whole number from 2 to 1,000,000"),
        ({"measures": ["micro_f2"]}, "micro_f2"),
        ({"fading": 0.0}, "fading=0.0"),
        ({"zero_division": 0.5}, "zero_division"),
        ({"jobs": 0}, "jobs=0"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ValueError, match=message):
        Run(made_stream(10), NoChange(), **options)


def test_a_learner_of_another_schema():
    learner = NoChange()
    learner.learn_many(np.zeros((1, 7)), np.zeros((1, 2), np.uint8))
    with pytest.raises(ValueError, match="another schema"):
        Run(made_stream(10), learner)


def test_bad_rows_stop_the_run_for_good():
    run = Run(RaggedStream(230), NoChange(), chunk=50)
    with pytest.raises(ValueError, match=r"ragged.csv, line 231"):
        run.advance()
    with pytest.raises(ValueError, match=r"broke off after 200 instances: ragged.csv, line 231"):
        run.advance()
    assert not run.finished
    assert run.position == 200


def test_a_failing_learner_does_not_let_the_others_learn_twice():
    first = Lagging()
    run = Run(made_stream(500), {"first": first, "failing": Failing(after=250)})
    with pytest.raises(ValueError, match="too much for me"):
        run.advance()
    learned = [n for what, n in first.log if what == "learn"]
    with pytest.raises(ValueError, match="broke off after 200 instances: learner 'failing': this row is too much"):
        run.advance()
    assert [n for what, n in first.log if what == "learn"] == learned
    assert run.position == 200
    assert len(run.curves()) == 4
