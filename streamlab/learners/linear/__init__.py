"""Linear models on streams: a logistic regression for each label."""

from streamlab.learners.linear.online_logistic import OnlineLogistic

__all__ = ["OnlineLogistic"]
