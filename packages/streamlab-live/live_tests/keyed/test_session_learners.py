"""A learner of a key that another process has not added."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import streamlab as sl
from tests.study.test_session_learners import opposite, with_path  # noqa: F401

from streamlab_live.keyed import KeyLearner


def test_a_key_goes_on_in_a_process_that_has_not_added_it(opposite):  # noqa: F811
    X, Y = np.random.default_rng(0).random((20, 3)), np.eye(20, 2, dtype=np.uint8)
    each = KeyLearner(opposite(seed=1), sl.Schema.anonymous(3, 2))
    state, _, _ = each.learn("a", None, X, Y)
    again = """
import pickle, sys
each, state, X, Y = pickle.loads(sys.stdin.buffer.read())
sys.stdout.buffer.write(each.learn("a", state, X, Y)[0])
"""
    sent = pickle.dumps((each, state, X, Y))
    done = subprocess.run([sys.executable, "-c", again], input=sent, capture_output=True, env=with_path())
    assert done.returncode == 0, done.stderr.decode()
    there, here = (sl.load_model(state) for state in (done.stdout, each.learn("a", state, X, Y)[0]))
    assert np.array_equal(there.predict_proba_many(X), here.predict_proba_many(X))
    assert type(there) is opposite
