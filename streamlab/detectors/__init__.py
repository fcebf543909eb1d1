"""Who notices a change in a row of numbers, such as a learner's errors."""

from streamlab.detectors.adwin import ADWIN, Change
from streamlab.detectors.recorded import RecordedDetector

__all__ = ["ADWIN", "Change", "RecordedDetector"]
