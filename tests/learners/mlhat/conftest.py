"""A learner that the tests of MLHAT share; whoever changes it takes a copy."""

from __future__ import annotations

import pytest

from streamlab.learners import MLHAT
from tests.learners.mlhat.streams import QUICK, learn_in_chunks, stump_stream


@pytest.fixture(scope="package")
def learned():
    schema, X, Y = stump_stream(1500, missing=0.05, flips=(900,))
    model = MLHAT(**QUICK).bind(schema)
    answers = learn_in_chunks(model, X, Y)
    return schema, X, Y, model, answers, model.copy().take_events()
