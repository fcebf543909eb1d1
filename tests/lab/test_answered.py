"""Waiting for the player: what has not begun is taken back, what has begun is said to go on."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from streamlab.lab.ownership import answered


def test_what_has_not_begun_is_taken_back():
    answer: Future = Future()
    with pytest.raises(ValueError, match="nothing was done"):
        answered(answer, 0.01)
    assert answer.cancelled()


def test_what_has_begun_is_said_to_go_on():
    answer: Future = Future()
    answer.set_running_or_notify_cancel()
    with pytest.raises(ValueError, match="goes on with it"):
        answered(answer, 0.01)
    answer.set_exception(TimeoutError("its own"))
    with pytest.raises(TimeoutError, match="its own"):
        answered(answer, 0.01)
