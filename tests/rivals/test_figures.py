"""Neighbours reach what their authors' programs do on real sets; where a decision differs, what docs/learners tells."""

from __future__ import annotations

import pytest

from benchmarks.programs import REMEMBERED, f1_of

# tmc and 20ng are read for too long here: ``python -m benchmarks remembered``
REACHED = {
    "ARkNN": ("emotions", "yeast", "scene", "water quality", "medical", "enron"),
    "MLSAMPkNN": ("yeast", "water quality"),
}
DIFFERENT = {
    # rows of zeros, of which the program's cosine is 0 / 0; the place of a recording counts by its categories
    "ARkNN": {"slashdot": 0.3410, "birds": 0.0867},
    # the program's mixed-up distances, after it has dropped a row, cut the memory elsewhere
    "MLSAMPkNN": {"emotions": 0.5510, "scene": 0.8916, "birds": 0.0877},
}


@pytest.mark.parametrize(("learner", "name"), [(learner, name) for learner in REACHED for name in REACHED[learner]])
def test_the_program_s_figure_is_reached(learner, name, shared_data):
    assert f1_of(learner, name) == pytest.approx(REMEMBERED[learner][name][0], abs=0.002)


@pytest.mark.parametrize(("learner", "name"), [(one, name) for one in DIFFERENT for name in DIFFERENT[one]])
def test_where_a_decision_differs_the_figure_is_the_one_told(learner, name, shared_data):
    assert f1_of(learner, name) == pytest.approx(DIFFERENT[learner][name], abs=0.0005)
