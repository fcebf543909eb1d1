"""SMART: streaming multi-label random trees whose statistics fade (Kong and Yu)."""

from streamlab.learners.smart.smart import SMART

__all__ = ["SMART"]
