"""The learners of a run by name: streamlab's own, and River's classifiers made to learn labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from river.base import Estimator

from streamlab.learners import Learner, OnePerLabel, RiverMultiLabel
from streamlab.learners.one_per_label import is_river_classifier
from streamlab.learners.river_multi_label import is_river_multi_label
from streamlab.learners.river_tunables import last_step

__all__ = ["named_learners"]


def named_learners(learners: Any) -> dict[str, Learner]:
    """Return learners by name: of a dictionary, or of one learner by its class's name.

    Raises
    ------
    ValueError
        If there is none, a name is empty, something is not a learner, or one object has two names.
    """
    # some of River's multi-label classifiers are dictionaries of their parts
    if isinstance(learners, Estimator) or not isinstance(learners, Mapping):
        learners = {type(learners).__name__: learners}
    if not learners:
        raise ValueError("learners: expected at least one")
    named = {}
    for name, learner in learners.items():
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"learners: the name {name!r}; expected a text that is not empty")
        if not isinstance(learner, Learner):
            if is_river_multi_label(learner):
                learner = RiverMultiLabel(learner)
            elif is_river_classifier(learner):
                learner = OnePerLabel(learner)
            else:
                theirs = isinstance(learner, Estimator)
                what = f"River's {type(last_step(learner)).__name__}" if theirs else repr(learner)
                raise ValueError(f"learners[{name!r}] is {what}; expected a learner or a River classifier")
        named[name] = learner
    if len({id(learner) for learner in named.values()}) < len(named):
        raise ValueError("learners: the same object has two names; give each a copy()")
    return named
