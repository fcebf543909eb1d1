"""Checks for learners, those of other packages as our own: ``check_learner`` says which promises a learner breaks."""

from streamlab.testing.check import check_learner
from streamlab.testing.promises import PROMISES
from streamlab.testing.sklearn_exceptions import SKLEARN_EXCEPTIONS, sklearn_exceptions

__all__ = ["PROMISES", "SKLEARN_EXCEPTIONS", "check_learner", "sklearn_exceptions"]
