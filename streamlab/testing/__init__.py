"""Checks for learners, those of other packages as our own: ``check_learner`` says which promises a learner breaks."""

from streamlab.testing.check import check_learner
from streamlab.testing.promises import PROMISES

__all__ = ["PROMISES", "check_learner"]
