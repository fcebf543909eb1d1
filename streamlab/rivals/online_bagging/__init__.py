"""Online bagging of multi-label members, with detectors that replace a member when it gets worse."""

from streamlab.rivals.online_bagging.online_bagging import OnlineBagging

__all__ = ["OnlineBagging"]
