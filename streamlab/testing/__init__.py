"""Checks for learners, those of other packages as our own: ``check_learner`` says which promises a learner breaks."""

from streamlab.testing.check import SKLEARN_EXCEPTIONS, check_learner, sklearn_exceptions
from streamlab.testing.promises import PROMISES

__all__ = ["PROMISES", "SKLEARN_EXCEPTIONS", "check_learner", "sklearn_exceptions"]
