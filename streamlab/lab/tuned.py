"""Parameters that were chosen on rows: a learner remembers on which, and who tests it on them is warned."""

from __future__ import annotations

import warnings
from typing import Any

from streamlab._checks import shown
from streamlab.lab.fingerprint import Fingerprint
from streamlab.learners import Learner
from streamlab.streams import Stream

FIRST_ROWS = 100
"""Rows of a stream by which it is recognised: whoever begins with them comes by the rows of the search."""


def mark_as_tuned(learner: Learner, stream: Stream, rows: int) -> None:
    """Note in a learner that its parameters were chosen on the first ``rows`` rows of a stream."""
    first = Fingerprint(stream).of(min(rows, FIRST_ROWS))
    learner.tuned_on = {"stream": stream.name, "rows": rows, "first rows": first}


def warn_if_tuned_on(name: str, learner: Any, stream: Stream) -> None:
    """Warn if a learner's parameters were chosen on rows with which this stream begins."""
    told = getattr(learner, "tuned_on", None)
    if told is None or stream.is_live or Fingerprint(stream).difference(told["first rows"]):
        return
    warnings.warn(
        f"{name}: its parameters were chosen on the first {told['rows']:,} rows of {shown(told['stream'])}, and it is "
        "tested on them again: what it scores there flatters it; rows that were not searched are in search.rest",
        UserWarning,
        stacklevel=2,
    )
