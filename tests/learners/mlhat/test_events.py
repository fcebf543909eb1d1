"""MLHAT's events say what happened, in words and numbers."""

from __future__ import annotations

from streamlab.learners import MLHAT
from streamlab.learners.mlhat._settings import PRUNED
from streamlab.learners.mlhat.events import KINDS, event_of
from tests.learners.mlhat.streams import QUICK


def test_every_kind_says_what_it_means(learned):
    _, X, Y, model, _, events = learned
    small = MLHAT(**QUICK | {"max_bytes": 1})
    small.learn_many(X[:100, :2], Y[:100])
    small.learn_one({"x0": 0.5, "x1": 0.5, "new": 1.0}, {"another": True})
    pruned = event_of([PRUNED, 0, 100, 3, 0.1, 0.3, 0.05, 2, 0, 0], model.schema.features)
    found = [*events, *small.take_events(), pruned]
    assert {event["kind"] for event in found} == set(MLHAT.events)
    for event in found:
        kind = MLHAT.events[event["kind"]]
        assert kind.title
        assert kind.rule
        assert set(kind.numbers) <= set(event)
        assert all(isinstance(event[number], (int, float)) for number in kind.numbers)
    detections = {name: kind.source for name, kind in MLHAT.events.items() if kind.is_detection}
    assert detections == {"drift": "own detectors", "alternate_promoted": "promotions"}


def test_every_code_of_the_kernels_has_a_kind():
    assert {name for name, *_ in KINDS.values()} == set(MLHAT.events) - {"label_new", "feature_new"}
