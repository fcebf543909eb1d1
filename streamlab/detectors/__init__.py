"""Who notices a change in a row of numbers, such as a learner's errors."""

from streamlab.detectors.adwin import ADWIN, Change

__all__ = ["ADWIN", "Change"]
