"""States in tests of learners: two are the same to the bit, a learner goes on from one, an altered one is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from streamlab.learners import load_model

__all__ = ["assert_altered_is_refused", "assert_goes_on", "assert_same", "copied", "set_entry"]


def assert_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Two states have the same entries, to the bit and of the same kinds."""
    assert one.keys() == other.keys()
    for name, value in one.items():
        np.testing.assert_array_equal(other[name], value, err_msg=name, strict=isinstance(value, np.ndarray))


def copied(state: dict[str, Any]) -> dict[str, Any]:
    """The state with arrays of its own."""
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in state.items()}


def assert_goes_on(model: Any, X: Any, Y: Any, size: int = 100, tune: dict[str, Any] | None = None) -> None:
    """From its state, from a file's bytes and as a copy a learner answers, learns and tells the same.

    It goes on with the rows in chunks of ``size``, and is tuned before the third of them.
    """
    model.take_events()
    twins = type(model).from_state(model.state()), load_model(model.to_bytes()), model.copy()
    for twin in twins:
        assert_same(model.state(), twin.state())
    for start in range(0, len(X), size):
        if tune and start == 2 * size:
            for each in (model, *twins):
                each.tune(**tune)
        expected = model.test_then_train(X[start : start + size], Y[start : start + size])
        for twin in twins:
            answer = twin.test_then_train(X[start : start + size], Y[start : start + size])
            for one, other in zip(expected, answer, strict=True):
                np.testing.assert_array_equal(one, other)
    events, nodes = model.take_events(), model.nodes()
    for twin in twins:
        assert_same(model.state(), twin.state())
        assert events == twin.take_events()
    # a copy may keep more room, of which its nodes tell
    for twin in twins[:2]:
        assert nodes.equals(twin.nodes())


def set_entry(name: str, index: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    """Return what sets part of an array of a state; place and value may be functions of the state."""

    def alter(state: dict[str, Any]) -> None:
        at = index(state) if callable(index) else index
        state[name][at] = value(state) if callable(value) else value

    return alter


def assert_altered_is_refused(
    kind: type, state: dict[str, Any], alter: Callable[[dict[str, Any]], object], words: str
) -> None:
    """A state that contradicts itself is refused, and what is wrong is named by ``words``, a regular expression."""
    altered = copied(state)
    alter(altered)
    with pytest.raises(AssertionError):
        assert_same(state, altered)
    with pytest.raises(ValueError, match=rf"the state of {kind.__name__} contradicts itself.*{words}"):
        kind.from_state(altered)
