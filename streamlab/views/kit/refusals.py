"""What a browser sends that no page of ours sends: it is logged, once rather than a thousand times."""

from __future__ import annotations

import logging
from typing import Any

from streamlab.views.kit.text import shown

__all__ = ["MOST_WHOLE", "Refusals", "is_sound"]

logger = logging.getLogger("streamlab")

MOST_WHOLE = 2**53
"""A browser's numbers are whole and exact up to here."""


class Refusals:
    """Counts what one component refused, and logs the 1st, the 10th, the 100th …: a flood does not fill the log."""

    def __init__(self) -> None:
        self.count = 0

    def report(self, what: str, value: Any) -> bool:
        """Take one refusal; return whether it was worth a line.

        Parameters
        ----------
        what
            What was refused, in words.
        value
            What came; it is shown in one short line.
        """
        self.count += 1
        if str(self.count).strip("0") != "1":
            return False
        times = f" ({self.count:,} times by now)" if self.count > 1 else ""
        logger.warning("the browser sent what the page does not: %s: %s%s", what, shown(repr(value), 120), times)
        return True


def is_sound(parameter: Any, value: Any) -> bool:
    """Whether a parameter of ``param`` takes a value that a browser sent."""
    if isinstance(value, int) and abs(value) > MOST_WHOLE:
        return False
    try:
        parameter._validate(value)
    except (ValueError, TypeError):
        return False
    return True
