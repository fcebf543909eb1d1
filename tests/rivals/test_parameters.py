"""Each rival refuses a parameter that is not allowed, and names it."""

from __future__ import annotations

import pytest

import streamlab as sl

TREE = [("grace_period", 0), ("delta", 1), ("tau", -1)]
MEMORY = [("window", 0), ("n_neighbors", 0.5), ("measure", "f1")]
COMMITTEE = [*TREE, ("base", "forest"), ("base", None), ("n_models", 0), ("n_models", 1.5), ("step", -1), ("seed", -1)]
REFUSED = {
    "ARkNN": [*MEMORY, ("fading", 1.5), ("min_fitness", -1.0)],
    "MLSAMPkNN": [*MEMORY, ("window", 1), ("reduction", 1.0), ("penalty", -1.0), ("min_window", 0)],
    "MLSAkNN": [("window", 1), ("measure", "f1"), ("reduction", 1.0), ("penalty", -1.0), ("history", 0)],
    "RankedKNN": MEMORY[:2],
    "HoeffdingTrees": [*TREE, ("n_split_points", 0), ("max_depth", -1)],
    "MLHT": [*TREE, ("n_split_points", 0), ("max_depth", -1)],
    "PrunedSets": [*TREE, ("buffer", 1), ("support", 1), ("reintroduce", -1), ("base", "forest")],
    "GOOWE": [*COMMITTEE, ("chunk", 1)],
    "OnlineBagging": [*COMMITTEE, ("poisson_rate", -1), ("detector", "ddm")],
    "MLBELS": [
        ("max_learners", 0), ("max_learners", 1.5), ("tau", -1), ("ridge", 0), ("chunk", 1), ("n_windows", 0),
        ("window_nodes", 0), ("enhancement_nodes", 0), ("shrink", 0), ("seed", -1), ("decision", "all"),
    ],
}  # fmt: skip


@pytest.mark.whole
@pytest.mark.parametrize("learner", REFUSED)
def test_a_parameter_that_is_not_allowed_is_refused(learner):
    for parameter, value in REFUSED[learner]:
        with pytest.raises(ValueError, match=f"^{parameter}="):
            getattr(sl, learner)(**{parameter: value})
    with pytest.raises(TypeError, match="no_such_one"):
        getattr(sl, learner)(no_such_one=3)
